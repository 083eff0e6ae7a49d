//! Positions read from text (rules 20). Every fault is reported.

use std::collections::BTreeSet;

use tavola_core::notation::{fields, within};
use tavola_core::quote::quoted;
use tavola_core::{PositionError, Seat, Text, format_smolstr};

use super::fields::{CELL, COUNT, PAST, SEAT};
use super::validate::{check_count, check_placement, facings_are_possible};
use crate::board::{self, CELLS, Cell};
use crate::pieces::{OWNERS, SHAPES, Tile, colour_of, parse_one, parse_tile};
use crate::repetition::Position;
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{Board, Counter, NONE, State};

/// The position that a text stands for.
///
/// # Errors
/// [`PositionError`] with every fault of the text.
pub(crate) fn parse_position(game: &Proteus, text: &str) -> Result<State, PositionError> {
    let mut faults = PositionError::default();
    let state = read_fields(game, fields(text)?, &mut faults);
    let mut state = faults.judge(state)?;
    game.judge(&mut state);
    Ok(state)
}

/// The board, the seat and the action count of a text in which they are readable, possible or not.
pub(crate) fn read_sketch(text: &str) -> Option<(Board, Seat, Option<u16>)> {
    let [cells, seat, count, _] = fields(text).ok()?;
    let board = read_cells(cells, &mut PositionError::default())?;
    Some((board, parse_one(seat, &OWNERS)?, read_count(count).ok()?))
}

fn read_fields(game: &Proteus, fields: [&str; 4], faults: &mut PositionError) -> Option<State> {
    let [cells, seat, count, past] = fields;
    let board = read_cells(cells, faults);
    let seat = faults.note(SEAT, parse_one(seat, &OWNERS).ok_or_else(|| Text::quoting("fault.seat", seat)));
    let count = faults.note(COUNT, read_count(count));
    let past = read_past(game, past, faults);
    if let (Some(board), Some(count)) = (board, count) {
        check_count(game, &board, count, faults);
        if count.unwrap_or(0) == 0 {
            check_placement(game, &board, seat, faults);
        }
    }
    if let (Some(count), Some(past)) = (count, &past) {
        let occurrences: usize = past.iter().map(|&(_, times)| times).sum();
        let earlier = usize::from(count.unwrap_or(0));
        if occurrences > earlier {
            faults.add(PAST, Text::new("fault.past.many").with("count", occurrences).with("most", earlier));
        }
    }
    let mut state = State::of(board?, seat?, count?);
    for (position, times) in past? {
        (0..times).for_each(|_| state.repetition.add(position));
    }
    Some(state)
}

