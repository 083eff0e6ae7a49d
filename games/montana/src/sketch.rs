//! Positions being set up: always at the main decision of a turn, on a whole map.
//!
//! The supply is whatever the seats and the work board leave, so it needs no fields.

use tavola_core::sketch::{Field, Tool};
use tavola_core::{Draw, Notation, Seat, Sketch, SmolStr, Text, View, format_smolstr};

use crate::components::Ground;
use crate::crews::{CREWS, Crew, may_work};
use crate::game::Montana;
use crate::map::{Hex, NO_HEX, SlotTile};
use crate::multiset::{Goods, Workers};
use crate::position::format;
use crate::position::parse::{Fields, fields_of};
use crate::rules::work::BANK;
use crate::state::{Contractor, Land, SEATS, SLOTS, Stage, State};
use crate::view::labels::{GOOD_IDS, WORKER_IDS, seat_name};
use crate::view::pieces::WorkSpace;

/// The most silver and canteens of a seat that the editor offers.
const MOST_SILVER: u32 = 99;
const MOST_CANTEENS: u8 = 9;
/// The most settlement tiles on a hex.
const MOST_TILES: u8 = 3;
/// The largest count that a multiset can hold.
const MOST_COUNT: u32 = 127;

pub(crate) struct MontanaSketch<'a> {
    game: &'a Montana,
    /// The position as the text has it.
    state: State,
    /// Whether it is a position. Another one is drawn as if the game were over, so that nothing is played.
    possible: bool,
}

impl<'a> MontanaSketch<'a> {
    /// The sketch of a text that is a position, or whose fields are readable.
    pub(crate) fn read(game: &'a Montana, text: &str) -> Option<Self> {
        if let Ok(state) = game.parse_position(text) {
            return Some(Self { game, state, possible: true });
        }
        let (fields, _) = fields_of(game, text).ok()?;
        let state = state_of(game, &fields)?;
        Some(Self { game, state, possible: false })
    }

    /// The position at the main decision, on a whole map: what an edit changes.
    fn parts(&self) -> State {
        let mut state = self.state;
        let unused = (0..self.game.components.tiles.len() as u8).filter(|&tile| {
            !self.state.land.slots.iter().any(|laid| laid.turn().is_some() && laid.tile() == Some(tile))
        });
        let mut unused = unused.collect::<Vec<_>>().into_iter();
        let mut slots = state.land.slots;
        for laid in slots.iter_mut().take(self.game.map.slots.into()).filter(|laid| laid.turn().is_none()) {
            *laid = unused.next().map_or(*laid, |tile| SlotTile::drawn(tile).turned(0));
        }
        let start = match state.land.start {
            NO_HEX => first_start(self.game, slots),
            start => start,
        };
        state.land = land(self.game, slots, start, &settlements(&state.land));
        state.stage = Stage::Main;
        state.contractors = [Contractor::Home; SEATS];
        state.extra_turn = false;
        state.round = state.round.max(1);
        state
    }

    fn text(&self, mut state: State) -> String {
        supply(self.game, &mut state);
        format::write(self.game, &state)
    }

    /// The spaces of the full places of the work board.
    fn full_spaces(state: &State) -> impl Iterator<Item = u8> {
        Montana::full_places(state).filter(|&place| place < BANK).flat_map(|place| 3 * place..3 * place + 3)
    }

    /// The slot of a hex.
    fn slot(&self, hex: Hex) -> usize {
        self.game.map.places[usize::from(hex)].0.into()
    }

    /// Lays a tile on the slot of a hex; the one there takes its place, if it was on the map.
    fn lay(&self, state: &mut State, tile: u8, hex: Hex) -> Result<(), Text> {
        let slot = self.slot(hex);
        let mut slots = state.land.slots;
        if slots[slot].tile() == Some(tile) {
            return Err(Text::new("edit.laid"));
        }
        let before = slots.iter().position(|laid| laid.tile() == Some(tile));
        let laid = before.map_or(SlotTile::drawn(tile).turned(0), |before| slots[before]);
        if let Some(before) = before {
            slots[before] = slots[slot];
        }
        slots[slot] = laid;
        state.land = land(self.game, slots, state.land.start, &settlements(&state.land));
        Ok(())
    }

