//! Measures the time to list the legal actions and to score a position:
//! `cargo run --release -p tavola-passtally --example speed`.

use std::hint::black_box;
use std::time::Instant;

use tavola_core::{Actor, Compiled, Game, Options, Playout, Random};
use tavola_passtally::{Passtally, State};

const ROUNDS: u32 = 200;

fn main() {
    let game = Passtally::new(&Options::new(Passtally::INFO, []).expect("the defaults"));
    let positions = positions(&game, 1000);
    let mut actions = Vec::new();
    let mut length = |state: &State| {
        actions.clear();
        game.legal_actions(state, &mut actions);
        actions.len()
    };
    let long: Vec<State> = positions.iter().copied().filter(|state| length(state) >= 200).collect();
    let listed: usize = long.iter().map(&mut length).sum();
    let nanoseconds = median(|| long.iter().map(&mut length).sum::<usize>()) / long.len() as f64;
    let mean = listed as f64 / long.len() as f64;
    println!("listing {mean:.0} legal actions: {nanoseconds:.0} ns, so 500 take {:.0} ns", nanoseconds / mean * 500.0);
    let nanoseconds =
        median(|| positions.iter().map(|state| state.worth(0) as usize).sum::<usize>()) / positions.len() as f64;
    println!("scoring a seat's turn: {nanoseconds:.0} ns");
}

/// Positions of random games in which a seat is to act.
fn positions(game: &Passtally, count: usize) -> Vec<State> {
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    let mut state = game.start();
    while positions.len() < count {
        match game.to_act(&state) {
            Actor::Terminal => state = game.start(),
            Actor::Chance => {
                let outcome = game.random_outcome(&state, &mut random);
                game.play_unchecked(&mut state, outcome);
            }
            Actor::Seat(_) => {
                positions.push(state);
                game.play_random_action(&mut state, &mut random);
            }
        }
    }
    positions
}

/// The median time of one run, in nanoseconds.
fn median(mut run: impl FnMut() -> usize) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            black_box(run());
            began.elapsed().as_secs_f64() * 1e9
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}
