//! Solves the placement: the empty board, and each first placement.
//!
//! `cargo run --release -p tavola-proteus --example placement -- [OPTIONS] FILE [MEGABYTES]`, where FILE has the results of
//! the ends, which `--example endgame` writes (`--ends FILE`), and MEGABYTES is the memory of the search's tables.

use std::process::exit;
use std::time::Instant;

use tavola_core::{Compiled, Game, Notation, Options, Random, Seat};
use tavola_proteus::endgame::Verdict;
use tavola_proteus::placement::{Ends, Solver, are_equal, random_position, winner};
use tavola_proteus::{Proteus, State};

/// The memory of the tables unless another is given.
const MEGABYTES: usize = 8_192;

/// Random positions of each length that are solved a second way, and the most pieces that such a position has left.
const CHECKED: usize = 200;
const MOST_LEFT: u32 = 6;

fn main() {
    let (options, file, megabytes) = arguments().unwrap_or_else(|error| {
        eprintln!("{error}");
        exit(2);
    });
    let game = Proteus::new(&options);
    let bytes = std::fs::read(&file).map_err(|error| error.to_string());
    let ends = bytes.and_then(|bytes| Ends::from_bytes(&game, &options.to_string(), &bytes)).unwrap_or_else(|error| {
        eprintln!("{file}: {error}");
        exit(1);
    });
    let began = Instant::now();
    let start = game.start();
    let positions = [vec![start.clone()], after_each(&game, &start)].concat();
    let answers: Vec<Vec<bool>> = std::thread::scope(|scope| {
        let seats = [0, 1].map(|seat| {
            let (game, ends, positions) = (&game, &ends, &positions);
            scope.spawn(move || ask(*game, ends, seat, positions, megabytes << 19, began))
        });
        seats.into_iter().map(|seat| seat.join().expect("no search fails")).collect()
    });
    println!("{:8.1} s: solved", began.elapsed().as_secs_f64());
    for (place, state) in positions.iter().enumerate() {
        let value = match (answers[0][place], answers[1][place]) {
            (true, false) => "Black wins",
            (false, true) => "White wins",
            (false, false) => "a draw",
            (true, true) => unreachable!("both seats win"),
        };
        println!("{}: {value}", game.position(state));
    }
    check(&game, &ends);
}

fn arguments() -> Result<(Options, String, usize), String> {
    let mut options = Vec::new();
    let (mut file, mut megabytes) = (None, MEGABYTES);
    for argument in std::env::args().skip(1) {
        if let Ok(number) = argument.parse() {
            megabytes = number;
        } else if argument.contains('=') {
            options.push(argument);
        } else {
            file = Some(argument);
        }
    }
    let options = Options::parse(Proteus::INFO, &options.join(" ")).map_err(|error| error.to_string())?;
    Ok((options, file.ok_or("which file has the results of the ends?")?, megabytes))
}

/// The positions after each action, those that are equal up to symmetry once.
fn after_each(game: &Proteus, state: &State) -> Vec<State> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let mut after: Vec<State> = Vec::new();
    for action in actions {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        if after.iter().all(|known| !are_equal(known, &next)) {
            after.push(next);
        }
    }
    after
}

fn results(ends: &Ends) -> impl Fn(&State, usize) -> Verdict {
    |state, class| ends.verdict(state, class)
}

/// Whether the seat can force a win from each position.
fn ask(game: Proteus, ends: &Ends, seat: Seat, positions: &[State], memory: usize, began: Instant) -> Vec<bool> {
    let name = ["Black", "White"][usize::from(seat)];
    let millions = |visited| visited as f64 / 1e6;
    let mut solver = Solver::new(game, results(ends), seat, memory, move |visited| {
        println!("{:8.1} s: {name}: {:.0} million positions", began.elapsed().as_secs_f64(), millions(visited));
    });
    let answer = |state| {
        let wins = solver.can_win(state);
        let seconds = began.elapsed().as_secs_f64();
        let can = if wins { "can" } else { "cannot" };
        let (position, millions) = (game.position(state), millions(solver.visited()));
        println!("{seconds:8.1} s: {name} {can} force a win from {position}: {millions:.0} million positions so far");
        wins
    };
    positions.iter().map(answer).collect()
}

/// Compares random positions with plain recursion over the rules.
fn check(game: &Proteus, ends: &Ends) {
    let mut random = Random::new(3);
    let mut solvers = [0, 1].map(|seat| Solver::new(*game, results(ends), seat, 64 << 20, |_| {}));
    let mut counts = [0; 3];
    for left in 1..=MOST_LEFT {
        for _ in 0..CHECKED {
            let state = random_position(game, left, &mut random);
            let expected = winner(game, &state, &results(ends));
            for (seat, solver) in (0..).zip(&mut solvers) {
                assert_eq!(solver.can_win(&state), expected == Some(seat), "{}", game.position(&state));
            }
            counts[expected.map_or(2, usize::from)] += 1;
        }
    }
    let [black, white, drawn] = counts;
    println!("{} random positions agree: {black} won by Black, {white} by White, {drawn} drawn", black + white + drawn);
}
