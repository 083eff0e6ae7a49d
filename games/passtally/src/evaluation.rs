//! What each seat can expect of a position: its points, and what its lines are likely to bring.

use tavola_core::MOST_SEATS;

use crate::rules::Passtally;
use crate::state::{Stage, State};

/// How much of what a line is worth now its seat can count on: in its turn that has begun, in its next turn after
/// others had theirs, and in the turns after that.
const NOW: f32 = 1.0;
const NEXT: f32 = 0.3;
const LATER: f32 = 0.1;

/// How many points' difference make a lead, at the end and per root of the rounds left.
const LEAD: f32 = 1.0;
const LEAD_PER_ROUND: f32 = 0.6;

/// Each seat's share of the win.
pub(crate) fn shares(game: &Passtally, state: &State) -> [f32; MOST_SEATS] {
    let mut shares = [0.0; MOST_SEATS];
    let last = Passtally::is_last_round(state);
    let tiles: u32 = state.piles.iter().map(|pile| u32::from(pile.tiles())).sum();
    let rounds = if last { 0.0 } else { tiles as f32 / f32::from(2 * game.seats) };
    let lead = LEAD + LEAD_PER_ROUND * rounds.sqrt();
    let begun = matches!(state.stage, Stage::Turn { .. });
    let mut standings = [0.0; MOST_SEATS];
    for seat in 0..game.seats {
        let mut weight = if last { 0.0 } else { LATER };
        if seat == state.seat && begun {
            weight += NOW;
        } else if seat > state.seat || !last {
            weight += NEXT;
        }
        standings[usize::from(seat)] = state.points(seat) as f32 + weight * state.worth(seat) as f32;
    }
    let best = standings[..game.seats.into()].iter().copied().fold(0.0, f32::max);
    let mut sum = 0.0;
    for (share, standing) in shares.iter_mut().zip(standings).take(game.seats.into()) {
        *share = ((standing - best) / lead).exp();
        sum += *share;
    }
    shares.map(|share| share / sum)
}
