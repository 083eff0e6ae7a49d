//! How a position looks, what an action did, and why another is refused.

use tavola_core::view::{ActionView, Area, Cell, Change, Counter, Mark, OutcomeView, Piece, SeatView, Shape, Sound};
use tavola_core::{
    Draw, Event, Game, Interner, Notation, Refusal, Seat, Shared, SmolStr, Text, ToSmolStr, View, format_smolstr,
};

use crate::hex::{DIRECTIONS, Hex};
use crate::rules::{Action, Kind, Potlatch};
use crate::stacks::{BLANK, NEUTRAL_THREE, TileSet};
use crate::state::State;

const COLOURS: [&str; 2] = ["red", "blue"];

/// The rows of hexes lie this far apart, in hex widths.
const ROW: f64 = 0.866_025_403_784_438_6;

impl Draw for Potlatch {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            game: Self::INFO.name.into(),
            to_act: self.to_act(state).seat().map(|seat| seat as i8),
            turn: self.turn(state),
            prompt: self.prompt(state),
            areas: vec![self.board(state)],
            pieces: pieces(state),
            seats: (0..2).map(|seat| seat_view(state, seat)).collect(),
            supply: vec![Shared::from(Counter {
                id: "tiles".into(),
                label: Text::new("counter.tiles"),
                value: i64::from(self.tiles - state.tiles),
                of: None,
                symbol: Some("tile".into()),
            })],
            cards: Vec::new(),
            lines: Vec::new(),
            actions: self.action_views(state),
            outcome: self.outcome_view(state),
        }
    }

    fn is_public(&self, _state: &State) -> bool {
        true
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        let mut story = Story { before: state.clone(), events: Vec::new(), step: 0 };
        match action.kind() {
            Kind::Walk => story.walk(action.direction()),
            Kind::Chip => {
                story.increase();
                story.move_chip(action.direction());
            }
        }
        let mut after = state.clone();
        self.play_unchecked(&mut after, action);
        if after.turns > state.turns {
            story.increase();
        }
        if let Some(outcome) = self.outcome_view(&after) {
            story.tell(Change::Told, &[], Some(outcome.text), Some(Sound::End));
        }
        story.events
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("refuse.over", 10));
        }
        if state.legal >> action.index() & 1 == 1 {
            return None;
        }
        let pawn = state.pawn();
        let tile = state.beside(pawn, action.direction());
        let refusal = match action.kind() {
            _ if tile == BLANK && !self.tile_left(state) => refuse("refuse.no-tile", 7),
            Kind::Walk if tile == state.pawns[1 - state.seat() as usize] => refuse("refuse.pawn", 7),
            Kind::Walk if state.visited.contains(tile) => refuse("refuse.visited", 7),
            Kind::Walk => {
                let height = if tile == BLANK { 0 } else { state.stacks.height(tile) };
                let difference = height.abs_diff(state.stacks.height(pawn));
                Refusal { text: Text::new("refuse.steep").with("n", i64::from(difference)), clause: "7".into() }
            }
            Kind::Chip if state.increased().code(pawn) == 0 => refuse("refuse.no-chip", 8),
            Kind::Chip => refuse("refuse.full", 8),
        };
        Some(refusal)
    }

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        if state.end.is_some() {
            return Some(refuse("refuse.over", 10));
        }
        if self.action_views(state).iter().any(|action| action.begins_with(touched, None)) {
            return None;
        }
        let pawn = state.pawn();
        let own = state.places[pawn as usize];
        let (kind, target) = match touched {
            [cell] if *cell == own.to_smolstr() => {
                // No chip move at all: either no chip to move, or no hex has room.
                let chip = state.increased().code(pawn) > 0;
                return Some(if chip { refuse("refuse.full", 8) } else { refuse("refuse.no-chip", 8) });
            }
            [cell] => (Kind::Walk, cell),
            [first, cell] if *first == own.to_smolstr() => (Kind::Chip, cell),
            _ => return Some(refuse("refuse.far", 7)),
        };
        let direction = (0..DIRECTIONS.len()).find(|&direction| own.step(direction).to_smolstr() == *target);
        match direction {
            Some(direction) => self.refusal(state, Action::new(kind, direction)),
            None if *target == own.to_smolstr() => Some(refuse("refuse.own", 8)),
            None => Some(refuse("refuse.far", if kind == Kind::Walk { 7 } else { 8 })),
        }
    }
}

