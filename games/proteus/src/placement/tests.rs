//! Both searches against plain recursion, with random results of the ends.

use tavola_core::{Compiled, Options};

use super::*;
use crate::index::number;
use crate::state::Board;

/// Not by chance: the same for all positions that are equal up to symmetry.
fn made_up(state: &State, _: usize) -> Verdict {
    match mix(number(state).expect("the placement is over")) % 5 {
        0 | 1 => Verdict::Won,
        2 => Verdict::Lost,
        _ => Verdict::Drawn,
    }
}

#[test]
fn both_searches_agree_with_plain_recursion() {
    for options in ["", "rules=kadon"] {
        let game = Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"));
        let mut random = Random::new(7);
        let (mut values, mut known) = ([0; 3], BTreeMap::new());
        // Small tables lose entries.
        let mut solvers = [0, 1].map(|seat| Solver::new(game, made_up, seat, 1 << 12, |_| {}));
        let mut searches = [0, 1].map(|seat| ProofNumberSearch::new(game, made_up, seat, 1 << 12, |_| {}));
        for left in [1, 2, 3, 4, 5, 6, 6, 7, 8] {
            for _ in 0..if left < 7 { 25 } else { 3 } {
                let state = random_position(&game, left, &mut random);
                let expected = winner(&game, &state, &made_up, &mut known);
                for (seat, search) in (0..).zip(&mut searches) {
                    assert_eq!(search.can_win(&state), expected == Some(seat), "{options} {state:?}");
                }
                for (seat, solver) in (0..).zip(&mut solvers) {
                    assert_eq!(solver.can_win(&state), expected == Some(seat), "{options} {state:?}");
                    if state.seat != seat {
                        assert_eq!(solver.refutation(&state).is_some(), expected != Some(seat), "{options} {state:?}");
                        continue;
                    }
                    let after = solver.winning_action(&state).map(|action| {
                        let mut after = state.clone();
                        game.play_unchecked(&mut after, action);
                        winner(&game, &after, &made_up, &mut known)
                    });
                    assert_eq!(after, (expected == Some(seat)).then_some(expected), "{options} {state:?}");
                }
                values[expected.map_or(2, usize::from)] += 1;
            }
        }
        assert!(values.iter().all(|&count| count > 10), "{values:?}");
    }
}

#[test]
fn a_search_gives_up_at_its_limit_and_later_goes_on() {
    let game = Proteus::new(&Options::parse(Proteus::INFO, "").expect("valid options"));
    let (mut random, stop, stopped) = (Random::new(8), CancelToken::default(), CancelToken::default());
    stopped.cancel();
    let mut gave_up = 0;
    for _ in 0..20 {
        let state = random_position(&game, 6, &mut random);
        let [mut solver, mut whole] = [0, 1].map(|_| Solver::new(game, made_up, 0, 1 << 20, |_| {}));
        assert_eq!(solver.can_win_within(&state, u64::MAX, &stopped), None);
        let expected = whole.can_win(&state);
        let within = solver.can_win_within(&state, 50, &stop);
        assert!(within.is_none_or(|wins| wins == expected));
        gave_up += u32::from(within.is_none());
        assert_eq!(solver.can_win_within(&state, u64::MAX, &stop), Some(expected));
    }
    assert!(gave_up > 5, "{gave_up}");
}

#[test]
fn positions_that_are_equal_up_to_symmetry_have_one_number() {
    let game = Proteus::new(&Options::parse(Proteus::INFO, "").expect("valid options"));
    let mut random = Random::new(9);
    for left in 1..15 {
        let state = random_position(&game, left, &mut random);
        let other = random_position(&game, left, &mut random);
        assert!(left > 13 || !are_equal(&state, &other));
        for to in *crate::board::SYMMETRIES {
            let mut board = Board::EMPTY;
            for cell in 0..9 {
                let after = to[usize::from(cell)];
                if let Some(tile) = state.board.tile(cell) {
                    board.put_tile(tile, after);
                }
                if let Some(counter) = state.board.counter(cell) {
                    board.put_counter(counter, after);
                }
            }
            board.turn_up(state.board.ups());
            assert!(are_equal(&state, &State::of(board, state.seat, None)), "{state:?}");
        }
    }
}
