//! The components of the game, from `montana.json`, which also names the source of each figure.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::multiset::{Goods, Workers};
use crate::prices::{Bank, City, Places, Prices};

/// All components and limits.
#[derive(Debug)]
pub(crate) struct Components {
    /// By number of seats, starting with two.
    pub(crate) tables: [TableSetup; 3],
    pub(crate) worker_supply: Workers,
    pub(crate) start_goods: Goods,
    pub(crate) start_cows: u8,
    pub(crate) start_silver: [u8; 4],
    pub(crate) start_spins: u8,
    pub(crate) worker_limit: u8,
    pub(crate) round_limit: u8,
    /// The workers of each segment of the wheel, clockwise.
    pub(crate) wheel: [Segment; 8],
    pub(crate) prices: Prices,
    /// Vegetables for the seat that goes to the city.
    pub(crate) city_gift: u8,
    pub(crate) max_sites: u8,
    pub(crate) unbuilt_site_silver: u8,
    pub(crate) double_tiles: u8,
    pub(crate) line: u8,
    pub(crate) line_tiles: u8,
    pub(crate) cow_silver: u8,
    /// The map tiles: the centre hex, then clockwise from east.
    pub(crate) tiles: Vec<TileComponents>,
}

/// Components that depend on the number of seats.
#[derive(Debug)]
pub(crate) struct TableSetup {
    pub(crate) settlements: u8,
    pub(crate) goods: Goods,
    pub(crate) cows: u8,
    /// The slots' centres in drawing order, as axial coordinates.
    pub(crate) slots: Vec<(i8, i8)>,
}

/// A segment of the wheel with two workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) workers: Workers,
    /// The number of white workers.
    pub(crate) whites: u8,
}

/// A map tile.
#[derive(Debug)]
pub(crate) struct TileComponents {
    pub(crate) name: String,
    pub(crate) hexes: [Ground; 7],
}

/// The terrain of a hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ground {
    Lake,
    Mountain,
    Plain { cost: Goods, cow: bool, double: bool },
}

/// The components, read at first use.
pub(crate) static COMPONENTS: LazyLock<Components> = LazyLock::new(|| {
    let file: File = serde_json::from_str(include_str!("../montana.json")).expect("montana.json");
    file.into()
});

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    settlements_per_player: BTreeMap<String, serde_json::Value>,
    goods_supply: BTreeMap<String, serde_json::Value>,
    cow_supply: BTreeMap<String, serde_json::Value>,
    map: BTreeMap<String, serde_json::Value>,
    worker_supply_per_colour: Colours,
    start_goods: StartGoods,
    start_silver_by_seat: StartSilver,
    start_spins: PerSeat,
    worker_limit: PerSeat,
    round_limit: RoundLimit,
    tiles: Tiles,
    wheel: Wheel,
    bank: Bank,
    production: Places,
    city: City,
    build: Build,
    cow: Cow,
}

#[derive(Deserialize)]
struct Colours {
    n: u8,
    k: u8,
    y: u8,
    o: u8,
}

#[derive(Deserialize)]
struct StartGoods {
    c: u8,
    s: u8,
    g: u8,
    v: u8,
    cows: u8,
}

