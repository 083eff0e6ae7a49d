//! What each seat can expect of a position: its points, and what its turns are likely to bring.
//!
//! The figures were fitted (least squares) to 600 turns between players that take the most points at once: what a turn
//! brings grows with the tiles that lie there, and with what the seat's lines are worth before.

use tavola_core::{Evaluate, Features, MOST_FEATURES, Seat, features};

use crate::rules::{Passtally, TURN};
use crate::state::{Stage, State};
use crate::tiles::TILES;

/// What a turn brings, on an empty board and without a line.
const TURN_BRINGS: f32 = 2.3;

/// How much more, when all tiles lie there.
const BY_TILES: f32 = 7.0;

/// How much more per point that the seat's lines are worth: in its own turn, and before others have had theirs.
const BY_WORTH: f32 = 0.3;
const BY_WORTH_LATER: f32 = 0.4;

/// How much a seat's lines are worth on average, when nobody knows.
const WORTH: f32 = 4.0;

/// How many points' difference make a lead: at the end, and per root of the rounds left.
const LEAD: f32 = 0.5;
const LEAD_PER_ROUND: f32 = 1.2;

/// How many tiles of a pile are used up in a round.
const TILES_PER_ROUND: f32 = 1.1;

impl Evaluate for Passtally {
    const FEATURES: &'static [&'static str] = &["standing"];

    fn features(&self, state: &State, seat: Seat) -> Features {
        let fewest = state.piles.iter().map(|pile| pile.tiles()).min().unwrap_or(0);
        let lead = LEAD + LEAD_PER_ROUND * (f32::from(fewest) / TILES_PER_ROUND).sqrt();
        features([standing(state, seat) / lead])
    }

    fn weights(&self) -> &Features {
        const WEIGHTS: Features = {
            let mut weights = [0.0; MOST_FEATURES];
            weights[0] = 1.0;
            weights
        };
        &WEIGHTS
    }

    fn foresees(&self) -> bool {
        true
    }
}

/// The points that a seat can expect to have when all have had as many turns.
fn standing(state: &State, seat: Seat) -> f32 {
    let laid = 1.0 - state.piles.iter().map(|pile| f32::from(pile.tiles())).sum::<f32>() / f32::from(TILES);
    let points = state.points(seat) as f32;
    let brings = TURN_BRINGS + BY_TILES * laid;
    let last = Passtally::is_last_round(state);
    let worth = state.worth(seat) as f32;
    // A seat that has had its turn in this round has one turn less to come.
    let later = if last || seat < state.seat { 0.0 } else { brings + BY_WORTH * WORTH };
    let next = match state.stage {
        Stage::Turn { taken: TURN } if seat == state.seat => worth,
        _ if seat == state.seat => brings + BY_WORTH * worth,
        _ if last && seat < state.seat => 0.0,
        _ => brings + BY_WORTH_LATER * worth,
    };
    points + next + later
}
