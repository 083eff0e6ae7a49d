//! Damaged texts: a parser returns errors or a sound position, and never panics.

use tavola_core::perft::next_actions;
use tavola_core::{Complete, Random};

use crate::locale::Vocabulary;

/// Characters of valid texts, and some others.
const LETTERS: &[u8] = b"0123456789,;:/|@+-* \tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\"\\{}()[]";

pub(crate) fn check<G: Complete>(game: &G, words: &Vocabulary, count: u64, random: &mut Random) {
    let mut texts = vec![String::new(), "é".to_owned(), "\u{0}".to_owned(), "9".repeat(1000), "-".repeat(100)];
    let mut state = game.start();
    for _ in 0..count {
        texts.push(damaged(&game.position(&state), random));
        let mut actions = Vec::new();
        next_actions(game, &state, &mut actions);
        if actions.is_empty() {
            state = game.start();
            continue;
        }
        let action = actions[random.below(actions.len() as u32) as usize];
        check_token(game, &damaged(&game.token(action), random));
        game.play_unchecked(&mut state, action);
    }
    for text in texts {
        check_token(game, &text);
        match game.parse_position(&text) {
            Ok(state) => check_accepted(game, &state, &text),
            Err(error) => {
                assert!(!error.is_empty(), "{text:?} is refused without a fault");
                error.faults.iter().for_each(|fault| words.check_said(fault, &text));
            }
        }
    }
}

/// An accepted text is the text of its position, which can be drawn and played.
fn check_accepted<G: Complete>(game: &G, state: &G::State, text: &str) {
    assert_eq!(game.position(state), text, "accepted, but it is not how the position is written");
    assert_eq!(game.key(state), game.key_from_scratch(state), "{text}");
    assert_eq!(game.view(state, None).game, game.info().name);
    let mut actions = Vec::new();
    next_actions(game, state, &mut actions);
    for action in actions {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        assert!(next != *state, "{text}: {} changes nothing", game.token(action));
        assert_eq!(game.key(&next), game.key_from_scratch(&next), "{text}: {}", game.token(action));
    }
}

fn check_token<G: Complete>(game: &G, token: &str) {
    if let Some(action) = game.parse_token(token) {
        assert_eq!(game.token(action), token, "accepted, but it is not how the action is written");
    }
}

/// The text with one to three characters inserted, removed, exchanged or doubled.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        let letter = LETTERS[random.below(LETTERS.len() as u32) as usize];
        match random.below(4) {
            0 => bytes.insert(at, letter),
            1 if at < bytes.len() => bytes[at] = letter,
            2 if at < bytes.len() => drop(bytes.remove(at)),
            _ => {
                let end = bytes.len().min(at + 1 + random.below(8) as usize);
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    String::from_utf8(bytes).expect("ASCII texts, ASCII damage")
}
