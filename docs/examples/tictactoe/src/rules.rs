//! The rules: what is legal, what an action does, how the game ends.

use tavola_core::info::{Assets, Info, OptionSpec, Options};
use tavola_core::random::mix;
use tavola_core::{Actor, Game, Outcome, Seat, SeatSet};

/// The squares of a set are bits: a1 is bit 0, b1 bit 1, a2 bit 3.
pub(crate) const SQUARES: u8 = 9;
const ALL: u16 = 0b111_111_111;

/// Rows, columns and diagonals (rules 4).
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// The game under its options.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    /// Whether a line wins, or loses (rules 2).
    line_wins: bool,
}

/// The marks of both seats, a set of squares each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) marks: [u16; 2],
}

/// A mark on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub(crate) u8);

impl State {
    /// How many marks there are.
    pub(crate) const fn count(&self) -> u32 {
        (self.marks[0] | self.marks[1]).count_ones()
    }

    /// The seat whose turn it is: they alternate (rules 3).
    pub(crate) const fn seat(&self) -> Seat {
        (self.count() % 2) as Seat
    }

    /// The squares without a mark.
    pub(crate) const fn empty(&self) -> u16 {
        !(self.marks[0] | self.marks[1]) & ALL
    }

    /// Whether a seat has three in a line (rules 4).
    pub(crate) fn has_line(&self, seat: Seat) -> bool {
        let own = self.marks[seat as usize];
        LINES.iter().any(|line| own & line == *line)
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Action;

    const INFO: &'static Info = &Info {
        name: "tictactoe",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: false,
        has_draws: true,
        options: &[OptionSpec { name: "goal", values: &["make", "avoid"] }],
        assets: Assets {
            rules: &[("en", include_str!("../rules/en.md")), ("ja", include_str!("../rules/ja.md"))],
            words: &[("en", include_str!("../art/words/en.json")), ("ja", include_str!("../art/words/ja.json"))],
            symbols: include_str!("../art/symbols.svg"),
            theme: include_str!("../art/theme.json"),
            levels: include_str!("../levels.json"),
        },
    };

    fn new(options: &Options) -> Self {
        Self { line_wins: options.get("goal") == "make" }
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State { marks: [0, 0] }
    }

    fn to_act(&self, state: &State) -> Actor {
        if self.outcome(state).is_some() { Actor::Nobody } else { Actor::Seat(state.seat()) }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        if self.outcome(state).is_none() {
            actions.extend((0..SQUARES).filter(|square| state.empty() >> square & 1 == 1).map(Action));
        }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        state.marks[state.seat() as usize] |= 1 << action.0;
    }

    fn turn(&self, state: &State) -> u32 {
        state.count() + 1
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        let last = 1 - state.seat();
        if state.has_line(last) {
            // rules 4
            let winner = if self.line_wins { last } else { 1 - last };
            Some(Outcome { winners: SeatSet::one(winner), reason: "line" })
        } else if state.empty() == 0 {
            // rules 5
            Some(Outcome { winners: SeatSet::EMPTY, reason: "full" })
        } else {
            None
        }
    }

    // A state this small is hashed at once; a bigger one keeps its key while it plays.
    fn key(&self, state: &State) -> u64 {
        mix(u64::from(state.marks[0]) | u64::from(state.marks[1]) << SQUARES)
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        self.key(state)
    }
}
