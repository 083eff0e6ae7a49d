//! A position as planes of numbers, and the twelve symmetries of the hex grid.
//!
//! The plane of hexes has no edge, so the rectangle of cells wraps around: row `r` and column `q` count modulo its size.
//! The pawn of the observing seat stands in the middle, in the row and column of half the size. The tiles are
//! connected, so no two of them are as far apart as the size minus 1 in `q` or `r`. Therefore no two tiles share a cell,
//! and tiles are neighbours on the board if and only if they are neighbours in the rectangle.

use tavola_core::random::mix;
use tavola_core::{Encode, Observe, Plane, Seat, Symmetry};

use crate::actions::Action;
use crate::hex::{DIRECTIONS, Hex};
use crate::rules::{MOST_TURNS, Potlatch};
use crate::stacks::NEUTRAL_THREE;
use crate::state::{Start, State};

/// The most earlier starts of turns that can be equal to a later one: the third time ends the game (rules 10c).
const MOST_REPEATS: u8 = 2;

/// The number of planes of cells.
const CELL_PLANES: usize = 13;

/// A map of the plane of hexes that leaves 0,0 in its place.
type Map = fn(Hex) -> Hex;

/// The generators of the symmetries: a sixth of a turn clockwise, and the reflection that exchanges the coordinates.
const GENERATORS: [(&str, Map); 2] =
    [("rotate", |hex| Hex::new(-hex.r, hex.q + hex.r)), ("reflect", |hex| Hex::new(hex.r, hex.q))];

/// The starts of turns that can still come back, and how often this turn's has been there before.
struct Starts {
    /// That of this turn.
    turn: Option<Start>,
    /// That of the opponent's last turn.
    previous: Option<Start>,
    repeats: u8,
}

impl Starts {
    fn of(state: &State) -> Self {
        let mut past = state.past.iter().rev().copied();
        let turn = if state.taken == 0 { Some(Start::new(state.stacks, state.pawns)) } else { past.next() };
        let previous = past.next();
        let repeats = past.step_by(2).filter(|&own| Some(own) == turn).count();
        Self { turn, previous, repeats: repeats.min(MOST_REPEATS.into()) as u8 }
    }
}

/// How a third chip looks to a seat: 0 without a colour, 1 its own, 2 the opponent's.
const fn owner(code: u8, seat: Seat) -> u8 {
    match code.checked_sub(NEUTRAL_THREE + 1) {
        None => 0,
        Some(owner) => 1 + (owner ^ seat),
    }
}

impl Potlatch {
    /// The rows, and the columns, of the rectangle.
    const fn size(&self) -> usize {
        self.tiles as usize + 1
    }

    /// The cell of a hex, given the difference to the hex in the middle: less than the size in both coordinates.
    #[inline]
    fn cell(&self, q: i8, r: i8) -> usize {
        let size = self.size() as i8;
        // Without a division, which takes longer than the rest of the observation.
        let wrapped = |coordinate: i8| {
            let moved = coordinate + size / 2;
            if moved < 0 {
                moved + size
            } else if moved >= size {
                moved - size
            } else {
                moved
            }
        };
        wrapped(r) as usize * size as usize + wrapped(q) as usize
    }
}

impl Observe for Potlatch {
    fn board(&self) -> (usize, usize) {
        (self.size(), self.size())
    }

    fn planes(&self) -> Vec<Plane> {
        vec![
            Plane::cells("tile", 1, "There is a base tile. The own pawn stands on the tile in the middle."),
            Plane::cells("chips_1", 1, "The stack has one chip or more."),
            Plane::cells("chips_2", 1, "The stack has two chips or more."),
            Plane::cells("chips_3", 1, "The stack has three chips."),
            Plane::cells("own_stacks", 1, "The third chip has the own colour."),
            Plane::cells("opponent_stacks", 1, "The third chip has the opponent's colour."),
            Plane::cells("opponent_pawn", 1, "The opponent's pawn stands here."),
            Plane::cells("visited", 1, "The pawn of the seat to act has been here in this turn."),
            Plane::cells("gains", 1, "The pawn of the seat to act entered this hex in the open run."),
            Plane::cells(
                "turn_start_height",
                3,
                "The number of chips when this turn began; 0 everywhere if the stacks of then cannot come back.",
            ),
            Plane::cells("turn_start_owner", 2, "The third chip of then: 1 for the own colour, 2 for the opponent's."),
            Plane::cells(
                "previous_start_height",
                3,
                "The number of chips when the turn before began; 0 everywhere if the stacks of then cannot come back.",
            ),
            Plane::cells("previous_start_owner", 2, "The third chip of then, in the same way."),
            Plane::scalar("to_act", 1, "1 if the own seat is to act, or would be if the game were not over."),
            Plane::scalar("actions_left", self.actions, "The actions left in this turn."),
            Plane::scalar("tiles_left", self.tiles, "The base tiles that are not placed yet."),
            Plane::scalar("turns", MOST_TURNS, "The turns completed."),
            Plane::scalar(
                "repeats",
                MOST_REPEATS,
                "How often this turn has begun with the same stacks and pawns before. Older positions are not visible.",
            ),
        ]
    }

