use tavola_core::{Compiled, Game, Options, Playout, Random};

use super::*;
use crate::components::COMPONENTS;

fn sketch<'a>(game: &'a Montana, text: &str) -> MontanaSketch<'a> {
    MontanaSketch::read(game, text).unwrap_or_else(|| panic!("{text} cannot be drawn"))
}

fn put(game: &Montana, text: &str, tool: &str, cell: SmolStr) -> String {
    sketch(game, text).put(tool, &[cell], None).unwrap_or_else(|reason| panic!("{text} {tool}: {reason:?}"))
}

fn set(game: &Montana, text: &str, field: &str, value: i64) -> String {
    sketch(game, text).set(field, value).unwrap_or_else(|reason| panic!("{text} {field}: {reason:?}"))
}

/// Clicks with the workers of a crew until it works on a space.
fn work(game: &Montana, mut text: String, space: WorkSpace, crew: Crew) -> String {
    let workers = game.tables.crews[usize::from(crew)];
    let Some(lane) = (0..WORKER_IDS.len()).find(|&lane| workers.count(lane) > 0) else { return text };
    while space.crew(&sketch(game, &text).state) != crew {
        text = put(game, &text, &format!("worker-{}", WORKER_IDS[lane]), space.cell());
    }
    text
}

fn built(game: &Montana, state: &State) -> String {
    let mut text = MontanaSketch { game, state: game.initial_state(), possible: true }.empty();
    for (slot, laid) in state.land.slots.iter().enumerate().take(game.map.slots.into()) {
        let centre = game.map.name(game.map.slot_hexes[slot][0]);
        let tile = laid.tile().expect("a whole map");
        if sketch(game, &text).state.land.slots[slot].tile() != Some(tile) {
            text = put(game, &text, &format!("tile-{tile}"), centre.clone());
        }
        while sketch(game, &text).state.land.slots[slot] != *laid {
            text = put(game, &text, "turn", centre.clone());
        }
    }
    if sketch(game, &text).state.land.start != state.land.start {
        text = put(game, &text, "start", game.map.name(state.land.start));
    }
    for (hex, seat, tiles) in settlements(&state.land) {
        for _ in 0..tiles {
            text = put(game, &text, &format!("settlement-{seat}"), game.map.name(hex));
        }
    }
    for space in 0..12 {
        text = work(game, text, WorkSpace::Left(space), state.left[usize::from(space)]);
        text = work(game, text, WorkSpace::Right(space), state.right[usize::from(space)]);
    }
    for space in 0..4 {
        text = work(game, text, WorkSpace::Bank(space), state.bank[usize::from(space)]);
    }
    let wanted = MontanaSketch { game, state: *state, possible: true }.fields();
    for field in wanted {
        text = set(game, &text, &field.id, field.value);
    }
    text
}

#[test]
fn every_main_decision_is_built_from_the_empty_position() {
    for (players, seed) in [("2", 1), ("3", 2), ("4", 3)] {
        let game = Montana::new(&Options::new(Montana::INFO, [("players", players)]).expect("valid options"));
        let mut random = Random::new(seed);
        let mut state = game.start();
        for _ in 0..600 {
            game.play_random_action(&mut state, &mut random);
            if state.stage == Stage::Main && !state.extra_turn && random.below(4) == 0 {
                let text = built(&game, &state);
                assert_eq!(text, format::write(&game, &state));
            }
        }
    }
}

/// The places of a tile in the units of a symbol: the centre, then clockwise from east (rules 3).
const DRAWN_AT: [&str; 7] = [
    "",
    r#" x="100""#,
    r#" x="50" y="86.6""#,
    r#" x="-50" y="86.6""#,
    r#" x="-100""#,
    r#" x="-50" y="-86.6""#,
    r#" x="50" y="-86.6""#,
];

#[test]
fn the_tray_draws_every_tile_with_its_hexes() {
    for (number, tile) in COMPONENTS.tiles.iter().enumerate() {
        let hex = |(ground, at): (&Ground, &str)| {
            let (symbol, on_it) = match *ground {
                Ground::Lake => (SmolStr::from("lake"), Some("canteen")),
                Ground::Mountain => ("mountain".into(), None),
                Ground::Plain { cost, cow, double } => {
                    let on_it = cow.then_some("cow-on-map").or(double.then_some("double"));
                    (format_smolstr!("plain-{}", cost.letters()), on_it)
                }
            };
            let used = |symbol| format!(r##"<use href="#{symbol}"{at}/>"##);
            used(symbol.as_str()) + &on_it.map(used).unwrap_or_default()
        };
        let hexes: String = tile.hexes.iter().zip(DRAWN_AT).map(hex).collect();
        let drawing = format!(r#"<g id="tile-{number}" class="tray">{hexes}</g>"#);
        assert!(Montana::INFO.assets.symbols.contains(&drawing), "{}: {drawing}", tile.name);
    }
}
