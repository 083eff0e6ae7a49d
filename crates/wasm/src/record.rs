//! Records in and out of an analysis: a tree of actions, and every fault of a pasted text.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Value, json};
use tavola_core::info::RULES_VERSION;
use tavola_core::locale::Locale;
use tavola_core::record::{Record, RecordError, Step, shown_turn};
use tavola_core::text::Text;
use tavola_core::{Actor, Event, MoveLabel, Options};
use tavola_registry::{AnyGame, AnyState, IllegalAction};

use crate::request::{Fault, Place, illegal};

/// An action of the tree.
#[derive(Debug, Serialize)]
pub(crate) struct Node {
    /// The index of the node before; `None` after the first position.
    parent: Option<usize>,
    token: String,
    seat: i32,
    turn: u32,
    label: Option<Text>,
    #[serde(rename = "move")]
    move_label: Option<MoveLabel>,
    events: Vec<Event>,
    comments: Vec<String>,
}

/// A fault of a text.
#[derive(Debug, Serialize)]
pub(crate) struct TextFault {
    /// The line of the text, from 1.
    pub line: usize,
    pub text: String,
}

impl TextFault {
    pub fn new(error: &RecordError, language: &str) -> Self {
        Self { line: error.line, text: Locale::shared(language).format(&error.fault) }
    }
}

/// The label of an action: that of the view, or what chance did.
pub(crate) fn label(state: &AnyState, token: &str) -> Option<Text> {
    let actions = state.view(None).actions;
    let known = actions.iter().find(|action| action.token == token).map(|action| action.label.clone());
    known.or_else(|| state.events(token).ok()?.into_iter().find_map(|event| event.text))
}

/// A legal action as an entry of the list of actions.
pub(crate) fn entry(state: &AnyState, token: &str) -> Result<Value, Fault> {
    let events = state.events(token).map_err(|error| illegal(&error.token))?;
    let move_label = state.move_label(token).map_err(|error| illegal(&error.token))?;
    Ok(json!({
        "seat": seat(state),
        "turn": state.turn(),
        "token": token,
        "label": label(state, token),
        "move": move_label,
        "events": events,
    }))
}

/// The seat to act: -1 for chance and after the end.
pub(crate) fn seat(state: &AnyState) -> i32 {
    match state.to_act() {
        Actor::Seat(seat) => i32::from(seat),
        Actor::Chance | Actor::Terminal => -1,
    }
}

/// Replays a record with its variations into one tree. An action that two lines share is one node, with the comments of both.
pub(crate) struct Import<'a> {
    game: &'a AnyGame,
    locale: Locale,
    known: HashMap<(Option<usize>, String), usize>,
    pub nodes: Vec<Node>,
    pub faults: Vec<TextFault>,
}

impl<'a> Import<'a> {
    pub fn new(game: &'a AnyGame, language: &str) -> Self {
        let locale = game.info().locale(language);
        Self { game, locale, known: HashMap::new(), nodes: Vec::new(), faults: Vec::new() }
    }

    /// Adds a line after a node, then its variations, so that the line comes first wherever they begin alike. An
    /// illegal action ends the line; its variations are still read. `before`: the comments before the first action.
    /// Returns the state after the line.
    pub fn add(&mut self, state: &AnyState, line: &[Step], parent: Option<usize>, before: &[String]) -> AnyState {
        let (mut state, mut parent) = (state.clone(), parent);
        let mut branches = Vec::new();
        let mut comments = before.to_vec();
        for step in line {
            branches.push((state.clone(), parent, &step.variations));
            let next = match state.play(&step.token) {
                Ok(next) => next,
                Err(error) => {
                    self.reject(&state, step, &error);
                    break;
                }
            };
            comments.extend_from_slice(&step.comments);
            parent = Some(self.node(&state, step, parent, std::mem::take(&mut comments)));
            state = next;
        }
        let last = state;
        for (state, parent, variations) in branches {
            for variation in variations {
                self.add(&state, &variation.line, parent, &variation.comments);
            }
        }
        last
    }

    /// The node of a legal action.
    fn node(&mut self, state: &AnyState, step: &Step, parent: Option<usize>, comments: Vec<String>) -> usize {
        let key = (parent, step.token.clone());
        if let Some(&known) = self.known.get(&key) {
            self.nodes[known].comments.extend(comments);
            return known;
        }
        self.known.insert(key, self.nodes.len());
        self.nodes.push(Node {
            parent,
            token: step.token.clone(),
            seat: seat(state),
            turn: state.turn(),
            label: label(state, &step.token),
            move_label: state.move_label(&step.token).ok().flatten(),
            events: state.events(&step.token).unwrap_or_default(),
            comments,
        });
        self.nodes.len() - 1
    }

    fn reject(&mut self, state: &AnyState, step: &Step, error: &IllegalAction) {
        let reason = self.locale.format(&self.game.reason(state, error));
        let line = step.place.map_or(1, |(line, _)| line);
        self.faults.push(TextFault { line, text: format!("{}: {reason}", error.token) });
    }
}

/// Replaces the options of a record by their list. The version of the rules has a tag of its own.
pub(crate) fn list_options(options: &Options, record: &mut Record) {
    let words: Vec<_> = options.iter().filter(|(name, _)| *name != RULES_VERSION).collect();
    for (_, text) in record.tags.iter_mut().filter(|(name, _)| name == "Options") {
        *text = words.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ");
    }
}

/// Numbers the turns of a line, as far as its actions are legal. `before`: the turn of the action before it.
pub(crate) fn number_turns(state: &AnyState, line: &mut [Step], mut before: Option<u32>) {
    let mut state = state.clone();
    for step in line {
        for variation in &mut step.variations {
            number_turns(&state, &mut variation.line, before);
        }
        step.turn = shown_turn(state.turn(), &mut before);
        let Ok(next) = state.play(&step.token) else { return };
        state = next;
    }
}

/// The first position of a record.
pub(crate) fn place(record: &Record) -> Result<Place, RecordError> {
    let game = record.game()?;
    // Of an unknown game there is more to say than of its options.
    let options = tavola_registry::find(game).map_or_else(|_| Ok(BTreeMap::new()), |info| record.options(info))?;
    let position = record.tag("Position").map(str::to_owned);
    Ok(Place { game: game.to_owned(), options, position, line: Vec::new() })
}
