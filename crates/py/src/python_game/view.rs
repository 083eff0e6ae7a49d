//! The view of a Python game: its board, and the pieces, scores and prompt of a state.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use tavola_core::view::{ActionView, Counter, Decisive, Piece, SeatView};
use tavola_core::{Draw, Outcome, Seat, Shared, SmolStr, Text, ToSmolStr, View, format_smolstr};

use super::broken::{Broken, raw, shown};
use super::fault::Fault;
use super::rules::{Action, PythonGame, Rules};
use super::state::PythonState;

/// The parts of a view that a state describes.
#[derive(Default)]
pub(crate) struct Shown {
    pub(crate) pieces: Vec<Shared<Piece>>,
    pub(crate) scores: Vec<i64>,
    pub(crate) supply: Vec<(String, i64)>,
    prompt: Option<Text>,
    decisive: Vec<SmolStr>,
}

/// An optional attribute of a state; `None` if it is missing or None.
fn optional<'py>(object: &Bound<'py, PyAny>, name: &Bound<'py, PyString>) -> Result<Option<Bound<'py, PyAny>>, Broken> {
    let value = object.getattr_opt(name).map_err(|error| Broken::raised(object.py(), &format!("`{name}`"), error))?;
    Ok(value.filter(|value| !value.is_none()))
}

impl Rules {
    /// The pieces of a state, in the order of the board's cells.
    fn pieces(&self, object: &Bound<'_, PyAny>) -> Result<Vec<Shared<Piece>>, Broken> {
        let py = object.py();
        let Some(value) = optional(object, intern!(py, "pieces"))? else { return Ok(Vec::new()) };
        let failed = |error| Broken::raised(py, "`pieces`", error);
        let mut pieces: Vec<Piece> = Vec::new();
        for item in value.try_iter().map_err(failed)? {
            let piece = self.piece(&item.map_err(failed)?)?;
            pieces.push(piece);
        }
        // Stable: the pieces of one cell keep their order, the lowest first.
        pieces.sort_by_key(|piece| self.cells[&piece.cell]);
        let mut level = 0;
        for place in 0..pieces.len() {
            level = if place > 0 && pieces[place - 1].cell == pieces[place].cell { level + 1 } else { 0 };
            pieces[place].level = level;
            pieces[place].id = format_smolstr!("{}.{level}", pieces[place].cell);
        }
        Ok(pieces.into_iter().map(Shared::from).collect())
    }

    fn piece(&self, item: &Bound<'_, PyAny>) -> Result<Piece, Broken> {
        let wrong = || {
            let fault = Fault::new("`pieces` must be triples of a cell, a symbol and a seat or None; not {value}");
            Broken::new(fault.with("value", shown(item)))
        };
        let (cell, symbol, owner): (String, String, Option<u8>) = item.extract().map_err(|_| wrong())?;
        if !self.cells.contains_key(cell.as_str()) {
            let fault = Fault::new("the piece {piece} is on {cell}, which is no cell of the board");
            return Err(Broken::new(fault.with("piece", shown(item)).with("cell", format!("{cell:?}"))));
        }
        if owner.is_some_and(|owner| usize::from(owner) >= self.seats) {
            return Err(wrong());
        }
        let Some(known) = self.symbols.get(&symbol) else {
            let fault = Fault::new("the symbol {symbol} of a piece is not one of the game's `symbols`");
            return Err(Broken::new(fault.with("symbol", format!("{symbol:?}"))));
        };
        let label = match owner {
            Some(owner) => Text::new("piece.owned").with("seat", seat_name(owner)).with("piece", known.label.clone()),
            None => known.label.clone(),
        };
        Ok(Piece {
            id: SmolStr::default(),
            cell: cell.into(),
            symbol: symbol_id(owner, known.id),
            label,
            level: 0,
            turn: 0,
            owner,
        })
    }

