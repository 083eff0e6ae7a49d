//! Actions as text (rules 19).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::board::{self, alphabetical};
use crate::pieces::{SHAPES, parse_one, parse_tile, tile_name};
use crate::position::{format_position, parse_position};
use crate::rules::Proteus;
use crate::state::State;

impl Notation for Proteus {
    fn token(&self, action: Action) -> SmolStr {
        match action.kind() {
            ActionKind::Tile(tile, cell) => format_smolstr!("{}@{}", tile_name(tile), board::name(cell)),
            ActionKind::Counter(shape, cell) => format_smolstr!("{}@{}", SHAPES[shape as usize], board::name(cell)),
            ActionKind::Move(from, to) => format_smolstr!("{}-{}", board::name(from), board::name(to)),
            ActionKind::Trade(one, other) => format_smolstr!("{}*{}", board::name(one), board::name(other)),
            ActionKind::Pass => "pass".into(),
        }
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        if token == "pass" {
            return Some(Action::PASS);
        }
        if let Some((piece, cell)) = token.split_once('@') {
            let cell = board::parse(cell)?;
            return match parse_one(piece, &SHAPES) {
                Some(shape) => Some(Action::counter(shape, cell)),
                None => Some(Action::tile(parse_tile(piece)?, cell)),
            };
        }
        let pair = |between| {
            let (one, other) = token.split_once(between)?;
            Some((board::parse(one)?, board::parse(other)?)).filter(|(one, other)| one != other)
        };
        if let Some((from, to)) = pair('-') {
            return Some(Action::walk(from, to));
        }
        let (one, other) = pair('*')?;
        (alphabetical(one) < alphabetical(other)).then(|| Action::trade(one, other))
    }

    fn position(&self, state: &State) -> String {
        format_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        parse_position(self, text)
    }
}
