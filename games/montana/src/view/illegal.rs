//! Explains why an action is illegal, with the clause to read.

use tavola_core::{Actor, Game, Refusal, SmolStr, Text, ToSmolStr, view};

use crate::actions::{Action, ActionKind};
use crate::crews::Crew;
use crate::game::Montana;
use crate::map::Hex;
use crate::multiset::{COPPER, GRAIN, Goods, STONE, VEGETABLE, Workers};
use crate::prices::{CitySpace, Space};
use crate::state::{Stage, State};
use crate::view::board;
use crate::view::labels::{self, GOOD_IDS, WORKER_IDS, of_seat};
use crate::view::layout;

fn because(text: Text, clause: u32) -> Refusal {
    Refusal { text, clause: clause.to_smolstr() }
}

fn refuse(key: &'static str, clause: u32) -> Refusal {
    because(Text::new(key), clause)
}

/// Returns a text such as "You need 6 silver (you have 4)".
fn short_of(key: &'static str, need: u8, have: u32, clause: u32) -> Refusal {
    because(Text::new(key).with("need", i64::from(need)).with("have", i64::from(have)), clause)
}

impl Montana {
    /// Explains why an action is illegal. Returns `None` for a legal action.
    pub(crate) fn refuse(&self, state: &State, action: Action) -> Option<Refusal> {
        if let Some(refusal) = self.refuse_all(state) {
            return Some(refusal);
        }
        let kind = self.tables.kind(action);
        if self.legal(state).contains(action) {
            return None;
        }
        Some(self.refuse_kind(state, kind).unwrap_or_else(|| Self::asked_now(state)))
    }

    /// Explains why no seat can act.
    fn refuse_all(&self, state: &State) -> Option<Refusal> {
        match self.to_act(state) {
            Actor::Terminal => Some(refuse("refuse.over", 46)),
            Actor::Chance => Some(refuse("refuse.chance", 15)),
            Actor::Seat(_) => None,
        }
    }

    /// Names the pending decision.
    fn asked_now(state: &State) -> Refusal {
        match state.stage {
            Stage::Hire(..) => refuse("refuse.now.hire", 19),
            Stage::Shift(_) => refuse("refuse.now.shift", 17),
            Stage::Extra(_) => refuse("refuse.now.extra", 25),
            Stage::Build(_) => refuse("refuse.now.build", 36),
            Stage::Bid(_) => refuse("refuse.now.bid", 29),
            Stage::Reward(_) => refuse("refuse.now.reward", 33),
            Stage::End => refuse("refuse.now.end", 45),
            _ => refuse("refuse.now.main", 8),
        }
    }

    /// Explains an illegal action of the pending decision. Returns `None` for other actions.
    fn refuse_kind(&self, state: &State, kind: ActionKind) -> Option<Refusal> {
        let surplus = self.surplus(state);
        let holdings = state.active();
        let held = |crew: Crew| holdings.workers.holds(self.tables.crews[usize::from(crew)]);
        let size = |crew: Crew| self.tables.crews[usize::from(crew)].total();
        if surplus > 0 {
            return Some(match kind {
                ActionKind::Return(crew) if size(crew) == surplus => refuse("refuse.workers", 20),
                _ => because(Text::new("refuse.return").with("n", i64::from(surplus)), 20),
            });
        }
        match (kind, state.stage) {
            (ActionKind::Cow(_), _) => Self::refuse_cow(state),
            (ActionKind::Bank(space, crew), Stage::Main) => {
                self.refuse_bank(state, space).or_else(|| (!held(crew)).then(|| refuse("refuse.workers", 21)))
            }
            (ActionKind::Work(space, crew), Stage::Main) => {
                self.refuse_space(state, space).or_else(|| (!held(crew)).then(|| refuse("refuse.workers", 21)))
            }
            (ActionKind::Extra(_), Stage::Main) => Some(refuse("refuse.right", 25)),
            (ActionKind::Extra(crew), Stage::Extra(space)) => {
                Some(if held(crew) { Self::refuse_crew(space / 3) } else { refuse("refuse.workers", 21) })
            }
            (ActionKind::Build(hex), Stage::Main | Stage::Build(_)) => self.refuse_site(state, hex),
            (ActionKind::Shift(grain), Stage::Shift(_)) => {
                Some(short_of("refuse.grain", grain, holdings.goods.count(GRAIN).into(), 17))
            }
            (ActionKind::Hire(_), Stage::Hire(segment, second)) => {
                let whites = i64::from(self.whites(segment, second));
                Some(because(Text::new("refuse.hire").with("n", whites), 16))
            }
            (ActionKind::Bid(city_space), Stage::Bid(_)) => Some(self.refuse_bid(state, city_space)),
            (ActionKind::Pass, Stage::Bid(_)) => Some(refuse("refuse.pass.first", 29)),
            (ActionKind::Swap(small), Stage::Reward(seat)) => {
                let row = self.row_of(state, seat).filter(|row| row.upgrades > 0)?;
                Some(if small.total() > row.upgrades {
                    because(Text::new("refuse.swap.most").with("n", i64::from(row.upgrades)), 33)
                } else {
                    refuse("refuse.swap.few", 34)
                })
            }
            (ActionKind::Canteen, Stage::Extra(_) | Stage::Build(_) | Stage::End) => {
                let key = if state.extra_turn { "refuse.canteen.extra" } else { "refuse.canteen.none" };
                Some(refuse(key, 44))
            }
            _ => None,
        }
    }

