//! Positions being set up: always at the start of a turn, without earlier starts.

use tavola_core::sketch::{Field, Tool};
use tavola_core::{Draw, Seat, Sketch, SmolStr, Text, ToSmolStr, View, format_smolstr};

use crate::hex::Hex;
use crate::position::{MOST_OF_A_COLOUR, PositionStart, format_position, reached, read_hex};
use crate::rules::{MOST_TURNS, Potlatch};
use crate::stacks::NEUTRAL_THREE;
use crate::state::{MOST_TILES, State};
use crate::view::labels::{COLOURS, seat_name};

/// The furthest a tile can be from 0,0 on the plane (see [`Hex`]).
const FURTHEST: i8 = 12;

pub(crate) struct PotlatchSketch<'a> {
    game: &'a Potlatch,
    /// The position as it is drawn.
    state: State,
}

/// Tiles with their stacks, pawns and completed turns: what an edit changes.
#[derive(Clone)]
struct Parts {
    tiles: Vec<(Hex, u8)>,
    pawns: [Hex; 2],
    turns: u8,
}

impl Parts {
    fn of(state: &State) -> Self {
        let tile = |tile: u8| (state.places[tile as usize], state.stacks.code(tile));
        let pawns = state.pawns.map(|pawn| state.places[pawn as usize]);
        Self { tiles: (0..state.tiles).map(tile).collect(), pawns, turns: state.turns }
    }

    fn state(&self) -> State {
        let places: Vec<Hex> = self.tiles.iter().map(|&(place, _)| place).collect();
        let mut state = State::bare(&places, self.pawns);
        for (tile, &(_, code)) in (0..).zip(&self.tiles) {
            state.stacks.set(tile, code);
        }
        state.turns = self.turns;
        state.begin_turn();
        state
    }

    fn text(&self) -> String {
        format_position(&self.state())
    }

    /// The stack on a tile.
    fn stack(&mut self, place: Hex) -> Result<&mut u8, Text> {
        let stack = self.tiles.iter_mut().find(|(tile, _)| *tile == place).map(|(_, code)| code);
        stack.ok_or_else(|| Text::new("edit.no-tile"))
    }

    fn chips_of(&self, seat: Seat) -> usize {
        self.tiles.iter().filter(|&&(_, code)| code == NEUTRAL_THREE + 1 + seat).count()
    }
}

impl<'a> PotlatchSketch<'a> {
    /// The sketch of a valid position.
    pub(crate) fn of(game: &'a Potlatch, mut state: State) -> Self {
        // Nothing ends and nothing is played here.
        (state.end, state.legal) = (None, 0);
        Self { game, state }
    }

    /// The sketch of well-formed fields; `None` if they cannot be drawn.
    pub(crate) fn from_fields(game: &'a Potlatch, (tiles, pawns, turns): PositionStart) -> Option<Self> {
        let near = |place: Hex| (-FURTHEST..=FURTHEST).contains(&place.q) && (-FURTHEST..=FURTHEST).contains(&place.r);
        let is_tile = |hex: &Hex| tiles.iter().any(|(tile, _)| tile == hex);
        let twice = |at: usize| tiles[..at].iter().any(|(tile, _)| *tile == tiles[at].0);
        let drawable = tiles.len() <= MOST_TILES
            && tiles.iter().all(|&(place, _)| near(place))
            && pawns.iter().all(is_tile)
            && pawns[0] != pawns[1]
            && !(0..tiles.len()).any(twice);
        drawable.then(|| Self::of(game, Parts { tiles, pawns, turns }.state()))
    }

    fn place_tile(&self, parts: &mut Parts, place: Hex) -> Result<(), Text> {
        if parts.stack(place).is_ok() {
            return Err(Text::new("edit.tile"));
        }
        if parts.tiles.len() >= self.game.tiles.into() {
            return Err(Text::new("illegal.no-tile"));
        }
        if !(-FURTHEST..=FURTHEST).contains(&place.q) || !(-FURTHEST..=FURTHEST).contains(&place.r) {
            return Err(Text::new("edit.far"));
        }
        parts.tiles.push((place, 0));
        Ok(())
    }
}

