//! The search with an evaluator, in games that are known by heart.

// Shares of proven results are exact.
#![allow(clippy::float_cmp)]

use std::convert::Infallible;
use std::num::NonZeroUsize;

use crate::toys::{Crosses, Heaps, KEEP_OUT, LongWalk, Nim, TicTacToe, Wheel};
use tavola_core::{CancelToken, Evaluate, Game, Playout, Random};
use tavola_search::Analysis;
use tavola_search::puct::{BatchSearch, Evaluation, Evaluator, Leaf, Noise, Settings};

/// Knows nothing: equal priors and equal shares. Counts its calls and the leaves of the largest batch.
#[derive(Default)]
struct Uniform {
    calls: usize,
    leaves: usize,
    largest: usize,
}

impl<G: Game> Evaluator<G> for Uniform {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], _: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        self.calls += 1;
        self.leaves += leaves.len();
        self.largest = self.largest.max(leaves.len());
        Ok(())
    }
}

/// Gives one action a hundred times the prior of each other.
struct Favours(u16);

impl Evaluator<Wheel> for Favours {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, Wheel>], out: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(out) {
            for (&action, prior) in leaf.actions.iter().zip(evaluation.priors.iter_mut()) {
                *prior = if action == self.0 { 1.0 } else { 0.01 };
            }
        }
        Ok(())
    }
}

/// Equal priors, and the result of one random game.
struct Rollout<'g, G> {
    game: &'g G,
    random: Random,
}

impl<G: Playout> Evaluator<G> for Rollout<'_, G> {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            let mut state = leaf.state.clone();
            self.game.play_out(&mut state, u32::MAX, &mut self.random);
            let outcome = self.game.outcome(&state).expect("the game is over");
            for (seat, share) in (0..).zip(evaluation.shares.iter_mut()) {
                *share = outcome.share(seat, self.game.seats()) as f32;
            }
        }
        Ok(())
    }
}

fn settings(nodes: u32, batch: usize) -> Settings {
    Settings { nodes, batch: NonZeroUsize::new(batch).expect("a batch"), seed: 7, ..Settings::default() }
}

fn think<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    evaluator: &mut impl Evaluator<G, Error = Infallible>,
    settings: Settings,
) -> Analysis<G::Action> {
    let mut search = BatchSearch::new(game, vec![state.clone()], settings);
    let Ok(()) = search.run(evaluator, &CancelToken::default());
    Analysis { seconds: 0.0, ..search.analysis(0) }
}

#[test]
fn a_win_at_once_is_found_and_proven() {
    for batch in [1, 64] {
        // X holds 0 and 1, O holds 3 and 4: 2 wins.
        let state = Crosses([0b11, 0b11000]);
        let analysis = think(&TicTacToe, &state, &mut Uniform::default(), settings(1000, batch));
        assert_eq!(analysis.best, Some(2));
        assert!(analysis.lines[0].proven && analysis.nodes < 100, "{analysis:?}");
        assert_eq!(analysis.lines[0].shares, [1.0, 0.0]);
        assert_eq!(analysis.shares, [1.0, 0.0]);
        assert_eq!(analysis.policy[0], 1.0);
        assert_eq!(analysis.policy.iter().sum::<f32>(), 1.0);
    }
}

#[test]
fn nim_is_solved_without_knowledge() {
    for batch in [1, 8, 64] {
        for heaps in [[1, 1, 0], [1, 2, 0], [1, 2, 3], [2, 2, 1], [3, 1, 1]] {
            let game = Nim { heaps, seats: 2 };
            let analysis = think(&game, &game.start(), &mut Uniform::default(), settings(100_000, batch));
            let wins = f64::from(u8::from(heaps[0] ^ heaps[1] ^ heaps[2] != 0));
            assert!(analysis.lines[0].proven, "{heaps:?} {batch}: {} nodes", analysis.nodes);
            assert_eq!(analysis.shares, [wins, 1.0 - wins], "{heaps:?} {batch}");
        }
    }
}

#[test]
fn three_seats_maximise_their_own_shares() {
    // Seat 0 cannot win. Whatever it takes, the next two seats decide: [1, 1, 0] leaves the last counter to seat 1.
    let game = Nim { heaps: [1, 1, 0], seats: 3 };
    let analysis = think(&game, &game.start(), &mut Uniform::default(), settings(1000, 4));
    assert_eq!(analysis.shares, [0.0, 1.0, 0.0]);
    // With three counters seat 0 wins by taking one heap of three at once, and no seat helps another.
    let game = Nim { heaps: [3, 0, 0], seats: 3 };
    let analysis = think(&game, &game.start(), &mut Uniform::default(), settings(1000, 4));
    assert_eq!((analysis.best, analysis.shares), (Some((0, 3)), vec![1.0, 0.0, 0.0]));
}

