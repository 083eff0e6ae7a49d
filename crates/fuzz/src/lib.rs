//! Fuzz targets: the readers of untrusted texts and files, each as a function of bytes.
//!
//! A target panics if its reader does, or breaks its promise. [`TARGETS`] lists them once. The tests of this crate run
//! each on damaged seeds, and `fuzz/` runs each under libFuzzer. Python readers, such as those of archives and socket
//! messages, have fuzz tests of their own in `tests/`.

#![forbid(unsafe_code)]

use tavola_core::record::Record;
use tavola_core::{Options, Weights};
use tavola_registry::{AnyGame, EngineSpec, games, load};

/// A reader of untrusted input.
pub struct Target {
    /// The name, and that of the program in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Reads the bytes, of which the first chooses a game.
    pub run: fn(&[u8]),
    /// Valid input for a game, without the first byte, to be damaged.
    pub seed: fn(&AnyGame) -> Vec<u8>,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "position", run: position, seed: |game| game.start().text().into_bytes() },
    Target { name: "action", run: action, seed: |game| first_token(game).into_bytes() },
    Target { name: "editor", run: editor, seed: |game| game.start().text().into_bytes() },
    Target { name: "options", run: options, seed: |game| game.options().to_string().into_bytes() },
    Target { name: "engine", run: engine, seed: |_| b"tree:nodes=200,seed=7".to_vec() },
    Target { name: "record", run: record, seed: |game| record_of(game).into_bytes() },
    Target { name: "weights", run: weights, seed: |_| br#"{"sets": [{"options": {}, "weights": {}}]}"#.to_vec() },
    Target { name: "network", run: network, seed: network_of },
];

/// A game with its default options, chosen by the first byte, and the rest of the input.
fn game_and_rest(data: &[u8]) -> Option<(AnyGame, &[u8])> {
    let (&first, rest) = data.split_first()?;
    let known = games();
    let name = known[usize::from(first) % known.len()].name;
    Some((load(name, []).expect("a registered game"), rest))
}

fn game_and_text(data: &[u8]) -> Option<(AnyGame, &str)> {
    let (game, rest) = game_and_rest(data)?;
    Some((game, std::str::from_utf8(rest).ok()?))
}

/// Reads a position. An accepted text is how the position is written, and the position can be drawn and played.
pub fn position(data: &[u8]) {
    let Some((game, text)) = game_and_text(data) else { return };
    let Ok(state) = game.parse(text) else { return };
    assert_eq!(state.text(), text);
    state.view(None);
    for id in state.legal_actions() {
        let token = game.token(id).expect("a legal action has a token");
        let next = state.play(&token).expect("a legal action can be played");
        assert_eq!(game.parse(&next.text()).expect("a played position can be read").key(), next.key());
    }
}

/// Plays an action from the first position. A rejection changes nothing and has a reason.
pub fn action(data: &[u8]) {
    let Some((game, token)) = game_and_text(data) else { return };
    let state = game.start();
    match state.play(token) {
        Ok(_) => {
            state.events(token).expect("a legal action has events");
        }
        Err(error) => drop(game.reason(&state, &error)),
    }
    assert_eq!(state.key(), game.start().key());
}

/// Reads the text of the position editor.
pub fn editor(data: &[u8]) {
    let Some((game, text)) = game_and_text(data) else { return };
    game.sketch(text);
}

/// Reads options. Accepted options are read again from how they are written.
pub fn options(data: &[u8]) {
    let Some((game, text)) = game_and_text(data) else { return };
    if let Ok(options) = Options::parse(game.info(), text) {
        let again = Options::parse(game.info(), &options.to_string()).expect("options as they are written");
        assert!(again.iter().eq(options.iter()));
    }
}

/// Reads the specification of an engine, without opening files.
pub fn engine(data: &[u8]) {
    let Some((game, text)) = game_and_text(data) else { return };
    if !text.contains("file=") {
        let _ = EngineSpec::parse(text, &game);
    }
}

/// Reads records. Records that can be written are read again.
pub fn record(data: &[u8]) {
    let Some((game, text)) = game_and_text(data) else { return };
    for record in Record::read_all(text).unwrap_or_default() {
        let _ = (record.options(game.info()), record.check_result(&[1.0, -1.0]));
        if let Ok(text) = record.text() {
            Record::read_all(&text).expect("a record as it is written");
        }
    }
}

/// Reads the weights of an evaluation.
pub fn weights(data: &[u8]) {
    if let Some((game, text)) = game_and_text(data) {
        let _ = Weights::parse(text, game.features());
    }
}

/// Reads a network file without its checksum, which is added here.
pub fn network(data: &[u8]) {
    let Some((game, content)) = game_and_rest(data) else { return };
    let mut file = content.to_vec();
    file.extend(checksum(content).to_le_bytes());
    let _ = game.read_network(&file);
}

/// FNV-1a, as `crates/net` computes it.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn first_token(game: &AnyGame) -> String {
    let state = game.start();
    let chance = state.chance_outcomes().into_iter().map(|(token, _)| token);
    let actions = state.legal_actions().into_iter().filter_map(|id| game.token(id));
    chance.chain(actions).next().expect("a game begins with an action")
}

fn record_of(game: &AnyGame) -> String {
    format!("[Game \"{}\"]\n\n1. {} {{a comment}}\n", game.info().name, first_token(game))
}

/// The network of a game for its default options, without the checksum; nothing if it has none.
fn network_of(game: &AnyGame) -> Vec<u8> {
    let mut file = game.own_network().map(|network| network.to_bytes()).unwrap_or_default();
    file.truncate(file.len().saturating_sub(8));
    file
}
