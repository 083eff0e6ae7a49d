//! How the game ended, for screens.

use tavola_core::view::Decisive;
use tavola_core::{Game, Outcome, Text, ToSmolStr, format_smolstr};

use super::labels::seat_name;
use crate::rules::Potlatch;
use crate::state::{Reason, State};

/// Why the game ended (rules 10, 11).
pub(super) fn text(outcome: &Outcome) -> Text {
    let key = format_smolstr!("outcome.{}", outcome.reason);
    match outcome.winners.iter().next() {
        Some(winner) => Text::new(key).with("seat", seat_name(winner)),
        None => Text::new(format_smolstr!("{key}.draw")),
    }
}

impl Potlatch {
    /// The winner's stacks (rules 10), or the tile of the pawn that cannot move (rules 11).
    pub(super) fn decisive_tiles(&self, state: &State, outcome: &Outcome) -> Decisive {
        let own = |seat| state.stacks.of_seat(seat);
        let decides = |&&tile: &&u8| match state.end {
            Some(end) if end.reason == Reason::Blocked => tile == state.pawn(),
            _ => (0..self.seats() as u8).any(|seat| outcome.winners.contains(seat) && own(seat).contains(tile)),
        };
        let place = |&tile: &u8| state.places[usize::from(tile)].to_smolstr();
        Decisive::cells(state.order().iter().filter(decides).map(place))
    }
}
