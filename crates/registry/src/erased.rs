//! The traits behind type-erased games and states, and their one implementation for typed games.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use tavola_core::evaluation;
use tavola_core::observe::{Layout, Space, observe_flat};
use tavola_core::{
    Actor, CancelToken, Complete, Event, Features, GameExt, Info, Instant, MoveLabel, Outcome, Playouts, PositionError,
    Prospect, Refusal, Seat, SmolStr, View,
};
use tavola_search::{Limits, Proof, Unsuitable};

use crate::any_puct::{AnyPuct, TypedPuct};
use crate::any_search::{ErasedSearcher, SearchResult, TypedSearcher};
use crate::any_vector_env::AnyVectorEnv;

/// A state of any game.
#[derive(Clone)]
pub struct AnyState(pub(crate) Arc<dyn ErasedState>);

/// An illegal action with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The token of the action.
    pub token: String,
    /// Why the action is illegal; `None` if the token stands for no action at all.
    pub refusal: Option<Refusal>,
}

pub(crate) trait ErasedGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn info(&self) -> &'static Info;
    fn seats(&self) -> usize;
    fn action_count(&self) -> usize;
    fn space(&self) -> &Space;
    fn features(&self) -> &'static [&'static str];
    fn weights(&self) -> Vec<f32>;
    fn start(&self) -> Arc<dyn ErasedState>;
    fn parse(&self, text: &str) -> Result<Arc<dyn ErasedState>, PositionError>;
    fn searcher(&self) -> Box<dyn ErasedSearcher>;
    fn puct(&self) -> Box<dyn AnyPuct<AnyState> + '_>;
    fn vector_env(&self, count: usize, seed: u64, layout: Layout) -> AnyVectorEnv;
    fn state_of(&self, state: &dyn Any) -> Option<Arc<dyn ErasedState>>;
    fn token(&self, index: usize) -> Option<String>;
    fn index(&self, token: &str) -> Option<usize>;
    fn chance_tokens(&self) -> Vec<String>;
}

pub(crate) trait ErasedState: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn same(&self, other: &dyn Any) -> bool;
    fn to_act(&self) -> Actor;
    fn legal_actions(&self) -> Vec<usize>;
    fn chance_outcomes(&self) -> Vec<(String, u64)>;
    fn play(&self, token: &str) -> Result<Arc<dyn ErasedState>, IllegalAction>;
    fn play_id(&self, id: usize) -> Result<Arc<dyn ErasedState>, IllegalAction>;
    fn legal_ids(&self, ids: &mut Vec<i32>);
    fn replay(&self, choices: &[u16], keys: &mut Vec<u64>) -> bool;
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
    fn move_label(&self, token: &str) -> Result<Option<MoveLabel>, IllegalAction>;
    fn features(&self) -> Vec<Vec<f32>>;
    fn estimate(&self) -> Vec<f32>;
    fn terms(&self, weights: &Features, terms: &mut [f32]);
    fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]);
    fn perft(&self, depth: u32, stop: &CancelToken) -> Option<u64>;
    fn playouts(&self, count: u64, seed: u64, threads: usize, stop: &CancelToken) -> Playouts;
    fn prove(&self, plies: u32, deadline: Option<Instant>, stop: &CancelToken) -> Option<Proof>;
    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable>;
}

pub(crate) struct Typed<G> {
    pub(crate) game: Arc<G>,
    /// Computed when a caller first asks for it.
    pub(crate) space: OnceLock<Space>,
}

pub(crate) struct TypedState<G: Complete> {
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

    fn searcher(&self) -> Box<dyn ErasedSearcher> {
        Box::new(TypedSearcher::new(Arc::clone(&self.game)))
    }

    fn puct(&self) -> Box<dyn AnyPuct<AnyState> + '_> {
        let erase = Box::new(|state| AnyState(self.hold(state)));
        Box::new(TypedPuct { game: &*self.game, erase, restore: |state: &AnyState| state.0.as_any() })
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

    fn prove(&self, plies: u32, deadline: Option<Instant>, stop: &CancelToken) -> Option<Proof> {
        tavola_search::prove_until(&*self.game, &self.state, plies, deadline, stop)
    }

    fn search(&self, limits: &Limits, stop: &CancelToken) -> Result<SearchResult, Unsuitable> {
        limits.check(&*self.game)?;
        let analysis = tavola_search::search(&*self.game, &self.state, limits, stop);
        Ok(SearchResult::new(&*self.game, analysis))
    }
}
