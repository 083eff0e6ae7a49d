//! Reports what is impossible about a well-formed position text (rules 14).

use tavola_core::{PositionError, Seat, Text, ToSmolStr};

use super::fields::{PAST, PastStart, RUN, Stack, TILES, VISITED};
use crate::hex::Hex;
use crate::rules::Potlatch;
use crate::stacks::NEUTRAL_THREE;
use crate::state::State;

/// A seat has five chips of its colour (rules 2).
pub(crate) const MOST_OF_A_COLOUR: usize = 5;

/// The hex that is a tile of every layout (rules 14).
const ORIGIN: Hex = Hex::new(0, 0);

/// A fault with a hex as parameter.
pub(crate) fn at(key: &'static str, hex: Hex) -> Text {
    Text::new(key).with("cell", hex.to_smolstr())
}

/// A fault with a count and its maximum as parameters.
pub(crate) fn counted(key: &'static str, count: usize, most: usize) -> Text {
    Text::new(key).with("count", count).with("most", most)
}

pub(crate) fn check_tiles(game: &Potlatch, tiles: &[Stack], faults: &mut PositionError) {
    let places: Vec<Hex> = tiles.iter().map(|&(place, _)| place).collect();
    check_order(&places, TILES, faults);
    faults.add_if(
        places.len() > game.tiles as usize,
        TILES,
        counted("fault.tiles.many", places.len(), game.tiles.into()),
    );
    faults.add_if(!places.contains(&ORIGIN), TILES, Text::new("fault.tiles.origin"));
    faults.add_if(reached(&places).len() < places.len(), TILES, Text::new("fault.tiles.apart"));
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

/// The places that are connected with the first one.
pub(crate) fn reached(places: &[Hex]) -> Vec<Hex> {
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
    reached
}

pub(crate) fn check_pawns(pawns: [Hex; 2], tiles: &[Stack], field: &'static str, faults: &mut PositionError) {
    for pawn in pawns {
        faults.add_if(!is_tile(tiles, pawn), field, at("fault.no-tile", pawn));
    }
    faults.add_if(pawns[0] == pawns[1], field, at("fault.pawns", pawns[0]));
}

fn is_tile(tiles: &[Stack], place: Hex) -> bool {
    tiles.iter().any(|&(tile, _)| tile == place)
}

pub(crate) fn check_turn(
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

pub(crate) fn check_past(state: &State, tiles: &[Stack], past: &[PastStart], faults: &mut PositionError) {
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
