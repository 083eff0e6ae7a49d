//! Type-erased games and states, with texts and numbers in place of types.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use tavola_core::observe::{Layout, Space, observe_flat};
use tavola_core::{
    Actor, CancelToken, Complete, Event, GameExt, Info, Options, Outcome, Playouts, PositionError, Prospect, Refusal,
    Seat, SmolStr, View,
};
use tavola_search::{Limits, Proof, Unsuitable};

use crate::any_search::{ErasedSearcher, SearchResult, TypedSearcher};
use crate::any_vector_env::AnyVectorEnv;

/// A game with its options, of any type.
#[derive(Clone)]
pub struct AnyGame {
    game: Arc<dyn ErasedGame>,
    options: Options,
}

/// A state of any game.
#[derive(Clone)]
pub struct AnyState(Arc<dyn ErasedState>);

/// An illegal action with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The token of the action.
    pub token: String,
    /// Why the action is illegal; `None` if the token stands for no action at all.
    pub refusal: Option<Refusal>,
}

impl AnyGame {
    /// Erases the type of a game with these options.
    pub fn new<G: Complete>(game: G, options: Options) -> Self {
        Self { game: Arc::new(Typed { game: Arc::new(game), space: OnceLock::new() }), options }
    }

    /// The game itself, if it is of this type.
    pub fn downcast<G: 'static>(&self) -> Option<&G> {
        self.game.as_any().downcast_ref()
    }

    /// The metadata of the game.
    pub fn info(&self) -> &'static Info {
        self.game.info()
    }

    /// The values of all options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The number of players.
    pub fn seats(&self) -> usize {
        self.game.seats()
    }

    /// The names of the features; none without an evaluation.
    pub fn features(&self) -> &'static [&'static str] {
        self.game.features()
    }

    /// The weight of each feature, for the options.
    pub fn weights(&self) -> Vec<f32> {
        self.game.weights()
    }

    /// The number of distinct actions of seats.
    pub fn action_count(&self) -> usize {
        self.game.action_count()
    }

    /// The first position.
    pub fn start(&self) -> AnyState {
        AnyState(self.game.start())
    }

    /// The position of a text.
    ///
    /// # Errors
    /// [`PositionError`] with every error.
    pub fn parse(&self, text: &str) -> Result<AnyState, PositionError> {
        self.game.parse(text).map(AnyState)
    }

    /// A search that keeps its tree from one position of this game to the next.
    pub fn searcher(&self) -> AnySearcher {
        self.game.searcher()
    }

    /// The shape of observations, and the symmetries.
    pub fn space(&self) -> &Space {
        self.game.space()
    }

    /// Creates environments whose random streams follow from the seed.
    pub fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv {
        self.game.vector_env(count, seed, layout)
    }

    /// The state of an environment of this game: a seat is to act. `None` for another game's environments.
    pub fn state_in(&self, env: &AnyVectorEnv, environment: usize) -> Option<AnyState> {
        self.game.state_of(env.state(environment)).map(AnyState)
    }

    /// The token of the action with this number.
    pub fn token(&self, index: usize) -> Option<String> {
        self.game.token(index)
    }

    /// The tokens of all chance outcomes, in the order of their numbers.
    pub fn chance_tokens(&self) -> Vec<String> {
        self.game.chance_tokens()
    }

    /// The number of the action with this token; `None` too for chance outcomes, which have no number.
    pub fn index(&self, token: &str) -> Option<usize> {
        self.game.index(token)
    }
}

impl AnyState {
    /// The actor whose turn it is.
    pub fn to_act(&self) -> Actor {
        self.0.to_act()
    }

    /// The numbers of the legal actions, ascending.
    pub fn legal_actions(&self) -> Vec<usize> {
        self.0.legal_actions()
    }

    /// The outcomes of chance with integer weights.
    pub fn chance_outcomes(&self) -> Vec<(String, u64)> {
        self.0.chance_outcomes()
    }

