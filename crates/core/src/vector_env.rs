//! Many games of one kind, stepped together: the environment for training.
//!
//! A [`VectorEnv`] resolves chance itself and starts the next game where one ends. It writes what a learner needs into
//! arrays that the caller owns: see [`Arrays`].

use std::iter;
use std::sync::{Arc, Mutex, PoisonError};

use crate::game::{Actor, Game};
use crate::observe::{Layout, Observe, Space};
use crate::playout::Playout;
use crate::random::Random;

/// The observations of a vector environment: one row for each environment, one after the other.
#[derive(Debug)]
pub enum Observations<'a> {
    /// No observations.
    Without,
    /// The values of the planes.
    Bytes(&'a mut [u8]),
    /// The values of the planes, divided by the largest value of each.
    Floats(&'a mut [f32]),
}

impl<'a> Observations<'a> {
    /// The rows in blocks of `size` numbers, then [`Observations::Without`] for ever.
    fn blocks(self, size: usize) -> Box<dyn Iterator<Item = Observations<'a>> + 'a> {
        match self {
            Self::Bytes(rows) if size > 0 => Box::new(rows.chunks_mut(size).map(Self::Bytes)),
            Self::Floats(rows) if size > 0 => Box::new(rows.chunks_mut(size).map(Self::Floats)),
            _ => Box::new(iter::repeat_with(|| Self::Without)),
        }
    }
}

/// The arrays of a vector environment: one row for each environment, one after the other.
#[derive(Debug)]
pub struct Arrays<'a> {
    /// The position as the seat to act sees it.
    pub observations: Observations<'a>,
    /// 1 for the number of each legal action, 0 for the others.
    pub masks: &'a mut [u8],
    /// The seat to act.
    pub to_act: &'a mut [i32],
    /// For each seat the return of the game that this step ended; 0 in other steps.
    pub rewards: &'a mut [f32],
    /// Whether this step ended a game: 1 or 0.
    pub terminated: &'a mut [u8],
    /// The number of actions of seats in the game that this step ended; 0 in other steps.
    pub lengths: &'a mut [i32],
    /// For each seat the return of the last finished game; 0 before the first.
    pub returns: &'a mut [f32],
}

impl<'a> Arrays<'a> {
    /// The rows in blocks of `size` environments. Each observation has `numbers` numbers.
    fn blocks(self, size: usize, numbers: usize, actions: usize, seats: usize) -> impl Iterator<Item = Arrays<'a>> {
        let observations = self.observations.blocks(size * numbers);
        let rows = self.masks.chunks_mut(size * actions).zip(self.to_act.chunks_mut(size));
        let results = self.rewards.chunks_mut(size * seats).zip(self.returns.chunks_mut(size * seats));
        let ends = self.terminated.chunks_mut(size).zip(self.lengths.chunks_mut(size));
        let all = observations.zip(rows).zip(results).zip(ends);
        all.map(|(((observations, (masks, to_act)), (rewards, returns)), (terminated, lengths))| Arrays {
            observations,
            masks,
            to_act,
            rewards,
            terminated,
            lengths,
            returns,
        })
    }
}

/// Runs tasks, perhaps on several threads.
pub trait Parallel: Sync {
    /// The number of threads.
    fn threads(&self) -> usize;

    /// Calls `work` with each number below `tasks` once, in any order. Returns after the last call.
    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync));
}

/// Runs tasks in order on the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct Serial;

impl Parallel for Serial {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(work);
    }
}

/// An action is not legal in one of the environments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {id} is not legal in environment {environment}")]
pub struct IllegalId {
    /// The number of the environment.
    pub environment: usize,
    /// The given number of an action.
    pub id: i64,
}

/// One environment: a game in progress.
#[derive(Debug)]
struct Lane<S> {
    state: S,
    /// Draws the outcomes of chance.
    chance: Random,
    /// Draws random legal actions.
    choice: Random,
    /// The number of actions of seats since the start of the game.
    length: i32,
}

/// The smallest number of environments that a thread works on at a time.
const BLOCK: usize = 32;

/// Games of one kind that are stepped together.
///
/// Equal seeds and actions give equal results, on any number of threads.
#[derive(Debug)]
pub struct VectorEnv<G: Game> {
    game: Arc<G>,
    /// The first position of every game.
    first: G::State,
    lanes: Vec<Lane<G::State>>,
    /// The legal actions of each environment, one bit each.
    legal: Vec<u64>,
    /// The number of words of `legal` for one environment.
    words: usize,
    space: Space,
    layout: Layout,
}

impl<G: Observe + Playout> VectorEnv<G> {
    /// Creates environments whose random streams follow from the seed. Call [`reset`](Self::reset) before a step.
    pub fn new(game: Arc<G>, count: usize, seed: u64, layout: Layout) -> Self {
        let words = game.action_count().div_ceil(64);
        let lanes = (0..count).map(|number| {
            let (chance, choice) = streams(seed, number);
            Lane { state: game.start(), chance, choice, length: 0 }
        });
        let space = Space::without_symmetries(&*game);
        Self { lanes: lanes.collect(), legal: vec![0; count * words], words, space, layout, first: game.start(), game }
    }

