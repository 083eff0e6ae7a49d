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

fn refusal(text: Text, clause: u32) -> Refusal {
    Refusal { text, clause: clause.to_smolstr() }
}

fn refusal_of(key: &'static str, clause: u32) -> Refusal {
    refusal(Text::new(key), clause)
}

/// Returns a text such as "You need 6 silver (you have 4)".
fn short_of(key: &'static str, need: u8, have: u32, clause: u32) -> Refusal {
    refusal(Text::new(key).with("need", i64::from(need)).with("have", i64::from(have)), clause)
}

impl Montana {
    /// Explains why an action is illegal. Returns `None` for a legal action.
    pub(crate) fn explain_illegal(&self, state: &State, action: Action) -> Option<Refusal> {
        if let Some(refusal) = self.explain_no_seat_to_act(state) {
            return Some(refusal);
        }
        let kind = self.tables.kind(action);
        if self.legal(state).contains(action) {
            return None;
        }
        Some(self.explain_kind(state, kind).unwrap_or_else(|| Self::pending_decision(state)))
    }

    /// Explains why no seat can act.
    fn explain_no_seat_to_act(&self, state: &State) -> Option<Refusal> {
        match self.to_act(state) {
            Actor::Terminal => Some(refusal_of("illegal.over", 46)),
            Actor::Chance => Some(refusal_of("illegal.chance", 15)),
            Actor::Seat(_) => None,
        }
    }

    /// Names the pending decision.
    fn pending_decision(state: &State) -> Refusal {
        match state.stage {
            Stage::Hire(..) => refusal_of("illegal.now.hire", 19),
            Stage::Shift(_) => refusal_of("illegal.now.shift", 17),
            Stage::Extra(_) => refusal_of("illegal.now.extra", 25),
            Stage::Build(_) => refusal_of("illegal.now.build", 36),
            Stage::Bid(_) => refusal_of("illegal.now.bid", 29),
            Stage::Reward(_) => refusal_of("illegal.now.reward", 33),
            Stage::End => refusal_of("illegal.now.end", 45),
            _ => refusal_of("illegal.now.main", 8),
        }
    }

    /// Explains an illegal action of the pending decision. Returns `None` for other actions.
    fn explain_kind(&self, state: &State, kind: ActionKind) -> Option<Refusal> {
        let surplus = self.surplus(state);
        let holdings = state.active();
        let held = |crew: Crew| holdings.workers.holds(self.tables.crews[usize::from(crew)]);
        let size = |crew: Crew| self.tables.crews[usize::from(crew)].total();
        if surplus > 0 {
            return Some(match kind {
                ActionKind::Return(crew) if size(crew) == surplus => refusal_of("illegal.workers", 20),
                _ => refusal(Text::new("illegal.return").with("n", i64::from(surplus)), 20),
            });
        }
        match (kind, state.stage) {
            (ActionKind::Cow(_), _) => Self::explain_cow(state),
            (ActionKind::Bank(space, crew), Stage::Main) => {
                self.explain_bank(state, space).or_else(|| (!held(crew)).then(|| refusal_of("illegal.workers", 21)))
            }
            (ActionKind::Work(space, crew), Stage::Main) => {
                self.explain_space(state, space).or_else(|| (!held(crew)).then(|| refusal_of("illegal.workers", 21)))
            }
            (ActionKind::Extra(_), Stage::Main) => Some(refusal_of("illegal.right", 25)),
            (ActionKind::Extra(crew), Stage::Extra(space)) => {
                Some(if held(crew) { Self::explain_crew(space / 3) } else { refusal_of("illegal.workers", 21) })
            }
            (ActionKind::Build(hex), Stage::Main | Stage::Build(_)) => self.explain_site(state, hex),
            (ActionKind::Shift(grain), Stage::Shift(_)) => {
                Some(short_of("illegal.grain", grain, holdings.goods.count(GRAIN).into(), 17))
            }
            (ActionKind::Hire(_), Stage::Hire(segment, second)) => {
                let whites = i64::from(self.whites(segment, second));
                Some(refusal(Text::new("illegal.hire").with("n", whites), 16))
            }
            (ActionKind::Bid(city_space), Stage::Bid(_)) => Some(self.explain_bid(state, city_space)),
            (ActionKind::Pass, Stage::Bid(_)) => Some(refusal_of("illegal.pass.first", 29)),
            (ActionKind::Swap(small), Stage::Reward(seat)) => {
                let row = self.row_of(state, seat).filter(|row| row.upgrades > 0)?;
                Some(if small.total() > row.upgrades {
                    refusal(Text::new("illegal.swap.most").with("n", i64::from(row.upgrades)), 33)
                } else {
                    refusal_of("illegal.swap.few", 34)
                })
            }
            (ActionKind::Canteen, Stage::Extra(_) | Stage::Build(_) | Stage::End) => {
                let key = if state.extra_turn { "illegal.canteen.extra" } else { "illegal.canteen.none" };
                Some(refusal_of(key, 44))
            }
            _ => None,
        }
    }

