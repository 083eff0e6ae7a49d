//! Type-erased games and states, with texts and numbers in place of types.

use std::sync::{Arc, OnceLock};

use tavola_core::observe::{Layout, Space};
use tavola_core::{
    Actor, CancelToken, Complete, Event, Features, Info, Instant, MoveLabel, Options, Outcome, Playouts, PositionError,
    Prospect, Refusal, Seat, SmolStr, Text, View,
};
use tavola_net::{FileError, Network, Shape, Tensors, Weights};
use tavola_search::{Limits, Proof, Unsuitable};

use crate::any_puct::AnyPuct;
use crate::any_search::{ErasedSearcher, SearchResult};
use crate::any_vector_env::AnyVectorEnv;
use crate::erased::{AnyState, ErasedGame, IllegalAction, Typed};

/// A game with its options, of any type.
#[derive(Clone)]
pub struct AnyGame {
    game: Arc<dyn ErasedGame>,
    options: Options,
    own_network: Arc<OnceLock<Option<Arc<Network>>>>,
}

/// The maximum number of legal actions that an error lists.
const MOST_LISTED: usize = 20;

/// The design of a new network: its inputs, the sizes of its hidden layers, and the search that it suits.
#[derive(Clone, Copy, Debug)]
pub struct NetworkDesign<'a> {
    /// The units of the hidden layer.
    pub hidden: usize,
    /// The units of the second hidden layer, for the shares.
    pub second: usize,
    /// The weight of each feature of the game's evaluation; empty if the network does not read it.
    pub features: &'a [f32],
    /// Whether the policy reads the evaluation after each action. It needs the features.
    pub looks: bool,
    /// The exploration constant of its searches, from 0. `None` is the usual one.
    pub c_puct: Option<f32>,
    /// The weight of a rollout in the value of a leaf, from 0 to 1. `None` is 0.
    pub rollouts: Option<f32>,
    /// A line on where the network comes from.
    pub about: &'a str,
}

impl AnyGame {
    /// Erases the type of a game with these options.
    pub fn new<G: Complete>(game: G, options: Options) -> Self {
        let game = Arc::new(Typed { game: Arc::new(game), space: OnceLock::new() });
        Self { game, options, own_network: Arc::default() }
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

    /// A search that keeps its tree from one position of this game to the next: the classic one, without a network.
    pub fn searcher(&self) -> AnySearcher {
        AnySearcher(self.game.searcher())
    }

    /// The best search of this game: with the network of its options if there is one, otherwise the classic one.
    pub fn best_searcher(&self) -> AnySearcher {
        let mut searcher = self.searcher();
        searcher.set_network(self.own_network());
        searcher
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

    /// The searches of this game with an evaluator.
    pub fn puct(&self) -> Box<dyn AnyPuct<AnyState> + '_> {
        self.game.puct()
    }

    /// The network of a file, for this game with these options.
    ///
    /// # Errors
    /// [`FileError`] with the first fault.
    pub fn read_network(&self, bytes: &[u8]) -> Result<Network, FileError> {
        let (rules, seats, actions) = (self.options.rules_version(), self.seats(), self.action_count());
        Network::from_bytes(bytes, rules, self.space(), seats, actions, self.features())
    }

    /// The network that comes with the game for these options.
    pub fn own_network(&self) -> Option<&Arc<Network>> {
        let is_own = |shape: Shape| {
            self.options.iter().all(|(name, value)| shape.options.get(name).is_some_and(|own| own == value))
        };
        let find = || {
            let mut files = self.info().assets.networks.iter();
            let file = files.find(|file| Network::shape_of(file).is_ok_and(is_own))?;
            self.read_network(file).ok().map(Arc::new)
        };
        self.own_network.get_or_init(find).as_ref()
    }

    /// A network for this game with these options, from the weights of its layers.
    ///
    /// # Panics
    /// If the number of weights of a layer does not suit the game and the design, or there are looks without features.
    pub fn new_network(&self, design: &NetworkDesign<'_>, weights: &Tensors<Weights>) -> Network {
        let &NetworkDesign { hidden, second, features, looks, c_puct, rollouts, about } = design;
        assert!(!looks || !features.is_empty(), "looks need features");
        assert!(features.is_empty() || features.len() == self.features().len(), "a weight for each feature");
        let options = self.options.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let shape = Shape {
            game: self.info().name.to_owned(),
            options: options.collect(),
            rules_version: self.options.rules_version(),
            planes: String::new(),
            inputs: self.space().flat_len(),
            hidden,
            second,
            seats: self.seats(),
            actions: self.action_count(),
            features: self.features().iter().map(|&name| name.to_owned()).zip(features.iter().copied()).collect(),
            looks,
            c_puct,
            rollouts,
            about: about.to_owned(),
        };
        Network::new(shape, self.space(), weights).expect("the shape is that of the game")
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

    /// Why an action is illegal in a state; of an unknown token, with the legal ones.
    pub fn reason(&self, state: &AnyState, error: &IllegalAction) -> Text {
        if let Some(refusal) = &error.refusal {
            return refusal.text.clone();
        }
        let legal = state.legal_actions().into_iter().filter_map(|id| self.token(id));
        let legal: Vec<String> = legal.chain(state.chance_outcomes().into_iter().map(|(token, _)| token)).collect();
        let (listed, more) = legal.split_at(legal.len().min(MOST_LISTED));
        let key = match (listed, more) {
            ([], _) => "fault.token.none",
            (_, []) => "fault.token.all",
            _ => "fault.token.some",
        };
        let text = Text::new(key).with("game", self.info().name).with("tokens", &*listed.join(", "));
        text.with("count", more.len())
    }
}

/// The name and the options.
impl std::fmt::Display for AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.info().name, self.options)
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

