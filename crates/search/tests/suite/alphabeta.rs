//! Properties of alpha-beta, on games with known values.

// Shares of proven results are exact.
#![allow(clippy::float_cmp)]

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use crate::toys::{Crosses, LongWalk, Nim, TicTacToe};
use tavola_core::{Actor, CancelToken, Evaluate, Game, Playout};
use tavola_search::{Analysis, Limits, Method, prove, search};

fn limits(nodes: u64, threads: usize) -> Limits {
    Limits {
        method: Method::AlphaBeta,
        nodes: Some(nodes),
        memory: 1 << 22,
        threads: NonZeroUsize::new(threads).expect("some threads"),
        ..Limits::default()
    }
}

fn think<G: Playout + Evaluate>(game: &G, state: &G::State, limits: &Limits) -> Analysis<G::Action> {
    search(game, state, limits, &CancelToken::default())
}

/// The value for the seat to act under perfect play, here and after each action.
fn solve(game: &TicTacToe, state: Crosses) -> f64 {
    let Actor::Seat(seat) = game.to_act(&state) else { unreachable!("not asked for") };
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    let worth = |action: &u8| {
        let mut after = state;
        game.play_unchecked(&mut after, *action);
        match game.outcome(&after) {
            Some(outcome) => outcome.share(seat, 2),
            None => 1.0 - solve(game, after),
        }
    };
    actions.iter().map(worth).fold(0.0, f64::max)
}

/// Every position of tic-tac-toe that is not over, reached by playing.
fn positions(game: &TicTacToe, state: Crosses, found: &mut std::collections::HashSet<Crosses>) {
    if game.to_act(&state) == Actor::Terminal || !found.insert(state) {
        return;
    }
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    for action in actions {
        let mut after = state;
        game.play_unchecked(&mut after, action);
        positions(game, after, found);
    }
}

#[test]
fn every_position_of_tic_tac_toe_is_solved_and_proven() {
    let game = TicTacToe;
    let mut all = std::collections::HashSet::new();
    positions(&game, game.start(), &mut all);
    assert_eq!(all.len(), 4520);
    for state in all {
        let analysis = think(&game, &state, &limits(u64::from(u32::MAX), 1));
        let Actor::Seat(seat) = game.to_act(&state) else { unreachable!("it is not over") };
        let line = &analysis.lines[0];
        assert!(line.proven, "{state:?}");
        assert_eq!(line.shares[usize::from(seat)], solve(&game, state), "{state:?}");
        assert_eq!(line.shares.iter().sum::<f64>(), 1.0);
    }
}

#[test]
fn wins_and_losses_are_as_far_as_the_proof_says() {
    let game = TicTacToe;
    let mut all = std::collections::HashSet::new();
    positions(&game, game.start(), &mut all);
    let mut compared = 0;
    for state in all {
        let Some(proof) = prove(&game, &state, 9, &CancelToken::default()) else { continue };
        let analysis = think(&game, &state, &limits(1_000_000, 1));
        assert_eq!(analysis.lines[0].shares[usize::from(proof.winner)], 1.0, "{state:?}");
        assert_eq!(analysis.lines[0].variation.len() as u32, proof.plies, "{state:?} {:?}", analysis.lines[0]);
        compared += 1;
    }
    assert!(compared > 2_000, "{compared}");
}

#[test]
fn nim_is_solved_by_one_thread_and_by_two() {
    for (a, b, c) in (1..=4).flat_map(|a| (1..=4).flat_map(move |b| (0..=4).map(move |c| (a, b, c)))) {
        let game = Nim { heaps: [a, b, c], seats: 2 };
        for threads in [1, 2] {
            let analysis = think(&game, &game.start(), &limits(10_000_000, threads));
            let wins = f64::from(u8::from(a ^ b ^ c != 0));
            assert!(analysis.lines[0].proven, "{a} {b} {c}");
            assert_eq!(analysis.lines[0].shares, [wins, 1.0 - wins], "{a} {b} {c}");
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_analysis() {
    let game = Nim { heaps: [7, 7, 7], seats: 2 };
    let run = || {
        let analysis = think(&game, &game.start(), &limits(20_000, 1));
        assert_eq!(analysis.nodes, 20_000);
        Analysis { seconds: 0.0, ..analysis }
    };
    assert_eq!(run(), run());
}

#[test]
fn without_any_thought_there_is_a_legal_action() {
    let game = Nim { heaps: [7, 6, 5], seats: 2 };
    let analysis = think(&game, &game.start(), &limits(0, 1));
    assert!(analysis.best.is_some());
    assert_eq!((analysis.nodes, analysis.lines.len()), (0, 18));
    assert!(analysis.lines.iter().all(|line| line.shares == [0.5, 0.5] && line.visits == 0 && !line.proven));
}

#[test]
fn a_depth_is_kept() {
    let game = LongWalk { end: 500 };
    let analysis = think(&game, &game.start(), &Limits { depth: Some(6), ..limits(u64::from(u32::MAX), 1) });
    assert!(analysis.nodes < 1 << 8, "{}", analysis.nodes);
    assert_eq!(analysis.lines[0].shares, [0.5, 0.5]);
    assert!(!analysis.lines[0].proven);
}

#[test]
fn it_ends_in_time_and_when_told() {
    let game = Nim { heaps: [200, 199, 198], seats: 2 };
    for threads in [1, 2] {
        let analysis = think(&game, &game.start(), &Limits { nodes: None, seconds: Some(0.1), ..limits(0, threads) });
        assert!((0.1..0.4).contains(&analysis.seconds), "{}", analysis.seconds);
        let stop = CancelToken::default();
        stop.cancel();
        let stopped = search(&game, &game.start(), &limits(u64::MAX, threads), &stop);
        assert_eq!(stopped.nodes, 0);
        assert!(stopped.best.is_some());
    }
}

#[test]
fn it_stops_in_the_middle_of_its_work() {
    let game = Nim { heaps: [200, 199, 198], seats: 2 };
    for threads in [1, 2] {
        let (stop, limits) = (CancelToken::default(), limits(u64::MAX, threads));
        let late = std::thread::scope(|scope| {
            let thinking = scope.spawn(|| (search(&game, &game.start(), &limits, &stop), Instant::now()));
            std::thread::sleep(Duration::from_millis(100));
            let told = Instant::now();
            stop.cancel();
            let (analysis, ended) = thinking.join().expect("no panic");
            assert!(analysis.nodes > 0);
            ended.saturating_duration_since(told)
        });
        // 20 ms is what we promise; a shared machine may take its time to wake a thread.
        assert!(late < Duration::from_millis(250), "{late:?}");
    }
}