fn refuse(key: &'static str, clause: u32) -> Refusal {
    Refusal { text: Text::new(key), clause: clause.to_smolstr() }
}

fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

fn seat_view(state: &State, seat: Seat) -> SeatView {
    let colour = COLOURS[seat as usize];
    SeatView {
        seat,
        name: seat_name(seat),
        symbol: format_smolstr!("seat-{colour}"),
        counters: vec![Shared::from(Counter {
            id: "stacks".into(),
            label: Text::new("counter.stacks"),
            value: i64::from(state.stacks.of_seat(seat).len()),
            of: Some(3),
            symbol: Some(format_smolstr!("chip-{colour}")),
        })],
    }
}

fn chip(place: Hex, storey: u8, code: u8) -> Shared<Piece> {
    static CHIPS: Interner<(Hex, u8, Option<Seat>), Piece> = Interner::new();
    let owner = match (storey, code) {
        (2, 4) => Some(0),
        (2, 5) => Some(1),
        _ => None,
    };
    let colour = owner.map_or("neutral", |seat| COLOURS[seat as usize]);
    CHIPS.get((place, storey, owner), |_| Piece {
        id: format_smolstr!("{place}/{storey}"),
        cell: place.to_smolstr(),
        symbol: format_smolstr!("chip-{colour}"),
        label: Text::new(format_smolstr!("piece.chip.{colour}")),
        storey,
        turn: 0,
        owner,
    })
}

fn pawn(seat: Seat, place: Hex, storey: u8) -> Shared<Piece> {
    static PAWNS: Interner<(Hex, u8, Seat), Piece> = Interner::new();
    PAWNS.get((place, storey, seat), |_| Piece {
        id: format_smolstr!("pawn-{seat}"),
        cell: place.to_smolstr(),
        symbol: format_smolstr!("pawn-{}", COLOURS[seat as usize]),
        label: Text::new(format_smolstr!("piece.pawn.{seat}")),
        storey,
        turn: 0,
        owner: Some(seat),
    })
}

fn pieces(state: &State) -> Vec<Shared<Piece>> {
    let mut pieces = Vec::new();
    for tile in state.order() {
        let place = state.places[tile as usize];
        for storey in 0..state.stacks.height(tile) {
            pieces.push(chip(place, storey, state.stacks.code(tile)));
        }
        for seat in 0..2 {
            if state.pawns[seat as usize] == tile {
                pieces.push(pawn(seat, place, state.stacks.height(tile)));
            }
        }
    }
    pieces
}

fn position_of(place: Hex) -> (f64, f64) {
    (f64::from(place.q) + f64::from(place.r) / 2.0, f64::from(place.r) * ROW)
}

impl Potlatch {
    fn board(&self, state: &State) -> Area {
        let mut cells: Vec<Shared<Cell>> = state.order().iter().map(|&tile| tile_cell(state, tile)).collect();
        if self.tile_left(state) && state.end.is_none() {
            let mut blanks: Vec<Hex> = Vec::new();
            for &place in &state.places[..state.tiles as usize] {
                for direction in 0..DIRECTIONS.len() {
                    let beside = place.step(direction);
                    if state.tile_at(beside).is_none() && !blanks.contains(&beside) {
                        blanks.push(beside);
                    }
                }
            }
            blanks.sort_unstable_by_key(|blank| blank.order());
            cells.extend(blanks.into_iter().map(blank_cell));
        }
        Area { id: "board".into(), shape: Shape::Hex, label: Text::new("area.board"), cells }
    }

    fn prompt(&self, state: &State) -> Text {
        if state.end.is_some() {
            return Text::new("prompt.over");
        }
        let (walks, chips) = (state.legal >> 6, state.legal & 0x3F);
        let key = match (walks, chips) {
            (0, _) => "prompt.chip-only",
            (_, 0) => "prompt.walk-only",
            _ => "prompt.act",
        };
        Text::new(key).with("n", i64::from(self.actions - state.taken))
    }

