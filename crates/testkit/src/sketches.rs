//! Checks of position editors: every edit leads to a text that can be drawn, or is refused with a reason.

use std::collections::HashSet;

use serde_json::to_value;
use tavola_core::{Complete, Random, Sketch, SketchView};

use crate::locale::Vocabulary;

/// Of this many reachable positions, one is drawn.
const SAMPLE: u32 = 8;

/// Checks that a game draws a reachable position in its editor as in play.
pub(crate) fn check_reachable<G: Complete>(game: &G, state: &G::State) {
    let text = game.position(state);
    // Drawing takes longer than the other checks, and neighbouring states look alike.
    if !text.bytes().map(u32::from).sum::<u32>().is_multiple_of(SAMPLE) {
        return;
    }
    let Some(sketch) = game.sketch(&text) else { return };
    let shown = sketch.unwrap_or_else(|error| panic!("{text}: no sketch: {error}")).view();
    let parsed = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(shown.pieces, game.view(&parsed, None).pieces, "{text}: other pieces in the editor");
}

/// Makes random edits from the empty position on, and begins again now and then.
pub(crate) fn check<G: Complete>(game: &G, words: &Vocabulary, edits: u64, random: &mut Random) {
    let start = game.position(&game.start());
    let Some(sketch) = game.sketch(&start) else { return };
    let empty = sketch.unwrap_or_else(|error| panic!("{start}: no sketch: {error}")).empty();
    let mut text = empty.clone();
    for _ in 0..edits {
        let sketch = sketch_of(game, &text);
        assert_eq!(sketch.empty(), empty, "{text}: another empty position");
        check_shown(&*sketch, words, &text);
        if let Ok(state) = game.parse_position(&text) {
            assert_eq!(game.position(&state), text, "a valid sketch has another text as a position");
        } else {
            let error = game.parse_position(&text).expect_err("checked above");
            error.faults.iter().for_each(|fault| words.check_said(fault, &text));
        }
        let edited = edit(&*sketch, &text, words, random);
        if random.below(60) == 0 {
            text.clone_from(&empty);
        } else if let Some(edited) = edited {
            text = edited;
        }
    }
}

fn sketch_of<'a, G: Complete>(game: &'a G, text: &str) -> Box<dyn Sketch + 'a> {
    let sketch = game.sketch(text).expect("an editor");
    sketch.unwrap_or_else(|error| panic!("{text}: cannot be drawn after an edit: {error}"))
}

/// The text after a random edit; `None` if it is refused.
fn edit(sketch: &dyn Sketch, text: &str, words: &Vocabulary, random: &mut Random) -> Option<String> {
    let mut pick = |count: usize| random.below(count as u32) as usize;
    let (tools, fields) = (sketch.tools(), sketch.fields());
    let edited = if pick(4) == 0 && !fields.is_empty() {
        let field = &fields[pick(fields.len())];
        sketch.set(&field.id, pick(field.most as usize + 1) as i64)
    } else {
        let tool = &tools[pick(tools.len())];
        let spots = sketch.spots(&tool.id, &sketch.view());
        let spot = spots.get(pick(spots.len().max(1)))?;
        sketch.put(&tool.id, &spot.cells, spot.turn)
    };
    match edited {
        Ok(edited) => Some(edited),
        Err(reason) => {
            words.check_said(&reason, text);
            None
        }
    }
}

/// Checks that tray, fields and edits have messages and symbols, and that fields are in their range.
fn check_shown(sketch: &dyn Sketch, words: &Vocabulary, text: &str) {
    let tools = sketch.tools();
    let shown = SketchView::new(sketch, tools.last().map(|tool| tool.id.as_str()));
    words.check(&to_value(&shown).expect("views are plain data"), text);
    let ids: HashSet<_> = tools.iter().map(|tool| &tool.id).collect();
    assert_eq!(ids.len(), tools.len(), "{text}: a tool twice");
    assert!(tools.iter().all(|tool| tool.left.is_none_or(|left| left >= 0)), "{text}: fewer than no pieces left");
    for field in &shown.fields {
        assert!((0..=field.most).contains(&field.value), "{text}: {field:?}");
    }
    let cells: HashSet<_> = shown.view.areas.iter().flat_map(|area| &area.cells).map(|cell| &cell.id).collect();
    for action in &shown.view.actions {
        assert!(action.touches.iter().all(|cell| cells.contains(cell)), "{text}: {action:?} touches no cell");
    }
}