    /// Turns the tile of a hex by 60 degrees.
    fn turn(&self, state: &mut State, hex: Hex) {
        let slot = self.slot(hex);
        let mut slots = state.land.slots;
        let turn = slots[slot].turn().unwrap_or(0);
        slots[slot] = slots[slot].turned((turn + 1) % 6);
        state.land = land(self.game, slots, state.land.start, &settlements(&state.land));
    }

    fn start(&self, state: &mut State, hex: Hex) -> Result<(), Text> {
        if state.land.owner(hex).is_some() {
            return Err(Text::new("edit.settled"));
        }
        let bare = land(self.game, state.land.slots, NO_HEX, &[]);
        if !self.game.start_candidates(&bare).contains(hex) || state.land.start == hex {
            return Err(Text::new("edit.start"));
        }
        state.land = land(self.game, state.land.slots, hex, &settlements(&state.land));
        Ok(())
    }

    fn settle(&self, state: &mut State, seat: Seat, hex: Hex) -> Result<(), Text> {
        let (slot, place) = self.game.map.places[usize::from(hex)];
        let plain = matches!(state.land.slots[usize::from(slot)].ground(place), Some(Ground::Plain { .. }));
        if !plain || state.land.start == hex {
            return Err(Text::new("edit.plain"));
        }
        let mut settled = settlements(&state.land);
        let here = settled.iter().position(|&(other, ..)| other == hex);
        let tiles = here.filter(|&here| settled[here].1 == seat).map_or(0, |here| settled[here].2);
        if tiles == MOST_TILES {
            return Err(Text::new("edit.three"));
        }
        if tiles_left(self.game, state, seat) == 0 {
            return Err(Text::new("edit.tiles"));
        }
        settled.retain(|&(other, ..)| other != hex);
        settled.push((hex, seat, tiles + 1));
        state.land = land(self.game, state.land.slots, state.land.start, &settled);
        Ok(())
    }

    /// Puts a worker on a space of the work board: the next possible crew with one of its colour.
    fn work(&self, state: &mut State, space: WorkSpace, lane: usize) -> Result<(), Text> {
        let crews = &self.game.tables.crews;
        let fits = |crew: Crew| {
            let workers = crews[usize::from(crew)];
            workers.count(lane) > 0
                && match space {
                    WorkSpace::Bank(space) => {
                        let (wanted, _) = self.game.components.prices.bank[usize::from(space)];
                        workers.total() == wanted
                    }
                    WorkSpace::Left(space) | WorkSpace::Right(space) => may_work(workers, usize::from(space / 3)),
                }
        };
        if let WorkSpace::Right(space) = space
            && state.left[usize::from(space)] == 0
        {
            return Err(Text::new("edit.left"));
        }
        let now = space.crew(state);
        let free = state.workers.plus(crews[usize::from(now)]);
        let all = CREWS as Crew;
        let next =
            (1..all).map(|step| (now + step) % all).find(|&crew| fits(crew) && free.holds(crews[usize::from(crew)]));
        *crew_of(state, space) = next.ok_or_else(|| Text::new("edit.workers"))?;
        Ok(())
    }

    fn remove(&self, state: &mut State, at: &Spotted) -> Result<(), Text> {
        match *at {
            Spotted::Hex(hex) => {
                let mut settled = settlements(&state.land);
                let here = settled.iter_mut().find(|(other, ..)| *other == hex);
                here.ok_or_else(|| Text::new("edit.nothing"))?.2 -= 1;
                settled.retain(|&(.., tiles)| tiles > 0);
                state.land = land(self.game, state.land.slots, state.land.start, &settled);
            }
            Spotted::Work(space) => {
                let crew = crew_of(state, space);
                if *crew == 0 {
                    return Err(Text::new("edit.nothing"));
                }
                *crew = 0;
                if let WorkSpace::Left(space) = space {
                    // No crew works on the right side alone.
                    let space = usize::from(space);
                    state.left[space] = std::mem::take(&mut state.right[space]);
                }
            }
        }
        Ok(())
    }

