//! Lines between markers as the view draws them, and their score.

use tavola_core::view::{Count, Curve};
use tavola_core::{Seat, Text, format_smolstr};

use super::board::{centre, offset, rim_point};
use super::labels::seat_name;
use crate::lines::{self, TracedLine};
use crate::points;
use crate::rim::{self, RimPosition};
use crate::state::State;

/// The score of a seat's lines: the text `PREFIX.score`, or `PREFIX.none` without a line.
pub(crate) fn score_text(prefix: &str, state: &State, seat: Seat) -> Text {
    let own = state.markers[seat as usize];
    if lines::joining(&state.board, own).next().is_none() {
        return Text::new(format_smolstr!("{prefix}.none")).with("seat", seat_name(seat));
    }
    let passes = state.board.passes(own);
    Text::new(format_smolstr!("{prefix}.score"))
        .with("seat", seat_name(seat))
        .with("n", i64::from(passes))
        .with("points", i64::from(points::points(passes)))
}

/// The lines that join two markers of a seat.
pub(crate) fn all_lines(state: &State) -> Vec<Curve> {
    lines::all_joining(&state.board, &state.markers).map(|(seat, from, run)| line(state, seat, from, run)).collect()
}

/// A seat's line as drawn, with the number of passes at each tile.
pub(crate) fn line(state: &State, seat: Seat, from: RimPosition, run: TracedLine) -> Curve {
    let (mut path, mut counts, mut passes) = (vec![rim_point(from)], Vec::new(), 0);
    let edge = |cell, side| offset(centre(cell), side, 0.5);
    let (first, side) = (rim::adjacent_cell(from), rim::side_of(from));
    path.extend([edge(first, side); 2]);
    let mut end = edge(first, side);
    lines::follow(&state.board, from, |cell, _, out, added| {
        end = edge(cell, out);
        path.extend([centre(cell), end]);
        passes += added;
        if added > 0 {
            counts.push(Count { at: centre(cell), n: passes.into() });
        }
    });
    path.extend([end, rim_point(run.end)]);
    let (from, to) = (rim::name(from), rim::name(run.end));
    let label = line_text("line.label", seat, &from, &to, run.passes);
    Curve { id: format_smolstr!("{from}-{to}"), owner: Some(seat), label, path, counts }
}

pub(crate) fn line_text(key: &'static str, seat: Seat, from: &str, to: &str, passes: u32) -> Text {
    Text::new(key).with("seat", seat_name(seat)).with("from", from).with("cell", to).with("n", i64::from(passes))
}
