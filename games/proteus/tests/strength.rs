//! Games of the search against another player, with lost ones again.

use tavola_core::{CancelToken, Playout, Random, Seat};
use tavola_proteus::{Action, Proteus, State};
use tavola_search::{Limits, search};
use tavola_testkit::strength::{Player, measure};

fn random(game: &Proteus, state: &State, _seat: Seat, random: &mut Random) -> Action {
    game.random_action(state, random)
}

fn searching(game: &Proteus, state: &State, _seat: Seat, random: &mut Random) -> Action {
    let limits = Limits { nodes: Some(300), seed: random.word(), ..Limits::default() };
    search(game, state, &limits, &CancelToken::default()).best.expect("a seat can act")
}

fn measured(player: Player<Proteus>, arguments: &str) -> Result<String, String> {
    measure(player, arguments.split(' ').map(str::to_owned))
}

#[test]
fn the_search_beats_a_random_player() {
    assert_eq!(measured(random, "games=4 nodes=100 replays=2").as_deref(), Ok("4 games: 100.0 % ± 0.0"));
}

#[test]
fn lost_games_are_played_again() {
    let arguments = "rules=kadon games=8 nodes=1 replays=2";
    let text = measured(searching, arguments).expect("known arguments");
    assert_eq!(measured(searching, arguments).as_ref(), Ok(&text), "from the same seeds");
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].starts_with("8 games: "), "{text}");
    assert!(lines[1].contains("lost games with the same chance again: "), "{text}");
    assert!(lines[2].starts_with("in another seat: "), "{text}");
}

#[test]
fn a_wrong_argument_is_named() {
    for (wrong, named) in [("games=no", "games=no"), ("seconds=0", "seconds=0"), ("player=3", "player")] {
        let error = measured(random, wrong).expect_err(wrong);
        assert!(error.contains(named), "{error}");
    }
}
