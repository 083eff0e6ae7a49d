//! The search against a greedy player:
//! `cargo run --release -p tavola-passtally --example strength -- [games=N] [seconds=N | nodes=N] [replays=N] [OPTIONS]`.
//!
//! The greedy player tries every way to play its turn and chooses the one that scores the most points at once.
//! Among equals it chooses at random. It does not foresee the tile that chance reveals in between.

use tavola_core::{Actor, Game, Notation, Random, Seat};
use tavola_passtally::{Action, Passtally, State};
use tavola_testkit::strength;

fn main() {
    strength::command::<Passtally>(greedy);
}

fn actions(game: &Passtally, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

/// Return the first action of the turn that scores the most points.
fn greedy(game: &Passtally, state: &State, seat: Seat, random: &mut Random) -> Action {
    let (mut best, mut most, mut equals) = (None, None, 0);
    for first in actions(game, state) {
        let gained = Some(best_after(game, state, first, seat));
        if gained > most {
            (best, most, equals) = (Some(first), gained, 1);
        } else if gained == most {
            equals += 1;
            if random.below(equals) == 0 {
                best = Some(first);
            }
        }
    }
    best.expect("a seat can always act")
}

/// Return the most points that an action and a second one can score, and the points after the first one.
fn best_after(game: &Passtally, state: &State, first: Action, seat: Seat) -> (u32, u32) {
    let mut after = *state;
    game.play_unchecked(&mut after, first);
    let at_once = after.worth(seat);
    let mut used = None;
    if game.to_act(&after) == Actor::Chance {
        used = game.token(first).chars().next();
        let mut outcomes = Vec::new();
        game.chance_outcomes(&after, &mut outcomes);
        game.play_unchecked(&mut after, outcomes[0].0);
    }
    if game.to_act(&after) != Actor::Seat(seat) || after.points(seat) > state.points(seat) {
        return (at_once, at_once);
    }
    let seconds = actions(game, &after).into_iter().filter(|&second| game.token(second).chars().next() != used);
    let worths = seconds.map(|second| {
        let mut end = after;
        game.play_unchecked(&mut end, second);
        end.worth(seat)
    });
    (worths.max().unwrap_or(0), at_once)
}
