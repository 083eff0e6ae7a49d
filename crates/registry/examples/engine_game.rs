//! A game of the engine against itself, in a program of one's own.

use tavola_core::{CancelToken, Compiled, Game, GameExt, Notation, Options};
use tavola_potlatch::Potlatch;
use tavola_search::{Limits, search};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Potlatch::new(&Options::new(Potlatch::INFO, [("actions", "3")])?);
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let mut state = game.start();
    while let Some(action) = search(&game, &state, &limits, &CancelToken::default()).best {
        println!("{}", game.token(action));
        state = game.play(&state, action)?;
    }
    println!("{:?}", game.outcome(&state));
    Ok(())
}
