//! Positions as text (rules 13), and what makes a text impossible (rules 14).

use tavola_core::notation::{Line, fields};
use tavola_core::{PositionError, Seat, Text, ToSmolStr};

use crate::hex::Hex;
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
    let stacks = |to: &mut Line, start: Start, bare: bool| {
        let stacks = order.iter().map(|&tile| (place(tile), start.stacks().code(tile)));
        to.each(';', stacks.filter(|&(_, code)| bare || code > 0), |to, (place, code)| match code {
            4 => to.add(format_args!("{place}:3r")),
            5 => to.add(format_args!("{place}:3b")),
            height => to.add(format_args!("{place}:{height}")),
        });
    };
    let pawns = |to: &mut Line, start: Start| {
        let [red, blue] = start.pawns().map(place);
        to.add(format_args!("{red};{blue}"));
    };
    let now = Start::new(state.stacks, state.pawns);
    let mut to = Line::with_capacity(256);
    stacks(&mut to, now, true);
    to.push(' ');
    pawns(&mut to, now);
    to.add(format_args!(" {} {} ", if state.seat() == 0 { 'R' } else { 'B' }, state.taken));
    to.each(';', state.path(), |to, &tile| to.add(format_args!("{}", place(tile))));
    to.add(format_args!(" {} {} ", state.run.len(), state.turns));
    to.or_dash(|to| {
        to.each('|', &state.past, |to, &start| {
            stacks(to, start, false);
            to.push('@');
            pawns(to, start);
        });
    });
    to.into()
}

pub(crate) fn read(game: &Potlatch, text: &str) -> Result<State, PositionError> {
    let mut faults = PositionError::default();
    let state = read_fields(game, fields(text)?, &mut faults);
    faults.judge(state)
}

/// A fault that names a hex.
fn at(key: &'static str, hex: Hex) -> Text {
    Text::new(key).with("cell", hex.to_smolstr())
}

/// A fault that counts, and says how many there may be.
fn counted(key: &'static str, count: usize, most: usize) -> Text {
    Text::new(key).with("count", count).with("most", most)
}

const TILES: &str = "field.tiles";
const PAWNS: &str = "field.pawns";
const SEAT: &str = "field.seat";
const TAKEN: &str = "field.taken";
const VISITED: &str = "field.visited";
const RUN: &str = "field.run";
const TURNS: &str = "field.turns";
const PAST: &str = "field.past";

fn read_fields(game: &Potlatch, fields: [&str; 8], faults: &mut PositionError) -> Option<State> {
    let [tiles, pawns, seat, taken, visited, run, turns, past] = fields;
    // Every field is read on its own, so that every fault is found; then they are held together.
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
        // What follows needs a sound board.
        return None;
    }
    let mut state = build(&tiles, pawns, taken, &visited, run, turns);
    check_past(&state, &tiles, &past, faults);
    if faults.is_empty() {
        fill_past(&mut state, &past);
    }
    Some(state)
}

fn check_tiles(game: &Potlatch, tiles: &[Stack], faults: &mut PositionError) {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    check_order(&places, TILES, faults);
    faults.add_if(
        places.len() > game.tiles as usize,
        TILES,
        counted("fault.tiles.many", places.len(), game.tiles.into()),
    );
    faults.add_if(!places.contains(&ORIGIN), TILES, Text::new("fault.tiles.origin"));
    faults.add_if(!connected(&places), TILES, Text::new("fault.tiles.apart"));
    check_colours(tiles, TILES, faults);
}

fn check_order(places: &[Hex], field: &'static str, faults: &mut PositionError) {
    for pair in places.windows(2) {
        match pair[0].order().cmp(&pair[1].order()) {
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal => faults.add(field, at("fault.twice", pair[0])),
            std::cmp::Ordering::Greater => {
                faults.add(field, at("fault.order", pair[0]).with("next", pair[1].to_smolstr()));
            }
        }
    }
}

fn check_colours(stacks: &[Stack], field: &'static str, faults: &mut PositionError) {
    for (seat, key) in [(0, "fault.chips.red"), (1, "fault.chips.blue")] {
        let count = stacks.iter().filter(|&&(_, code)| code == NEUTRAL_THREE + 1 + seat).count();
        faults.add_if(count > MOST_OF_A_COLOUR, field, counted(key, count, MOST_OF_A_COLOUR));
    }
}

