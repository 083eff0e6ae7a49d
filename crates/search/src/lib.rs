//! Search over the contract of a game: any number of seats, chance, turns of several actions.
//!
//! The main method is Monte Carlo tree search. One simulation descends the tree by the upper confidence bound of the seat
//! to act, or by the exact weights where chance acts. It expands the node at which it arrives, plays the game out, and
//! adds each seat's result to every node on its path. Proven results are separate from estimates: they propagate towards
//! the root and are final.
//!
//! | file | content |
//! |---|---|
//! | `limits.rs` | [`Limits`]: method, purpose and resources of a search |
//! | `budget.rs` | what is left of the limits, shared by all threads |
//! | `value.rs` | each seat's share of a game, the value of a draw, proven results |
//! | `node.rs` | a node of the tree and its children |
//! | `tree.rs` | the tree: its root and its memory |
//! | `simulation.rs` | one simulation: select, expand, play out, back up |
//! | `simulation/guide.rs` | the same with an evaluator: PUCT, and evaluations in place of rollouts |
//! | `tree_search.rs` | all simulations of one search, on several threads |
//! | `stats.rs` | statistics of a root action, and its confidence interval |
//! | `searcher.rs` | [`Searcher`]: keeps the tree from one position to the next |
//! | `analysis.rs` | [`Analysis`]: the result of a search |
//! | `proof/prove.rs` | [`prove`]: wins that are forced within a number of actions |
//! | `proof/root.rs` | forced results of the root's actions, before the first simulation |
//! | `proof/deep.rs` | forced results further ahead, by alpha-beta |
//! | `proof/turns.rs` | forced results of a whole turn and the next, however many actions they have |
//! | `puct/` | the search with an evaluator: policy and shares for batches of leaves |
//! | `alphabeta.rs` | the other method: alpha-beta, for two seats without chance |

#![forbid(unsafe_code)]

mod alphabeta;
mod analysis;
mod budget;
mod limits;
mod node;
mod proof;
pub mod puct;
mod searcher;
mod simulation;
mod stats;
mod tree;
mod tree_search;
mod value;

use tavola_core::{CancelToken, Evaluate, Playout};

pub use analysis::{Analysis, Line};
pub use limits::{Limits, Method, Purpose, Rollouts, Unsuitable};
pub use proof::prove::{Proof, prove, prove_until};
pub use searcher::Searcher;

use tree::Tree;

/// Searches for the best action in a state.
///
/// The search ends when a limit is reached, when the result of the state is proven, or as soon as `stop` is cancelled.
/// With one thread and no limit of time, the same seed gives the same analysis.
///
/// A finished game gives an analysis without lines. Where chance acts, the lines are its outcomes and none is best.
///
/// # Panics
/// If the method does not [suit](Limits::check) the game.
pub fn search<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    limits.check(game).expect("the method suits the game");
    match limits.method.resolve(game, state, limits) {
        Method::AlphaBeta => alphabeta::search(game, state, &mut None, limits, stop),
        Method::Auto | Method::Tree => tree_search::search(game, state, &mut Tree::new(), None, limits, stop),
    }
}
