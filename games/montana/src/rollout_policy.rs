//! The rollout policy: works for the goods of reachable sites and builds as soon as it can. Also random play.

use tavola_core::{Playout, Random, Seat};

use crate::actions::{Action, ActionKind, ActionSet};
use crate::game::Montana;
use crate::map::{Hex, HexSet};
use crate::multiset::{COPPER, GRAIN, Goods, STONE, VEGETABLE};
use crate::observer::NoObserver;
use crate::state::{Stage, State};

/// Candidate actions with weights. An action is drawn in proportion to the cube of its weight.
struct Draw {
    options: [(Action, u32); 24],
    count: usize,
    total: u32,
}

impl Draw {
    fn new() -> Self {
        Self { options: [(Action(0), 0); 24], count: 0, total: 0 }
    }

    fn add(&mut self, action: Action, weight: u32) {
        if weight > 0 && self.count < self.options.len() {
            let weight = weight.min(400).pow(3);
            self.options[self.count] = (action, weight);
            self.count += 1;
            self.total += weight;
        }
    }

    fn draw(&self, random: &mut Random) -> Option<Action> {
        if self.total == 0 {
            return None;
        }
        let mut left = random.below(self.total);
        for &(action, weight) in &self.options[..self.count] {
            if left < weight {
                return Some(action);
            }
            left -= weight;
        }
        None
    }
}

// The weights were tuned by playing. Without any search the policy wins two of three games against a player that
// chooses the action with the best `Montana::worth`.

/// The weight of recruiting, by workers held.
const RECRUITS: [u32; 9] = [80, 48, 28, 18, 12, 6, 2, 2, 0];
/// The weight of the city, by vegetables held.
const CITY: [u32; 6] = [4, 8, 16, 32, 48, 56];
/// The bonus for each useful upgrade.
const UPGRADE: u32 = 40;
/// The weight of silver, by silver held.
const SILVER_NEED: [u32; 8] = [24, 24, 18, 14, 10, 6, 4, 2];
/// The bonus for a good that a near site needs.
const NEED: u32 = 8;
/// The divisor for work that takes two workers instead of one of the own colour.
const PAIR: u32 = 3;
/// The weight of one more good, by goods held.
const WANTED: [u32; 8] = [10, 7, 4, 2, 1, 1, 0, 0];

fn wanted(held: u8) -> u32 {
    WANTED[usize::from(held.min(7))]
}

impl Montana {
    /// Draws a legal action by the policy.
    pub(crate) fn policy_action(&self, state: &State, random: &mut Random) -> Action {
        let legal = self.legal(state);
        let found = if self.surplus(state) > 0 {
            None
        } else {
            match state.stage {
                Stage::Main => self.main_action(state, &legal, random),
                Stage::Extra(space) => Some(self.extra_action(state, space, &legal, random)),
                Stage::Build(_) => self.best_site(state).or_else(|| Some(self.ending(&legal))),
                Stage::End => Some(self.ending(&legal)),
                Stage::Bid(seat) => self.bid_action(state, seat, random),
                Stage::Reward(seat) => self.reward_action(state, seat, &legal),
                Stage::Shift(_) if random.below(8) > 0 => Some(self.tables.shifts[0]),
                _ => None,
            }
        };
        found.unwrap_or_else(|| legal.nth(random.below(legal.len())))
    }

    /// A canteen is best used immediately.
    fn ending(&self, legal: &ActionSet) -> Action {
        let tables = self.tables;
        if legal.contains(tables.canteen) { tables.canteen } else { tables.end }
    }

    fn build_action(&self, hex: Hex) -> Action {
        Action(self.tables.build + u16::from(hex))
    }

    /// Scores a site: tiles first, then cow and canteens, then its cost.
    fn site_worth(&self, state: &State, hex: Hex) -> u32 {
        let bonus_tiles = u32::from(self.bonus_tiles(state, hex).tiles());
        let cow = u32::from(state.land.cows.contains(hex));
        let canteens = self.canteens_beside(&state.land, hex).count() as u32;
        20 * bonus_tiles + 6 * cow + 10 * canteens + 16 - price(self.cost(&state.land, hex)).min(16)
    }

    fn best_site(&self, state: &State) -> Option<Action> {
        let best = self.payable(state).iter().max_by_key(|&hex| self.site_worth(state, hex));
        best.map(|hex| self.build_action(hex))
    }

