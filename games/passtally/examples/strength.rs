//! The engine against a greedy player:
//! `cargo run --release -p tavola-passtally --example strength [GAMES] [SECONDS] [PLAYERS]`.
//!
//! The greedy player tries every way to play its turn and chooses the one that scores the most points at once.
//! Among equals it chooses at random. It does not foresee the tile that chance reveals in between.

use std::sync::atomic::{AtomicUsize, Ordering};

use tavola_core::{Actor, CancelToken, Compiled, Game, Notation, Options, Playout, Random, Seat};
use tavola_passtally::{Action, Passtally, State};
use tavola_search::{Limits, search};

fn main() {
    let argument = |place: usize| std::env::args().nth(place);
    let games: usize = argument(1).and_then(|count| count.parse().ok()).unwrap_or(100);
    let seconds: f64 = argument(2).and_then(|seconds| seconds.parse().ok()).unwrap_or(1.0);
    let players = argument(3).unwrap_or_else(|| "2".to_owned());
    let game = Passtally::new(&Options::new(Passtally::INFO, [("players", players.as_str())]).expect("2 or 3 players"));
    let (next, won) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (own, others) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games {
                        return;
                    }
                    let engine = (number % game.seats()) as Seat;
                    let end = play(&game, engine, seconds, number as u64);
                    let wins = game.outcome(&end).is_some_and(|outcome| outcome.winners.contains(engine));
                    let won = won.fetch_add(usize::from(wins), Ordering::Relaxed) + usize::from(wins);
                    let points = end.points(engine) as usize;
                    let all: usize = (0..game.seats() as Seat).map(|seat| end.points(seat) as usize).sum();
                    own.fetch_add(points, Ordering::Relaxed);
                    others.fetch_add(all - points, Ordering::Relaxed);
                    eprintln!("game {number}: engine in seat {engine}, {points} of {all} points; {won} won so far");
                }
            });
        }
    });
    println!("the engine won {} of {games} games", won.into_inner());
    let mean = |sum: AtomicUsize, count: usize| sum.into_inner() as f64 / count as f64;
    println!("mean points: engine {:.1}, greedy {:.1}", mean(own, games), mean(others, games * (game.seats() - 1)));
}

fn play(game: &Passtally, engine: Seat, seconds: f64, seed: u64) -> State {
    let mut random = Random::new(seed);
    let mut state = game.start();
    loop {
        let action = match game.to_act(&state) {
            Actor::Terminal => return state,
            Actor::Chance => game.random_outcome(&state, &mut random),
            Actor::Seat(seat) if seat == engine => {
                let limits = Limits { seconds: Some(seconds), seed: random.word(), ..Limits::default() };
                search(game, &state, &limits, &CancelToken::default()).best.expect("a seat can always act")
            }
            Actor::Seat(seat) => greedy(game, &state, seat, &mut random),
        };
        game.play_unchecked(&mut state, action);
    }
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
