//! Why something cannot be done, with the clause to read.

use tavola_core::{Refusal, SmolStr, Text, ToSmolStr, format_smolstr};

use crate::actions::{Action, Deed};
use crate::board::{self, Cell, each};
use crate::drawing::{counter_label, hand_cell, pool_cell};
use crate::pieces::{COLOURS, SHAPES, Shape, TILES, Tile, Trade, colour_of, shape_of};
use crate::rules::Proteus;
use crate::state::{NONE, State};

fn refuse(key: &'static str, clause: u32) -> Refusal {
    Refusal { text: Text::new(key), clause: clause.to_smolstr() }
}

impl Proteus {
    /// Why an action is not legal; `None` if it is.
    pub(crate) fn refuse(&self, state: &State, action: Action) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("refuse.over", 13));
        }
        let moving = state.count.is_some();
        match action.deed() {
            Deed::Tile(..) | Deed::Counter(..) if moving => Some(refuse("refuse.placed", 11)),
            Deed::Move(..) | Deed::Trade(..) if !moving => Some(refuse("refuse.phase", 6)),
            Deed::Tile(tile, cell) => self.refuse_tile(state, tile, cell),
            Deed::Counter(shape, cell) => self.refuse_counter(state, shape, cell),
            Deed::Move(from, to) => Self::refuse_move(state, from, to),
            Deed::Trade(one, other) => self.refuse_trade(state, one, other),
            Deed::Pass => {
                let may = !moving && state.board.pool() == 0 && !state.board.has_hand(state.seat);
                (!may).then(|| refuse("refuse.pass", if moving { 12 } else { 7 }))
            }
        }
    }

    fn refuse_tile(&self, state: &State, tile: Tile, cell: Cell) -> Option<Refusal> {
        if state.board.cell_of(tile).is_some() {
            return Some(refuse("refuse.placed", 5));
        }
        if state.board.tile(cell).is_some() {
            return Some(refuse("refuse.taken", 5));
        }
        self.must_match(state).then(|| refuse("refuse.due", 10))
    }

    /// Whether the seat must choose a match that turns up a missing colour (rules 10).
    fn must_match(&self, state: &State) -> bool {
        state.count.is_none() && self.due_tiles(state, self.open_tiles(state)) != 0
    }

    fn refuse_counter(&self, state: &State, shape: Shape, cell: Cell) -> Option<Refusal> {
        let board = &state.board;
        if board.counter_cell(3 * state.seat + shape) != NONE {
            return Some(refuse("refuse.placed", 5));
        }
        let Some(tile) = board.tile(cell) else { return Some(refuse("refuse.no-tile", 5)) };
        if board.counter(cell).is_some() {
            return Some(refuse("refuse.counter", 5));
        }
        let Some(after) = board.rest().after(shape, tile, self.kadon) else { return Some(refuse("refuse.match", 9)) };
        if !after.can_be_completed(self.kadon) {
            return Some(self.refuse_completion(state, after.need));
        }
        (after.need == board.rest().need && self.must_match(state)).then(|| refuse("refuse.due", 10))
    }

    /// What must still be kept possible: named if that is a single match.
    fn refuse_completion(&self, state: &State, need: u8) -> Refusal {
        let text = match self.last_match(state, need) {
            Some(tile) => Self::with_match(Text::new("refuse.completion"), tile),
            None => Text::new("refuse.completion.any"),
        };
        Refusal { text, clause: "10".into() }
    }

    /// The one match that can still turn up all that is needed: of a single colour, and no other is left for it.
    fn last_match(&self, state: &State, need: u8) -> Option<Tile> {
        let rest = state.board.rest();
        let mut left = (0..TILES)
            .filter(|tile| need >> colour_of(*tile) & 1 == 1 && rest.free >> tile & 1 == 1)
            .filter(|&tile| rest.hand[shape_of(tile) as usize] > 0);
        let only = left.next().filter(|_| left.next().is_none())?;
        (need.is_power_of_two() && !self.kadon).then_some(only)
    }

    fn with_match(text: Text, tile: Tile) -> Text {
        text.with("shape", Text::new(format_smolstr!("shape.{}", SHAPES[shape_of(tile) as usize])))
            .with("colour", Text::new(format_smolstr!("colour.{}", COLOURS[colour_of(tile) as usize])))
    }

    /// What the placement asks for, and why some free tile is closed to a counter of the seat to act (rules 10).
    pub(crate) fn with_reason(&self, state: &State, asked: Text) -> Text {
        let (board, rest) = (&state.board, state.board.rest());
        let closes = |shape: Shape, cell: Cell| {
            let after = board.tile(cell).and_then(|tile| rest.after(shape, tile, self.kadon));
            after.is_some_and(|after| !after.can_be_completed(self.kadon))
        };
        if self.must_match(state) {
            return Text::new("prompt.due");
        }
        let in_hand = (0..3).filter(|shape| board.counter_cell(3 * state.seat + shape) == NONE);
        let free = board.tiled() & !board.occupied();
        if rest.need == 0 || !in_hand.into_iter().any(|shape| each(free).any(|cell| closes(shape, cell))) {
            return asked;
        }
        let text = match self.last_match(state, rest.need) {
            Some(tile) => Self::with_match(Text::new("prompt.last"), tile),
            None => Text::new("prompt.closed"),
        };
        text.with("prompt", asked)
    }

    fn refuse_move(state: &State, from: Cell, to: Cell) -> Option<Refusal> {
        if state.board.counters_of(state.seat) >> from & 1 == 0 {
            return Some(refuse("refuse.not-yours", 12));
        }
        if state.board.occupied() >> to & 1 == 1 {
            return Some(refuse("refuse.counter", 12));
        }
        let reached = Self::reach(state, from) >> to & 1 == 1;
        let rule = ["refuse.KING", "refuse.ROOK", "refuse.BISHOP"][Self::red(state) as usize];
        (!reached).then(|| refuse(rule, 12))
    }

    fn refuse_trade(&self, state: &State, one: Cell, other: Cell) -> Option<Refusal> {
        let asked = Action::trade(one, other);
        if self.trades(state).iter().any(|&(one, other)| Action::trade(one, other) == asked) {
            return None;
        }
        let rule = match self.trade_rule(&state.board) {
            Trade::Polarity => "refuse.POLARITY",
            Trade::Color => "refuse.COLOR",
            Trade::Shape => "refuse.SHAPE",
        };
        Some(refuse(rule, 12))
    }

    /// Why nothing can be done by touching these cells; `None` if some legal action begins with them.
    pub(crate) fn refuse_touch(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("refuse.over", 13));
        }
        if self.action_views(state).iter().any(|action| action.begins_with(touched, None)) {
            return None;
        }
        let refusal = match touched {
            [cell] => self.refuse_first(state, cell),
            [first, second] => self.refuse_second(state, first, second),
            _ => None,
        };
        Some(refusal.unwrap_or_else(|| refuse(if touched.len() > 1 { "refuse.own" } else { "refuse.first" }, 12)))
    }

    /// Why an action cannot go on from a cell to another.
    fn refuse_second(&self, state: &State, first: &str, second: &str) -> Option<Refusal> {
        let to = board::parse(second)?;
        if state.count.is_some() {
            let from = board::parse(first).filter(|&from| from != to)?;
            let own = state.board.counters_of(state.seat) >> from & 1 == 1;
            return if own { Self::refuse_move(state, from, to) } else { self.refuse_trade(state, from, to) };
        }
        let tile = (0..TILES).find(|&tile| pool_cell(tile) == first);
        let shape = (0..3).find(|&shape| hand_cell(state.seat, shape) == first);
        match (tile, shape) {
            (Some(tile), _) => self.refuse_tile(state, tile, to),
            (_, Some(shape)) => self.refuse_counter(state, shape, to),
            (None, None) => None,
        }
    }

    /// Why an action cannot begin with a cell.
    fn refuse_first(&self, state: &State, name: &str) -> Option<Refusal> {
        if state.count.is_some() {
            let cell = board::parse(name)?;
            let own = state.board.counters_of(state.seat) >> cell & 1 == 1;
            let key = if state.board.occupied() >> cell & 1 == 1 && !own { "refuse.not-yours" } else { "refuse.first" };
            return Some(refuse(key, 12));
        }
        if board::parse(name).is_some() {
            return Some(refuse("refuse.phase", 6));
        }
        let waiting = (0..TILES).any(|tile| state.board.cell_of(tile).is_none() && pool_cell(tile) == name);
        let own = (0..3).find(|&shape| hand_cell(state.seat, shape) == name);
        let other = (0..3).any(|shape| hand_cell(1 - state.seat, shape) == name);
        match own {
            Some(shape) if state.board.counter_cell(3 * state.seat + shape) == NONE => {
                // In hand, but no cell is legal for it.
                let bare = state.board.tiled() & !state.board.occupied() == 0;
                Some(if bare {
                    refuse("refuse.no-tile", 5)
                } else if self.must_match(state) {
                    refuse("refuse.due", 10)
                } else {
                    Refusal {
                        text: Text::new("refuse.nowhere").with("piece", counter_label(state.seat, shape)),
                        clause: "10".into(),
                    }
                })
            }
            Some(_) => Some(refuse("refuse.placed", 5)),
            None if other => Some(refuse("refuse.hand", 5)),
            None if !waiting => Some(refuse("refuse.placed", 5)),
            // A tile in the pool, but a match must be chosen.
            None => Some(refuse("refuse.due", 10)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Draw, Game, Notation, Options};

    use super::*;

    /// The positions of the rule book's clause 10, one with more at stake, and two where nothing is closed.
    #[test]
    fn a_forced_placement_says_why() {
        let asked = Text::new("prompt.place-counter");
        let last = Text::new("prompt.last")
            .with("shape", Text::new("shape.t"))
            .with("colour", Text::new("colour.R"))
            .with("prompt", asked.clone());
        let closed = |asked: &Text| Text::new("prompt.closed").with("prompt", asked.clone());
        let (either, due) = (Text::new("prompt.place"), Text::new("prompt.due"));
        let one_left = "Rc/Rs:Bc/Rt/Bs+:Bs/Bc:Wt/Yt/Yc+:Wc/Ys:Ws/Bt B - -";
        let two_left = "Rc:Wt/Rs:Bc/Rt/Bs+:Bs/Bc/Yt/Yc+:Wc/Ys/Bt W - -";
        for (text, options, expected) in [
            (one_left, "", due.clone()),
            (one_left, "rules_version=1", last.clone()),
            (two_left, "", last),
            ("-/Ys/Rc/Bc:Bt/Bt:Bc/Rt:Wc/Bs+:Ws/-/- B - -", "", closed(&either)),
            ("Rt:Ws/Ys/Bc:Wt/Bs+:Bs/Yt/Bt/-/-/Rs B - -", "", due.clone()),
            ("Rc:Bs/Rs/Rt/Bc/Bs/Bt/Yc/Ys/- W - -", "", due),
            ("Rc/Rs:Bc/Rt/Bs+:Bs/Bc:Wt/Ys/Yc+:Wc/Yt:Ws/Bt B - -", "rules=kadon", closed(&asked)),
            ("Rc+:Bc/Rs/Rt/Bs+:Bs/Bc:Wt/Yt/Yc+:Wc/Ys:Ws/Bt B - -", "", asked),
            ("-/-/-/-/-/-/-/-/- B - -", "", either),
        ] {
            let game = Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"));
            match game.parse_position(text) {
                Ok(state) => assert_eq!(game.view(&state, None).prompt, expected, "{text} {options}"),
                Err(error) => panic!("{text} {options}: {error}"),
            }
        }
    }
}