    fn main_action(&self, state: &State, legal: &ActionSet, random: &mut Random) -> Option<Action> {
        let holdings = state.active();
        let (goods, workers) = (holdings.goods, holdings.workers);
        let sites = if holdings.tiles > 0 { self.sites(&state.land, state.turn) } else { HexSet::EMPTY };
        if let Some(site) = self.best_site(state) {
            return Some(site);
        }
        let needs = self.needs(state, sites);
        if holdings.cows > 0
            && let Some(trade) = self.helpful_trade(state, sites)
        {
            return Some(trade);
        }
        let mut draw = Draw::new();
        let workers_left = workers.total();
        draw.add(self.tables.recruit, RECRUITS[usize::from(workers_left.min(8))]);
        let large = u32::from(needs[COPPER + 1]) * u32::from(goods.count(COPPER).min(2))
            + u32::from(needs[STONE + 1]) * u32::from(goods.count(STONE).min(2));
        let city = CITY[usize::from(goods.count(VEGETABLE).min(5))];
        draw.add(self.tables.city, city + UPGRADE * large.min(3));
        let silver = holdings.silver;
        let silver_need = SILVER_NEED[silver.min(7) as usize];
        for space in 0..4 {
            let needed = self.components.prices.bank[space].0;
            if workers_left >= needed && self.is_bank_space_open(state, space) {
                let weight = silver_need * (u32::from(needed) + 2) / 3;
                Self::add_crew(&mut draw, legal, &self.tables.banks[space], weight, random);
            }
        }
        for place in 0..4 {
            let production = &self.components.prices.production[place];
            let own = workers.count(place) > 0;
            if !own && workers_left < 2 {
                continue;
            }
            let lane = production.good;
            let large = if lane < GRAIN { needs[lane + 1].saturating_sub(goods.count(lane)) } else { 0 };
            let want = wanted(goods.count(lane)) + NEED * u32::from(needs[lane] + large);
            for number in 0..3 {
                let space = place * 3 + number;
                let (price, yielded) = production.left[number];
                if state.left[space] != 0 || silver < u32::from(price) {
                    continue;
                }
                let weight = want * u32::from(yielded) / if own { 1 } else { PAIR };
                if own {
                    draw.add(self.tables.own_works[space], weight);
                } else {
                    Self::add_crew(&mut draw, legal, &self.tables.works[space], weight, random);
                }
            }
        }
        draw.draw(random)
    }

    /// Returns what is missing for the nearest three sites, by good.
    fn needs(&self, state: &State, sites: HexSet) -> [u8; 6] {
        let held = state.active().goods;
        let mut nearest = [(u32::MAX, [0; 6]); 3];
        for hex in sites.iter() {
            let cost = self.cost(&state.land, hex).counts();
            let mut lacks = [0; 6];
            let mut far = 0;
            for lane in 0..6 {
                lacks[lane] = cost[lane].saturating_sub(held.count(lane));
                far += u32::from(lacks[lane]) * (1 + u32::from(lane == COPPER + 1 || lane == STONE + 1));
            }
            let mut lacking = (far, lacks);
            for known in &mut nearest {
                if lacking.0 < known.0 {
                    std::mem::swap(known, &mut lacking);
                }
            }
        }
        std::array::from_fn(|lane| nearest.iter().map(|(_, lacks)| lacks[lane]).sum())
    }

    /// Adds a random crew for a space.
    fn add_crew(draw: &mut Draw, legal: &ActionSet, there: &ActionSet, weight: u32, random: &mut Random) {
        if weight == 0 {
            return;
        }
        let mut possible = *legal;
        possible.keep(there);
        let count = possible.len();
        if count > 0 {
            draw.add(possible.nth(random.below(count)), weight);
        }
    }

    fn extra_action(&self, state: &State, space: u8, legal: &ActionSet, random: &mut Random) -> Action {
        let place = usize::from(space / 3);
        let workers = state.active().workers;
        if workers.count(place) > 0 {
            return self.tables.own_extras[place];
        }
        let good = self.components.prices.production[place].good;
        if workers.total() >= 4 && wanted(state.active().goods.count(good)) > 3 {
            let mut pairs = *legal;
            pairs.keep(&self.tables.extras[place]);
            return pairs.nth(random.below(pairs.len()));
        }
        self.ending(legal)
    }

