//! The events of an action: the differences of the pieces before and after it.

use tavola_core::view::{Change, Piece, Sound};
use tavola_core::{Event, Shared, SmolStr, Text, View};

use super::rules::{Action, PythonGame};
use super::view::seat_name;

/// The events that lead from one view to the next.
///
/// A piece that leaves one cell and appears on another has moved.
pub(crate) fn between(game: &PythonGame, before: &View, after: &View, action: Action) -> Vec<Event> {
    let rules = &game.0;
    let mut removed: Vec<&Shared<Piece>> = before.pieces.iter().filter(|piece| !after.pieces.contains(piece)).collect();
    let mut placed: Vec<&Shared<Piece>> = after.pieces.iter().filter(|piece| !before.pieces.contains(piece)).collect();
    let mut moved = Vec::new();
    removed.retain(|old| {
        let same = |new: &&Shared<Piece>| new.symbol == old.symbol && new.owner == old.owner && new.cell != old.cell;
        let Some(place) = placed.iter().position(same) else { return true };
        moved.push((*old, placed.remove(place)));
        false
    });
    let mut changes: Vec<Change> = removed.iter().map(|piece| Change::Removed { id: piece.id.clone() }).collect();
    // A piece moves when its place is free. Pieces that move in a circle are removed and placed.
    while let Some(next) = moved.iter().position(|(_, new)| !moved.iter().any(|(old, _)| old.id == new.id)) {
        let (old, new) = moved.remove(next);
        changes.push(Change::Moved { id: old.id.clone(), piece: new.clone() });
    }
    changes.extend(moved.iter().map(|(old, _)| Change::Removed { id: old.id.clone() }));
    changes
        .extend(moved.iter().map(|&(_, new)| new).chain(placed).map(|piece| Change::Placed { piece: piece.clone() }));

    let label = rules.action_label(action);
    let text = match before.to_act {
        Some(seat) if seat >= 0 => Text::new("event.play").with("seat", seat_name(seat as u8)).with("action", label),
        _ => Text::new("event.chance").with("outcome", label),
    };
    let touches = rules.actions.get(action as usize).map_or(&[] as &[SmolStr], |spec| &spec.touches);
    let sound = match (before.to_act, changes.iter().any(|change| matches!(change, Change::Moved { .. }))) {
        (Some(-1), _) => Sound::Spin,
        (_, true) => Sound::Step,
        (_, false) => Sound::Place,
    };
    if changes.is_empty() {
        changes.push(Change::Announced);
    }
    let mut texts = Some((text, sound, touches.to_vec())).into_iter();
    let mut events: Vec<Event> = changes
        .into_iter()
        .map(|change| {
            let first = texts.next();
            let (text, sound, cells) = match first {
                Some((text, sound, cells)) => (Some(text), Some(sound), cells),
                None => (None, None, Vec::new()),
            };
            Event { step: 0, change, cells, line: None, text, sound }
        })
        .collect();
    events.extend(after.outcome.iter().map(|outcome| Event {
        step: 1,
        change: Change::Announced,
        cells: Vec::new(),
        line: None,
        text: Some(outcome.text.clone()),
        sound: Some(Sound::End),
    }));
    events
}