    fn observe(&self, state: &State, seat: Seat, out: &mut [u8]) {
        let cells = self.size() * self.size();
        let starts = Starts::of(state);
        let middle = state.places[usize::from(state.pawns[usize::from(seat)])];
        let opponent = state.pawns[usize::from(1 - seat)];
        let (board, scalars) = out.split_at_mut(CELL_PLANES * cells);
        let heights_and_owners = |start: Option<Start>, tile| {
            start.map(Start::stacks).map_or([0; 2], |stacks| [stacks.height(tile), owner(stacks.code(tile), seat)])
        };
        for tile in 0..state.tiles {
            let place = state.places[usize::from(tile)];
            let cell = self.cell(place.q - middle.q, place.r - middle.r);
            let (height, owner) = (state.stacks.height(tile), owner(state.stacks.code(tile), seat));
            let [turn_height, turn_owner] = heights_and_owners(starts.turn, tile);
            let [previous_height, previous_owner] = heights_and_owners(starts.previous, tile);
            // In the order of the planes.
            let values: [u8; CELL_PLANES] = [
                1,
                (height > 0).into(),
                (height > 1).into(),
                (height > 2).into(),
                (owner == 1).into(),
                (owner == 2).into(),
                (tile == opponent).into(),
                state.visited.contains(tile).into(),
                state.run.contains(tile).into(),
                turn_height,
                turn_owner,
                previous_height,
                previous_owner,
            ];
            for (plane, value) in board.chunks_exact_mut(cells).zip(values) {
                plane[cell] = value;
            }
        }
        scalars.copy_from_slice(&[
            (seat == state.seat()).into(),
            self.actions - state.taken,
            self.tiles - state.tiles,
            state.turns,
            starts.repeats,
        ]);
    }

    /// Without the places of all tiles together, the order of the visited hexes, and older starts of turns.
    fn observed_key(&self, state: &State) -> u64 {
        let starts = Starts::of(state);
        let middle = state.places[usize::from(state.pawns[0])];
        let code = |start: Option<Start>, tile| start.map_or(0, |start| start.stacks().code(tile));
        let tile_key = |tile: u8| {
            let place = state.places[usize::from(tile)];
            let bytes = [
                state.stacks.code(tile),
                code(starts.turn, tile),
                code(starts.previous, tile),
                u8::from(tile == state.pawns[1]),
                u8::from(state.visited.contains(tile)),
                u8::from(state.run.contains(tile)),
                0,
                0,
            ];
            mix(mix(Hex::new(place.q - middle.q, place.r - middle.r).word()) ^ u64::from_le_bytes(bytes))
        };
        let counts = u64::from_le_bytes([state.turns, state.taken, starts.repeats, 0, 0, 0, 0, 0]);
        (0..state.tiles).map(tile_key).fold(mix(counts), u64::wrapping_add)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let size = self.size() as i8;
        let symmetry = |(name, map): (&'static str, Map)| {
            let mut symmetry = Symmetry::identity(self.size() * self.size(), self.planes().len(), self.action_count());
            for (q, r) in (0..size).flat_map(|r| (0..size).map(move |q| (q, r))) {
                let image = map(Hex::new(q, r));
                let (image_q, image_r) = (image.q.rem_euclid(size), image.r.rem_euclid(size));
                symmetry.cells[self.cell(image_q, image_r)] = self.cell(q, r) as u32;
            }
            for index in 0..Action::COUNT {
                let action = Action::from_index(index);
                let image = Action::new(action.kind(), mapped(action.direction(), map));
                symmetry.actions[self.index(image)] = self.index(action) as u32;
            }
            Symmetry { name: name.into(), ..symmetry }
        };
        GENERATORS.map(symmetry).into()
    }

    fn mirrored(&self, state: &State, generator: usize) -> State {
        let (_, map) = GENERATORS[generator];
        let mut mirrored = state.clone();
        mirrored.legal = 0;
        for (direction, image) in (0..DIRECTIONS.len()).map(|direction| (direction, mapped(direction, map))) {
            mirrored.legal |= (state.legal >> direction & 0b100_0001) << image;
        }
        for tile in 0..usize::from(state.tiles) {
            mirrored.places[tile] = map(state.places[tile]);
            mirrored.neighbours[tile] = u32::MAX;
            for direction in 0..DIRECTIONS.len() {
                let neighbour = u32::from(state.beside(tile as u8, direction));
                let nibble = 4 * mapped(direction, map);
                mirrored.neighbours[tile] &= !(15 << nibble) | neighbour << nibble;
            }
        }
        mirrored
    }
}

/// The image of a direction.
fn mapped(direction: usize, map: Map) -> usize {
    let step = map(DIRECTIONS[direction].1);
    DIRECTIONS.iter().position(|&(_, known)| known == step).expect("maps keep neighbours together")
}
