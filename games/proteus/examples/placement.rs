//! Solves the placement: the empty board, and each first placement.
//!
//! `cargo run --release -p tavola-proteus --example placement -- [OPTIONS] FILE [MEGABYTES]`, where FILE is the solution that
//! `tavola solve` writes, and MEGABYTES is the memory of the search's tables. `--openings OUT` writes replies that win or
//! hold, up to the fourth placement, and ends. `--proof-number` answers the same questions by a proof-number
//! search instead, and ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::exit;
use std::time::Instant;

use tavola_core::locale::Locale;
use tavola_core::{Actor, CancelToken, Compiled, Game, Notation, Options, Playout, Random, Seat, SeatSet};
use tavola_proteus::endgame::Verdict;
use tavola_proteus::frozen::Value;
use tavola_proteus::index::{POSITIONS, position};
use tavola_proteus::placement::{
    Ends, ProofNumberSearch, Solver, are_equal, is_placement, key, random_position, winner,
};
use tavola_proteus::solution::{Solution, header};
use tavola_proteus::{Proteus, State};
use tavola_search::{Limits, Purpose, prove, search};

/// The memory of the tables unless another is given.
const MEGABYTES: usize = 8_192;

/// How many random positions with 1, 2, ... pieces left are solved a second way.
const CHECKED: [usize; 8] = [200, 200, 200, 200, 200, 200, 20, 20];

/// The bytes of the table of a search that solves them.
const CHECK_MEMORY: usize = 64 << 20;

/// Random positions of the movement phase that are checked, and the most actions of a proof.
const VALUES: u32 = 2_000;
const PROOF_PLIES: u32 = 6;

/// Games against each way to place.
const GAMES: u64 = 10_000;

/// The nodes of a search that places; `None` to place at random.
const NODES: [Option<u64>; 2] = [None, Some(1_000)];

const NAMES: [&str; 2] = ["Black", "White"];

/// A search that answers whether its seat can force a win.
trait Search: Send {
    fn can_win(&mut self, state: &State) -> bool;

    /// Positions visited so far.
    fn visited(&self) -> u64;
}

impl<E: Fn(&State, usize) -> Verdict + Send> Search for Solver<'_, E> {
    fn can_win(&mut self, state: &State) -> bool {
        self.can_win(state)
    }

    fn visited(&self) -> u64 {
        self.visited()
    }
}

impl<E: Fn(&State, usize) -> Verdict + Send> Search for ProofNumberSearch<'_, E> {
    fn can_win(&mut self, state: &State) -> bool {
        self.can_win(state)
    }

    fn visited(&self) -> u64 {
        self.visited()
    }
}

fn main() {
    let Arguments { options, file, megabytes, openings, proof_number } = Arguments::parse().unwrap_or_else(|error| {
        eprintln!("{error}");
        exit(2);
    });
    let game = Proteus::new(&options);
    let solution = Solution::open(&game, &header(&options), Path::new(&file)).unwrap_or_else(|fault| {
        eprintln!("{}", Locale::english().format(&fault));
        exit(1);
    });
    check_values(&game, &solution);
    let ends = solution.ends();
    let [won, lost, drawn] = ends.totals();
    println!("{} ends of the placement: {won} won, {lost} lost, {drawn} drawn", ends.count());
    let (began, memory) = (Instant::now(), megabytes << 19);
    let start = game.start();
    if proof_number {
        let new = |seat, memory| ProofNumberSearch::new(game, results(ends), seat, memory, progress(began, seat));
        check(&game, ends, [0, 1].map(|seat| new(seat, CHECK_MEMORY)));
        let first = after_each(&game, &start);
        solve(&game, &mut [0, 1].map(|seat| new(seat, memory)), &[vec![start], first].concat(), began);
        return;
    }
    let new = |seat, memory| Solver::new(game, results(ends), seat, memory, progress(began, seat));
    let mut solvers = [0, 1].map(|seat| new(seat, memory));
    let [wins] = solve(&game, &mut solvers, std::slice::from_ref(&start), began).try_into().expect("one position");
    if let Some(out) = openings {
        let known = replies(&game, &start, &mut solvers, began);
        let bytes: Vec<u8> =
            known.into_iter().flat_map(|(key, wins)| (key << 1 | u64::from(wins)).to_le_bytes()).collect();
        std::fs::write(&out, bytes).unwrap_or_else(|error| {
            eprintln!("{out}: {error}");
            exit(1);
        });
        return;
    }
    check(&game, ends, [0, 1].map(|seat| new(seat, CHECK_MEMORY)));
    for (seat, solver) in (0..).zip(&mut solvers).filter(|&(seat, _)| !wins[usize::from(seat)]) {
        hold(&game, ends, seat, solver);
    }
    solve(&game, &mut solvers, &after_each(&game, &start), began);
}

