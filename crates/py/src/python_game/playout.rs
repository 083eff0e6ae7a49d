//! Random games of a Python game.

use tavola_core::{Actor, Game, Playout, Random};

use super::attach::attach;
use super::broken::Broken;
use super::fault::Fault;
use super::rules::{Action, PythonGame};
use super::state::PythonState;

impl Playout for PythonGame {
    fn random_action(&self, state: &PythonState, random: &mut Random) -> Action {
        state.legal_actions[random.below(state.legal_actions.len() as u32) as usize]
    }

    fn random_outcome(&self, state: &PythonState, random: &mut Random) -> Action {
        let outcomes = &state.chance_outcomes;
        outcomes[random.weighted(outcomes.iter().map(|&(_, weight)| weight))].0
    }

    /// The interpreter stays attached for the whole game, and a game without an end fails.
    fn play_out(&self, state: &mut PythonState, most: u32, random: &mut Random) -> u32 {
        attach(|py| {
            for actions in 0..most {
                let action = match self.to_act(state) {
                    Actor::Seat(_) => self.random_action(state, random),
                    Actor::Chance => self.random_outcome(state, random),
                    Actor::Terminal => return actions,
                };
                if actions == self.0.most_actions {
                    let fault = Fault::new(
                        "a random game had no end after {count} actions; every game must end (`most_actions` sets \
                         this limit)",
                    );
                    let broken = Broken::new(fault.with("count", actions));
                    *state = self.0.broken(py, state.text().to_owned(), broken);
                    return actions;
                }
                *state = self.0.played(py, state, action);
            }
            most
        })
    }
}
