//! Parses a position text (rules 22).

use tavola_core::notation::fields;
use tavola_core::{PositionError, Seat, Text};

use super::fields::{Actions, Fields, Given, Seen};
use super::validate;
use crate::actions::{PILES, PileIndex, parse_pile};
use crate::board::Board;
use crate::cells::{CELLS, SIDES, SIZE, Side, in_text_order, parse_direction};
use crate::rim::{self, RimPosition};
use crate::rules::Passtally;
use crate::state::{PILE, Pile, SEATS, Stage, State};
use crate::tiles::{COPIES, SHAPES, TILE_TYPES, TILES, parse_type};

/// The keys of the fields, in their order.
const FIELDS: [&str; 9] = [
    "field.board",
    "field.markers",
    "field.points",
    "field.piles",
    "field.unseen",
    "field.seat",
    "field.actions",
    "field.last",
    "field.idle",
];

pub(crate) fn parse_position(game: &Passtally, text: &str) -> Result<State, PositionError> {
    let words = fields(text)?;
    let fields = read_fields(game, words);
    let well_formed = [
        fields.board.is_some(),
        fields.markers.is_some(),
        fields.points.is_some(),
        fields.piles.is_some(),
        fields.unseen.is_some(),
        fields.seat.is_some(),
        fields.actions.is_some(),
        fields.last.is_some(),
        fields.idle.is_some(),
    ];
    let mut found = PositionError::default();
    for ((field, text), _) in FIELDS.into_iter().zip(words).zip(well_formed).filter(|&(_, is)| !is) {
        found.add(field, Text::quoting("fault.malformed", text));
    }
    validate::validate(game, &fields, &mut found);
    found.judge(build(&fields))
}

/// Reads each field by itself.
fn read_fields(game: &Passtally, words: [&str; 9]) -> Fields {
    let [board, markers, points, piles, unseen, seat, actions, last, idle] = words;
    let seats = usize::from(game.seats);
    Fields {
        board: read_board(board),
        markers: read_list(';', markers, seats, read_places),
        points: read_list(';', points, seats, read_number),
        piles: read_list(';', piles, PILES.into(), read_pile),
        unseen: read_list(',', unseen, TILE_TYPES.into(), read_number),
        seat: read_seat(seat, game.seats),
        actions: read_actions(actions),
        last: match last {
            "f" => Some(true),
            "-" => Some(false),
            _ => None,
        },
        idle: if idle == "-" { Some(Given::Not) } else { read_number(idle).map(Given::Is) },
    }
}

/// The position of a text that can be drawn, possible or not.
pub(crate) fn read_sketch(game: &Passtally, text: &str) -> Option<State> {
    let fields = read_fields(game, fields(text).ok()?);
    let board = fields.board.as_ref().filter(|board| validate::is_joined(board))?;
    let low = board.iter().flatten().all(|&(_, level, _)| level <= TILES.into());
    let few = fields.piles.as_ref()?.iter().all(|&(face, down)| down + u32::from(face.is_some()) <= PILE.into());
    let copies = fields.unseen.as_ref()?.iter().all(|&copies| copies <= COPIES.into());
    let played = matches!(fields.actions.as_ref()?, Actions::Taken(_));
    build(&fields).filter(|_| low && few && copies && played)
}

/// The position, if all fields are present and without fault.
fn build(fields: &Fields) -> Option<State> {
    let mut state = State::new([0; SEATS]);
    let mut tops = [None; CELLS as usize];
    for (top, seen) in tops.iter_mut().zip(fields.board.as_ref()?) {
        *top = match *seen {
            Some((shape, level, joint)) => Some((shape, u8::try_from(level).ok()?, joint)),
            None => None,
        };
    }
    state.board = Board::of(&tops);
    for (own, places) in state.markers.iter_mut().zip(fields.markers.as_ref()?) {
        *own = places.iter().fold(0, |all, &place| all | 1 << place);
    }
    state.points[..fields.points.as_ref()?.len().min(SEATS)].copy_from_slice(fields.points.as_ref()?);
    for (pile, &(face, down)) in state.piles.iter_mut().zip(fields.piles.as_ref()?) {
        *pile = Pile { face, down: u8::try_from(down).ok()? };
    }
    for (copies, &number) in state.unseen.iter_mut().zip(fields.unseen.as_ref()?) {
        *copies = u8::try_from(number).ok()?;
    }
    let (due, seat) = fields.seat?.value().unwrap_or((None, 0));
    (state.due, state.seat) = (due, seat);
    state.idle = u8::try_from(fields.idle?.value().unwrap_or(0)).ok()?;
    state.stage = match fields.actions.as_ref()? {
        Actions::Over => Stage::Over,
        Actions::Taken(taken) => Stage::Turn { taken: *taken },
        Actions::SetUp { placed, named } => {
            Stage::SetUp { placed: u8::try_from(*placed).ok()?, named: [named.first().copied(), named.get(1).copied()] }
        }
    };
    Some(state)
}