    fn spotted(&self, name: &str) -> Option<Spotted> {
        let sides = |space| [WorkSpace::Left(space), WorkSpace::Right(space)];
        let mut spaces = (0..4).map(WorkSpace::Bank).chain((0..12).flat_map(sides));
        let hex = self.game.map.parse(name).map(Spotted::Hex);
        hex.or_else(|| spaces.find(|space| space.cell() == name).map(Spotted::Work))
    }
}

/// A cell of the view where a piece can be put.
enum Spotted {
    Hex(Hex),
    Work(WorkSpace),
}

fn crew_of(state: &mut State, space: WorkSpace) -> &mut Crew {
    match space {
        WorkSpace::Bank(space) => &mut state.bank[usize::from(space)],
        WorkSpace::Left(space) => &mut state.left[usize::from(space)],
        WorkSpace::Right(space) => &mut state.right[usize::from(space)],
    }
}

/// The settled hexes with owner and number of tiles.
fn settlements(land: &Land) -> Vec<(Hex, Seat, u8)> {
    land.all_settled().iter().filter_map(|hex| Some((hex, land.owner(hex)?, land.tiles(hex)))).collect()
}

/// The map of some tiles, with a start hex and settlements anywhere.
fn land(game: &Montana, slots: [SlotTile; SLOTS], start: Hex, settled: &[(Hex, Seat, u8)]) -> Land {
    let mut land = Land::EMPTY;
    for (slot, &laid) in slots.iter().enumerate().take(game.map.slots.into()) {
        land.set_slot(slot, laid);
        game.register_tile(&mut land, slot);
    }
    if start != NO_HEX {
        land.place_start(start, game.map.around[usize::from(start)]);
    }
    for &(hex, seat, tiles) in settled {
        land.settle(seat, hex, game.map.around[usize::from(hex)], tiles);
    }
    land
}

fn first_start(game: &Montana, slots: [SlotTile; SLOTS]) -> Hex {
    game.start_candidates(&land(game, slots, NO_HEX, &[])).iter().next().unwrap_or(0)
}

/// The settlement tiles of a seat that are not on the map.
fn tiles_left(game: &Montana, state: &State, seat: Seat) -> u8 {
    let placed =
        settlements(&state.land).iter().filter(|&&(_, owner, _)| owner == seat).map(|&(.., tiles)| tiles).sum();
    game.table.settlements.saturating_sub(placed)
}

/// Gives the supply everything that is nowhere else.
fn supply(game: &Montana, state: &mut State) {
    let seats = &state.seats[..game.seat_count()];
    let goods = std::array::from_fn(|lane| {
        let all = u32::from(game.table.goods.count(lane))
            + u32::from(game.components.start_goods.count(lane)) * u32::from(game.seats);
        let held: u32 = seats.iter().map(|holdings| u32::from(holdings.goods.count(lane))).sum();
        all.saturating_sub(held) as u8
    });
    let at_work = (0..=BANK).fold(Workers::NONE, |workers, place| workers.plus(game.workers_at(state, place)));
    let workers = std::array::from_fn(|lane| {
        let held: u32 = seats.iter().map(|holdings| u32::from(holdings.workers.count(lane))).sum();
        let used = held + u32::from(at_work.count(lane));
        u32::from(game.components.worker_supply.count(lane)).saturating_sub(used) as u8
    });
    let found = state.land.all_settled().and(state.land.cows).len();
    let cows = u32::from(game.table.cows) + u32::from(game.components.start_cows) * u32::from(game.seats) + found;
    let held: u32 = seats.iter().map(|holdings| u32::from(holdings.cows)).sum();
    (state.supply, state.workers) = (Goods::of(goods), Workers::of(workers));
    state.cows = cows.saturating_sub(held) as u8;
}

