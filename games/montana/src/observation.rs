//! A position as planes of numbers.
//!
//! The rows are the coordinates r of the hexes from the lowest up, the columns the coordinates q. The rectangle has cells
//! beyond the map, in which every plane is 0.
//!
//! There are no symmetries: chance fills the slots of the map in a fixed order, which no rotation preserves (rules 3).
//!
//! Two things are summarized. Silver above 255 is shown as 255. The workers at a place of work are counted for the place,
//! because they leave together (rules 26).

use tavola_core::random::mix;
use tavola_core::{Game, Observe, Plane, Seat};

use crate::game::Montana;
use crate::map::Hex;
use crate::multiset::KINDS;
use crate::prices::{COLOURS, PLACES};
use crate::rules::work::BANK;
use crate::state::{SEATS, Stage, State};

/// The most of one good that a plain costs.
const MOST_COST: u8 = 2;

/// The most settlement tiles on a hex: one, one for a double icon, one for a line (rules 40, 41).
const MOST_TILES: u8 = 3;

/// The planes of cells before those of settlements.
const CELL_PLANES: usize = 9 + KINDS;

const SEAT_NAMES: [&str; SEATS] = ["own", "next", "third", "fourth"];
const GOOD_NAMES: [&str; KINDS] = ["small_copper", "large_copper", "small_stone", "large_stone", "grain", "vegetable"];
const WORKER_NAMES: [&str; COLOURS] = ["brown", "black", "yellow", "orange"];

/// The stages in which the game is not over, by their code.
const STAGES: [(&str, &str); 13] = [
    ("tile", "Chance draws a map tile."),
    ("rotation", "Chance rotates a map tile."),
    ("start", "Chance draws the start hex."),
    ("spin", "Chance spins the wheel."),
    ("hire_pair", "The seat chooses the colours of the white workers of one segment."),
    ("hire_pairs", "The seat chooses the colours of the white workers of two segments."),
    ("main", "The seat chooses what to do in its turn."),
    ("shift", "The seat pays grain at the wheel."),
    ("extra", "The seat may place a second crew."),
    ("build", "The seat may build again."),
    ("end", "The seat may trade cows or use a canteen, or end the turn."),
    ("bid", "A seat places its contractor or passes."),
    ("reward", "A seat chooses its reward."),
];

/// Writes one number after the other.
struct Scalars<'a>(std::slice::IterMut<'a, u8>);

impl Scalars<'_> {
    fn put(&mut self, value: u8) {
        *self.0.next().expect("a plane for each number") = value;
    }

    fn put_all(&mut self, values: impl IntoIterator<Item = u8>) {
        values.into_iter().for_each(|value| self.put(value));
    }

    /// Writes 1 for one of `count` values, and 0 for the others.
    fn put_one_of(&mut self, count: u8, chosen: Option<u8>) {
        self.put_all((0..count).map(|value| u8::from(chosen == Some(value))));
    }
}

impl Montana {
    /// The seats as a seat sees them: itself, then the others in turn order.
    fn seen_from(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (0..seats).map(move |ahead| (seat + ahead) % seats)
    }

    /// The number of the tile under a hex and its rotation, each plus 1; 0 for what is not known.
    fn tile_at(&self, state: &State, hex: Hex) -> (u8, u8) {
        let (slot, _) = self.map.places[usize::from(hex)];
        let laid = state.land.slots[usize::from(slot)];
        (laid.tile().map_or(0, |tile| tile + 1), laid.turn().map_or(0, |turn| turn + 1))
    }

    fn observe_map(&self, state: &State, seat: Seat, cells: usize, board: &mut [u8]) {
        let land = &state.land;
        let settled = land.all_settled();
        let plains = land.free.or(settled);
        for (hex, &cell) in (0..).zip(&self.map.cells) {
            let cell = usize::from(cell);
            let (tile, turn) = self.tile_at(state, hex);
            let is_plain = plains.contains(hex) || hex == land.start;
            let is_lake = land.lakes.contains(hex);
            let around = self.map.around[usize::from(hex)];
            let first = [
                1,
                tile,
                turn,
                is_plain.into(),
                is_lake.into(),
                u8::from(turn > 0 && !is_plain && !is_lake),
                u8::from(is_lake && around.and(settled).is_empty()),
                land.cows.contains(hex).into(),
                land.doubles.contains(hex).into(),
            ];
            let costs = if is_plain { self.cost(land, hex).counts() } else { [0; KINDS] };
            for (plane, value) in first.into_iter().chain(costs).enumerate() {
                board[plane * cells + cell] = value;
            }
            board[CELL_PLANES * cells + cell] = u8::from(hex == land.start);
            if settled.contains(hex) {
                let owner = self.seen_from(seat).position(|other| land.settled[usize::from(other)].contains(hex));
                let plane = CELL_PLANES + 1 + owner.expect("a seat of the game has settled it");
                board[plane * cells + cell] = land.tiles(hex);
            }
        }
    }

