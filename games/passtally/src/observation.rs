//! A position as planes of numbers, and the eight symmetries of the board.
//!
//! The rows of the board go from `6` down to `1`, the columns from `a` to `f`. A marker is shown in the cell beside it, in
//! a plane for its side of the board. A rotation by 90 degrees and a reflection both exchange the shapes L and R. After a
//! rotation every tile is still of its type (rules 5). A reflection makes an LL an RR, and an SL an SR.

use tavola_core::{Encode, Observe, Plane, Seat, Symmetry};

use crate::actions::{Action, ActionKind, PILES};
use crate::board::Board;
use crate::cells::{self, CELLS, Cell, SIZE, Side};
use crate::points::MOST_TURN_POINTS;
use crate::rim::{self, MARKERS, RIM_POSITIONS, RimPosition, adjacent_cell, side_of};
use crate::rules::{GOAL, IDLE, Passtally, TURN};
use crate::state::{PILE, Stage, State};
use crate::tiles::{COPIES, L, NAMES, Placement, R, S, Shape, TILE_TYPES, TILES, TileType, rotated};

/// Where the planes of cells begin.
const SHAPES: usize = 0;
const LEVEL: usize = 3;
const JOINTS: usize = 4;
const MARKER_PLANES: usize = 8;

/// The shapes in the order of their planes.
const SHAPE_ORDER: [Shape; 3] = [S, L, R];

/// Where the scalars begin, counted from the first one.
const FACES: usize = 0;
const DOWN: usize = FACES + PILES as usize * TILE_TYPES as usize;
const UNSEEN: usize = DOWN + PILES as usize;
const NAMED: usize = UNSEEN + TILE_TYPES as usize;
const OTHERS: usize = NAMED + 2 * 4;

/// Two tiles carry every level, and no level has fewer (rules 10).
const MOST_LEVELS: u8 = TILES / 2;

/// The names of the seats, as a seat sees them.
const SEAT_NAMES: [&str; 3] = ["own", "next", "third"];

/// The names of the sides.
const SIDE_NAMES: [&str; 4] = ["north", "east", "south", "west"];

/// The place of a cell in a plane.
fn place(cell: Cell) -> usize {
    usize::from((SIZE - 1 - cell / SIZE) * SIZE + cell % SIZE)
}

/// The generators of the symmetries.
#[derive(Clone, Copy)]
enum Generator {
    /// By 90 degrees clockwise.
    Rotate,
    /// East and west change places.
    Reflect,
}

const GENERATORS: [(&str, Generator); 2] = [("rotate", Generator::Rotate), ("reflect", Generator::Reflect)];

impl Generator {
    const fn cell(self, cell: Cell) -> Cell {
        let (row, column) = (cell / SIZE, cell % SIZE);
        match self {
            Self::Rotate => (SIZE - 1 - column) * SIZE + row,
            Self::Reflect => row * SIZE + SIZE - 1 - column,
        }
    }

    const fn side(self, side: Side) -> Side {
        match self {
            Self::Rotate => (side + 1) % 4,
            Self::Reflect => (4 - side) % 4,
        }
    }

    const fn rim(self, position: RimPosition) -> RimPosition {
        match self {
            Self::Rotate => (position + SIZE) % RIM_POSITIONS,
            Self::Reflect => (RIM_POSITIONS + SIZE - 1 - position) % RIM_POSITIONS,
        }
    }

    fn tile_type(self, tile_type: TileType) -> TileType {
        match (self, NAMES[usize::from(tile_type)]) {
            (Self::Reflect, name @ ("LL" | "RR" | "SL" | "SR")) => {
                let image = name.replace('L', "?").replace('R', "L").replace('?', "R");
                NAMES.iter().position(|&known| known == image).map_or(tile_type, |image| image as TileType)
            }
            _ => tile_type,
        }
    }

    fn placement(self, placement: Placement) -> Placement {
        let [first, _] = placement.cells();
        let [one, other] = placement.shapes().map(rotated);
        let direction = self.side(placement.direction());
        let pair = cells::pair_of(self.cell(first), direction).expect("an image on the board");
        // The western or northern half first.
        let before = matches!(direction, 1 | 2);
        Placement::of_shapes(pair, if before { [one, other] } else { [other, one] })
    }

    fn action(self, action: Action) -> Action {
        Action::new(match action.kind() {
            ActionKind::PlaceMarker(position) => ActionKind::PlaceMarker(self.rim(position)),
            ActionKind::PlaceTile(pile, placement) => ActionKind::PlaceTile(pile, self.placement(placement)),
            ActionKind::MoveMarker(from, to) => ActionKind::MoveMarker(self.rim(from), self.rim(to)),
            ActionKind::Reveal(pile, tile_type) => ActionKind::Reveal(pile, self.tile_type(tile_type)),
        })
    }
}

