//! Why something cannot be done, with the clause to read.

use tavola_core::{Refusal, SmolStr, Text, ToSmolStr, format_smolstr};

use crate::actions::{Action, Deed, PILES, Pile};
use crate::cells::{self, Cell};
use crate::drawing::{direction_of, pile_cell};
use crate::ring::{self, Place};
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{Laid, NAMES, Type};

fn refuse(key: &'static str, clause: u32) -> Refusal {
    because(Text::new(key), clause)
}

fn because(text: Text, clause: u32) -> Refusal {
    Refusal { text, clause: clause.to_smolstr() }
}

/// "Pile 2 shows a red SS tile, not a blue SL tile".
fn refuse_type(pile: Pile, face: Type, wanted: Type) -> Refusal {
    let name = |kind: Type| Text::new(format_smolstr!("type.{}", NAMES[kind as usize]));
    let text = Text::new("refuse.type").with("pile", i64::from(pile) + 1);
    because(text.with("face", name(face)).with("wanted", name(wanted)), 10)
}

/// The ways in which the piece in hand can be turned.
const TURNS: [u16; 4] = [0, 90, 180, 270];

impl Passtally {
    /// Why an action is not legal; `None` if it is.
    pub(crate) fn refuse(&self, state: &State, action: Action) -> Option<Refusal> {
        if let Some(refusal) = Self::refuse_all(state) {
            let drawn = matches!(action.deed(), Deed::Draw(pile, kind)
                if state.due == Some(pile) && state.unseen[kind as usize] > 0);
            return (!drawn).then_some(refusal);
        }
        let setting_up = matches!(state.stage, Stage::SetUp { .. });
        match action.deed() {
            Deed::Set(place) if setting_up => self.refuse_set(state, place),
            Deed::Set(_) => Some(refuse("refuse.first", 9)),
            Deed::Draw(..) => Some(refuse("refuse.first", 10)),
            _ if setting_up => Some(refuse("refuse.set-up", 8)),
            Deed::Tile(pile, laid) => match state.piles[pile as usize].face {
                None => Some(refuse("refuse.empty", 10)),
                Some(kind) if kind != laid.kind => Some(refuse_type(pile, kind, laid.kind)),
                Some(_) => Self::refuse_tile(state, laid),
            },
            Deed::Marker(from, to) => Self::refuse_marker(state, from, to),
        }
    }

    /// Why no seat can do anything.
    fn refuse_all(state: &State) -> Option<Refusal> {
        if state.is_over() {
            return Some(refuse("refuse.over", 17));
        }
        state.due.map(|_| refuse("refuse.draw", 10))
    }

    fn refuse_set(&self, state: &State, place: Place) -> Option<Refusal> {
        if state.taken() >> place & 1 == 1 {
            return Some(because(Text::new("refuse.set.taken").with("cell", ring::name(place)), 8));
        }
        let free = self.set_places(state);
        if free >> place & 1 == 1 {
            return None;
        }
        let side = ring::side_of(free.trailing_zeros() as Place);
        let sides = ring::each(free).map(ring::side_of);
        if sides.into_iter().all(|other| other == side) {
            let name = Text::new(format_smolstr!("side.{}", cells::SIDES[side as usize]));
            return Some(because(Text::new("refuse.set.side").with("side", name), 8));
        }
        Some(refuse("refuse.set.sides", 8))
    }

    fn refuse_tile(state: &State, laid: Laid) -> Option<Refusal> {
        if state.board.open() >> laid.pair & 1 == 1 {
            return None;
        }
        let [first, second] = laid.cells();
        if state.board.top(first).height() == state.board.top(second).height() {
            return Some(refuse("refuse.exact", 10));
        }
        let text = Text::new("refuse.heights").with("cell", cells::name(first)).with("second", cells::name(second));
        Some(because(text, 10))
    }

    fn refuse_marker(state: &State, from: Place, to: Place) -> Option<Refusal> {
        if state.markers[state.seat as usize] >> from & 1 == 0 {
            return Some(refuse("refuse.own", 11));
        }
        if state.taken() >> to & 1 == 1 {
            return Some(refuse("refuse.marker.taken", 11));
        }
        let reached = ring::reach(from, state.taken()) >> to & 1 == 1;
        (!reached).then(|| refuse("refuse.far", 11))
    }

    /// Why nothing can be done by touching these cells; `None` if some legal action begins with them.
    pub(crate) fn refuse_touch(&self, state: &State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        if let Some(refusal) = Self::refuse_all(state) {
            return Some(refusal);
        }
        if let Stage::SetUp { .. } = state.stage {
            return match touched {
                [] => None,
                [place] => match ring::parse(place) {
                    Some(place) => self.refuse_set(state, place),
                    None => Some(refuse("refuse.set-up", 8)),
                },
                _ => Some(refuse("refuse.bad", 8)),
            };
        }
        let own = |place: Place| state.markers[state.seat as usize] >> place & 1 == 1;
        let pile = |name: &SmolStr| (0..PILES).find(|&pile| pile_cell(pile) == *name);
        match touched {
            [] => None,
            [one] => match (pile(one), ring::parse(one)) {
                (Some(pile), _) => state.piles[pile as usize].face.is_none().then(|| refuse("refuse.empty", 10)),
                (_, Some(place)) if own(place) => None,
                (_, Some(place)) if state.taken() >> place & 1 == 1 => Some(refuse("refuse.own", 11)),
                _ => Some(refuse("refuse.first", 9)),
            },
            [one, other] => match (pile(one), cells::parse(other), ring::parse(one), ring::parse(other)) {
                (Some(pile), Some(cell), ..) => Self::refuse_lying(state, pile, cell, turn),
                (_, _, Some(from), Some(to)) => Self::refuse_marker(state, from, to),
                (_, _, Some(_), None) => Some(refuse("refuse.far", 11)),
                _ => Some(refuse("refuse.bad", 10)),
            },
            _ => Some(refuse("refuse.bad", 9)),
        }
    }

    /// Why the face-up tile of a pile cannot lie with its first half on a cell, so turned or at all.
    fn refuse_lying(state: &State, pile: Pile, first: Cell, turn: Option<u16>) -> Option<Refusal> {
        let Some(kind) = state.piles[pile as usize].face else { return Some(refuse("refuse.empty", 10)) };
        if let Some(turn) = turn {
            return if TURNS.contains(&turn) {
                Self::refuse_turned(state, kind, first, turn)
            } else {
                Some(refuse("refuse.bad", 10))
            };
        }
        let mut refusals = TURNS.map(|turn| Self::refuse_turned(state, kind, first, turn)).into_iter();
        // What is said of the first turn stands for all.
        let said = refusals.next()?;
        refusals.all(|refusal| refusal.is_some()).then_some(said)?
    }

    fn refuse_turned(state: &State, kind: Type, first: Cell, turn: u16) -> Option<Refusal> {
        let direction = direction_of(turn);
        if cells::neighbour(first, direction).is_none() {
            return Some(refuse("refuse.rim", 10));
        }
        match Laid::new(kind, first, direction) {
            Some(laid) => Self::refuse_tile(state, laid),
            None => Some(refuse("refuse.same", 21)),
        }
    }
}
