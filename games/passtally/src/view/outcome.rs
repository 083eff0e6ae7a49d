//! Why the round is the last, and how the game ended.

use tavola_core::view::Decisive;
use tavola_core::{Outcome, Seat, Text, format_smolstr};

use super::labels::seat_name;
use super::lines::all_lines;
use crate::rules::GOAL;
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

/// Why the game ended, and whether turn order decided it (rules 17 to 19).
pub(super) fn text(state: &State, outcome: &Outcome, winner: Seat) -> Text {
    let most = state.points[usize::from(winner)];
    let tie = state.points.iter().filter(|&&points| points == most).count() > 1;
    let key = format_smolstr!("outcome.{}{}", outcome.reason, if tie { ".tie" } else { "" });
    Text::new(key).with("seat", seat_name(winner))
}

/// The lines of the winner that score (rules 14, 15).
pub(super) fn decisive(state: &State, winner: Seat) -> Decisive {
    let scores = all_lines(state).into_iter().filter(|line| line.owner == Some(winner) && !line.counts.is_empty());
    Decisive { cells: Vec::new(), lines: scores.map(|line| line.id).collect() }
}
