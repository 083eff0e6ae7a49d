//! The rules, in the order of the clauses.
//!
//! | clauses | file |
//! |---|---|
//! | 1 to 9 | set-up, rounds and turns: this file |
//! | 10 to 14 | cow trades, gains and shortages: `supply.rs` |
//! | 15 to 20 | recruiting: `recruit.rs` |
//! | 21 to 26 | work: `work.rs` |
//! | 27 to 35 | the city: `city.rs` |
//! | 36 to 43 | building: `build.rs` |
//! | 44 to 54 | the end of a turn and of the game, legal actions: this file |

mod build;
mod city;
mod recruit;
mod supply;
pub(crate) mod work;

use tavola_core::info::{Info, OptionSpec, Options};
use tavola_core::{Actor, Compiled, Game, Outcome, SeatSet};

use crate::actions::{Action, ActionKind, ActionSet, TABLES};
use crate::components::{COMPONENTS, Ground};
use crate::evaluation;
use crate::game::Montana;
use crate::map::{COSTS, Hex, HexSet, MAPS, SlotTile};
use crate::multiset::{COPPER, GRAIN, STONE};
use crate::observer::{GameEvent, NoObserver, Observer};
use crate::state::{Contractor, Holdings, Land, SEATS, Stage, State};

impl Montana {
    /// Returns the workers of the active seat above the limit (rules 20).
    #[inline]
    pub(crate) fn surplus(&self, state: &State) -> u8 {
        state.active().workers.total().saturating_sub(self.components.worker_limit)
    }

    /// Returns the candidates for the start hex (rules 4).
    pub(crate) fn start_candidates(&self, land: &Land) -> HexSet {
        let plains_around = |hex: Hex| self.map.around[usize::from(hex)].and(land.free).len();
        let plain = land.free.without(land.cows).without(land.doubles);
        let most = plain.iter().map(plains_around).max().unwrap_or(0).min(5);
        plain.iter().filter(|&hex| plains_around(hex) >= most).map(HexSet::one).fold(HexSet::EMPTY, HexSet::or)
    }

    /// Adds the hexes of a slot whose tile is rotated to the map.
    pub(crate) fn register_tile(&self, land: &mut Land, slot: usize) {
        for (place, &hex) in (0..).zip(&self.map.slot_hexes[slot]) {
            let one = HexSet::one(hex);
            match land.slots[slot].ground(place) {
                Some(Ground::Plain { cow, double, cost }) => {
                    land.cost_index.add(hex, cost);
                    land.free = land.free.or(one);
                    land.cows = if cow { land.cows.or(one) } else { land.cows };
                    land.doubles = if double { land.doubles.or(one) } else { land.doubles };
                }
                Some(Ground::Lake) => land.lakes = land.lakes.or(one),
                Some(Ground::Mountain) | None => {}
            }
        }
    }

    /// Returns the tiles not yet drawn, one bit each.
    pub(crate) fn unused_tiles(&self, land: &Land) -> u64 {
        let used = land.slots.iter().filter_map(|laid| laid.tile()).fold(0, |used, tile| used | 1 << tile);
        !used & ((1 << self.components.tiles.len()) - 1)
    }

    /// Returns the number of filled slots.
    pub(crate) fn filled_slots(&self, state: &State) -> usize {
        state.land.slots.iter().take(self.map.slots.into()).filter(|&&laid| laid != SlotTile::NOTHING).count()
    }