/// The board, if every cell is readable and no piece occurs twice.
fn read_cells(text: &str, faults: &mut PositionError) -> Option<Board> {
    let cells: Vec<&str> = text.split('/').collect();
    if cells.len() != usize::from(CELLS) {
        faults.add(CELL, Text::new("fault.cells").with("count", cells.len()).with("wanted", CELLS));
        return None;
    }
    let before = faults.faults.len();
    let mut builder = Builder::default();
    for (cell, text) in (0..CELLS).zip(cells) {
        for fault in builder.read_cell(cell, text) {
            faults.add(CELL, within(board::name(cell), fault));
        }
    }
    (faults.faults.len() == before).then_some(builder.board)
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
    fn read_cell(&mut self, cell: Cell, text: &str) -> Vec<Text> {
        let (tile, counter) = match text.split_once(':') {
            Some((tile, counter)) => (tile, Some(counter)),
            None => (text, None),
        };
        let mut faults = Vec::new();
        if tile != "-" {
            faults.extend(self.tile(cell, tile).err());
        } else if counter.is_some() {
            faults.push(Text::new("fault.counter.alone"));
        }
        if let Some(text) = counter {
            let counter = text
                .split_at_checked(1)
                .and_then(|(owner, shape)| Some(3 * parse_one(owner, &OWNERS)? + parse_one(shape, &SHAPES)?))
                .ok_or_else(|| Text::quoting("fault.counter", text));
            faults.extend(counter.and_then(|counter| self.counter(cell, counter)).err());
        }
        faults
    }

    fn tile(&mut self, cell: Cell, text: &str) -> Result<(), Text> {
        let (name, up) = text.strip_suffix('+').map_or((text, false), |name| (name, true));
        let tile: Tile = parse_tile(name).ok_or_else(|| Text::quoting("fault.tile", text))?;
        if self.board.cell_of(tile).is_some() {
            return Err(Text::new("fault.tile.twice").with("tile", name));
        }
        self.board.put_tile(tile, cell);
        if up {
            if self.board.up(colour_of(tile)).is_some() {
                return Err(Text::new("fault.tile.second").with("tile", name));
            }
            self.board.turn_up(1 << tile);
        }
        Ok(())
    }

    fn counter(&mut self, cell: Cell, counter: Counter) -> Result<(), Text> {
        if self.board.counter_cell(counter) != NONE {
            let (owner, shape) = (OWNERS[(counter / 3) as usize], SHAPES[(counter % 3) as usize]);
            return Err(Text::new("fault.counter.twice").with("counter", format_smolstr!("{owner}{shape}")));
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

fn read_count(text: &str) -> Result<Option<u16>, Text> {
    if text == "-" {
        return Ok(None);
    }
    read_number(text).map(Some).ok_or_else(|| Text::quoting("fault.number", text))
}

/// Earlier positions and how often each occurred, if nothing is wrong with them.
fn read_past(game: &Proteus, text: &str, faults: &mut PositionError) -> Option<Vec<(Position, usize)>> {
    if text == "-" {
        return Some(Vec::new());
    }
    let entries: Vec<&str> = text.split('|').collect();
    if entries.len() > MOST_ACTIONS.into() {
        let fault = Text::new("fault.past.limit").with("count", entries.len()).with("most", MOST_ACTIONS);
        faults.add(PAST, fault);
        return None;
    }
    let before = faults.faults.len();
    let read: Vec<_> = entries.iter().filter_map(|entry| faults.note(PAST, read_entry(game, entry))).collect();
    for pair in entries.windows(2).filter(|pair| pair[0] >= pair[1]) {
        let fault = Text::new("fault.past.order").with("first", quoted(pair[0])).with("second", quoted(pair[1]));
        faults.add(PAST, fault);
    }
    let positions: BTreeSet<Position> = read.iter().map(|&(position, _)| position).collect();
    if positions.len() < read.len() {
        faults.add(PAST, Text::new("fault.past.twice"));
    }
    (faults.faults.len() == before).then_some(read)
}

fn read_entry(game: &Proteus, text: &str) -> Result<(Position, usize), Text> {
    let inside = |fault: Text| within(quoted(text), fault);
    let fault = |key: &'static str| inside(Text::new(key));
    let fields: Vec<&str> = text.split(',').collect();
    let &[tiles, counters, seat, often] = fields.as_slice() else {
        return Err(fault("fault.entry"));
    };
    let mut builder = Builder::default();
    let mut rest = tiles;
    for cell in 0..CELLS {
        let name = rest.get(..3).filter(|name| name.ends_with('+')).or(rest.get(..2));
        let name = name.ok_or_else(|| fault("fault.entry.tiles"))?;
        builder.tile(cell, name).map_err(inside)?;
        rest = &rest[name.len()..];
    }
    if !rest.is_empty() || !counters.is_ascii() || counters.len() != usize::from(CELLS) {
        return Err(fault("fault.entry.cells"));
    }
    for (cell, letter) in (0..CELLS).zip(counters.chars()).filter(|&(_, letter)| letter != '-') {
        let shape = SHAPES.iter().position(|&shape| shape == letter.to_ascii_lowercase());
        let owner = if letter.is_ascii_uppercase() { 3 } else { 0 };
        let shape = shape.ok_or_else(|| fault("fault.entry.counter"))? as u8;
        builder.counter(cell, owner + shape).map_err(inside)?;
    }
    let board = builder.board;
    if !board.is_full() || !facings_are_possible(game, &board) {
        return Err(fault("fault.entry.phase"));
    }
    let seat = parse_one(seat, &OWNERS).ok_or_else(|| fault("fault.entry.seat"))?;
    match often {
        "1" => Ok((board.position(seat), 1)),
        "2" => Ok((board.position(seat), 2)),
        _ => Err(fault("fault.entry.often")),
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Options};

    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
        let english = Proteus::INFO.english();
        parse_position(&game, text).expect_err("faults").faults.iter().map(|fault| english.format(fault)).collect()
    }

    #[test]
    fn every_fault_is_named() {
        let earlier = "Rc+Bc+Yc+RsBsYsRtBtYt";
        let past = format!("{earlier},s-T-CtcC-,B,1|{earlier},s-T-CtcS-,B,1|{earlier},s-T-CtcS-,B,2");
        assert_eq!(
            faults(&format!("Rc+:Bc/Rs+:Ws/Rs:Bx/Yc/Yc:Ws/-:Bc/-/-/- X +301 {past}")),
            [
                "cells: b1: Rs is the second face-up tile of its colour".to_owned(),
                "cells: c1: the tile Rs occurs twice".to_owned(),
                "cells: c1: \"Bx\" is not a counter".to_owned(),
                "cells: b2: the tile Yc occurs twice".to_owned(),
                "cells: b2: the counter Ws occurs twice".to_owned(),
                "cells: c2: a counter without a tile".to_owned(),
                "cells: c2: the counter Bc occurs twice".to_owned(),
                "seat to act: \"X\" is neither B nor W".to_owned(),
                "action count: expected a number here, found \"+301\"".to_owned(),
                format!("repetition data: \"{earlier},s-T-CtcC-,B,1\": the counter Wc occurs twice"),
                "repetition data: a position occurs in two entries".to_owned(),
            ],
        );
        assert_eq!(
            faults(&format!("Rc:Bc/Rs+/Bt+/-/-/-/-/-/- X 0 {earlier},s-T-CtcS-,B,2")),
            [
                "seat to act: \"X\" is neither B nor W",
                "action count: 0, but the placement is not over",
                "cells: Rs is face up without its match",
                "cells: Bt is face up without its match",
                "repetition data: 2 earlier positions of the movement phase, but there were 0",
            ],
        );
    }
}
