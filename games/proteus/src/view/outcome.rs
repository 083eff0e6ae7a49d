//! The outcome of a finished game, as the view shows it.

use tavola_core::view::Decisive;
use tavola_core::{Outcome, Text, format_smolstr};

use crate::board::{self, each};
use crate::rules::Proteus;
use crate::state::State;
use crate::view::labels::seat_name;

/// Why the game ended (rules 13, 18).
pub(super) fn text(outcome: &Outcome) -> Text {
    match outcome.winners.iter().next() {
        Some(winner) => Text::new("outcome.goal").with("seat", seat_name(winner)),
        None => Text::new(format_smolstr!("outcome.{}.draw", outcome.reason)),
    }
}

impl Proteus {
    /// The winner's counters that satisfy the goal (rules 13).
    pub(super) fn decisive_counters(&self, state: &State, outcome: &Outcome) -> Decisive {
        let Some(goal) = self.goal(state) else { return Decisive::default() };
        let fitting = |seat| each(state.board.fitting(seat, goal));
        Decisive::cells(outcome.winners.iter().flat_map(fitting).map(board::name))
    }
}
