//! Checks of views and events: what clients rely on.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use tavola_core::text::Param;
use tavola_core::view::{Change, Curve, Decisive, Piece, View};
use tavola_core::{Actor, Complete, Shared, SmolStr, Text};

use crate::locale::Vocabulary;

pub(crate) fn check_view<G: Complete>(game: &G, words: &Vocabulary, state: &G::State) {
    let text = game.position(state);
    let text = text.as_str();
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let viewer = game.to_act(state).seat();
    let view = game.view(state, viewer);
    assert_eq!(view.game, game.info().name);
    if game.is_public(state) {
        for other in (0..game.seats() as u8).map(Some).chain([None]) {
            let seen = game.view(state, other);
            assert_eq!(seen.areas.len(), view.areas.len(), "{text}: {other:?} sees other areas");
            for (theirs, area) in seen.areas.iter().zip(&view.areas) {
                // Pieces in front of a seat have an owner.
                let own = theirs.id == area.id && theirs.label != area.label;
                assert!(own || theirs == area, "{text}: {other:?} sees another {}", area.id);
            }
            assert_eq!(View { areas: view.areas.clone(), ..seen }, view, "{text}: {other:?} sees something else");
        }
    }
    let acting = game.to_act(state).number();
    assert_eq!(view.to_act, acting, "{text}");
    assert_eq!(view.turn, game.turn(state), "{text}");
    assert_eq!(view.seats.len(), game.seats(), "{text}");
    assert_eq!(view.outcome.is_some(), acting.is_none(), "{text}");

    check_decisive(&view, text);

    let tokens: Vec<_> = actions.iter().map(|&action| game.token(action)).collect();
    let shown: Vec<_> = view.actions.iter().map(|action| action.token.clone()).collect();
    assert_eq!(shown, tokens, "{text}: the view's actions are not the legal ones");

    let cells = cells(&view);
    assert_eq!(cells.len(), view.areas.iter().map(|area| area.cells.len()).sum::<usize>(), "{text}: a cell twice");
    for action in &view.actions {
        for cell in action.touches.iter().chain(action.preview.iter().map(|piece| &piece.cell)) {
            assert!(cells.contains(cell.as_str()), "{text}: {} touches {cell}, which is no cell", action.token);
        }
        for length in 1..=action.touches.len() {
            let refusal = game.touch_refusal(state, &action.touches[..length], action.turn);
            assert!(refusal.is_none(), "{text}: {} cannot be touched: {refusal:?}", action.token);
        }
    }
    // Checks the prospect of one action: there may be hundreds.
    if let Some(&action) = actions.get(actions.len() / 2) {
        let prospect = game.prospect(state, action);
        assert!(
            prospect.pieces.iter().all(|piece| cells.contains(piece.cell.as_str())),
            "{text}: a prospect off the board"
        );
        prospect.lines.iter().for_each(|line| check_line(line, text));
        words.check(&data(&prospect), text);
    }
    view.lines.iter().for_each(|line| check_line(line, text));
    let parts: HashSet<&str> = parts(&view, &cells, text);
    if viewer.is_some() {
        words.check_prompt(&view.prompt, text);
    }
    if game.to_act(state) != Actor::Chance {
        for cell in cells.difference(&parts) {
            let touched = [SmolStr::from(*cell)];
            let begins = view.actions.iter().any(|action| action.begins_with(&touched, None));
            let refusal = game.touch_refusal(state, &touched, None);
            assert_eq!(refusal.is_none(), begins, "{text}: touching {cell} is {refusal:?}");
            if let Some(refusal) = &refusal {
                words.check_refusal(refusal, text);
            }
        }
    }
    let mut pieces = HashSet::new();
    for piece in &view.pieces {
        assert!(pieces.insert(&piece.id), "{text}: two pieces are called {}", piece.id);
        assert!(cells.contains(piece.cell.as_str()), "{text}: {} stands on {}", piece.id, piece.cell);
    }
    words.check(&data(&view), text);
}

/// Checks that cells and lines that decided the game exist, and that a game without losers has none.
fn check_decisive(view: &View, text: &str) {
    let Some(outcome) = &view.outcome else { return };
    let (decisive, cells) = (&outcome.decisive, cells(view));
    assert!(decisive.cells.iter().all(|cell| cells.contains(cell.as_str())), "{text}: {decisive:?}: no such cell");
    assert!(decisive.cells.iter().collect::<HashSet<_>>().len() == decisive.cells.len(), "{text}: a cell twice");
    let known = |id: &SmolStr| view.lines.iter().any(|line| line.id == *id);
    assert!(decisive.lines.iter().all(known), "{text}: {decisive:?}: no such line");
    let undecided = outcome.winners.is_empty() || outcome.winners.len() == view.seats.len();
    assert!(!undecided || *decisive == Decisive::default(), "{text}: {decisive:?}: all seats share the outcome");
}

