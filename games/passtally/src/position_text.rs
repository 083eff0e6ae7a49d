//! Positions as text (rules 22): writing them, and reading what is well-formed.

use tavola_core::notation::{Line, fields};
use tavola_core::{PositionError, Seat, Text};

use crate::actions::{PILES, Pile};
use crate::board::Board;
use crate::cells::{CELLS, Cell, SIDES, SIZE, Side};
use crate::faults;
use crate::notation::{direction, parse_direction, parse_pile};
use crate::ring::{self, Place};
use crate::rules::Passtally;
use crate::state::{Heap, SEATS, Stage, State};
use crate::tiles::{NAMES, SHAPES, Shape, TYPES, parse_type};

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

/// The cells in the order of the text: row 6 first.
pub(crate) fn in_text_order() -> impl Iterator<Item = Cell> {
    (0..CELLS).map(|number| (SIZE - 1 - number / SIZE) * SIZE + number % SIZE)
}

pub(crate) fn write(game: &Passtally, state: &State) -> String {
    let seats = usize::from(game.seats);
    let mut to = Line::with_capacity(256);
    to.each('/', (0..SIZE).rev(), |to, row| {
        to.each(',', row * SIZE..(row + 1) * SIZE, |to, cell| write_cell(&state.board, cell, to));
    });
    to.push(' ');
    to.each(';', &state.markers[..seats], |to, &own| {
        to.or_dash(|to| to.each(',', ring::each(own), |to, place| to.push_str(&ring::name(place))));
    });
    to.push(' ');
    to.each(';', &state.points[..seats], |to, points| to.add(format_args!("{points}")));
    to.push(' ');
    to.each(';', &state.piles, |to, pile| {
        to.add(format_args!("{}{}", pile.face.map_or("-", |kind| NAMES[kind as usize]), pile.down));
    });
    to.push(' ');
    to.each(',', &state.unseen, |to, copies| to.add(format_args!("{copies}")));
    let last = if state.is_over() || Passtally::is_last_round(state) { "f" } else { "-" };
    match state.stage {
        Stage::Over => to.add(format_args!(" - - {last} -")),
        Stage::SetUp { placed, named } => {
            write_seat(state, &mut to);
            to.add(format_args!("u{placed}"));
            to.extend(named.iter().flatten().map(|&side| SIDES[side as usize]));
            to.add(format_args!(" {last} 0"));
        }
        Stage::Turn { taken } => {
            write_seat(state, &mut to);
            to.add(format_args!("{taken} {last} {}", state.idle));
        }
    }
    to.into()
}

fn write_cell(board: &Board, cell: Cell, to: &mut Line) {
    let top = board.top(cell);
    if top.height() == 0 {
        return to.push('-');
    }
    to.add(format_args!("{}{}", SHAPES[top.shape() as usize], top.height()));
    to.extend(top.joint().map(direction));
}

/// The seat to act, as a field.
fn write_seat(state: &State, to: &mut Line) {
    match state.due {
        Some(pile) => to.add(format_args!(" *{}:{} ", pile + 1, state.seat)),
        None => to.add(format_args!(" {} ", state.seat)),
    }
}

/// What one sees of a cell that is not bare: shape, storey, and the side on which the other half lies.
pub(crate) type Seen = (Shape, u32, Option<Side>);

/// What may be left out, written `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given<T> {
    Not,
    Is(T),
}

impl<T> Given<T> {
    pub(crate) fn value(self) -> Option<T> {
        match self {
            Self::Not => None,
            Self::Is(value) => Some(value),
        }
    }
}

