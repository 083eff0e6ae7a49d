//! The results of the first placements: what the search makes of them.

use tavola_core::{CancelToken, Compiled, Evaluate, Game, Notation, Options, SeatSet};
use tavola_proteus::{Action, Proteus, State};
use tavola_search::{Limits, Purpose, search};

const WHITE: SeatSet = SeatSet::one(1);

fn game(options: &str) -> Proteus {
    Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
}

fn after_each(game: &Proteus) -> Vec<(Action, State)> {
    let (start, mut actions) = (game.start(), Vec::new());
    game.legal_actions(&start, &mut actions);
    let after = |action| {
        let mut state = start.clone();
        game.play_unchecked(&mut state, action);
        (action, state)
    };
    actions.into_iter().map(after).collect()
}

fn lost(game: &Proteus) -> Vec<String> {
    let lost = after_each(game).into_iter().filter(|(_, state)| game.solved(state) == Some(WHITE));
    lost.map(|(action, _)| game.token(action).to_string()).collect()
}

#[test]
fn the_first_placements_are_solved_and_nothing_else() {
    let kadon = game("rules=kadon");
    assert!(after_each(&kadon).iter().all(|(_, state)| kadon.solved(state).is_some()));
    assert_eq!(lost(&kadon), ["Bc@b2", "Bt@a1", "Bt@c1", "Bt@b2", "Bt@a3", "Bt@c3", "Ys@b2", "Yt@b2"]);
    assert_eq!(kadon.solved(&kadon.start()), None);
    for (_, mut state) in after_each(&kadon) {
        let mut actions = Vec::new();
        kadon.legal_actions(&state, &mut actions);
        kadon.play_unchecked(&mut state, actions[0]);
        assert_eq!(kadon.solved(&state), None);
    }
    for options in ["rules=kadon faces=30", "rules=literal", "faces=12"] {
        let game = game(options);
        assert!(after_each(&game).iter().all(|(_, state)| game.solved(state).is_none()), "{options}");
    }
}

#[test]
fn an_analysis_of_the_empty_board_is_the_solution() {
    let game = game("rules=kadon");
    let limits = |purpose| Limits { purpose, nodes: Some(2_000), ..Limits::default() };
    let found = search(&game, &game.start(), &limits(Purpose::Analyse), &CancelToken::default());
    assert!(found.lines.iter().all(|line| line.proven));
    assert_eq!(found.lines.iter().filter(|line| line.shares[0] == 0.0).count(), 8);
    assert_eq!(found.shares, [0.5, 0.5]);
    // A choice looks for the best chances among the draws.
    let chosen = search(&game, &game.start(), &limits(Purpose::Choose), &CancelToken::default());
    assert_eq!(chosen.lines.iter().filter(|line| line.proven).count(), 8);
    assert!(chosen.lines.iter().all(|line| !line.proven || line.visits == 0));
}
