//! The search with an evaluator in every game: signatures and common properties.

use tavola_core::{Actor, CancelToken, Info, Random};
use tavola_registry::{
    AnyEvaluator, AnyGame, AnyLeaf, AnyState, Evaluation, Failed, Noise, SearchResult, Settings, games, load,
};
use tavola_testkit::Effort;

use crate::first_decision;

/// Best action, its visits, and the nodes of the tree, at the start of each game. There are 1,000 simulations under the
/// seed 1, with equal priors and one random game for each leaf.
///
/// The same on every machine. If it changes, the search or the game's random play has changed, and the message of the
/// change says why.
const SIGNATURES: [(&str, &str, u32, u64); 4] = [
    ("montana", "hire:ko", 231, 1_697),
    ("passtally", "Ne", 203, 1_000),
    ("potlatch", "Pse", 397, 1_000),
    ("proteus", "Bs@a3", 101, 1_000),
];

/// Equal priors, and the mean result of random games.
struct RandomGames {
    games: u64,
    seed: u64,
}

impl RandomGames {
    fn new(games: u64) -> Self {
        Self { games, seed: 0 }
    }
}

impl AnyEvaluator for RandomGames {
    fn evaluate(&mut self, leaves: Vec<AnyLeaf>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            assert_eq!(leaf.ids, leaf.state.legal_actions());
            assert_eq!(leaf.ids.len(), evaluation.priors.len());
            self.seed += 1;
            let played = leaf.state.playouts(self.games, self.seed, 1, &CancelToken::default());
            let seats = played.returns.len() as f32;
            for (share, sum) in evaluation.shares.iter_mut().zip(played.returns) {
                *share = ((sum / self.games as f64) as f32 * (seats - 1.0) + 1.0) / seats;
            }
        }
        Ok(())
    }
}

/// Knows nothing.
struct Uniform;

impl AnyEvaluator for Uniform {
    fn evaluate(&mut self, _: Vec<AnyLeaf>, _: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        Ok(())
    }
}

fn settings(nodes: u32, batch: usize) -> Settings {
    Settings { nodes, batch: batch.try_into().expect("a batch"), seed: 1, ..Settings::default() }
}

fn think(game: &AnyGame, state: &AnyState, settings: &Settings, evaluator: &mut dyn AnyEvaluator) -> SearchResult {
    let result = game.puct().search(state, settings, evaluator, &CancelToken::default());
    SearchResult { seconds: 0.0, ..result.expect("the evaluator never fails") }
}

/// A game with each number of seats.
fn all_seats() -> Vec<AnyGame> {
    let mut all = Vec::new();
    for info in games() {
        let players = info.options.iter().find(|option| option.name == "players");
        match players {
            Some(players) => {
                all.extend(players.values.iter().map(|&value| load(info.name, [("players", value)]).expect("a game")));
            }
            None => all.push(load(info.name, []).expect("a game")),
        }
    }
    all
}

#[test]
fn every_game_has_its_signature() {
    let found = SIGNATURES.map(|(name, ..)| {
        let game = load(name, []).expect("a registered game");
        let result = think(&game, &first_decision(&game), &settings(1000, 8), &mut RandomGames::new(1));
        assert_eq!(result.nodes, 1000);
        (name, result.best.expect("a seat acts"), result.lines[0].visits, result.tree)
    });
    assert_eq!(found, SIGNATURES.map(|(name, best, visits, tree)| (name, best.to_owned(), visits, tree)));
}

