//! Prices: the bank, the places of production, the city, and what a seat can pay for (rules 10, 22, 23, 28, 33).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::multiset::{COPPER, Goods, STONE};

/// The number of colours of workers, and of places of production.
pub(crate) const COLOURS: usize = 4;

/// The places of production in the order of their workers (n k y o).
pub(crate) const PLACES: [&str; COLOURS] = ["mine", "quarry", "field", "farm"];

/// A space of production: three times its place, plus 0, 1, 2.
pub(crate) type Space = u8;

/// A space of the city: four times its row, plus the place of its price; both from 0.
pub(crate) type CitySpace = u8;

/// The price of a cow: small goods and workers by their lanes.
// Two bytes only: a larger [`ActionKind`](crate::actions::ActionKind) costs a tenth of the time of random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CowTrade {
    Good(u8),
    Silver,
    Worker(u8),
}

/// The prices and yields of all work spaces, from `montana.json`.
#[derive(Debug)]
pub(crate) struct Prices {
    /// For each space of the bank, the workers placed and the silver gained.
    pub(crate) bank: [(u8, u8); 4],
    /// By worker.
    pub(crate) production: [Production; COLOURS],
    /// The rows of the city.
    pub(crate) rows: [Row; 4],
}

/// A mine, a quarry, a field or a farm.
#[derive(Debug)]
pub(crate) struct Production {
    /// The lane of its good.
    pub(crate) good: usize,
    /// For each space, silver paid and goods gained.
    pub(crate) left: [(u8, u8); 3],
    pub(crate) right: u8,
}

/// A row of the city.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) prices: [u8; 4],
    pub(crate) cows: u8,
    pub(crate) silver: u8,
    pub(crate) upgrades: u8,
    pub(crate) take: u8,
}

#[derive(Deserialize)]
pub(crate) struct Bank {
    spaces: [BankSpace; 4],
}

#[derive(Deserialize)]
struct BankSpace {
    workers: u8,
    silver: u8,
}

#[derive(Deserialize)]
pub(crate) struct Places {
    mine: Place,
    quarry: Place,
    field: Place,
    farm: Place,
}

#[derive(Deserialize)]
struct Place {
    good: String,
    left: [(u8, u8); 3],
    right: u8,
}

#[derive(Deserialize)]
pub(crate) struct City {
    pub(crate) free: BTreeMap<String, u8>,
    rows: [CityRow; 4],
}

#[derive(Deserialize)]
struct CityRow {
    prices: [u8; 4],
    reward: Reward,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Reward {
    cows: u8,
    silver: u8,
    upgrades: u8,
    take: u8,
}

impl Prices {
    pub(crate) fn new(bank: &Bank, places: &Places, city: &City) -> Self {
        let places = [&places.mine, &places.quarry, &places.field, &places.farm];
        Self {
            bank: bank.spaces.each_ref().map(|space| (space.workers, space.silver)),
            production: places.map(|place| Production {
                good: place.good.chars().next().and_then(Goods::lane).expect("a good's letter"),
                left: place.left,
                right: place.right,
            }),
            rows: city.rows.each_ref().map(|row| Row {
                prices: row.prices,
                cows: row.reward.cows,
                silver: row.reward.silver,
                upgrades: row.reward.upgrades,
                take: row.reward.take,
            }),
        }
    }
}

/// The purchases that a seat can pay for: small sets with one bit for each thing.
#[derive(Debug)]
pub(crate) struct Purchases {
    /// All cow trades.
    pub(crate) cow_trades: Vec<CowTrade>,
    /// All triples of goods.
    pub(crate) takes: Vec<Goods>,
    /// All choices of small goods to upgrade.
    pub(crate) swaps: Vec<Goods>,
    /// The possible upgrades, by goods held and upgrades allowed (see [`by_small_goods`]).
    pub(crate) swappable: [[[u16; 4]; 4]; 4],
    /// The affordable production spaces by silver. The last entry also stands for more silver.
    pub(crate) spaces: Vec<u16>,
    /// The usable bank spaces, by the free ones (rules 22).
    pub(crate) bank: [u8; 16],
    /// The affordable city spaces by vegetables. The last entry also stands for more vegetables.
    pub(crate) city_spaces: Vec<u16>,
    /// The city spaces that a contractor blocks, by its code: those of its row with no higher price.
    pub(crate) blocked: [u16; 2 + 16],
}

/// Returns the set of indices with a true flag.
fn places(flags: impl IntoIterator<Item = bool>) -> u16 {
    flags.into_iter().enumerate().fold(0, |set, (place, flag)| set | u16::from(flag) << place)
}

/// Lists what is affordable with each amount, from 0 to the highest price.
fn affordable(prices: &[u8]) -> Vec<u16> {
    let most = prices.iter().copied().max().unwrap_or(0);
    (0..=most).map(|means| places(prices.iter().map(|&price| price <= means))).collect()
}

/// Builds a table by small copper and small stone, each up to 3, and the upgrades allowed.
pub(crate) fn by_small_goods<T>(mut make: impl FnMut(Goods, u8) -> T) -> [[[T; 4]; 4]; 4] {
    [0, 1, 2, 3].map(|copper| {
        [0, 1, 2, 3].map(|stone| {
            let held = Goods::some(COPPER, copper).plus(Goods::some(STONE, stone));
            [0, 1, 2, 3].map(|most| make(held, most))
        })
    })
}

/// Whether a seat with these goods may upgrade `given`, with at most `most` upgrades.
pub(crate) fn may_swap(held: Goods, most: u8, given: Goods) -> bool {
    given.total() <= most && held.holds(given)
}

impl Purchases {
    /// Builds the tables for these cow trades, triples of goods and upgrades.
    pub(crate) fn new(prices: &Prices, cow_trades: Vec<CowTrade>, takes: Vec<Goods>, swaps: Vec<Goods>) -> Self {
        let spaces: Vec<u8> = prices.production.iter().flat_map(|place| place.left.map(|(silver, _)| silver)).collect();
        let city_spaces: Vec<u8> = prices.rows.iter().flat_map(|row| row.prices).collect();
        Self {
            cow_trades,
            takes,
            swappable: by_small_goods(|held, most| places(swaps.iter().map(|&given| may_swap(held, most, given)))),
            swaps,
            spaces: affordable(&spaces),
            bank: std::array::from_fn(|free| {
                // rules 22: of equal spaces only the first free one
                let is_free = |space: usize| free >> space & 1 == 1;
                let usable = |space: usize| {
                    is_free(space)
                        && (0..space).all(|lower| !is_free(lower) || prices.bank[lower] != prices.bank[space])
                };
                places((0..4).map(usable)) as u8
            }),
            blocked: std::array::from_fn(|code| {
                let keeps = |city_space: usize, other: usize| {
                    other / 4 == city_space / 4 && city_spaces[other] <= city_spaces[city_space]
                };
                let city_space = code.checked_sub(2);
                places((0..16).map(|other| city_space.is_some_and(|city_space| keeps(city_space, other))))
            }),
            city_spaces: affordable(&city_spaces),
        }
    }
}
