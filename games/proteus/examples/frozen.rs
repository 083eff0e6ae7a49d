//! Measures what `docs/explanation/proteus-endgame.md` computes with: some tile layouts solved without trades, the index,
//! all successors of random positions, and proofs.
//!
//! `cargo run --release -p tavola-proteus --example frozen [LAYOUTS]`

use std::time::Instant;

use tavola_core::{CancelToken, Compiled, Game, Options, Playout, Random};
use tavola_proteus::Proteus;
use tavola_proteus::frozen::{STATES, SolvedLayout, Value};
use tavola_proteus::index::{POSITIONS, number, position};
use tavola_search::prove;

fn main() {
    let layouts: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(5);
    let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
    let mut random = Random::new(1);
    for _ in 0..layouts {
        let mut layout = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        for place in (1..layout.len()).rev() {
            layout.swap(place, random.below(place as u32 + 1) as usize);
        }
        let began = Instant::now();
        let frozen = SolvedLayout::solve(game, layout);
        let seconds = began.elapsed().as_secs_f64();
        let (mut won, mut lost, mut longest) = (0, 0, 0);
        for number in 0..STATES {
            match frozen.value(number) {
                Value::Win(plies) => (won, longest) = (won + 1, longest.max(plies)),
                Value::Loss(plies) => (lost, longest) = (lost + 1, longest.max(plies)),
                Value::Open => {}
            }
        }
        let percent = |count: usize| 100.0 * count as f64 / STATES as f64;
        println!(
            "{layout:?}: {seconds:.2} s, won {:.1} %, lost {:.1} %, longest {longest} actions",
            percent(won),
            percent(lost)
        );
    }
    numbers(&mut random);
    successors(&game, &mut random);
    proofs(&game, &mut random);
}

fn numbers(random: &mut Random) {
    let began = Instant::now();
    let count = 1_000_000u64;
    let sum = (0..count).filter(|_| {
        let wanted = random.word() % POSITIONS;
        number(&position(wanted)) == Some(wanted)
    });
    assert_eq!(sum.count() as u64, count);
    println!("{:.2} million numbers a second, both ways", count as f64 / began.elapsed().as_secs_f64() / 1e6);
}

/// All actions of random positions played, and the numbers of where they lead.
fn successors(game: &Proteus, random: &mut Random) {
    let positions: Vec<_> = (0..100_000).map(|_| position(random.word() % POSITIONS)).collect();
    let began = Instant::now();
    let (mut edges, mut open, mut actions) = (0u64, 0u64, Vec::new());
    let mut after = positions[0].clone();
    for state in &positions {
        actions.clear();
        game.legal_actions(state, &mut actions);
        for &action in &actions {
            after.clone_from(state);
            game.play_unchecked(&mut after, action);
            edges += 1;
            open += u64::from(game.outcome(&after).is_none() && number(&after).is_some());
        }
    }
    let rate = edges as f64 / began.elapsed().as_secs_f64() / 1e6;
    println!(
        "{:.1} actions a position, {rate:.1} million a second played and numbered, {:.1} % of them open",
        edges as f64 / positions.len() as f64,
        100.0 * open as f64 / edges as f64
    );
}

/// Proofs up to six actions deep, of one position out of each of 100 random games.
fn proofs(game: &Proteus, random: &mut Random) {
    let mut times = Vec::new();
    let mut forced = 0;
    while times.len() < 100 {
        let (mut state, mut seen) = (game.start(), Vec::new());
        while game.outcome(&state).is_none() {
            if number(&state).is_some() {
                seen.push(state.clone());
            }
            game.play_random_action(&mut state, random);
        }
        if seen.is_empty() {
            continue;
        }
        let state = &seen[random.below(seen.len() as u32) as usize];
        let began = Instant::now();
        forced += u32::from(prove(game, state, 6, &CancelToken::default()).is_some());
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "proofs: median {:.3} ms, 95th percentile {:.1}, longest {:.1}; {forced} forced",
        times[49], times[94], times[99]
    );
}
