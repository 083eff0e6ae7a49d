//! Checks of random play: actions are legal and drawn by weight, and drawing and playing at once gives the same.

use tavola_core::{Actor, Complete, GameExt, Random, SeatSet};

/// One position in this number gets many draws.
const RARELY: u32 = 200;

/// The mean number of draws of each action there.
const DRAWS: u32 = 100;

/// Checks a state in which a seat or chance acts.
pub(crate) fn check<G: Complete>(game: &G, state: &G::State, random: &mut Random) {
    let text = game.position(state);
    // The possible actions and their weights.
    let mut choices: Vec<(G::Action, u64)> = Vec::new();
    let by_chance = game.to_act(state) == Actor::Chance;
    if by_chance {
        game.chance_outcomes(state, &mut choices);
    } else {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        choices.extend(actions.into_iter().map(|action| (action, 1)));
    }
    let draw = |random: &mut Random| {
        let drawn = if by_chance { game.random_outcome(state, random) } else { game.random_action(state, random) };
        let place = choices.iter().position(|&(choice, _)| choice == drawn);
        place.unwrap_or_else(|| panic!("{text}: draws {}", game.token(drawn)))
    };
    let mut same = random.clone();
    let (drawn, _) = choices[draw(random)];
    let (mut in_two, mut in_one) = (state.clone(), state.clone());
    game.play_unchecked(&mut in_two, drawn);
    game.play_random_action(&mut in_one, &mut same);
    assert!(in_one == in_two, "{text}: drawn and played in one go is not {}", game.token(drawn));
    assert_eq!(game.key(&in_one), game.key(&in_two), "{text}: {} played in one go has another key", game.token(drawn));
    if random.below(RARELY) == 0 {
        check_evenness(&text, &choices, || draw(random));
    }
    if !by_chance {
        check_sense(game, state, &choices, random);
    }
}

/// Checks that a playout in one call equals the one action by action, to the end and to any limit.
pub(crate) fn check_at_once<G: Complete>(game: &G, random: &Random) {
    let mut at_once = game.start();
    let count = game.play_out(&mut at_once, u32::MAX, &mut random.clone());
    for most in [count, count / 2, 1, 0] {
        let (mut in_steps, mut limited) = (game.start(), game.start());
        let mut same = random.clone();
        for _ in 0..most {
            assert_ne!(
                game.to_act(&in_steps),
                Actor::Terminal,
                "{}: more actions than there were",
                game.position(&in_steps)
            );
            game.play_random_action(&mut in_steps, &mut same);
        }
        assert_eq!(game.play_out(&mut limited, most, &mut random.clone()), most);
        assert!(limited == in_steps, "{}: {} in one go", game.position(&in_steps), game.position(&limited));
        if most == count {
            assert!(at_once == in_steps && game.to_act(&at_once) == Actor::Terminal, "{}", game.position(&at_once));
        }
    }
}

fn check_sense<G: Complete>(game: &G, state: &G::State, choices: &[(G::Action, u64)], random: &mut Random) {
    let text = game.position(state);
    let sensible = game.rollout_action(state, random);
    let legal = choices.iter().any(|&(choice, _)| choice == sensible);
    assert!(legal, "{text}: finds {} sensible", game.token(sensible));
    if let Some(winning) = game.winning_action(state) {
        let after = game.play(state, winning).unwrap_or_else(|_| panic!("{text}: {} wins", game.token(winning)));
        let winners = game.outcome(&after).map(|outcome| outcome.winners);
        let alone = game.to_act(state).seat().map(SeatSet::one);
        assert_eq!(winners, alone, "{text}: {} was said to win", game.token(winning));
    }
}

/// Checks that the chi-squared statistic of the counts is within eight standard deviations.
fn check_evenness<A>(text: &str, choices: &[(A, u64)], mut draw: impl FnMut() -> usize) {
    let mut counts = vec![0u32; choices.len()];
    let draws = DRAWS * choices.len() as u32;
    for _ in 0..draws {
        counts[draw()] += 1;
    }
    let total: u64 = choices.iter().map(|&(_, weight)| weight).sum();
    let means = choices.iter().map(|&(_, weight)| f64::from(draws) * weight as f64 / total as f64);
    let missed: f64 = counts.iter().zip(means).map(|(&count, mean)| (f64::from(count) - mean).powi(2) / mean).sum();
    let free = choices.len() as f64 - 1.0;
    let bound = free + 8.0 * (2.0 * free).sqrt() + 20.0;
    assert!(missed < bound, "{text}: not drawn as often as their weights want: {counts:?}");
}
