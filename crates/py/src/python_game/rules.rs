//! The rules of a Python game under its options: the object, its actions and its board.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use serde::Deserialize;
use tavola_core::view::{Area, Cell, Shape};
use tavola_core::{Info, Shared, SmolStr, Text};

use super::broken::raw;
use super::failures::Failures;

/// The number of an action: of a seat below the number of actions, else of a chance outcome.
pub(crate) type Action = u32;

/// A game whose rules are a Python object.
#[derive(Clone)]
pub(crate) struct PythonGame(pub(crate) Arc<Rules>);

/// The rules under one choice of options.
pub(crate) struct Rules {
    pub(crate) object: Py<PyAny>,
    pub(crate) info: &'static Info,
    pub(crate) seats: usize,
    /// The actions of seats, in the order of their numbers.
    pub(crate) actions: Vec<ActionSpec>,
    /// The tokens of chance outcomes; their numbers follow those of the actions.
    pub(crate) chance: Vec<SmolStr>,
    numbers: HashMap<SmolStr, Action>,
    pub(crate) areas: Vec<Area>,
    /// The places of the cells by id.
    pub(crate) cells: HashMap<SmolStr, u32>,
    /// The rows and columns of observations.
    pub(crate) board: (usize, usize),
    /// The planes of observations that the game declares.
    pub(crate) planes: Option<Vec<PlaneSpec>>,
    /// Whether states have scores.
    pub(crate) has_scores: bool,
    /// The names of the numbers of the whole table.
    pub(crate) supply: Vec<String>,
    /// The names of the symbols of pieces.
    pub(crate) symbols: HashMap<String, Symbol>,
    /// The keys of the game's messages.
    pub(crate) words: Vec<String>,
    pub(crate) most_actions: u32,
    pub(crate) has_estimate: bool,
    pub(crate) failures: Failures,
}

/// An action: its token, the cells to select, and its name.
#[derive(Deserialize)]
pub(crate) struct ActionSpec {
    pub(crate) token: SmolStr,
    pub(crate) touches: Vec<SmolStr>,
    pub(crate) label: Text,
}

/// A symbol of pieces: its place in the art, and its name.
#[derive(Deserialize)]
pub(crate) struct Symbol {
    pub(crate) id: usize,
    pub(crate) label: Text,
}

/// A plane of observations that a game declares.
#[derive(Deserialize)]
pub(crate) struct PlaneSpec {
    pub(crate) name: String,
    pub(crate) high: u8,
    pub(crate) about: String,
}

/// The rules as `tavola.custom` prepares them.
#[derive(Deserialize)]
struct Prepared {
    seats: usize,
    actions: Vec<ActionSpec>,
    chance: Vec<SmolStr>,
    areas: Vec<AreaSpec>,
    board: (usize, usize),
    planes: Option<Vec<PlaneSpec>>,
    has_scores: bool,
    supply: Vec<String>,
    symbols: HashMap<String, Symbol>,
    words: Vec<String>,
    most_actions: u32,
    has_estimate: bool,
}

#[derive(Deserialize)]
struct AreaSpec {
    id: SmolStr,
    shape: String,
    label: Text,
    cells: Vec<CellSpec>,
}

#[derive(Deserialize)]
struct CellSpec {
    id: SmolStr,
    x: f64,
    y: f64,
    symbol: Option<SmolStr>,
    label: Text,
    part_of: Option<SmolStr>,
}

impl From<AreaSpec> for Area {
    fn from(area: AreaSpec) -> Self {
        let shape = match area.shape.as_str() {
            "square" => Shape::Square,
            "hex" => Shape::Hex,
            _ => Shape::Free,
        };
        let cells = area.cells.into_iter().map(|cell| {
            let CellSpec { id, x, y, symbol, label, part_of } = cell;
            Shared::from(Cell { id, x, y, symbol, label, marks: Vec::new(), value: None, part_of })
        });
        Self { id: area.id, shape, label: area.label, size: 1.0, cells: cells.collect() }
    }
}

impl PythonGame {
    /// The game of an object and the JSON of `tavola.custom` about it.
    ///
    /// # Errors
    /// If the JSON is not of this shape.
    pub(crate) fn new(info: &'static Info, object: Py<PyAny>, json: &str) -> serde_json::Result<Self> {
        let prepared: Prepared = serde_json::from_str(json)?;
        let Prepared { seats, actions, chance, areas, board, planes, has_scores, supply, symbols, .. } = prepared;
        let Prepared { words, most_actions, has_estimate, .. } = prepared;
        let tokens = actions.iter().map(|action| &action.token).chain(&chance);
        let numbers = tokens.zip(0..).map(|(token, number)| (token.clone(), number)).collect();
        let areas: Vec<Area> = areas.into_iter().map(Area::from).collect();
        let cells = areas.iter().flat_map(|area| &area.cells).zip(0..).map(|(cell, place)| (cell.id.clone(), place));
        Ok(Self(Arc::new(Rules {
            cells: cells.collect(),
            object,
            info,
            seats,
            actions,
            chance,
            numbers,
            areas,
            board,
            planes,
            has_scores,
            supply,
            symbols,
            words,
            most_actions,
            has_estimate,
            failures: Failures::default(),
        })))
    }
}

impl Rules {
    /// The number of an action or chance outcome.
    pub(crate) fn number(&self, token: &str) -> Option<Action> {
        self.numbers.get(token).copied()
    }

    /// The token of an action or chance outcome.
    pub(crate) fn token(&self, action: Action) -> SmolStr {
        let place = action as usize;
        self.actions
            .get(place)
            .map_or_else(|| self.chance[place - self.actions.len()].clone(), |spec| spec.token.clone())
    }

    /// Whether the game has a message of its own with this key.
    pub(crate) fn has_message(&self, key: &str) -> bool {
        self.words.iter().any(|known| known == key)
    }

    /// A label: a message of the game if it is the key of one, else literal text.
    pub(crate) fn label(&self, text: &str) -> Text {
        if self.has_message(text) { Text::new(text) } else { raw(text) }
    }
}