    /// Plays the choices of a whole game, each by its rank among the legal actions or the outcomes of chance, and
    /// appends the keys of all positions, this one included. Returns whether the choices exist and end the game.
    pub fn replay(&self, choices: &[u16], keys: &mut Vec<u64>) -> bool {
        self.0.replay(choices, keys)
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

    /// A legal action as the list of moves shows it; `None` for the label of its view.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    pub fn move_label(&self, token: &str) -> Result<Option<MoveLabel>, IllegalAction> {
        self.0.move_label(token)
    }

    /// The features of each seat; empty after the end of the game.
    pub fn features(&self) -> Vec<Vec<f32>> {
        self.0.features()
    }

    /// The expected share of each seat by the evaluation; its result after the end of the game.
    pub fn estimate(&self) -> Vec<f32> {
        self.0.estimate()
    }

    /// Writes the terms of the evaluation with these weights, those of the seat to act first.
    ///
    /// # Panics
    /// If no seat acts, or there is not a place for each feature of each seat.
    pub fn terms(&self, weights: &Features, terms: &mut [f32]) {
        self.0.terms(weights, terms);
    }

    /// Writes the logarithm of the odds of the seat to act after each of these legal actions, by the evaluation with these
    /// weights.
    ///
    /// # Panics
    /// If no seat acts, or an action has no such number.
    pub fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]) {
        self.0.looks(ids, weights, looks);
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
        self.0.prove(plies, None, stop)
    }

    /// Searches as [`AnyState::prove`] does, until a deadline. `None` then means nothing.
    pub fn prove_until(&self, plies: u32, deadline: Instant, stop: &CancelToken) -> Option<Proof> {
        self.0.prove(plies, Some(deadline), stop)
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

    /// Sets the network of the leaves, for this game and options; `None` for rollouts or the game's own evaluation. A network
    /// other than before forgets all earlier searches. The method of a search with a network is the tree.
    pub fn set_network(&mut self, network: Option<&Arc<Network>>) {
        self.0.set_network(network);
    }

    /// Frees the tree.
    pub fn forget(&mut self) {
        self.0.forget();
    }
}
