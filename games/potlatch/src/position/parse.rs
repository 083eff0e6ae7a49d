//! Parses a position text (rules 13).

use tavola_core::notation::fields;
use tavola_core::{PositionError, Seat, Text};

use super::fields::{PAST, PAWNS, PastStart, PositionStart, RUN, SEAT, Stack, TAKEN, TILES, TURNS, VISITED};
use super::validate::{at, check_past, check_pawns, check_tiles, check_turn, counted};
use crate::hex::Hex;
use crate::rules::{MOST_TURNS, Potlatch};
use crate::stacks::{NEUTRAL_THREE, Stacks, TileSet};
use crate::state::{Start, State};

pub(crate) fn parse_position(game: &Potlatch, text: &str) -> Result<State, PositionError> {
    let mut faults = PositionError::default();
    let state = read_fields(game, fields(text)?, &mut faults);
    faults.judge(state)
}

/// The parts that a sketch has, of a text in which they are well-formed.
pub(crate) fn read_start(text: &str) -> Option<PositionStart> {
    let [tiles, pawns, _, _, _, _, turns, _] = fields(text).ok()?;
    let turns = number(turns).ok().filter(|&turns| turns <= MOST_TURNS)?;
    Some((stacks(tiles).ok()?, both_pawns(pawns).ok()?, turns))
}

/// The hex of a cell's name.
pub(crate) fn read_hex(text: &str) -> Option<Hex> {
    hex(text).ok()
}

fn read_fields(game: &Potlatch, fields: [&str; 8], faults: &mut PositionError) -> Option<State> {
    let [tiles, pawns, seat, taken, visited, run, turns, past] = fields;
    // Parse every field separately, so that every fault is found. Then compare the fields.
    let tiles = faults.note(TILES, stacks(tiles));
    let pawns = faults.note(PAWNS, both_pawns(pawns));
    let seat: Option<Seat> = match seat {
        "R" => Some(0),
        "B" => Some(1),
        other => {
            faults.add(SEAT, Text::quoting("fault.seat", other));
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
        faults.add_if(taken >= game.actions, TAKEN, counted("fault.taken", taken.into(), game.actions.into()));
    }
    if let (Some(turns), Some(seat)) = (turns, seat) {
        faults.add_if(turns % 2 != seat, TURNS, Text::new("fault.turns.other").with("count", turns));
    }
    if let (Some(turns), Some(taken)) = (turns, taken) {
        faults.add_if(turns > MOST_TURNS, TURNS, counted("fault.turns.limit", turns.into(), MOST_TURNS.into()));
        faults.add_if(
            turns == MOST_TURNS && taken > 0,
            TURNS,
            Text::new("fault.turns.within").with("count", MOST_TURNS),
        );
    }
    if let (Some(tiles), Some(pawns)) = (&tiles, pawns) {
        check_pawns(pawns, tiles, PAWNS, faults);
    }
    let (tiles, pawns, seat, taken, visited, run, turns, past) =
        (tiles?, pawns?, seat?, taken?, visited?, run?, turns?, past?);
    check_turn(&tiles, pawns, seat, taken, &visited, run, faults);
    if !faults.is_empty() {
        // The repetition data needs a valid board.
        return None;
    }
    let mut state = build(&tiles, pawns, taken, &visited, run, turns);
    check_past(&state, &tiles, &past, faults);
    if faults.is_empty() {
        fill_past(&mut state, &past);
    }
    Some(state)
}

fn build(tiles: &[Stack], pawns: [Hex; 2], taken: u8, visited: &[Hex], run: u8, turns: u8) -> State {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    let mut state = State::bare(&places, pawns);
    for &(place, code) in tiles {
        let tile = state.tile_at(place).expect("a tile just placed");
        state.stacks.set(tile, code);
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
}

/// Parse a number without sign and leading zeros, at most 255.
fn number(text: &str) -> Result<u8, Text> {
    let plain = text == "0" || (!text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()));
    match text.parse() {
        Ok(number) if plain => Ok(number),
        _ => Err(Text::quoting("fault.number", text)),
    }
}

fn hex(text: &str) -> Result<Hex, Text> {
    let coordinate = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let value = number(digits).ok().filter(|&value| value > 0 || text == "0");
        // Connected tiles that include 0,0 are never further away than this.
        let value = value.filter(|&value| value < 100)? as i8;
        Some(if text.starts_with('-') { -value } else { value })
    };
    let place = text.split_once(',').and_then(|(q, r)| Some(Hex::new(coordinate(q)?, coordinate(r)?)));
    place.ok_or_else(|| Text::quoting("fault.hex", text))
}

fn both_pawns(text: &str) -> Result<[Hex; 2], Text> {
    let (red, blue) = text.split_once(';').ok_or_else(|| Text::quoting("fault.hexes", text))?;
    Ok([hex(red)?, hex(blue)?])
}

fn stacks(text: &str) -> Result<Vec<Stack>, Text> {
    text.split(';').map(stack).collect()
}

fn stack(text: &str) -> Result<Stack, Text> {
    let fault = || Text::quoting("fault.stack", text);
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

fn starts(text: &str) -> Result<Vec<PastStart>, Text> {
    if text == "-" {
        return Ok(Vec::new());
    }
    text.split('|').map(start).collect()
}

fn start(text: &str) -> Result<PastStart, Text> {
    let (before, pawns) = text.split_once('@').ok_or_else(|| Text::quoting("fault.start", text))?;
    let stacks = if before.is_empty() { Vec::new() } else { stacks(before)? };
    if let Some((place, _)) = stacks.iter().find(|&&(_, code)| code == 0) {
        return Err(at("fault.bare", *place));
    }
    Ok((stacks, both_pawns(pawns)?))
}
