//! Records in and out of an analysis: a tree of actions, and every fault of a pasted text.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use tavola_core::locale::Locale;
use tavola_core::record::{Record, Step};
use tavola_core::text::Text;
use tavola_core::{Actor, Event, MoveLabel};
use tavola_registry::{AnyGame, AnyState, IllegalAction};

use crate::request::{Fault, illegal};

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
    comment: String,
}

/// A fault of a text.
#[derive(Debug, Serialize)]
pub(crate) struct TextFault {
    /// The line of the text, from 1.
    pub line: usize,
    pub text: String,
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

/// The locale of a game.
pub(crate) fn locale(game: &AnyGame, language: &str) -> Locale {
    let assets = game.info().assets.locales.iter().find(|(known, _)| *known == language);
    assets.and_then(|(language, json)| Locale::parse(language, json).ok()).unwrap_or_else(Locale::english)
}

/// The words of a text of records with their lines, without comments and tags.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut depth = 0;
    let mut rest = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut begin = 0;
        let tag = depth == 0 && line.trim_start().starts_with('[');
        for (at, character) in line.char_indices().filter(|_| !tag) {
            let ends = depth > 0 || character.is_whitespace() || "(){}".contains(character);
            if ends && depth == 0 && begin < at {
                rest.push((number + 1, &line[begin..at]));
            }
            match character {
                '{' => depth = 1,
                '}' => depth = 0,
                _ => {}
            }
            if ends {
                begin = at + character.len_utf8();
            }
        }
        if !tag && depth == 0 && begin < line.len() {
            rest.push((number + 1, &line[begin..]));
        }
    }
    rest.into_iter()
}

/// Replays a record with its variations.
pub(crate) struct Import<'a> {
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    line: usize,
    locale: Locale,
    pub nodes: Vec<Node>,
    pub faults: Vec<TextFault>,
}

impl<'a> Import<'a> {
    pub fn new(text: &'a str, locale: Locale) -> Self {
        Self { words: Box::new(words(text)), line: 1, locale, nodes: Vec::new(), faults: Vec::new() }
    }

    /// Adds a line after a node. An illegal action ends it; its variations are still read.
    pub fn add(&mut self, state: &AnyState, line: &[Step], parent: Option<usize>) {
        self.add_after(state, line, parent, &[]);
    }

    /// `before`: the comments before the first action.
    fn add_after(&mut self, state: &AnyState, line: &[Step], parent: Option<usize>, before: &[String]) {
        let mut here = Some((state.clone(), parent));
        let mut comments = before.to_vec();
        for step in line {
            if let Some((number, _)) = self.words.find(|(_, word)| *word == step.token) {
                self.line = number;
            }
            let before = here.take();
            if let Some((state, parent)) = &before {
                match state.play(&step.token) {
                    Ok(next) => {
                        comments.extend_from_slice(&step.comments);
                        self.nodes.push(Node {
                            parent: *parent,
                            token: step.token.clone(),
                            seat: seat(state),
                            turn: state.turn(),
                            label: label(state, &step.token),
                            move_label: state.move_label(&step.token).ok().flatten(),
                            events: state.events(&step.token).unwrap_or_default(),
                            comment: std::mem::take(&mut comments).join(" "),
                        });
                        here = Some((next, Some(self.nodes.len() - 1)));
                    }
                    Err(error) => self.reject(&error),
                }
            }
            for variation in &step.variations {
                if let Some((state, parent)) = &before {
                    self.add_after(state, &variation.line, *parent, &variation.comments);
                }
            }
        }
    }

    fn reject(&mut self, error: &IllegalAction) {
        let reason = error.refusal.as_ref().map(|refusal| self.locale.format(&refusal.text));
        let text = reason.map_or_else(|| error.token.clone(), |reason| format!("{}: {reason}", error.token));
        self.faults.push(TextFault { line: self.line, text });
    }
}

/// Options as a record writes them: `players=3 layout=ring`.
pub(crate) fn pairs(text: &str) -> BTreeMap<String, String> {
    let words = text.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")));
    words.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The options of a record's tags. A tag `Rules` of other rules than today's is an option too.
pub(crate) fn options(record: &Record) -> BTreeMap<String, String> {
    let mut options = pairs(record.tag("Options").unwrap_or(""));
    let info = tavola_registry::games().into_iter().find(|info| Some(info.name) == record.tag("Game"));
    if let (Some(info), Some(rules)) = (info, record.tag("Rules"))
        && rules != info.rules_version.to_string()
    {
        options.insert("rules_version".to_owned(), rules.to_owned());
    }
    options
}

/// The line of a tag in a text, from 1.
pub(crate) fn line_of_tag(text: &str, tag: &str) -> usize {
    let begins = |line: &str| line.trim_start().strip_prefix('[').is_some_and(|rest| rest.starts_with(tag));
    text.lines().position(begins).map_or(1, |line| line + 1)
}
