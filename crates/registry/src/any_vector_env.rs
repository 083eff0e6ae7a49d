//! Vector environments of a type-erased game. One virtual call serves all environments.

use std::any::Any;
use std::sync::Arc;

use tavola_core::observe::Layout;
use tavola_core::{Arrays, Complete, IllegalId, Parallel, VectorEnv};

/// Games of one kind that are stepped together.
pub struct AnyVectorEnv(Box<dyn ErasedVectorEnv>);

impl AnyVectorEnv {
    pub(crate) fn new<G: Complete>(game: Arc<G>, count: usize, seed: u64, layout: Layout) -> Self {
        Self(Box::new(TypedVectorEnv(VectorEnv::new(game, count, seed, layout))))
    }

    /// The number of numbers of an observation.
    pub fn observation_len(&self) -> usize {
        self.0.observation_len()
    }

    /// Starts new games. With a seed, the random streams start again too.
    pub fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel) {
        self.0.reset(seed, arrays, parallel);
    }

    /// Plays one action in each environment.
    ///
    /// # Errors
    /// [`IllegalId`] for the first action that is not legal; then nothing has changed.
    pub fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId> {
        self.0.step(ids, arrays, parallel)
    }

    /// Draws a legal action for each environment, all equally likely.
    pub fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel) {
        self.0.random_ids(ids, parallel);
    }

    /// The typed state of an environment.
    pub(crate) fn state(&self, environment: usize) -> &dyn Any {
        self.0.state(environment)
    }
}

trait ErasedVectorEnv: Send {
    fn observation_len(&self) -> usize;
    fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel);
    fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId>;
    fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel);
    fn state(&self, environment: usize) -> &dyn Any;
}

struct TypedVectorEnv<G: Complete>(VectorEnv<G>);

impl<G: Complete> ErasedVectorEnv for TypedVectorEnv<G> {
    fn observation_len(&self) -> usize {
        self.0.observation_len()
    }

    fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel) {
        self.0.reset(seed, arrays, parallel);
    }

    fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId> {
        self.0.step(ids, arrays, parallel)
    }

    fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel) {
        self.0.random_ids(ids, parallel);
    }

    fn state(&self, environment: usize) -> &dyn Any {
        self.0.state(environment)
    }
}
