//! The frozen game solved, the prover held against it, and the numbering of the whole movement phase.

use tavola_core::{CancelToken, Compiled, Game, Options, Playout, Random};
use tavola_proteus::Proteus;
use tavola_proteus::frozen::{STATES, SolvedLayout, Value, arrangement, arrangement_number};
use tavola_proteus::index::{LAYOUTS, POSITIONS, number, position};
use tavola_search::{Limits, Method, Proof, prove, search};

fn game(options: &str) -> Proteus {
    Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
}

fn never() -> CancelToken {
    CancelToken::default()
}

#[test]
fn arrangements_are_numbered_without_gaps() {
    for number in 0..STATES / 27 {
        assert_eq!(arrangement_number(arrangement(number)), number);
    }
}

#[test]
fn proofs_agree_with_the_solved_frozen_game() {
    for (options, layout) in [
        ("", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("faces=30", [4, 8, 0, 2, 6, 1, 7, 3, 5]),
        ("faces=12", [8, 0, 5, 1, 6, 2, 3, 7, 4]),
    ] {
        let frozen = SolvedLayout::solve(game(options), layout);
        let mut random = Random::new(1);
        let (mut forced, mut open) = (0, 0);
        for _ in 0..400 {
            let number = random.below(STATES as u32) as usize;
            let expected = match frozen.value(number) {
                Value::Win(plies) if plies <= 6 => Some(Proof { winner: 0, plies: plies.into() }),
                Value::Loss(plies) if plies <= 6 => Some(Proof { winner: 1, plies: plies.into() }),
                _ => None,
            };
            forced += u32::from(expected.is_some());
            open += u32::from(expected.is_none());
            let state = frozen.state(number);
            assert_eq!(prove(&frozen.game(), &state, 6, &never()), expected, "{options} {layout:?} {number}");
        }
        assert!(forced > 50 && open > 20, "{forced} forced, {open} open: too one-sided to tell anything");
    }
}

#[test]
fn the_tree_search_agrees_with_the_solved_frozen_game() {
    agrees_with_the_solved_frozen_game(Method::Tree, 500);
}

#[test]
fn alpha_beta_agrees_with_the_solved_frozen_game() {
    agrees_with_the_solved_frozen_game(Method::AlphaBeta, 20_000);
}

/// A search proves only true results, sees every near win, and walks into no near loss.
fn agrees_with_the_solved_frozen_game(method: Method, nodes: u64) {
    let frozen = SolvedLayout::solve(game("faces=12"), [8, 0, 5, 1, 6, 2, 3, 7, 4]);
    let game = frozen.game();
    let halves = |share: f64| (2.0 * share) as u32;
    let mut random = Random::new(4);
    let (mut proven, mut near, mut safe) = (0, 0, 0);
    for seed in 0..400 {
        let number = random.below(STATES as u32) as usize;
        let state = frozen.state(number);
        assert_eq!(frozen.value_of(&state), frozen.value(number));
        if game.outcome(&state).is_some() {
            continue;
        }
        let limits = Limits { method, nodes: Some(nodes), seed, memory: 1 << 22, ..Limits::default() };
        let analysis = search(&game, &state, &limits, &never());
        // In halves of a game what this seat gets in the end, and how soon.
        let share = |action| {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            match (game.outcome(&after), frozen.value_of(&after)) {
                (Some(outcome), _) => (halves(outcome.share(0, 2)), 0),
                (None, Value::Win(plies)) => (0, plies),
                (None, Value::Loss(plies)) => (2, plies),
                (None, Value::Open) => (1, 0),
            }
        };
        for line in analysis.lines.iter().filter(|line| line.proven) {
            proven += 1;
            assert_eq!(halves(line.shares[0]), share(line.action).0, "{number}: {line:?}");
        }
        let best = share(analysis.best.expect("a seat acts"));
        match frozen.value(number) {
            Value::Win(plies) if plies <= 5 => {
                near += 1;
                assert_eq!(best.0, 2, "{number}: {analysis:?}");
            }
            Value::Loss(_) => {}
            Value::Win(_) | Value::Open => {
                safe += 1;
                assert!(best.0 > 0 || best.1 > 4, "{number}: {analysis:?}");
            }
        }
    }
    assert!(proven > 300 && near > 50 && safe > 50, "{proven} proven, {near} near, {safe} safe: too few to tell");
}

#[test]
fn positions_are_numbered_without_gaps() {
    assert_eq!(POSITIONS, 74_071_065_600);
    assert_eq!(LAYOUTS, 362_880 / 8);
    let mut random = Random::new(2);
    for place in 0..20_000 {
        let wanted = if place < 100 { POSITIONS - 1 - place } else { random.word() % POSITIONS };
        assert_eq!(number(&position(wanted)), Some(wanted));
    }
}

#[test]
fn a_game_passes_through_numbers_and_back() {
    let game = game("");
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut state = game.start();
        while game.outcome(&state).is_none() {
            match number(&state) {
                Some(wanted) => assert_eq!(number(&position(wanted)), Some(wanted)),
                None => assert!(game.key(&state) != 0),
            }
            let action = game.random_action(&state, &mut random);
            game.play_unchecked(&mut state, action);
        }
    }
}
