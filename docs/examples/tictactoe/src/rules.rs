//! The rules: what is legal, what an action does, how the game ends.

use tavola_core::info::{Assets, Info, OptionSpec, Options};
use tavola_core::random::mix;
use tavola_core::{Actor, Compiled, Game, Outcome, SeatSet};

use crate::actions::Action;
use crate::state::{SQUARES, State};

/// The game with its options.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe {
    /// Whether a line wins, or loses (rules 2).
    line_wins: bool,
}

impl Compiled for TicTacToe {
    const INFO: &'static Info = &Info {
        name: "tictactoe",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: false,
        has_draws: true,
        options: &[OptionSpec::new("goal", &["make", "avoid"])],
        assets: Assets {
            rules: tavola_core::languages!("rules"),
            locales: tavola_core::languages!("art/words"),
            symbols: include_str!("../art/symbols.svg"),
            theme: include_str!("../art/theme.json"),
            levels: include_str!("../levels.json"),
            ..Assets::NONE
        },
    };

    fn new(options: &Options) -> Self {
        Self { line_wins: options.get("goal") == "make" }
    }
}

impl Game for TicTacToe {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static Info {
        Self::INFO
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State { marks: [0, 0] }
    }

    fn to_act(&self, state: &State) -> Actor {
        if self.outcome(state).is_some() { Actor::Terminal } else { Actor::Seat(state.seat()) }
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

    // A state this small is hashed on demand. A large one updates its key with every action.
    fn key(&self, state: &State) -> u64 {
        mix(u64::from(state.marks[0]) | u64::from(state.marks[1]) << SQUARES)
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        self.key(state)
    }
}