/// The position of readable fields, possible or not; `None` if it cannot be drawn.
fn state_of(game: &Montana, fields: &Fields) -> Option<State> {
    let mut state = game.initial_state();
    let mut slots = [SlotTile::NOTHING; SLOTS];
    slots[..usize::from(game.map.slots)].copy_from_slice(fields.map.as_ref()?);
    if !slots[..usize::from(game.map.slots)].iter().all(|laid| laid.turn().is_some()) {
        return None;
    }
    state.land = land(game, slots, fields.start?, fields.settlements.as_ref()?);
    let (goods, workers) = (fields.supply.as_ref()?.goods, fields.supply.as_ref()?.workers);
    let cows = u8::try_from(fields.supply.as_ref()?.cows).ok()?;
    if goods.iter().chain(&workers).any(|&count| count > MOST_COUNT) {
        return None;
    }
    state.supply = Goods::of(goods.map(|count| count as u8));
    (state.workers, state.cows) = (Workers::of(workers.map(|count| count as u8)), cows);
    for (seat, (own, holdings)) in (0..).zip(state.seats.iter_mut().zip(fields.seats.as_ref()?)) {
        let small = holdings.cows <= 100 && holdings.canteens <= 100 && holdings.workers.total() <= 100;
        *own = small.then_some(*holdings)?;
        let placed: u32 = fields
            .settlements
            .as_ref()?
            .iter()
            .filter(|&&(_, owner, _)| owner == seat)
            .map(|&(.., tiles)| u32::from(tiles))
            .sum();
        own.tiles = u32::from(game.table.settlements).saturating_sub(placed) as u8;
    }
    let board = fields.board.as_ref()?;
    (state.bank, state.left, state.right) = (board.bank, board.left, board.right);
    (state.round, state.turn) = (fields.round?, fields.turn?.0);
    // The rest belongs to decisions that the editor does not offer.
    state.stage = Stage::Main;
    Some(state)
}

