//! Properties of a search that keeps its tree.

// Shares of proven results are exact.
#![allow(clippy::float_cmp)]

use std::sync::Arc;

use crate::toys::{Crosses, Heaps, Nim, TicTacToe};
use tavola_core::{CancelToken, Evaluate, Game, Playout};
use tavola_search::{Analysis, Limits, Rollouts, Searcher, search};

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), seed: 3, ..Limits::default() }
}

fn go_on<G: Playout + Evaluate>(searcher: &mut Searcher<G>, state: &G::State, nodes: u64) -> Analysis<G::Action> {
    searcher.search(state, &limits(nodes), &CancelToken::default())
}

fn anew<G: Playout + Evaluate>(game: &G, state: &G::State, nodes: u64) -> Analysis<G::Action> {
    search(game, state, &limits(nodes), &CancelToken::default())
}

fn visits<A>(analysis: &Analysis<A>) -> u32 {
    analysis.lines.iter().map(|line| line.visits).sum()
}

fn timeless<A>(analysis: Analysis<A>) -> Analysis<A> {
    Analysis { seconds: 0.0, ..analysis }
}

fn after<G: Game>(game: &G, state: &G::State, actions: &[G::Action]) -> G::State {
    let mut state = state.clone();
    for &action in actions {
        game.play_unchecked(&mut state, action);
    }
    state
}

#[test]
fn what_lies_below_the_new_position_is_kept() {
    for plies in 1..=3 {
        let game = Arc::new(Nim { heaps: [7, 6, 5], seats: 3 });
        let mut searcher = Searcher::new(Arc::clone(&game));
        let first = go_on(&mut searcher, &game.start(), 50_000);
        let line = &first.lines[0];
        let there = after(&*game, &game.start(), &line.variation[..plies]);
        let kept = go_on(&mut searcher, &there, 100);
        assert_eq!(kept.nodes, 100);
        assert!(visits(&kept) > 200, "{plies}: {}", visits(&kept));
        assert!(kept.tree > 200 && kept.tree < first.tree, "{plies}: {} of {}", kept.tree, first.tree);
        for line in &kept.lines {
            assert!((line.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line:?}");
            for ((low, high), share) in line.intervals.iter().zip(&line.shares) {
                assert!(0.0 <= *low && low <= share && share <= high && *high <= 1.0, "{line:?}");
            }
        }
    }
}

#[test]
fn the_same_position_goes_on_where_it_was() {
    let game = Arc::new(Nim { heaps: [7, 6, 5], seats: 3 });
    let mut searcher = Searcher::new(Arc::clone(&game));
    for part in 1..=5 {
        let analysis = go_on(&mut searcher, &game.start(), 2_000);
        assert_eq!(visits(&analysis), 2_000 * part);
    }
    searcher.forget();
    assert_eq!(visits(&go_on(&mut searcher, &game.start(), 2_000)), 2_000);
}

#[test]
fn an_unknown_position_begins_anew() {
    let game = Arc::new(Nim { heaps: [7, 6, 5], seats: 3 });
    let mut searcher = Searcher::new(Arc::clone(&game));
    let behind = after(&*game, &game.start(), &[(0, 1)]);
    go_on(&mut searcher, &behind, 2_000);
    // Back to the start, as after an undo; and to what the tree has not seen.
    for state in [game.start(), Heaps { left: [1, 2, 7], mover: 1 }] {
        assert_eq!(timeless(go_on(&mut searcher, &state, 1_000)), timeless(anew(&*game, &state, 1_000)));
    }
    // Games played out otherwise mean something else.
    let uniform = Limits { rollouts: Rollouts::Uniform, ..limits(500) };
    let state = game.start();
    go_on(&mut searcher, &state, 1_000);
    assert_eq!(visits(&searcher.search(&state, &uniform, &CancelToken::default())), 500);
}

#[test]
fn the_same_calls_give_the_same_analyses() {
    let game = Arc::new(Nim { heaps: [7, 6, 5], seats: 3 });
    let play = || {
        let mut searcher = Searcher::new(Arc::clone(&game));
        let mut state = game.start();
        let mut found = Vec::new();
        while game.outcome(&state).is_none() {
            let analysis = go_on(&mut searcher, &state, 3_000);
            game.play_unchecked(&mut state, analysis.best.expect("a seat acts"));
            found.push(timeless(analysis));
        }
        found
    };
    assert_eq!(play(), play());
}

#[test]
fn what_is_proven_stays_proven() {
    for heaps in [[1, 2, 3], [3, 3, 1], [2, 3, 0], [3, 2, 2]] {
        let game = Arc::new(Nim { heaps, seats: 2 });
        let mut searcher = Searcher::new(Arc::clone(&game));
        let mut state = game.start();
        let mut wins = heaps[0] ^ heaps[1] ^ heaps[2] != 0;
        while game.outcome(&state).is_none() {
            let analysis = go_on(&mut searcher, &state, 100_000);
            let line = &analysis.lines[0];
            assert!(line.proven, "{state:?} {line:?}");
            assert_eq!(line.shares[usize::from(state.mover)], f64::from(u8::from(wins)), "{state:?}");
            game.play_unchecked(&mut state, line.action);
            wins = !wins;
        }
        let over = go_on(&mut searcher, &state, 100);
        assert!(over.lines.is_empty() && over.best.is_none());
    }
}

#[test]
fn a_win_at_once_is_found_in_a_kept_tree_too() {
    let game = Arc::new(TicTacToe);
    let mut searcher = Searcher::new(Arc::clone(&game));
    // X on 0, O on 4, X on 1; O then blunders with 8: X wins by 2.
    let state = Crosses([0b11, 0b1_0000]);
    go_on(&mut searcher, &state, 20_000);
    let blundered = after(&*game, &state, &[8]);
    let analysis = go_on(&mut searcher, &blundered, 100);
    assert_eq!(analysis.best, Some(2));
    assert!(analysis.lines[0].proven);
}
