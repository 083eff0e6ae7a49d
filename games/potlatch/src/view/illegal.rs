//! Why an action is illegal, with the clause to read.

use tavola_core::{Refusal, SmolStr, Text, ToSmolStr};

use crate::actions::{Action, ActionKind};
use crate::hex::DIRECTIONS;
use crate::rules::Potlatch;
use crate::stacks::BLANK;
use crate::state::State;

fn illegal(key: &'static str, clause: u32) -> Refusal {
    Refusal { text: Text::new(key), clause: clause.to_smolstr() }
}

impl Potlatch {
    /// Return why an action is illegal, or `None` if it is legal.
    pub(crate) fn why_illegal(&self, state: &State, action: Action) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(illegal("illegal.over", 10));
        }
        if state.legal >> action.index() & 1 == 1 {
            return None;
        }
        let pawn = state.pawn();
        let tile = state.beside(pawn, action.direction());
        let refusal = match action.kind() {
            _ if tile == BLANK && !self.tile_left(state) => illegal("illegal.no-tile", 7),
            ActionKind::PawnMove if tile == state.pawns[1 - state.seat() as usize] => illegal("illegal.occupied", 7),
            ActionKind::PawnMove if state.visited.contains(tile) => illegal("illegal.visited", 7),
            ActionKind::PawnMove => {
                let height = if tile == BLANK { 0 } else { state.stacks.height(tile) };
                let difference = height.abs_diff(state.stacks.height(pawn));
                Refusal { text: Text::new("illegal.steep").with("n", i64::from(difference)), clause: "7".into() }
            }
            ActionKind::ChipMove if state.increased().code(pawn) == 0 => illegal("illegal.no-chip", 8),
            ActionKind::ChipMove => illegal("illegal.full", 8),
        };
        Some(refusal)
    }

    /// Return why no legal action begins with these touches, or `None` if one does.
    pub(crate) fn why_touch_illegal(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(illegal("illegal.over", 10));
        }
        if self.action_views(state).iter().any(|action| action.begins_with(touched, None)) {
            return None;
        }
        let pawn = state.pawn();
        let own = state.places[pawn as usize];
        let (kind, target) = match touched {
            [cell] if *cell == own.to_smolstr() => {
                // No chip move at all: either no chip to move, or no hex has room.
                let chip = state.increased().code(pawn) > 0;
                return Some(if chip { illegal("illegal.full", 8) } else { illegal("illegal.no-chip", 8) });
            }
            [cell] => (ActionKind::PawnMove, cell),
            [first, cell] if *first == own.to_smolstr() => (ActionKind::ChipMove, cell),
            _ => return Some(illegal("illegal.too-far", 7)),
        };
        let direction = (0..DIRECTIONS.len()).find(|&direction| own.step(direction).to_smolstr() == *target);
        match direction {
            Some(direction) => self.why_illegal(state, Action::new(kind, direction)),
            None if *target == own.to_smolstr() => Some(illegal("illegal.own-hex", 8)),
            None => Some(illegal("illegal.too-far", if kind == ActionKind::PawnMove { 7 } else { 8 })),
        }
    }
}
