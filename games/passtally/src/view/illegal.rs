//! Why an action is illegal, with the clause to read.

use tavola_core::{Refusal, SmolStr, Text, ToSmolStr, format_smolstr};

use super::board::{direction_of, pile_cell};
use crate::actions::{Action, ActionKind, PILES, PileIndex};
use crate::cells::{self, Cell};
use crate::rim::{self, RimPosition};
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{NAMES, Placement, TileType};

fn illegal(key: &'static str, clause: u32) -> Refusal {
    illegal_text(Text::new(key), clause)
}

fn illegal_text(text: Text, clause: u32) -> Refusal {
    Refusal { text, clause: clause.to_smolstr() }
}

/// "Pile 2 shows a red SS tile, not a blue SL tile".
fn illegal_type(pile: PileIndex, face: TileType, wanted: TileType) -> Refusal {
    let name = |tile_type: TileType| Text::new(format_smolstr!("type.{}", NAMES[tile_type as usize]));
    let text = Text::new("illegal.type").with("pile", i64::from(pile) + 1);
    illegal_text(text.with("face", name(face)).with("wanted", name(wanted)), 10)
}

/// Why a tile cannot be placed on two cells of these heights; `None` if they are equal.
pub(crate) fn heights_text([one, other]: [u8; 2]) -> Option<Text> {
    (one != other).then(|| Text::new("illegal.heights").with("one", i64::from(one)).with("other", i64::from(other)))
}

/// The rotations of the selected tile, in degrees.
const ROTATIONS: [u16; 4] = [0, 90, 180, 270];

impl Passtally {
    /// Return why an action is illegal, or `None` if it is legal.
    pub(crate) fn why_illegal(&self, state: &State, action: Action) -> Option<Refusal> {
        if let Some(reason) = Self::why_no_action(state) {
            let drawn = matches!(action.kind(), ActionKind::Reveal(pile, tile_type)
                if state.due == Some(pile) && state.unseen[tile_type as usize] > 0);
            return (!drawn).then_some(reason);
        }
        let setting_up = matches!(state.stage, Stage::SetUp { .. });
        match action.kind() {
            ActionKind::PlaceMarker(position) if setting_up => self.why_no_marker(state, position),
            ActionKind::PlaceMarker(_) => Some(illegal("illegal.select-first", 9)),
            ActionKind::Reveal(..) => Some(illegal("illegal.select-first", 10)),
            _ if setting_up => Some(illegal("illegal.set-up", 8)),
            ActionKind::PlaceTile(pile, placement) => match state.piles[pile as usize].face {
                None => Some(illegal("illegal.pile-empty", 10)),
                Some(tile_type) if tile_type != placement.tile_type => {
                    Some(illegal_type(pile, tile_type, placement.tile_type))
                }
                Some(_) => Self::why_no_tile(state, placement),
            },
            ActionKind::MoveMarker(from, to) => Self::why_no_move(state, from, to),
        }
    }

    /// Return why no seat can act now.
    fn why_no_action(state: &State) -> Option<Refusal> {
        if state.is_over() {
            return Some(illegal("illegal.over", 17));
        }
        state.due.map(|_| illegal("illegal.reveal", 10))
    }

    fn why_no_marker(&self, state: &State, position: RimPosition) -> Option<Refusal> {
        if state.taken() >> position & 1 == 1 {
            return Some(illegal("illegal.taken", 8));
        }
        let free = self.set_up_positions(state);
        if free >> position & 1 == 1 {
            return None;
        }
        let side = rim::side_of(free.trailing_zeros() as RimPosition);
        let sides = rim::each(free).map(rim::side_of);
        if sides.into_iter().all(|other| other == side) {
            let name = Text::new(format_smolstr!("side.{}", cells::SIDES[side as usize]));
            return Some(illegal_text(Text::new("illegal.set-up.side").with("side", name), 8));
        }
        Some(illegal("illegal.set-up.sides", 8))
    }

