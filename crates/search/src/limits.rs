//! The limits of a search: method, purpose and resources.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroUsize;
use std::time::Duration;

use tavola_core::{Actor, Evaluate, Game, Instant};

use crate::puct::Guidance;
use crate::value::Scoring;

/// The actions of a rollout from a leaf of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollouts {
    /// By [`random_action`](tavola_core::Playout::random_action): all legal actions equally likely.
    Uniform,
    /// By [`rollout_action`](tavola_core::Playout::rollout_action): the game's rollout policy.
    #[default]
    Policy,
}

impl Rollouts {
    /// Whether the game's evaluation replaces rollouts.
    pub(crate) fn use_evaluation<G: Evaluate>(self, game: &G) -> bool {
        game.prefers_evaluation() && self == Self::Policy
    }
}

/// The method of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The method that is stronger in the position, according to the game.
    #[default]
    Auto,
    /// Monte Carlo tree search, for every game.
    Tree,
    /// Alpha-beta, for games of two seats without chance.
    AlphaBeta,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Evaluate every action: the search uses its whole budget. The results of a [solved](Evaluate::solved) game count as
    /// proven, and visits order actions of the same result by their chances in play.
    #[default]
    Analyse,
    /// Choose an action at random by its visits: the search uses its whole budget.
    Sample,
    /// Choose an action. The search returns a forced action at once. It ends early when the rest of its budget, at the
    /// rate so far, can no longer change the best action.
    Choose,
}

/// The limits of a search. Without `nodes` and `seconds` it ends by cancellation or with a proven result.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The method.
    pub method: Method,
    /// The maximum depth of alpha-beta in actions.
    pub depth: Option<u32>,
    /// The maximum number of nodes, one per simulation, at most 2^32 - 1.
    pub nodes: Option<u64>,
    /// The time limit.
    pub seconds: Option<f64>,
    /// The number of threads that share the tree.
    pub threads: NonZeroUsize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The actions of rollouts.
    pub rollouts: Rollouts,
    /// The purpose.
    pub purpose: Purpose,
    /// The depth in actions of the exhaustive search for forced results that comes first. Above five it goes as deep as
    /// its budget allows.
    pub lookahead: u32,
    /// The part of its share of a draw, from 0 to below 1, that the seat to act counts as lost and the others as theirs. With
    /// contempt it avoids draws in positions that are little worse than even. At 0 the shares are true expectations.
    pub contempt: f32,
    /// The game's own evaluation as the prior of the tree search, from 0: the prior of an action is in proportion
    /// to this power of the odds after it. `None` is that of the [game](Evaluate::prior) with its rollout policy. At 0, as in a
    /// game without one, the search selects by the upper confidence bound without priors. An evaluator replaces it.
    pub prior: Option<f32>,
    /// The exploration constant of a search with an evaluator, from 0. `None` is that of the evaluator's [`Guidance`].
    pub c_puct: Option<f32>,
    /// The weight of a rollout in the value of a leaf, from 0 to 1. `None` is that of the evaluator's [`Guidance`].
    pub rollout_weight: Option<f32>,
    /// The memory limit in bytes of the tree, or of alpha-beta's transposition table. A full tree stops growing, but the
    /// search continues.
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
            prior: None,
            c_puct: None,
            rollout_weight: None,
            memory: 512 << 20,
        }
    }
}

impl Limits {
    /// The guidance of an evaluator, where these limits do not override it.
    pub(crate) fn guidance(&self, of_evaluator: Guidance) -> Guidance {
        Guidance {
            c_puct: self.c_puct.unwrap_or(of_evaluator.c_puct),
            rollout_weight: self.rollout_weight.unwrap_or(of_evaluator.rollout_weight),
        }
    }
}

/// Why a method does not suit a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// The limits require alpha-beta, and the game has chance or other than two seats.
    Game {
        /// The game's name.
        name: &'static str,
        /// The number of seats.
        seats: usize,
        /// Whether the limit of depth requires alpha-beta.
        by_depth: bool,
    },
    /// The limits contain a depth, and the method is the tree, which has none.
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
    /// Checks that the method suits a game.
    ///
    /// # Errors
    /// [`Unsuitable`] if the limits require alpha-beta, by method or depth, and the game has chance or other than two
    /// seats; and for a depth with the method tree.
    pub fn check<G: Game>(&self, game: &G) -> Result<(), Unsuitable> {
        if self.method == Method::Tree && self.depth.is_some() {
            return Err(Unsuitable::Depth);
        }
        let asked = self.method == Method::AlphaBeta || self.depth.is_some();
        if asked && !alpha_beta_suits(game) {
            let by_depth = self.method != Method::AlphaBeta;
            return Err(Unsuitable::Game { name: game.info().name, seats: game.seats(), by_depth });
        }
        Ok(())
    }
}

impl Limits {
    /// The deadline of a search by its time limit. A time beyond the range of the clock is no limit.
    pub(crate) fn deadline(&self, began: Instant) -> Option<Instant> {
        deadline(self.seconds, began)
    }

    /// The value of results in a search from this state.
    pub(crate) fn scoring<G: Game>(&self, game: &G, state: &G::State) -> Scoring {
        match game.to_act(state) {
            Actor::Seat(seat) => Scoring::with_contempt(game.seats(), seat, self.contempt),
            Actor::Chance | Actor::Terminal => Scoring::fair(game.seats()),
        }
    }
}

/// The deadline by a limit of seconds.
pub(crate) fn deadline(seconds: Option<f64>, began: Instant) -> Option<Instant> {
    let time = Duration::try_from_secs_f64(seconds?.max(0.0)).ok()?;
    began.checked_add(time)
}

pub(crate) fn alpha_beta_suits<G: Game>(game: &G) -> bool {
    game.seats() == 2 && !game.info().has_chance
}

impl Method {
    /// The method for a state: never `Auto`.
    pub(crate) fn resolve<G: Evaluate>(self, game: &G, state: &G::State, limits: &Limits) -> Self {
        let prefers = || limits.rollouts == Rollouts::Policy && game.prefers_alpha_beta(state);
        match self {
            Self::Auto if alpha_beta_suits(game) && (limits.depth.is_some() || prefers()) => Self::AlphaBeta,
            Self::Auto => Self::Tree,
            method => method,
        }
    }
}
