//! The rules: set-up, stages, legal actions, turns, the end.

use tavola_core::info::{Assets, Info, OptionSpec, Options};
use tavola_core::{Actor, Features, Game, Outcome, SeatSet};

use crate::actions::{Action, ActionSet, Deed, TABLES, Tables};
use crate::bag::{COPPER, GRAIN, STONE};
use crate::data::{DATA, Data, Ground, TableData};
use crate::evaluation;
use crate::land::{COSTS, Costs, Hex, HexSet, Laid, MAPS, Map};
use crate::state::{Contractor, Holdings, Land, SEATS, Stage, State};
use crate::watch::{Note, Unwatched, Watch};

/// The game under its options.
#[derive(Clone, Copy, Debug)]
pub struct Montana {
    pub(crate) seats: u8,
    /// Whether grain pays for a second segment, and not for another one (rules 17, 18).
    pub(crate) second: bool,
    /// Whether a site may adjoin a settlement of any seat (rules 37).
    pub(crate) any_site: bool,
    pub(crate) data: &'static Data,
    pub(crate) table: &'static TableData,
    pub(crate) map: &'static Map,
    pub(crate) costs: &'static Costs,
    pub(crate) tables: &'static Tables,
    /// Of the evaluation.
    pub(crate) weights: &'static Features,
}

impl Montana {
    #[inline]
    pub(crate) fn seat_count(&self) -> usize {
        usize::from(self.seats)
    }

    /// By how many workers the seat whose turn it is has too many (rules 20).
    #[inline]
    pub(crate) fn surplus(&self, state: &State) -> u8 {
        state.active().workers.total().saturating_sub(self.data.worker_limit)
    }

    /// The hexes that may be the start hex (rules 4).
    pub(crate) fn candidates(&self, land: &Land) -> HexSet {
        let plains_around = |hex: Hex| self.map.around[usize::from(hex)].and(land.free).len();
        let plain = land.free.without(land.cows).without(land.doubles);
        let most = plain.iter().map(plains_around).max().unwrap_or(0).min(5);
        plain.iter().filter(|&hex| plains_around(hex) >= most).map(HexSet::one).fold(HexSet::EMPTY, HexSet::or)
    }

    /// Notes what lies on the hexes of a slot whose tile is turned.
    pub(crate) fn survey(&self, land: &mut Land, slot: usize) {
        for (place, &hex) in (0..).zip(&self.map.slot_hexes[slot]) {
            let one = HexSet::one(hex);
            match land.slots[slot].ground(place) {
                Some(Ground::Plain { cow, double, cost }) => {
                    land.wants.note(hex, cost);
                    land.free = land.free.or(one);
                    land.cows = if cow { land.cows.or(one) } else { land.cows };
                    land.doubles = if double { land.doubles.or(one) } else { land.doubles };
                }
                Some(Ground::Lake) => land.lakes = land.lakes.or(one),
                Some(Ground::Mountain) | None => {}
            }
        }
    }

    /// The tiles that no slot has, a bit each.
    pub(crate) fn undrawn(&self, land: &Land) -> u64 {
        let used = land.slots.iter().filter_map(|laid| laid.tile()).fold(0, |used, tile| used | 1 << tile);
        !used & ((1 << self.data.tiles.len()) - 1)
    }

    /// How many slots have a tile.
    pub(crate) fn drawn(&self, state: &State) -> usize {
        state.land.slots.iter().take(self.map.slots.into()).filter(|&&laid| laid != Laid::NOTHING).count()
    }

