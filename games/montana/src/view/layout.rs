//! The layout: the ids of cells and their coordinates, in cell widths.

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

pub(crate) const WHEEL: (f64, f64) = (9.2, -2.9);
/// The cell in the centre of the wheel, around which its arrow rotates.
pub(crate) const HUB: &str = "wheel";
const WHEEL_RADIUS: f64 = 1.45;
/// The radius of the arrow's path, between the hub and the segments.
const WAY_RADIUS: f64 = 0.93;

/// Returns the middle of the map, which is drawn at 0,0.
pub(crate) fn middle(map: &Map) -> (f64, f64) {
    let places = || map.coordinates.iter().map(|&coordinates| plane(coordinates));
    let between = |values: &dyn Fn((f64, f64)) -> f64| {
        let least = places().map(values).fold(f64::INFINITY, f64::min);
        let most = places().map(values).fold(f64::NEG_INFINITY, f64::max);
        f64::midpoint(least, most)
    };
    (between(&|(x, _)| x), between(&|(_, y)| y))
}

fn plane((q, r): (i8, i8)) -> (f64, f64) {
    (f64::from(q) + f64::from(r) / 2.0, f64::from(r) * 3f64.sqrt() / 2.0)
}

/// Returns the centre of a hex, relative to the middle of the map.
pub(crate) fn hex(map: &Map, hex: Hex, (left, top): (f64, f64)) -> (f64, f64) {
    let (x, y) = plane(map.coordinates[usize::from(hex)]);
    (x - left, y - top)
}

/// Returns the centre of a segment of the wheel, clockwise from the top.
pub(crate) fn segment(segment: u8) -> (f64, f64) {
    on_the_wheel(f64::from(segment), WHEEL_RADIUS)
}

/// Returns the point `segments` clockwise from the top, at a distance from the hub.
fn on_the_wheel(segments: f64, radius: f64) -> (f64, f64) {
    let angle = segments * std::f64::consts::FRAC_PI_4;
    (WHEEL.0 + radius * angle.sin(), WHEEL.1 - radius * angle.cos())
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

pub(crate) fn row(row: usize) -> (f64, f64) {
    (6.5, row as f64 + 1.0)
}

pub(crate) fn city_space(row: usize, price: u8) -> (f64, f64) {
    (6.9 + f64::from(price), row as f64 + 1.0)
}

pub(crate) fn city_cell(game: &Montana, city_space: CitySpace) -> SmolStr {
    let (row, price) = game.city_space(city_space);
    format_smolstr!("city-{}-{price}", row + 1)
}

pub(crate) fn store(seat: Seat) -> (f64, f64) {
    (12.7, -4.4 + 1.1 * f64::from(seat))
}

pub(crate) fn store_cell(seat: Seat) -> SmolStr {
    format_smolstr!("store-{seat}")
}

/// Returns the left side of a space. The right side is next to it.
pub(crate) fn space(space: Space) -> (f64, f64) {
    (-3.7 + 3.5 * f64::from(space / 3), 5.5 + 1.05 * f64::from(space % 3))
}

pub(crate) const RIGHT_SIDE: f64 = 1.15;

pub(crate) fn left_cell(space: Space) -> SmolStr {
    format_smolstr!("{}{}", PLACES[usize::from(space / 3)], space % 3 + 1)
}

pub(crate) fn right_cell(space: Space) -> SmolStr {
    format_smolstr!("{}-r", left_cell(space))
}

pub(crate) fn bank(space: u8) -> (f64, f64) {
    (10.7 + 2.1 * f64::from(space % 2), 5.5 + 1.05 * f64::from(space / 2))
}

pub(crate) fn bank_cell(space: u8) -> SmolStr {
    format_smolstr!("bank{}", space + 1)
}

/// Returns a column of the supply (row 0) or of the player board (row 1).
pub(crate) fn column(column: usize, row: u8) -> (f64, f64) {
    (-5.2 + 1.3 * column as f64, 8.85 + 1.05 * f64::from(row))
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
