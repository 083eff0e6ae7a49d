//! Vector environments of a game of any type. One virtual call serves all environments.

use std::sync::Arc;

use tavola_core::observe::Layout;
use tavola_core::{Arrays, Complete, IllegalId, Parallel, VectorEnv};

use crate::any_state::AnyState;

/// Games of one kind that are stepped together.
pub type AnyVectorEnv = Box<dyn ErasedVectorEnv>;

/// Environments of a game of any type.
pub trait ErasedVectorEnv: Send {
    /// The number of numbers of an observation.
    fn observation_len(&self) -> usize;

    /// Starts new games. With a seed, the random streams start again too.
    fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel);

    /// Plays one action in each environment.
    ///
    /// # Errors
    /// [`IllegalId`] for the first action that is not legal; then nothing has changed.
    fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId>;

    /// Draws a legal action for each environment, all equally likely.
    fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel);

    /// The state of an environment: a seat is to act.
    fn state(&self, environment: usize) -> AnyState;
}

pub(crate) struct TypedVectorEnv<G: Complete> {
    game: Arc<G>,
    env: VectorEnv<G>,
}

impl<G: Complete> TypedVectorEnv<G> {
    pub(crate) fn new(game: Arc<G>, count: usize, seed: u64, layout: Layout) -> Self {
        Self { env: VectorEnv::new(Arc::clone(&game), count, seed, layout), game }
    }
}

impl<G: Complete> ErasedVectorEnv for TypedVectorEnv<G> {
    fn observation_len(&self) -> usize {
        self.env.observation_len()
    }

    fn reset(&mut self, seed: Option<u64>, arrays: Arrays<'_>, parallel: &dyn Parallel) {
        self.env.reset(seed, arrays, parallel);
    }

    fn step(&mut self, ids: &[i64], arrays: Arrays<'_>, parallel: &dyn Parallel) -> Result<(), IllegalId> {
        self.env.step(ids, arrays, parallel)
    }

    fn random_ids(&mut self, ids: &mut [i64], parallel: &dyn Parallel) {
        self.env.random_ids(ids, parallel);
    }

    fn state(&self, environment: usize) -> AnyState {
        AnyState::new(Arc::clone(&self.game), self.env.state(environment).clone())
    }
}
