//! The area of the view: tiles, and blank hexes where a tile can be placed.

use tavola_core::view::{Area, Cell, Mark, Shape};
use tavola_core::{Interner, Shared, Text, ToSmolStr};

use crate::hex::{DIRECTIONS, Hex};
use crate::rules::Potlatch;
use crate::stacks::NEUTRAL_THREE;
use crate::state::State;

/// The distance between rows of hexes, in hex widths.
const ROW_DISTANCE: f64 = 0.866_025_403_784_438_6;

fn position_of(place: Hex) -> (f64, f64) {
    (f64::from(place.q) + f64::from(place.r) / 2.0, f64::from(place.r) * ROW_DISTANCE)
}

impl Potlatch {
    pub(crate) fn board(&self, state: &State) -> Area {
        let mut cells: Vec<Shared<Cell>> = state.order().iter().map(|&tile| tile_cell(state, tile)).collect();
        if self.tile_left(state) && state.end.is_none() {
            let mut blanks: Vec<Hex> = Vec::new();
            for &place in &state.places[..state.tiles as usize] {
                for direction in 0..DIRECTIONS.len() {
                    let beside = place.step(direction);
                    if state.tile_at(beside).is_none() && !blanks.contains(&beside) {
                        blanks.push(beside);
                    }
                }
            }
            blanks.sort_unstable_by_key(|blank| blank.order());
            cells.extend(blanks.into_iter().map(blank_cell));
        }
        Area { id: "board".into(), shape: Shape::Hex, label: Text::new("area.board"), size: 1.0, cells }
    }
}

fn blank_cell(place: Hex) -> Shared<Cell> {
    static BLANKS: Interner<Hex, Cell> = Interner::new();
    BLANKS.get(place, |_| cell(place, "blank", Text::new("cell.blank")))
}

fn tile_cell(state: &State, tile: u8) -> Shared<Cell> {
    static TILES: Interner<(Hex, u8, bool, bool), Cell> = Interner::new();
    let (place, height) = (state.places[tile as usize], state.stacks.height(tile));
    let visited = state.visited.contains(tile) && state.visited.len() > 1 && tile != state.pawn();
    let grows = state.run.contains(tile) && state.stacks.code(tile) < NEUTRAL_THREE;
    let playing = state.end.is_none();
    TILES.get((place, height, playing && visited, playing && grows), |&(_, _, visited, grows)| {
        let visited = visited.then(|| Mark::new("mark-visited", Text::new("mark.visited")));
        let grows = grows.then(|| Mark::new("mark-grow", Text::new("mark.increase")));
        Cell {
            marks: visited.into_iter().chain(grows).collect(),
            value: Some(height.into()),
            ..cell(place, "tile", Text::new("cell.tile"))
        }
    })
}

fn cell(place: Hex, symbol: &str, label: Text) -> Cell {
    let (x, y) = position_of(place);
    Cell {
        id: place.to_smolstr(),
        x,
        y,
        symbol: Some(symbol.into()),
        label: label.with("cell", place.to_smolstr()),
        marks: Vec::new(),
        value: None,
        part_of: None,
    }
}