impl Sketch for MontanaSketch<'_> {
    fn view(&self) -> View {
        if self.possible {
            return self.game.view(&self.state, Some(self.state.turn));
        }
        let state = State { stage: Stage::Over, ..self.state };
        View { to_act: Some(self.state.turn as i8), ..self.game.view(&state, Some(self.state.turn)) }
    }

    fn tools(&self) -> Vec<Tool> {
        let settlement = |seat: Seat| {
            let id = format_smolstr!("settlement-{seat}");
            Tool::piece(id.clone(), id, Text::new("edit.settlement").with("seat", seat_name(seat)))
                .with_left(tiles_left(self.game, &self.state, seat))
        };
        let worker = |lane: usize| {
            let id = format_smolstr!("worker-{}", WORKER_IDS[lane]);
            let label = Text::new(format_smolstr!("piece.worker.{}", WORKER_IDS[lane]));
            Tool::piece(id.clone(), id, label).with_left(self.state.workers.count(lane))
        };
        let tile = |(number, name): (usize, SmolStr)| {
            let id = format_smolstr!("tile-{number}");
            Tool::piece(id.clone(), id, Text::new("edit.tile").with("name", name))
        };
        let names = self.game.components.tiles.iter().map(|tile| SmolStr::from(tile.name.as_str()));
        let start = Tool::piece("start", "start", Text::new("piece.start"));
        let changes = [Tool::change("remove", Text::new("edit.remove")), Tool::change("turn", Text::new("edit.turn"))];
        let pieces = (0..self.game.seats).map(settlement).chain((0..WORKER_IDS.len()).map(worker));
        pieces.chain([start]).chain(changes).chain(names.enumerate().map(tile)).collect()
    }

    fn fields(&self) -> Vec<Field> {
        let State { seats, supply, workers, cows, turn, round, .. } = &self.state;
        let names = (0..self.game.seats).map(seat_name).collect();
        let mut fields = vec![
            Field::choice("seat", Text::new("edit.seat"), *turn, names),
            Field::number("round", Text::new("edit.round"), *round, self.game.components.round_limit),
        ];
        for (seat, own) in (0..).zip(&seats[..self.game.seat_count()]) {
            let mut add = |id: &str, key: SmolStr, symbol: SmolStr, value: i64, most: i64| {
                let id = format_smolstr!("{id}/{seat}");
                fields.push(Field::number(id, Text::new(key), value, most.max(value)).of(seat).with_symbol(symbol));
            };
            add("silver", "counter.silver".into(), "silver".into(), own.silver.into(), MOST_SILVER.into());
            for (lane, id) in WORKER_IDS.into_iter().enumerate() {
                let held = own.workers.count(lane);
                let name = format_smolstr!("worker-{id}");
                let most = i64::from(held) + i64::from(workers.count(lane));
                add(&name, format_smolstr!("counter.worker.{id}"), name.clone(), held.into(), most);
            }
            for (lane, id) in GOOD_IDS.into_iter().enumerate() {
                let held = own.goods.count(lane);
                let name = format_smolstr!("good-{id}");
                let most = i64::from(held) + i64::from(supply.count(lane));
                add(&name, format_smolstr!("counter.good.{id}"), name.clone(), held.into(), most);
            }
            add("cow", "counter.cow".into(), "cow".into(), own.cows.into(), i64::from(own.cows) + i64::from(*cows));
            add("canteen", "counter.canteen".into(), "canteen".into(), own.canteens.into(), MOST_CANTEENS.into());
        }
        fields
    }

    fn put(&self, tool: &str, cells: &[SmolStr], _turn: Option<u16>) -> Result<String, Text> {
        let at = cells.first().and_then(|cell| self.spotted(cell)).ok_or_else(|| Text::new("edit.where"))?;
        let mut state = self.parts();
        let number = |prefix: &str| tool.strip_prefix(prefix).and_then(|number| number.parse::<u8>().ok());
        let lane = WORKER_IDS.iter().position(|id| tool.strip_prefix("worker-") == Some(id));
        match at {
            _ if tool == "remove" => self.remove(&mut state, &at)?,
            Spotted::Work(space) => {
                let lane = lane.ok_or_else(|| Text::new("edit.map"))?;
                self.work(&mut state, space, lane)?;
            }
            Spotted::Hex(_) if lane.is_some() => return Err(Text::new("edit.work")),
            Spotted::Hex(hex) => match (number("settlement-"), number("tile-")) {
                (Some(seat), _) => self.settle(&mut state, seat, hex)?,
                (_, Some(tile)) => self.lay(&mut state, tile, hex)?,
                _ if tool == "start" => self.start(&mut state, hex)?,
                _ => self.turn(&mut state, hex),
            },
        }
        Ok(self.text(state))
    }

    fn set(&self, field: &str, value: i64) -> Result<String, Text> {
        let mut state = self.parts();
        let Some((name, seat)) = field.split_once('/') else {
            match field {
                "seat" => state.turn = value as Seat,
                _ => state.round = (value as u8).max(1),
            }
            return Ok(self.text(state));
        };
        let own = &mut state.seats[seat.parse::<usize>().unwrap_or(0)];
        let count = value as u8;
        match name.split_once('-') {
            Some(("worker", id)) => {
                let lane = WORKER_IDS.iter().position(|&known| known == id).unwrap_or(0);
                let mut counts = own.workers.counts();
                counts[lane] = count;
                own.workers = Workers::of(counts);
            }
            Some((_, id)) => {
                let lane = GOOD_IDS.iter().position(|&known| known == id).unwrap_or(0);
                let mut counts = own.goods.counts();
                counts[lane] = count;
                own.goods = Goods::of(counts);
            }
            None => match name {
                "silver" => own.silver = value as u32,
                "cow" => own.cows = count,
                _ => own.canteens = count,
            },
        }
        Ok(self.text(state))
    }

    fn concerned(&self, fault: &Text) -> Vec<SmolStr> {
        let start = self.state.land.start;
        match &*fault.key {
            "fault.start" if start != NO_HEX => vec![self.game.map.name(start)],
            "fault.board.two" | "fault.board.full" => {
                let places = Self::full_spaces(&self.state);
                places.map(WorkSpace::Left).map(WorkSpace::cell).collect()
            }
            _ => Vec::new(),
        }
    }

    fn empty(&self) -> String {
        let fresh = Self { game: self.game, state: self.game.initial_state(), possible: true };
        fresh.text(fresh.parts())
    }
}

#[cfg(test)]
mod tests;
