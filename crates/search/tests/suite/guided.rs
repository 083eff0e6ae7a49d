//! The tree search with an evaluator: what it shares with rollouts, and what PUCT does otherwise.

// Shares of proven results are exact.
#![allow(clippy::float_cmp)]

use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::toys::{Bet, Crosses, Heaps, KEEP_OUT, LongWalk, Nim, TicTacToe, Wheel};
use tavola_core::random::mix;
use tavola_core::{CancelToken, Evaluate, Game, Playout};
use tavola_search::puct::{BatchSearch, Evaluation, Evaluator, Leaf, Settings, SharedEvaluator};
use tavola_search::{Analysis, Limits, Purpose, Searcher};

/// Random priors and shares, which follow from the position.
struct Noisy;

impl<G: Game<State: Hash>> Evaluator<G> for Noisy {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            // The key of a toy says nothing about the game, so this takes the actions.
            let mut hasher = DefaultHasher::new();
            leaf.state.hash(&mut hasher);
            let seed = hasher.finish();
            for (place, prior) in (1..).zip(evaluation.priors.iter_mut()) {
                *prior = (1 + mix(seed ^ place) % 1000) as f32;
            }
            for (place, share) in (1..).zip(evaluation.shares.iter_mut()) {
                *share = (1 + mix(seed ^ place << 8) % 6) as f32;
            }
        }
        Ok(())
    }
}

/// Gives one action of every position nearly all of the prior, and equal shares.
struct Favours<A>(A);

impl<G: Game> Evaluator<G> for Favours<G::Action> {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            for (&action, prior) in leaf.actions.iter().zip(evaluation.priors.iter_mut()) {
                *prior = if action == self.0 { 1.0 } else { 0.01 };
            }
        }
        Ok(())
    }
}

/// Gives each thread an evaluator.
struct Each<F>(F);

impl<G: Game, E: Evaluator<G, Error = Infallible> + 'static, F: Fn() -> E + Send + Sync> SharedEvaluator<G>
    for Each<F>
{
    fn for_thread(&self) -> Box<dyn Evaluator<G, Error = Infallible> + '_> {
        Box::new((self.0)())
    }
}

fn noisy<G: Game<State: Hash>>() -> Arc<dyn SharedEvaluator<G>> {
    Arc::new(Each(|| Noisy))
}

fn limits(nodes: u64, threads: usize) -> Limits {
    let threads = NonZeroUsize::new(threads).expect("some threads");
    Limits { nodes: Some(nodes), threads, seed: 7, lookahead: 0, ..Limits::default() }
}

fn searcher<G: Playout + Evaluate>(game: G, evaluator: Arc<dyn SharedEvaluator<G>>) -> Searcher<G> {
    let mut searcher = Searcher::new(Arc::new(game));
    searcher.set_evaluator(Some(evaluator));
    searcher
}

fn think<G: Playout + Evaluate + Game<State: Hash>>(game: G, state: &G::State, limits: &Limits) -> Analysis<G::Action> {
    searcher(game, noisy()).search(state, limits, &CancelToken::default())
}

fn visits<A>(analysis: &Analysis<A>) -> u32 {
    analysis.lines.iter().map(|line| line.visits).sum()
}

fn timeless<A>(analysis: Analysis<A>) -> Analysis<A> {
    Analysis { seconds: 0.0, ..analysis }
}

#[test]
fn nim_is_solved_whatever_the_evaluator_says_by_one_thread_and_by_two() {
    for heaps in [[1, 1, 0], [1, 2, 0], [1, 2, 3], [2, 2, 1], [3, 1, 1], [3, 3, 2]] {
        for threads in [1, 2] {
            let game = Nim { heaps, seats: 2 };
            let analysis = think(game, &Heaps { left: heaps, mover: 0 }, &limits(1_000_000, threads));
            let wins = f64::from(u8::from(heaps[0] ^ heaps[1] ^ heaps[2] != 0));
            assert!(analysis.lines[0].proven, "{heaps:?}: {} nodes", analysis.nodes);
            assert_eq!(analysis.shares, [wins, 1.0 - wins], "{heaps:?}");
        }
    }
}

#[test]
fn three_seats_maximise_their_own_shares() {
    // Seat 0 cannot win: [1, 1, 0] leaves the last counter to seat 1.
    let start = Heaps { left: [1, 1, 0], mover: 0 };
    let analysis = think(Nim { heaps: [1, 1, 0], seats: 3 }, &start, &limits(1_000, 1));
    assert_eq!(analysis.shares, [0.0, 1.0, 0.0]);
}

