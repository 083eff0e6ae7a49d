//! Games between weak players, whose actions the solution labels.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tavola_core::{Actor, CancelToken, Encode, Game, Random};
use tavola_proteus::Proteus;
use tavola_proteus::endgame::{Endgame, Verdict};
use tavola_proteus::index::number;
use tavola_search::{Limits, Method, search};

/// The simulations of the players, and how often they choose a random action.
const NODES: u64 = 200;
const RANDOM: f64 = 0.1;

/// The label of an action that leads to a draw.
const DRAWN: u8 = u8::MAX;

/// A game as the ids of its actions.
pub struct Labelled {
    actions: Vec<u8>,
    /// For each action the positions after all legal actions, in the order of their ids. Empty in the placement.
    after: Vec<Vec<After>>,
}

/// The position after an action.
struct After {
    number: u64,
    /// The actions to its forced end: with an odd number the seat to act wins.
    label: u8,
}

/// Plays games with some threads. The games do not depend on their number.
pub fn play(game: Proteus, games: u64, threads: usize) -> Vec<Labelled> {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let numbers = std::iter::repeat_with(|| next.fetch_add(1, Relaxed)).take_while(|&one| one < games);
                    numbers.map(|one| (one, play_one(game, one))).collect::<Vec<_>>()
                })
            })
            .collect();
        let played = players.into_iter().flat_map(|player| player.join().expect("no game fails"));
        played.collect::<BTreeMap<_, _>>().into_values().collect()
    })
}

fn play_one(game: Proteus, seed: u64) -> Labelled {
    let mut random = Random::new(seed);
    let (mut state, mut labelled) = (game.start(), Labelled { actions: Vec::new(), after: Vec::new() });
    let mut actions = Vec::new();
    while game.outcome(&state).is_none() {
        actions.clear();
        game.legal_actions(&state, &mut actions);
        actions.sort_by_key(|&action| game.index(action));
        let in_movement = number(&state).is_some();
        let after = actions.iter().filter(|_| in_movement).map(|&action| after(&game, &state, action)).collect();
        let action = if f64::from(random.below(1000)) < 1000.0 * RANDOM {
            actions[random.below(actions.len() as u32) as usize]
        } else {
            let limits = Limits {
                method: Method::Tree,
                nodes: Some(NODES),
                seed: random.word(),
                lookahead: 2,
                ..Limits::default()
            };
            search(&game, &state, &limits, &CancelToken::default()).best.expect("a seat acts")
        };
        labelled.after.push(after);
        labelled.actions.push(game.index(action) as u8);
        game.play_unchecked(&mut state, action);
    }
    labelled
}

fn after(game: &Proteus, state: &<Proteus as Game>::State, action: <Proteus as Game>::Action) -> After {
    let mut after = state.clone();
    game.play_unchecked(&mut after, action);
    let number = number(&after).expect("the movement phase goes on");
    let winner = game.outcome(&after).and_then(|outcome| outcome.winners.iter().next());
    // Labels have no number for a game that an action has lost: to the seat that acts next it is as good as a win in one.
    let label = winner.map_or(DRAWN, |winner| u8::from(game.to_act(state) != Actor::Seat(winner)));
    After { number, label }
}

/// Labels the positions that a pass has found.
pub fn label(games: &mut [Labelled], endgame: &Endgame, plies: u8, threads: usize) {
    let part = games.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        for games in games.chunks_mut(part) {
            scope.spawn(move || {
                let open = games.iter_mut().flat_map(|game| game.after.iter_mut().flatten());
                for one in open.filter(|one| one.label == DRAWN) {
                    if endgame.reached(one.number) != Verdict::Drawn {
                        one.label = plies;
                    }
                }
            });
        }
    });
}

/// The games as bytes. `benches/labelled_games.py` describes and reads them.
pub fn to_bytes(games: &[Labelled]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        bytes.extend((game.actions.len() as u16).to_le_bytes());
        for (&action, after) in game.actions.iter().zip(&game.after) {
            bytes.extend([action, after.len() as u8]);
            bytes.extend(after.iter().map(|one| one.label));
        }
    }
    bytes
}
