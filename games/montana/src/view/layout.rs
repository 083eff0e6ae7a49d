//! The layout: the ids of cells and their coordinates, in widths of a cell of size 1.
//!
//! The map is on the left, in a box around 0,0, with the wheel in a corner and the supply below it. The places of work
//! are in a column on the right, as cards with a heading. The player board is a strip below everything.

use tavola_core::{Seat, SmolStr, format_smolstr};

use crate::game::Montana;
use crate::map::{Hex, Map};
use crate::prices::{CitySpace, CowTrade, PLACES, Space};
use crate::view::labels::{GOOD_IDS, WORKER_IDS};

/// The columns of the supply and of the player board.
pub(crate) const COLUMNS: [&str; 14] =
    ["n", "k", "y", "o", "c", "cl", "s", "sl", "g", "v", "cow", "silver", "canteen", "tile"];
/// The number of columns of the supply. The round is in the next one.
pub(crate) const SUPPLY_COLUMNS: usize = 12;

/// Width and height of the box that the map fills.
const MAP_BOX: (f64, f64) = (11.2, 12.2);

pub(crate) const WHEEL: (f64, f64) = (4.6, -5.25);
/// The size of the wheel's cells.
pub(crate) const WHEEL_SIZE: f64 = 0.5;
/// The cell in the centre of the wheel, around which its arrow rotates.
pub(crate) const HUB: &str = "wheel";
const WHEEL_RADIUS: f64 = 1.45 * WHEEL_SIZE;
/// The radius of the arrow's path, on the hub: further out it crosses the costs below the segments.
const WAY_RADIUS: f64 = 0.72 * WHEEL_SIZE;

/// The size of the cells of the work board.
pub(crate) const WORK_SIZE: f64 = 0.86;
/// The corner of the work board.
const WORK: (f64, f64) = (5.85, -6.25);
/// From the edge of a card to the first row below its heading, from row to row, and from card to card.
const FIRST_ROW: f64 = 1.18;
const ROW: f64 = 1.05;
const CARD: (f64, f64) = (3.67, 4.05);
/// The upper edges of the bank and the city.
const BANK: f64 = 2.0 * CARD.1;
const CITY: f64 = BANK + 1.96;

/// The size of the supply's cells.
pub(crate) const SUPPLY_SIZE: f64 = 0.7;
/// The cell that stands for the whole supply.
pub(crate) const SUPPLY: &str = "supply";
const SUPPLY_ROW: f64 = 6.43;
const HAND_ROW: f64 = 7.3;

/// Rounds a coordinate: fewer digits are enough.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

fn place(x: f64, y: f64) -> (f64, f64) {
    (rounded(x), rounded(y))
}

/// Returns a place on the work board, in cell widths from its corner.
fn at_work(x: f64, y: f64) -> (f64, f64) {
    place(WORK.0 + WORK_SIZE * x, WORK.1 + WORK_SIZE * y)
}

/// The middle of a map and the size of its hexes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MapFrame {
    middle: (f64, f64),
    pub(crate) size: f64,
}

impl MapFrame {
    /// Returns the frame that lets a map fill its box.
    pub(crate) fn of(map: &Map) -> Self {
        let places = || map.coordinates.iter().map(|&coordinates| plane(coordinates));
        let range = |values: &dyn Fn((f64, f64)) -> f64| {
            let least = places().map(values).fold(f64::INFINITY, f64::min);
            let most = places().map(values).fold(f64::NEG_INFINITY, f64::max);
            (f64::midpoint(least, most), most - least)
        };
        let ((x, wide), (y, high)) = (range(&|(x, _)| x), range(&|(_, y)| y));
        let size = (MAP_BOX.0 / (wide + 1.0)).min(MAP_BOX.1 / (high + 2.0 / 3f64.sqrt()));
        Self { middle: (x, y), size: rounded(size) }
    }
}

fn plane((q, r): (i8, i8)) -> (f64, f64) {
    (f64::from(q) + f64::from(r) / 2.0, f64::from(r) * 3f64.sqrt() / 2.0)
}

/// Returns the centre of a hex.
pub(crate) fn hex(map: &Map, hex: Hex, frame: MapFrame) -> (f64, f64) {
    let (x, y) = plane(map.coordinates[usize::from(hex)]);
    place((x - frame.middle.0) * frame.size, (y - frame.middle.1) * frame.size)
}

/// Returns the centre of a segment of the wheel, clockwise from the top.
pub(crate) fn segment(segment: u8) -> (f64, f64) {
    on_the_wheel(f64::from(segment), WHEEL_RADIUS)
}

