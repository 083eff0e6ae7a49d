//! Why something cannot be done, with the clause to read.

use tavola_core::{Refusal, SmolStr, Text, ToSmolStr, format_smolstr};

use super::board::{direction_of, pile_cell};
use crate::actions::{Action, ActionKind, PILES, PileIndex};
use crate::cells::{self, Cell};
use crate::rim::{self, RimPosition};
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{NAMES, Placement, TileType};

fn refuse(key: &'static str, clause: u32) -> Refusal {
    because(Text::new(key), clause)
}

fn because(text: Text, clause: u32) -> Refusal {
    Refusal { text, clause: clause.to_smolstr() }
}

/// "Pile 2 shows a red SS tile, not a blue SL tile".
fn refuse_type(pile: PileIndex, face: TileType, wanted: TileType) -> Refusal {
    let name = |tile_type: TileType| Text::new(format_smolstr!("type.{}", NAMES[tile_type as usize]));
    let text = Text::new("illegal.type").with("pile", i64::from(pile) + 1);
    because(text.with("face", name(face)).with("wanted", name(wanted)), 10)
}

/// The ways in which the piece in hand can be turned.
const TURNS: [u16; 4] = [0, 90, 180, 270];

impl Passtally {
    /// Why an action is not legal; `None` if it is.
    pub(crate) fn refuse(&self, state: &State, action: Action) -> Option<Refusal> {
        if let Some(refusal) = Self::refuse_all(state) {
            let drawn = matches!(action.kind(), ActionKind::Reveal(pile, tile_type)
                if state.due == Some(pile) && state.unseen[tile_type as usize] > 0);
            return (!drawn).then_some(refusal);
        }
        let setting_up = matches!(state.stage, Stage::SetUp { .. });
        match action.kind() {
            ActionKind::PlaceMarker(place) if setting_up => self.refuse_set(state, place),
            ActionKind::PlaceMarker(_) => Some(refuse("illegal.select-first", 9)),
            ActionKind::Reveal(..) => Some(refuse("illegal.select-first", 10)),
            _ if setting_up => Some(refuse("illegal.set-up", 8)),
            ActionKind::PlaceTile(pile, placement) => match state.piles[pile as usize].face {
                None => Some(refuse("illegal.pile-empty", 10)),
                Some(tile_type) if tile_type != placement.tile_type => {
                    Some(refuse_type(pile, tile_type, placement.tile_type))
                }
                Some(_) => Self::refuse_tile(state, placement),
            },
            ActionKind::MoveMarker(from, to) => Self::refuse_marker(state, from, to),
        }
    }

    /// Why no seat can do anything.
    fn refuse_all(state: &State) -> Option<Refusal> {
        if state.is_over() {
            return Some(refuse("illegal.over", 17));
        }
        state.due.map(|_| refuse("illegal.reveal", 10))
    }

    fn refuse_set(&self, state: &State, place: RimPosition) -> Option<Refusal> {
        if state.taken() >> place & 1 == 1 {
            return Some(because(Text::new("illegal.set-up.taken").with("cell", rim::name(place)), 8));
        }
        let free = self.set_up_positions(state);
        if free >> place & 1 == 1 {
            return None;
        }
        let side = rim::side_of(free.trailing_zeros() as RimPosition);
        let sides = rim::each(free).map(rim::side_of);
        if sides.into_iter().all(|other| other == side) {
            let name = Text::new(format_smolstr!("side.{}", cells::SIDES[side as usize]));
            return Some(because(Text::new("illegal.set-up.side").with("side", name), 8));
        }
        Some(refuse("illegal.set-up.sides", 8))
    }

    fn refuse_tile(state: &State, placement: Placement) -> Option<Refusal> {
        if state.board.open() >> placement.pair & 1 == 1 {
            return None;
        }
        let [first, second] = placement.cells();
        if state.board.top(first).height() == state.board.top(second).height() {
            return Some(refuse("illegal.exactly-one-tile", 10));
        }
        let text = Text::new("illegal.heights").with("cell", cells::name(first)).with("second", cells::name(second));
        Some(because(text, 10))
    }

    fn refuse_marker(state: &State, from: RimPosition, to: RimPosition) -> Option<Refusal> {
        if state.markers[state.seat as usize] >> from & 1 == 0 {
            return Some(refuse("illegal.not-yours", 11));
        }
        if state.taken() >> to & 1 == 1 {
            return Some(refuse("illegal.taken", 11));
        }
        let reached = rim::reach(from, state.taken()) >> to & 1 == 1;
        (!reached).then(|| refuse("illegal.too-far", 11))
    }

    /// Why nothing can be done by touching these cells; `None` if some legal action begins with them.
    pub(crate) fn refuse_touch(&self, state: &State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        if let Some(refusal) = Self::refuse_all(state) {
            return Some(refusal);
        }
        if let Stage::SetUp { .. } = state.stage {
            return match touched {
                [] => None,
                [place] => match rim::parse(place) {
                    Some(place) => self.refuse_set(state, place),
                    None => Some(refuse("illegal.set-up", 8)),
                },
                _ => Some(refuse("illegal.target", 8)),
            };
        }
        let own = |place: RimPosition| state.markers[state.seat as usize] >> place & 1 == 1;
        let pile = |name: &SmolStr| (0..PILES).find(|&pile| pile_cell(pile) == *name);
        match touched {
            [] => None,
            [one] => match (pile(one), rim::parse(one)) {
                (Some(pile), _) => state.piles[pile as usize].face.is_none().then(|| refuse("illegal.pile-empty", 10)),
                (_, Some(place)) if own(place) => None,
                (_, Some(place)) if state.taken() >> place & 1 == 1 => Some(refuse("illegal.not-yours", 11)),
                _ => Some(refuse("illegal.select-first", 9)),
            },
            [one, other] => match (pile(one), cells::parse(other), rim::parse(one), rim::parse(other)) {
                (Some(pile), Some(cell), ..) => Self::refuse_lying(state, pile, cell, turn),
                (_, _, Some(from), Some(to)) => Self::refuse_marker(state, from, to),
                (_, _, Some(_), None) => Some(refuse("illegal.too-far", 11)),
                _ => Some(refuse("illegal.target", 10)),
            },
            _ => Some(refuse("illegal.target", 9)),
        }
    }

    /// Why the face-up tile of a pile cannot lie with its first half on a cell, so turned or at all.
    fn refuse_lying(state: &State, pile: PileIndex, first: Cell, turn: Option<u16>) -> Option<Refusal> {
        let Some(tile_type) = state.piles[pile as usize].face else { return Some(refuse("illegal.pile-empty", 10)) };
        if let Some(turn) = turn {
            return if TURNS.contains(&turn) {
                Self::refuse_turned(state, tile_type, first, turn)
            } else {
                Some(refuse("illegal.target", 10))
            };
        }
        let mut refusals = TURNS.map(|turn| Self::refuse_turned(state, tile_type, first, turn)).into_iter();
        // What is said of the first turn stands for all.
        let said = refusals.next()?;
        refusals.all(|refusal| refusal.is_some()).then_some(said)?
    }

    fn refuse_turned(state: &State, tile_type: TileType, first: Cell, turn: u16) -> Option<Refusal> {
        let direction = direction_of(turn);
        if cells::neighbour(first, direction).is_none() {
            return Some(refuse("illegal.over-edge", 10));
        }
        match Placement::new(tile_type, first, direction) {
            Some(placement) => Self::refuse_tile(state, placement),
            None => Some(refuse("illegal.same-rotation", 21)),
        }
    }
}