/// Whether Black, and whether White, can force a win from each position.
fn solve(game: &Proteus, searches: &mut [impl Search; 2], positions: &[State], began: Instant) -> Vec<[bool; 2]> {
    let [black, white]: [Vec<bool>; 2] = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..)
            .zip(searches)
            .map(|(seat, search)| {
                scope.spawn(move || positions.iter().map(|state| ask(game, search, seat, state, began)).collect())
            })
            .collect();
        let answers: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("no search fails")).collect();
        answers.try_into().expect("two seats")
    });
    println!("{:8.1} s: solved", began.elapsed().as_secs_f64());
    for ((state, black), white) in positions.iter().zip(&black).zip(&white) {
        let value = match (black, white) {
            (true, false) => "Black wins",
            (false, true) => "White wins",
            (false, false) => "a draw",
            (true, true) => unreachable!("both seats win"),
        };
        println!("{}: {value}", game.position(state));
    }
    black.into_iter().zip(white).map(|(black, white)| [black, white]).collect()
}

/// The keys of positions after replies, with whether they win or hold.
///
/// White has a reply to each first placement, one that wins if there is any, and to each reply of Black to it. Black has one to
/// each reply of White that lets it hold.
fn replies<E: Fn(&State, usize) -> Verdict>(
    game: &Proteus,
    start: &State,
    [black, white]: &mut [Solver<'_, E>; 2],
    began: Instant,
) -> BTreeMap<u64, bool> {
    let mut known = BTreeMap::new();
    let mut insert = |state: &State, action, wins| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        *known.entry(key(&after)).or_default() |= wins;
        after
    };
    for (place, first) in after_each(game, start).iter().enumerate() {
        for second in after_each(game, first) {
            if let Some(third) = white.refutation(&second) {
                insert(&second, third, false);
            }
        }
        if let Some(reply) = white.winning_action(first) {
            let second = insert(first, reply, true);
            for third in after_each(game, &second) {
                let reply = white.winning_action(&third).expect("White wins after each");
                insert(&third, reply, true);
            }
        } else if let Some(reply) = black.refutation(first) {
            let second = insert(first, reply, false);
            for third in after_each(game, &second) {
                if let Some(reply) = black.refutation(&third) {
                    insert(&third, reply, false);
                }
            }
        }
        println!("{:8.1} s: the replies to first placement {}", began.elapsed().as_secs_f64(), place + 1);
    }
    known
}

/// The arguments of the command.
struct Arguments {
    options: Options,
    file: String,
    megabytes: usize,
    openings: Option<String>,
    proof_number: bool,
}

impl Arguments {
    fn parse() -> Result<Self, String> {
        let mut options = Vec::new();
        let (mut file, mut megabytes, mut openings, mut proof_number) = (None, MEGABYTES, None, false);
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            if argument == "--openings" {
                openings = Some(arguments.next().ok_or("--openings needs a file")?);
            } else if argument == "--proof-number" {
                proof_number = true;
            } else if let Ok(number) = argument.parse() {
                megabytes = number;
            } else if argument.contains('=') {
                options.push(argument);
            } else {
                file = Some(argument);
            }
        }
        let options = Options::parse(Proteus::INFO, &options.join(" ")).map_err(|error| error.to_string())?;
        let file = file.ok_or("which file has the solution?")?;
        Ok(Self { options, file, megabytes, openings, proof_number })
    }
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

fn report(began: Instant, seat: Seat, what: &str) {
    println!("{:8.1} s: {}: {what}", began.elapsed().as_secs_f64(), NAMES[usize::from(seat)]);
}

/// Reports the positions visited of the search for a seat.
fn progress(began: Instant, seat: Seat) -> impl FnMut(u64) + Send {
    move |visited| report(began, seat, &format!("{:.0} million positions", visited as f64 / 1e6))
}