/// The fields of a text, each `None` if it is malformed.
pub(crate) struct Fields {
    pub(crate) board: Option<[Option<Seen>; CELLS as usize]>,
    /// Per seat, with a position as often as it is named.
    pub(crate) markers: Option<Vec<Vec<Place>>>,
    pub(crate) points: Option<Vec<u32>>,
    /// Face-up tile and face-down count of each pile.
    pub(crate) piles: Option<Vec<(Option<u8>, u32)>>,
    pub(crate) unseen: Option<Vec<u32>>,
    /// The pile due at chance, and the seat.
    pub(crate) seat: Option<Given<(Option<Pile>, Seat)>>,
    pub(crate) actions: Option<Actions>,
    pub(crate) last: Option<bool>,
    pub(crate) idle: Option<Given<u32>>,
}

/// How far the game has got, as the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actions {
    /// `-`
    Over,
    /// `u3N`
    SetUp { placed: u32, named: Vec<Side> },
    /// `1`
    Taken(u8),
}

pub(crate) fn read(game: &Passtally, text: &str) -> Result<State, PositionError> {
    let words = fields(text)?;
    let [board, markers, points, piles, unseen, seat, actions, last, idle] = words;
    let seats = usize::from(game.seats);
    let fields = Fields {
        board: read_board(board),
        markers: read_list(';', markers, seats, read_places),
        points: read_list(';', points, seats, read_number),
        piles: read_list(';', piles, PILES.into(), read_pile),
        unseen: read_list(',', unseen, TYPES.into(), read_number),
        seat: read_seat(seat, game.seats),
        actions: read_actions(actions),
        last: match last {
            "f" => Some(true),
            "-" => Some(false),
            _ => None,
        },
        idle: if idle == "-" { Some(Given::Not) } else { read_number(idle).map(Given::Is) },
    };
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
    faults::impossible(game, &fields, &mut found);
    found.judge(build(&fields))
}

/// The position, if its fields are all there and without fault.
fn build(fields: &Fields) -> Option<State> {
    let mut state = State::new();
    let mut tops = [None; CELLS as usize];
    for (top, seen) in tops.iter_mut().zip(fields.board.as_ref()?) {
        *top = match *seen {
            Some((shape, storey, joint)) => Some((shape, u8::try_from(storey).ok()?, joint)),
            None => None,
        };
    }
    state.board = Board::of(&tops);
    for (own, places) in state.markers.iter_mut().zip(fields.markers.as_ref()?) {
        *own = places.iter().fold(0, |all, &place| all | 1 << place);
    }
    state.points[..fields.points.as_ref()?.len().min(SEATS)].copy_from_slice(fields.points.as_ref()?);
    for (pile, &(face, down)) in state.piles.iter_mut().zip(fields.piles.as_ref()?) {
        *pile = Heap { face, down: u8::try_from(down).ok()? };
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

/// A number without leading zeros, of at most nine digits.
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
    let (storey, joint) = match rest.chars().next_back().and_then(parse_direction) {
        Some(side) => (&rest[..rest.len() - 1], Some(side)),
        None => (rest, None),
    };
    let storey = read_number(storey).filter(|&storey| storey > 0)?;
    Some(Given::Is((shape, storey, joint)))
}

fn read_places(text: &str) -> Option<Vec<Place>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let places: Vec<Place> = text.split(',').map(ring::parse).collect::<Option<_>>()?;
    places.is_sorted().then_some(places)
}

fn read_pile(text: &str) -> Option<(Option<u8>, u32)> {
    if let Some(down) = text.strip_prefix('-') {
        return Some((None, read_number(down)?));
    }
    let (kind, down) = text.split_at_checked(2)?;
    Some((Some(parse_type(kind)?), read_number(down)?))
}

fn read_seat(text: &str, seats: u8) -> Option<Given<(Option<Pile>, Seat)>> {
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

#[cfg(test)]
mod tests {
    use super::in_text_order;
    use crate::cells;

    #[test]
    fn cells_are_read_from_the_sixth_row_down() {
        let names: Vec<_> = in_text_order().map(cells::name).collect();
        assert_eq!((names[0].as_str(), names[5].as_str(), names[35].as_str()), ("a6", "f6", "f1"));
    }
}
