//! Positions as text, and what makes a text impossible (rules 20).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use tavola_core::{PositionError, Seat};

use crate::board::{self, CELLS, Cell};
use crate::past::Position;
use crate::pieces::{COLOURS, OWNERS, SHAPES, Tile, colour_of, parse_one, parse_tile, tile_name};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{Board, Counter, NONE, State};

pub(crate) fn write(state: &State) -> String {
    let cells: Vec<_> = (0..CELLS).map(|cell| write_cell(&state.board, cell)).collect();
    let mut past: Vec<_> =
        state.past.occurrences().into_iter().map(|(one, times)| format!("{},{times}", write_past(one))).collect();
    past.sort_unstable();
    format!(
        "{} {} {} {}",
        cells.join("/"),
        OWNERS[state.seat as usize],
        state.count.map_or_else(|| "-".to_owned(), |count| count.to_string()),
        if past.is_empty() { "-".to_owned() } else { past.join("|") },
    )
}

fn write_tile(board: &Board, cell: Cell) -> String {
    match board.tile(cell) {
        Some(tile) => format!("{}{}", tile_name(tile), if board.is_up(tile) { "+" } else { "" }),
        None => "-".to_owned(),
    }
}

fn write_cell(board: &Board, cell: Cell) -> String {
    let counter = board
        .counter(cell)
        .map(|counter| format!(":{}{}", OWNERS[(counter / 3) as usize], SHAPES[(counter % 3) as usize]));
    write_tile(board, cell) + &counter.unwrap_or_default()
}

/// An earlier position: its tiles, its counters (White's in capitals), the seat to act.
fn write_past(position: Position) -> String {
    let (board, seat) = Board::of(position);
    let tiles: String = (0..CELLS).map(|cell| write_tile(&board, cell)).collect();
    let counters: String = (0..CELLS)
        .map(|cell| match board.counter(cell) {
            None => '-',
            Some(counter) if counter < 3 => SHAPES[counter as usize],
            Some(counter) => SHAPES[(counter - 3) as usize].to_ascii_uppercase(),
        })
        .collect();
    format!("{tiles},{counters},{}", OWNERS[seat as usize])
}

const CELL: &str = "cells";
const SEAT: &str = "seat to act";
const COUNT: &str = "action count";
const PAST: &str = "repetition data";

pub(crate) fn read(game: &Proteus, text: &str) -> Result<State, PositionError> {
    let mut faults = Vec::new();
    match read_fields(game, text, &mut faults) {
        Some(mut state) if faults.is_empty() => {
            game.judge(&mut state);
            Ok(state)
        }
        _ => Err(PositionError { faults }),
    }
}

/// The value, or the fault noted under its field's name.
fn note<T>(faults: &mut Vec<String>, field: &str, result: Result<T, String>) -> Option<T> {
    result.map_err(|fault| faults.push(format!("{field}: {fault}"))).ok()
}

fn read_fields(game: &Proteus, text: &str, faults: &mut Vec<String>) -> Option<State> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[cells, seat, count, past] = fields.as_slice() else {
        faults.push(format!("position: {} fields separated by one space, not 4", fields.len()));
        return None;
    };
    let board = read_cells(cells, faults);
    let seat = note(faults, SEAT, parse_one(seat, &OWNERS).ok_or_else(|| format!("{seat:?} is neither B nor W")));
    let count = note(faults, COUNT, read_count(count));
    let past = read_past(past, faults);
    if let (Some(board), Some(count)) = (board, count) {
        check_count(&board, count, faults);
        if count.unwrap_or(0) == 0 {
            check_placement(game, &board, seat, faults);
        }
    }
    if let (Some(count), Some(past)) = (count, &past) {
        let occurrences: usize = past.iter().map(|&(_, times)| times).sum();
        let earlier = usize::from(count.unwrap_or(0));
        if occurrences > earlier {
            faults.push(format!(
                "{PAST}: {occurrences} earlier positions of the movement phase, but there were {earlier}"
            ));
        }
    }
    let mut state = State::of(board?, seat?, count?);
    for (position, times) in past? {
        (0..times).for_each(|_| state.past.add(position));
    }
    Some(state)
}

/// The board, if every cell can be read and no piece stands twice.
fn read_cells(text: &str, faults: &mut Vec<String>) -> Option<Board> {
    let cells: Vec<&str> = text.split('/').collect();
    if cells.len() != usize::from(CELLS) {
        faults.push(format!("{CELL}: {} of them, not {CELLS}", cells.len()));
        return None;
    }
    let before = faults.len();
    let mut builder = Builder::default();
    for (cell, text) in (0..CELLS).zip(cells) {
        let found = builder.read_cell(cell, text).into_iter();
        faults.extend(found.map(|fault| format!("{CELL}: {}: {fault}", board::name(cell))));
    }
    (faults.len() == before).then_some(builder.board)
}

/// A board being read; refuses a piece that is there already.
struct Builder {
    board: Board,
}

impl Default for Builder {
    fn default() -> Self {
        Self { board: Board::EMPTY }
    }
}

