//! Positions being set up: tiles with their facings, counters, and the seat to act, without earlier positions.

use tavola_core::sketch::{Field, Spot, Tool};
use tavola_core::text::Param;
use tavola_core::{Draw, Sketch, SmolStr, Text, View, format_smolstr};

use crate::board::{self, CELLS, Cell};
use crate::pieces::{SHAPES, TILES, Tile, tile_name};
use crate::position::{format_position, read_sketch};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{Board, Counter, End, NONE, Reason, State};
use crate::view::labels::{counter_label, seat_name, tile_label};

pub(crate) struct ProteusSketch<'a> {
    game: &'a Proteus,
    /// The position as it is drawn: ended, so that nothing is played.
    state: State,
}

/// The pieces of each cell: what an edit changes.
#[derive(Clone, Copy, Default)]
struct Parts {
    tiles: [Option<Tile>; CELLS as usize],
    counters: [Option<Counter>; CELLS as usize],
    /// The tiles that are up, a bit each.
    ups: u16,
}

impl Parts {
    fn of(board: &Board) -> Self {
        let mut parts = Self { ups: board.ups(), ..Self::default() };
        for cell in 0..CELLS {
            parts.tiles[usize::from(cell)] = board.tile(cell);
            parts.counters[usize::from(cell)] = board.counter(cell);
        }
        parts
    }

    fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for (cell, (tile, counter)) in (0..CELLS).zip(self.tiles.into_iter().zip(self.counters)) {
            if let Some(tile) = tile {
                board.put_tile(tile, cell);
                if self.ups >> tile & 1 == 1 {
                    board.turn_up(1 << tile);
                }
            }
            // A counter lies on a tile.
            if let Some(counter) = counter.filter(|_| tile.is_some()) {
                board.put_counter(counter, cell);
            }
        }
        board
    }

    /// Moves a tile; the one there takes its place, or returns to the pool.
    fn put_tile(&mut self, tile: Tile, cell: usize) -> Result<(), Text> {
        let before = self.tiles.iter().position(|&there| there == Some(tile));
        if before == Some(cell) {
            return Err(Text::new("edit.here"));
        }
        let other = self.tiles[cell].replace(tile);
        match before {
            Some(before) => self.tiles[before] = other,
            None => self.ups &= !other.map_or(0, |other| 1 << other),
        }
        Ok(())
    }

    /// Moves a counter; the one there takes its place, or returns to the hand.
    fn put_counter(&mut self, counter: Counter, cell: usize) -> Result<(), Text> {
        if self.tiles[cell].is_none() {
            return Err(Text::new("edit.no-tile"));
        }
        let before = self.counters.iter().position(|&there| there == Some(counter));
        if before == Some(cell) {
            return Err(Text::new("edit.here"));
        }
        let other = self.counters[cell].replace(counter);
        if let Some(before) = before {
            self.counters[before] = other;
        }
        Ok(())
    }

    /// Flips a tile; only one of a colour is up.
    fn flip(&mut self, cell: usize) -> Result<(), Text> {
        let tile = self.tiles[cell].ok_or_else(|| Text::new("edit.no-tile"))?;
        let colour = 7 << (tile / 3 * 3);
        self.ups = if self.ups >> tile & 1 == 1 { self.ups & !(1 << tile) } else { self.ups & !colour | 1 << tile };
        Ok(())
    }

    /// Removes the counter of a cell, or its tile.
    fn remove(&mut self, cell: usize) -> Result<(), Text> {
        if self.counters[cell].take().is_some() {
            return Ok(());
        }
        let tile = self.tiles[cell].take().ok_or_else(|| Text::new("edit.nothing"))?;
        self.ups &= !(1 << tile);
        Ok(())
    }
}

impl<'a> ProteusSketch<'a> {
    /// The sketch of a text that is a position, or whose cells are readable.
    pub(crate) fn read(game: &'a Proteus, text: &str) -> Option<Self> {
        let (board, seat, count) = read_sketch(text)?;
        let mut state = State::of(board, seat, count);
        state.end = Some(End { winner: None, reason: Reason::Limit });
        Some(Self { game, state })
    }

    /// The text with other pieces: without earlier positions, and with an action count if everything is placed.
    fn text(&self, board: Board) -> String {
        let count = board.is_full().then_some(self.state.count.unwrap_or(0));
        format_position(&State::of(board, self.state.seat, count))
    }
}

