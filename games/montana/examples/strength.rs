//! How strong the search is: games against the greedy player, which takes the action after which it stands best.
//!
//! ```sh
//! cargo run --release -p tavola-montana --example strength -- SEATS GAMES SECONDS [FIRST]
//! ```
//!
//! FIRST is the number of the first game, 0 if it is not given: games of several runs can be added up.

use tavola_core::{Actor, CancelToken, Compiled, Game, Notation, Options, Outcome, Playout, Random, Seat};
use tavola_montana::{Action, Montana, State};
use tavola_search::{Limits, search};

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

/// Plays one game; returns the engine's share of it, and the state at its end.
fn play(game: &Montana, engine: Seat, seconds: f64, random: &mut Random) -> (f64, State) {
    let mut state = game.start();
    loop {
        let action = match game.to_act(&state) {
            Actor::Terminal => break,
            Actor::Chance => game.random_outcome(&state, random),
            Actor::Seat(seat) if seat == engine => {
                let mut actions = Vec::new();
                game.legal_actions(&state, &mut actions);
                let seconds = if actions.len() == 1 { 0.0 } else { seconds };
                let limits = Limits { seconds: Some(seconds), seed: random.word(), ..Limits::default() };
                search(game, &state, &limits, &CancelToken::default()).best.expect("a seat acts")
            }
            Actor::Seat(seat) => greedy(game, &state, seat, random),
        };
        game.play_unchecked(&mut state, action);
    }
    let Outcome { winners, .. } = game.outcome(&state).expect("it is over");
    let share = if winners.contains(engine) { 1.0 / winners.len() as f64 } else { 0.0 };
    (share, state)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (seats, games, seconds, first) = match arguments.as_slice() {
        [seats, games, seconds] => (seats, games, seconds, 0),
        [seats, games, seconds, first] => (seats, games, seconds, first.parse().expect("a number")),
        _ => panic!("wanted: SEATS GAMES SECONDS [FIRST]"),
    };
    let (games, seconds): (u64, f64) = (games.parse().expect("a number"), seconds.parse().expect("seconds"));
    let options = Options::new(Montana::INFO, [("players", seats.as_str())]).expect("2, 3 or 4 seats");
    let game = Montana::new(&options);
    let mut won = 0.0;
    for number in first..first + games {
        let engine = (number % game.seats() as u64) as Seat;
        let (share, end) = play(&game, engine, seconds, &mut Random::new(number));
        won += share;
        println!("game {}: {share}, in all {won}: {}", number + 1, game.position(&end));
    }
    println!("{seats} seats, {seconds} s: {won} of {games}");
}
