//! States of any game: the trait, and its one implementation for typed games.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use tavola_core::evaluation;
use tavola_core::observe::observe_flat;
use tavola_core::view::NumberChange;
use tavola_core::{
    Actor, CancelToken, Complete, Event, Features, GameExt, Instant, MoveLabel, Outcome, Playouts, Prospect, Refusal,
    Seat, SmolStr, View,
};
use tavola_search::{Limits, Proof, Unsuitable};

use crate::search_result::SearchResult;

/// A state of any game.
#[derive(Clone)]
pub struct AnyState(Arc<dyn ErasedState>);

impl AnyState {
    /// Erases the type of a state.
    pub(crate) fn new<G: Complete>(game: Arc<G>, state: G::State) -> Self {
        Self(Arc::new(TypedState { game, state }))
    }
}

impl Deref for AnyState {
    type Target = dyn ErasedState;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// An illegal action with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The token of the action.
    pub token: String,
    /// Why the action is illegal; `None` if the token stands for no action at all.
    pub refusal: Option<Refusal>,
}

/// A state of any game, with texts and numbers in place of types.
pub trait ErasedState: Send + Sync {
    /// The typed state.
    fn as_any(&self) -> &dyn Any;

    /// Whether the other is the same state of the same type of game.
    fn same(&self, other: &AnyState) -> bool;

    /// The actor whose turn it is.
    fn to_act(&self) -> Actor;

    /// The numbers of the legal actions, ascending.
    fn legal_actions(&self) -> Vec<usize>;

    /// The outcomes of chance with integer weights.
    fn chance_outcomes(&self) -> Vec<(String, u64)>;

    /// The state after an action or chance outcome.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    fn play(&self, token: &str) -> Result<AnyState, IllegalAction>;

    /// The state after the action with this number.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason; of a number without an action, the number itself in place of a token.
    fn play_id(&self, id: usize) -> Result<AnyState, IllegalAction>;

    /// Appends the numbers of the legal actions, ascending.
    fn legal_ids(&self, ids: &mut Vec<i32>);

    /// Plays the choices of a whole game, each by its rank among the legal actions or the outcomes of chance, and
    /// appends the keys of all positions, this one included. Returns whether the choices exist and end the game.
    fn replay(&self, choices: &[u16], keys: &mut Vec<u64>) -> bool;

    /// Writes which actions are legal, 1 or 0 for each number.
    ///
    /// # Panics
    /// If the length of the mask is not [`ErasedGame::action_count`].
    fn mask(&self, mask: &mut [u8]);

    /// Writes the flat observation of a seat.
    ///
    /// # Panics
    /// If the length of `out` is not [`Space::flat_len`], or there is no such seat.
    fn observe(&self, seat: Seat, out: &mut [u8]);

    /// The state after a symmetry, given as generators in order ([`Space::symmetries`]).
    fn mirrored(&self, generators: &[usize]) -> AnyState;

    /// The sum of the weights of the outcomes of chance; 0 unless chance acts.
    fn chance_total(&self) -> u64;

    /// The outcome of chance of a number below [`ErasedState::chance_total`]: each has as many numbers as its weight.
    fn chance_outcome(&self, ticket: u64) -> Option<String>;

    /// The outcome, or `None` before the end of the game.
    fn outcome(&self) -> Option<Outcome>;

    /// The position as text.
    fn text(&self) -> String;

    /// The 64-bit key: equal states have equal keys.
    fn key(&self) -> u64;

    /// The position as a seat or a spectator sees it.
    fn view(&self, viewer: Option<Seat>) -> View;

    /// The number of the current turn, 1 for the first.
    fn turn(&self) -> u32;

    /// Whether the state has no hidden information.
    fn is_public(&self) -> bool;

    /// The events of a legal action.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    fn events(&self, token: &str) -> Result<Vec<Event>, IllegalAction>;

