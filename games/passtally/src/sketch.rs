//! Positions being set up: always at the start of a turn in play.
//!
//! A text contains only what is visible, so a tile that is removed leaves bare cells. Piles and face-down copies follow
//! the number of tiles on the board, so that few numbers need a correction by hand.

use tavola_core::sketch::{Field, Spot, Tool};
use tavola_core::text::Param;
use tavola_core::{Draw, Notation, Seat, Sketch, SmolStr, Text, View, format_smolstr};

use crate::actions::{PILES, PileIndex};
use crate::board::{Board, VisibleHalf};
use crate::cells::{self, CELLS, Cell, PAIRS, neighbour};
use crate::position::{MOST_POINTS, format_position, read_sketch};
use crate::rim::{self, MARKERS, RimPosition};
use crate::rules::Passtally;
use crate::state::{PILE, Stage, State};
use crate::tiles::{COPIES, NAMES, Placement, TILE_TYPES, TILES, TileType, WAYS};
use crate::view::board::{degrees, direction_of, pile_cell};
use crate::view::illegal::heights_text;
use crate::view::labels::{seat_name, type_name};
use crate::view::pieces::half_piece;

pub(crate) struct PasstallySketch<'a> {
    game: &'a Passtally,
    /// The position as it is drawn.
    state: State,
}

impl<'a> PasstallySketch<'a> {
    /// The sketch of a text that is a position, or whose fields can be drawn.
    pub(crate) fn read(game: &'a Passtally, text: &str) -> Option<Self> {
        let state = game.parse_position(text).ok().or_else(|| read_sketch(game, text))?;
        Some(Self { game, state })
    }

    /// The text of a changed position, at the start of a turn.
    fn text(&self, mut state: State) -> String {
        state.stage = Stage::Turn { taken: 0 };
        state.due = None;
        // Without a tile, the seats have only moved markers.
        state.idle = if tiles_on(&state.board) == 0 { 2 * state.seat } else { 0 };
        format_position(self.game, &state)
    }

    fn put_tile(&self, tile_type: TileType, cell: Cell, turn: Option<u16>) -> Result<State, Text> {
        let mut state = self.state;
        if state.piles.iter().all(|pile| pile.down == 0) {
            return Err(Text::new("edit.none"));
        }
        let direction = turn.map_or(1, direction_of);
        let other = neighbour(cell, direction).ok_or_else(|| Text::new("illegal.over-edge"))?;
        let placement = Placement::new(tile_type, cell, direction).ok_or_else(|| Text::new("illegal.same-rotation"))?;
        let heights = [cell, other].map(|cell| state.board.top(cell).height());
        if let Some(reason) = heights_text(heights) {
            return Err(reason);
        }
        if state.board.open() >> placement.pair & 1 == 0 {
            return Err(Text::new("illegal.exactly-one-tile"));
        }
        if heights[0] >= TILES {
            return Err(Text::new("edit.high"));
        }
        state.board.place_tile(placement);
        balance(&mut state, Some(tile_type));
        Ok(state)
    }

    /// Shows a tile on a pile.
    fn put_face(&self, tile_type: TileType, pile: PileIndex) -> State {
        let mut state = self.state;
        state.piles[usize::from(pile)].face = Some(tile_type);
        balance(&mut state, Some(tile_type));
        state
    }

    fn put_marker(&self, seat: Seat, position: RimPosition) -> Result<State, Text> {
        let mut state = self.state;
        let own = state.markers[usize::from(seat)];
        if own >> position & 1 == 1 {
            return Err(Text::new("illegal.taken"));
        }
        if own.count_ones() >= MARKERS.into() {
            return Err(Text::new("edit.markers"));
        }
        for markers in &mut state.markers {
            *markers &= !(1 << position);
        }
        state.markers[usize::from(seat)] |= 1 << position;
        Ok(state)
    }

    fn remove(&self, at: &Spotted) -> Result<State, Text> {
        let mut state = self.state;
        let nothing = || Text::new("edit.nothing");
        match *at {
            Spotted::Cell(cell) => {
                let top = state.board.top(cell);
                if top.height() == 0 {
                    return Err(nothing());
                }
                let other = top.joint().and_then(|side| neighbour(cell, side));
                state.board = without(&state.board, &[Some(cell), other]);
                balance(&mut state, None);
            }
            Spotted::Rim(position) => {
                if state.taken() >> position & 1 == 0 {
                    return Err(nothing());
                }
                for markers in &mut state.markers {
                    *markers &= !(1 << position);
                }
            }
            Spotted::Pile(pile) => {
                state.piles[usize::from(pile)].face.take().ok_or_else(nothing)?;
                balance(&mut state, None);
            }
        }
        Ok(state)
    }
}