    fn action_views(&self, state: &State) -> Vec<Shared<ActionView>> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let own = state.pawn();
        let from = state.places[own as usize];
        let after = state.increased();
        let choice = |action: Action| {
            let tile = state.beside(own, action.direction());
            let stacks = if action.kind() == Kind::Walk { state.stacks } else { after };
            let height = (tile != BLANK).then(|| stacks.height(tile));
            self.action_view(action, state.seat(), from, height)
        };
        actions.into_iter().map(choice).collect()
    }

    /// An action of a seat whose pawn stands there, and how high the tile is to which it leads, if one lies there.
    fn action_view(&self, action: Action, seat: Seat, from: Hex, height: Option<u8>) -> Shared<ActionView> {
        static ACTIONS: Interner<(Action, Seat, Hex, Option<u8>), ActionView> = Interner::new();
        ACTIONS.get((action, seat, from, height), |_| {
            let to = from.step(action.direction());
            let new = if height.is_none() { ".new" } else { "" };
            let storey = height.unwrap_or(0);
            let (kind, touches, piece) = match action.kind() {
                Kind::Walk => ("walk", vec![to.to_smolstr()], pawn(seat, to, storey)),
                Kind::Chip => ("chip", vec![from.to_smolstr(), to.to_smolstr()], chip(to, storey, NEUTRAL_THREE)),
            };
            ActionView {
                token: self.token(action),
                touches,
                any_order: false,
                turn: None,
                label: Text::new(format_smolstr!("action.{kind}{new}")).with("cell", to.to_smolstr()),
                kind: kind.into(),
                preview: vec![piece],
                warning: None,
            }
        })
    }

    fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let end = state.end?;
        let outcome = end.outcome();
        let key = format_smolstr!("outcome.{}", outcome.reason);
        let text = match end.winner {
            Some(winner) => Text::new(key).with("seat", seat_name(winner)),
            None => Text::new(format_smolstr!("{key}.draw")),
        };
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text,
            returns: outcome.returns(self.seats()),
        })
    }
}

fn blank_cell(place: Hex) -> Shared<Cell> {
    static BLANKS: Interner<Hex, Cell> = Interner::new();
    BLANKS.get(place, |_| cell(place, "blank", Text::new("cell.blank")))
}

fn tile_cell(state: &State, tile: u8) -> Shared<Cell> {
    static TILES: Interner<(Hex, u8, bool, bool), Cell> = Interner::new();
    let (place, height) = (state.places[tile as usize], state.stacks.height(tile));
    let visited = state.visited.contains(tile) && state.visited.len() > 1 && tile != state.pawn();
    let grows = state.run.contains(tile) && state.stacks.code(tile) < NEUTRAL_THREE;
    let playing = state.end.is_none();
    TILES.get((place, height, playing && visited, playing && grows), |&(_, _, visited, grows)| {
        let visited = visited.then(|| Mark::new("mark-visited", Text::new("mark.visited")));
        let grows = grows.then(|| Mark::new("mark-grow", Text::new("mark.grow")));
        Cell {
            marks: visited.into_iter().chain(grows).collect(),
            value: Some(height.into()),
            ..cell(place, "tile", Text::new("cell.tile"))
        }
    })
}

fn cell(place: Hex, symbol: &str, label: Text) -> Cell {
    let (x, y) = position_of(place);
    Cell {
        id: place.to_smolstr(),
        x,
        y,
        symbol: Some(symbol.into()),
        label: label.with("cell", place.to_smolstr()),
        marks: Vec::new(),
        value: None,
        part_of: None,
    }
}

/// Tells an action event by event, on a copy of the state that it is played on.
struct Story {
    before: State,
    events: Vec<Event>,
    step: u16,
}

impl Story {
    fn tell(&mut self, change: Change, cells: &[Hex], text: Option<Text>, sound: Option<Sound>) {
        let cells = cells.iter().map(Hex::to_smolstr).collect();
        self.events.push(Event { step: self.step, change, cells, line: None, text, sound });
        self.step += 1;
    }