#[test]
fn every_game_searches_alike_without_knowledge_and_by_random_games() {
    for game in all_seats() {
        let name = game.info().name;
        let state = first_decision(&game);
        let (legal, seats) = (state.legal_actions(), game.seats());
        let evaluators: [&mut dyn AnyEvaluator; 2] = [&mut Uniform, &mut RandomGames::new(1)];
        for evaluator in evaluators {
            for batch in [1, 64] {
                let noise = Some(Noise { alpha: 0.3, fraction: 0.25 });
                let settings = Settings { noise, ..settings(150, batch) };
                let result = think(&game, &state, &settings, evaluator);
                assert_eq!(result.nodes, 150, "{name}");
                assert_eq!(result.shares.len(), seats);
                assert!((result.shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{name} {:?}", result.shares);
                assert_eq!(result.lines.iter().map(|line| line.visits).sum::<u32>(), 149, "{name}");
                let mut ids: Vec<usize> = result.policy.iter().map(|&(id, _)| id).collect();
                assert!((result.policy.iter().map(|&(_, part)| part).sum::<f32>() - 1.0).abs() < 1e-5);
                assert_eq!(result.best.as_deref().and_then(|best| game.index(best)), Some(ids[0]), "{name}");
                ids.sort_unstable();
                assert_eq!(ids, legal, "{name}");
            }
        }
        let twice = [0; 2].map(|_| think(&game, &state, &settings(200, 16), &mut RandomGames::new(1)));
        assert_eq!(twice[0], twice[1], "{name}");
    }
}

#[test]
fn a_batch_of_positions_gives_the_targets_of_each() {
    for info in games() {
        let game = load(info.name, []).expect("a registered game");
        let (mut state, mut states) = (game.start(), Vec::new());
        let mut random = Random::new(5);
        for _ in 0..30 {
            states.push(state.clone());
            let tokens: Vec<String> = match state.to_act() {
                Actor::Terminal => break,
                Actor::Chance => state.chance_outcomes().into_iter().map(|(token, _)| token).collect(),
                Actor::Seat(_) => state.legal_actions().into_iter().filter_map(|id| game.token(id)).collect(),
            };
            let token = &tokens[random.below(tokens.len() as u32) as usize];
            state = state.play(token).expect("it is legal");
        }
        let roots: Vec<&AnyState> = states.iter().collect();
        let search = |evaluator: &mut dyn AnyEvaluator| {
            let (nodes, never) = (vec![60; roots.len()], CancelToken::default());
            game.puct().targets(&roots, nodes, 1.0, &settings(1, 32), evaluator, &never).expect("it never fails")
        };
        let targets = search(&mut RandomGames::new(1));
        assert_eq!(targets, search(&mut RandomGames::new(1)), "{}", info.name);
        for (target, state) in targets.iter().zip(&states) {
            let mut ids: Vec<usize> = target.policy.iter().map(|&(id, _)| id).collect();
            ids.sort_unstable();
            assert_eq!(ids, state.legal_actions());
            let policy: f32 = target.policy.iter().map(|&(_, part)| part).sum();
            assert!(ids.is_empty() || (policy - 1.0).abs() < 1e-5);
            assert!((target.shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}

/// Plays a game between two seats of different settings, and returns the share of the seat with the first.
fn play(game: &AnyGame, both: [&Settings; 2], first: usize, seed: u64) -> f64 {
    let (mut state, mut random) = (game.start(), Random::new(seed));
    loop {
        let token = match state.to_act() {
            Actor::Terminal => break,
            Actor::Chance => {
                let outcomes = state.chance_outcomes();
                outcomes[random.weighted(outcomes.iter().map(|&(_, weight)| weight))].0.clone()
            }
            Actor::Seat(seat) => {
                let settings = Settings { seed: random.word(), ..both[usize::from(seat) ^ first].clone() };
                let mut evaluator = RandomGames { games: 1, seed: random.word() >> 1 };
                think(game, &state, &settings, &mut evaluator).best.expect("a seat acts")
            }
        };
        state = state.play(&token).expect("it is legal");
    }
    state.outcome().expect("the game is over").share(first as u8, 2)
}

#[test]
fn a_batch_of_64_is_about_as_strong_as_one_at_a_time() {
    let suits = |info: &&&Info| !info.has_chance && load(info.name, []).is_ok_and(|game| game.seats() == 2);
    let info = *games().iter().find(suits).expect("a game of two seats without chance");
    let game = load(info.name, []).expect("a registered game");
    let (one, batched, few) = (settings(800, 1), settings(800, 64), settings(50, 1));
    let mut scores = [0.0; 2];
    let count = (Effort::of_profile().games / 5) as usize;
    for number in 0..count {
        scores[0] += play(&game, [&batched, &one], number % 2, number as u64) / count as f64;
        scores[1] += play(&game, [&batched, &few], number % 2, number as u64) / count as f64;
    }
    assert!(scores[0] > 0.25 && scores[0] < 0.75, "against one at a time: {}", scores[0]);
    assert!(scores[1] > 0.6, "against few nodes: {}", scores[1]);
}
