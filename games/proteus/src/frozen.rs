//! The movement phase of one tile layout without trades, solved exactly. Tests compare proofs and searches with it.
//!
//! Tiles stay where they are, so a state is the counters' cells, the facings and the seat to act. After swapping seats
//! so that seat 0 acts, there are 60,480 x 27 = 1,632,960 states. They are solved backwards from the ends. Pass n finds
//! every state whose result is forced with exactly n actions.

use std::sync::LazyLock;

use tavola_core::{Actor, Evaluate, Game, Outcome, Playout};

use crate::actions::{Action, ActionKind};
use crate::board::{CELLS, Cell, each};
use crate::pieces::{Tile, tile};
use crate::rules::Proteus;
use crate::state::{Board, End, Reason, State};

/// Arrangements of six counters on nine cells.
pub const ARRANGEMENTS: usize = 60_480;

/// The tile of each colour that is face up.
pub const FACINGS: usize = 27;

/// All states of one tile layout.
pub const STATES: usize = ARRANGEMENTS * FACINGS;

/// The value of a state for the seat to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The seat to act wins with this many actions.
    Win(u8),
    /// The seat to act loses with this many actions.
    Loss(u8),
    /// Neither seat can force an end: a draw.
    Open,
}

impl Value {
    /// The value before a choice among actions, each of which leads to a position of this value for the other seat.
    pub fn before(after: impl IntoIterator<Item = Self>) -> Self {
        after.into_iter().fold(Self::Loss(0), |best, after| match (best, after) {
            (Self::Win(best), Self::Loss(plies)) => Self::Win(best.min(plies + 1)),
            (_, Self::Loss(plies)) => Self::Win(plies + 1),
            (Self::Win(plies), _) => Self::Win(plies),
            (Self::Open, _) | (_, Self::Open) => Self::Open,
            (Self::Loss(longest), Self::Win(plies)) => Self::Loss(longest.max(plies + 1)),
        })
    }
}

/// Every arrangement of the counters, each as six cells, Black's first; and the number of each.
struct Arrangements {
    list: Vec<[Cell; 6]>,
    numbers: Vec<u16>,
}

static ARRANGED: LazyLock<Arrangements> = LazyLock::new(|| {
    let mut all = Arrangements { list: Vec::with_capacity(ARRANGEMENTS), numbers: vec![u16::MAX; 9usize.pow(6)] };
    let mut cells = [0; 6];
    arrange(&mut cells, 0, &mut all);
    all
});

fn arrange(cells: &mut [Cell; 6], placed: usize, all: &mut Arrangements) {
    if placed == 6 {
        all.numbers[code(*cells)] = all.list.len() as u16;
        all.list.push(*cells);
        return;
    }
    for cell in 0..CELLS {
        if !cells[..placed].contains(&cell) {
            cells[placed] = cell;
            arrange(cells, placed + 1, all);
        }
    }
}

fn code(cells: [Cell; 6]) -> usize {
    cells.iter().fold(0, |code, &cell| 9 * code + usize::from(cell))
}

/// The number of the arrangement of these six cells: gap-free, from 0 to 60,479.
pub fn arrangement_number(cells: [Cell; 6]) -> usize {
    ARRANGED.numbers[code(cells)].into()
}

/// The arrangement with a number.
pub fn arrangement(number: usize) -> [Cell; 6] {
    ARRANGED.list[number]
}

/// A solved tile layout.
pub struct SolvedLayout {
    game: Proteus,
    layout: [Tile; 9],
    values: Vec<Value>,
}

impl SolvedLayout {
    /// Solves the layout (the tile on each cell) under the game's rules without trades.
    pub fn solve(game: Proteus, layout: [Tile; 9]) -> Self {
        let successors = Successors::of(&game, layout);
        let mut values = vec![Value::Open; STATES];
        let mut open: Vec<u32> = (0..STATES as u32).filter(|&state| successors.count(state) > 0).collect();
        for plies in 1..=u8::MAX {
            let found: Vec<(u32, Value)> =
                open.iter().filter_map(|&state| Some((state, successors.judge(state, plies, &values)?))).collect();
            if found.is_empty() && plies > 2 {
                break;
            }
            for &(state, value) in &found {
                values[state as usize] = value;
            }
            open.retain(|&state| values[state as usize] == Value::Open);
        }
        Self { game, layout, values }
    }

    /// The value of the state with a number.
    pub fn value(&self, number: usize) -> Value {
        self.values[number]
    }

    /// The value of a state that is not over, for the seat to act.
    pub fn value_of(&self, state: &State) -> Value {
        self.value(if state.seat == 0 { number(&state.board) } else { number_swapped(&state.board) })
    }

    /// The state with a number, seat 0 to act, as a position of the frozen game.
    pub fn state(&self, number: usize) -> State {
        let mut state = State::of(board(self.layout, number), 0, Some(1));
        NoTradeGame::end_if_stuck(&mut state);
        state
    }