    /// The stage, its details, and the seat that it concerns.
    fn observe_stage(state: &State, scalars: &mut Scalars<'_>) {
        let (code, _) = state.stage.code();
        scalars.put_one_of(STAGES.len() as u8, Some(code));
        let (segment, second) = match state.stage {
            Stage::Hire(segment, second) => (Some(segment), second),
            Stage::Shift(segment) => (Some(segment), None),
            _ => (None, None),
        };
        scalars.put_one_of(8, segment);
        scalars.put_one_of(8, second);
        scalars.put_one_of(12, if let Stage::Extra(space) = state.stage { Some(space) } else { None });
        scalars.put(if let Stage::Build(sites) = state.stage { sites } else { 0 });
    }
}

impl Observe for Montana {
    fn board(&self) -> (usize, usize) {
        self.map.rectangle
    }

    fn planes(&self) -> Vec<Plane> {
        let seats = self.seats;
        let mut planes = self.cell_planes();
        let mut add = |name: String, high: u8, about: String| planes.push(Plane::scalar(name, high, about));
        let start = self.components.start_goods;
        let goods: [u8; KINDS] = std::array::from_fn(|lane| self.table.goods.count(lane) + seats * start.count(lane));
        let cows = self.table.cows + seats * self.components.start_cows + self.components.tiles.len() as u8;
        for seat in &SEAT_NAMES[..usize::from(seats)] {
            for (good, high) in GOOD_NAMES.into_iter().zip(goods) {
                add(format!("{seat}_{good}"), high, format!("The goods `{good}` of the {seat} seat."));
            }
            for (lane, worker) in WORKER_NAMES.into_iter().enumerate() {
                let high = self.components.worker_supply.count(lane);
                add(format!("{seat}_{worker}"), high, format!("The {worker} workers of the {seat} seat."));
            }
            add(format!("{seat}_silver"), u8::MAX, format!("The silver of the {seat} seat, at most 255."));
            add(format!("{seat}_cows"), cows, format!("The cows of the {seat} seat."));
            let canteens = self.map.hexes;
            add(format!("{seat}_canteens"), canteens, format!("The canteens of the {seat} seat."));
            let about = format!("The settlement tiles that the {seat} seat has not placed yet.");
            add(format!("{seat}_tiles"), self.table.settlements, about);
            add(format!("{seat}_passed"), 1, format!("The contractor of the {seat} seat has passed."));
            for row in 1..=4 {
                add(format!("{seat}_row_{row}"), 1, format!("The contractor of the {seat} seat is in row {row}."));
            }
            let about =
                format!("The space of the contractor of the {seat} seat in its row, from 1; 0 outside the city.");
            add(format!("{seat}_space"), 4, about);
            add(format!("{seat}_turn"), 1, format!("It is the turn of the {seat} seat."));
            add(format!("{seat}_decides"), 1, format!("The {seat} seat bids or chooses a reward."));
        }
        for (good, high) in GOOD_NAMES.into_iter().zip(goods) {
            add(format!("supply_{good}"), high, format!("The goods `{good}` in the supply."));
        }
        for (lane, worker) in WORKER_NAMES.into_iter().enumerate() {
            let high = self.components.worker_supply.count(lane);
            add(format!("supply_{worker}"), high, format!("The {worker} workers in the supply."));
        }
        add("supply_cow".into(), cows, "The cows in the supply.".into());
        for space in 1..=4 {
            add(format!("bank_{space}_used"), 1, format!("Space {space} of the bank is used."));
        }
        for place in PLACES {
            for space in 1..=3 {
                add(format!("{place}_{space}_used"), 1, format!("Space {space} of the {place} is used."));
            }
        }
        for place in PLACES.into_iter().chain(["bank"]) {
            for (lane, worker) in WORKER_NAMES.into_iter().enumerate() {
                let high = self.components.worker_supply.count(lane);
                add(format!("{place}_{worker}"), high, format!("The {worker} workers on all spaces of the {place}."));
            }
        }
        for (stage, about) in STAGES {
            add(format!("stage_{stage}"), 1, about.into());
        }
        for segment in 0..8 {
            let about = format!("The wheel stopped at segment {segment}, and the seat chooses grain or colours.");
            add(format!("segment_{segment}"), 1, about);
        }
        for segment in 0..8 {
            let about = format!("The seat also gains the workers of segment {segment}, and chooses colours.");
            add(format!("second_segment_{segment}"), 1, about);
        }
        for place in PLACES {
            for space in 1..=3 {
                let about = format!("The seat may place a second crew at space {space} of the {place}.");
                add(format!("extra_{place}_{space}"), 1, about);
            }
        }
        add("sites".into(), self.components.max_sites, "The sites built in this turn.".into());
        add("extra_turn".into(), 1, "It is an extra turn.".into());
        add("turn_order".into(), seats - 1, "The number of seats before the own one in a round.".into());
        add("round".into(), self.components.round_limit, "The number of the round; 0 in the set-up.".into());
        planes
    }