#[test]
fn a_lookahead_proves_before_the_first_simulation() {
    // X holds 0 and 1, O holds 3 and 4: 2 wins.
    let state = Crosses([0b11, 0b1_1000]);
    let analysis = think(TicTacToe, &state, &Limits { lookahead: 3, ..limits(1_000, 1) });
    assert_eq!((analysis.best, analysis.nodes), (Some(2), 0));
    // O threatens 3 4 5: all actions but 5 lose.
    let state = Crosses([0b1_0000_0001, 0b1_1000]);
    let analysis = think(TicTacToe, &state, &Limits { lookahead: 3, ..limits(1, 1) });
    assert_eq!(analysis.best, Some(5));
    assert!(analysis.lines[1..].iter().all(|line| line.proven && line.shares == [0.0, 1.0]));
}

#[test]
fn it_agrees_with_the_search_in_batches() {
    let (start, game) = (Heaps { left: [7, 7, 7], mover: 0 }, Nim { heaps: [7, 7, 7], seats: 3 });
    let nodes = 2_000;
    let settings = Settings { nodes: nodes + 1, batch: NonZeroUsize::MIN, seed: 7, ..Settings::default() };
    let mut batch = BatchSearch::new(&game, vec![start], settings);
    let Ok(()) = batch.run(&mut Noisy, &CancelToken::default());
    let expected = batch.analysis(0);
    let found = think(Nim { heaps: [7, 7, 7], seats: 3 }, &start, &limits(nodes.into(), 1));
    assert_eq!((visits(&found), visits(&expected)), (nodes, nodes));
    let difference = |line: &tavola_search::Line<_>| {
        let other = expected.lines.iter().find(|other| other.action == line.action).expect("the same actions");
        line.visits.abs_diff(other.visits)
    };
    // Shares are rounded otherwise.
    let moved: u32 = found.lines.iter().map(difference).sum();
    assert!(moved < nodes / 20, "{moved} of {nodes}");
}

#[test]
fn visits_follow_the_priors_and_values_of_leaves_their_position() {
    let game = Nim { heaps: [7, 7, 7], seats: 2 };
    let start = game.start();
    let mut favours = searcher(game, Arc::new(Each(|| Favours((1, 4)))));
    let analysis = favours.search(&start, &limits(200, 1), &CancelToken::default());
    assert_eq!(analysis.best, Some((1, 4)));
    assert!(analysis.policy[0] > 0.7, "{:?}", analysis.policy);
    let wide = Limits { c_puct: Some(100.0), ..limits(200, 1) };
    favours.forget();
    let analysis = favours.search(&start, &wide, &CancelToken::default());
    assert!(analysis.policy[0] > 0.7, "equal shares leave the priors alone: {:?}", analysis.policy);
}

#[test]
fn the_kept_tree_grows_and_another_evaluator_forgets_it() {
    let game = Nim { heaps: [7, 6, 5], seats: 3 };
    let mut state = game.start();
    let mut searcher = searcher(Nim { heaps: [7, 6, 5], seats: 3 }, noisy());
    let stop = CancelToken::default();
    let first = searcher.search(&state, &limits(20_000, 1), &stop);
    for &action in &first.lines[0].variation[..3] {
        game.play_unchecked(&mut state, action);
    }
    let kept = searcher.search(&state, &limits(100, 1), &stop);
    assert_eq!(kept.nodes, 100);
    assert!(visits(&kept) > 200 && kept.tree < first.tree, "{} visits", visits(&kept));
    searcher.set_evaluator(Some(noisy()));
    assert_eq!(visits(&searcher.search(&state, &limits(100, 1), &stop)), 100);
    searcher.set_evaluator(None);
    assert_eq!(visits(&searcher.search(&state, &limits(100, 1), &stop)), 100);
}

#[test]
fn other_settings_of_the_evaluator_start_a_new_tree() {
    let start = Heaps { left: [7, 6, 5], mover: 0 };
    let mut searcher = searcher(Nim { heaps: [7, 6, 5], seats: 3 }, noisy());
    let mut search = |c_puct, rollout_weight| {
        visits(&searcher.search(&start, &Limits { c_puct, rollout_weight, ..limits(100, 1) }, &CancelToken::default()))
    };
    let visits = [(None, None), (None, None), (Some(0.5), None), (Some(0.5), Some(0.5)), (None, Some(0.5))]
        .map(|(c_puct, rollouts)| search(c_puct, rollouts));
    assert_eq!(visits, [100, 200, 100, 100, 100]);
}

