//! A game with its options and its network.

use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use tavola_core::{Actor, Complete, Options, Text};
use tavola_net::{Network, Shape, Tensors, Weights};

use crate::any_search::AnySearcher;
use crate::any_state::{AnyState, IllegalAction};
use crate::erased_game::{ErasedGame, Typed};

/// A game with its options, of any type.
#[derive(Clone)]
pub struct AnyGame {
    game: Arc<dyn ErasedGame>,
    options: Arc<Options>,
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
        Self { game: Arc::new(Typed::new(game)), options: Arc::new(options), own_network: Arc::default() }
    }

    /// The game itself, if it is of this type.
    pub fn downcast<G: 'static>(&self) -> Option<&G> {
        self.game.as_any().downcast_ref()
    }

    /// The values of all options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The best search of this game: with the network of its options if there is one, otherwise the classic one.
    pub fn best_searcher(&self) -> AnySearcher {
        let mut searcher = self.searcher();
        searcher.set_network(self.own_network());
        searcher
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

    /// This game with the solution of a file, by which it knows perfect play.
    ///
    /// # Errors
    /// A text of the core: the file cannot be read, is not of this game with its options, or is damaged.
    pub fn solved_by(&self, file: &Path) -> Result<Self, Text> {
        Ok(Self { game: self.game.with_solution(&self.options, file)?, ..self.clone() })
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

    /// Why an action is illegal in a state; of an unknown token, with the legal ones, and at chance with its outcomes.
    pub fn reason(&self, state: &AnyState, error: &IllegalAction) -> Text {
        let acts = state.to_act() == Actor::Chance;
        if let Some(refusal) = error.refusal.as_ref().filter(|_| !acts) {
            return refusal.text.clone();
        }
        let legal = state.legal_actions().into_iter().filter_map(|id| self.token(id));
        let legal: Vec<String> = legal.chain(state.chance_outcomes().into_iter().map(|(token, _)| token)).collect();
        let (listed, more) = legal.split_at(legal.len().min(MOST_LISTED));
        let key = match (listed, more) {
            ([], _) => "fault.token.none",
            (_, []) if acts => "fault.chance.all",
            _ if acts => "fault.chance.some",
            (_, []) => "fault.token.all",
            _ => "fault.token.some",
        };
        let text = Text::new(key).with("game", self.info().name).with("tokens", &*listed.join(", "));
        text.with("count", more.len())
    }
}

impl Deref for AnyGame {
    type Target = dyn ErasedGame;

    fn deref(&self) -> &Self::Target {
        &*self.game
    }
}

/// The name and the options.
impl std::fmt::Display for AnyGame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.info().name, self.options)
    }
}
