//! Actions as text (rules 21).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::{Action, Deed, PILES, Pile};
use crate::cells::{self, SIDES, Side};
use crate::position_text;
use crate::ring;
use crate::rules::Passtally;
use crate::state::State;
use crate::tiles::{Laid, NAMES, parse_type};

/// The letter of a direction.
pub(crate) fn direction(side: Side) -> char {
    SIDES[side as usize].to_ascii_lowercase()
}

pub(crate) fn parse_direction(letter: char) -> Option<Side> {
    (0..4).find(|&side| direction(side) == letter)
}

/// A pile by its number in text, 1 to 3.
pub(crate) fn parse_pile(digit: char) -> Option<Pile> {
    let pile = digit.to_digit(10)?.checked_sub(1)?;
    Pile::try_from(pile).ok().filter(|&pile| pile < PILES)
}

fn parse_tile(pile: char, tile: &str) -> Option<Action> {
    let (kind, place) = tile.split_once('@')?;
    let (cell, toward) = place.split_at_checked(2)?;
    let mut letters = toward.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    let laid = Laid::new(parse_type(kind)?, cells::parse(cell)?, parse_direction(letter)?)?;
    Some(Action::tile(parse_pile(pile)?, laid))
}

impl Notation for Passtally {
    fn token(&self, action: Action) -> SmolStr {
        match action.deed() {
            Deed::Set(place) => ring::name(place),
            Deed::Tile(pile, laid) => {
                let (name, first) = (NAMES[laid.kind as usize], cells::name(laid.cells()[0]));
                format_smolstr!("{}{name}@{first}{}", pile + 1, direction(laid.direction()))
            }
            Deed::Marker(from, to) => format_smolstr!("{}-{}", ring::name(from), ring::name(to)),
            Deed::Draw(pile, kind) => format_smolstr!("*{}{}", pile + 1, NAMES[kind as usize]),
        }
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        if let Some(place) = ring::parse(token) {
            return Some(Action::set(place));
        }
        if let Some((from, to)) = token.split_once('-') {
            let (from, to) = (ring::parse(from)?, ring::parse(to)?);
            return (from != to).then(|| Action::marker(from, to));
        }
        let mut letters = token.chars();
        match letters.next()? {
            '*' => {
                let pile = parse_pile(letters.next()?)?;
                Some(Action::draw(pile, parse_type(letters.as_str())?))
            }
            pile => parse_tile(pile, letters.as_str()),
        }
    }

    fn position(&self, state: &State) -> String {
        position_text::write(self, state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        position_text::read(self, text)
    }
}