fn connected(places: &[Hex]) -> bool {
    let mut reached: Vec<Hex> = places.first().copied().into_iter().collect();
    let mut next = 0;
    while next < reached.len() {
        let from = reached[next];
        next += 1;
        for &place in places {
            if from.is_beside(place) && !reached.contains(&place) {
                reached.push(place);
            }
        }
    }
    places.iter().all(|place| reached.contains(place))
}

fn check_pawns(pawns: [Hex; 2], tiles: &[Stack], field: &'static str, faults: &mut PositionError) {
    for pawn in pawns {
        faults.add_if(!is_tile(tiles, pawn), field, at("fault.no-tile", pawn));
    }
    faults.add_if(pawns[0] == pawns[1], field, at("fault.pawns", pawns[0]));
}

fn is_tile(tiles: &[Stack], place: Hex) -> bool {
    tiles.iter().any(|&(tile, _)| tile == place)
}

fn check_turn(
    tiles: &[Stack],
    pawns: [Hex; 2],
    seat: Seat,
    taken: u8,
    visited: &[Hex],
    run: u8,
    faults: &mut PositionError,
) {
    let (pawn, rival) = (pawns[seat as usize], pawns[1 - seat as usize]);
    let walks = visited.len() - 1;
    let last = at("fault.visited.last", visited[walks]).with("pawn", pawn.to_smolstr());
    faults.add_if(visited[walks] != pawn, VISITED, last);
    for (place, &hex) in visited.iter().enumerate() {
        faults.add_if(visited[..place].contains(&hex), VISITED, at("fault.twice", hex));
        faults.add_if(!is_tile(tiles, hex), VISITED, at("fault.no-tile", hex));
        faults.add_if(hex == rival, VISITED, at("fault.visited.rival", hex));
    }
    for pair in visited.windows(2) {
        let apart = !pair[0].is_beside(pair[1]);
        faults.add_if(apart, VISITED, at("fault.visited.apart", pair[0]).with("next", pair[1].to_smolstr()));
    }
    let taken = usize::from(taken);
    faults.add_if(walks > taken, VISITED, counted("fault.visited.many", walks, taken));
    let run = usize::from(run);
    faults.add_if(run > walks, RUN, counted("fault.run.many", run, walks));
    faults.add_if(walks == taken && run < walks, RUN, counted("fault.run.few", run, walks));
}

fn check_past(state: &State, tiles: &[Stack], past: &[PastStart], faults: &mut PositionError) {
    let chips = state.increased().chips();
    for (stacks, pawns) in past {
        let places: Vec<Hex> = stacks.iter().map(|&(place, _)| place).collect();
        check_order(&places, PAST, faults);
        for &place in &places {
            faults.add_if(!is_tile(tiles, place), PAST, at("fault.no-tile", place));
        }
        check_pawns(*pawns, tiles, PAST, faults);
        check_colours(stacks, PAST, faults);
        let count: u32 = stacks.iter().map(|&(_, code)| u32::from(code.min(3))).sum();
        let fault = Text::new("fault.past.chips").with("count", count).with("now", chips);
        faults.add_if(count != chips, PAST, fault);
    }
    let most = usize::from(state.turns) + usize::from(state.taken > 0);
    faults.add_if(past.len() > most, PAST, counted("fault.past.many", past.len(), most));
    if state.taken == 0 {
        return;
    }
    let mut began = state.pawns;
    began[state.seat() as usize] = state.path()[0];
    let began = began.map(|tile| state.places[tile as usize]);
    match past.last() {
        Some((_, pawns)) => {
            faults.add_if(*pawns != began, PAST, Text::new("fault.past.pawns"));
        }
        None => faults.add_if(state.path().len() == 1, PAST, Text::new("fault.past.missing")),
    }
}

fn build(tiles: &[Stack], pawns: [Hex; 2], taken: u8, visited: &[Hex], run: u8, turns: u8) -> State {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    let mut state = State::bare(&places, pawns);
    for &(place, code) in tiles {
        let tile = state.tile_at(place).expect("a tile just laid");
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

/// A number without sign and leading zeros, at most 255.
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
        // Connected tiles that hold 0,0 are never further away than this; nor is anything that can be checked.
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

/// Stacks and pawns at the start of a turn, as text tells them.
type PastStart = (Vec<Stack>, [Hex; 2]);

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