#[test]
fn chance_is_exact() {
    let game = Wheel { weights: vec![1, 2, 5] };
    let analysis = think(&game, &game.start(), &mut Uniform::default(), settings(10_000, 16));
    assert_eq!(analysis.best, Some(3));
    // Naming a segment wins with its exact probability, and keeping out is half of a draw.
    for line in &analysis.lines {
        let expected = [0.5, 1.0 / 8.0, 2.0 / 8.0, 5.0 / 8.0][usize::from(line.action)];
        assert!(line.proven);
        assert_eq!(line.shares, [expected, 1.0 - expected]);
    }
    assert_eq!(analysis.shares, [5.0 / 8.0, 3.0 / 8.0]);
}

#[test]
fn chance_of_too_many_outcomes_for_a_tree_is_sampled_by_weight() {
    let mut weights = vec![1; 3000];
    weights[0] = 7000;
    let game = Wheel { weights };
    let mut state = game.start();
    game.play_unchecked(&mut state, 1);
    // The root itself, and a root above it.
    let analysis = think(&game, &state, &mut Uniform::default(), settings(10_000, 16));
    assert!((analysis.shares[0] - 0.7).abs() < 0.02, "{:?}", analysis.shares);
    assert!(analysis.lines.is_empty());
    let analysis = think(&game, &game.start(), &mut Favours(1), settings(10_000, 16));
    assert_eq!(analysis.best, Some(1));
    assert!((analysis.lines[0].shares[0] - 0.7).abs() < 0.02, "{:?}", analysis.lines[0]);
    assert!(!analysis.lines[0].proven);
}

#[test]
fn a_position_of_chance_has_outcomes_and_no_best_action() {
    let game = Wheel { weights: vec![1, 3] };
    let mut state = game.start();
    game.play_unchecked(&mut state, 2);
    let analysis = think(&game, &state, &mut Uniform::default(), settings(100, 1));
    assert_eq!(analysis.best, None);
    assert_eq!(analysis.policy, [0.0, 0.0]);
    assert_eq!(analysis.shares, [0.75, 0.25]);
    game.play_unchecked(&mut state, 2);
    let analysis = think(&game, &state, &mut Uniform::default(), settings(100, 1));
    assert_eq!((analysis.best, analysis.shares, analysis.lines.len()), (None, vec![1.0, 0.0], 0));
}

#[test]
fn the_same_seed_gives_the_same_analysis() {
    let game = TicTacToe;
    let noise = Some(Noise { alpha: 0.5, fraction: 0.25 });
    let with_seed = |seed| {
        let mut rollouts = Rollout { game: &game, random: Random::new(1) };
        think(&game, &game.start(), &mut rollouts, Settings { seed, noise, ..settings(300, 8) })
    };
    assert_eq!(with_seed(1), with_seed(1));
    assert_ne!(with_seed(1), with_seed(2));
}

#[test]
fn rollouts_find_the_draw_of_tic_tac_toe() {
    for batch in [1, 64] {
        let mut rollouts = Rollout { game: &TicTacToe, random: Random::new(1) };
        // O threatens 3 4 5: X must take 5.
        let state = Crosses([0b1_0000_0001, 0b1_1000]);
        let analysis = think(&TicTacToe, &state, &mut rollouts, settings(2000, batch));
        assert_eq!(analysis.best, Some(5), "{batch}: {:?}", analysis.lines);
    }
}

#[test]
fn a_batch_is_filled_from_one_tree_and_from_many() {
    let game = Nim { heaps: [7, 7, 7], seats: 2 };
    let mut one = Uniform::default();
    let analysis = think(&game, &game.start(), &mut one, settings(2000, 32));
    assert_eq!(analysis.nodes, 2000);
    assert_eq!(one.largest, 32);
    assert!(one.leaves as f64 / one.calls as f64 > 20.0, "{} leaves in {} calls", one.leaves, one.calls);

    let roots = vec![game.start(); 50];
    let mut many = Uniform::default();
    let mut search = BatchSearch::new(&game, roots, settings(40, 32));
    let Ok(()) = search.run(&mut many, &CancelToken::default());
    assert_eq!(many.largest, 32);
    assert!((0..50).all(|root| search.analysis(root).nodes == 40));
}