/// Whether the seat can force a win from a position.
fn ask(game: &Proteus, search: &mut impl Search, seat: Seat, state: &State, began: Instant) -> bool {
    let wins = search.can_win(state);
    let (can, millions) = (if wins { "can" } else { "cannot" }, search.visited() as f64 / 1e6);
    let position = game.position(state);
    report(began, seat, &format!("{can} force a win from {position}: {millions:.0} million positions so far"));
    wins
}

/// Compares the values of random positions of the movement phase with those after their actions, and with proofs.
fn check_values(game: &Proteus, solution: &Solution) {
    let mut random = Random::new(2);
    let (mut counts, mut proven) = ([0; 3], 0);
    while counts.iter().sum::<u32>() < VALUES {
        let state = position(random.word() % POSITIONS);
        let after: Vec<State> = after_each(game, &state);
        if Solution::is_over(game, &state) {
            continue;
        }
        let value = solution.value(game, &state);
        let values = after.iter().map(|after| match game.outcome(after) {
            Some(outcome) if outcome.winners == SeatSet::one(0) => Value::Loss(0),
            Some(outcome) if outcome.winners == SeatSet::one(1) => Value::Win(0),
            _ => solution.value(game, after),
        });
        assert_eq!(value, Value::before(values), "{}", game.position(&state));
        let plies = match value {
            Value::Win(plies) | Value::Loss(plies) => Some(u32::from(plies)),
            Value::Open => None,
        };
        let proof = prove(game, &state, PROOF_PLIES, &CancelToken::default());
        assert_eq!(
            proof.map(|proof| proof.plies),
            plies.filter(|&plies| plies <= PROOF_PLIES),
            "{}",
            game.position(&state)
        );
        proven += u32::from(proof.is_some());
        counts[match value {
            Value::Win(_) => 0,
            Value::Loss(_) => 1,
            Value::Open => 2,
        }] += 1;
    }
    let [won, lost, drawn] = counts;
    println!(
        "{VALUES} random positions agree with their actions: {won} won, {lost} lost, {drawn} drawn; {proven} with proofs"
    );
}

/// Compares random positions with plain recursion over the rules.
fn check(game: &Proteus, ends: &Ends, mut searches: [impl Search; 2]) {
    let mut random = Random::new(3);
    let mut counts = [0; 3];
    for (left, count) in (1..).zip(CHECKED) {
        for _ in 0..count {
            let state = random_position(game, left, &mut random);
            let expected = winner(game, &state, &results(ends), &mut BTreeMap::new());
            for (seat, search) in (0..).zip(&mut searches) {
                assert_eq!(search.can_win(&state), expected == Some(seat), "{}", game.position(&state));
            }
            counts[expected.map_or(2, usize::from)] += 1;
        }
    }
    let [black, white, drawn] = counts;
    println!("{} random positions agree: {black} won by Black, {white} by White, {drawn} drawn", black + white + drawn);
}

/// Plays games in which one seat places at random or by a search, and the other so that this seat cannot force a win.
fn hold<E: Fn(&State, usize) -> Verdict>(game: &Proteus, ends: &Ends, seat: Seat, solver: &mut Solver<'_, E>) {
    let (mut random, stop) = (Random::new(4), CancelToken::default());
    for nodes in NODES {
        let mut lost = 0;
        for seed in 0..GAMES {
            let mut state = game.start();
            while is_placement(&state) {
                let action = match (game.to_act(&state) == Actor::Seat(seat), nodes) {
                    (false, _) => solver.refutation(&state).expect("the seat cannot force a win"),
                    (true, None) => game.random_action(&state, &mut random),
                    (true, nodes) => {
                        let limits = Limits { nodes, purpose: Purpose::Choose, seed, ..Limits::default() };
                        search(game, &state, &limits, &stop).best.expect("a seat acts")
                    }
                };
                game.play_unchecked(&mut state, action);
            }
            let winner = winner(game, &state, &results(ends), &mut BTreeMap::new());
            assert_ne!(winner, Some(seat), "{}", game.position(&state));
            lost += u32::from(winner.is_some());
        }
        let how = nodes.map_or("at random".to_owned(), |nodes| format!("by a search of {nodes} nodes"));
        let name = NAMES[usize::from(seat)];
        println!("{name} {how} cannot force a win at the end of any of {GAMES} games, and {lost} are lost");
    }
}