    /// Returns the legal actions (rules 50): none for chance and after the end.
    #[inline]
    pub(crate) fn legal(&self, state: &State) -> ActionSet {
        let tables = self.tables;
        let holdings = state.active();
        if holdings.workers.total() > self.components.worker_limit {
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
                let bids = (0..16).filter(|&city_space| self.may_bid(state, seat, city_space));
                bids.for_each(|city_space| actions.insert(tables.bids[usize::from(city_space)]));
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
        // rules 10: on the seat's own turn only
        if acting == state.turn && holdings.cows > 0 {
            actions.add(&tables.cows);
        }
        actions
    }

    /// Adds the actions of the free work spaces, whatever workers the seat has.
    #[inline]
    fn add_spaces(&self, state: &State, actions: &mut ActionSet) {
        let silver = state.active().silver;
        for space in 0..4 {
            if self.is_bank_space_open(state, space) {
                actions.add(&self.tables.banks[space]);
            }
        }
        for (space, &crew) in state.left.iter().enumerate() {
            let (price, _) = self.components.prices.production[space / 3].left[space % 3];
            if crew == 0 && silver >= u32::from(price) {
                actions.add(&self.tables.works[space]);
            }
        }
    }

    /// Adds the actions that end the turn (rules 51).
    #[inline]
    fn add_ends(&self, state: &State, actions: &mut ActionSet) {
        actions.insert(self.tables.end);
        if state.active().canteens > 0 && !state.extra_turn {
            actions.insert(self.tables.canteen);
        }
    }

    /// Returns the only legal action, if there is exactly one (rules 53).
    #[inline]
    fn forced(&self, state: &State) -> Option<ActionKind> {
        // Recruiting and the city are always possible.
        if state.stage == Stage::Main && self.surplus(state) == 0 {
            return None;
        }
        self.nth_action(state, |count| (count == 1).then_some(0))
    }

    /// Plays an action and all forced steps after it (rules 53).
    pub(crate) fn play_with_forced<W: Observer>(&self, state: &mut State, kind: ActionKind, observer: &mut W) {
        let mut next = Some(kind);
        while let Some(kind) = next {
            self.apply(state, kind, observer);
            next = self.forced(state);
        }
    }

    // Inlining this saves a twentieth of the time of random games.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub(crate) fn apply<W: Observer>(&self, state: &mut State, kind: ActionKind, observer: &mut W) {
        match (kind, state.stage) {
            (ActionKind::Tile(tile), _) => {
                let slot = self.filled_slots(state);
                if slot < self.map.slots.into() {
                    state.land.set_slot(slot, SlotTile::drawn(tile));
                    state.stage = Stage::Rot;
                    observer.on_event(state, GameEvent::Drawn(tile));
                }
            }
            (ActionKind::Turn(turn), _) => self.rotate_tile(state, turn, observer),
            (ActionKind::Start(hex), _) => {
                state.land.place_start(hex, self.map.around[usize::from(hex)]);
                state.stage = Stage::Spin;
                observer.on_event(state, GameEvent::Start(hex));
            }
            (ActionKind::Spin(segment), _) => self.spin(state, segment, observer),
            (ActionKind::Recruit, _) => state.stage = Stage::Spin,
            (ActionKind::Shift(grain), Stage::Shift(segment)) => self.shift(state, segment, grain, observer),
            (ActionKind::Hire(crew), Stage::Hire(segment, second)) => {
                self.hire(state, segment, second, self.tables.crews[usize::from(crew)], observer);
            }
            (ActionKind::Return(crew), _) => self.return_workers(state, crew, observer),
            (ActionKind::Bank(space, crew), _) => self.bank(state, space, crew, observer),
            (ActionKind::Work(space, crew), _) => self.work(state, space, crew, observer),
            (ActionKind::Extra(crew), Stage::Extra(space)) => self.work_right(state, space, crew, observer),
            (ActionKind::City, _) => self.open_city(state, observer),
            (ActionKind::Bid(city_space), Stage::Bid(seat)) => self.bid(state, seat, city_space, observer),
            (ActionKind::Pass, Stage::Bid(seat)) => self.pass(state, seat, observer),
            (ActionKind::Take(goods), Stage::Reward(seat)) => self.take(state, seat, goods, observer),
            (ActionKind::Swap(small), Stage::Reward(seat)) => self.swap(state, seat, small, observer),
            (ActionKind::Build(hex), _) => self.build(state, hex, observer),
            (ActionKind::Cow(trade), _) => self.trade_cow(state, trade, observer),
            (ActionKind::End, _) => self.end_turn(state, false, observer),
            (ActionKind::Canteen, _) => self.end_turn(state, true, observer),
            // An illegal action has no effect.
            _ => {}
        }
    }

    fn rotate_tile<W: Observer>(&self, state: &mut State, turn: u8, observer: &mut W) {
        let Some(slot) = self.filled_slots(state).checked_sub(1) else { return };
        state.land.set_slot(slot, state.land.slots[slot].turned(turn));
        self.register_tile(&mut state.land, slot);
        state.stage = if slot + 1 < self.map.slots.into() { Stage::Tile } else { Stage::Start };
        observer.on_event(state, GameEvent::Turned(slot as u8));
    }