/// Adds a chip. A third one has the colour of a seat, or is neutral.
fn place_chip(parts: &mut Parts, place: Hex, seat: Option<Seat>) -> Result<(), Text> {
    let none_left = seat.is_some_and(|seat| parts.chips_of(seat) >= MOST_OF_A_COLOUR);
    let stack = parts.stack(place)?;
    let third = seat.map_or(NEUTRAL_THREE, |seat| NEUTRAL_THREE + 1 + seat);
    match (*stack, seat) {
        (code, _) if code == third => Err(Text::new("illegal.full")),
        (0 | 1, Some(_)) => Err(Text::new("edit.third")),
        _ if none_left => Err(Text::new("edit.chips")),
        (height @ (0 | 1), None) => {
            *stack = height + 1;
            Ok(())
        }
        _ => {
            *stack = third;
            Ok(())
        }
    }
}

/// Moves a pawn; another one there takes its place.
fn place_pawn(parts: &mut Parts, place: Hex, seat: Seat) -> Result<(), Text> {
    parts.stack(place)?;
    let seat = usize::from(seat);
    if parts.pawns[1 - seat] == place {
        parts.pawns[1 - seat] = parts.pawns[seat];
    }
    parts.pawns[seat] = place;
    Ok(())
}

/// Removes the topmost chip, or a bare tile.
fn remove(parts: &mut Parts, place: Hex) -> Result<(), Text> {
    let stack = parts.stack(place).map_err(|_| Text::new("edit.nothing"))?;
    if *stack > 0 {
        *stack = (*stack).min(NEUTRAL_THREE) - 1;
        return Ok(());
    }
    if parts.pawns.contains(&place) {
        return Err(Text::new("edit.pawn"));
    }
    parts.tiles.retain(|&(tile, _)| tile != place);
    Ok(())
}