fn read_list<T>(separator: char, text: &str, count: usize, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let items: Vec<&str> = text.split(separator).collect();
    if items.len() != count {
        return None;
    }
    items.into_iter().map(read).collect()
}

/// Parse a number without leading zeros, of at most nine digits.
fn read_number(text: &str) -> Option<u32> {
    let digits = text.len() <= 9 && text.bytes().all(|digit| digit.is_ascii_digit());
    (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

fn read_board(text: &str) -> Option<[Option<Seen>; CELLS as usize]> {
    let rows = read_list('/', text, SIZE.into(), |row| read_list(',', row, SIZE.into(), read_cell))?;
    let mut cells = [None; CELLS as usize];
    for (cell, seen) in in_text_order().zip(rows.into_iter().flatten()) {
        cells[cell as usize] = seen.value();
    }
    Some(cells)
}

fn read_cell(text: &str) -> Option<Given<Seen>> {
    if text == "-" {
        return Some(Given::Not);
    }
    let mut letters = text.chars();
    let first = letters.next()?;
    let shape = (1..).zip(&SHAPES[1..]).find(|&(_, &letter)| letter == first)?.0;
    let rest = letters.as_str();
    let (level, joint) = match rest.chars().next_back().and_then(parse_direction) {
        Some(side) => (&rest[..rest.len() - 1], Some(side)),
        None => (rest, None),
    };
    let level = read_number(level).filter(|&level| level > 0)?;
    Some(Given::Is((shape, level, joint)))
}

fn read_places(text: &str) -> Option<Vec<RimPosition>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let places: Vec<RimPosition> = text.split(',').map(rim::parse).collect::<Option<_>>()?;
    places.is_sorted().then_some(places)
}

fn read_pile(text: &str) -> Option<(Option<u8>, u32)> {
    if let Some(down) = text.strip_prefix('-') {
        return Some((None, read_number(down)?));
    }
    let (tile_type, down) = text.split_at_checked(2)?;
    Some((Some(parse_type(tile_type)?), read_number(down)?))
}

fn read_seat(text: &str, seats: u8) -> Option<Given<(Option<PileIndex>, Seat)>> {
    if text == "-" {
        return Some(Given::Not);
    }
    let seat = |text: &str| read_number(text).and_then(|seat| Seat::try_from(seat).ok()).filter(|&seat| seat < seats);
    match text.strip_prefix('*') {
        None => Some(Given::Is((None, seat(text)?))),
        Some(chance) => {
            let (pile, whose) = chance.split_once(':')?;
            let mut digits = pile.chars();
            let (Some(digit), None) = (digits.next(), digits.next()) else { return None };
            Some(Given::Is((Some(parse_pile(digit)?), seat(whose)?)))
        }
    }
}

fn read_actions(text: &str) -> Option<Actions> {
    match text {
        "-" => return Some(Actions::Over),
        "0" => return Some(Actions::Taken(0)),
        "1" => return Some(Actions::Taken(1)),
        "2" => return Some(Actions::Taken(2)),
        _ => {}
    }
    let text = text.strip_prefix('u')?;
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (placed, sides) = text.split_at(digits);
    let named: Vec<Side> =
        sides.chars().map(|letter| (0..4).find(|&side| SIDES[side as usize] == letter)).collect::<Option<_>>()?;
    let placed = read_number(placed).filter(|&placed| placed < 100)?;
    (named.len() <= 2).then_some(Actions::SetUp { placed, named })
}