    fn refuse_cow(state: &State) -> Option<Refusal> {
        match state.stage {
            Stage::Hire(..) => None,
            Stage::Bid(seat) | Stage::Reward(seat) if seat != state.turn => Some(refuse("refuse.cow.turn", 10)),
            _ => Some(refuse("refuse.cow.none", 10)),
        }
    }

    /// Explains why a bank space is closed to any crew.
    fn refuse_bank(&self, state: &State, space: u8) -> Option<Refusal> {
        if state.bank[usize::from(space)] != 0 {
            return Some(refuse("refuse.used.bank", 22));
        }
        let bank = &self.components.prices.bank;
        let equal = |&lower: &usize| bank[lower] == bank[usize::from(space)] && state.bank[lower] == 0;
        let lower = (0..usize::from(space)).find(equal)?;
        Some(because(Text::new("refuse.bank.lower").with("number", lower as i64 + 1), 22))
    }

    /// Explains why the left side of a space is closed to any crew.
    fn refuse_space(&self, state: &State, space: Space) -> Option<Refusal> {
        if state.left[usize::from(space)] != 0 {
            return Some(refuse("refuse.used", 23));
        }
        let (silver, _) = self.components.prices.production[usize::from(space / 3)].left[usize::from(space % 3)];
        let have = state.active().silver;
        (have < u32::from(silver)).then(|| short_of("refuse.silver", silver, have, 23))
    }

    /// Names the crews that a place takes.
    fn refuse_crew(place: u8) -> Refusal {
        because(Text::new("refuse.crew").with("worker", labels::worker(usize::from(place))), 24)
    }

    fn refuse_site(&self, state: &State, hex: Hex) -> Option<Refusal> {
        if let Some((key, clause)) = self.unbuildable(state, hex) {
            return Some(refuse(key, clause));
        }
        if hex == state.land.start {
            return Some(refuse("refuse.start", 37));
        }
        if let Some(owner) = state.land.owner(hex) {
            return Some(because(of_seat("refuse.settled", owner), 37));
        }
        if state.active().tiles == 0 {
            return Some(refuse("refuse.tiles", 36));
        }
        if !self.sites(&state.land, state.turn).contains(hex) {
            return Some(refuse(if self.any_site { "refuse.far.any" } else { "refuse.far" }, 37));
        }
        let missing = board::missing(state, self.cost(&state.land, hex));
        (missing != Goods::NONE).then(|| because(Text::new("refuse.goods").with("goods", labels::goods(missing)), 36))
    }

    fn refuse_bid(&self, state: &State, city_space: CitySpace) -> Refusal {
        let (row, price) = self.city_space(city_space);
        let highest = self.highest(state, row);
        if price <= highest {
            return because(Text::new("refuse.higher").with("price", i64::from(highest)), 28);
        }
        let bidder = if let Stage::Bid(seat) = state.stage { seat } else { state.turn };
        let have = state.seats[usize::from(bidder)].goods.count(VEGETABLE);
        short_of("refuse.vegetables", price, have.into(), 28)
    }