/// A cell of the view.
enum Spotted {
    Cell(Cell),
    Rim(RimPosition),
    Pile(PileIndex),
}

fn spotted(name: &str) -> Option<Spotted> {
    let pile = || (0..PILES).find(|&pile| pile_cell(pile) == name).map(Spotted::Pile);
    cells::parse(name).map(Spotted::Cell).or_else(|| rim::parse(name).map(Spotted::Rim)).or_else(pile)
}

/// The number of tiles that the levels of a board add up to.
fn tiles_on(board: &Board) -> u32 {
    (0..CELLS).map(|cell| u32::from(board.top(cell).height())).sum::<u32>() / 2
}

/// A board with some cells bare.
fn without(board: &Board, bare: &[Option<Cell>]) -> Board {
    let mut seen = [None; CELLS as usize];
    for cell in (0..CELLS).filter(|&cell| !bare.contains(&Some(cell))) {
        let top = board.top(cell);
        seen[usize::from(cell)] = (top.height() > 0).then(|| (top.shape(), top.height(), top.joint()));
    }
    Board::of(&seen)
}

/// Fits the piles and the face-down copies to the tiles on the board, by the type of the new one if they are too many.
fn balance(state: &mut State, used: Option<TileType>) {
    let faces = state.piles.iter().filter(|pile| pile.face.is_some()).count() as u32;
    let wanted = u32::from(TILES).saturating_sub(tiles_on(&state.board) + faces);
    let down = |state: &State| state.piles.iter().map(|pile| u32::from(pile.down)).sum::<u32>();
    for pile in &mut state.piles {
        pile.down = pile.down.min(PILE - u8::from(pile.face.is_some()));
    }
    while down(state) > wanted {
        state.piles.iter_mut().rev().max_by_key(|pile| pile.down).expect("piles").down -= 1;
    }
    while down(state) < wanted {
        let lowest = state.piles.iter_mut().filter(|pile| pile.tiles() < PILE).min_by_key(|pile| pile.tiles());
        let Some(pile) = lowest else { break };
        pile.down += 1;
    }
    let mut most = [COPIES; TILE_TYPES as usize];
    let tops = (0..CELLS).map(|cell| state.board.top(cell)).filter(|top| top.joint().is_some());
    let whole = tops.filter_map(VisibleHalf::print).filter(|print| print % 2 == 0).map(|print| print / 2);
    for tile_type in whole.chain(state.piles.iter().filter_map(|pile| pile.face)) {
        most[usize::from(tile_type)] = most[usize::from(tile_type)].saturating_sub(1);
    }
    for (copies, most) in state.unseen.iter_mut().zip(most) {
        *copies = (*copies).min(most);
    }
    let unseen = |state: &State| state.unseen.iter().map(|&copies| u32::from(copies)).sum::<u32>();
    if let Some(used) = used.filter(|&used| unseen(state) > down(state) && state.unseen[usize::from(used)] > 0) {
        state.unseen[usize::from(used)] -= 1;
    }
    while unseen(state) > down(state) {
        *state.unseen.iter_mut().rev().max().expect("types") -= 1;
    }
    while unseen(state) < down(state) {
        let room = |tile_type: usize| most[tile_type] - state.unseen[tile_type];
        let Some(roomy) = (0..most.len()).rev().max_by_key(|&tile_type| room(tile_type)) else { break };
        if room(roomy) == 0 {
            break;
        }
        state.unseen[roomy] += 1;
    }
}

fn tile_of(tool: &str) -> Option<TileType> {
    let name = tool.strip_prefix("tile-")?;
    NAMES.iter().position(|&known| known == name).map(|at| at as TileType)
}

fn seat_of(tool: &str) -> Option<Seat> {
    tool.strip_prefix("marker-")?.parse().ok()
}