impl Passtally {
    /// The number of planes of cells.
    const fn cell_planes(&self) -> usize {
        MARKER_PLANES + 4 * self.seats as usize
    }

    /// The seats as a seat sees them: itself, then the others in turn order.
    fn seen_from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (0..seats).map(move |ahead| (seat + ahead) % seats)
    }
}

impl Observe for Passtally {
    fn board(&self) -> (usize, usize) {
        (SIZE.into(), SIZE.into())
    }

    fn planes(&self) -> Vec<Plane> {
        let cells = |name: String, high, about: String| Plane::cells(name, high, about);
        let scalar = |name: String, high, about: String| Plane::scalar(name, high, about);
        let seats = &SEAT_NAMES[..usize::from(self.seats)];
        let types = NAMES.map(str::to_lowercase);
        let mut planes = vec![
            cells("straight".into(), 1, "The cell shows two lines that cross, as bare cells do.".into()),
            cells("left".into(), 1, "The cell shows the shape L.".into()),
            cells("right".into(), 1, "The cell shows the shape R.".into()),
            cells("level".into(), MOST_LEVELS, "The level of the topmost tile, 0 on a bare cell.".into()),
        ];
        for side in SIDE_NAMES {
            let about = format!("The other half of the topmost tile is visible in the cell to the {side}.");
            planes.push(cells(format!("joined_{side}"), 1, about));
        }
        for seat in seats {
            for side in SIDE_NAMES {
                let about = format!("A marker of the {seat} seat is beside the cell, on the {side} side of the board.");
                planes.push(cells(format!("{seat}_marker_{side}"), 1, about));
            }
        }
        for pile in 1..=PILES {
            for (name, tile_type) in types.iter().zip(NAMES) {
                planes.push(scalar(
                    format!("pile_{pile}_{name}"),
                    1,
                    format!("The face-up tile of pile {pile} is an {tile_type}."),
                ));
            }
        }
        for pile in 1..=PILES {
            planes.push(scalar(format!("pile_{pile}_down"), PILE, format!("The face-down tiles of pile {pile}.")));
        }
        for (name, tile_type) in types.iter().zip(NAMES) {
            let about = format!("The face-down tiles of the type {tile_type}, in any pile.");
            planes.push(scalar(format!("unseen_{name}"), COPIES, about));
        }
        for (number, which) in ["first", "second"].into_iter().enumerate() {
            for side in SIDE_NAMES {
                let about = format!("The {which} side that the first seat named in the set-up is the {side} one.");
                planes.push(scalar(format!("named_{}_{side}", number + 1), 1, about));
            }
        }
        for seat in seats {
            let about = format!("The points of the {seat} seat.");
            planes.push(scalar(format!("{seat}_points"), GOAL as u8 - 1 + MOST_TURN_POINTS, about));
        }
        for seat in seats {
            planes.push(scalar(format!("{seat}_turn"), 1, format!("It is the turn of the {seat} seat.")));
        }
        planes.extend([
            scalar("turn_order".into(), self.seats - 1, "The number of seats before the own one in a round.".into()),
            scalar("set_up".into(), 1, "Markers are being placed.".into()),
            scalar("placed".into(), MARKERS * self.seats, "The number of markers placed in the set-up.".into()),
            scalar("taken".into(), TURN, "The actions taken in this turn.".into()),
            scalar("idle".into(), IDLE, "The number of marker moves in a row.".into()),
            scalar("last_round".into(), 1, "This round is known to be the last.".into()),
        ]);
        for pile in 1..=PILES {
            planes.push(scalar(format!("due_{pile}"), 1, format!("Chance must reveal the next tile of pile {pile}.")));
        }
        planes
    }

