//! The search in every game: signatures and common properties.

use tavola_core::evaluation::MAX_FEATURES;
use tavola_core::{Actor, CancelToken};
use tavola_registry::{AnySearcher, Limits, Method, Rollouts, SearchResult, load};

use crate::first_decision;

/// The result at the start of each game of 3,000 uniform simulations of one thread under the seed 1: best action,
/// its visits, and the nodes of the tree.
///
/// The same on every machine. If it changes, the search or the game's random play has changed, and the message of the
/// change says why.
const SIGNATURES: [(&str, &str, u32, u64); 4] = [
    ("montana", "hire:kk", 646, 8_143),
    ("passtally", "E2", 283, 5_716),
    ("potlatch", "Psw", 1_168, 5_892),
    ("proteus", "Rc@b2", 90, 4_557),
];

fn limits(nodes: u64, uniform: bool) -> Limits {
    Limits {
        method: Method::Tree,
        nodes: Some(nodes),
        seed: 1,
        rollouts: if uniform { Rollouts::Uniform } else { Rollouts::Policy },
        lookahead: 2,
        memory: 64 << 20,
        ..Limits::default()
    }
}

fn timeless(result: SearchResult) -> SearchResult {
    SearchResult { seconds: 0.0, ..result }
}

#[test]
fn every_game_has_its_signature() {
    let found = SIGNATURES.map(|(name, ..)| {
        let game = load(name, []).expect("a registered game");
        let result =
            first_decision(&game).search(&limits(3_000, true), &CancelToken::default()).expect("a tree suits all");
        assert_eq!(result.nodes, 3_000);
        (name, result.best.expect("a seat acts"), result.lines[0].visits, result.tree)
    });
    assert_eq!(found, SIGNATURES.map(|(name, best, visits, tree)| (name, best.to_owned(), visits, tree)));
}

#[test]
fn the_best_search_of_a_game_is_that_of_its_last_level() {
    for info in tavola_registry::games() {
        let options = info.options.iter().filter_map(|option| Some((option.name, *option.values.last()?)));
        for game in [load(info.name, []), load(info.name, options)].map(|game| game.expect("a registered game")) {
            let (state, limits) = (first_decision(&game), limits(300, false));
            let search = |mut searcher: AnySearcher| {
                let found = searcher.search(&state, &limits, &CancelToken::default()).expect("a tree suits all");
                timeless(found.expect("a state of this game"))
            };
            let best = search(game.best_searcher());
            let mut with_network = game.searcher();
            with_network.set_network(game.own_network());
            assert_eq!(best, search(with_network), "{}", info.name);
            let (has_network, levels) = (game.own_network().is_some(), game.levels());
            assert_eq!(best != search(game.searcher()), has_network, "{}", info.name);
            assert_eq!(levels.last().expect("eight levels").starts_with("net:"), has_network, "{}", info.name);
            assert!(levels[..levels.len() - 1].iter().all(|level| !level.starts_with("net")), "{}", info.name);
        }
    }
}

#[test]
fn the_same_calls_find_the_same_in_every_game() {
    for info in tavola_registry::games() {
        let game = load(info.name, []).expect("a registered game");
        let state = first_decision(&game);
        let think = || {
            let mut searcher = game.searcher();
            let found = searcher
                .search(&state, &limits(300, false), &CancelToken::default())
                .expect("its own game")
                .expect("a tree suits all");
            let after = state.play(found.best.as_deref().expect("a seat acts")).expect("a legal action");
            if !matches!(after.to_act(), Actor::Seat(_)) {
                return vec![timeless(found)];
            }
            let next = searcher
                .search(&after, &limits(300, false), &CancelToken::default())
                .expect("its own game")
                .expect("a tree suits all");
            assert!(next.lines.iter().map(|line| line.visits).sum::<u32>() >= 300, "{}", info.name);
            vec![timeless(found), timeless(next)]
        };
        assert_eq!(think(), think(), "{}", info.name);
    }
}

#[test]
fn shares_and_intervals_are_those_of_all_seats() {
    for info in tavola_registry::games() {
        let game = load(info.name, []).expect("a registered game");
        let result =
            first_decision(&game).search(&limits(200, false), &CancelToken::default()).expect("a tree suits all");
        for line in &result.lines {
            assert_eq!((line.shares.len(), line.intervals.len()), (game.seats(), game.seats()));
            assert!((line.shares.iter().sum::<f64>() - 1.0).abs() < 0.01, "{}: {line:?}", info.name);
            for ((low, high), share) in line.intervals.iter().zip(&line.shares) {
                assert!(0.0 <= *low && low <= share && share <= high && *high <= 1.0, "{}: {line:?}", info.name);
            }
        }
    }
}

#[test]
fn a_prior_leads_to_the_actions_that_the_evaluation_likes() {
    let (game, stop) = (load("montana", []).expect("a registered game"), CancelToken::default());
    let state = first_decision(&game);
    let mut weights = [0.0; MAX_FEATURES];
    weights.iter_mut().zip(game.weights()).for_each(|(weight, own)| *weight = own);
    let ids = state.legal_actions();
    let mut looks = vec![0.0; ids.len()];
    state.looks(&ids, &weights, &mut looks);
    let most = looks.iter().copied().fold(f32::MIN, f32::max);
    let visits = |prior| {
        let found = state.search(&Limits { prior, ..limits(20, false) }, &stop).expect("a tree suits all");
        let visited = found.policy.iter().zip(&found.lines).map(|(&(id, _), line)| (id, line.visits));
        let best = |id| ids.iter().zip(&looks).any(|(&own, &look)| own == id && look > most - 0.01);
        visited.filter(|&(id, _)| best(id)).map(|(_, visits)| visits).sum::<u32>()
    };
    let (plain, guided) = (visits(Some(0.0)), visits(Some(20.0)));
    assert!(guided == 20 && plain < 16, "{guided} and {plain} of 20");
}

#[test]
fn searches_of_montana_have_its_prior() {
    let state = first_decision(&load("montana", []).expect("a registered game"));
    let visits = |method, prior, uniform| {
        let limits = Limits { method, prior, ..limits(50, uniform) };
        let found = state.search(&limits, &CancelToken::default()).expect("a tree suits all");
        found.lines.into_iter().map(|line| line.visits).collect::<Vec<_>>()
    };
    let with_prior = visits(Method::Tree, Some(4.0), false);
    assert_eq!(visits(Method::Auto, None, false), with_prior);
    assert_eq!(visits(Method::Tree, None, false), with_prior);
    assert_ne!(visits(Method::Tree, Some(0.0), false), with_prior);
    assert_eq!(visits(Method::Tree, None, true), visits(Method::Tree, Some(0.0), true));
}