    /// The game whose states these are: the same rules without trades.
    pub fn game(&self) -> NoTradeGame {
        NoTradeGame(self.game)
    }
}

/// The board of a layout with arrangement and facing of this number.
pub(crate) fn board(layout: [Tile; 9], number: usize) -> Board {
    let mut board = Board::EMPTY;
    for (cell, tile) in (0..).zip(layout) {
        board.put_tile(tile, cell);
    }
    for (counter, cell) in (0..).zip(arrangement(number / FACINGS)) {
        board.put_counter(counter, cell);
    }
    let facing = (number % FACINGS) as u8;
    for (colour, shape) in (0..).zip([facing % 3, facing / 3 % 3, facing / 9]) {
        board.turn_up(1 << tile(colour, shape));
    }
    board
}

/// The number of a board where seat 0 acts next.
fn number(board: &Board) -> usize {
    arrangement_number([0, 1, 2, 3, 4, 5].map(|counter| board.counter_cell(counter))) * FACINGS + facing_number(board)
}

/// The number of a board after the seats are swapped, so that seat 0 acts next.
fn number_swapped(board: &Board) -> usize {
    let cells = [3, 4, 5, 0, 1, 2].map(|counter| board.counter_cell(counter));
    arrangement_number(cells) * FACINGS + facing_number(board)
}

/// The number of the facings: which tile of each colour is up.
pub(crate) fn facing_number(board: &Board) -> usize {
    (0..3).rev().fold(0, |facing, colour| {
        3 * facing + usize::from(board.up(colour).expect("in the movement phase every colour has a tile up"))
    })
}

/// Where an action leads: to an end, or to a state.
const WON: u32 = u32::MAX;
const LOST: u32 = u32::MAX - 1;

/// The successors of every state, one list after the other.
struct Successors {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Successors {
    fn of(game: &Proteus, layout: [Tile; 9]) -> Self {
        let mut all = Self { starts: Vec::with_capacity(STATES + 1), list: Vec::with_capacity(STATES * 6) };
        for number in 0..STATES {
            all.starts.push(all.list.len() as u32);
            let state = State::of(board(layout, number), 0, Some(1));
            for from in each(state.board.counters_of(0)) {
                for to in each(Proteus::reach(&state, from)) {
                    let mut after = state.clone();
                    Proteus::perform(&mut after, ActionKind::Move(from, to));
                    all.list.push(match game.winner(&after.board, 0) {
                        Some(0) => WON,
                        Some(_) => LOST,
                        None => number_swapped(&after.board) as u32,
                    });
                }
            }
        }
        all.starts.push(all.list.len() as u32);
        all
    }

    fn after(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.list[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    fn count(&self, state: u32) -> usize {
        self.after(state).len()
    }

    /// The state's value if it is forced with exactly `plies` actions, given the values that need fewer.
    fn judge(&self, state: u32, plies: u8, values: &[Value]) -> Option<Value> {
        let after = |&next: &u32| match next {
            WON => Value::Loss(0),
            LOST => Value::Win(0),
            next => values[next as usize],
        };
        let nexts = self.after(state);
        if nexts.iter().map(after).any(|value| matches!(value, Value::Loss(left) if left < plies)) {
            return Some(Value::Win(plies));
        }
        let lost = nexts.iter().map(after).all(|value| matches!(value, Value::Win(left) if left < plies));
        lost.then_some(Value::Loss(plies))
    }
}

/// The movement phase without trades, as a game: what provers and searches are held against the solution by.
///
/// A seat that cannot move ends it without a winner: it could trade in the whole game.
#[derive(Clone, Copy, Debug)]
pub struct NoTradeGame(Proteus);

impl NoTradeGame {
    fn end_if_stuck(state: &mut State) {
        let stuck = each(state.board.counters_of(state.seat)).all(|from| Proteus::reach(state, from) == 0);
        if state.end.is_none() && stuck {
            state.end = Some(End { winner: None, reason: Reason::Limit });
        }
    }
}

impl Game for NoTradeGame {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static tavola_core::Info {
        self.0.info()
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        self.0.start()
    }

    fn to_act(&self, state: &State) -> Actor {
        if state.end.is_some() { Actor::Terminal } else { Actor::Seat(state.seat) }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        for from in each(state.board.counters_of(state.seat)) {
            actions.extend(each(Proteus::reach(state, from)).map(|to| Action::walk(from, to)));
        }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        Proteus::perform(state, action.kind());
        state.end =
            self.0.winner(&state.board, state.seat).map(|seat| End { winner: Some(seat), reason: Reason::Goal });
        state.seat = 1 - state.seat;
        state.count = state.count.map(|count| count + 1);
        Self::end_if_stuck(state);
    }

    fn turn(&self, state: &State) -> u32 {
        self.0.turn(state)
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.end.map(End::outcome)
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.key_from_scratch()
    }
}

impl Playout for NoTradeGame {}

impl Evaluate for NoTradeGame {}
