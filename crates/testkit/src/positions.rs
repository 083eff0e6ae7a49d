//! Checks of every position of random games against the contract.

use std::collections::HashSet;

use tavola_core::perft::next_actions;
use tavola_core::{Actor, Complete, GameExt, Random, SeatSet, mask};

use crate::evaluation;
use crate::locale::Vocabulary;
use crate::observations::Observer;
use crate::playouts;
use crate::sketches;
use crate::views;

/// The number of actions to try in every position: all actions in most games.
const TRIED: usize = 256;

/// The view of a position with more actions is checked more rarely, because it is long.
const SEEN: usize = 40;

/// The maximum length of a game: every sequence of actions must end.
const LONGEST: u64 = 100_000;

/// Plays a random game; returns the number of its states.
pub(crate) fn play_and_check<G: Complete>(
    game: &G,
    words: &Vocabulary,
    observer: &mut Observer,
    random: &mut Random,
) -> u64 {
    playouts::check_at_once(game, random);
    let mut state = game.start();
    let mut turn = game.turn(&state);
    assert_eq!(turn, 1, "the first turn");
    for states in 1..=LONGEST {
        let before = std::mem::replace(&mut turn, game.turn(&state));
        assert!(before <= turn, "{}: turn {turn} after turn {before}", game.position(&state));
        let tried = tried(game.action_count(), random);
        let mut actions = Vec::new();
        next_actions(game, &state, &mut actions);
        check_state(game, words, &state, &tried);
        observer.check(game, &state, random);
        let seen = random.below(1 + (actions.len() / SEEN) as u32) == 0;
        if seen {
            views::check_view(game, words, &state);
        }
        if actions.is_empty() {
            assert!(turn > 1, "{}: the game is over in its first turn", game.position(&state));
            return states;
        }
        evaluation::check(game, &state);
        playouts::check(game, &state, random);
        let action = actions[random.below(actions.len() as u32) as usize];
        check_playing(game, &state, action, &tried);
        if seen {
            views::check_events(game, words, &state, action);
        }
        game.play_unchecked(&mut state, action);
    }
    panic!("a game that does not end: {}", game.position(&state));
}

/// The numbers of the actions to try in a position.
fn tried(count: usize, random: &mut Random) -> Vec<usize> {
    if count <= TRIED {
        (0..count).collect()
    } else {
        (0..TRIED).map(|_| random.below(count as u32) as usize).collect()
    }
}

fn check_state<G: Complete>(game: &G, words: &Vocabulary, state: &G::State, tried: &[usize]) {
    let text = game.position(state);
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    game.legal_actions(state, &mut actions);
    game.chance_outcomes(state, &mut outcomes);
    let outcome = game.outcome(state);

    match game.to_act(state) {
        Actor::Seat(seat) => {
            assert!(usize::from(seat) < game.seats(), "{text}: seat {seat} of {}", game.seats());
            assert!(!actions.is_empty(), "{text}: a seat must act and cannot");
            assert!(outcomes.is_empty() && outcome.is_none(), "{text}: a seat acts, or chance, or it is over");
        }
        Actor::Chance => {
            assert!(!outcomes.is_empty(), "{text}: chance must act and cannot");
            assert!(actions.is_empty() && outcome.is_none(), "{text}: a seat acts, or chance, or it is over");
        }
        Actor::Terminal => {
            let outcome = outcome.unwrap_or_else(|| panic!("{text}: nobody acts, but there is no outcome"));
            assert!(actions.is_empty() && outcomes.is_empty(), "{text}: it is over, but there are actions");
            let won = outcome.winners != SeatSet::EMPTY;
            assert!(won || game.info().has_draws, "{text}: nobody has won, in a game without draws");
            let returns = outcome.returns(game.seats());
            assert_eq!(returns.len(), game.seats(), "{text}: one return per seat");
            assert!(returns.iter().sum::<f64>().abs() < 1e-9, "{text}: returns that do not sum to zero");
        }
    }
    assert!(outcomes.iter().all(|&(_, weight)| weight > 0), "{text}: an outcome of weight 0");
    check_tokens(game, &text, &actions, &outcomes);
    check_encoding(game, words, state, &text, &actions, tried);
    sketches::check_reachable(game, state);

    // Texts read back to the same position, and equal positions have equal keys.
    let parsed = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: its own text is refused: {error}"));
    assert!(parsed == *state, "{text}: reads back to another position: {}", game.position(&parsed));
    assert_eq!(game.position(&parsed), text, "reads back to another text");
    assert_eq!(game.key(&parsed), game.key(state), "{text}: equal positions, other keys");
    assert_eq!(game.key(state), game.key_from_scratch(state), "{text}: the key has lost its way");
}