impl Sketch for PasstallySketch<'_> {
    fn view(&self) -> View {
        self.game.view(&self.state, None)
    }

    fn tools(&self) -> Vec<Tool> {
        let tile = |tile_type: TileType| {
            let id = format_smolstr!("tile-{}", NAMES[usize::from(tile_type)]);
            Tool::piece(id.clone(), id, type_name(tile_type))
        };
        let marker = |seat: Seat| {
            let id = format_smolstr!("marker-{seat}");
            let left = i64::from(MARKERS) - i64::from(self.state.markers[usize::from(seat)].count_ones());
            Tool::piece(id.clone(), id, Text::new("piece.marker").with("seat", seat_name(seat))).with_left(left)
        };
        let remove = Tool::change("remove", Text::new("edit.remove"));
        (0..TILE_TYPES).map(tile).chain((0..self.game.seats).map(marker)).chain([remove]).collect()
    }

    fn fields(&self) -> Vec<Field> {
        let seats = (0..self.game.seats).map(seat_name).collect();
        let seat = Field::choice("seat", Text::new("edit.seat"), self.state.seat, seats);
        let points = (0..self.game.seats).map(|seat| {
            let points = self.state.points[usize::from(seat)].min(MOST_POINTS);
            let id = format_smolstr!("points-{seat}");
            Field::number(id, Text::new("counter.points"), points, MOST_POINTS).of(seat).with_symbol("point")
        });
        let piles = (0..PILES).map(|number| {
            let label = Text::new("edit.down").with("n", i64::from(number) + 1);
            let pile = self.state.piles[usize::from(number)];
            let most = PILE - u8::from(pile.face.is_some());
            Field::number(format_smolstr!("pile-{number}"), label, pile.down, most)
        });
        let unseen = (0..TILE_TYPES).map(|tile_type| {
            let name = NAMES[usize::from(tile_type)];
            let label = Text::new("counter.unseen").with("type", type_name(tile_type));
            let copies = self.state.unseen[usize::from(tile_type)];
            Field::number(format_smolstr!("unseen-{tile_type}"), label, copies, COPIES)
                .with_symbol(format_smolstr!("tile-{name}"))
        });
        [seat].into_iter().chain(piles).chain(unseen).chain(points).collect()
    }

    fn spots(&self, tool: &str, _view: &View) -> Vec<Spot> {
        let spot = |cell: SmolStr, turn, preview| Spot { cells: vec![cell], turn, preview };
        let board = || (0..CELLS).map(|cell| spot(cells::name(cell), None, Vec::new()));
        let rim = || (0..rim::RIM_POSITIONS).map(|position| spot(rim::name(position), None, Vec::new()));
        let piles = || (0..PILES).map(|pile| spot(pile_cell(pile), None, Vec::new()));
        let Some(tile_type) = tile_of(tool) else {
            return if seat_of(tool).is_some() {
                rim().collect()
            } else {
                board().chain(rim()).chain(piles()).collect()
            };
        };
        let ways =
            |pair| (0..WAYS[usize::from(tile_type)]).map(move |way| Placement { tile_type, pair, reversed: way == 1 });
        let placements = (0..PAIRS).flat_map(ways).map(|placement| {
            let [first, second] = placement.cells();
            let turn = degrees(placement.direction());
            let after = self.put_tile(tile_type, first, Some(turn)).ok();
            let preview = after.map_or_else(Vec::new, |after| {
                [first, second].into_iter().filter_map(|cell| half_piece(&after, cell)).collect()
            });
            spot(cells::name(first), Some(turn), preview)
        });
        placements.chain(piles()).collect()
    }

    fn put(&self, tool: &str, cells: &[SmolStr], turn: Option<u16>) -> Result<String, Text> {
        let at = cells.first().and_then(|cell| spotted(cell)).ok_or_else(|| Text::new("edit.tile"))?;
        let state = match (tile_of(tool), seat_of(tool), &at) {
            (Some(tile_type), _, &Spotted::Cell(cell)) => self.put_tile(tile_type, cell, turn)?,
            (Some(tile_type), _, &Spotted::Pile(pile)) => self.put_face(tile_type, pile),
            (Some(_), _, Spotted::Rim(_)) => return Err(Text::new("edit.tile")),
            (_, Some(seat), &Spotted::Rim(position)) => self.put_marker(seat, position)?,
            (_, Some(_), _) => return Err(Text::new("edit.rim")),
            _ => self.remove(&at)?,
        };
        Ok(self.text(state))
    }

    fn set(&self, field: &str, value: i64) -> Result<String, Text> {
        let mut state = self.state;
        let number = |prefix: &str| field.strip_prefix(prefix).and_then(|number| number.parse::<usize>().ok());
        if let Some(pile) = number("pile-") {
            state.piles[pile].down = value as u8;
        } else if let Some(tile_type) = number("unseen-") {
            state.unseen[tile_type] = value as u8;
        } else if let Some(seat) = number("points-") {
            state.points[seat] = value as u32;
        } else {
            state.seat = value as Seat;
        }
        Ok(self.text(state))
    }

    fn concerned(&self, fault: &Text) -> Vec<SmolStr> {
        let number = |name: &str| match fault.params.get(name) {
            Some(&Param::Number(number)) => number,
            _ => -1,
        };
        let board = |wanted: &dyn Fn(VisibleHalf) -> bool| {
            let cells = (0..CELLS).filter(|&cell| self.state.board.top(cell).height() > 0);
            cells.filter(|&cell| wanted(self.state.board.top(cell))).map(cells::name).collect()
        };
        match &*fault.key {
            "fault.level.parts" => board(&|top| i64::from(top.height()) == number("level")),
            "fault.copies" => {
                let Some(Param::Raw(name)) = fault.params.get("name") else { return Vec::new() };
                board(&|top| {
                    top.joint().is_some() && top.print().is_some_and(|print| NAMES[usize::from(print / 2)] == name)
                })
            }
            "fault.marker.count" => {
                let own = self.state.markers.get(number("seat") as usize);
                own.map_or_else(Vec::new, |&own| rim::each(own).map(rim::name).collect())
            }
            "fault.pile.many" | "fault.pile.few" | "fault.pile.turned" | "fault.pile.unturned" => {
                (0..PILES).filter(|&pile| i64::from(pile) + 1 == number("pile")).map(pile_cell).collect()
            }
            _ => Vec::new(),
        }
    }

    fn empty(&self) -> String {
        self.text(State { seat: 0, ..State::new(self.game.head_start) })
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Options, Playout, Random};

    use super::*;

    fn put(game: &Passtally, text: &str, tool: &str, cell: SmolStr, turn: Option<u16>) -> String {
        let sketch = PasstallySketch::read(game, text).expect("a sketch");
        sketch.put(tool, &[cell], turn).unwrap_or_else(|reason| panic!("{text} {tool}: {reason:?}"))
    }

    fn set(game: &Passtally, text: &str, field: &str, value: i64) -> String {
        let sketch = PasstallySketch::read(game, text).expect("a sketch");
        sketch.set(field, value).unwrap_or_else(|reason| panic!("{text} {field}: {reason:?}"))
    }

    #[test]
    fn a_pile_with_a_face_has_room_for_one_tile_less() {
        let game = Passtally::new(&Options::new(Passtally::INFO, [("players", "2")]).expect("valid options"));
        let empty = PasstallySketch { game: &game, state: game.start() }.empty();
        let text = put(&game, &empty, &format!("tile-{}", NAMES[0]), pile_cell(0), None);
        let fields = PasstallySketch::read(&game, &text).expect("a sketch").fields();
        let pile = fields.iter().find(|field| field.id == "pile-0").expect("the pile");
        let full = set(&game, &text, "pile-0", pile.most);
        assert!(PasstallySketch::read(&game, &full).is_some(), "{full} cannot be drawn");
    }

    /// Replays the tiles of random games in the editor, and sets all the rest.
    #[test]
    fn every_position_at_the_start_of_a_turn_is_built_from_the_empty_one() {
        for (players, seed) in [("2", 1), ("3", 2)]
            .into_iter()
            .flat_map(|(players, seed)| (0..8).map(move |more| (players, 10 * seed + more)))
        {
            let game = Passtally::new(&Options::new(Passtally::INFO, [("players", players)]).expect("valid options"));
            let mut random = Random::new(seed);
            let mut state = game.start();
            let mut text = PasstallySketch { game: &game, state }.empty();
            for _ in 0..200 {
                let action = match game.to_act(&state) {
                    Actor::Seat(_) => game.random_action(&state, &mut random),
                    Actor::Chance => game.random_outcome(&state, &mut random),
                    Actor::Terminal => break,
                };
                if let crate::actions::ActionKind::PlaceTile(_, placement) = action.kind() {
                    let tool = format!("tile-{}", NAMES[usize::from(placement.tile_type)]);
                    let turn = degrees(placement.direction());
                    text = put(&game, &text, &tool, cells::name(placement.cells()[0]), Some(turn));
                }
                game.play_unchecked(&mut state, action);
                let begins = state.stage == (Stage::Turn { taken: 0 }) && state.due.is_none();
                if begins && state.idle == 0 && tiles_on(&state.board) > 0 {
                    let built = rest(&game, text.clone(), &state);
                    assert_eq!(built, format_position(&game, &state));
                    assert!(game.parse_position(&built).is_ok(), "{built}");
                }
            }
        }
    }

    /// Sets markers, piles, copies, points and the seat.
    fn rest(game: &Passtally, mut text: String, state: &State) -> String {
        for seat in 0..game.seats {
            for position in rim::each(state.markers[usize::from(seat)]) {
                text = put(game, &text, &format!("marker-{seat}"), rim::name(position), None);
            }
            text = set(game, &text, &format_smolstr!("points-{seat}"), state.points[usize::from(seat)].into());
        }
        for pile in 0..PILES {
            if let Some(face) = state.piles[usize::from(pile)].face {
                text = put(game, &text, &format!("tile-{}", NAMES[usize::from(face)]), pile_cell(pile), None);
            }
        }
        for pile in 0..PILES {
            text = set(game, &text, &format_smolstr!("pile-{pile}"), state.piles[usize::from(pile)].down.into());
        }
        for tile_type in 0..TILE_TYPES {
            let copies = state.unseen[usize::from(tile_type)];
            text = set(game, &text, &format_smolstr!("unseen-{tile_type}"), copies.into());
        }
        set(game, &text, "seat", state.seat.into())
    }
}
