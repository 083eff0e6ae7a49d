//! How the game ended, for screens.

use tavola_core::view::OutcomeView;
use tavola_core::{Game, Text, format_smolstr};

use super::labels::seat_name;
use crate::rules::Potlatch;
use crate::state::State;

impl Potlatch {
    pub(crate) fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let end = state.end?;
        let outcome = end.outcome();
        let key = format_smolstr!("outcome.{}", outcome.reason);
        let text = match end.winner {
            Some(winner) => Text::new(key).with("seat", seat_name(winner)),
            None => Text::new(format_smolstr!("{key}.draw")),
        };
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text,
            returns: outcome.returns(self.seats()),
        })
    }
}
