//! The movement phase while a colour has no face-up tile: only under `literal` (rules 11, 12).

use tavola_core::Seat;

use crate::actions::ActionKind;
use crate::pieces::{BLUE, RED};
use crate::preset::Preset;
use crate::rules::Proteus;
use crate::state::{Board, State};

impl Proteus {
    /// Whether a colour may be missing, and is.
    #[inline]
    pub(crate) fn lacks_colour(&self, board: &Board) -> bool {
        self.preset == Preset::Literal && board.ups().count_ones() < 3
    }

    /// The legal actions of a seat in the movement phase: those that turn a missing colour up, else all, else a pass.
    #[cold]
    pub(crate) fn actions_while_missing(&self, board: &Board, seat: Seat) -> Vec<ActionKind> {
        let all: Vec<_> = self.kinds(board, seat).collect();
        let turning: Vec<_> = all.iter().copied().filter(|&kind| Self::turns_colour_up(board, kind)).collect();
        match (turning.is_empty(), all.is_empty()) {
            (false, _) => turning,
            (true, false) => all,
            (true, true) => vec![ActionKind::Pass],
        }
    }

    /// Names the effect of a missing colour on the seat to act, as the key of a text, and its clause; `None` without.
    pub(crate) fn effect_of_missing(&self, state: &State) -> Option<(&'static str, u32)> {
        let board = &state.board;
        if !self.lacks_colour(board) {
            return None;
        }
        match self.actions_while_missing(board, state.seat)[0] {
            ActionKind::Pass => Some(("pass", 12)),
            kind if Self::turns_colour_up(board, kind) => Some(("due", 12)),
            _ if board.up(RED).is_none() => Some(("red", 11)),
            _ if board.up(BLUE).is_none() => Some(("blue", 11)),
            _ => None,
        }
    }

    /// Whether more colours have a face-up tile after an action.
    fn turns_colour_up(board: &Board, kind: ActionKind) -> bool {
        Self::board_after(board, kind).ups().count_ones() > board.ups().count_ones()
    }
}
