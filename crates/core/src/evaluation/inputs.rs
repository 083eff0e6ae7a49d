//! The numbers of an evaluation that a neural network reads.

use crate::evaluation::{Evaluate, Features, weighted};
use crate::game::{Actor, Seat};

/// The largest absolute value of a look. Beyond it a position is won or lost.
const MOST_LOOK: f32 = 8.0;

/// Writes the terms of each seat: its features times their weights, less the mean over the seats. The terms of `first` come
/// first, and those of the other seats follow clockwise.
///
/// # Panics
/// If there is not a place for each feature of each seat.
pub fn terms<G: Evaluate>(game: &G, state: &G::State, weights: &Features, first: Seat, terms: &mut [f32]) {
    let (seats, count) = (game.seats(), G::FEATURES.len());
    assert_eq!(terms.len(), seats * count, "a place for each feature of each seat");
    if count == 0 {
        return;
    }
    for (place, row) in terms.chunks_exact_mut(count).enumerate() {
        let features = game.features(state, ((usize::from(first) + place) % seats) as Seat);
        for (term, (value, weight)) in row.iter_mut().zip(features.iter().zip(weights)) {
            *term = value * weight;
        }
    }
    for feature in 0..count {
        let mean = terms.iter().skip(feature).step_by(count).sum::<f32>() / seats as f32;
        terms.iter_mut().skip(feature).step_by(count).for_each(|term| *term -= mean);
    }
}

/// Writes the looks: the logarithm of the odds of the seat to act after each of these actions, by the evaluation with these
/// weights.
///
/// # Panics
/// If no seat acts.
pub fn looks<G: Evaluate>(
    game: &G,
    state: &G::State,
    actions: impl Iterator<Item = G::Action>,
    weights: &Features,
    looks: &mut [f32],
) {
    let Actor::Seat(seat) = game.to_act(state) else { panic!("a seat acts") };
    let mut after = state.clone();
    for (action, look) in actions.zip(looks) {
        after.clone_from(state);
        game.play_unchecked(&mut after, action);
        let odds = match game.outcome(&after) {
            Some(outcome) => {
                let share = outcome.share(seat, game.seats()) as f32;
                (share / (1.0 - share)).ln()
            }
            None => log_odds(game, &after, weights, seat),
        };
        *look = odds.clamp(-MOST_LOOK, MOST_LOOK);
    }
}

/// The logarithm of the odds of a seat.
fn log_odds<G: Evaluate>(game: &G, state: &G::State, weights: &Features, seat: Seat) -> f32 {
    let logit = |seat| weighted(&game.features(state, seat), weights);
    let own = logit(seat);
    let others = (0..game.seats() as Seat).filter(|&other| other != seat).map(logit);
    if game.seats() == 2 {
        return own - others.sum::<f32>();
    }
    -others.map(|other| (other - own).exp()).sum::<f32>().ln()
}
