//! The evaluation: tiles placed, goods and workers, reachable sites, tempo.

use std::sync::LazyLock;

use tavola_core::{Evaluate, Features, Options, Seat, Weights, features};

use crate::game::Montana;
use crate::multiset::{COPPER, Goods, STONE};
use crate::prices::CitySpace;
use crate::state::{Holdings, Stage, State};

/// A settlement tile on the map.
const TILE: i32 = 100;
/// The value of small goods of one kind, by their number. Each is worth less than the one before.
const SMALL: [i32; 7] = [0, 14, 26, 35, 41, 45, 47];
const LARGE: [i32; 7] = [0, 26, 47, 62, 72, 78, 80];
/// The value of workers of one colour, by their number.
const WORKER_VALUES: [i32; 6] = [0, 10, 17, 21, 24, 26];
/// The value of silver, by its amount.
const SILVER: [i32; 13] = [0, 5, 10, 14, 18, 22, 25, 27, 29, 31, 32, 33, 34];
const COW: i32 = 14;
const CANTEEN: i32 = 12;
/// The value of being at the start of a turn.
const TURN: i32 = 18;
/// The penalty for each small good missing for a reachable site. A large good counts twice.
const MISSING: i32 = 3;
/// The number of sites considered: the most that a turn allows.
const SITES: usize = 3;
/// The value of workers about to come from the wheel, by the free places on the player board.
const SPIN: [i32; 3] = [1, 8, 17];

fn at(table: &[i32], count: u32) -> i32 {
    table[(count as usize).min(table.len() - 1)]
}

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::compiled_in(include_str!("../weights.json"), Montana::FEATURES));

/// Returns the weights for these options.
pub(crate) fn weights(options: &Options) -> &'static Features {
    WEIGHTS.under(options)
}

impl Evaluate for Montana {
    const FEATURES: &'static [&'static str] = &[
        "to_act",
        "turn_ahead",
        "tiles",
        "tiles_late",
        "goods",
        "goods_late",
        "hands",
        "hands_late",
        "silver",
        "cows",
        "canteens",
        "missing",
        "coming",
        "last_round",
    ];

    fn features(&self, state: &State, seat: Seat) -> Features {
        let holdings = &state.seats[usize::from(seat)];
        let all = self.table.settlements;
        let fewest = state.seats[..self.seat_count()].iter().map(|holdings| holdings.tiles).min().unwrap_or(all);
        // The progress of the game, from 0 to 1. Tiles count more at the end.
        let late = f32::from(all - fewest) / f32::from(all);
        let tiles = f32::from(all - holdings.tiles);
        let [goods, worker_value] =
            [goods_value(holdings), worker_value(holdings)].map(|worth| worth as f32 / TILE as f32);
        features([
            f32::from(u8::from(seat == state.turn)),
            f32::from(u8::from(seat > state.turn)),
            tiles,
            tiles * late,
            goods,
            goods * late,
            worker_value,
            worker_value * late,
            at(&SILVER, holdings.silver) as f32 / TILE as f32,
            f32::from(holdings.cows),
            f32::from(holdings.canteens),
            self.missing_most(state, seat) as f32,
            self.coming(state, seat) as f32 / TILE as f32,
            if fewest == 0 { tiles } else { 0.0 },
        ])
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    /// Measured: docs/explanation/learning.md.
    fn prior(&self) -> Option<f32> {
        Some(4.0)
    }
}

/// Returns the value of a seat's goods, in hundredths of a tile.
fn goods_value(holdings: &Holdings) -> i32 {
    let kinds = holdings.goods.counts().into_iter().zip([&SMALL, &LARGE, &SMALL, &LARGE, &SMALL, &SMALL]);
    kinds.map(|(count, table)| at(table, count.into())).sum()
}

/// Returns the value of a seat's workers, in hundredths of a tile.
fn worker_value(holdings: &Holdings) -> i32 {
    holdings.workers.counts().into_iter().map(|count| at(&WORKER_VALUES, count.into())).sum()
}

impl Montana {
    /// Returns the value of the position for a seat, in hundredths of a tile.
    pub fn worth(&self, state: &State, seat: Seat) -> i32 {
        let holdings = &state.seats[usize::from(seat)];
        let placed = i32::from(self.table.settlements - holdings.tiles);
        TILE * placed
            + goods_value(holdings)
            + worker_value(holdings)
            + at(&SILVER, holdings.silver)
            + COW * i32::from(holdings.cows)
            + CANTEEN * i32::from(holdings.canteens)
            - MISSING * self.missing_most(state, seat)
            + self.coming(state, seat)
    }

    /// Returns what a seat lacks for its nearest sites, in small goods.
    fn missing_most(&self, state: &State, seat: Seat) -> i32 {
        let holdings = &state.seats[usize::from(seat)];
        if holdings.tiles == 0 {
            return 0;
        }
        // A seat with fewer sites than a turn allows gets the full penalty for each missing site.
        let mut least = [8; SITES];
        for hex in self.sites(&state.land, seat).iter() {
            let mut missing = lacking(holdings.goods, self.cost(&state.land, hex));
            if state.land.doubles.contains(hex) {
                missing /= 2;
            }
            for known in &mut least {
                if missing < *known {
                    std::mem::swap(known, &mut missing);
                }
            }
        }
        least.into_iter().sum()
    }

    /// Returns the value of pending workers and rewards.
    fn coming(&self, state: &State, seat: Seat) -> i32 {
        let own = seat == state.turn;
        match state.stage {
            Stage::Main if own => TURN,
            Stage::Spin | Stage::Shift(_) | Stage::Hire(..) if own => {
                let room = self.components.worker_limit.saturating_sub(state.active().workers.total());
                at(&SPIN, room.into())
            }
            Stage::Bid(acting) if acting == seat => 8,
            Stage::Bid(_) => match state.contractors[usize::from(seat)].city_space() {
                Some(city_space) => self.reward_worth(state, seat, city_space),
                None => 0,
            },
            Stage::Reward(acting) if acting == seat => 10,
            _ => 0,
        }
    }

    fn reward_worth(&self, state: &State, seat: Seat, city_space: CitySpace) -> i32 {
        let (row, price) = self.city_space(city_space);
        let row = &self.components.prices.rows[row];
        let goods = state.seats[usize::from(seat)].goods;
        let given = (goods.count(COPPER) + goods.count(STONE)).min(row.upgrades);
        12 * i32::from(given) + COW * i32::from(row.cows) + 4 * i32::from(row.silver) + 12 * i32::from(row.take)
            - 9 * i32::from(price)
    }
}

/// Returns what is missing for a cost, in small goods.
fn lacking(held: Goods, cost: Goods) -> i32 {
    let kinds = cost.counts().into_iter().zip(held.counts()).zip([1, 2, 1, 2, 1, 1]);
    kinds.map(|((cost, held), worth)| i32::from(cost.saturating_sub(held)) * worth).sum()
}