/// Checks that a part of a cell belongs to a cell that is not a part itself.
fn parts<'a>(view: &'a View, cells: &HashSet<&str>, text: &str) -> HashSet<&'a str> {
    let all = view.areas.iter().flat_map(|area| &area.cells);
    let parts: Vec<_> = all.filter_map(|cell| Some((cell.id.as_str(), cell.part_of.as_deref()?))).collect();
    let names: HashSet<&str> = parts.iter().map(|&(part, _)| part).collect();
    for (part, whole) in parts {
        assert!(cells.contains(whole) && !names.contains(whole), "{text}: {part} is a part of {whole}");
        let touched = view.actions.iter().any(|action| action.touches.iter().any(|cell| cell == part));
        assert!(!touched, "{text}: {part} is touched instead of {whole}");
    }
    names
}

fn check_line(line: &Curve, text: &str) {
    assert!(line.path.len() % 2 == 1, "{text}: the line {} is not a point and then pairs", line.id);
}

/// Checks that the events of an action lead from the pieces before it to the pieces after it.
pub(crate) fn check_events<G: Complete>(game: &G, words: &Vocabulary, state: &G::State, action: G::Action) {
    let text = format!("{} {}", game.position(state), game.token(action));
    let before = game.view(state, None);
    let mut next = state.clone();
    game.play_unchecked(&mut next, action);
    let after = game.view(&next, None);
    let events = game.events(state, action);
    words.check(&data(&events), &text);

    let known: HashSet<&str> = cells(&before).union(&cells(&after)).copied().collect();
    check_move_label(game, words, state, action, &known);
    let mut pieces = by_id(&before);
    let mut step = 0;
    for event in &events {
        assert!(event.step == step || event.step == step + 1, "{text}: step {} after {step}", event.step);
        step = event.step;
        if let Some(line) = &event.line {
            check_line(line, &text);
        }
        for cell in &event.cells {
            assert!(known.contains(cell.as_str()), "{text}: an event on {cell}, which is no cell");
        }
        match &event.change {
            Change::Placed { piece } => {
                assert!(pieces.insert(piece.id.clone(), piece.clone()).is_none(), "{text}: {} placed twice", piece.id);
            }
            Change::Moved { id, piece } | Change::Changed { id, piece } => {
                assert!(pieces.remove(id).is_some(), "{text}: {id} is not there");
                assert!(pieces.insert(piece.id.clone(), piece.clone()).is_none(), "{text}: {} twice", piece.id);
            }
            Change::Removed { id } => assert!(pieces.remove(id).is_some(), "{text}: {id} is not there"),
            Change::Laid { cell } => assert!(cells(&after).contains(cell.as_str()), "{text}: {cell} is no cell"),
            Change::Announced => {}
        }
    }
    assert_eq!(pieces, by_id(&after), "{text}: the events do not lead to the next view");
}

/// Checks that the list of moves shows an action in words, with symbols, and without the names of cells.
fn check_move_label<G: Complete>(
    game: &G,
    words: &Vocabulary,
    state: &G::State,
    action: G::Action,
    cells: &HashSet<&str>,
) {
    let Some(label) = game.move_label(state, action) else { return };
    let text = format!("{} {} in the list of moves", game.position(state), game.token(action));
    words.check(&data(&label), &text);
    label.symbols.iter().for_each(|symbol| words.check_symbol(symbol, &text));
    for cell in &label.cells {
        assert!(cells.contains(cell.as_str()), "{text}: {cell} is no cell");
    }
    assert!(!names_cell(&label.text, cells), "{text}: the text has coordinates: {:?}", label.text);
}

/// Whether a parameter of a text is the name of a cell.
fn names_cell(text: &Text, cells: &HashSet<&str>) -> bool {
    text.params.values().any(|param| match param {
        Param::Raw(raw) => cells.contains(raw.as_str()),
        Param::Text(text) => names_cell(text, cells),
        Param::Number(_) => false,
    })
}

fn cells(view: &View) -> HashSet<&str> {
    view.areas.iter().flat_map(|area| area.cells.iter().map(|cell| cell.id.as_str())).collect()
}

fn by_id(view: &View) -> BTreeMap<SmolStr, Shared<Piece>> {
    view.pieces.iter().map(|piece| (piece.id.clone(), piece.clone())).collect()
}

fn data(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("views are plain data")
}
