//! The results of the first placements: what the search makes of them.

use tavola_core::{CancelToken, Compiled, Evaluate, Game, Notation, Options, SeatSet};
use tavola_proteus::{Action, Proteus, State};
use tavola_search::{Limits, Purpose, search};

const WHITE: SeatSet = SeatSet::one(1);

fn game(options: &str) -> Proteus {
    Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
}

fn winners(game: &Proteus, state: &State) -> Option<SeatSet> {
    game.solved(state).map(|result| result.winners)
}

fn after_each(game: &Proteus) -> Vec<(Action, State)> {
    after_each_of(game, &game.start())
}

fn after_each_of(game: &Proteus, before: &State) -> Vec<(Action, State)> {
    let mut actions = Vec::new();
    game.legal_actions(before, &mut actions);
    let after = |action| {
        let mut state = before.clone();
        game.play_unchecked(&mut state, action);
        (action, state)
    };
    actions.into_iter().map(after).collect()
}

fn lost(game: &Proteus) -> Vec<String> {
    let lost = after_each(game).into_iter().filter(|(_, state)| winners(game, state) == Some(WHITE));
    lost.map(|(action, _)| game.token(action).to_string()).collect()
}

#[test]
fn the_first_placements_are_solved() {
    let kadon = game("rules=kadon");
    assert!(after_each(&kadon).iter().all(|(_, state)| kadon.solved(state).is_some()));
    let article = game("");
    assert!(after_each(&article).iter().all(|(_, state)| winners(&article, state) == Some(SeatSet::EMPTY)));
    assert_eq!(lost(&kadon), ["Bc@b2", "Bt@a1", "Bt@c1", "Bt@b2", "Bt@a3", "Bt@c3", "Ys@b2", "Yt@b2"]);
    assert_eq!(kadon.solved(&kadon.start()), None);
    for options in ["rules=kadon faces=30", "rules=literal", "faces=12", "rules_version=1"] {
        let game = game(options);
        assert!(after_each(&game).iter().all(|(_, state)| game.solved(state).is_none()), "{options}");
    }
}

#[test]
fn every_first_placement_has_a_known_reply_that_keeps_its_result() {
    for options in ["", "rules=kadon"] {
        let game = game(options);
        for (_, first) in after_each(&game) {
            let result = winners(&game, &first).expect("a solved position");
            let replies = after_each_of(&game, &first);
            let known: Vec<_> = replies.iter().filter_map(|(_, state)| winners(&game, state)).collect();
            assert!(known.contains(&result) && known.len() < replies.len(), "{}", game.position(&first));
            // White's other replies may only hold. After a draw none wins.
            assert!(known.iter().all(|&winners| winners == result || winners.is_empty()), "{}", game.position(&first));
        }
    }
}

#[test]
fn white_has_a_known_win_up_to_the_fourth_placement_after_each_first_one_that_loses() {
    let game = game("rules=kadon");
    let wins = |state: &State| winners(&game, state) == Some(WHITE);
    for (_, first) in after_each(&game).into_iter().filter(|(_, first)| wins(first)) {
        let replies = after_each_of(&game, &first);
        let (_, second) = replies.iter().find(|(_, second)| wins(second)).expect("a reply that wins");
        for (_, third) in after_each_of(&game, second) {
            assert!(after_each_of(&game, &third).iter().any(|(_, fourth)| wins(fourth)), "{}", game.position(&third));
        }
    }
}

#[test]
fn an_analysis_of_the_empty_board_is_the_solution() {
    for (options, lost) in [("", 0), ("rules=kadon", 8)] {
        let game = game(options);
        let (start, stop) = (game.start(), CancelToken::default());
        let limits = |purpose| Limits { purpose, nodes: Some(2_000), ..Limits::default() };
        let found = search(&game, &start, &limits(Purpose::Analyse), &stop);
        assert!(found.lines.iter().all(|line| line.proven));
        assert_eq!(found.lines.iter().filter(|line| line.shares[0] == 0.0).count(), lost);
        assert_eq!(found.shares, [0.5, 0.5]);
        // The first line has the best chances among the draws.
        assert_eq!(found.lines.iter().map(|line| line.visits).max(), Some(found.lines[0].visits));
        assert!(found.nodes == 2_000 && found.lines[0].visits > 30, "{:?}", found.lines[0]);
        for purpose in [Purpose::Choose, Purpose::Sample] {
            let chosen = search(&game, &start, &limits(purpose), &stop);
            assert_eq!(chosen.lines.iter().filter(|line| line.proven).count(), lost);
            assert!(chosen.lines.iter().all(|line| !line.proven || line.visits == 0));
        }
    }
}

#[test]
fn an_analysis_after_the_first_placement_is_the_solution() {
    for options in ["", "rules=kadon"] {
        let game = game(options);
        for (place, (_, first)) in after_each(&game).into_iter().enumerate() {
            let is_lost = winners(&game, &first) == Some(WHITE);
            if place % 8 > 0 && !is_lost {
                continue;
            }
            let limits = Limits { purpose: Purpose::Analyse, nodes: Some(500), ..Limits::default() };
            let found = search(&game, &first, &limits, &CancelToken::default());
            let shares = if is_lost { [0.0, 1.0] } else { [0.5, 0.5] };
            assert_eq!(found.shares, shares, "{}", game.position(&first));
            assert!(found.lines[0].proven, "{:?}", found.lines[0]);
            assert_eq!(found.lines[0].shares, shares, "{:?}", found.lines[0]);
        }
    }
}
