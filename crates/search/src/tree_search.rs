//! Monte Carlo tree search of one state, on several threads.

use tavola_core::{Actor, CancelToken, Evaluate, Playout};

use crate::analysis::{self, Analysis};
use crate::budget::SharedBudget;
use crate::limits::{self, Limits, Purpose};
use crate::proof::{deep, root};
use crate::puct::{OwnEvaluation, SharedEvaluator};
use crate::simulation::Worker;
use crate::tree::Tree;
use crate::value::Proof;

/// The maximum fraction of the time for proofs before the first simulation (1/5).
const PROVING: u32 = 5;

/// Searches a state with a tree that may contain earlier searches. A given evaluator replaces rollouts and the game's own
/// evaluation.
pub(crate) fn search<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    tree: &mut Tree<G::Action>,
    evaluator: Option<&dyn SharedEvaluator<G>>,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    let began = stop.now();
    let own = OwnEvaluation::new(game, limits);
    let evaluator = evaluator.or(own.as_ref().map(|own| own as &dyn SharedEvaluator<G>));
    if let Some(outcome) = game.outcome(state) {
        return Analysis::of_outcome(&outcome, game.seats());
    }
    tree.make_room(limits.memory);
    let tree = &*tree;
    let deadline = limits.deadline(began);
    let worker = |number: u64| Worker::new(game, state, tree, evaluator, limits, number);
    // The root always gets its children, so that every analysis has a best action.
    let mut first = worker(0);
    first.expand_root();
    let forced = tree.root().children().is_some_and(|children| children.len() == 1);
    let forced = forced && limits.purpose == Purpose::Choose;
    if !forced && tree.root().proof().is_none() {
        let far = limits.lookahead > root::NEAR && limits::alpha_beta_suits(game);
        let lookahead = if far { root::NEAR } else { limits.lookahead };
        let until = deadline.map(|deadline| began + (deadline - began) / PROVING);
        root::mark(game, state, tree, lookahead, until, stop);
        if far && tree.root().proof().is_none() {
            deep::mark(game, state, tree, limits, until, stop);
        }
    }
    let budget = SharedBudget::new(limits, deadline, stop);
    if forced {
        budget.end();
    }
    let action_stats = std::thread::scope(|scope| {
        let others: Vec<_> = (1..limits.threads.get() as u64)
            .map(|number| {
                let (worker, budget) = (&worker, &budget);
                scope.spawn(move || worker(number).run(budget))
            })
            .collect();
        let mut action_stats = first.run(&budget);
        for other in others {
            let more = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            action_stats.iter_mut().zip(&more).for_each(|(child_stats, more)| child_stats.add(more));
        }
        action_stats
    });
    let by_estimates = match evaluator {
        Some(evaluator) => limits.guidance(evaluator.guidance()).rollout_weight < 1.0,
        None => limits.rollouts.use_evaluation(game),
    };
    let scoring = limits.scoring(game, state);
    let mut solved = None;
    if limits.purpose == Purpose::Analyse {
        root::mark_solved(game, state, tree, &scoring);
        // The root itself stays open, so that a longer analysis goes deeper.
        solved = game.solved(state).map(|result| Proof::of(result.winners));
    }
    let proof = tree.root().proof().or(solved);
    let (shares, lines) = analysis::summarize(game, state, tree, proof, &action_stats, &scoring, by_estimates);
    let policy = match game.to_act(state) {
        Actor::Seat(seat) => analysis::visit_policy(&lines, seat),
        Actor::Chance | Actor::Terminal => vec![0.0; lines.len()],
    };
    Analysis {
        best: lines.first().filter(|_| game.to_act(state) != Actor::Chance).map(|line| line.action),
        shares,
        policy,
        lines,
        nodes: budget.nodes(),
        tree: tree.size(),
        bytes: tree.bytes(),
        full: tree.is_full(),
        seconds: (stop.now() - began).as_secs_f64(),
    }
}
