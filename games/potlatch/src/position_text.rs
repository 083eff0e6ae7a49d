//! Positions as text (rules 13), and what makes a text impossible (rules 14).

use std::fmt::Write;

use tavola_core::{PositionError, Seat};

use crate::hex::{Hex, NOT_BESIDE};
use crate::rules::{MOST_TURNS, Potlatch};
use crate::stacks::{NEUTRAL_THREE, Stacks, TileSet};
use crate::state::{Start, State};

/// A seat has five chips of its colour (rules 2).
const MOST_OF_A_COLOUR: usize = 5;

/// The hex that is a tile of every layout (rules 14).
const ORIGIN: Hex = Hex::new(0, 0);

/// A stack as text tells it: where, and its code.
type Stack = (Hex, u8);

pub(crate) fn write(state: &State) -> String {
    let order = state.order();
    let place = |tile: u8| state.places[tile as usize];
    let stacks = |start: Start, bare: bool| {
        let stacks: Vec<_> = order
            .iter()
            .map(|&tile| (place(tile), start.stacks().code(tile)))
            .filter(|&(_, code)| bare || code > 0)
            .map(|(place, code)| {
                let (height, colour) = match code {
                    4 => (3, "r"),
                    5 => (3, "b"),
                    height => (height, ""),
                };
                format!("{place}:{height}{colour}")
            })
            .collect();
        stacks.join(";")
    };
    let pawns = |start: Start| {
        let [red, blue] = start.pawns().map(place);
        format!("{red};{blue}")
    };
    let now = Start::new(state.stacks, state.pawns);
    let visited: Vec<_> = state.path().iter().map(|&tile| place(tile).to_string()).collect();
    let past: Vec<_> = state.past.iter().map(|&start| format!("{}@{}", stacks(start, false), pawns(start))).collect();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{} {} {} {} {} {} {} {}",
        stacks(now, true),
        pawns(now),
        if state.seat() == 0 { 'R' } else { 'B' },
        state.taken,
        visited.join(";"),
        state.run.len(),
        state.turns,
        if past.is_empty() { "-".to_owned() } else { past.join("|") },
    );
    text
}

pub(crate) fn read(game: &Potlatch, text: &str) -> Result<State, PositionError> {
    let mut faults = Faults(Vec::new());
    let state = read_fields(game, text, &mut faults);
    match state {
        Some(state) if faults.0.is_empty() => Ok(state),
        _ => Err(PositionError { faults: faults.0 }),
    }
}

/// The faults found so far.
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, field: &str, fault: impl std::fmt::Display) {
        self.0.push(format!("{field}: {fault}"));
    }

    fn add_if(&mut self, wrong: bool, field: &str, fault: impl std::fmt::Display) {
        if wrong {
            self.add(field, fault);
        }
    }

    /// The value, or the fault noted.
    fn note<T>(&mut self, field: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|fault| self.add(field, fault)).ok()
    }
}

const TILES: &str = "base tiles";
const PAWNS: &str = "pawns";
const SEAT: &str = "seat to act";
const TAKEN: &str = "actions taken";
const VISITED: &str = "visited hexes";
const RUN: &str = "open run";
const TURNS: &str = "turns completed";
const PAST: &str = "repetition data";

fn read_fields(game: &Potlatch, text: &str, faults: &mut Faults) -> Option<State> {
    let fields: Vec<&str> = text.split(' ').collect();
    let &[tiles, pawns, seat, taken, visited, run, turns, past] = fields.as_slice() else {
        faults.add("position", format!("{} fields separated by one space, not 8", fields.len()));
        return None;
    };
    // Every field is read on its own, so that every fault is found; then they are held together.
    let tiles = faults.note(TILES, stacks(tiles));
    let pawns = faults.note(PAWNS, both_pawns(pawns));
    let seat: Option<Seat> = match seat {
        "R" => Some(0),
        "B" => Some(1),
        other => {
            faults.add(SEAT, format!("{other:?} is neither R nor B"));
            None
        }
    };
    let taken = faults.note(TAKEN, number(taken));
    let visited = faults.note(VISITED, visited.split(';').map(hex).collect::<Result<Vec<_>, _>>());
    let run = faults.note(RUN, number(run));
    let turns = faults.note(TURNS, number(turns));
    let past = faults.note(PAST, starts(past));

    if let Some(tiles) = &tiles {
        check_tiles(game, tiles, faults);
    }
    if let Some(taken) = taken {
        faults.add_if(taken >= game.actions, TAKEN, format!("{taken}, but a turn has {}", game.actions));
    }
    if let (Some(turns), Some(seat)) = (turns, seat) {
        faults.add_if(turns % 2 != seat, TURNS, format!("{turns}, but then it is the other seat's turn"));
    }
    if let (Some(turns), Some(taken)) = (turns, taken) {
        faults.add_if(turns > MOST_TURNS, TURNS, format!("{turns}, but the game ends at {MOST_TURNS}"));
        faults.add_if(turns == MOST_TURNS && taken > 0, TURNS, format!("{MOST_TURNS} within a turn"));
    }
    if let (Some(tiles), Some(pawns)) = (&tiles, pawns) {
        check_pawns(pawns, tiles, PAWNS, faults);
    }
    let (tiles, pawns, seat, taken, visited, run, turns, past) =
        (tiles?, pawns?, seat?, taken?, visited?, run?, turns?, past?);
    check_turn(&tiles, pawns, seat, taken, &visited, run, faults);
    if !faults.0.is_empty() {
        // What follows needs a sound board.
        return None;
    }
    let mut state = build(&tiles, pawns, taken, &visited, run, turns);
    check_past(&state, &tiles, &past, faults);
    if faults.0.is_empty() {
        fill_past(&mut state, &past);
    }
    Some(state)
}

