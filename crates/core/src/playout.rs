//! Random games from a position to the end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::cancel::CancelToken;
use crate::game::{Actor, Game};
use crate::random::Random;

/// Random play: uniform, and by the rollout policy of the game.
pub trait Playout: Game {
    /// One legal action of the seat to act, all equally likely.
    ///
    /// A game overrides this if it can draw an action without a list of all.
    fn random_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions[random.below(actions.len() as u32) as usize]
    }

    /// One outcome of chance, drawn by its weight.
    ///
    /// A game overrides this if it can draw an outcome without a list of all.
    fn random_outcome(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        outcomes[random.weighted(outcomes.iter().map(|&(_, weight)| weight))].0
    }

    /// Plays a [`random_action`](Self::random_action), or a [`random_outcome`](Self::random_outcome) where chance acts.
    /// Does nothing at the end.
    ///
    /// A game overrides this if it is faster to draw and play in one step.
    #[inline]
    fn play_random_action(&self, state: &mut Self::State, random: &mut Random) {
        let action = match self.to_act(state) {
            Actor::Seat(_) => self.random_action(state, random),
            Actor::Chance => self.random_outcome(state, random),
            Actor::Terminal => return,
        };
        self.play_unchecked(state, action);
    }

    /// Plays randomly to the end, or for a maximum number of actions. Returns the number of actions.
    ///
    /// A game overrides this if it can reuse results of one action for the next.
    #[inline]
    fn play_out(&self, state: &mut Self::State, most: u32, random: &mut Random) -> u32 {
        for actions in 0..most {
            if self.to_act(state) == Actor::Terminal {
                return actions;
            }
            self.play_random_action(state, random);
        }
        most
    }

    /// One legal action by the rollout policy, with which the tree search plays games to the end.
    fn rollout_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        self.random_action(state, random)
    }

    /// An action by which the seat to act wins at once and alone, if the game can find one fast. It may miss some.
    ///
    /// The tree search treats it as a proof.
    fn winning_action(&self, _state: &Self::State) -> Option<Self::Action> {
        None
    }
}

/// The results of random games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// The number of finished games.
    pub count: u64,
    /// The number of actions in all games, chance outcomes included.
    pub actions: u64,
    /// The sums of the returns, one per seat.
    pub returns: Vec<f64>,
}

/// The number of games that share one random stream.
const BLOCK: u64 = 256;

/// Plays `count` random games from a state on `threads` threads, or fewer if `stop` is cancelled.
///
/// The result depends on the seed and the count, not on the number of threads.
pub fn playouts<G: Playout>(
    game: &G,
    state: &G::State,
    count: u64,
    seed: u64,
    threads: usize,
    stop: &CancelToken,
) -> Playouts {
    let next = AtomicU64::new(0);
    let blocks = count.div_ceil(BLOCK);
    let work = || {
        let mut done = Vec::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks || stop.should_stop() {
                return done;
            }
            let games = BLOCK.min(count - block * BLOCK);
            done.push((block, play_block(game, state, games, &mut Random::stream(seed, block), stop)));
        }
    };
    let mut done: Vec<(u64, Playouts)> = if threads <= 1 {
        work()
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("playouts do not panic")).collect()
        })
    };
    // The sum has a fixed order, so that its rounding does not depend on the threads either.
    done.sort_unstable_by_key(|&(block, _)| block);
    let mut total = Playouts { returns: vec![0.0; game.seats()], ..Playouts::default() };
    for (_, part) in done {
        total.count += part.count;
        total.actions += part.actions;
        total.returns.iter_mut().zip(part.returns).for_each(|(sum, value)| *sum += value);
    }
    total
}

fn play_block<G: Playout>(game: &G, start: &G::State, count: u64, random: &mut Random, stop: &CancelToken) -> Playouts {
    let mut total = Playouts { returns: vec![0.0; game.seats()], ..Playouts::default() };
    let mut state = start.clone();
    for _ in 0..count {
        if stop.should_stop() {
            break;
        }
        state.clone_from(start);
        total.actions += u64::from(game.play_out(&mut state, u32::MAX, random));
        total.count += 1;
        let outcome = game.outcome(&state).expect("nobody acts only when the game is over");
        for (sum, value) in total.returns.iter_mut().zip(outcome.returns(game.seats())) {
            *sum += value;
        }
    }
    total
}
