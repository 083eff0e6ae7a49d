//! The outcome of a finished game, as the view shows it.

use tavola_core::view::OutcomeView;
use tavola_core::{Game, Text};

use crate::rules::Proteus;
use crate::state::{Reason, State};
use crate::view::labels::seat_name;

impl Proteus {
    pub(crate) fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let end = state.end?;
        let outcome = end.outcome();
        let text = match (end.winner, end.reason) {
            (Some(winner), _) => Text::new("outcome.goal").with("seat", seat_name(winner)),
            (None, Reason::Blocked) => Text::new("outcome.blocked.draw"),
            (None, Reason::Repetition) => Text::new("outcome.repetition.draw"),
            (None, Reason::Goal | Reason::Limit) => Text::new("outcome.limit.draw"),
        };
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text,
            returns: outcome.returns(self.seats()),
        })
    }
}