    /// Explains why no legal action begins with these cells. Returns `None` if one does.
    pub(crate) fn refuse_touch(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        if let Some(refusal) = self.refuse_all(state) {
            return Some(refusal);
        }
        let begins = |action: Action| {
            let action_view = self.action_view(state, action);
            view::begins(&action_view.touches, action_view.any_order, touched)
        };
        if self.legal(state).iter().any(begins) {
            return None;
        }
        Some(self.refuse_cells(state, touched).unwrap_or_else(|| refuse("refuse.touch", 21)))
    }

    fn refuse_cells(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        let surplus = self.surplus(state);
        if surplus > 0 {
            return Some(because(Text::new("refuse.return").with("n", i64::from(surplus)), 20));
        }
        let available = |cell: &str| touched.iter().any(|known| known == cell);
        if let Some(space) = (0..12).find(|&space| available(&layout::left_cell(space))) {
            return Some(match state.stage {
                Stage::Main => {
                    self.refuse_space(state, space).unwrap_or_else(|| Self::refuse_hands(state, touched, space / 3))
                }
                _ => Self::asked_now(state),
            });
        }
        if let Some(space) = (0..12).find(|&space| available(&layout::right_cell(space))) {
            return Some(match state.stage {
                Stage::Extra(known) if known == space => Self::refuse_hands(state, touched, space / 3),
                _ => refuse("refuse.right", 25),
            });
        }
        if let Some(space) = (0..4u8).find(|&space| available(&layout::bank_cell(space))) {
            let workers = self.components.prices.bank[usize::from(space)].0;
            let crew = || because(Text::new("refuse.bank.crew").with("n", i64::from(workers)), 22);
            return Some(match state.stage {
                Stage::Main => self.refuse_bank(state, space).unwrap_or_else(crew),
                _ => Self::asked_now(state),
            });
        }
        let of_kind = |kind: ActionKind| Some(self.refuse_kind(state, kind).unwrap_or_else(|| Self::asked_now(state)));
        let last = touched.last()?;
        if let Some(hex) = self.map.parse(last) {
            return of_kind(ActionKind::Build(hex));
        }
        if let Some(city_space) = (0..16).find(|&city_space| layout::city_cell(self, city_space) == *last) {
            return of_kind(ActionKind::Bid(city_space));
        }
        if let Some(segment) = (0..8).find(|&segment| layout::segment_cell(segment) == *last) {
            let grain = if let Stage::Shift(spun) = state.stage { (segment + 8 - spun) % 8 } else { 0 };
            return of_kind(ActionKind::Shift(grain));
        }
        if available(&layout::hand_cell("cow")) {
            return Self::refuse_cow(state).filter(|_| touched.len() == 1);
        }
        self.refuse_things(state, last)
    }

    /// Explains why the selected workers cannot work at a place.
    fn refuse_hands(state: &State, touched: &[SmolStr], place: u8) -> Refusal {
        let count = |lane: usize| touched.iter().filter(|&cell| *cell == layout::hand_cell(WORKER_IDS[lane])).count();
        let wanted = Workers::of(std::array::from_fn(|lane| count(lane).min(99) as u8));
        if state.active().workers.holds(wanted) { Self::refuse_crew(place) } else { refuse("refuse.workers", 21) }
    }

    /// Explains why goods or workers cannot be selected now.
    fn refuse_things(&self, state: &State, cell: &str) -> Option<Refusal> {
        let of = |ids: &[&str], name: fn(&str) -> SmolStr| ids.iter().any(|id| name(id) == cell);
        match state.stage {
            Stage::Hire(segment, second) => {
                Some(because(Text::new("refuse.hire").with("n", i64::from(self.whites(segment, second))), 16))
            }
            Stage::Reward(seat) => {
                let row = self.row_of(state, seat)?;
                if row.take > 0 {
                    return Some(refuse("refuse.take", 33));
                }
                let small = [GOOD_IDS[COPPER], GOOD_IDS[STONE]];
                Some(if of(&small, layout::hand_cell) {
                    because(Text::new("refuse.swap.most").with("n", i64::from(row.upgrades)), 33)
                } else {
                    Self::asked_now(state)
                })
            }
            Stage::Main if of(&WORKER_IDS, layout::hand_cell) => Some(refuse("refuse.workers", 21)),
            Stage::Main => None,
            _ => Some(Self::asked_now(state)),
        }
    }
}
