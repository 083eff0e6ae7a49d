//! Monte Carlo tree search over the contract of a game: any number of seats, chance, turns of several actions.
//!
//! One simulation goes down the tree by the upper confidence bound of the seat to act (by exact weights where
//! chance acts), adds the actions of the node it arrives at, plays the game out, and adds what each seat got
//! to every node on its way. What is certain is kept apart from what is likely: a forced result is proven, spreads
//! towards the root, and is final.
//!
//! | file | noun |
//! |---|---|
//! | `limits.rs` | [`Limits`]: what a search may use, and for what |
//! | `meter.rs` | what is used and what is left, told to all threads |
//! | `shares.rs` | what each seat gets of a game, how a draw is counted, and results that are certain |
//! | `node.rs` | one action in the tree, and what is known of it |
//! | `children.rs` | the children of a node, which come into being some at a time |
//! | `tree.rs` | the tree: its root, its memory |
//! | `simulate.rs` | one simulation: select, expand, play out, back up |
//! | `budget.rs` | how much may be looked at before the first simulation |
//! | `certain.rs` | what is certain of the root's actions before the first simulation |
//! | `far.rs` | what is certain of them further ahead than every line can be looked at |
//! | `turns.rs` | what is certain of a seat's own turn and of the next, however many actions they have |
//! | `prove.rs` | [`prove`]: wins that are forced within so many actions |
//! | `tally.rs` | what the seats got by an action of the root, and the interval that follows |
//! | `searcher.rs` | [`Searcher`]: a search that keeps its tree from one position to the next |
//! | `analysis.rs` | [`Analysis`]: what the tree says in the end |
//! | `alphabeta.rs` | the other way to look ahead: alpha-beta, for two seats without chance |

#![forbid(unsafe_code)]

mod alphabeta;
mod analysis;
mod budget;
mod certain;
mod children;
mod far;
mod limits;
mod meter;
mod node;
mod prove;
mod searcher;
mod shares;
mod simulate;
mod tally;
mod tree;
mod turns;

use tavola_core::{Actor, CancelToken, Evaluate, Playout};

pub use analysis::{Analysis, Line};
pub use limits::{Limits, Method, Purpose, Rollouts, Unsuited};
pub use prove::{Proof, prove};
pub use searcher::Searcher;

use meter::Meter;
use simulate::Worker;
use tree::Tree;

/// What part of the time goes at most into the proofs before the search.
const PROVING: u32 = 5;

/// Looks for the best action in a state.
///
/// The search ends when a limit is reached, when the result of the state is proven, or as soon as `stop` is set.
/// With one thread and no limit of time, the same seed gives the same analysis.
///
/// A finished game gives an analysis without lines. The method must [suit](Limits::suit) the game. Where chance acts, the lines are its outcomes and none is best.
pub fn search<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    limits.suit(game).expect("the caller has asked whether the method suits the game");
    match limits.method.here(game, state, limits) {
        Method::AlphaBeta => alphabeta::search(game, state, &mut None, limits, stop),
        Method::Auto | Method::Tree => think(game, state, &mut Tree::new(), limits, stop),
    }
}

/// Searches a state with a tree that may have grown already.
fn think<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    tree: &mut Tree<G::Action>,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    let began = stop.now();
    if let Some(outcome) = game.outcome(state) {
        return Analysis::of_outcome(&outcome, game.seats());
    }
    tree.make_room(limits.memory);
    let tree = &*tree;
    let deadline = limits.deadline(began);
    let worker = |number: u64| Worker::new(game, state, tree, limits, number);
    // The root has its actions whatever the limits, so that every analysis of a decision has a best action.
    let mut first = worker(0);
    first.grow_root();
    let forced = tree.root().children().is_some_and(|children| children.len() == 1);
    let forced = forced && limits.purpose == Purpose::Choose;
    if !forced && tree.root().proof().is_none() {
        let far = limits.sight > certain::NEAR && limits::alpha_beta_suits(game);
        let sight = if far { certain::NEAR } else { limits.sight };
        let until = deadline.map(|deadline| began + (deadline - began) / PROVING);
        certain::mark(game, state, tree, sight, until, stop);
        if far && tree.root().proof().is_none() {
            far::mark(game, state, tree, limits, until, stop);
        }
    }
    let meter = Meter::new(limits, deadline, stop);
    if forced {
        meter.end();
    }
    let tallies = std::thread::scope(|scope| {
        let others: Vec<_> = (1..limits.threads.get() as u64)
            .map(|number| {
                let (worker, meter) = (&worker, &meter);
                scope.spawn(move || worker(number).run(meter))
            })
            .collect();
        let mut tallies = first.run(&meter);
        for other in others {
            let more = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            tallies.iter_mut().zip(&more).for_each(|(tally, more)| tally.add(more));
        }
        tallies
    });
    let (shares, lines) = analysis::tell(game, state, tree, &tallies, limits);
    Analysis {
        best: lines.first().filter(|_| game.to_act(state) != Actor::Chance).map(|line| line.action),
        shares,
        lines,
        nodes: meter.nodes(),
        tree: tree.size(),
        bytes: tree.bytes(),
        full: tree.is_full(),
        seconds: (stop.now() - began).as_secs_f64(),
    }
}