    /// Ends a turn (rules 39, 26, 44 to 47).
    fn end_turn<W: Observer>(&self, state: &mut State, canteen: bool, observer: &mut W) {
        if let Stage::Build(sites) = state.stage {
            let silver = self.unbuilt_site_silver(sites);
            state.active_mut().silver += u32::from(silver);
            observer.on_event(state, GameEvent::Spare(silver));
        }
        self.clear_full_places(state, observer);
        state.stage = Stage::Main;
        if canteen {
            state.active_mut().canteens -= 1;
            state.extra_turn = true;
            observer.on_event(state, GameEvent::ExtraTurn);
            return;
        }
        state.extra_turn = false;
        if usize::from(state.turn) + 1 < self.seat_count() {
            state.turn += 1;
        } else if self.is_decided(state) || state.round >= self.components.round_limit {
            state.stage = Stage::Over;
            observer.on_event(state, GameEvent::Over);
        } else {
            state.turn = 0;
            state.round += 1;
        }
    }

    /// Whether a seat has placed its last tile, so that this is the final round (rules 46).
    pub(crate) fn is_decided(&self, state: &State) -> bool {
        state.seats[..self.seat_count()].iter().any(|holdings| holdings.tiles == 0)
    }

    /// Returns the winners (rules 48).
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

    /// Returns the position before the first draw (rules 2, 6).
    pub(crate) fn initial_state(&self) -> State {
        let mut seats = [Holdings::default(); SEATS];
        for (holdings, silver) in seats.iter_mut().zip(self.components.start_silver).take(self.seat_count()) {
            *holdings = Holdings {
                goods: self.components.start_goods,
                silver: silver.into(),
                cows: self.components.start_cows,
                tiles: self.table.settlements,
                ..Holdings::default()
            };
        }
        State {
            land: Land::EMPTY,
            seats,
            supply: self.table.goods,
            workers: self.components.worker_supply,
            cows: self.table.cows,
            bank: [0; 4],
            left: [0; 12],
            right: [0; 12],
            contractors: [Contractor::Home; SEATS],
            round: 0,
            turn: 0,
            extra_turn: false,
            stage: Stage::Tile,
        }
    }
}

impl Compiled for Montana {
    const INFO: &'static Info = &Info {
        name: "montana",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: true,
        has_draws: false,
        options: &[
            OptionSpec::new("players", &["2", "3", "4"]),
            OptionSpec::new("grain", &["shift", "second"]),
            OptionSpec::new("sites", &["own", "any"]),
        ],
        assets: tavola_core::assets! {
            lessons: ["first", "work", "cows", "line", "city"],
            networks: [],
        },
    };

    fn new(options: &Options) -> Self {
        let seats = options.number("players");
        let table = usize::from(seats) - 2;
        Self {
            seats,
            second: options.get("grain") == "second",
            any_site: options.get("sites") == "any",
            components: &COMPONENTS,
            table: &COMPONENTS.tables[table],
            map: &MAPS[table],
            costs: &COSTS,
            tables: &TABLES,
            weights: evaluation::weights(options),
        }
    }
}

impl Game for Montana {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static Info {
        Self::INFO
    }

    fn seats(&self) -> usize {
        self.seat_count()
    }

    fn start(&self) -> State {
        self.initial_state()
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        match state.stage {
            Stage::Tile | Stage::Rot | Stage::Start | Stage::Spin => Actor::Chance,
            Stage::Over => Actor::Terminal,
            Stage::Bid(seat) | Stage::Reward(seat) => Actor::Seat(seat),
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
                let unused_tiles = self.unused_tiles(&state.land);
                let tiles = (0..self.components.tiles.len() as u16).filter(|tile| unused_tiles >> tile & 1 == 1);
                outcomes.extend(tiles.map(|tile| (Action(tables.tile + tile), 1)));
            }
            Stage::Rot => outcomes.extend((0..6).map(|turn| (Action(tables.turn + turn), 1))),
            Stage::Start => {
                let hexes = self.start_candidates(&state.land);
                outcomes.extend(hexes.iter().map(|hex| (Action(tables.start + u16::from(hex)), 1)));
            }
            Stage::Spin => outcomes.extend((0..8).map(|segment| (Action(tables.spin + segment), 1))),
            _ => {}
        }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.play_with_forced(state, self.tables.kind(action), &mut NoObserver);
    }

    fn turn(&self, state: &State) -> u32 {
        // The set-up counts as a round.
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
