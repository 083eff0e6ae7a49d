//! Actions as text (rules 49, 50).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::game::Montana;
use crate::position::{format, parse, validate};
use crate::state::State;

impl Notation for Montana {
    fn token(&self, action: Action) -> SmolStr {
        let token = &self.tables.tokens[usize::from(action.0)];
        match self.tables.kind(action) {
            ActionKind::Build(hex) | ActionKind::Start(hex) => format_smolstr!("{token}{}", self.map.name(hex)),
            _ => token.clone(),
        }
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        for (start, first) in [("build@", self.tables.build), ("*@", self.tables.start)] {
            if let Some(hex) = token.strip_prefix(start) {
                return self.map.parse(hex).map(|hex| Action(first + u16::from(hex)));
            }
        }
        self.tables.tokens.iter().position(|known| known == token).map(|index| Action(index as u16))
    }

    fn position(&self, state: &State) -> String {
        format::write(self, state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let (fields, mut faults) = parse::fields_of(self, text)?;
        let state = validate::validate(self, &fields, &mut faults);
        faults.judge(state)
    }
}