    /// The number of environments.
    pub fn count(&self) -> usize {
        self.lanes.len()
    }

    /// The number of numbers of an observation.
    pub fn observation_len(&self) -> usize {
        self.space.len(self.layout)
    }

    /// The state of an environment: a seat is to act.
    pub fn state(&self, environment: usize) -> &G::State {
        &self.lanes[environment].state
    }

    /// Starts new games. With a seed, the random streams start again too.
    pub fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel) {
        if let Some(seed) = seed {
            for (number, lane) in self.lanes.iter_mut().enumerate() {
                (lane.chance, lane.choice) = streams(seed, number);
            }
        }
        arrays.rewards.fill(0.0);
        arrays.returns.fill(0.0);
        arrays.terminated.fill(0);
        arrays.lengths.fill(0);
        self.each_block(arrays, parallel, |block, _| {
            let (game, Block { pen, lanes, legal, arrays }) = (block.pen.game, block);
            for (row, lane) in lanes.iter_mut().enumerate() {
                lane.restart(game, pen.first);
                pen.show(row, lane, legal, arrays);
            }
        });
    }

    /// Plays one action in each environment.
    ///
    /// # Errors
    /// [`IllegalId`] for the first action that is not legal; then nothing has changed.
    ///
    /// # Panics
    /// If the number of ids is not the number of environments.
    pub fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId> {
        assert_eq!(ids.len(), self.lanes.len(), "one id for each environment");
        for (environment, (&id, legal)) in ids.iter().zip(self.legal.chunks(self.words)).enumerate() {
            // A negative id is beyond the last word.
            let legal = legal.get((id >> 6) as usize).is_some_and(|word| word >> (id & 63) & 1 == 1);
            if !legal {
                return Err(IllegalId { environment, id });
            }
        }
        self.each_block(arrays, parallel, |block, first| {
            let (game, Block { pen, lanes, legal, arrays }) = (block.pen.game, block);
            let seats = game.seats();
            for (row, lane) in lanes.iter_mut().enumerate() {
                let action = game.action(ids[first + row] as usize).expect("a legal number");
                game.play_unchecked(&mut lane.state, action);
                lane.length += 1;
                lane.resolve_chance(game);
                let rewards = &mut arrays.rewards[row * seats..][..seats];
                if game.to_act(&lane.state) == Actor::Terminal {
                    let outcome = game.outcome(&lane.state).expect("nobody acts only when the game is over");
                    for (seat, reward) in rewards.iter_mut().enumerate() {
                        *reward = outcome.seat_return(seat as u8, seats) as f32;
                    }
                    arrays.returns[row * seats..][..seats].copy_from_slice(rewards);
                    arrays.terminated[row] = 1;
                    arrays.lengths[row] = lane.length;
                    lane.restart(game, pen.first);
                } else {
                    rewards.fill(0.0);
                    arrays.terminated[row] = 0;
                    arrays.lengths[row] = 0;
                }
                pen.show(row, lane, legal, arrays);
            }
        });
        Ok(())
    }

    /// Draws a legal action for each environment, all equally likely.
    ///
    /// The draws have their own random streams: they do not change the outcomes of chance.
    ///
    /// # Panics
    /// If the number of ids is not the number of environments.
    pub fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel) {
        assert_eq!(ids.len(), self.lanes.len(), "one id for each environment");
        let (size, words) = (self.block_size(parallel), self.words);
        let blocks = self.lanes.chunks_mut(size).zip(self.legal.chunks(size * words)).zip(ids.chunks_mut(size));
        let tasks: Vec<_> = blocks.map(Mutex::new).collect();
        parallel.run(tasks.len(), &|task| {
            let mut task = tasks[task].lock().unwrap_or_else(PoisonError::into_inner);
            let ((lanes, legal), ids) = &mut *task;
            for ((lane, legal), id) in lanes.iter_mut().zip(legal.chunks(words)).zip(ids.iter_mut()) {
                let count = legal.iter().map(|word| word.count_ones()).sum();
                *id = if count == 0 { 0 } else { nth_bit(legal, lane.choice.below(count)) };
            }
        });
    }

    fn block_size(&self, parallel: &dyn Parallel) -> usize {
        // Several blocks for each thread, because not all take the same time.
        self.lanes.len().div_ceil(4 * parallel.threads()).max(BLOCK)
    }

    /// Calls `work` with each block of environments and the number of its first.
    fn each_block(
        &mut self,
        arrays: Arrays<'_>,
        parallel: &dyn Parallel,
        work: impl Fn(&mut Block<'_, '_, G>, usize) + Sync,
    ) {
        let (game, size, words) = (&*self.game, self.block_size(parallel), self.words);
        let rows = arrays.blocks(size, self.space.len(self.layout), game.action_count(), game.seats());
        let (first, space, layout) = (&self.first, &self.space, self.layout);
        let lanes = self.lanes.chunks_mut(size).zip(self.legal.chunks_mut(size * words));
        let blocks = lanes.zip(rows).map(|((lanes, legal), arrays)| {
            let pen = Pen { game, first, words, space, layout, flat: vec![0; space.flat_len()] };
            Block { pen, lanes, legal, arrays }
        });
        let tasks: Vec<_> = blocks.map(Mutex::new).collect();
        parallel.run(tasks.len(), &|task| {
            let mut block = tasks[task].lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut block, task * size);
        });
    }
}

