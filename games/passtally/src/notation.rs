//! Actions as text (rules 21).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::{Action, ActionKind, parse_pile};
use crate::cells::{self, direction_letter, parse_direction};
use crate::position;
use crate::rim;
use crate::rules::Passtally;
use crate::state::State;
use crate::tiles::{NAMES, Placement, parse_type};

fn parse_tile(pile: char, tile: &str) -> Option<Action> {
    let (tile_type, place) = tile.split_once('@')?;
    let (cell, toward) = place.split_at_checked(2)?;
    let mut letters = toward.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    let placement = Placement::new(parse_type(tile_type)?, cells::parse(cell)?, parse_direction(letter)?)?;
    Some(Action::place_tile(parse_pile(pile)?, placement))
}

impl Notation for Passtally {
    fn token(&self, action: Action) -> SmolStr {
        match action.kind() {
            ActionKind::PlaceMarker(place) => rim::name(place),
            ActionKind::PlaceTile(pile, placement) => {
                let (name, first) = (NAMES[placement.tile_type as usize], cells::name(placement.cells()[0]));
                format_smolstr!("{}{name}@{first}{}", pile + 1, direction_letter(placement.direction()))
            }
            ActionKind::MoveMarker(from, to) => format_smolstr!("{}-{}", rim::name(from), rim::name(to)),
            ActionKind::Reveal(pile, tile_type) => format_smolstr!("*{}{}", pile + 1, NAMES[tile_type as usize]),
        }
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        if let Some(place) = rim::parse(token) {
            return Some(Action::place_marker(place));
        }
        if let Some((from, to)) = token.split_once('-') {
            let (from, to) = (rim::parse(from)?, rim::parse(to)?);
            return (from != to).then(|| Action::move_marker(from, to));
        }
        let mut letters = token.chars();
        match letters.next()? {
            '*' => {
                let pile = parse_pile(letters.next()?)?;
                Some(Action::reveal(pile, parse_type(letters.as_str())?))
            }
            pile => parse_tile(pile, letters.as_str()),
        }
    }

    fn position(&self, state: &State) -> String {
        position::format_position(self, state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        position::parse_position(self, text)
    }
}