impl Builder {
    /// Reads a cell's tile and counter; what is wrong with them.
    fn read_cell(&mut self, cell: Cell, text: &str) -> Vec<String> {
        let (tile, counter) = match text.split_once(':') {
            Some((tile, counter)) => (tile, Some(counter)),
            None => (text, None),
        };
        let mut faults = Vec::new();
        if tile != "-" {
            faults.extend(self.tile(cell, tile).err());
        } else if counter.is_some() {
            faults.push("a counter without a tile".to_owned());
        }
        if let Some(text) = counter {
            let counter = text
                .split_at_checked(1)
                .and_then(|(owner, shape)| Some(3 * parse_one(owner, &OWNERS)? + parse_one(shape, &SHAPES)?))
                .ok_or_else(|| format!("{text:?} is not a counter"));
            faults.extend(counter.and_then(|counter| self.counter(cell, counter)).err());
        }
        faults
    }

    fn tile(&mut self, cell: Cell, text: &str) -> Result<(), String> {
        let (name, up) = text.strip_suffix('+').map_or((text, false), |name| (name, true));
        let tile: Tile = parse_tile(name).ok_or_else(|| format!("{text:?} is not a tile"))?;
        if self.board.cell_of(tile).is_some() {
            return Err(format!("the tile {name} lies twice"));
        }
        self.board.put_tile(tile, cell);
        if up {
            if self.board.up(colour_of(tile)).is_some() {
                return Err(format!("{name} is the second tile of its colour that is up"));
            }
            self.board.turn_up(1 << tile);
        }
        Ok(())
    }

    fn counter(&mut self, cell: Cell, counter: Counter) -> Result<(), String> {
        if self.board.counter_cell(counter) != NONE {
            let (owner, shape) = (OWNERS[(counter / 3) as usize], SHAPES[(counter % 3) as usize]);
            return Err(format!("the counter {owner}{shape} stands twice"));
        }
        self.board.put_counter(counter, cell);
        Ok(())
    }
}

/// A number without sign and leading zeros.
fn read_number(text: &str) -> Option<u16> {
    let plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    text.parse().ok().filter(|_| plain)
}

fn read_count(text: &str) -> Result<Option<u16>, String> {
    if text == "-" {
        return Ok(None);
    }
    read_number(text).map(Some).ok_or_else(|| format!("{text:?} is not a number in its place"))
}

/// Earlier positions and how often each occurred, if nothing is wrong with them.
fn read_past(text: &str, faults: &mut Vec<String>) -> Option<Vec<(Position, usize)>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let entries: Vec<&str> = text.split('|').collect();
    if entries.len() > MOST_ACTIONS.into() {
        faults.push(format!("{PAST}: {} positions, but the game ends at {MOST_ACTIONS}", entries.len()));
        return None;
    }
    let before = faults.len();
    let read: Vec<_> = entries.iter().filter_map(|entry| note(faults, PAST, read_entry(entry))).collect();
    for pair in entries.windows(2).filter(|pair| pair[0] >= pair[1]) {
        faults.push(format!("{PAST}: {:?} does not stand in order before {:?}", pair[0], pair[1]));
    }
    let positions: BTreeSet<Position> = read.iter().map(|&(position, _)| position).collect();
    if positions.len() < read.len() {
        faults.push(format!("{PAST}: a position stands twice"));
    }
    (faults.len() == before).then_some(read)
}

fn read_entry(text: &str) -> Result<(Position, usize), String> {
    let fault = |what: &str| format!("{text:?}: {what}");
    let fields: Vec<&str> = text.split(',').collect();
    let &[tiles, counters, seat, often] = fields.as_slice() else {
        return Err(fault("not tiles, counters, seat and how often"));
    };
    let mut builder = Builder::default();
    let mut rest = tiles;
    for cell in 0..CELLS {
        let name = rest.get(..3).filter(|name| name.ends_with('+')).or(rest.get(..2));
        let name = name.ok_or_else(|| fault("not nine tiles"))?;
        builder.tile(cell, name).map_err(|what| fault(&what))?;
        rest = &rest[name.len()..];
    }
    if !rest.is_empty() || !counters.is_ascii() || counters.len() != usize::from(CELLS) {
        return Err(fault("not nine tiles and nine cells"));
    }
    for (cell, letter) in (0..CELLS).zip(counters.chars()).filter(|&(_, letter)| letter != '-') {
        let shape = SHAPES.iter().position(|&shape| shape == letter.to_ascii_lowercase());
        let owner = if letter.is_ascii_uppercase() { 3 } else { 0 };
        let shape = shape.ok_or_else(|| fault("an unknown counter"))? as u8;
        builder.counter(cell, owner + shape).map_err(|what| fault(&what))?;
    }
    let board = builder.board;
    if !board.is_full() || (0..3).any(|colour| board.up(colour).is_none()) {
        return Err(fault("not a position of the movement phase"));
    }
    let seat = parse_one(seat, &OWNERS).ok_or_else(|| fault("the seat is neither B nor W"))?;
    match often {
        "1" => Ok((board.position(seat), 1)),
        "2" => Ok((board.position(seat), 2)),
        _ => Err(fault("a position occurs once or twice before the game ends")),
    }
}