fn check_tiles(game: &Potlatch, tiles: &[Stack], faults: &mut Faults) {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    check_order(&places, TILES, faults);
    faults.add_if(
        places.len() > game.tiles as usize,
        TILES,
        format!("{} of them, more than {}", places.len(), game.tiles),
    );
    faults.add_if(!places.contains(&ORIGIN), TILES, "0,0 is missing");
    faults.add_if(!connected(&places), TILES, "not connected");
    check_colours(tiles, TILES, faults);
}

fn check_order(places: &[Hex], field: &str, faults: &mut Faults) {
    for pair in places.windows(2) {
        match pair[0].order().cmp(&pair[1].order()) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => faults.add(field, format!("{} stands twice", pair[0])),
            std::cmp::Ordering::Greater => faults.add(field, format!("{} stands before {}", pair[0], pair[1])),
        }
    }
}

fn check_colours(stacks: &[Stack], field: &str, faults: &mut Faults) {
    for (seat, name) in [(0, "red"), (1, "blue")] {
        let count = stacks.iter().filter(|&&(_, code)| code == NEUTRAL_THREE + 1 + seat).count();
        faults.add_if(count > MOST_OF_A_COLOUR, field, format!("{count} {name} chips, more than {MOST_OF_A_COLOUR}"));
    }
}

fn connected(places: &[Hex]) -> bool {
    let mut reached: Vec<Hex> = places.first().copied().into_iter().collect();
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        next += 1;
        for &place in places {
            if from.direction_to(place) != NOT_BESIDE && !reached.contains(&place) {
                reached.push(place);
            }
        }
    }
    places.iter().all(|place| reached.contains(place))
}

fn check_pawns(pawns: [Hex; 2], tiles: &[Stack], field: &str, faults: &mut Faults) {
    for pawn in pawns {
        faults.add_if(!is_tile(tiles, pawn), field, format!("{pawn} is not a tile"));
    }
    faults.add_if(pawns[0] == pawns[1], field, format!("both on {}", pawns[0]));
}

fn is_tile(tiles: &[Stack], place: Hex) -> bool {
    tiles.iter().any(|&(tile, _)| tile == place)
}

fn check_turn(tiles: &[Stack], pawns: [Hex; 2], seat: Seat, taken: u8, visited: &[Hex], run: u8, faults: &mut Faults) {
    let (pawn, rival) = (pawns[seat as usize], pawns[1 - seat as usize]);
    let walks = visited.len() - 1;
    faults.add_if(visited[walks] != pawn, VISITED, format!("the last is {}, the pawn's is {pawn}", visited[walks]));
    for (place, &hex) in visited.iter().enumerate() {
        faults.add_if(visited[..place].contains(&hex), VISITED, format!("{hex} stands twice"));
        faults.add_if(!is_tile(tiles, hex), VISITED, format!("{hex} is not a tile"));
        faults.add_if(hex == rival, VISITED, format!("the opponent's pawn is on {hex}"));
    }
    for pair in visited.windows(2) {
        let apart = pair[0].direction_to(pair[1]) == NOT_BESIDE;
        faults.add_if(apart, VISITED, format!("{} and {} are not neighbours", pair[0], pair[1]));
    }
    let taken = usize::from(taken);
    faults.add_if(walks > taken, VISITED, format!("{walks} after the first in {taken} actions"));
    let run = usize::from(run);
    faults.add_if(run > walks, RUN, format!("{run}, but {walks} hexes were entered"));
    faults.add_if(
        walks == taken && run < walks,
        RUN,
        format!("{run}, but no chip move broke off the {walks} pawn moves"),
    );
}

