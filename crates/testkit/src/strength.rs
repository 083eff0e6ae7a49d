//! The search against a simple player of a game: how often it wins, and whether chance explains its losses.

use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering};

use tavola_core::{Actor, CancelToken, Compiled, Complete, Game, Options, Random, Seat};
use tavola_search::{Limits, search};

use crate::in_parallel;

/// Chooses an action for the seat to act.
pub type Player<G> = fn(&G, &<G as Game>::State, Seat, &mut Random) -> <G as Game>::Action;

/// The command of an example `strength`: prints what [`measure`] tells of the arguments of the process.
pub fn command<G: Complete + Compiled>(player: Player<G>) {
    match measure(player, std::env::args().skip(1)) {
        Ok(measured) => println!("{measured}"),
        Err(error) => {
            eprintln!("{error}");
            exit(2);
        }
    }
}

/// The share of the search in games against a player, as a text. It plays as many games at once as there are processors.
///
/// Arguments are options of the game, and settings with these defaults:
///
/// - `games=100`: the number of games. The search plays each seat equally often, the player all others.
/// - `seconds=1`, or `nodes=N`: the limit of each search, in one thread.
/// - `replays=0`: how often each lost game is played again, with the same chance: with the search in the same seat, and with
///   the search in another seat. The choices of both players have other seeds.
///
/// # Errors
/// A wrong argument.
pub fn measure<G: Complete + Compiled>(
    player: Player<G>,
    arguments: impl Iterator<Item = String>,
) -> Result<String, String> {
    let (game, Settings { games, limits, replays }) = parse::<G>(arguments)?;
    let table = Table { game: &game, player, limits };
    let won = AtomicU64::new(0);
    let results = in_parallel(games, |number| {
        let result = table.play_and_replay(number, replays);
        let won = won.fetch_add(u64::from(result.share > 0.0), Ordering::Relaxed) + u64::from(result.share > 0.0);
        eprintln!("game {number}: {result:.2?}; {won} not lost so far");
        result
    });
    let all = Mean::of(&results.iter().map(|result| result.share).collect::<Vec<_>>());
    let replayed: Vec<_> = results.iter().filter(|result| !result.same_seat.is_empty()).collect();
    if replayed.is_empty() {
        return Ok(format!("{games} games: {all}"));
    }
    let again = |shares: fn(&GameResult) -> &[f64]| {
        Mean::of(&replayed.iter().map(|&result| Mean::of(shares(result)).mean).collect::<Vec<_>>())
    };
    let (same, other) = (again(|result| &result.same_seat), again(|result| &result.other_seat));
    let lost = replayed.len();
    Ok(format!("{games} games: {all}\n{lost} lost games with the same chance again: {same}\nin another seat: {other}"))
}

struct Settings {
    games: u64,
    limits: Limits,
    replays: u64,
}

/// The shares of the search in a game, and in its replays.
#[derive(Debug)]
struct GameResult {
    share: f64,
    same_seat: Vec<f64>,
    other_seat: Vec<f64>,
}

fn parse<G: Compiled>(arguments: impl Iterator<Item = String>) -> Result<(G, Settings), String> {
    let mut settings = Settings { games: 100, limits: Limits { seconds: Some(1.0), ..Limits::default() }, replays: 0 };
    let mut options = Vec::new();
    for argument in arguments {
        let (name, value) = argument.split_once('=').unwrap_or((&argument, ""));
        let wrong = || format!("{argument}: expected a number above 0");
        let count = || value.parse().ok().filter(|&count: &u64| count > 0).ok_or_else(wrong);
        match name {
            "games" => settings.games = count()?,
            "replays" => settings.replays = count()?,
            "nodes" => (settings.limits.nodes, settings.limits.seconds) = (Some(count()?), None),
            "seconds" => {
                let seconds = value.parse().ok().filter(|&seconds: &f64| seconds > 0.0).ok_or_else(wrong)?;
                (settings.limits.nodes, settings.limits.seconds) = (None, Some(seconds));
            }
            _ => options.push(argument),
        }
    }
    let options = Options::parse(G::INFO, &options.join(" "))
        .map_err(|error| format!("{error}\nalso: games=N, replays=N, seconds=N or nodes=N"))?;
    Ok((G::new(&options), settings))
}

struct Table<'a, G: Game> {
    game: &'a G,
    player: Player<G>,
    limits: Limits,
}

impl<G: Complete> Table<'_, G> {
    /// Plays a game, and if it is lost the replays.
    fn play_and_replay(&self, number: u64, replays: u64) -> GameResult {
        let seats = self.game.seats() as u64;
        let seat = (number % seats) as Seat;
        let share = self.play(seat, number, 0);
        let replays = if share > 0.0 { 0 } else { replays };
        let other = |replay: u64| ((number + 1 + replay % (seats - 1)) % seats) as Seat;
        GameResult {
            share,
            same_seat: (1..=replays).map(|replay| self.play(seat, number, replay)).collect(),
            other_seat: (1..=replays).map(|replay| self.play(other(replay), number, replay)).collect(),
        }
    }

    /// Plays a game, and returns the share of the search. `chance` and `choices` are seeds.
    fn play(&self, engine: Seat, chance: u64, choices: u64) -> f64 {
        let game = self.game;
        let mut random = Random::stream(choices, chance);
        let mut state = game.start();
        let mut events = 0;
        let mut actions = Vec::new();
        loop {
            let action = match game.to_act(&state) {
                Actor::Terminal => break,
                Actor::Chance => {
                    events += 1; // An event has its own generator: equal events have equal outcomes, whatever was played.
                    game.random_outcome(&state, &mut Random::stream(chance, events))
                }
                Actor::Seat(seat) if seat == engine => {
                    game.legal_actions(&state, &mut actions);
                    let only = (actions.len() == 1).then(|| actions[0]);
                    actions.clear();
                    let limits = Limits { seed: random.word(), ..self.limits.clone() };
                    only.or_else(|| search(game, &state, &limits, &CancelToken::default()).best)
                        .expect("a seat can act")
                }
                Actor::Seat(seat) => (self.player)(game, &state, seat, &mut random),
            };
            game.play_unchecked(&mut state, action);
        }
        game.outcome(&state).expect("it is over").share(engine, game.seats())
    }
}

/// A mean with its 95 % interval.
struct Mean {
    mean: f64,
    half: f64,
}

impl Mean {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Self { mean, half: 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt() }
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:.1} % ± {:.1}", 100.0 * self.mean, 100.0 * self.half)
    }
}
