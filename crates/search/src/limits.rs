//! What a search may use.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use tavola_core::{Actor, Evaluate, Game};

use crate::value::Scoring;

/// How games are played out from a leaf of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollouts {
    /// By [`random_action`](tavola_core::Playout::random_action): all legal actions equally likely.
    Uniform,
    /// By [`rollout_action`](tavola_core::Playout::rollout_action): with the little sense that the game's folder
    /// gives.
    #[default]
    Policy,
}

impl Rollouts {
    /// Whether the game's own sense stands in for games played out.
    pub(crate) fn use_evaluation<G: Evaluate>(self, game: &G) -> bool {
        game.prefers_evaluation() && self == Self::Policy
    }
}

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By what does better in the position, as its game's folder tells.
    #[default]
    Auto,
    /// By simulations, in a tree: every game.
    Tree,
    /// By alpha-beta: games of two seats without chance.
    AlphaBeta,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To know what every action is worth: all that the limits allow is used.
    #[default]
    Analyse,
    /// To have an action: a forced one is answered at once, and the search ends when what is left of it, at the rate
    /// so far, can no longer bring another action to the front.
    Choose,
}

/// What a search may use. Without `nodes` and `seconds` it goes on until it is stopped or the result is proven.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How to look ahead.
    pub method: Method,
    /// How many actions to look ahead: a limit of alpha-beta.
    pub depth: Option<u32>,
    /// How many nodes to look at, one per simulation; more than 2^32 - 1 are never looked at.
    pub nodes: Option<u64>,
    /// How long to think.
    pub seconds: Option<f64>,
    /// How many threads share the tree.
    pub threads: NonZeroUsize,
    /// What all random choices follow from.
    pub seed: u64,
    /// How games are played out.
    pub rollouts: Rollouts,
    /// What the search is for.
    pub purpose: Purpose,
    /// How many actions ahead every one is looked at for what is certain, before the search. Beyond five it is seen how far
    /// one gets.
    pub lookahead: u32,
    /// What part of its share of a draw, from 0 to 0.9, the seat to act counts as lost and the others as theirs: it then
    /// plays on where it holds a position for little worse than even. At 0 a search tells the truth.
    pub contempt: f32,
    /// How many bytes the nodes of the tree may take, or alpha-beta's table of positions. A full tree grows no more, but goes on counting.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            method: Method::default(),
            depth: None,
            nodes: None,
            seconds: None,
            threads: NonZeroUsize::MIN,
            seed: 0,
            rollouts: Rollouts::default(),
            purpose: Purpose::default(),
            lookahead: 5,
            contempt: 0.0,
            memory: 512 << 20,
        }
    }
}

/// Why a game cannot be searched so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// Alpha-beta is asked for, and the game has other than two seats, or chance.
    Game {
        /// The game's name.
        name: &'static str,
        /// How many seats it has.
        seats: usize,
        /// Whether it was the depth that asked for alpha-beta.
        by_depth: bool,
    },
    /// A depth is asked for, and the tree, which has none.
    Depth,
}

impl Display for Unsuitable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Self::Game { name, seats, by_depth } = self else {
            return f.write_str("a depth is a limit of alpha-beta, not of the tree: limit nodes or seconds");
        };
        let asked = if by_depth { "a depth is a limit of alpha-beta, which" } else { "alpha-beta" };
        write!(f, "{asked} searches games of two seats without chance; {name} has ")?;
        match seats {
            2 => f.write_str("chance")?,
            seats => write!(f, "{seats} seats")?,
        }
        f.write_str(if by_depth { ": limit nodes or seconds" } else { ": take the method tree, or auto" })
    }
}

impl std::error::Error for Unsuitable {}

impl Limits {
    /// Whether a game can be searched within these limits.
    ///
    /// # Errors
    /// [`Unsuitable`] where alpha-beta is asked for, by method or depth, and the game has other than two seats, or chance; and
    /// where a depth is asked of the tree.
    pub fn check<G: Game>(&self, game: &G) -> Result<(), Unsuitable> {
        if self.method == Method::Tree && self.depth.is_some() {
            return Err(Unsuitable::Depth);
        }
        let asked = self.method == Method::AlphaBeta || self.depth.is_some();
        if asked && !alpha_beta_suits(game) {
            let by_depth = self.method != Method::AlphaBeta;
            return Err(Unsuitable::Game { name: G::INFO.name, seats: game.seats(), by_depth });
        }
        Ok(())
    }
}

impl Limits {
    /// When a search ends that began at a moment, if its time is limited; a time too long for the clock is no limit.
    pub(crate) fn deadline(&self, began: Instant) -> Option<Instant> {
        let time = Duration::try_from_secs_f64(self.seconds?.max(0.0)).ok()?;
        began.checked_add(time)
    }

    /// How results are counted in a search from this state.
    pub(crate) fn scoring<G: Game>(&self, game: &G, state: &G::State) -> Scoring {
        match game.to_act(state) {
            Actor::Seat(seat) => Scoring::with_contempt(game.seats(), seat, self.contempt),
            Actor::Chance | Actor::Terminal => Scoring::fair(game.seats()),
        }
    }
}

pub(crate) fn alpha_beta_suits<G: Game>(game: &G) -> bool {
    game.seats() == 2 && !G::INFO.has_chance
}

impl Method {
    /// The method that is meant in a state: never auto.
    pub(crate) fn resolve<G: Evaluate>(self, game: &G, state: &G::State, limits: &Limits) -> Self {
        let prefers = || limits.rollouts == Rollouts::Policy && game.prefers_alpha_beta(state);
        match self {
            Self::Auto if alpha_beta_suits(game) && (limits.depth.is_some() || prefers()) => Self::AlphaBeta,
            Self::Auto => Self::Tree,
            method => method,
        }
    }
}