    /// The reason why no legal action begins with these cells and this rotation.
    fn touch_refusal(&self, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal>;

    /// The consequences of a legal action.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    fn prospect(&self, token: &str) -> Result<Prospect, IllegalAction>;

    /// A legal action as the list of moves shows it; `None` for the label of its view.
    ///
    /// # Errors
    /// [`IllegalAction`], with the reason.
    fn move_label(&self, token: &str) -> Result<Option<MoveLabel>, IllegalAction>;

    /// The features of each seat; empty after the end of the game.
    fn features(&self) -> Vec<Vec<f32>>;

    /// The expected share of each seat by the evaluation; its result after the end of the game.
    fn estimate(&self) -> Vec<f32>;

    /// Writes the terms of the evaluation with these weights, those of the seat to act first.
    ///
    /// # Panics
    /// If no seat acts, or there is not a place for each feature of each seat.
    fn terms(&self, weights: &Features, terms: &mut [f32]);

    /// Writes the logarithm of the odds of the seat to act after each of these legal actions, by the evaluation with these
    /// weights.
    ///
    /// # Panics
    /// If no seat acts, or an action has no such number.
    fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]);

    /// Counts the sequences of exactly `depth` actions; `None` after a cancellation.
    fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64>;

    /// Plays random games to the end.
    fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts;

    /// Searches for a win that is forced within `plies` actions, until a deadline. `None` then means nothing.
    fn prove(&self, plies: u32, deadline: Option<Instant>, stop: &CancelToken) -> Option<Proof> {
        self.prove_until(plies, deadline, stop).1
    }

    /// Searches as [`prove`](Self::prove) does. Returns also within how many actions it searched to the end.
    fn prove_until(&self, plies: u32, deadline: Option<Instant>, stop: &CancelToken) -> (u32, Option<Proof>);

    /// Searches for the best action in a state of the same game and options; `None` for a state of another game.
    ///
    /// # Errors
    /// [`Unsuitable`] if the method does not suit the game.
    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable>;
}

struct TypedState<G: Complete> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Complete> TypedState<G> {
    fn with(&self, state: G::State) -> AnyState {
        AnyState::new(Arc::clone(&self.game), state)
    }

    fn after(&self, action: G::Action) -> AnyState {
        let mut state = self.state.clone();
        self.game.play_unchecked(&mut state, action);
        self.with(state)
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

    fn same(&self, other: &AnyState) -> bool {
        other.as_any().downcast_ref::<G::State>().is_some_and(|other| *other == self.state)
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

    fn play(&self, token: &str) -> Result<AnyState, IllegalAction> {
        Ok(self.after(self.legal(token)?))
    }

    fn play_id(&self, id: usize) -> Result<AnyState, IllegalAction> {
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

    fn replay(&self, choices: &[u16], keys: &mut Vec<u64>) -> bool {
        let (game, mut state) = (&*self.game, self.state.clone());
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        keys.push(game.key(&state));
        for &choice in choices {
            let choice = usize::from(choice);
            let action = match game.to_act(&state) {
                Actor::Terminal => None,
                Actor::Chance => {
                    outcomes.clear();
                    game.chance_outcomes(&state, &mut outcomes);
                    outcomes.get(choice).map(|&(outcome, _)| outcome)
                }
                Actor::Seat(_) => {
                    actions.clear();
                    game.legal_actions(&state, &mut actions);
                    actions.get(choice).copied()
                }
            };
            let Some(action) = action else { return false };
            game.play_unchecked(&mut state, action);
            keys.push(game.key(&state));
        }
        game.to_act(&state) == Actor::Terminal
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

    fn mirrored(&self, generators: &[usize]) -> AnyState {
        let mirrored = |state: G::State, &generator: &usize| self.game.mirrored(&state, generator);
        self.with(generators.iter().fold(self.state.clone(), mirrored))
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
        let action = self.legal(token)?;
        let mut prospect = self.game.prospect(&self.state, action);
        if self.game.is_public(&self.state) {
            let viewer = self.to_act().seat();
            let mut after = self.state.clone();
            self.game.play_unchecked(&mut after, action);
            prospect.numbers =
                NumberChange::between(&self.game.view(&self.state, viewer), &self.game.view(&after, viewer));
        }
        Ok(prospect)
    }

    fn move_label(&self, token: &str) -> Result<Option<MoveLabel>, IllegalAction> {
        Ok(self.game.move_label(&self.state, self.legal(token)?))
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
            Some(outcome) => (0..seats as Seat).map(|seat| outcome.share(seat, seats) as f32).collect(),
            None => self.game.estimate(&self.state)[..seats].to_vec(),
        }
    }

    fn terms(&self, weights: &Features, terms: &mut [f32]) {
        let first = self.to_act().seat().expect("a seat acts");
        evaluation::terms(&*self.game, &self.state, weights, first, terms);
    }

    fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]) {
        let actions = ids.iter().map(|&id| self.game.action(id).expect("an action has its number"));
        evaluation::looks(&*self.game, &self.state, actions, weights, looks);
    }

    fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64> {
        tavola_core::perft(&*self.game, &self.state, depth, stop)
    }

    fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts {
        tavola_core::playouts(&*self.game, &self.state, count, seed, threads, stop)
    }

    fn prove_until(&self, plies: u32, deadline: Option<Instant>, stop: &CancelToken) -> (u32, Option<Proof>) {
        tavola_search::prove_until(&*self.game, &self.state, plies, deadline, stop)
    }

    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable> {
        limits.check(&*self.game)?;
        let analysis = tavola_search::search(&*self.game, &self.state, limits, stop);
        Ok(SearchResult::new(&*self.game, analysis))
    }
}