impl Sketch for ProteusSketch<'_> {
    fn view(&self) -> View {
        View { to_act: Some(self.state.seat as i8), ..self.game.view(&self.state, None) }
    }

    fn tools(&self) -> Vec<Tool> {
        let board = &self.state.board;
        let tile = |tile: Tile| {
            let name = tile_name(tile);
            Tool::piece(name.clone(), format_smolstr!("tile-{name}"), tile_label(tile))
                .with_left(u8::from(board.cell_of(tile).is_none()))
        };
        let counter = |counter: Counter| {
            let (seat, shape) = (counter / 3, counter % 3);
            let id = format_smolstr!("counter-{seat}-{}", SHAPES[usize::from(shape)]);
            Tool::piece(id.clone(), id, counter_label(seat, shape))
                .with_left(u8::from(board.counter_cell(counter) == NONE))
        };
        let changes = [Tool::change("flip", Text::new("edit.flip")), Tool::change("remove", Text::new("edit.remove"))];
        (0..TILES).map(tile).chain((0..6).map(counter)).chain(changes).collect()
    }

    fn fields(&self) -> Vec<Field> {
        let seat = Field::choice("seat", Text::new("edit.seat"), self.state.seat, vec![seat_name(0), seat_name(1)]);
        let count = self.state.count.filter(|_| self.state.board.is_full());
        let count = count
            .map(|count| Field::number("count", Text::new("counter.count"), count.min(MOST_ACTIONS), MOST_ACTIONS));
        [seat].into_iter().chain(count).collect()
    }

    fn spots(&self, _tool: &str, _view: &View) -> Vec<Spot> {
        (0..CELLS).map(|cell| Spot { cells: vec![board::name(cell)], turn: None, preview: Vec::new() }).collect()
    }

    fn put(&self, tool: &str, cells: &[SmolStr], _turn: Option<u16>) -> Result<String, Text> {
        let cell: Option<Cell> = cells.first().and_then(|cell| board::parse(cell));
        let cell = usize::from(cell.ok_or_else(|| Text::new("edit.board"))?);
        let mut parts = Parts::of(&self.state.board);
        let tile = (0..TILES).find(|&tile| tile_name(tile) == tool);
        let tools = self.tools();
        let counter = tools.iter().skip(TILES.into()).position(|known| known.id == tool).filter(|&place| place < 6);
        match (tool, tile, counter) {
            (_, Some(tile), _) => parts.put_tile(tile, cell),
            (_, _, Some(counter)) => parts.put_counter(counter as Counter, cell),
            ("flip", ..) => parts.flip(cell),
            _ => parts.remove(cell),
        }?;
        Ok(self.text(parts.board()))
    }

    fn set(&self, field: &str, value: i64) -> Result<String, Text> {
        let State { board, seat, count, .. } = self.state;
        let full = board.is_full();
        let state = match field {
            "seat" => State::of(board, value as u8, count),
            _ => State::of(board, seat, Some(value as u16).filter(|_| full)),
        };
        let count = full.then_some(state.count.unwrap_or(0));
        Ok(format_position(&State::of(state.board, state.seat, count)))
    }

    fn concerned(&self, fault: &Text) -> Vec<SmolStr> {
        let board = &self.state.board;
        let matches = |tile: Tile| {
            let cell = board.cell_of(tile)?;
            board.counter(cell).filter(|counter| counter % 3 == tile % 3).map(|_| cell)
        };
        let of = |name: &str| match fault.params.get(name) {
            Some(Param::Raw(raw)) => raw.clone(),
            _ => SmolStr::default(),
        };
        let cells: Vec<Cell> = match &*fault.key {
            "fault.match.none" => (0..TILES)
                .filter(|&tile| tile_name(tile) == of("tile"))
                .filter_map(|tile| board.cell_of(tile))
                .collect(),
            "fault.match.down" | "fault.match.many" => {
                let colour = of("colour");
                (0..TILES).filter(|&tile| tile_name(tile).starts_with(colour.as_str())).filter_map(matches).collect()
            }
            _ => Vec::new(),
        };
        cells.into_iter().map(board::name).collect()
    }

    fn empty(&self) -> String {
        format_position(&State::new())
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Game, Notation, Options, Random};

    use super::*;

    /// The text after a tool is put on a cell.
    fn put(game: &Proteus, text: &str, tool: &str, cell: Cell) -> String {
        let sketch = ProteusSketch::read(game, text).expect("a sketch");
        sketch.put(tool, &[board::name(cell)], None).unwrap_or_else(|reason| panic!("{text} {tool}: {reason:?}"))
    }

    #[test]
    fn every_position_is_built_from_the_empty_one_without_its_past() {
        let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
        let mut random = Random::new(1);
        for round in 0..40 {
            let mut state = game.start();
            for _ in 0..round {
                let mut actions = Vec::new();
                game.legal_actions(&state, &mut actions);
                if actions.is_empty() {
                    break;
                }
                game.play_unchecked(&mut state, actions[random.below(actions.len() as u32) as usize]);
            }
            let mut text = format_position(&State::new());
            for cell in 0..CELLS {
                let Some(tile) = state.board.tile(cell) else { continue };
                text = put(&game, &text, &tile_name(tile), cell);
                if state.board.is_up(tile) {
                    text = put(&game, &text, "flip", cell);
                }
                if let Some(counter) = state.board.counter(cell) {
                    let id = format!("counter-{}-{}", counter / 3, SHAPES[usize::from(counter % 3)]);
                    text = put(&game, &text, &id, cell);
                }
            }
            let sketch = ProteusSketch::read(&game, &text).expect("a sketch");
            text = sketch.set("seat", state.seat.into()).expect("a seat");
            if let Some(count) = state.count {
                let sketch = ProteusSketch::read(&game, &text).expect("a sketch");
                text = sketch.set("count", count.into()).expect("a count");
            }
            assert_eq!(text, format_position(&State::of(state.board, state.seat, state.count)));
            assert!(game.parse_position(&text).is_ok(), "{text}");
        }
    }
}