    /// What the seat to act may do (rules 50); nothing at chance and at the end.
    #[inline]
    pub(crate) fn legal(&self, state: &State) -> ActionSet {
        let tables = self.tables;
        let holdings = state.active();
        if holdings.workers.total() > self.data.worker_limit {
            // rules 20, 56
            let mut actions = tables.returns[usize::from(self.surplus(state)).min(4)];
            actions.keep(tables.fitting(holdings.workers));
            return actions;
        }
        let mut actions = ActionSet::EMPTY;
        let mut acting = state.turn;
        match state.stage {
            Stage::Tile | Stage::Rot | Stage::Start | Stage::Spin | Stage::Over => return actions,
            Stage::Hire(segment, second) => return tables.hires[usize::from(self.whites(segment, second))],
            Stage::Main => {
                self.add_spaces(state, &mut actions);
                actions.keep(tables.fitting(holdings.workers));
                actions.insert(tables.recruit);
                actions.insert(tables.city);
                actions.add_bits(tables.build, self.payable(state).0);
            }
            Stage::Shift(_) => {
                let grain = usize::from(holdings.goods.count(GRAIN).min(7));
                tables.shifts[..=grain].iter().for_each(|&shift| actions.insert(shift));
            }
            Stage::Extra(space) => {
                actions = tables.extras[usize::from(space / 3)];
                actions.keep(tables.fitting(holdings.workers));
                self.add_ends(state, &mut actions);
            }
            Stage::Build(_) => {
                actions.add_bits(tables.build, self.payable(state).0);
                self.add_ends(state, &mut actions);
            }
            Stage::End => self.add_ends(state, &mut actions),
            Stage::Bid(seat) => {
                acting = seat;
                let bids = (0..16).filter(|&stall| self.may_bid(state, seat, stall));
                bids.for_each(|stall| actions.insert(tables.bids[usize::from(stall)]));
                if !Self::must_place(state, seat) {
                    actions.insert(tables.pass);
                }
            }
            Stage::Reward(seat) => {
                acting = seat;
                if let Some(row) = self.row_of(state, seat) {
                    let goods = state.seats[usize::from(seat)].goods;
                    let small = |lane: usize| usize::from(goods.count(lane).min(3));
                    actions = if row.take > 0 {
                        tables.takes
                    } else {
                        tables.swaps[small(COPPER)][small(STONE)][usize::from(row.upgrades)]
                    };
                }
            }
        }
        // rules 10: in the own turn only
        if acting == state.turn && holdings.cows > 0 {
            actions.add(&tables.cows);
        }
        actions
    }

    /// The free spaces of the places of work, whatever workers there are for them.
    #[inline]
    fn add_spaces(&self, state: &State, actions: &mut ActionSet) {
        let silver = state.active().silver;
        for space in 0..4 {
            if self.bank_open(state, space) {
                actions.add(&self.tables.banks[space]);
            }
        }
        for (space, &crew) in state.left.iter().enumerate() {
            let (price, _) = self.data.production[space / 3].left[space % 3];
            if crew == 0 && silver >= u32::from(price) {
                actions.add(&self.tables.works[space]);
            }
        }
    }

    /// The ways to end the turn (rules 51).
    #[inline]
    fn add_ends(&self, state: &State, actions: &mut ActionSet) {
        actions.insert(self.tables.end);
        if state.active().canteens > 0 && !state.again {
            actions.insert(self.tables.canteen);
        }
    }

    /// The only thing that the seat to act can do, if it is only one (rules 53).
    #[inline]
    fn forced(&self, state: &State) -> Option<Deed> {
        // Recruiting and the city are always possible.
        if state.stage == Stage::Main && self.surplus(state) == 0 {
            return None;
        }
        self.pick(state, |count| (count == 1).then_some(0))
    }

    /// Plays a deed and everything that follows from it without a choice (rules 53).
    pub(crate) fn act<W: Watch>(&self, state: &mut State, deed: Deed, watch: &mut W) {
        let mut next = Some(deed);
        while let Some(deed) = next {
            self.perform(state, deed, watch);
            next = self.forced(state);
        }
    }

