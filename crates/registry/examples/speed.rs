//! Random play, timed: `cargo run --release --example speed`.
use std::sync::atomic::AtomicBool;
use std::time::Instant;
fn main() {
    let game = tavola_registry::load("potlatch", []).unwrap();
    let state = game.start();
    for _ in 0..5 {
        let began = Instant::now();
        let done = state.playouts(200_000, 1, 1, &AtomicBool::new(false));
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "{:.1} M actions/s, {:.1} actions a game",
            done.actions as f64 / seconds / 1e6,
            done.actions as f64 / done.count as f64
        );
    }
}
