//! Random games from a position to the end.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::game::{Actor, Game};
use crate::random::Random;

/// How a game is continued when nobody thinks.
pub trait Playout: Game {
    /// One legal action of the seat to act, all equally likely.
    ///
    /// Overridden where a random action can be drawn without listing all.
    fn random_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions[random.below(actions.len() as u32) as usize]
    }

    /// One legal action, drawn with a little sense: what the tree search plays its games out with.
    fn sensible_action(&self, state: &Self::State, random: &mut Random) -> Self::Action {
        self.random_action(state, random)
    }
}

/// Draws one of chance's outcomes by its weight.
pub fn draw_chance<G: Game>(game: &G, state: &G::State, random: &mut Random) -> G::Action {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    outcomes[random.weighted(outcomes.iter().map(|&(_, weight)| weight))].0
}

/// What a number of random games came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Playouts {
    /// How many games were played to the end.
    pub count: u64,
    /// How many actions they had in all, chance outcomes included.
    pub actions: u64,
    /// The sum of the returns, one number per seat.
    pub returns: Vec<f64>,
}

/// Plays `count` random games from a state, or fewer if `stop` is set meanwhile.
pub fn playouts<G: Playout>(
    game: &G,
    state: &G::State,
    count: u64,
    random: &mut Random,
    stop: &AtomicBool,
) -> Playouts {
    let mut total = Playouts { count: 0, actions: 0, returns: vec![0.0; game.seats()] };
    for _ in 0..count {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut state = state.clone();
        loop {
            let action = match game.to_act(&state) {
                Actor::Seat(_) => game.random_action(&state, random),
                Actor::Chance => draw_chance(game, &state, random),
                Actor::Nobody => break,
            };
            game.play_unchecked(&mut state, action);
            total.actions += 1;
        }
        total.count += 1;
        let outcome = game.outcome(&state).expect("nobody acts only when the game is over");
        for (sum, value) in total.returns.iter_mut().zip(outcome.returns(game.seats())) {
            *sum += value;
        }
    }
    total
}
