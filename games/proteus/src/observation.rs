//! A position as planes of numbers, and the eight symmetries of the square board.
//!
//! The board is a square of three rows and columns. Row 0 has the cells `a1`, `b1` and `c1`. Both seats see it from the
//! same side, because no rule depends on the side.

use tavola_core::random::mix;
use tavola_core::{Encode, Observe, Plane, Seat, Symmetry};

use crate::actions::{Action, ActionKind};
use crate::board::{CELLS, Cell, Cells, each};
use crate::pieces::{BLUE, Goal, Move, RED, TILES, Trade, YELLOW};
use crate::repetition::{Position, Repetition};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{Board, FULL, SET, State};

/// The columns and rows of the board.
const SIDE: u8 = 3;

/// The planes of cells: six of tiles, one of facings, six of counters.
const FACE_UP: usize = 6;
const COUNTERS: usize = 7;
const CELL_PLANES: usize = 13;

/// The most earlier occurrences of a position: the third time ends the game (rules 18).
const MOST_REPEATS: u8 = 2;

/// Actions of the movement phase are counted in hundreds and the rest.
const HUNDRED: u16 = 100;

/// A map of the cells.
type Map = fn(Cell) -> Cell;

/// The generators of the symmetries: a quarter of a turn, and the reflection that exchanges rows and columns.
const GENERATORS: [(&str, Map); 2] = [
    ("rotate", |cell| SIDE * (cell % SIDE) + SIDE - 1 - cell / SIDE),
    ("reflect", |cell| SIDE * (cell % SIDE) + cell / SIDE),
];

impl Proteus {
    /// Whether each of the nine rules is active: moves, trades, goals.
    fn active_rules(&self, board: &Board) -> [u8; 9] {
        let mut active = [0; 9];
        if let Some(shape) = board.up(RED) {
            active[match crate::pieces::MOVES[usize::from(shape)] {
                Move::King => 0,
                Move::Rook => 1,
                Move::Bishop => 2,
            }] = 1;
        }
        if let Some(shape) = board.up(BLUE) {
            active[match self.faces.trades[usize::from(shape)] {
                Trade::Polarity => 3,
                Trade::Color => 4,
                Trade::Shape => 5,
            }] = 1;
        }
        if let Some(shape) = board.up(YELLOW) {
            active[match self.faces.goals[usize::from(shape)] {
                Goal::Line => 6,
                Goal::Color => 7,
                Goal::Shape => 8,
            }] = 1;
        }
        active
    }
}

/// The number of earlier occurrences of this position in the movement phase.
fn repeats(state: &State) -> u8 {
    state.repetition.count(state.position()).min(MOST_REPEATS.into()) as u8
}

impl Observe for Proteus {
    fn board(&self) -> (usize, usize) {
        (SIDE.into(), SIDE.into())
    }

    fn planes(&self) -> Vec<Plane> {
        let tiles = ["red", "blue", "yellow", "circle", "square", "triangle"];
        let counters = ["circle", "square", "triangle"];
        let rules = [
            ("move_king", "King is the active rule for moves."),
            ("move_rook", "Rook is the active rule for moves."),
            ("move_bishop", "Bishop/Knight is the active rule for moves."),
            ("trade_polarity", "Polarity is the active rule for trades."),
            ("trade_color", "Color is the active rule for trades."),
            ("trade_shape", "Shape is the active rule for trades."),
            ("goal_line", "Three in Line is the active goal."),
            ("goal_color", "Color is the active goal."),
            ("goal_shape", "Shape is the active goal."),
        ];
        let mut planes = Vec::new();
        planes.extend(tiles.map(|kind| Plane::cells(format!("tile_{kind}"), 1, format!("A {kind} tile is here."))));
        planes.push(Plane::cells("face_up", 1, "The tile lies face up."));
        for (owner, adjective) in [("own", "own"), ("opponent", "opponent's")] {
            planes.extend(counters.map(|shape| {
                let about = format!("The {adjective} counter with a {shape} is here.");
                Plane::cells(format!("{owner}_{shape}"), 1, about)
            }));
        }
        planes.extend(rules.map(|(name, about)| Plane::scalar(name, 1, about)));
        planes.extend([
            Plane::scalar("to_act", 1, "1 if the own seat is to act, or would be if the game were not over."),
            Plane::scalar("moving", 1, "The second phase has begun."),
            Plane::scalar("tiles_left", TILES, "The tiles that are not placed yet."),
            Plane::scalar("own_hand", 3, "The own counters that are not placed yet."),
            Plane::scalar("opponent_hand", 3, "The opponent's counters that are not placed yet."),
            Plane::scalar("hundreds", (MOST_ACTIONS / HUNDRED) as u8, "The actions of the second phase, in hundreds."),
            Plane::scalar("actions", HUNDRED as u8 - 1, "The actions of the second phase after the last hundred."),
            Plane::scalar(
                "repeats",
                MOST_REPEATS,
                "How often this position has occurred before in the second phase. Older positions are not visible.",
            ),
        ]);
        planes
    }

