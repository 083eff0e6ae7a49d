//! Solves the frozen game of some tile layouts, with times: `cargo run --release -p tavola-proteus --example frozen [LAYOUTS]`.

use std::time::Instant;

use tavola_core::{Game, Options, Random};
use tavola_proteus::Proteus;
use tavola_proteus::frozen::{Frozen, STATES, Value};
use tavola_proteus::index::{POSITIONS, number, position};

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
        let frozen = Frozen::solve(game, layout);
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
    let began = Instant::now();
    let count = 1_000_000u64;
    let sum = (0..count).filter(|_| {
        let wanted = random.word() % POSITIONS;
        number(&position(wanted)) == Some(wanted)
    });
    assert_eq!(sum.count() as u64, count);
    println!("{:.2} million numbers a second, both ways", count as f64 / began.elapsed().as_secs_f64() / 1e6);
}