    /// The state after an action or chance outcome.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    pub fn play(&self, token: &str) -> Result<Self, IllegalAction> {
        Ok(Self(self.0.play(token)?))
    }

    /// The state after the action with this number.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason; of a number without an action, the number itself in place of a token.
    pub fn play_id(&self, id: usize) -> Result<Self, IllegalAction> {
        Ok(Self(self.0.play_id(id)?))
    }

    /// Appends the numbers of the legal actions, ascending.
    pub fn legal_ids(&self, ids: &mut Vec<i32>) {
        self.0.legal_ids(ids);
    }

    /// Writes which actions are legal, 1 or 0 for each number.
    ///
    /// # Panics
    /// If the length of the mask is not [`AnyGame::action_count`].
    pub fn mask(&self, mask: &mut [u8]) {
        self.0.mask(mask);
    }

    /// Writes the flat observation of a seat.
    ///
    /// # Panics
    /// If the length of `out` is not [`Space::flat_len`], or there is no such seat.
    pub fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.0.observe(seat, out);
    }

    /// The state after a symmetry, given as generators in order ([`Space::symmetries`]).
    pub fn mirrored(&self, generators: &[usize]) -> Self {
        Self(self.0.mirrored(generators))
    }

    /// The sum of the weights of the outcomes of chance; 0 unless chance acts.
    pub fn chance_total(&self) -> u64 {
        self.0.chance_total()
    }

    /// The outcome of chance of a number below [`AnyState::chance_total`]: each has as many numbers as its weight.
    pub fn chance_outcome(&self, ticket: u64) -> Option<String> {
        self.0.chance_outcome(ticket)
    }

    /// The outcome, or `None` before the end of the game.
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// The position as text.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The 64-bit key: equal states have equal keys.
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// Whether the other is the same state of the same type of game.
    pub fn same(&self, other: &Self) -> bool {
        self.0.same(other.0.as_any())
    }

    /// The position as a seat or a spectator sees it.
    pub fn view(&self, viewer: Option<Seat>) -> View {
        self.0.view(viewer)
    }

    /// The number of the current turn, 1 for the first.
    pub fn turn(&self) -> u32 {
        self.0.turn()
    }

    /// Whether the state has no hidden information.
    pub fn is_public(&self) -> bool {
        self.0.is_public()
    }

    /// The events of a legal action.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    pub fn events(&self, token: &str) -> Result<Vec<Event>, IllegalAction> {
        self.0.events(token)
    }

    /// The reason why no legal action begins with these cells and this rotation.
    pub fn touch_refusal(&self, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        self.0.touch_refusal(touched, turn)
    }

    /// The consequences of a legal action.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    pub fn prospect(&self, token: &str) -> Result<Prospect, IllegalAction> {
        self.0.prospect(token)
    }

    /// The features of each seat; empty after the end of the game.
    pub fn features(&self) -> Vec<Vec<f32>> {
        self.0.features()
    }

    /// The expected share of each seat by the evaluation; its result after the end of the game.
    pub fn estimate(&self) -> Vec<f32> {
        self.0.estimate()
    }

    /// Counts the sequences of exactly `depth` actions; `None` after a cancellation.
    pub fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64> {
        self.0.perft(depth, stop)
    }

    /// Plays random games to the end.
    pub fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts {
        self.0.playouts(count, seed, threads, stop)
    }

    /// Searches for a win that is forced within `plies` actions.
    pub fn prove(&self, plies: u32, stop: &CancelToken) -> Option<Proof> {
        self.0.prove(plies, stop)
    }

    /// Searches for the best action.
    ///
    /// # Errors
    /// [`Unsuitable`] if the method does not suit the game.
    pub fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable> {
        self.0.search(limits, stop)
    }
}

/// A search that keeps its tree from one position of a game to the next.
pub struct AnySearcher(Box<dyn ErasedSearcher>);

impl AnySearcher {
    /// Searches for the best action in a state of the same game and options; `None` for a state of another game.
    ///
    /// # Errors
    /// [`Unsuitable`] if the method does not suit the game.
    pub fn search(
        &mut self,
        state: &AnyState,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuitable> {
        self.0.search(state.0.as_any(), limits, stop)
    }

    /// Frees the tree.
    pub fn forget(&mut self) {
        self.0.forget();
    }
}

trait ErasedGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn info(&self) -> &'static Info;
    fn seats(&self) -> usize;
    fn action_count(&self) -> usize;
    fn space(&self) -> &Space;
    fn features(&self) -> &'static [&'static str];
    fn weights(&self) -> Vec<f32>;
    fn start(&self) -> Arc<dyn ErasedState>;
    fn parse(&self, text: &str) -> Result<Arc<dyn ErasedState>, PositionError>;
    fn searcher(&self) -> AnySearcher;
    fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv;
    fn state_of(&self, state: &dyn Any) -> Option<Arc<dyn ErasedState>>;
    fn token(&self, index: usize) -> Option<String>;
    fn index(&self, token: &str) -> Option<usize>;
    fn chance_tokens(&self) -> Vec<String>;
}