    /// The parts of a view that a state describes.
    pub(crate) fn read(&self, object: &Bound<'_, PyAny>) -> Result<Shown, Broken> {
        let py = object.py();
        let pieces = self.pieces(object)?;
        let mut shown_here = Shown { pieces, ..Shown::default() };
        if let Some(value) = optional(object, intern!(py, "scores"))? {
            let scores: Option<Vec<i64>> = value.extract().ok();
            shown_here.scores = scores.filter(|scores| scores.len() == self.seats).ok_or_else(|| {
                let fault = Fault::new("`scores` must be one integer for each seat, not {value}");
                Broken::new(fault.with("value", shown(&value)))
            })?;
        }
        if let Some(value) = optional(object, intern!(py, "supply"))? {
            let read = |items: Bound<'_, PyAny>| items.try_iter()?.map(|pair| pair?.extract()).collect::<PyResult<_>>();
            let pairs = value.call_method0("items").and_then(read);
            shown_here.supply = pairs.map_err(|_| {
                let fault = Fault::new("`supply` must be a mapping from names to integers, not {value}");
                Broken::new(fault.with("value", shown(&value)))
            })?;
        }
        if let Some(value) = optional(object, intern!(py, "prompt"))? {
            let text: String = value.extract().map_err(|_| {
                Broken::new(Fault::new("`prompt` must be a text, not {value}").with("value", shown(&value)))
            })?;
            shown_here.prompt = Some(self.label(&text));
        }
        if let Some(value) = optional(object, intern!(py, "decisive"))? {
            let cells: Option<Vec<String>> = value.extract().ok();
            let known = |cells: &Vec<String>| cells.iter().all(|cell| self.cells.contains_key(cell.as_str()));
            let cells = cells.filter(known).ok_or_else(|| {
                let fault = Fault::new("`decisive` must be a list of cells of the board, not {value}");
                Broken::new(fault.with("value", shown(&value)))
            })?;
            shown_here.decisive = cells.into_iter().map(SmolStr::from).collect();
        }
        Ok(shown_here)
    }

    /// Why the game ended.
    pub(crate) fn outcome_text(&self, outcome: &Outcome) -> Text {
        let names = outcome.winners.iter().map(seat_name);
        let names = names.reduce(|one, other| Text::new("seats.and").with("one", one).with("other", other));
        let key = format!("outcome.{}", outcome.reason);
        let text = match names {
            _ if self.has_message(&key) => Text::new(key),
            Some(_) => Text::new("outcome.won").with("reason", outcome.reason),
            None => Text::new("outcome.drawn").with("reason", outcome.reason),
        };
        names.map_or(text.clone(), |names| text.with("seat", names))
    }

    fn action_view(&self, action: Action) -> Shared<ActionView> {
        let spec = &self.actions[action as usize];
        Shared::from(ActionView {
            token: spec.token.clone(),
            touches: spec.touches.clone(),
            any_order: false,
            turn: None,
            label: spec.label.clone(),
            kind: "play".into(),
            preview: Vec::new(),
            warning: None,
        })
    }

    /// The name of an action or chance outcome.
    pub(crate) fn action_label(&self, action: Action) -> Text {
        let known = self.actions.get(action as usize);
        known.map_or_else(|| raw(self.token(action).trim_start_matches('*')), |spec| spec.label.clone())
    }
}

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

fn symbol_id(owner: Option<Seat>, symbol: usize) -> SmolStr {
    let owner = owner.map_or_else(|| "n".into(), |owner| owner.to_smolstr());
    format_smolstr!("piece-{owner}-{symbol}")
}

impl PythonGame {
    /// The view; its prompt is the failure if the rules fail.
    pub(crate) fn shown(&self, py: Python<'_>, state: &PythonState) -> View {
        let rules = &self.0;
        let mut outcome = self.outcome_view(state);
        let failures = rules.failures.count();
        let described = if state.object.is_none(py) {
            Shown { prompt: Some(raw(&rules.failures.last())), ..Shown::default() } // a failure replaced the state
        } else {
            rules.read(state.object.bind(py)).unwrap_or_else(|broken| {
                let prompt = Some(raw(&broken.what.english()));
                rules.failures.add(broken.what, state.text().to_owned(), broken.cause);
                Shown { prompt, ..Shown::default() }
            })
        };
        if let Some(outcome) = &mut outcome {
            outcome.decisive = Decisive::cells(described.decisive);
        }
        let prompt = described.prompt.filter(|_| outcome.is_none() || rules.failures.count() != failures);
        let prompt = prompt.unwrap_or_else(|| Text::new(if outcome.is_some() { "prompt.over" } else { "prompt.act" }));
        let counter = |id: SmolStr, label, value| Shared::from(Counter { id, label, value, of: None, symbol: None });
        View {
            game: rules.info.name.into(),
            to_act: state.actor.number(),
            turn: state.turn,
            prompt,
            areas: rules.areas.clone(),
            pieces: described.pieces,
            seats: (0..rules.seats as Seat)
                .map(|seat| SeatView {
                    seat,
                    name: seat_name(seat),
                    symbol: format_smolstr!("seat-{seat}"),
                    counters: described
                        .scores
                        .get(usize::from(seat))
                        .map(|&score| counter("score".into(), Text::new("counter.score"), score))
                        .into_iter()
                        .collect(),
                })
                .collect(),
            supply: described
                .supply
                .iter()
                .enumerate()
                .map(|(place, (name, value))| counter(place.to_smolstr(), rules.label(name), *value))
                .collect(),
            cards: Vec::new(),
            lines: Vec::new(),
            actions: state.legal_actions.iter().map(|&action| rules.action_view(action)).collect(),
            outcome,
        }
    }
}
