//! Counts the legal actions and finds one by its number, without building a list.
//!
//! The numbers do not follow the order of the actions. A test compares them with [`Montana::legal`].

use tavola_core::bitset::{nth, nth_wide};
use tavola_core::{Random, Seat};

use crate::actions::ActionKind;
use crate::crews::AvailableCrews;
use crate::game::Montana;
use crate::multiset::{COPPER, GRAIN, STONE, VEGETABLE};
use crate::state::{Stage, State};

/// The work spaces and crews to choose from.
struct Posts<'a> {
    /// The crews that the seat can form.
    available: &'a AvailableCrews,
    /// The free production spaces that the seat can pay for, and those with a worker of their own colour.
    spaces: u16,
    own: u16,
    /// The number of crews for each bank space.
    bank: [u32; 4],
}

impl Montana {
    /// Returns the legal action whose number `choose` returns. `choose` receives the number of legal actions.
    /// Returns `None` if `choose` does, or if no seat is to act.
    #[inline]
    pub(crate) fn nth_action(&self, state: &State, choose: impl FnOnce(u32) -> Option<u32>) -> Option<ActionKind> {
        let tables = self.tables;
        let holdings = state.active();
        let workers = holdings.workers;
        if workers.total() > self.components.worker_limit {
            // rules 20, 56
            let crews = tables.crew_sets.available(workers).crews
                & tables.crew_sets.sizes[usize::from(self.surplus(state)).min(4)];
            return Some(ActionKind::Return(nth_wide(crews, choose(crews.count_ones())?)));
        }
        // rules 10: on the seat's own turn only
        let has_cow = holdings.cows > 0;
        let cows =
            |seat: Seat| if has_cow && seat == state.turn { tables.purchases.cow_trades.len() as u32 } else { 0 };
        let cow = |number: u32| ActionKind::Cow(tables.purchases.cow_trades[number as usize]);
        // rules 51
        let ends = || 1 + u32::from(holdings.canteens > 0 && !state.extra_turn);
        let end = |number: u32| if number == 0 { ActionKind::End } else { ActionKind::Canteen };
        match state.stage {
            Stage::Tile | Stage::Rot | Stage::Start | Stage::Spin | Stage::Over => None,
            Stage::Main => {
                let sites = self.payable(state);
                let (posts, others) = (self.posts(state), 2 + cows(state.turn) + sites.len());
                let number = choose(others + Self::count_posts(&posts))?;
                if number >= others {
                    return self.post(&posts, number - others);
                }
                Some(match number {
                    0 => ActionKind::Recruit,
                    1 => ActionKind::City,
                    _ if number - 2 < sites.len() => ActionKind::Build(sites.nth(number - 2)),
                    _ => cow(number - 2 - sites.len()),
                })
            }
            Stage::Hire(segment, second) => {
                let crews = tables.crew_sets.sizes[usize::from(self.whites(segment, second))];
                Some(ActionKind::Hire(nth_wide(crews, choose(crews.count_ones())?)))
            }
            Stage::Shift(_) => {
                let ways = u32::from(holdings.goods.count(GRAIN).min(7)) + 1;
                let number = choose(ways + cows(state.turn))?;
                Some(if number < ways { ActionKind::Shift(number as u8) } else { cow(number - ways) })
            }
            Stage::End => {
                let ends = ends();
                let number = choose(ends + cows(state.turn))?;
                Some(if number < ends { end(number) } else { cow(number - ends) })
            }
            Stage::Extra(space) => {
                let crews = tables.crew_sets.available(workers).crews & tables.crew_sets.places[usize::from(space / 3)];
                let (ends, cows) = (ends(), cows(state.turn));
                let number = choose(ends + cows + crews.count_ones())?;
                Some(match number.checked_sub(ends + cows) {
                    Some(number) => ActionKind::Extra(nth_wide(crews, number)),
                    None if number < ends => end(number),
                    None => cow(number - ends),
                })
            }
            Stage::Build(_) => {
                let sites = self.payable(state);
                let (ends, cows) = (ends(), cows(state.turn));
                let number = choose(ends + cows + sites.len())?;
                Some(match number.checked_sub(ends + cows) {
                    Some(number) => ActionKind::Build(sites.nth(number)),
                    None if number < ends => end(number),
                    None => cow(number - ends),
                })
            }
            Stage::Bid(seat) => {
                let city_spaces = self.city_spaces(state, seat);
                let pass = u32::from(!Self::must_place(state, seat));
                let number = choose(city_spaces.count_ones() + pass + cows(seat))?;
                Some(match number.checked_sub(city_spaces.count_ones()) {
                    None => ActionKind::Bid(nth(city_spaces.into(), number)),
                    Some(number) if number < pass => ActionKind::Pass,
                    Some(number) => cow(number - pass),
                })
            }
            Stage::Reward(seat) => {
                let goods = state.seats[usize::from(seat)].goods;
                let row = self.row_of(state, seat)?;
                if row.take > 0 {
                    let takes = tables.purchases.takes.len() as u32;
                    let number = choose(takes + cows(seat))?;
                    let goods = tables.purchases.takes.get(number as usize);
                    return Some(goods.map_or_else(|| cow(number - takes), |&goods| ActionKind::Take(goods)));
                }
                let small = |lane: usize| usize::from(goods.count(lane).min(3));
                let swaps = tables.purchases.swappable[small(COPPER)][small(STONE)][usize::from(row.upgrades)];
                let number = choose(swaps.count_ones() + cows(seat))?;
                Some(match number.checked_sub(swaps.count_ones()) {
                    None => ActionKind::Swap(tables.purchases.swaps[usize::from(nth(swaps.into(), number))]),
                    Some(number) => cow(number),
                })
            }
        }
    }

