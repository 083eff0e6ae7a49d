//! The reason why an action or a selection is illegal, with its clause.

use tavola_core::{Game, Refusal, SmolStr, Text, ToSmolStr, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::board::{self, Cell, each};
use crate::pieces::{BLUE, COLOURS, RED, SHAPES, Shape, TILES, Tile, Trade, colour_of, shape_of};
use crate::preset::Preset;
use crate::rules::Proteus;
use crate::state::{NONE, State};
use crate::view::labels::{counter_label, hand_cell, pool_cell};

fn refuse(key: &'static str, clause: u32) -> Refusal {
    Refusal { text: Text::new(key), clause: clause.to_smolstr() }
}

impl Proteus {
    /// Why an action is not legal; `None` if it is.
    pub(crate) fn why_illegal(&self, state: &State, action: Action) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("illegal.over", 13));
        }
        let moving = state.count.is_some();
        match action.kind() {
            ActionKind::Tile(..) | ActionKind::Counter(..) if moving => Some(refuse("illegal.placed", 11)),
            ActionKind::Move(..) | ActionKind::Trade(..) if !moving => Some(refuse("illegal.phase", 6)),
            ActionKind::Tile(tile, cell) => self.check_tile(state, tile, cell),
            ActionKind::Counter(shape, cell) => self.check_counter(state, shape, cell),
            ActionKind::Move(from, to) => self.check_move(state, from, to),
            ActionKind::Trade(one, other) => self.check_trade(state, one, other),
            ActionKind::Pass => {
                let mut legal = Vec::new();
                self.legal_actions(state, &mut legal);
                (legal != [Action::PASS]).then(|| refuse("illegal.pass", if moving { 12 } else { 7 }))
            }
        }
    }

    fn check_tile(&self, state: &State, tile: Tile, cell: Cell) -> Option<Refusal> {
        if state.board.cell_of(tile).is_some() {
            return Some(refuse("illegal.placed", 5));
        }
        if state.board.tile(cell).is_some() {
            return Some(refuse("illegal.taken", 5));
        }
        self.must_match(state).then(|| refuse("illegal.due", 10))
    }

    /// Whether the seat must choose a match that turns up a missing colour (rules 10).
    fn must_match(&self, state: &State) -> bool {
        state.count.is_none() && self.due_tiles(state, self.open_tiles(state)) != 0
    }

    fn check_counter(&self, state: &State, shape: Shape, cell: Cell) -> Option<Refusal> {
        let board = &state.board;
        if board.counter_cell(3 * state.seat + shape) != NONE {
            return Some(refuse("illegal.placed", 5));
        }
        let Some(tile) = board.tile(cell) else { return Some(refuse("illegal.no-tile", 5)) };
        if board.counter(cell).is_some() {
            return Some(refuse("illegal.counter", 5));
        }
        let Some(after) = board.rest().after(shape, tile, self.preset) else { return Some(refuse("illegal.match", 9)) };
        if !after.can_be_completed(self.preset) {
            return Some(self.check_completion(state, after.need));
        }
        (after.need == board.rest().need && self.must_match(state)).then(|| refuse("illegal.due", 10))
    }

    /// The reason that a completion must stay possible. It names the match if only one is left.
    fn check_completion(&self, state: &State, need: u8) -> Refusal {
        let text = match self.last_match(state, need) {
            Some(tile) => Self::with_match(Text::new("illegal.completion"), tile),
            None => Text::new("illegal.completion.any"),
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
        (need.is_power_of_two() && self.preset != Preset::Kadon).then_some(only)
    }

    fn with_match(text: Text, tile: Tile) -> Text {
        text.with("shape", Text::new(format_smolstr!("shape.{}", SHAPES[shape_of(tile) as usize])))
            .with("colour", Text::new(format_smolstr!("colour.{}", COLOURS[colour_of(tile) as usize])))
    }

    /// The prompt of the placement, with the reason if rule 10 closes a free tile to the seat to act.
    pub(crate) fn with_reason(&self, state: &State, asked: Text) -> Text {
        let (board, rest) = (&state.board, state.board.rest());
        let closes = |shape: Shape, cell: Cell| {
            let after = board.tile(cell).and_then(|tile| rest.after(shape, tile, self.preset));
            after.is_some_and(|after| !after.can_be_completed(self.preset))
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

    fn check_move(&self, state: &State, from: Cell, to: Cell) -> Option<Refusal> {
        if state.board.counters_of(state.seat) >> from & 1 == 0 {
            return Some(refuse("illegal.not-yours", 12));
        }
        if state.board.occupied() >> to & 1 == 1 {
            return Some(refuse("illegal.counter", 12));
        }
        let Some(red) = state.board.up(RED) else { return Some(refuse("illegal.missing.red", 11)) };
        if Self::reach(state, from) >> to & 1 == 0 {
            return Some(refuse(["illegal.KING", "illegal.ROOK", "illegal.BISHOP"][red as usize], 12));
        }
        self.check_turning_up(state, ActionKind::Move(from, to))
    }

    /// Refuses a move or trade that leaves a missing colour face down, if another turns it up (rules 12).
    fn check_turning_up(&self, state: &State, kind: ActionKind) -> Option<Refusal> {
        let due =
            self.lacks_colour(&state.board) && !self.actions_while_missing(&state.board, state.seat).contains(&kind);
        due.then(|| refuse("illegal.missing.due", 12))
    }

    fn check_trade(&self, state: &State, one: Cell, other: Cell) -> Option<Refusal> {
        if state.board.up(BLUE).is_none() {
            return Some(refuse("illegal.missing.blue", 11));
        }
        let asked = Action::trade(one, other);
        let trades = self.trades(state).map(|(one, other)| ActionKind::Trade(one, other));
        if let Some(&trade) = trades.iter().find(|&&trade| Action::of(trade) == asked) {
            return self.check_turning_up(state, trade);
        }
        let rule = match self.trade_rule(&state.board) {
            Trade::Polarity => "illegal.POLARITY",
            Trade::Color => "illegal.COLOR",
            Trade::Shape => "illegal.SHAPE",
        };
        Some(refuse(rule, 12))
    }

    /// Why nothing can be done by touching these cells; `None` if some legal action begins with them.
    pub(crate) fn why_touch_illegal(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("illegal.over", 13));
        }
        if self.action_views(state).iter().any(|action| action.begins_with(touched, None)) {
            return None;
        }
        let refusal = match touched {
            [cell] => self.check_first(state, cell),
            [first, second] => self.check_second(state, first, second),
            _ => None,
        };
        Some(refusal.unwrap_or_else(|| refuse(if touched.len() > 1 { "illegal.own" } else { "illegal.first" }, 12)))
    }

    /// Why an action cannot continue from a cell to another.
    fn check_second(&self, state: &State, first: &str, second: &str) -> Option<Refusal> {
        let to = board::parse(second)?;
        if state.count.is_some() {
            let from = board::parse(first).filter(|&from| from != to)?;
            let own = state.board.counters_of(state.seat) >> from & 1 == 1;
            return if own { self.check_move(state, from, to) } else { self.check_trade(state, from, to) };
        }
        let tile = (0..TILES).find(|&tile| pool_cell(tile) == first);
        let shape = (0..3).find(|&shape| hand_cell(state.seat, shape) == first);
        match (tile, shape) {
            (Some(tile), _) => self.check_tile(state, tile, to),
            (_, Some(shape)) => self.check_counter(state, shape, to),
            (None, None) => None,
        }
    }

    /// Why an action cannot begin with a cell.
    fn check_first(&self, state: &State, name: &str) -> Option<Refusal> {
        if state.count.is_some() {
            let cell = board::parse(name)?;
            if let Some((key, clause)) = self.effect_of_missing(state) {
                return Some(Refusal {
                    text: Text::new(format_smolstr!("illegal.missing.{key}")),
                    clause: clause.to_smolstr(),
                });
            }
            let own = state.board.counters_of(state.seat) >> cell & 1 == 1;
            let key =
                if state.board.occupied() >> cell & 1 == 1 && !own { "illegal.not-yours" } else { "illegal.first" };
            return Some(refuse(key, 12));
        }
        if board::parse(name).is_some() {
            return Some(refuse("illegal.phase", 6));
        }
        let waiting = (0..TILES).any(|tile| state.board.cell_of(tile).is_none() && pool_cell(tile) == name);
        let own = (0..3).find(|&shape| hand_cell(state.seat, shape) == name);
        let other = (0..3).any(|shape| hand_cell(1 - state.seat, shape) == name);
        match own {
            Some(shape) if state.board.counter_cell(3 * state.seat + shape) == NONE => {
                // In hand, but no cell is legal for it.
                let bare = state.board.tiled() & !state.board.occupied() == 0;
                Some(if bare {
                    refuse("illegal.no-tile", 5)
                } else if self.must_match(state) {
                    refuse("illegal.due", 10)
                } else {
                    Refusal {
                        text: Text::new("illegal.nowhere").with("piece", counter_label(state.seat, shape)),
                        clause: "10".into(),
                    }
                })
            }
            Some(_) => Some(refuse("illegal.placed", 5)),
            None if other => Some(refuse("illegal.hand", 5)),
            None if !waiting => Some(refuse("illegal.placed", 5)),
            // A tile in the pool, but a match must be chosen.
            None => Some(refuse("illegal.due", 10)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Draw, Notation, Options};

    use super::*;

    /// The positions of the rule book's clause 10, one with more at stake, two where nothing is closed, and two after the
    /// placement whose next action cannot win.
    #[test]
    fn a_prompt_says_why_actions_are_not_free() {
        let asked = Text::new("prompt.place-counter");
        let last = Text::new("prompt.last")
            .with("shape", Text::new("shape.t"))
            .with("colour", Text::new("colour.R"))
            .with("prompt", asked.clone());
        let closed = |asked: &Text| Text::new("prompt.closed").with("prompt", asked.clone());
        let without_win = |asked| Text::new("prompt.balance").with("prompt", Text::new(asked));
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
            ("Rc+:Bc/Bc:Wt/Yc:Ws/Rs/Bs+:Bs/Ys:Wc/Rt/Bt/Yt+:Bt W 0 -", "balance=1", without_win("prompt.move")),
            (
                "Rc:Wt/Bc:Bt/Yc:Ws/Rs/Bs+:Bs/Ys:Wc/Rt/Bt:Bc/Yt W 0 -",
                "rules=literal balance=1",
                without_win("prompt.missing.due"),
            ),
        ] {
            let game = Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"));
            match game.parse_position(text) {
                Ok(state) => assert_eq!(game.view(&state, None).prompt, expected, "{text} {options}"),
                Err(error) => panic!("{text} {options}: {error}"),
            }
        }
    }
}
