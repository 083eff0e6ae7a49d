//! Views tell more than positions: the open spaces of the city, and what an action brought.

use tavola_core::{Actor, Compiled, Draw, Game, GameExt, Notation, Options, Playout, Random};
use tavola_montana::{Montana, State};
use tavola_testkit::data;

/// The spaces of the city that are marked as open.
fn open_spaces(game: &Montana, state: &State) -> Vec<String> {
    let view = game.view(state, None);
    let spaces = view.areas.iter().flat_map(|area| &area.cells).filter(|cell| cell.id.starts_with("city-"));
    spaces.filter(|cell| cell.marks.iter().any(|mark| mark.symbol == "open")).map(|cell| cell.id.to_string()).collect()
}

#[test]
fn the_city_shows_before_a_visit_where_the_seat_could_place() {
    let game = Montana::new(&Options::new(Montana::INFO, []).expect("the defaults"));
    let city = game.parse_token("city").expect("an action");
    let mut compared = 0;
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut state = game.start();
        while game.to_act(&state) != Actor::Terminal {
            if let Ok(visit) = game.play(&state, city) {
                let shown = open_spaces(&game, &state);
                if game.to_act(&visit) == game.to_act(&state) && shown.len() > 1 {
                    assert_eq!(shown, open_spaces(&game, &visit), "{}", game.position(&state));
                    compared += 1;
                } else {
                    // The only space is taken at once.
                    assert!(shown.len() <= 1, "{}: {shown:?}", game.position(&state));
                }
            }
            game.play_random_action(&mut state, &mut random);
        }
    }
    assert!(compared > 100, "{compared}");
}

/// The texts of an example of the rule book.
fn said(name: &str) -> String {
    data::told::<Montana>(include_str!("examples.json"), name)
}

#[test]
fn a_site_says_what_it_brought() {
    assert_eq!(said("stacked tiles count once in a line"), "event.build event.spare");
    assert_eq!(said("a double icon: two tiles, one site"), "event.build event.double event.spare");
    assert_eq!(said("the fourth in a line brings a tile"), "event.build event.line event.cow event.canteen");
    assert_eq!(
        said("the fourth in a line on a double icon: three tiles"),
        "event.build event.double event.line event.spare"
    );
    assert_eq!(
        said("twelve tiles for a seat of two: the twelfth ends the game after the round"),
        "event.build event.last event.spare"
    );
}

#[test]
fn a_reward_says_what_it_brings_and_no_more() {
    assert_eq!(said("row 1: a cow and up to three upgrades"), "event.pass event.reward event.cow");
    assert_eq!(said("row 2: three of copper, stone, grain"), "event.pass event.reward");
    assert_eq!(said("row 4: 2 silver and up to one upgrade"), "event.pass event.reward event.gain");
}

#[test]
fn only_grain_moves_the_arrow() {
    assert_eq!(said("paid grain goes to the supply"), "event.shift event.hire");
    assert_eq!(said("no grain, no step"), "event.hire");
}