    fn explain_cow(state: &State) -> Option<Refusal> {
        match state.stage {
            Stage::Hire(..) => None,
            Stage::Bid(seat) | Stage::Reward(seat) if seat != state.turn => Some(refusal_of("illegal.cow.turn", 10)),
            _ => Some(refusal_of("illegal.cow.none", 10)),
        }
    }

    /// Explains why a bank space is closed to any crew.
    fn explain_bank(&self, state: &State, space: u8) -> Option<Refusal> {
        if state.bank[usize::from(space)] != 0 {
            return Some(refusal_of("illegal.used.bank", 22));
        }
        let bank = &self.components.prices.bank;
        let equal = |&lower: &usize| bank[lower] == bank[usize::from(space)] && state.bank[lower] == 0;
        let lower = (0..usize::from(space)).find(equal)?;
        Some(refusal(Text::new("illegal.bank.lower").with("number", lower as i64 + 1), 22))
    }

    /// Explains why the left side of a space is closed to any crew.
    fn explain_space(&self, state: &State, space: Space) -> Option<Refusal> {
        if state.left[usize::from(space)] != 0 {
            return Some(refusal_of("illegal.used", 23));
        }
        let (silver, _) = self.components.prices.production[usize::from(space / 3)].left[usize::from(space % 3)];
        let have = state.active().silver;
        (have < u32::from(silver)).then(|| short_of("illegal.silver", silver, have, 23))
    }

    /// Names the crews that a place takes.
    fn explain_crew(place: u8) -> Refusal {
        refusal(Text::new("illegal.crew").with("worker", labels::worker(usize::from(place))), 24)
    }

    fn explain_site(&self, state: &State, hex: Hex) -> Option<Refusal> {
        if let Some((key, clause)) = self.unbuildable(state, hex) {
            return Some(refusal_of(key, clause));
        }
        if hex == state.land.start {
            return Some(refusal_of("illegal.start", 37));
        }
        if let Some(owner) = state.land.owner(hex) {
            return Some(refusal(of_seat("illegal.settled", owner), 37));
        }
        if state.active().tiles == 0 {
            return Some(refusal_of("illegal.tiles", 36));
        }
        if !self.sites(&state.land, state.turn).contains(hex) {
            return Some(refusal_of(if self.any_site { "illegal.far.any" } else { "illegal.far" }, 37));
        }
        let missing = board::missing(state, self.cost(&state.land, hex));
        (missing != Goods::NONE).then(|| refusal(Text::new("illegal.goods").with("goods", labels::goods(missing)), 36))
    }

    fn explain_bid(&self, state: &State, city_space: CitySpace) -> Refusal {
        let (row, price) = self.city_space(city_space);
        let highest = self.highest(state, row);
        if price <= highest {
            return refusal(Text::new("illegal.higher").with("price", i64::from(highest)), 28);
        }
        let bidder = if let Stage::Bid(seat) = state.stage { seat } else { state.turn };
        let have = state.seats[usize::from(bidder)].goods.count(VEGETABLE);
        short_of("illegal.vegetables", price, have.into(), 28)
    }

