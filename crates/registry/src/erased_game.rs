//! Games of any type: the trait, and its one implementation for typed games.

use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use tavola_core::observe::{Layout, Space};
use tavola_core::{CancelToken, Complete, Info, Options, PositionError, SeatSet, Sketched, Solving, Text};

use crate::any_puct::{AnyPuct, TypedPuct};
use crate::any_search::{AnySearcher, TypedSearcher};
use crate::any_state::AnyState;
use crate::any_vector_env::{AnyVectorEnv, TypedVectorEnv};

/// A game of any type, with texts and numbers in place of types.
pub trait ErasedGame: Send + Sync {
    /// The typed game.
    fn as_any(&self) -> &dyn Any;

    /// The metadata of the game.
    fn info(&self) -> &'static Info;

    /// The number of players.
    fn seats(&self) -> usize;

    /// The number of distinct actions of seats.
    fn action_count(&self) -> usize;

    /// The shape of observations, and the symmetries.
    fn space(&self) -> &Space;

    /// The names of the features; none without an evaluation.
    fn features(&self) -> &'static [&'static str];

    /// The weight of each feature, for the options.
    fn weights(&self) -> Vec<f32>;

    /// The first position.
    fn start(&self) -> AnyState;

    /// The position of a text.
    ///
    /// # Errors
    /// [`PositionError`] with every error.
    fn parse(&self, text: &str) -> Result<AnyState, PositionError>;

    /// The sketch of a position text, in games with a position editor.
    fn sketch(&self, text: &str) -> Sketched<'_>;

    /// A search that keeps its tree from one position of this game to the next: the classic one, without a network.
    fn searcher(&self) -> AnySearcher;

    /// The searches of this game with an evaluator.
    fn puct(&self) -> Box<dyn AnyPuct + '_>;

    /// Creates environments whose random streams follow from the seed.
    fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv;

    /// The token of the action with this number.
    fn token(&self, index: usize) -> Option<String>;

    /// The number of the action with this token; `None` too for chance outcomes, which have no number.
    fn index(&self, token: &str) -> Option<usize>;

    /// The tokens of all chance outcomes, in the order of their numbers.
    fn chance_tokens(&self) -> Vec<String>;

    /// Solves the game with these options ([`solve`](tavola_core::Evaluate::solve)).
    ///
    /// # Errors
    /// A text of the core, with the reason.
    fn solve(&self, options: &Options, work: &mut Solving<'_>) -> Result<(), Text>;

    /// The tokens of the actions with the best result ([`perfect_actions`](tavola_core::Evaluate::perfect_actions)); `None` for a
    /// state of another game.
    fn perfect_actions(&self, state: &AnyState, stop: &CancelToken) -> Option<Vec<String>>;

    /// The winners by perfect play and the numbers of the best actions ([`solved_actions`](tavola_core::solved_actions)), if the
    /// state is of this game and a solution tells them.
    fn solved_actions(&self, state: &AnyState) -> Option<(SeatSet, Vec<usize>)>;

    /// The game with the solution of a file ([`with_solution`](tavola_core::Evaluate::with_solution)).
    ///
    /// # Errors
    /// A text of the core, with the reason.
    fn with_solution(&self, options: &Options, file: &Path) -> Result<Arc<dyn ErasedGame>, Text>;
}

pub(crate) struct Typed<G> {
    game: Arc<G>,
    /// Computed when a caller first asks for it.
    space: OnceLock<Space>,
}

impl<G: Complete> Typed<G> {
    pub(crate) fn new(game: G) -> Self {
        Self { game: Arc::new(game), space: OnceLock::new() }
    }

    fn hold(&self, state: G::State) -> AnyState {
        AnyState::new(Arc::clone(&self.game), state)
    }
}

impl<G: Complete> ErasedGame for Typed<G> {
    fn as_any(&self) -> &dyn Any {
        &*self.game
    }

    fn info(&self) -> &'static Info {
        self.game.info()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn action_count(&self) -> usize {
        self.game.action_count()
    }

    fn space(&self) -> &Space {
        self.space.get_or_init(|| Space::of(&*self.game))
    }

    fn features(&self) -> &'static [&'static str] {
        G::FEATURES
    }

    fn weights(&self) -> Vec<f32> {
        self.game.weights()[..G::FEATURES.len()].to_vec()
    }

    fn start(&self) -> AnyState {
        self.hold(self.game.start())
    }

    fn parse(&self, text: &str) -> Result<AnyState, PositionError> {
        Ok(self.hold(self.game.parse_position(text)?))
    }

    fn sketch(&self, text: &str) -> Sketched<'_> {
        self.game.sketch(text)
    }

    fn searcher(&self) -> AnySearcher {
        Box::new(TypedSearcher::new(Arc::clone(&self.game)))
    }

    fn puct(&self) -> Box<dyn AnyPuct + '_> {
        Box::new(TypedPuct { game: &self.game })
    }

    fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv {
        Box::new(TypedVectorEnv::new(Arc::clone(&self.game), count, seed, layout))
    }

    fn token(&self, index: usize) -> Option<String> {
        Some(self.game.token(self.game.action(index)?).into())
    }

    fn index(&self, token: &str) -> Option<usize> {
        // A chance outcome is an action too, but has no number.
        let action = self.game.parse_token(token).filter(|_| !token.starts_with('*'))?;
        Some(self.game.index(action))
    }

    fn chance_tokens(&self) -> Vec<String> {
        (0..).map_while(|index| self.game.chance(index)).map(|outcome| self.game.token(outcome).into()).collect()
    }

    fn solve(&self, options: &Options, work: &mut Solving<'_>) -> Result<(), Text> {
        self.game.solve(options, work)
    }

    fn perfect_actions(&self, state: &AnyState, stop: &CancelToken) -> Option<Vec<String>> {
        let actions = self.game.perfect_actions(state.as_any().downcast_ref()?, stop);
        Some(actions.into_iter().map(|action| self.game.token(action).into()).collect())
    }

    fn solved_actions(&self, state: &AnyState) -> Option<(SeatSet, Vec<usize>)> {
        let (winners, actions) = tavola_core::solved_actions(&*self.game, state.as_any().downcast_ref()?)?;
        Some((winners, actions.into_iter().map(|action| self.game.index(action)).collect()))
    }

    fn with_solution(&self, options: &Options, file: &Path) -> Result<Arc<dyn ErasedGame>, Text> {
        Ok(Arc::new(Self::new(self.game.with_solution(options, file)?)))
    }
}