fn check_tokens<G: Complete>(game: &G, text: &str, actions: &[G::Action], outcomes: &[(G::Action, u64)]) {
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "{text}: actions not sorted and unique: {actions:?}");
    let mut seen = HashSet::new();
    let by_seat = actions.iter().map(|&action| (action, false));
    for (action, by_chance) in by_seat.chain(outcomes.iter().map(|&(outcome, _)| (outcome, true))) {
        let token = game.token(action);
        assert_eq!(game.parse_token(&token), Some(action), "{text}: {token} reads back to another action");
        assert!(token.bytes().all(|byte| byte.is_ascii_graphic()), "{text}: {token:?} is not printable");
        assert_eq!(token.starts_with('*'), by_chance, "{text}: {token}: a star marks chance");
        assert!(seen.insert(token.clone()), "{text}: two actions are written {token}");
    }
}

fn check_encoding<G: Complete>(
    game: &G,
    words: &Vocabulary,
    state: &G::State,
    text: &str,
    actions: &[G::Action],
    tried: &[usize],
) {
    let count = game.action_count();
    for &action in actions {
        let index = game.index(action);
        assert!(index < count, "{text}: {} has number {index} of {count}", game.token(action));
        assert_eq!(game.action(index), Some(action), "{text}: number {index} is another action");
    }
    assert_eq!(game.action(count), None, "an action beyond the last");
    check_chance(game, state, text);
    let flags = mask(game, state);
    assert_eq!(flags.len(), count);
    assert_eq!(flags.iter().filter(|&&flag| flag).count(), actions.len(), "{text}: the mask has other actions");
    let mut legal = vec![u64::MAX; count.div_ceil(64)];
    game.legal_set(state, &mut legal);
    for (place, word) in legal.into_iter().enumerate() {
        let expected = flags.iter().skip(64 * place).take(64).rev().fold(0, |word, &flag| word << 1 | u64::from(flag));
        assert_eq!(word, expected, "{text}: word {place} of the set of legal actions");
    }
    if game.to_act(state) == Actor::Chance {
        return;
    }
    // The checked play accepts exactly the legal actions, and every other one has a refusal.
    for &index in tried {
        let legal = flags[index];
        let action = game.action(index).unwrap_or_else(|| panic!("number {index} is no action"));
        assert_eq!(game.index(action), index, "the numbering is no bijection");
        assert_eq!(game.is_legal(state, action), legal, "{text}: {}", game.token(action));
        let refusal = game.refusal(state, action);
        assert_eq!(refusal.is_none(), legal, "{text}: {}: {refusal:?}", game.token(action));
        if let Some(refusal) = &refusal {
            words.check_refusal(refusal, text);
        }
    }
}

/// Every outcome of chance is on the list of all outcomes, which is sorted.
fn check_chance<G: Complete>(game: &G, state: &G::State, text: &str) {
    let all: Vec<_> = (0..).map_while(|index| game.chance(index)).collect();
    assert_eq!(all.is_empty(), !game.info().has_chance, "chance outcomes are listed if and only if there is chance");
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "chance outcomes not sorted and unique: {all:?}");
    assert!(all.iter().all(|&outcome| game.token(outcome).starts_with('*')), "an action of a seat among them");
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    for (outcome, _) in outcomes {
        assert!(all.binary_search(&outcome).is_ok(), "{text}: {} is not listed", game.token(outcome));
    }
}

fn check_playing<G: Complete>(game: &G, state: &G::State, action: G::Action, tried: &[usize]) {
    let before = state.clone();
    let text = game.position(state);
    for &index in tried {
        let other = game.action(index).expect("a number below the count");
        if !game.is_legal(state, other) {
            assert!(game.play(state, other).is_err(), "{text}: {} is illegal and was played", game.token(other));
        }
    }
    assert!(*state == before && game.position(state) == text, "{text}: an illegal action left its mark");
    let after = game.play(state, action).unwrap_or_else(|_| panic!("{text}: {} is refused", game.token(action)));
    assert!(*state == before, "{text}: playing changed the state it was played on");
    assert!(after != before, "{text}: {} changes nothing", game.token(action));
    assert_ne!(game.position(&after), text, "{text}: {} leads to the same text", game.token(action));
}