    fn who(&self) -> Text {
        seat_name(self.before.seat())
    }

    /// The tile in a direction from the pawn, laid if there is none.
    fn reach(&mut self, direction: usize) -> u8 {
        let from = self.before.pawn();
        let tile = self.before.beside(from, direction);
        if tile != BLANK {
            return tile;
        }
        let place = self.before.places[from as usize].step(direction);
        let tile = self.before.lay(place);
        let text = Text::new("event.lay").with("cell", place.to_smolstr());
        self.tell(Change::Laid { cell: place.to_smolstr() }, &[place], Some(text), Some(Sound::Lay));
        tile
    }

    fn walk(&mut self, direction: usize) {
        let from = self.before.places[self.before.pawn() as usize];
        let tile = self.reach(direction);
        let (seat, to) = (self.before.seat(), self.before.places[tile as usize]);
        let piece = pawn(seat, to, self.before.stacks.height(tile));
        let text = Text::new("event.walk").with("seat", self.who()).with("cell", to.to_smolstr());
        self.tell(
            Change::Moved { id: format_smolstr!("pawn-{seat}"), piece },
            &[from, to],
            Some(text),
            Some(Sound::Step),
        );
        self.before.enter(tile);
    }

    /// The increase of rules 9: all chips at once, and the pawn that stands on one of them rises.
    fn increase(&mut self) {
        let stacks = self.before.increased();
        let grown: Vec<u8> = self
            .before
            .open_run()
            .iter()
            .copied()
            .filter(|&tile| stacks.code(tile) != self.before.stacks.code(tile))
            .collect();
        self.before.run = TileSet::EMPTY;
        if grown.is_empty() {
            return;
        }
        let text = Text::new("event.grow").with("seat", self.who()).with("n", grown.len() as i64);
        let mut said = Some(text);
        let step = self.step;
        for tile in grown {
            let place = self.before.places[tile as usize];
            self.before.stacks.set(tile, stacks.code(tile));
            let height = stacks.height(tile);
            self.step = step;
            let piece = chip(place, height - 1, stacks.code(tile));
            self.tell(Change::Placed { piece }, &[place], said.take(), Some(Sound::Place));
            self.lift_pawns(tile, step);
        }
        self.step = step + 1;
    }

    /// Pawns stand on top of their stack, whatever is done to it.
    fn lift_pawns(&mut self, tile: u8, step: u16) {
        for seat in 0..2u8 {
            if self.before.pawns[seat as usize] == tile {
                self.step = step;
                let place = self.before.places[tile as usize];
                let piece = pawn(seat, place, self.before.stacks.height(tile));
                self.tell(Change::Moved { id: piece.id.clone(), piece }, &[], None, None);
            }
        }
    }

    fn move_chip(&mut self, direction: usize) {
        let from = self.before.pawn();
        let tile = self.reach(direction);
        let [source, target] = [from, tile].map(|tile| self.before.places[tile as usize]);
        let height = self.before.stacks.height(from);
        if self.before.stacks.code(from) > NEUTRAL_THREE {
            // rules 8: a coloured third chip is swapped for a neutral one first
            let piece = chip(source, 2, NEUTRAL_THREE);
            let text = Text::new("event.swap").with("cell", source.to_smolstr());
            let change = Change::Changed { id: piece.id.clone(), piece };
            self.tell(change, &[source], Some(text), Some(Sound::Flip));
        }
        let step = self.step;
        self.before.stacks.set(from, height - 1);
        let code = self.before.stacks.code(tile) + 1;
        self.before.stacks.set(tile, code);
        let text = Text::new("event.chip")
            .with("seat", self.who())
            .with("from", source.to_smolstr())
            .with("cell", target.to_smolstr());
        let change =
            Change::Moved { id: format_smolstr!("{source}/{}", height - 1), piece: chip(target, code - 1, code) };
        self.tell(change, &[source, target], Some(text), Some(Sound::Place));
        self.lift_pawns(from, step);
        self.lift_pawns(tile, step);
        self.step = step + 1;
    }
}