#[test]
fn the_games_own_evaluation_is_another_meaning_of_the_tree() {
    let start = Heaps { left: [7, 6, 5], mover: 0 };
    let mut searcher = Searcher::new(Arc::new(Nim { heaps: [7, 6, 5], seats: 3 }));
    let mut search =
        |prior| visits(&searcher.search(&start, &Limits { prior, ..limits(100, 1) }, &CancelToken::default()));
    assert_eq!([None, None, Some(4.0), Some(4.0), Some(2.0)].map(&mut search), [100, 200, 100, 200, 100]);
}

#[test]
fn the_same_calls_give_the_same_analyses() {
    let play = || {
        let game = Nim { heaps: [7, 6, 5], seats: 3 };
        let mut state = game.start();
        let mut searcher = searcher(Nim { heaps: [7, 6, 5], seats: 3 }, noisy());
        let mut found = Vec::new();
        while game.outcome(&state).is_none() {
            let analysis = searcher.search(&state, &limits(2_000, 1), &CancelToken::default());
            game.play_unchecked(&mut state, analysis.best.expect("a seat acts"));
            found.push(timeless(analysis));
        }
        found
    };
    assert_eq!(play(), play());
}

#[test]
fn threads_lose_no_simulation() {
    let game = || LongWalk { end: 1_000_000 };
    for threads in 1..=3 {
        let analysis = think(game(), &(0, 0), &limits(20_000, threads));
        assert_eq!((analysis.nodes, visits(&analysis)), (20_000, 20_000));
        for line in &analysis.lines {
            assert!((line.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line:?}");
        }
    }
}

#[test]
fn chance_keeps_its_weights_and_contempt_its_draws() {
    let game = || Wheel { weights: vec![9, 6, 5] };
    let analysis = think(game(), &Bet::default(), &limits(20_000, 1));
    for line in analysis.lines.iter().filter(|line| line.action != KEEP_OUT && line.visits > 1_000) {
        let exact = [0.45, 0.3, 0.25][usize::from(line.action) - 1];
        assert!((line.shares[0] - exact).abs() < 0.1, "{line:?}");
    }
    for (contempt, best) in [(0.0, KEEP_OUT), (0.4, 1)] {
        let analysis = think(game(), &Bet::default(), &Limits { contempt, ..limits(20_000, 1) });
        assert_eq!(analysis.best, Some(best), "{contempt}");
    }
    // A wheel of thousands stays a leaf, and its outcomes are drawn.
    let game = Wheel { weights: (0..1500).map(|segment| if segment == 16 { 1500 } else { 1 }).collect() };
    let mut favours = searcher(game, Arc::new(Each(|| Favours(17))));
    let analysis = favours.search(&Bet::default(), &limits(20_000, 1), &CancelToken::default());
    let line = analysis.lines.iter().find(|line| line.action == 17).expect("a line for every action");
    assert!((line.shares[0] - 0.5).abs() < 0.05 && line.visits > 1_000, "{line:?}");
}

#[test]
fn a_full_tree_says_so_and_the_search_continues() {
    let analysis = think(LongWalk { end: 2_000 }, &(0, 0), &Limits { memory: 100_000, ..limits(20_000, 1) });
    assert!(analysis.full && analysis.bytes <= 100_000, "{} bytes", analysis.bytes);
    assert_eq!(analysis.nodes, 20_000);
}

#[test]
fn a_choice_ends_early_and_a_forced_action_at_once() {
    // X to move, only 8 is free.
    let state = Crosses([0b0_0110_0011, 0b0_1001_1100]);
    let choose = Limits { purpose: Purpose::Choose, ..limits(100_000, 1) };
    let analysis = think(TicTacToe, &state, &choose);
    assert_eq!((analysis.best, analysis.nodes), (Some(8), 0));
    let game = Nim { heaps: [7, 7, 7], seats: 2 };
    let start = game.start();
    let mut favours = searcher(game, Arc::new(Each(|| Favours((1, 4)))));
    let analysis = favours.search(&start, &choose, &CancelToken::default());
    assert!(analysis.best == Some((1, 4)) && analysis.nodes < 80_000, "{} nodes", analysis.nodes);
}

#[test]
fn time_and_a_stop_end_the_search() {
    let stop = CancelToken::default();
    let mut searcher = searcher(LongWalk { end: u64::MAX }, noisy());
    let timed =
        Limits { nodes: None, seconds: Some(0.05), threads: NonZeroUsize::new(2).expect("two"), ..limits(0, 1) };
    assert!(searcher.search(&(0, 0), &timed, &stop).nodes > 0);
    stop.cancel();
    let analysis = searcher.search(&(0, 0), &limits(u64::MAX, 1), &stop);
    assert_eq!(analysis.lines.len(), 2);
}