trait ErasedState: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn same(&self, other: &dyn Any) -> bool;
    fn to_act(&self) -> Actor;
    fn legal_actions(&self) -> Vec<usize>;
    fn chance_outcomes(&self) -> Vec<(String, u64)>;
    fn play(&self, token: &str) -> Result<Arc<dyn ErasedState>, IllegalAction>;
    fn play_id(&self, id: usize) -> Result<Arc<dyn ErasedState>, IllegalAction>;
    fn legal_ids(&self, ids: &mut Vec<i32>);
    fn mask(&self, mask: &mut [u8]);
    fn observe(&self, seat: Seat, out: &mut [u8]);
    fn mirrored(&self, generators: &[usize]) -> Arc<dyn ErasedState>;
    fn chance_total(&self) -> u64;
    fn chance_outcome(&self, ticket: u64) -> Option<String>;
    fn outcome(&self) -> Option<Outcome>;
    fn text(&self) -> String;
    fn key(&self) -> u64;
    fn view(&self, viewer: Option<Seat>) -> View;
    fn turn(&self) -> u32;
    fn is_public(&self) -> bool;
    fn events(&self, token: &str) -> Result<Vec<Event>, IllegalAction>;
    fn touch_refusal(&self, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal>;
    fn prospect(&self, token: &str) -> Result<Prospect, IllegalAction>;
    fn features(&self) -> Vec<Vec<f32>>;
    fn estimate(&self) -> Vec<f32>;
    fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64>;
    fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts;
    fn prove(&self, plies: u32, stop: &CancelToken) -> Option<Proof>;
    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable>;
}

struct Typed<G> {
    game: Arc<G>,
    /// Computed when a caller first asks for it.
    space: OnceLock<Space>,
}

