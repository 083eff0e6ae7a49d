//! Positions as text (rules 6), and the positions that are impossible (rules 7).

use tavola_core::{PositionError, Text};

use crate::state::State;

/// Return the text of a position.
pub(crate) fn format_position(state: &State) -> String {
    let letter = |square: u8| match state.marks.map(|marks| marks >> square & 1 == 1) {
        [true, _] => 'x',
        [_, true] => 'o',
        _ => '.',
    };
    let row = |row: u8| (3 * row..3 * row + 3).map(letter).collect::<String>();
    [row(0), row(1), row(2)].join("/")
}

/// Parse the text of a position.
pub(crate) fn parse_position(text: &str) -> Result<State, PositionError> {
    let mut faults = PositionError::default();
    let rows: Vec<&[u8]> = text.split('/').map(str::as_bytes).collect();
    if rows.len() != 3 || rows.iter().any(|row| row.len() != 3) {
        faults.add("field.board", Text::new("fault.rows"));
        return Err(faults);
    }
    let mut state = State { marks: [0, 0] };
    for (square, letter) in rows.concat().into_iter().enumerate() {
        match letter {
            b'x' => state.marks[0] |= 1 << square,
            b'o' => state.marks[1] |= 1 << square,
            b'.' => {}
            _ => {
                faults.add("field.board", Text::new("fault.square"));
                return Err(faults);
            }
        }
    }
    // rules 7
    let more = state.marks[0].count_ones().checked_sub(state.marks[1].count_ones());
    faults.add_if(!matches!(more, Some(0 | 1)), "field.marks", Text::new("fault.marks"));
    faults.add_if(state.has_line(state.seat()), "field.lines", Text::new("fault.lines"));
    faults.judge(Some(state))
}