    /// Returns the cow trade for the only good that a site still needs.
    fn helpful_trade(&self, state: &State, sites: HexSet) -> Option<Action> {
        let held = state.active().goods;
        for hex in sites.iter() {
            let cost = self.cost(&state.land, hex);
            let mut missing = None;
            let mut count = 0;
            for lane in 0..6 {
                let lacking = cost.count(lane).saturating_sub(held.count(lane));
                if lacking > 0 {
                    count += lacking;
                    missing = Some(lane);
                }
            }
            if count == 1
                && let Some(lane @ (COPPER | STONE | GRAIN | VEGETABLE)) = missing
            {
                return Some(self.tables.cow_goods[lane]);
            }
        }
        None
    }

    /// Returns the value of a row for a seat, in vegetables.
    fn row_worth(&self, state: &State, seat: Seat, row: usize) -> u8 {
        let goods = state.seats[usize::from(seat)].goods;
        let small = goods.count(COPPER) + goods.count(STONE);
        let row = &self.components.prices.rows[row];
        2 * row.cows + row.silver / 2 + row.take + small.min(row.upgrades) * 3 / 2
    }

    fn bid_action(&self, state: &State, seat: Seat, random: &mut Random) -> Option<Action> {
        let mut draw = Draw::new();
        for city_space in 0..16 {
            if self.may_bid(state, seat, city_space) {
                let (row, price) = self.city_space(city_space);
                let gain = i32::from(self.row_worth(state, seat, row)) - i32::from(price);
                draw.add(self.tables.bids[usize::from(city_space)], (4 * gain + 2).clamp(1, 30) as u32);
            }
        }
        if !Self::must_place(state, seat) {
            draw.add(self.tables.pass, 3);
        }
        draw.draw(random)
    }

    fn reward_action(&self, state: &State, seat: Seat, legal: &ActionSet) -> Option<Action> {
        let goods = state.seats[usize::from(seat)].goods;
        let worth = |action: Action| match self.tables.kind(action) {
            ActionKind::Take(taken) => {
                let more = [COPPER, STONE, GRAIN].into_iter().map(|lane| gain(goods.count(lane), taken.count(lane)));
                more.sum::<u32>() + 1
            }
            ActionKind::Swap(small) => {
                let more = [COPPER, STONE]
                    .into_iter()
                    .map(|lane| gain(goods.count(lane + 1), small.count(lane)) + 4 * u32::from(small.count(lane)));
                more.sum::<u32>() + 1
            }
            _ => 0,
        };
        legal.iter().max_by_key(|&action| worth(action))
    }
}

/// Returns the weight of `more` goods of a kind.
fn gain(held: u8, more: u8) -> u32 {
    (0..more).map(|step| wanted(held + step)).sum()
}

/// Returns the value of goods. A large good counts as two small ones.
fn price(goods: Goods) -> u32 {
    goods.counts().into_iter().zip([2, 4, 2, 4, 2, 2]).map(|(count, worth)| u32::from(count) * worth).sum()
}

impl Playout for Montana {
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        let kind = self.nth_action(state, |count| Some(random.below(count)));
        self.tables.action(kind.expect("a seat that acts has legal actions"))
    }

    fn random_outcome(&self, state: &State, random: &mut Random) -> Action {
        self.tables.action(self.chance(state, random).expect("where chance acts it has outcomes"))
    }

    fn play_random_action(&self, state: &mut State, random: &mut Random) {
        self.play_out(state, 1, random);
    }

    // Never inlined, so that the inlining in here does not depend on the caller.
    #[inline(never)]
    fn play_out(&self, state: &mut State, most: u32, random: &mut Random) -> u32 {
        let mut actions = 0;
        loop {
            let chance = if actions < most { self.chance(state, random) } else { None };
            actions += u32::from(chance.is_some());
            let kind = chance.or_else(|| {
                self.nth_action(state, |count| match count {
                    // A forced step belongs to the action before it (rules 53).
                    1 => Some(0),
                    _ if actions == most => None,
                    _ => {
                        actions += 1;
                        Some(random.below(count))
                    }
                })
            });
            let Some(kind) = kind else { return actions };
            self.apply(state, kind, &mut NoObserver);
        }
    }

    fn rollout_action(&self, state: &State, random: &mut Random) -> Action {
        self.policy_action(state, random)
    }
}