    fn observe(&self, state: &State, seat: Seat, out: &mut [u8]) {
        let (board, cells) = (&state.board, usize::from(CELLS));
        // The words have the sets of cells in the order of the planes; those of the own counters come first.
        let (own, opponent) = (27 * u32::from(seat), 27 * u32::from(1 - seat));
        let counters = board.counters >> own & 0x7FF_FFFF | (board.counters >> opponent & 0x7FF_FFFF) << 27;
        for (place, out) in out[..FACE_UP * cells].iter_mut().enumerate() {
            *out = (board.tiles >> place & 1) as u8;
        }
        for (place, out) in out[COUNTERS * cells..CELL_PLANES * cells].iter_mut().enumerate() {
            *out = (counters >> place & 1) as u8;
        }
        for cell in each(board.ups()).filter_map(|tile| board.cell_of(tile)) {
            out[FACE_UP * cells + usize::from(cell)] = 1;
        }
        let scalars = &mut out[CELL_PLANES * cells..];
        scalars[..9].copy_from_slice(&self.active_rules(board));
        let hand = |seat| 3 - board.counters_of(seat).count_ones() as u8;
        let count = state.count.unwrap_or(0);
        scalars[9..].copy_from_slice(&[
            (seat == state.seat).into(),
            state.count.is_some().into(),
            board.pool().count_ones() as u8,
            hand(seat),
            hand(1 - seat),
            (count / HUNDRED) as u8,
            (count % HUNDRED) as u8,
            repeats(state),
        ]);
    }

    /// With the number of earlier occurrences of this position in place of all earlier positions.
    fn observed_key(&self, state: &State) -> u64 {
        let count = state.count.map_or(0xFFFF, u64::from);
        mix(state.position().hash() ^ mix(count << 8 | u64::from(repeats(state))))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let symmetry = |(name, map): (&'static str, Map)| {
            let mut symmetry = Symmetry::identity(CELLS.into(), self.planes().len(), self.action_count());
            for cell in 0..CELLS {
                symmetry.cells[usize::from(map(cell))] = cell.into();
            }
            for index in 0..Action::COUNT {
                let image = Action::of(match Action::from_index(index).kind() {
                    ActionKind::Tile(tile, cell) => ActionKind::Tile(tile, map(cell)),
                    ActionKind::Counter(shape, cell) => ActionKind::Counter(shape, map(cell)),
                    ActionKind::Move(from, to) => ActionKind::Move(map(from), map(to)),
                    ActionKind::Trade(one, other) => ActionKind::Trade(map(one), map(other)),
                    ActionKind::Pass => ActionKind::Pass,
                });
                symmetry.actions[usize::from(image.index())] = index.into();
            }
            Symmetry { name: name.into(), ..symmetry }
        };
        GENERATORS.map(symmetry).into()
    }

    fn mirrored(&self, state: &State, generator: usize) -> State {
        let (_, map) = GENERATORS[generator];
        let mut repetition = Repetition::new();
        for &earlier in state.repetition.positions() {
            let Position(words) = earlier;
            repetition.add(Position(words.map(|word| mapped(word, map))));
        }
        let Board { tiles, counters } = state.board;
        State {
            board: Board { tiles: mapped(tiles, map), counters: mapped(counters, map) },
            repetition,
            ..state.clone()
        }
    }
}

/// A word of the board with its six sets of cells mapped, and the rest as it is.
fn mapped(word: u64, map: Map) -> u64 {
    let set = |place: u32| {
        let cells = (word >> place & FULL) as Cells;
        each(cells).fold(0, |mapped, cell| mapped | 1u64 << map(cell)) << place
    };
    (0..6).map(|number| set(number * SET)).fold(word >> (6 * SET) << (6 * SET), |mapped, set| mapped | set)
}