    fn why_no_tile(state: &State, placement: Placement) -> Option<Refusal> {
        if state.board.open() >> placement.pair & 1 == 1 {
            return None;
        }
        let [first, second] = placement.cells();
        let heights = [first, second].map(|cell| state.board.top(cell).height());
        Some(illegal_text(heights_text(heights).unwrap_or_else(|| Text::new("illegal.exactly-one-tile")), 10))
    }

    fn why_no_move(state: &State, from: RimPosition, to: RimPosition) -> Option<Refusal> {
        if state.markers[state.seat as usize] >> from & 1 == 0 {
            return Some(illegal("illegal.not-yours", 11));
        }
        if state.taken() >> to & 1 == 1 {
            return Some(illegal("illegal.taken", 11));
        }
        let reached = rim::reach(from, state.taken()) >> to & 1 == 1;
        (!reached).then(|| illegal("illegal.too-far", 11))
    }

    /// Return why no legal action begins with these touches, or `None` if one does.
    pub(crate) fn why_touch_illegal(&self, state: &State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        if let Some(reason) = Self::why_no_action(state) {
            return Some(reason);
        }
        if let Stage::SetUp { .. } = state.stage {
            return match touched {
                [] => None,
                [position] => match rim::parse(position) {
                    Some(position) => self.why_no_marker(state, position),
                    None => Some(illegal("illegal.set-up", 8)),
                },
                _ => Some(illegal("illegal.target", 8)),
            };
        }
        let own = |position: RimPosition| state.markers[state.seat as usize] >> position & 1 == 1;
        let pile = |name: &SmolStr| (0..PILES).find(|&pile| pile_cell(pile) == *name);
        match touched {
            [] => None,
            [one] => match (pile(one), rim::parse(one)) {
                (Some(pile), _) => state.piles[pile as usize].face.is_none().then(|| illegal("illegal.pile-empty", 10)),
                (_, Some(position)) if own(position) => None,
                (_, Some(position)) if state.taken() >> position & 1 == 1 => Some(illegal("illegal.not-yours", 11)),
                _ => Some(illegal("illegal.select-first", 9)),
            },
            [one, other] => match (pile(one), cells::parse(other), rim::parse(one), rim::parse(other)) {
                (Some(pile), Some(cell), ..) => Self::why_not_on_cell(state, pile, cell, turn),
                (_, _, Some(from), Some(to)) => Self::why_no_move(state, from, to),
                (_, _, Some(_), None) => Some(illegal("illegal.too-far", 11)),
                _ => Some(illegal("illegal.target", 10)),
            },
            _ => Some(illegal("illegal.target", 9)),
        }
    }

    /// Return why the face-up tile of a pile cannot go with its first half on a cell, in one rotation or in any.
    fn why_not_on_cell(state: &State, pile: PileIndex, first: Cell, turn: Option<u16>) -> Option<Refusal> {
        let Some(tile_type) = state.piles[pile as usize].face else { return Some(illegal("illegal.pile-empty", 10)) };
        if let Some(turn) = turn {
            return if ROTATIONS.contains(&turn) {
                Self::why_not_rotated(state, tile_type, first, turn)
            } else {
                Some(illegal("illegal.target", 10))
            };
        }
        let mut reasons = ROTATIONS.map(|turn| Self::why_not_rotated(state, tile_type, first, turn)).into_iter();
        // If no rotation fits, the reason of the first one stands for all.
        let first_reason = reasons.next()?;
        reasons.all(|reason| reason.is_some()).then_some(first_reason)?
    }

    fn why_not_rotated(state: &State, tile_type: TileType, first: Cell, turn: u16) -> Option<Refusal> {
        let direction = direction_of(turn);
        if cells::neighbour(first, direction).is_none() {
            return Some(illegal("illegal.over-edge", 10));
        }
        match Placement::new(tile_type, first, direction) {
            Some(placement) => Self::why_no_tile(state, placement),
            None => Some(illegal("illegal.same-rotation", 21)),
        }
    }
}