    // In line in the loop of random games: a twentieth of their time.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn perform<W: Watch>(&self, state: &mut State, deed: Deed, watch: &mut W) {
        match (deed, state.stage) {
            (Deed::Tile(tile), _) => {
                let slot = self.drawn(state);
                if slot < self.map.slots.into() {
                    state.land.lay(slot, Laid::drawn(tile));
                    state.stage = Stage::Rot;
                    watch.note(state, Note::Drawn(tile));
                }
            }
            (Deed::Turn(turn), _) => self.turn_tile(state, turn, watch),
            (Deed::Start(hex), _) => {
                state.land.begin(hex, self.map.around[usize::from(hex)]);
                state.stage = Stage::Spin;
                watch.note(state, Note::Start(hex));
            }
            (Deed::Spin(segment), _) => self.spin(state, segment, watch),
            (Deed::Recruit, _) => state.stage = Stage::Spin,
            (Deed::Shift(grain), Stage::Shift(segment)) => self.shift(state, segment, grain, watch),
            (Deed::Hire(crew), Stage::Hire(segment, second)) => {
                self.hire(state, segment, second, self.tables.crews[usize::from(crew)], watch);
            }
            (Deed::Return(crew), _) => self.give_back(state, crew, watch),
            (Deed::Bank(space, crew), _) => self.bank(state, space, crew, watch),
            (Deed::Work(space, crew), _) => self.work(state, space, crew, watch),
            (Deed::Extra(crew), Stage::Extra(space)) => self.work_on(state, space, crew, watch),
            (Deed::City, _) => self.open_city(state, watch),
            (Deed::Bid(stall), Stage::Bid(seat)) => self.bid(state, seat, stall, watch),
            (Deed::Pass, Stage::Bid(seat)) => self.pass(state, seat, watch),
            (Deed::Take(goods), Stage::Reward(seat)) => self.take(state, seat, goods, watch),
            (Deed::Swap(small), Stage::Reward(seat)) => self.swap(state, seat, small, watch),
            (Deed::Build(hex), _) => self.build(state, hex, watch),
            (Deed::Cow(barter), _) => self.trade_cow(state, barter, watch),
            (Deed::End, _) => self.end_turn(state, false, watch),
            (Deed::Canteen, _) => self.end_turn(state, true, watch),
            // Not legal: nothing happens.
            _ => {}
        }
    }

    fn turn_tile<W: Watch>(&self, state: &mut State, turn: u8, watch: &mut W) {
        let Some(slot) = self.drawn(state).checked_sub(1) else { return };
        state.land.lay(slot, state.land.slots[slot].turned(turn));
        self.survey(&mut state.land, slot);
        state.stage = if slot + 1 < self.map.slots.into() { Stage::Tile } else { Stage::Start };
        watch.note(state, Note::Turned(slot as u8));
    }

    /// The end of a turn (rules 39, 26, 44 to 47).
    fn end_turn<W: Watch>(&self, state: &mut State, canteen: bool, watch: &mut W) {
        if let Stage::Build(sites) = state.stage {
            let silver = self.spare_silver(sites);
            state.active_mut().silver += u32::from(silver);
            watch.note(state, Note::Spare(silver));
        }
        self.clear(state, watch);
        state.stage = Stage::Main;
        if canteen {
            state.active_mut().canteens -= 1;
            state.again = true;
            watch.note(state, Note::ExtraTurn);
            return;
        }
        state.again = false;
        if usize::from(state.turn) + 1 < self.seat_count() {
            state.turn += 1;
        } else if self.is_decided(state) || state.round >= self.data.round_limit {
            state.stage = Stage::Over;
            watch.note(state, Note::Over);
        } else {
            state.turn = 0;
            state.round += 1;
        }
    }

    /// Whether a seat has placed its last tile: the round is the last (rules 46).
    pub(crate) fn is_decided(&self, state: &State) -> bool {
        state.seats[..self.seat_count()].iter().any(|holdings| holdings.tiles == 0)
    }

    /// Who has won, as things are (rules 48).
    pub(crate) fn winners(&self, state: &State) -> SeatSet {
        let score = |holdings: &Holdings| {
            let sum = holdings.silver + u32::from(holdings.workers.total()) + u32::from(holdings.goods.total());
            (std::cmp::Reverse(holdings.tiles), holdings.cows + holdings.canteens, sum)
        };
        let seats = &state.seats[..self.seat_count()];
        let best = seats.iter().map(score).max();
        let winners = (0..self.seats).filter(|&seat| Some(score(&seats[usize::from(seat)])) == best);
        winners.fold(SeatSet::EMPTY, SeatSet::with)
    }

    /// A position before anything was drawn (rules 2, 6).
    pub(crate) fn blank(&self) -> State {
        let mut seats = [Holdings::default(); SEATS];
        for (holdings, silver) in seats.iter_mut().zip(self.data.start_silver).take(self.seat_count()) {
            *holdings = Holdings {
                goods: self.data.start_goods,
                silver: silver.into(),
                cows: self.data.start_cows,
                tiles: self.table.settlements,
                ..Holdings::default()
            };
        }
        State {
            land: Land::BARE,
            seats,
            supply: self.table.goods,
            workers: self.data.worker_supply,
            cows: self.table.cows,
            bank: [0; 4],
            left: [0; 12],
            right: [0; 12],
            contractors: [Contractor::Home; SEATS],
            round: 0,
            turn: 0,
            again: false,
            stage: Stage::Tile,
        }
    }
}