fn check_past(state: &State, tiles: &[Stack], past: &[PastStart], faults: &mut Faults) {
    let chips = state.increased().chips();
    for (stacks, pawns) in past {
        let places: Vec<Hex> = stacks.iter().map(|&(place, _)| place).collect();
        check_order(&places, PAST, faults);
        for &place in &places {
            faults.add_if(!is_tile(tiles, place), PAST, format!("{place} is not a tile"));
        }
        check_pawns(*pawns, tiles, PAST, faults);
        check_colours(stacks, PAST, faults);
        let count: u32 = stacks.iter().map(|&(_, code)| u32::from(code.min(3))).sum();
        faults.add_if(count != chips, PAST, format!("a start with {count} chips, now there are {chips}"));
    }
    let most = usize::from(state.turns) + usize::from(state.taken > 0);
    faults.add_if(past.len() > most, PAST, format!("{} starts, but only {most} turns have begun", past.len()));
    if state.taken == 0 {
        return;
    }
    let mut began = state.pawns;
    began[state.seat() as usize] = state.path()[0];
    let began = began.map(|tile| state.places[tile as usize]);
    match past.last() {
        Some((_, pawns)) => {
            faults.add_if(*pawns != began, PAST, "the pawns of the last start are not those of this turn's start");
        }
        None => faults.add_if(state.path().len() == 1, PAST, "this turn's start is missing"),
    }
}

fn build(tiles: &[Stack], pawns: [Hex; 2], taken: u8, visited: &[Hex], run: u8, turns: u8) -> State {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    let mut state = State::bare(&places, pawns);
    for &(place, code) in tiles {
        let tile = state.tile_at(place).expect("a tile just laid");
        state.set_stack(tile, code);
    }
    state.turns = turns;
    state.taken = taken;
    let tile = |state: &State, hex| state.tile_at(hex).expect("checked to be a tile");
    let seat = state.seat() as usize;
    state.pawns[seat] = tile(&state, visited[0]);
    state.begin_turn();
    for (step, &hex) in visited.iter().enumerate().skip(1) {
        if step == visited.len() - usize::from(run) {
            state.run = TileSet::EMPTY;
        }
        state.enter(tile(&state, hex));
    }
    if run == 0 {
        state.run = TileSet::EMPTY;
    }
    state
}

fn fill_past(state: &mut State, past: &[PastStart]) {
    for (start, pawns) in past {
        let mut stacks = Stacks::default();
        for &(place, code) in start {
            stacks.set(state.tile_at(place).expect("checked to be a tile"), code);
        }
        let pawns = pawns.map(|pawn| state.tile_at(pawn).expect("checked to be a tile"));
        state.past.push(Start::new(stacks, pawns));
    }
    state.rehash();
}

/// A number without sign and leading zeros, at most 255.
fn number(text: &str) -> Result<u8, String> {
    let plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()));
    match text.parse() {
        Ok(number) if plain => Ok(number),
        _ => Err(format!("{text:?} is not a number in its place")),
    }
}

fn hex(text: &str) -> Result<Hex, String> {
    let coordinate = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let value = number(digits).ok().filter(|&value| value > 0 || text == "0");
        // Connected tiles that hold 0,0 are never further away than this; nor is anything that can be checked.
        let value = value.filter(|&value| value < 100)? as i8;
        Some(if text.starts_with('-') { -value } else { value })
    };
    let place = text.split_once(',').and_then(|(q, r)| Some(Hex::new(coordinate(q)?, coordinate(r)?)));
    place.ok_or_else(|| format!("{text:?} is not a hex"))
}

fn both_pawns(text: &str) -> Result<[Hex; 2], String> {
    let (red, blue) = text.split_once(';').ok_or_else(|| format!("{text:?} is not two hexes"))?;
    Ok([hex(red)?, hex(blue)?])
}

fn stacks(text: &str) -> Result<Vec<Stack>, String> {
    text.split(';').map(stack).collect()
}

fn stack(text: &str) -> Result<Stack, String> {
    let fault = || format!("{text:?} is not a hex and its height");
    let (place, height) = text.split_once(':').ok_or_else(fault)?;
    let code = match height {
        "0" => 0,
        "1" => 1,
        "2" => 2,
        "3" => NEUTRAL_THREE,
        "3r" => NEUTRAL_THREE + 1,
        "3b" => NEUTRAL_THREE + 2,
        _ => return Err(fault()),
    };
    Ok((hex(place)?, code))
}

/// Stacks and pawns at the start of a turn, as text tells them.
type PastStart = (Vec<Stack>, [Hex; 2]);

fn starts(text: &str) -> Result<Vec<PastStart>, String> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.split('|').map(start).collect()
}

fn start(text: &str) -> Result<PastStart, String> {
    let (before, pawns) = text.split_once('@').ok_or_else(|| format!("{text:?} is not stacks@pawns"))?;
    let stacks = if before.is_empty() { Vec::new() } else { stacks(before)? };
    if let Some((place, _)) = stacks.iter().find(|&&(_, code)| code == 0) {
        return Err(format!("{place} is bare, and bare tiles are left out"));
    }
    Ok((stacks, both_pawns(pawns)?))
}
