//! The search against a greedy player, which takes the action after which it stands best:
//! `cargo run --release -p tavola-montana --example strength -- [games=N] [seconds=N | nodes=N] [replays=N] [OPTIONS]`.

use tavola_core::{Game, Random, Seat};
use tavola_montana::{Action, Montana, State};
use tavola_testkit::strength;

fn main() {
    strength::command::<Montana>(greedy);
}

/// The worth of a position to a seat, less half of its worth to the best of the others.
fn value(game: &Montana, state: &State, seat: Seat) -> f64 {
    if let Some(outcome) = game.outcome(state) {
        return outcome.returns(game.seats())[usize::from(seat)] * 1e6;
    }
    let others = (0..game.seats() as Seat).filter(|&other| other != seat);
    let best = others.map(|other| game.worth(state, other)).max().unwrap_or(0);
    f64::from(game.worth(state, seat)) - f64::from(best) / 2.0
}

/// The action with the best immediate value; among equals lots are drawn.
fn greedy(game: &Montana, state: &State, seat: Seat, random: &mut Random) -> Action {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut valued = actions.into_iter().map(|action| {
        let mut next = *state;
        game.play_unchecked(&mut next, action);
        (value(game, &next, seat) + random.unit() / 2.0, action)
    });
    let first = valued.next().expect("a seat that acts has actions");
    valued.fold(first, |best, next| if next.0 > best.0 { next } else { best }).1
}