impl Game for Montana {
    type State = State;
    type Action = Action;

    const INFO: &'static Info = &Info {
        name: "montana",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: true,
        has_draws: false,
        options: &[
            OptionSpec { name: "players", values: &["2", "3", "4"] },
            OptionSpec { name: "grain", values: &["shift", "second"] },
            OptionSpec { name: "sites", values: &["own", "any"] },
        ],
        assets: Assets {
            rules: &[("en", include_str!("../rules/en.md")), ("ja", include_str!("../rules/ja.md"))],
            words: &[("en", include_str!("../art/words/en.json")), ("ja", include_str!("../art/words/ja.json"))],
            symbols: include_str!("../art/symbols.svg"),
            theme: include_str!("../art/theme.json"),
            levels: include_str!("../levels.json"),
        },
    };

    fn new(options: &Options) -> Self {
        let seats = options.number("players");
        let table = usize::from(seats) - 2;
        Self {
            seats,
            second: options.get("grain") == "second",
            any_site: options.get("sites") == "any",
            data: &DATA,
            table: &DATA.tables[table],
            map: &MAPS[table],
            costs: &COSTS,
            tables: &TABLES,
            weights: evaluation::weights(options),
        }
    }

    fn seats(&self) -> usize {
        self.seat_count()
    }

    fn start(&self) -> State {
        self.blank()
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        match state.stage {
            Stage::Tile | Stage::Rot | Stage::Start | Stage::Spin => Actor::Chance,
            Stage::Over => Actor::Nobody,
            Stage::Bid(seat) | Stage::Reward(seat) if self.surplus(state) == 0 => Actor::Seat(seat),
            _ => Actor::Seat(state.turn),
        }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        actions.extend(self.legal(state).iter());
    }

    fn chance_outcomes(&self, state: &State, outcomes: &mut Vec<(Action, u64)>) {
        let tables = self.tables;
        match state.stage {
            Stage::Tile => {
                let undrawn = self.undrawn(&state.land);
                let tiles = (0..self.data.tiles.len() as u16).filter(|tile| undrawn >> tile & 1 == 1);
                outcomes.extend(tiles.map(|tile| (Action(tables.tile + tile), 1)));
            }
            Stage::Rot => outcomes.extend((0..6).map(|turn| (Action(tables.turn + turn), 1))),
            Stage::Start => {
                let hexes = self.candidates(&state.land);
                outcomes.extend(hexes.iter().map(|hex| (Action(tables.start + u16::from(hex)), 1)));
            }
            Stage::Spin => outcomes.extend((0..8).map(|segment| (Action(tables.spin + segment), 1))),
            _ => {}
        }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.act(state, self.tables.deed(action), &mut Unwatched);
    }

    fn turn(&self, state: &State) -> u32 {
        // The set-up counts as a round of spins.
        u32::from(state.round) * u32::from(self.seats) + u32::from(state.turn) + 1
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.stage == Stage::Over).then(|| Outcome {
            winners: self.winners(state),
            reason: if self.is_decided(state) { "settled" } else { "limit" },
        })
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.key_from_scratch()
    }
}