    fn observe(&self, state: &State, seat: Seat, out: &mut [u8]) {
        let (rows, columns) = self.board();
        let cells = rows * columns;
        let (board, scalars) = out.split_at_mut((CELL_PLANES + 1 + self.seat_count()) * cells);
        self.observe_map(state, seat, cells, board);
        let mut scalars = Scalars(scalars.iter_mut());
        let decides = match state.stage {
            Stage::Bid(seat) | Stage::Reward(seat) => Some(seat),
            _ => None,
        };
        for other in self.seen_from(seat) {
            let holdings = &state.seats[usize::from(other)];
            let contractor = state.contractors[usize::from(other)];
            scalars.put_all(holdings.goods.counts());
            scalars.put_all(holdings.workers.counts());
            scalars.put(holdings.silver.min(u8::MAX.into()) as u8);
            scalars.put_all([holdings.cows, holdings.canteens, holdings.tiles]);
            scalars.put(u8::from(contractor.code() == 1));
            scalars.put_one_of(4, contractor.city_space().map(|space| space / 4));
            scalars.put(contractor.city_space().map_or(0, |space| space % 4 + 1));
            scalars.put_all([u8::from(state.turn == other), u8::from(decides == Some(other))]);
        }
        scalars.put_all(state.supply.counts());
        scalars.put_all(state.workers.counts());
        scalars.put(state.cows);
        scalars.put_all(state.bank.iter().chain(&state.left).map(|&crew| u8::from(crew != 0)));
        for place in 0..=BANK {
            scalars.put_all(self.workers_at(state, place).counts());
        }
        Self::observe_stage(state, &mut scalars);
        scalars.put_all([u8::from(state.extra_turn), seat, state.round]);
    }

    /// With silver up to 255, and the workers of each place of work in sum.
    fn observed_key(&self, state: &State) -> u64 {
        let mut shown = *state;
        for holdings in &mut shown.seats {
            holdings.silver = holdings.silver.min(u8::MAX.into());
        }
        shown.bank = state.bank.map(|crew| u8::from(crew != 0));
        shown.left = state.left.map(|crew| u8::from(crew != 0));
        shown.right = [0; 12];
        (0..=BANK).fold(self.key(&shown), |key, place| mix(key ^ u64::from(self.workers_at(state, place).0)))
    }
}

impl Montana {
    fn cell_planes(&self) -> Vec<Plane> {
        let mut planes = vec![
            Plane::cells("hex", 1, "The cell is a hex of the map."),
            Plane::cells(
                "tile",
                self.components.tiles.len() as u8,
                "The map tile, by its number from 1; 0 before its draw.",
            ),
            Plane::cells("rotation", 6, "The rotation of the map tile plus 1; 0 before it is known."),
            Plane::cells("plain", 1, "The hex is a plain."),
            Plane::cells("lake", 1, "The hex is a lake."),
            Plane::cells("mountain", 1, "The hex is a mountain."),
            Plane::cells("canteen", 1, "The lake still has its canteen."),
            Plane::cells("cow", 1, "The plain has a cow icon."),
            Plane::cells("double", 1, "The plain has a double icon."),
        ];
        for good in GOOD_NAMES {
            planes.push(Plane::cells(
                format!("cost_{good}"),
                MOST_COST,
                format!("The goods `{good}` that the plain costs."),
            ));
        }
        planes.push(Plane::cells("start", 1, "The start tile is here."));
        for seat in &SEAT_NAMES[..self.seat_count()] {
            let about = format!("The settlement tiles of the {seat} seat on the hex.");
            planes.push(Plane::cells(format!("{seat}_settlement"), MOST_TILES, about));
        }
        planes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::multiset::{GOODS, WORKERS};

    #[test]
    fn names_are_in_the_order_of_the_letters() {
        assert_eq!(GOODS, ['c', 'C', 's', 'S', 'g', 'v']);
        assert_eq!(WORKERS, ['n', 'k', 'y', 'o']);
        assert_eq!(Stage::Over.code().0, STAGES.len() as u8);
    }
}
