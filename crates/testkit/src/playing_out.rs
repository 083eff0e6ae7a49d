//! Random play, held to what it promises: legal, all actions equally likely, the same in one go as in two steps.

use tavola_core::{Complete, Derived, Random, SeatSet};

/// One position in so many is drawn from often.
const RARELY: u32 = 200;

/// How often each action is to be drawn there, on average.
const DRAWS: u32 = 100;

/// Checks a state in which a seat acts.
pub(crate) fn check<G: Complete>(game: &G, state: &G::State, actions: &[G::Action], random: &mut Random) {
    let text = game.position(state);
    let mut same = random.clone();
    let drawn = game.random_action(state, random);
    assert!(actions.binary_search(&drawn).is_ok(), "{text}: draws {}", game.token(drawn));
    let (mut in_two, mut in_one) = (state.clone(), state.clone());
    game.play_unchecked(&mut in_two, drawn);
    game.play_randomly(&mut in_one, &mut same);
    assert!(in_one == in_two, "{text}: drawn and played in one go is not {}", game.token(drawn));
    let sensible = game.sensible_action(state, random);
    assert!(actions.binary_search(&sensible).is_ok(), "{text}: finds {} sensible", game.token(sensible));
    if let Some(winning) = game.winning_action(state) {
        let after = game.play(state, winning).unwrap_or_else(|_| panic!("{text}: {} wins", game.token(winning)));
        let winners = game.outcome(&after).map(|outcome| outcome.winners);
        let alone = game.to_act(state).seat().map(SeatSet::one);
        assert_eq!(winners, alone, "{text}: {} was said to win", game.token(winning));
    }
    if random.below(RARELY) == 0 {
        check_evenness(game, state, actions, random);
    }
}

/// The sum of squares by which the counts miss their mean (chi-squared) stays within eight standard deviations.
fn check_evenness<G: Complete>(game: &G, state: &G::State, actions: &[G::Action], random: &mut Random) {
    let mut counts = vec![0; actions.len()];
    for _ in 0..DRAWS * actions.len() as u32 {
        let drawn = game.random_action(state, random);
        counts[actions.binary_search(&drawn).expect("a legal action")] += 1;
    }
    let mean = f64::from(DRAWS);
    let missed: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2) / mean).sum();
    let free = actions.len() as f64 - 1.0;
    let bound = free + 8.0 * (2.0 * free).sqrt() + 20.0;
    assert!(missed < bound, "{}: not all actions are drawn equally often: {counts:?}", game.position(state));
}