    // Inlining this and the next functions saves a sixth of the time of random games.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn posts(&self, state: &State) -> Posts<'_> {
        let holdings = state.active();
        let lots = &self.tables.purchases;
        let available = self.tables.crew_sets.available(holdings.workers);
        let spaces = state.free_spaces() & lots.spaces[(holdings.silver as usize).min(lots.spaces.len() - 1)];
        let usable = lots.bank[usize::from(state.free_bank())];
        let crews = |space: usize| {
            let (workers, _) = self.components.prices.bank[space];
            u32::from(usable >> space & 1) * u32::from(available.sizes[usize::from(workers)])
        };
        Posts { available, spaces, own: spaces & available.own, bank: [0, 1, 2, 3].map(crews) }
    }

    #[inline]
    fn count_posts(posts: &Posts) -> u32 {
        let paired = posts.spaces.count_ones() * u32::from(posts.available.sizes[2]);
        paired + posts.own.count_ones() + posts.bank.iter().sum::<u32>()
    }

    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn post(&self, posts: &Posts, mut number: u32) -> Option<ActionKind> {
        let crew_sets = &self.tables.crew_sets;
        let AvailableCrews { crews, sizes, .. } = *posts.available;
        let pairs = u32::from(sizes[2]);
        let paired = posts.spaces.count_ones() * pairs;
        if number < paired {
            let crew = nth_wide(crews & crew_sets.sizes[2], number % pairs);
            return Some(ActionKind::Work(nth(posts.spaces.into(), number / pairs), crew));
        }
        number -= paired;
        if number < posts.own.count_ones() {
            let space = nth(posts.own.into(), number);
            return Some(ActionKind::Work(space, crew_sets.ones[usize::from(space / 3)]));
        }
        number -= posts.own.count_ones();
        for ((space, count), (workers, _)) in (0..).zip(posts.bank).zip(self.components.prices.bank) {
            if number < count {
                return Some(ActionKind::Bank(space, nth_wide(crews & crew_sets.sizes[usize::from(workers)], number)));
            }
            number -= count;
        }
        None
    }

    /// Returns the city spaces where a seat may place its contractor, one bit each (rules 28).
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn city_spaces(&self, state: &State, seat: Seat) -> u16 {
        let lots = &self.tables.purchases;
        let vegetables = usize::from(state.seats[usize::from(seat)].goods.count(VEGETABLE));
        let payable = lots.city_spaces[vegetables.min(lots.city_spaces.len() - 1)];
        let blocked = state.contractors.iter().map(|contractor| lots.blocked[usize::from(contractor.code())]);
        blocked.fold(payable, |city_spaces, blocked| city_spaces & !blocked)
    }

    /// Draws a chance outcome by weight. Returns `None` if chance is not to act.
    #[inline]
    pub(crate) fn chance(&self, state: &State, random: &mut Random) -> Option<ActionKind> {
        match state.stage {
            Stage::Spin => Some(ActionKind::Spin(random.below(8) as u8)),
            Stage::Tile | Stage::Rot | Stage::Start => Some(self.chance_at_first(state, random)),
            _ => None,
        }
    }

    /// Draws the outcomes of the set-up. They are rare, so this is not inlined.
    #[inline(never)]
    fn chance_at_first(&self, state: &State, random: &mut Random) -> ActionKind {
        match state.stage {
            Stage::Rot => ActionKind::Turn(random.below(6) as u8),
            Stage::Tile => {
                let tiles = self.unused_tiles(&state.land);
                ActionKind::Tile(nth(tiles, random.below(tiles.count_ones())))
            }
            _ => {
                let hexes = self.start_candidates(&state.land);
                ActionKind::Start(hexes.nth(random.below(hexes.len())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Options, Playout, Random};

    use super::*;

    #[test]
    fn every_legal_action_has_one_number() {
        let mut random = Random::new(7);
        for players in ["2", "3", "4"] {
            let game = Montana::new(&Options::new(Montana::INFO, [("players", players)]).expect("valid options"));
            for _ in 0..20 {
                let mut state = game.start();
                while game.to_act(&state) != Actor::Terminal {
                    let mut count = 0;
                    assert_eq!(
                        game.nth_action(&state, |all| {
                            count = all;
                            None
                        }),
                        None
                    );
                    let kinds =
                        (0..count).map(|number| game.nth_action(&state, |_| Some(number)).expect("a legal action"));
                    let mut actions: Vec<_> = kinds.map(|kind| game.tables.action(kind)).collect();
                    actions.sort_unstable();
                    assert_eq!(actions, game.legal(&state).iter().collect::<Vec<_>>(), "{state:?}");
                    // Random games alone rarely reach rich positions, so half of the actions follow the rollout policy.
                    if random.below(2) == 0 || game.to_act(&state) == Actor::Chance {
                        game.play_random_action(&mut state, &mut random);
                    } else {
                        let action = game.rollout_action(&state, &mut random);
                        game.play_unchecked(&mut state, action);
                    }
                }
            }
        }
    }
}