    /// Explains why no legal action begins with these cells. Returns `None` if one does.
    pub(crate) fn explain_touch(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        if let Some(refusal) = self.explain_no_seat_to_act(state) {
            return Some(refusal);
        }
        let begins = |action: Action| {
            let action_view = self.action_view(state, action);
            view::begins(&action_view.touches, action_view.any_order, touched)
        };
        if self.legal(state).iter().any(begins) {
            return None;
        }
        Some(self.explain_cells(state, touched).unwrap_or_else(|| refusal_of("illegal.touch", 21)))
    }

    fn explain_cells(&self, state: &State, touched: &[SmolStr]) -> Option<Refusal> {
        let surplus = self.surplus(state);
        if surplus > 0 {
            return Some(refusal(Text::new("illegal.return").with("n", i64::from(surplus)), 20));
        }
        let available = |cell: &str| touched.iter().any(|known| known == cell);
        if let Some(space) = (0..12).find(|&space| available(&layout::left_cell(space))) {
            return Some(match state.stage {
                Stage::Main => {
                    self.explain_space(state, space).unwrap_or_else(|| Self::explain_workers(state, touched, space / 3))
                }
                _ => Self::pending_decision(state),
            });
        }
        if let Some(space) = (0..12).find(|&space| available(&layout::right_cell(space))) {
            return Some(match state.stage {
                Stage::Extra(known) if known == space => Self::explain_workers(state, touched, space / 3),
                _ => refusal_of("illegal.right", 25),
            });
        }
        if let Some(space) = (0..4u8).find(|&space| available(&layout::bank_cell(space))) {
            let workers = self.components.prices.bank[usize::from(space)].0;
            let crew = || refusal(Text::new("illegal.bank.crew").with("n", i64::from(workers)), 22);
            return Some(match state.stage {
                Stage::Main => self.explain_bank(state, space).unwrap_or_else(crew),
                _ => Self::pending_decision(state),
            });
        }
        let of_kind =
            |kind: ActionKind| Some(self.explain_kind(state, kind).unwrap_or_else(|| Self::pending_decision(state)));
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
            return Self::explain_cow(state).filter(|_| touched.len() == 1);
        }
        self.explain_selection(state, last)
    }

    /// Explains why the selected workers cannot work at a place.
    fn explain_workers(state: &State, touched: &[SmolStr], place: u8) -> Refusal {
        let count = |lane: usize| touched.iter().filter(|&cell| *cell == layout::hand_cell(WORKER_IDS[lane])).count();
        let wanted = Workers::of(std::array::from_fn(|lane| count(lane).min(99) as u8));
        if state.active().workers.holds(wanted) { Self::explain_crew(place) } else { refusal_of("illegal.workers", 21) }
    }

    /// Explains why goods or workers cannot be selected now.
    fn explain_selection(&self, state: &State, cell: &str) -> Option<Refusal> {
        let of = |ids: &[&str], name: fn(&str) -> SmolStr| ids.iter().any(|id| name(id) == cell);
        match state.stage {
            Stage::Hire(segment, second) => {
                Some(refusal(Text::new("illegal.hire").with("n", i64::from(self.whites(segment, second))), 16))
            }
            Stage::Reward(seat) => {
                let row = self.row_of(state, seat)?;
                if row.take > 0 {
                    return Some(refusal_of("illegal.take", 33));
                }
                let small = [GOOD_IDS[COPPER], GOOD_IDS[STONE]];
                Some(if of(&small, layout::hand_cell) {
                    refusal(Text::new("illegal.swap.most").with("n", i64::from(row.upgrades)), 33)
                } else {
                    Self::pending_decision(state)
                })
            }
            Stage::Main if of(&WORKER_IDS, layout::hand_cell) => Some(refusal_of("illegal.workers", 21)),
            Stage::Main => None,
            _ => Some(Self::pending_decision(state)),
        }
    }
}