impl Sketch for PotlatchSketch<'_> {
    fn view(&self) -> View {
        self.game.view(&self.state, None)
    }

    fn tools(&self) -> Vec<Tool> {
        let parts = Parts::of(&self.state);
        let left = i64::from(self.game.tiles) - parts.tiles.len() as i64;
        let chip = |seat: Seat| {
            let colour = COLOURS[usize::from(seat)];
            let label = Text::new(format_smolstr!("piece.chip.{colour}"));
            Tool::piece(format_smolstr!("chip-{seat}"), format_smolstr!("chip-{colour}"), label)
                .with_left(MOST_OF_A_COLOUR as i64 - parts.chips_of(seat) as i64)
        };
        let pawn = |seat: Seat| {
            let id = format_smolstr!("pawn-{seat}");
            let label = Text::new(format_smolstr!("piece.pawn.{seat}"));
            Tool::piece(id, format_smolstr!("pawn-{}", COLOURS[usize::from(seat)]), label)
        };
        vec![
            Tool::piece("tile", "tile", Text::new("edit.piece.tile")).with_left(left),
            Tool::piece("chip", "chip-neutral", Text::new("piece.chip.neutral")),
            chip(0),
            chip(1),
            pawn(0),
            pawn(1),
            Tool::change("remove", Text::new("edit.remove")),
        ]
    }

    fn fields(&self) -> Vec<Field> {
        let seats = vec![seat_name(0), seat_name(1)];
        vec![
            Field::choice("seat", Text::new("edit.seat"), self.state.seat(), seats),
            Field::number("turns", Text::new("edit.turns"), self.state.turns, MOST_TURNS),
        ]
    }

    fn put(&self, tool: &str, cells: &[SmolStr], _turn: Option<u16>) -> Result<String, Text> {
        let place = cells.first().and_then(|cell| read_hex(cell)).ok_or_else(|| Text::new("edit.far"))?;
        let mut parts = Parts::of(&self.state);
        match tool {
            "tile" => self.place_tile(&mut parts, place),
            "chip" => place_chip(&mut parts, place, None),
            "chip-0" => place_chip(&mut parts, place, Some(0)),
            "chip-1" => place_chip(&mut parts, place, Some(1)),
            "pawn-0" => place_pawn(&mut parts, place, 0),
            "pawn-1" => place_pawn(&mut parts, place, 1),
            _ => remove(&mut parts, place),
        }?;
        Ok(parts.text())
    }

    fn set(&self, field: &str, value: i64) -> Result<String, Text> {
        let mut parts = Parts::of(&self.state);
        let value = value as u8;
        parts.turns = match field {
            "seat" if parts.turns % 2 == value => parts.turns,
            // The last turn of all is an even one.
            "seat" if parts.turns == MOST_TURNS => MOST_TURNS - 1,
            "seat" => parts.turns ^ 1,
            _ => value,
        };
        Ok(parts.text())
    }

    fn concerned(&self, fault: &Text) -> Vec<SmolStr> {
        let parts = Parts::of(&self.state);
        let places: Vec<Hex> = parts.tiles.iter().map(|&(place, _)| place).collect();
        let of_code =
            |code: u8| parts.tiles.iter().filter(|&&(_, there)| there == code).map(|&(place, _)| place).collect();
        let cells: Vec<Hex> = match &*fault.key {
            "fault.tiles.apart" => {
                let reached = reached(&places);
                places.iter().copied().filter(|place| !reached.contains(place)).collect()
            }
            "fault.chips.red" => of_code(NEUTRAL_THREE + 1),
            "fault.chips.blue" => of_code(NEUTRAL_THREE + 2),
            _ => Vec::new(),
        };
        cells.iter().map(Hex::to_smolstr).collect()
    }

    fn empty(&self) -> String {
        let pawns = [Hex::new(0, 0), Hex::new(1, 0)];
        Parts { tiles: pawns.map(|pawn| (pawn, 0)).to_vec(), pawns, turns: 0 }.text()
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Notation, Options, Random};

    use super::*;

    fn games() -> impl Iterator<Item = Potlatch> {
        let options = |actions| Options::new(Potlatch::INFO, [("actions", actions)]).expect("valid options");
        ["2", "3"].into_iter().map(move |actions| Potlatch::new(&options(actions)))
    }

    fn put(game: &Potlatch, text: &str, tool: &str, place: Hex) -> String {
        let sketch = game.sketch(text).expect("an editor").expect("a sketch");
        sketch.put(tool, &[place.to_smolstr()], None).unwrap_or_else(|refusal| panic!("{text} {tool}: {refusal:?}"))
    }

    #[test]
    fn every_position_at_the_start_of_a_turn_is_built_from_the_empty_one() {
        let mut random = Random::new(1);
        for (game, round) in games().flat_map(|game| (0..20).map(move |round| (game, round))) {
            let mut state = game.start();
            for _ in 0..6 * (round + 1) {
                let Actor::Seat(_) = game.to_act(&state) else { break };
                let mut actions = Vec::new();
                game.legal_actions(&state, &mut actions);
                game.play_unchecked(&mut state, actions[random.below(actions.len() as u32) as usize]);
            }
            let wanted = Parts::of(&state);
            let mut text = PotlatchSketch::of(&game, game.start()).empty();
            let [origin, spare] = [Hex::new(0, 0), Hex::new(1, 0)];
            let mut there = vec![origin, spare];
            for (pawn, tool) in wanted.pawns.into_iter().zip(["pawn-0", "pawn-1"]) {
                if !there.contains(&pawn) {
                    text = put(&game, &text, "tile", pawn);
                    there.push(pawn);
                }
                text = put(&game, &text, tool, pawn);
            }
            if wanted.tiles.iter().all(|&(place, _)| place != spare) {
                text = put(&game, &text, "remove", spare);
            }
            for &(place, _) in wanted.tiles.iter().filter(|(place, _)| !there.contains(place)) {
                text = put(&game, &text, "tile", place);
            }
            for &(place, code) in &wanted.tiles {
                for _ in 0..code.min(2) {
                    text = put(&game, &text, "chip", place);
                }
                if code >= NEUTRAL_THREE {
                    text = put(&game, &text, ["chip", "chip-0", "chip-1"][usize::from(code - NEUTRAL_THREE)], place);
                }
            }
            let sketch = game.sketch(&text).expect("an editor").expect("a sketch");
            text = sketch.set("turns", wanted.turns.into()).expect("a number of turns");
            assert_eq!(text, wanted.text());
            assert!(game.parse_position(&text).is_ok(), "{text}");
        }
    }
}