#[derive(Deserialize)]
struct StartSilver {
    silver: [u8; 4],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PerSeat {
    per_seat: u8,
}

#[derive(Deserialize)]
struct RoundLimit {
    rounds: u8,
}

#[derive(Deserialize)]
struct Tiles {
    list: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    id: String,
    hexes: [String; 7],
}

#[derive(Deserialize)]
struct Wheel {
    clockwise: [String; 8],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Build {
    max_hexes: u8,
    silver_per_hex_not_built: u8,
    double_icon_extra_tiles: u8,
    line: u8,
    line_extra_tiles: u8,
}

#[derive(Deserialize)]
struct Cow {
    r#for: Vec<String>,
}

fn value<T: serde::de::DeserializeOwned>(block: &BTreeMap<String, serde_json::Value>, seats: usize) -> T {
    serde_json::from_value(block[&seats.to_string()].clone()).expect("a value for every number of seats")
}

fn goods(counts: &BTreeMap<String, u8>) -> Goods {
    counts.iter().fold(Goods::NONE, |goods, (letter, &count)| {
        goods.plus(Goods::some(letter.chars().next().and_then(Goods::lane).expect("a good's letter"), count))
    })
}

impl From<File> for Components {
    fn from(file: File) -> Self {
        let table = |seats: usize| {
            let slots: Vec<(i8, i8)> = value(&file.map, seats);
            let counts: BTreeMap<String, u8> = value(&file.goods_supply, seats);
            TableSetup {
                settlements: value(&file.settlements_per_player, seats),
                goods: goods(&counts),
                cows: value(&file.cow_supply, seats),
                // The file has slots as [u, v].
                slots: slots.into_iter().map(|(u, v)| (2 * u - v, u + 3 * v)).collect(),
            }
        };
        let colours = &file.worker_supply_per_colour;
        let start = &file.start_goods;
        let silver = file.cow.r#for.iter().find_map(|thing| thing.strip_suffix(" silver"));
        Self {
            tables: [table(2), table(3), table(4)],
            worker_supply: Workers::of([colours.n, colours.k, colours.y, colours.o]),
            start_goods: Goods::of([start.c, 0, start.s, 0, start.g, start.v]),
            start_cows: start.cows,
            start_silver: file.start_silver_by_seat.silver,
            start_spins: file.start_spins.per_seat,
            worker_limit: file.worker_limit.per_seat,
            round_limit: file.round_limit.rounds,
            wheel: file.wheel.clockwise.each_ref().map(|pair| Segment::read(pair)),
            city_gift: file.city.free["v"],
            prices: Prices::new(&file.bank, &file.production, &file.city),
            max_sites: file.build.max_hexes,
            unbuilt_site_silver: file.build.silver_per_hex_not_built,
            double_tiles: file.build.double_icon_extra_tiles,
            line: file.build.line,
            line_tiles: file.build.line_extra_tiles,
            cow_silver: silver.and_then(|silver| silver.parse().ok()).expect("silver for a cow"),
            tiles: file
                .tiles
                .list
                .iter()
                .map(|tile| TileComponents {
                    name: tile.id.clone(),
                    hexes: tile.hexes.each_ref().map(|hex| Ground::read(hex)),
                })
                .collect(),
        }
    }
}

impl Segment {
    fn read(pair: &str) -> Self {
        let coloured: String = pair.chars().filter(|&letter| letter != 'w').collect();
        Self {
            workers: Workers::parse(&coloured).expect("letters of workers"),
            whites: (pair.len() - coloured.len()) as u8,
        }
    }
}

impl Ground {
    fn read(text: &str) -> Self {
        match text {
            "lake" => Self::Lake,
            "mountain" => Self::Mountain,
            plain => {
                let (cost, icon) = plain.split_once('+').unwrap_or((plain, ""));
                let cost = Goods::parse(cost).expect("a cost in goods");
                Self::Plain { cost, cow: icon == "cow", double: icon == "double" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_landscape_has_the_figures_of_the_rule_book() {
        let hexes: Vec<Ground> = COMPONENTS.tiles.iter().flat_map(|tile| tile.hexes).collect();
        let count = |test: fn(&Ground) -> bool| hexes.iter().filter(|ground| test(ground)).count();
        assert_eq!(count(|ground| matches!(ground, Ground::Plain { .. })), 62);
        assert_eq!(count(|ground| matches!(ground, Ground::Plain { cow: true, .. })), 12);
        assert_eq!(count(|ground| matches!(ground, Ground::Plain { double: true, .. })), 8);
        assert_eq!(count(|ground| *ground == Ground::Mountain), 16);
        assert_eq!(count(|ground| *ground == Ground::Lake), 6);
    }
}