    fn observe(&self, state: &State, seat: Seat, out: &mut [u8]) {
        let cells = usize::from(CELLS);
        let (board, scalars) = out.split_at_mut(self.cell_planes() * cells);
        for cell in 0..CELLS {
            let (top, place) = (state.board.top(cell), place(cell));
            let shape = match top.shape() {
                S => 0,
                L => 1,
                _ => 2,
            };
            board[(SHAPES + shape) * cells + place] = 1;
            board[LEVEL * cells + place] = top.height();
            if let Some(side) = top.joint() {
                board[(JOINTS + usize::from(side)) * cells + place] = 1;
            }
        }
        for (ahead, other) in self.seen_from(seat).enumerate() {
            for position in rim::each(state.markers[usize::from(other)]) {
                let plane = MARKER_PLANES + 4 * ahead + usize::from(side_of(position));
                board[plane * cells + place(adjacent_cell(position))] = 1;
            }
        }
        for (pile, contents) in state.piles.iter().enumerate() {
            if let Some(tile_type) = contents.face {
                scalars[FACES + pile * usize::from(TILE_TYPES) + usize::from(tile_type)] = 1;
            }
            scalars[DOWN + pile] = contents.down;
        }
        scalars[UNSEEN..NAMED].copy_from_slice(&state.unseen);
        let (mut set_up, mut markers_placed, mut actions_taken) = (0, 0, 0);
        match state.stage {
            Stage::SetUp { placed, named } => {
                (set_up, markers_placed) = (1, placed);
                for (number, side) in named.into_iter().enumerate() {
                    if let Some(side) = side {
                        scalars[NAMED + 4 * number + usize::from(side)] = 1;
                    }
                }
            }
            Stage::Turn { taken } => actions_taken = taken,
            Stage::Over => {}
        }
        let seats = usize::from(self.seats);
        let others = &mut scalars[OTHERS..];
        for (ahead, other) in self.seen_from(seat).enumerate() {
            others[ahead] = state.points(other) as u8;
            others[seats + ahead] = u8::from(state.seat == other);
        }
        let last = u8::from(Self::is_last_round(state));
        let [due_1, due_2, due_3] = [0, 1, 2].map(|pile| u8::from(state.due == Some(pile)));
        others[2 * seats..].copy_from_slice(&[
            seat,
            set_up,
            markers_placed,
            actions_taken,
            state.idle,
            last,
            due_1,
            due_2,
            due_3,
        ]);
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let planes = self.planes().len();
        let symmetry = |(name, generator): (&'static str, Generator)| {
            let mut symmetry = Symmetry::identity(CELLS.into(), planes, self.action_count());
            for cell in 0..CELLS {
                symmetry.cells[place(generator.cell(cell))] = place(cell) as u32;
            }
            for index in 0..self.action_count() {
                let action = self.action(index).expect("an index below the count");
                symmetry.actions[self.index(generator.action(action))] = index as u32;
            }
            let mut moves = |first: usize, from: usize, to: usize| symmetry.planes[first + to] = (first + from) as u32;
            for (from, &shape) in SHAPE_ORDER.iter().enumerate() {
                let image = SHAPE_ORDER.iter().position(|&other| other == rotated(shape));
                moves(SHAPES, from, image.expect("a shape"));
            }
            let scalars = self.cell_planes();
            for (from, to) in (0..4).map(|side| (usize::from(side), usize::from(generator.side(side)))) {
                moves(JOINTS, from, to);
                (0..usize::from(self.seats)).for_each(|seat| moves(MARKER_PLANES + 4 * seat, from, to));
                (0..2).for_each(|named| moves(scalars + NAMED + 4 * named, from, to));
            }
            for tile_type in 0..TILE_TYPES {
                let (from, to) = (usize::from(tile_type), usize::from(generator.tile_type(tile_type)));
                (0..usize::from(PILES))
                    .for_each(|pile| moves(scalars + FACES + pile * usize::from(TILE_TYPES), from, to));
                moves(scalars + UNSEEN, from, to);
            }
            Symmetry { name: name.into(), ..symmetry }
        };
        GENERATORS.map(symmetry).into()
    }

    fn mirrored(&self, state: &State, generator: usize) -> State {
        let (_, generator) = GENERATORS[generator];
        let mut tops = [None; CELLS as usize];
        for cell in 0..CELLS {
            let top = state.board.top(cell);
            if top.height() > 0 {
                let joint = top.joint().map(|side| generator.side(side));
                tops[usize::from(generator.cell(cell))] = Some((rotated(top.shape()), top.height(), joint));
            }
        }
        let mut image = *state;
        image.board = Board::of(&tops);
        image.markers =
            state.markers.map(|own| rim::each(own).fold(0, |all, position| all | 1 << generator.rim(position)));
        for pile in &mut image.piles {
            pile.face = pile.face.map(|tile_type| generator.tile_type(tile_type));
        }
        for tile_type in 0..TILE_TYPES {
            image.unseen[usize::from(generator.tile_type(tile_type))] = state.unseen[usize::from(tile_type)];
        }
        if let Stage::SetUp { placed, named } = state.stage {
            image.stage = Stage::SetUp { placed, named: named.map(|side| side.map(|side| generator.side(side))) };
        }
        image
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::SIDES;

    #[test]
    fn names_of_sides_are_in_the_order_of_sides() {
        let letters = SIDE_NAMES.map(|name| name.to_uppercase().chars().next().unwrap_or_default());
        assert_eq!(letters, SIDES);
    }
}
