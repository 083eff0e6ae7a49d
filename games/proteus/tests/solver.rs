//! The frozen game solved, the prover held against it, and the numbering of the whole movement phase.

use std::sync::atomic::AtomicBool;

use tavola_core::{Game, Options, Playout, Random};
use tavola_proteus::Proteus;
use tavola_proteus::frozen::{Frozen, STATES, Value, arrangement, arrangement_number};
use tavola_proteus::index::{LAYOUTS, POSITIONS, number, position};
use tavola_search::{Proof, prove};

fn game(options: &str) -> Proteus {
    Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
}

fn never() -> AtomicBool {
    AtomicBool::new(false)
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
        let frozen = Frozen::solve(game(options), layout);
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