/// Returns the point `segments` clockwise from the top, at a distance from the hub.
fn on_the_wheel(segments: f64, radius: f64) -> (f64, f64) {
    let angle = segments * std::f64::consts::FRAC_PI_4;
    place(WHEEL.0 + radius * angle.sin(), WHEEL.1 - radius * angle.cos())
}

/// Returns the arrow's path over `steps` segments: an arc around the hub.
pub(crate) fn arrow_path(segment: u8, steps: u8) -> Vec<(f64, f64)> {
    // The tangents of an eighth of a circle meet half-way, slightly outside it.
    let outside = WAY_RADIUS / std::f64::consts::FRAC_PI_8.cos();
    let stretch = |step: u8| {
        let before = f64::from(segment + step);
        [on_the_wheel(before + 0.5, outside), on_the_wheel(before + 1.0, WAY_RADIUS)]
    };
    std::iter::once(on_the_wheel(segment.into(), WAY_RADIUS)).chain((0..steps).flat_map(stretch)).collect()
}

pub(crate) fn segment_cell(segment: u8) -> SmolStr {
    format_smolstr!("wheel-{segment}")
}

/// Returns the reward of a row of the city, left of its spaces.
pub(crate) fn row(row: usize) -> (f64, f64) {
    at_work(1.25, CITY + FIRST_ROW + ROW * row as f64)
}

pub(crate) fn city_space(city_space: CitySpace) -> (f64, f64) {
    at_work(2.92 + 0.95 * f64::from(city_space % 4), CITY + FIRST_ROW + ROW * f64::from(city_space / 4))
}

pub(crate) fn city_cell(game: &Montana, city_space: CitySpace) -> SmolStr {
    let (row, price) = game.city_space(city_space);
    format_smolstr!("city-{}-{price}", row + 1)
}

pub(crate) fn store(seat: Seat) -> (f64, f64) {
    at_work(6.74, CITY + FIRST_ROW + ROW * f64::from(seat))
}

pub(crate) fn store_cell(seat: Seat) -> SmolStr {
    format_smolstr!("store-{seat}")
}

/// Returns the left side of a space. The right side is next to it.
pub(crate) fn space(space: Space) -> (f64, f64) {
    let (card, row) = (space / 3, f64::from(space % 3));
    at_work(1.84 + CARD.0 * f64::from(card % 2), CARD.1 * f64::from(card / 2) + FIRST_ROW + ROW * row)
}

/// Returns the right side of a space.
pub(crate) fn right_side(space: Space) -> (f64, f64) {
    let (x, y) = self::space(space);
    place(x + 1.02 * WORK_SIZE, y)
}

pub(crate) fn left_cell(space: Space) -> SmolStr {
    format_smolstr!("{}{}", PLACES[usize::from(space / 3)], space % 3 + 1)
}

pub(crate) fn right_cell(space: Space) -> SmolStr {
    format_smolstr!("{}-r", left_cell(space))
}

pub(crate) fn bank(space: u8) -> (f64, f64) {
    at_work(1.24 + 1.78 * f64::from(space), BANK + FIRST_ROW)
}

pub(crate) fn bank_cell(space: u8) -> SmolStr {
    format_smolstr!("bank{}", space + 1)
}

/// Returns the place of the whole supply (0), or of one of its columns (1 and more).
pub(crate) fn supply(place: usize) -> (f64, f64) {
    self::place(-5.2 + 0.88 * place as f64, SUPPLY_ROW)
}

/// Returns a column of the player board: workers, goods, and the rest, with gaps between them.
pub(crate) fn hand(column: usize) -> (f64, f64) {
    let group = if column < 4 {
        0.0
    } else if column < 10 {
        1.0
    } else {
        2.0
    };
    place(-5.0 + 1.22 * column as f64 + 0.27 * group, HAND_ROW)
}

pub(crate) fn supply_cell(id: &str) -> SmolStr {
    format_smolstr!("supply-{id}")
}

pub(crate) fn hand_cell(id: &str) -> SmolStr {
    format_smolstr!("hand-{id}")
}

/// Returns the column of what a cow is traded for.
pub(crate) fn trade_column(trade: CowTrade) -> &'static str {
    match trade {
        CowTrade::Good(lane) => GOOD_IDS[usize::from(lane)],
        CowTrade::Silver => "silver",
        CowTrade::Worker(lane) => WORKER_IDS[usize::from(lane)],
    }
}
