//! Why the round is the last, and how the game ended.

use tavola_core::view::OutcomeView;
use tavola_core::{Game, Text, format_smolstr};

use super::labels::seat_name;
use crate::rules::{GOAL, Passtally};
use crate::state::State;

/// Why this round is the last, if it is (rules 17).
pub(crate) fn last_round(state: &State) -> Option<Text> {
    let seat = (0..).zip(state.points).find(|&(_, points)| points >= GOAL).map(|(seat, _)| seat);
    match (seat, state.used_up()) {
        (Some(seat), _) => Some(Text::new("last.points").with("seat", seat_name(seat))),
        (None, Some(pile)) => Some(Text::new("last.pile").with("pile", i64::from(pile) + 1)),
        (None, None) => None,
    }
}

impl Passtally {
    pub(crate) fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let outcome = self.outcome(state)?;
        let winner = self.winner(state);
        let most = state.points[winner as usize];
        let tie = state.points[..self.seats.into()].iter().filter(|&&points| points == most).count() > 1;
        let key = format_smolstr!("outcome.{}{}", outcome.reason, if tie { ".tie" } else { "" });
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text: Text::new(key).with("seat", seat_name(winner)),
            returns: outcome.returns(self.seats()),
        })
    }
}