fn check_count(board: &Board, count: Option<u16>, faults: &mut Vec<String>) {
    match count {
        None if board.is_full() => faults.push(format!("{COUNT}: -, but the placement is over")),
        Some(count) if !board.is_full() => {
            faults.push(format!("{COUNT}: {count}, but the placement is not over"));
        }
        Some(count) if count > MOST_ACTIONS => {
            faults.push(format!("{COUNT}: {count}, but the game ends at {MOST_ACTIONS}"));
        }
        _ => {}
    }
    let none_up = (0..3).any(|colour| board.up(colour).is_none());
    if count.is_some() && board.is_full() && none_up {
        faults.push(format!("{CELL}: after the placement every colour has a tile up"));
    }
}

/// What the placement alone can lead to (rules 5, 7 to 10).
fn check_placement(game: &Proteus, board: &Board, seat: Option<Seat>, faults: &mut Vec<String>) {
    for colour in 0..3 {
        let match_of = |shape: u8| {
            let cell = board.cell_of(3 * colour + shape)?;
            board.counter(cell).filter(|counter| counter % 3 == shape)
        };
        let matches = (0..3).filter(|&shape| match_of(shape).is_some()).count();
        let letter = COLOURS[usize::from(colour)];
        match board.up(colour) {
            Some(shape) if match_of(shape).is_none() => {
                faults.push(format!("{CELL}: {} is up without its match", tile_name(3 * colour + shape)));
            }
            None if matches > 0 => faults.push(format!("{CELL}: a match of {letter}, but no tile of it is up")),
            _ => {}
        }
        if game.kadon && matches > 1 {
            faults.push(format!("{CELL}: {matches} matches of {letter}"));
        }
    }
    if !board.rest().can_be_completed(game.kadon) {
        faults.push(format!("{CELL}: no completion turns up a tile of every colour"));
    }
    let down = |seat: Seat| board.counters_of(seat).count_ones() as u8;
    let tiles = 9 - board.pool().count_ones() as u8;
    if let Some(seat) = seat.filter(|&seat| !TO_ACT.contains(&(tiles, [down(0), down(1)], seat))) {
        faults.push(format!("{SEAT}: it cannot be {}'s turn", OWNERS[seat as usize]));
    }
}

/// How many tiles and counters can be down when which seat is to act.
static TO_ACT: LazyLock<BTreeSet<(u8, [u8; 2], Seat)>> = LazyLock::new(|| {
    let mut reached = BTreeSet::new();
    let mut next = vec![(0, [0, 0], 0)];
    while let Some((tiles, down, seat)) = next.pop() {
        if !reached.insert((tiles, down, seat)) {
            continue;
        }
        let own = usize::from(seat);
        if tiles < 9 {
            next.push((tiles + 1, down, 1 - seat));
        }
        if down[own] < 3 && down[0] + down[1] < tiles {
            let mut more = down;
            more[own] += 1;
            next.push((tiles, more, 1 - seat));
        }
        if tiles == 9 && down[own] == 3 && down[1 - own] < 3 {
            next.push((tiles, down, 1 - seat)); // rules 7: the pass
        }
    }
    reached
});

#[cfg(test)]
mod tests {
    use tavola_core::{Game, Options};

    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
        read(&game, text).expect_err("faults").faults
    }

    #[test]
    fn every_fault_is_named() {
        let earlier = "Rc+Bc+Yc+RsBsYsRtBtYt";
        let past = format!("{earlier},s-T-CtcC-,B,1|{earlier},s-T-CtcS-,B,1|{earlier},s-T-CtcS-,B,2");
        assert_eq!(
            faults(&format!("Rc+:Bc/Rs+:Ws/Rs:Bx/Yc/Yc:Ws/-:Bc/-/-/- X +301 {past}")),
            [
                "cells: b1: Rs is the second tile of its colour that is up".to_owned(),
                "cells: c1: the tile Rs lies twice".to_owned(),
                "cells: c1: \"Bx\" is not a counter".to_owned(),
                "cells: b2: the tile Yc lies twice".to_owned(),
                "cells: b2: the counter Ws stands twice".to_owned(),
                "cells: c2: a counter without a tile".to_owned(),
                "cells: c2: the counter Bc stands twice".to_owned(),
                "seat to act: \"X\" is neither B nor W".to_owned(),
                "action count: \"+301\" is not a number in its place".to_owned(),
                format!("repetition data: \"{earlier},s-T-CtcC-,B,1\": the counter Wc stands twice"),
                "repetition data: a position stands twice".to_owned(),
            ],
        );
        assert_eq!(
            faults(&format!("Rc:Bc/Rs+/Bt+/-/-/-/-/-/- X 0 {earlier},s-T-CtcS-,B,2")),
            [
                "seat to act: \"X\" is neither B nor W",
                "action count: 0, but the placement is not over",
                "cells: Rs is up without its match",
                "cells: Bt is up without its match",
                "repetition data: 2 earlier positions of the movement phase, but there were 0",
            ],
        );
    }
}