struct TypedState<G: Complete> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Complete> Typed<G> {
    fn hold(&self, state: G::State) -> Arc<dyn ErasedState> {
        Arc::new(TypedState { game: Arc::clone(&self.game), state })
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

    fn start(&self) -> Arc<dyn ErasedState> {
        self.hold(self.game.start())
    }

    fn parse(&self, text: &str) -> Result<Arc<dyn ErasedState>, PositionError> {
        Ok(self.hold(self.game.parse_position(text)?))
    }

    fn searcher(&self) -> AnySearcher {
        AnySearcher(Box::new(TypedSearcher::new(Arc::clone(&self.game))))
    }

    fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv {
        AnyVectorEnv::new(Arc::clone(&self.game), count, seed, layout)
    }

    fn state_of(&self, state: &dyn Any) -> Option<Arc<dyn ErasedState>> {
        state.downcast_ref::<G::State>().map(|state| self.hold(state.clone()))
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
}

impl<G: Complete> TypedState<G> {
    fn after(&self, action: G::Action) -> Arc<dyn ErasedState> {
        let mut state = self.state.clone();
        self.game.play_unchecked(&mut state, action);
        Arc::new(Self { game: Arc::clone(&self.game), state })
    }

    fn legal(&self, token: &str) -> Result<G::Action, IllegalAction> {
        let illegal = |refusal| IllegalAction { token: token.to_owned(), refusal };
        let action = self.game.parse_token(token).ok_or_else(|| illegal(None))?;
        if self.game.is_legal(&self.state, action) {
            return Ok(action);
        }
        Err(illegal(self.game.refusal(&self.state, action)))
    }
}

impl<G: Complete> ErasedState for TypedState<G> {
    fn as_any(&self) -> &dyn Any {
        &self.state
    }

    fn same(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<G::State>().is_some_and(|other| *other == self.state)
    }

    fn to_act(&self) -> Actor {
        self.game.to_act(&self.state)
    }

    fn legal_actions(&self) -> Vec<usize> {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        actions.into_iter().map(|action| self.game.index(action)).collect()
    }

    fn chance_outcomes(&self) -> Vec<(String, u64)> {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(&self.state, &mut outcomes);
        outcomes.into_iter().map(|(outcome, weight)| (self.game.token(outcome).into(), weight)).collect()
    }

    fn play(&self, token: &str) -> Result<Arc<dyn ErasedState>, IllegalAction> {
        Ok(self.after(self.legal(token)?))
    }

    fn play_id(&self, id: usize) -> Result<Arc<dyn ErasedState>, IllegalAction> {
        let Some(action) = self.game.action(id) else {
            return Err(IllegalAction { token: id.to_string(), refusal: None });
        };
        if self.game.is_legal(&self.state, action) {
            return Ok(self.after(action));
        }
        let token = self.game.token(action).into();
        Err(IllegalAction { token, refusal: self.game.refusal(&self.state, action) })
    }

    fn legal_ids(&self, ids: &mut Vec<i32>) {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        ids.extend(actions.into_iter().map(|action| self.game.index(action) as i32));
    }

    fn mask(&self, mask: &mut [u8]) {
        assert_eq!(mask.len(), self.game.action_count(), "a mask has one flag for each action");
        mask.fill(0);
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        for action in actions {
            mask[self.game.index(action)] = 1;
        }
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        assert!(usize::from(seat) < self.game.seats(), "there is no seat {seat}");
        observe_flat(&*self.game, &self.state, seat, out);
    }

    fn mirrored(&self, generators: &[usize]) -> Arc<dyn ErasedState> {
        let mirrored = |state: G::State, &generator: &usize| self.game.mirrored(&state, generator);
        let state = generators.iter().fold(self.state.clone(), mirrored);
        Arc::new(Self { game: Arc::clone(&self.game), state })
    }

    fn chance_total(&self) -> u64 {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(&self.state, &mut outcomes);
        outcomes.into_iter().map(|(_, weight)| weight).sum()
    }

    fn chance_outcome(&self, mut ticket: u64) -> Option<String> {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(&self.state, &mut outcomes);
        let (outcome, _) = outcomes.into_iter().find(|&(_, weight)| {
            let drawn = ticket < weight;
            ticket = ticket.wrapping_sub(weight);
            drawn
        })?;
        Some(self.game.token(outcome).into())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome(&self.state)
    }

    fn text(&self) -> String {
        self.game.position(&self.state)
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn view(&self, viewer: Option<Seat>) -> View {
        self.game.view(&self.state, viewer)
    }

    fn turn(&self) -> u32 {
        self.game.turn(&self.state)
    }

    fn is_public(&self) -> bool {
        self.game.is_public(&self.state)
    }

    fn events(&self, token: &str) -> Result<Vec<Event>, IllegalAction> {
        Ok(self.game.events(&self.state, self.legal(token)?))
    }

    fn touch_refusal(&self, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        self.game.touch_refusal(&self.state, touched, turn)
    }

    fn prospect(&self, token: &str) -> Result<Prospect, IllegalAction> {
        Ok(self.game.prospect(&self.state, self.legal(token)?))
    }

    fn features(&self) -> Vec<Vec<f32>> {
        if self.to_act() == Actor::Terminal {
            return Vec::new();
        }
        let of = |seat| self.game.features(&self.state, seat)[..G::FEATURES.len()].to_vec();
        (0..self.game.seats() as Seat).map(of).collect()
    }

    fn estimate(&self) -> Vec<f32> {
        let seats = self.game.seats();
        match self.outcome() {
            Some(outcome) => (0..seats as Seat).map(|seat| outcome.share(seat, seats)).collect(),
            None => self.game.estimate(&self.state)[..seats].to_vec(),
        }
    }

    fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64> {
        tavola_core::perft(&*self.game, &self.state, depth, stop)
    }

    fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts {
        tavola_core::playouts(&*self.game, &self.state, count, seed, threads, stop)
    }

    fn prove(&self, plies: u32, stop: &CancelToken) -> Option<Proof> {
        tavola_search::prove(&*self.game, &self.state, plies, stop)
    }

    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable> {
        limits.check(&*self.game)?;
        let analysis = tavola_search::search(&*self.game, &self.state, limits, stop);
        Ok(SearchResult::new(&*self.game, analysis))
    }
}
