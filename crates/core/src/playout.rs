//! Random games from a position to the end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::cancel::CancelToken;
use crate::game::{Actor, Game};
use crate::random::Random;

/// How a game is continued when nobody thinks.
pub trait Playout: Game {
    /// One legal action of the seat to act, all equally likely.
    ///
    /// Overridden where a random action can be drawn without listing all.
    fn random_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions[random.below(actions.len() as u32) as usize]
    }

    /// One of chance's outcomes, drawn by its weight.
    ///
    /// Overridden where an outcome can be drawn without listing all.
    fn random_outcome(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        outcomes[random.weighted(outcomes.iter().map(|&(_, weight)| weight))].0
    }

    /// Plays what [`random_action`](Self::random_action) would draw, or [`random_outcome`](Self::random_outcome) where
    /// chance acts; nothing at the end.
    ///
    /// Overridden where to draw and to play in one go is faster.
    #[inline]
    fn play_random_action(&self, state: &mut Self::State, random: &mut Random) {
        let action = match self.to_act(state) {
            Actor::Seat(_) => self.random_action(state, random),
            Actor::Chance => self.random_outcome(state, random),
            Actor::Terminal => return,
        };
        self.play_unchecked(state, action);
    }

    /// Goes on playing randomly to the end, or for so many actions; how many there were.
    ///
    /// Overridden where what was found out for one action serves the next.
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

    /// One legal action, drawn with a little sense: what the tree search plays its games out with.
    fn rollout_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        self.random_action(state, random)
    }

    /// An action by which the seat to act wins at once, alone, if the game sees one fast; it may overlook some.
    ///
    /// The tree search takes it for proof.
    fn winning_action(&self, _state: &Self::State) -> Option<Self::Action> {
        None
    }
}

/// What a number of random games came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// How many games were played to the end.
    pub count: u64,
    /// How many actions they had in all, chance outcomes included.
    pub actions: u64,
    /// The sums of the returns, one per seat.
    pub returns: Vec<f64>,
}

/// How many games are played from one random stream.
const BLOCK: u64 = 256;

/// Plays `count` random games from a state on `threads` threads, or fewer if `stop` is set meanwhile.
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
    // Added up in one order, so that rounding does not depend on the threads either.
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