#[test]
fn each_root_has_its_own_budget_and_result() {
    let game = Nim { heaps: [7, 6, 5], seats: 2 };
    let roots =
        vec![game.start(), Heaps { left: [0, 0, 0], mover: 0 }, Heaps { left: [1, 1, 0], mover: 1 }, game.start()];
    let mut search = BatchSearch::new(&game, roots, settings(1, 8)).with_nodes(vec![1, 100, 100, 60]);
    let Ok(()) = search.run(&mut Uniform::default(), &CancelToken::default());
    let nodes = [0, 1, 2, 3].map(|root| search.analysis(root).nodes);
    assert_eq!((nodes[0], nodes[3]), (1, 60));
    // One node evaluates the root alone, and the policy is that of the evaluator.
    let target = search.target(0, 1.0);
    assert_eq!(target.policy.len(), 18);
    assert!(target.policy.iter().all(|&(_, part)| (part - 1.0 / 18.0).abs() < 1e-6));
    assert_eq!(search.target(1, 1.0).policy, []);
    assert_eq!(search.target(1, 1.0).shares, [0.0, 1.0]);
    assert_eq!(search.target(2, 1.0).shares, [1.0, 0.0]);
}

#[test]
fn a_temperature_sharpens_or_flattens_the_policy() {
    let game = Wheel { weights: vec![1; 2000] };
    let mut search = BatchSearch::new(&game, vec![game.start()], settings(4000, 1));
    let Ok(()) = search.run(&mut Uniform::default(), &CancelToken::default());
    let most = |temperature| {
        let policy = search.target(0, temperature).policy;
        assert!((policy.iter().map(|&(_, part)| part).sum::<f32>() - 1.0).abs() < 1e-4);
        policy.into_iter().map(|(_, part)| part).fold(0.0, f32::max)
    };
    assert_eq!(most(0.0), 1.0);
    assert!(most(0.5) > most(1.0) && most(1.0) > most(2.0));
}

#[test]
fn noise_makes_the_search_try_other_actions() {
    // Every segment loses most of the time, and few of 60 are worth a visit without noise.
    let game = Wheel { weights: vec![1; 60] };
    let tried = |noise| {
        let analysis = think(&game, &game.start(), &mut Favours(KEEP_OUT), Settings { noise, ..settings(200, 1) });
        analysis.lines.iter().filter(|line| line.visits > 0).count()
    };
    let (without, with) = (tried(None), tried(Some(Noise { alpha: 0.3, fraction: 0.5 })));
    assert!(with > without, "{without} and {with} actions");
}

/// Fails at one call, and then works.
struct FailsOnce(usize);

impl<G: Game> Evaluator<G> for FailsOnce {
    type Error = &'static str;

    fn evaluate(&mut self, _: &[Leaf<'_, G>], _: &mut [Evaluation<'_>]) -> Result<(), &'static str> {
        self.0 += 1;
        if self.0 == 4 { Err("out of order") } else { Ok(()) }
    }
}

#[test]
fn an_error_of_the_evaluator_comes_back_and_the_search_can_continue() {
    let game = Nim { heaps: [7, 7, 7], seats: 2 };
    let mut search = BatchSearch::new(&game, vec![game.start(); 2], settings(300, 16));
    let mut evaluator = FailsOnce(0);
    let never = CancelToken::default();
    assert_eq!(search.run(&mut evaluator, &never), Err("out of order"));
    assert_eq!(search.run(&mut evaluator, &never), Ok(()));
    for root in 0..2 {
        let analysis = search.analysis(root);
        assert_eq!(analysis.nodes, 300);
        assert_eq!(analysis.lines.iter().map(|line| line.visits).sum::<u32>(), 299);
    }
}

#[test]
fn a_cancelled_search_still_has_its_lines() {
    let game = LongWalk { end: 1_000_000 };
    let stop = CancelToken::default();
    stop.cancel();
    let mut search = BatchSearch::new(&game, vec![game.start()], settings(1000, 16));
    let Ok(()) = search.run(&mut Uniform::default(), &stop);
    let analysis = search.analysis(0);
    assert_eq!((analysis.nodes, analysis.lines.len()), (0, 2));
    assert_eq!(analysis.policy, [0.5, 0.5]);
}

#[test]
fn limits_of_time_and_memory_end_the_search() {
    let game = LongWalk { end: 1_000_000 };
    let endless = settings(u32::MAX, 16);
    let analysis = think(&game, &game.start(), &mut Uniform::default(), Settings { seconds: Some(0.05), ..endless });
    assert!(analysis.nodes > 0 && !analysis.full);
    let endless = settings(u32::MAX, 16);
    let analysis = think(&game, &game.start(), &mut Uniform::default(), Settings { memory: 1 << 16, ..endless });
    assert!(analysis.full && analysis.bytes < 1 << 18, "{} bytes", analysis.bytes);
}
