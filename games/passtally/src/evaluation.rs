//! The evaluation: a seat's points, the score of its present lines, and the turns that it still has
//! before the others.
//!
//! A point matters more towards the end of the game. So all features in points are scaled by the lead that
//! a player can still make up.

use tavola_core::{Evaluate, Features, Seat, features};

use crate::points;
use crate::rules::{Passtally, TURN};
use crate::state::{Stage, State};
use crate::tiles::TILES;
use crate::weights;

/// The difference in points that makes a lead: at the end, and per square root of the rounds left.
const LEAD: f32 = 0.5;
const LEAD_PER_ROUND: f32 = 1.2;

/// The number of tiles that a round takes from one pile.
const TILES_PER_ROUND: f32 = 1.1;

impl Evaluate for Passtally {
    const FEATURES: &'static [&'static str] = weights::FEATURES;

    fn features(&self, state: &State, seat: Seat) -> Features {
        let (mut tiles, mut fewest) = (0, u8::MAX);
        for pile in &state.piles {
            tiles += pile.tiles();
            fewest = fewest.min(pile.tiles());
        }
        let placement = 1.0 - f32::from(tiles) / f32::from(TILES);
        let point = 1.0 / (LEAD + LEAD_PER_ROUND * (f32::from(fewest) / TILES_PER_ROUND).sqrt());
        let taken = match state.stage {
            Stage::Turn { taken } if seat == state.seat => Some(taken),
            _ => None,
        };
        let last = Self::is_last_round(state);
        // A seat that has had its turn in this round has one turn less left.
        let later = taken.is_none() && !(last && seat < state.seat);
        let passes = state.passes(seat);
        let worth = points::points(passes) as f32 * point;
        let when = |so: bool, value: f32| if so { value } else { 0.0 };
        let ahead = taken.is_none() && seat > state.seat;
        let (one, two) = (taken == Some(TURN - 1), taken.is_some_and(|taken| taken + 1 < TURN));
        features([
            state.points(seat) as f32 * point,
            when(taken == Some(TURN), worth),
            when(one, worth),
            when(two, worth),
            when(later && !last, worth),
            when(later && last, worth),
            when(one, point),
            when(two, point),
            when(ahead, point),
            when(one, point * placement),
            when(two, point * placement),
            when(ahead, point * placement),
            when(!last, passes as f32 * point),
            // On equal points the seat earliest in turn order wins (rules 19).
            when(seat == 0, point),
        ])
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    fn prefers_evaluation(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Game, Options, Playout, Random};

    use super::*;

    /// At most one of the turn features is set, and a point counts more towards the end.
    #[test]
    fn points_count_more_the_fewer_rounds_are_left() {
        let game = Passtally::new(&Options::new(Passtally::INFO, []).expect("the defaults"));
        let mut random = Random::new(4);
        let mut state = game.start();
        let place = |name| Passtally::FEATURES.iter().position(|&known| known == name).expect("a feature");
        let mut point = 0.0f32;
        while !state.is_over() {
            for seat in 0..2 {
                let features = game.features(&state, seat);
                let turns = ["turn_one_left", "turn_two_left", "turn_later"].map(|name| features[place(name)]);
                let used: Vec<_> = turns.into_iter().filter(|&turn| turn > 0.0).collect();
                assert!(used.len() <= 1, "{state:?}");
                if let (Stage::Turn { .. }, Some(&now)) = (state.stage, used.first()) {
                    assert!(now >= point, "{state:?}: {now} {point}");
                    point = now;
                }
            }
            match game.to_act(&state) {
                tavola_core::Actor::Chance => {
                    let drawn = game.random_outcome(&state, &mut random);
                    game.play_unchecked(&mut state, drawn);
                }
                _ => game.play_random_action(&mut state, &mut random),
            }
        }
        assert!(point > 1.0, "{point}");
    }
}
