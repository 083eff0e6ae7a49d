//! Tree search by PUCT: an evaluator gives each new leaf a policy and a share of the game for each seat.
//!
//! One [`BatchSearch`] holds a tree for each of its roots and evaluates the leaves of all trees together. That suits
//! evaluators that prefer large batches, such as neural networks, and self-play, which has many roots at once.
//!
//! | file | content |
//! |---|---|
//! | `evaluator.rs` | [`Evaluator`]: a batch of leaves in, priors and shares out; [`SharedEvaluator`] for the search of one position |
//! | `settings.rs` | [`Settings`]: exploration, noise and resources |
//! | `rule.rs` | the rule of selection, which the search of one position shares |
//! | `tree.rs` | one tree: nodes, edges, exact values |
//! | `descend.rs` | one simulation: select down to a leaf, and back up |
//! | `own_evaluation.rs` | the game's own evaluation as the prior of the search of one position |
//! | `noise.rs` | Dirichlet noise for the priors of the root |
//! | `batch.rs` | [`BatchSearch`]: all simulations of all trees |
//! | `results.rs` | the analysis of a tree, and its training target |
//!
//! Source: Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
//! self-play" (2018). Every seat maximises its own share, so the search also suits three seats or more.

mod batch;
mod descend;
mod evaluator;
mod noise;
mod own_evaluation;
mod results;
pub(crate) mod rule;
mod settings;
mod tree;

pub use batch::BatchSearch;
pub use evaluator::{Evaluation, Evaluator, Leaf, SharedEvaluator};
pub(crate) use own_evaluation::OwnEvaluation;
pub use results::Target;
pub use settings::{C_PUCT, Guidance, Noise, Settings};
