//! The conformance suite: what every game must satisfy, whatever its rules.
//!
//! [`conform`] plays seeded random games under every combination of options and holds each state to the contract of
//! `tavola-core`. It panics with the position and the error.

#![forbid(unsafe_code)]

pub mod data;
mod evaluation;
mod fuzz;
mod locale;
mod observations;
mod playouts;
mod positions;
mod sketches;
pub mod strength;
mod vector_envs;
mod views;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};

use tavola_core::{Compiled, Complete, OptionSpec, Options, Random};

/// The amount of testing for a game.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of random games over all combinations of options, at least one each.
    pub games: u64,
    /// The number of states after which no new game begins, because games differ in length.
    pub states: u64,
    /// The number of damaged texts over all combinations of options.
    pub garbage: u64,
}

impl Effort {
    /// The effort of the test profile in `TAVOLA_TEST_PROFILE`: `quick` (default), `ci` or `nightly`.
    ///
    /// # Panics
    /// If the variable names no profile.
    pub fn of_profile() -> Self {
        let ci = Self { games: 120, states: 12_000, garbage: 9_000 };
        match std::env::var("TAVOLA_TEST_PROFILE").as_deref() {
            Err(_) | Ok("quick") => Self { games: ci.games / 4, states: ci.states / 4, garbage: ci.garbage / 4 },
            Ok("ci") => ci,
            Ok("nightly") => Self { games: ci.games * 80, states: ci.states * 80, garbage: ci.garbage * 80 },
            Ok(other) => panic!("TAVOLA_TEST_PROFILE={other}: expected quick, ci or nightly"),
        }
    }
}

/// Holds a game to the contract.
///
/// # Panics
/// At the first violation, with the position and the error.
pub fn conform<G: Complete + Compiled>(effort: Effort) {
    locale::check::<G>();
    let words = locale::Vocabulary::of::<G>();
    let combinations = every_combination::<G>();
    let share = |total: u64| (total / combinations.len() as u64).max(1);
    in_parallel(combinations.len() as u64, |number| {
        let options = &combinations[number as usize];
        let game = G::new(options);
        assert_eq!(game.info().name, G::INFO.name);
        evaluation::check_names(&game);
        let mut observer = observations::Observer::new(&game);
        let mut states = 0;
        for seed in 0..share(effort.games) {
            states += positions::play_and_check(&game, &words, &mut observer, &mut Random::stream(seed, number));
            if states >= share(effort.states) {
                break;
            }
        }
        // Each step of the four layouts compares three states.
        vector_envs::check(&Arc::new(G::new(options)), share(effort.states) / 24 + 1);
        fuzz::check(&game, &words, share(effort.garbage), &mut Random::new(number));
        sketches::check(&game, &words, share(effort.states) / 8 + 100, &mut Random::new(number));
    });
}

/// The results of numbered tasks, on all processors.
fn in_parallel<T: Send>(tasks: u64, task: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let threads = available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    scope(|scope| {
        let work = || {
            std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed))
                .take_while(|&number| number < tasks)
                .map(&task)
                .collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no task panics")).collect()
    })
}

/// Every combination of the game's published options without house rules, and again with each house rule, whose values
/// take turns.
fn every_combination<G: Compiled>() -> Vec<Options> {
    let mut combinations: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
    let (house_rules, published): (Vec<&OptionSpec>, Vec<_>) =
        G::INFO.options.iter().partition(|spec| spec.is_house_rule);
    for spec in published {
        combinations = combinations
            .iter()
            .flat_map(|chosen| {
                spec.values.iter().map(move |&value| {
                    let mut longer = chosen.clone();
                    longer.push((spec.name, value));
                    longer
                })
            })
            .collect();
    }
    let count = combinations.len();
    for spec in house_rules {
        let on = &spec.values[1..];
        for turn in 0..count.max(on.len()) {
            let mut chosen = combinations[turn % count].clone();
            chosen.push((spec.name, on[turn % on.len()]));
            combinations.push(chosen);
        }
    }
    combinations.into_iter().map(|chosen| Options::new(G::INFO, chosen).expect("the game's own options")).collect()
}