/// Consecutive environments with their rows.
struct Block<'env, 'rows, G: Game> {
    pen: Pen<'env, G>,
    lanes: &'env mut [Lane<G::State>],
    legal: &'env mut [u64],
    arrays: Arrays<'rows>,
}

impl<S: Clone> Lane<S> {
    /// Starts a new game.
    fn restart<G: Playout<State = S>>(&mut self, game: &G, first: &S) {
        self.state.clone_from(first);
        self.length = 0;
        self.resolve_chance(game);
    }

    /// Plays outcomes of chance until a seat is to act or the game is over.
    #[inline]
    fn resolve_chance<G: Playout<State = S>>(&mut self, game: &G) {
        while game.to_act(&self.state) == Actor::Chance {
            let outcome = game.random_outcome(&self.state, &mut self.chance);
            game.play_unchecked(&mut self.state, outcome);
        }
    }
}

/// Writes rows.
struct Pen<'env, G: Game> {
    game: &'env G,
    first: &'env G::State,
    /// The number of words of a set of legal actions.
    words: usize,
    space: &'env Space,
    layout: Layout,
    /// A flat observation, on its way to floats.
    flat: Vec<u8>,
}

impl<G: Observe> Pen<'_, G> {
    /// Writes what the seat to act sees.
    #[inline]
    fn show(&mut self, row: usize, lane: &Lane<G::State>, legal: &mut [u64], arrays: &mut Arrays<'_>) {
        let (game, state) = (self.game, &lane.state);
        // A seat acts after chance and a restart, unless the rules of a game in Python have failed.
        let seat = game.to_act(state).seat();
        arrays.to_act[row] = seat.map_or(-1, Into::into);
        let seat = seat.unwrap_or(0);
        let legal = &mut legal[row * self.words..][..self.words];
        game.legal_set(state, legal);
        let actions = game.action_count();
        spread_bits(legal, &mut arrays.masks[row * actions..][..actions]);
        let numbers = self.space.len(self.layout);
        match &mut arrays.observations {
            Observations::Without => {}
            Observations::Bytes(rows) => {
                let out = &mut rows[row * numbers..][..numbers];
                let flat = &mut out[..self.flat.len()];
                flat.fill(0);
                game.observe(state, seat, flat);
                if self.layout == Layout::Planes {
                    self.space.spread(out);
                }
            }
            Observations::Floats(rows) => {
                self.flat.fill(0);
                game.observe(state, seat, &mut self.flat);
                self.space.to_floats(&self.flat, self.layout, &mut rows[row * numbers..][..numbers]);
            }
        }
    }
}

/// The random streams of an environment: of chance, and of random actions.
fn streams(seed: u64, number: usize) -> (Random, Random) {
    let stream = |kind| Random::stream(seed, 2 * number as u64 + kind);
    (stream(0), stream(1))
}

/// The position of a set bit by its rank among the set bits.
fn nth_bit(words: &[u64], mut rank: u32) -> i64 {
    for (place, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if rank < count {
            return 64 * place as i64 + i64::from(crate::bitset::nth(word, rank));
        }
        rank -= count;
    }
    unreachable!("the rank is below the number of legal actions")
}

/// Writes a byte for each bit, 1 or 0.
#[inline]
fn spread_bits(words: &[u64], bytes: &mut [u8]) {
    /// Eight bytes, the lowest first, from the lowest eight bits.
    #[inline]
    const fn eight(bits: u64) -> [u8; 8] {
        const LOW: u64 = u64::MAX / 255;
        let spread = ((bits & 0xFF) * LOW) & 0x8040_2010_0804_0201;
        (((spread + 127 * LOW) >> 7) & LOW).to_le_bytes()
    }
    for (&word, bytes) in words.iter().zip(bytes.chunks_mut(64)) {
        let mut word = word;
        let (eights, rest) = bytes.as_chunks_mut::<8>();
        for bytes in eights {
            *bytes = eight(word);
            word >>= 8;
        }
        rest.copy_from_slice(&eight(word)[..rest.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_becomes_a_byte() {
        let mut random = Random::new(3);
        for length in [1, 7, 8, 12, 64, 65, 127, 217] {
            let words: Vec<u64> = (0..length).step_by(64).map(|_| random.word()).collect();
            let mut bytes = vec![9; length];
            spread_bits(&words, &mut bytes);
            for (place, &byte) in bytes.iter().enumerate() {
                assert_eq!(u64::from(byte), words[place / 64] >> (place % 64) & 1, "{place} of {length}");
            }
        }
    }

    #[test]
    fn bits_are_found_by_rank() {
        let words = [0, 0b1010_0000, 1 << 63];
        assert_eq!([0, 1, 2].map(|rank| nth_bit(&words, rank)), [69, 71, 191]);
    }
}
