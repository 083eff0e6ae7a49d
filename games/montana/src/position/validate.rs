//! Checks the fields of a position against each other (rules 57).

use tavola_core::{Actor, Game, PositionError, Seat, Text};

use crate::game::Montana;
use crate::map::{NO_HEX, SlotTile};
use crate::multiset::{GOODS, Goods, VEGETABLE, WORKERS, Workers};
use crate::position::parse::{Board, Fields, Supply};
use crate::rules::work::BANK;
use crate::state::{Contractor, Holdings, Stage, State};

/// Returns the position, if all fields are known and consistent. Adds the faults found.
pub(crate) fn validate(game: &Montana, fields: &Fields, faults: &mut PositionError) -> Option<State> {
    let mut validate = Validator { game, fields, faults, state: game.initial_state() };
    validate.map();
    validate.times();
    validate.settlements();
    validate.set_up();
    validate.goods();
    validate.workers();
    validate.animals();
    validate.board();
    validate.contractors();
    validate.end();
    validate.finish()
}

struct Validator<'a> {
    game: &'a Montana,
    fields: &'a Fields,
    faults: &'a mut PositionError,
    /// The position, as far as it is known.
    state: State,
}

impl Validator<'_> {
    fn fault(&mut self, field: &'static str, fault: Text) {
        self.faults.add(field, fault);
    }

    /// Whether every slot has a rotated tile.
    fn is_mapped(&self) -> bool {
        self.fields.map.as_ref().is_some_and(|slots| slots.iter().all(|laid| laid.turn().is_some()))
    }

    fn map(&mut self) {
        let Some(slots) = &self.fields.map else { return };
        for (slot, &laid) in slots.iter().enumerate() {
            self.state.land.set_slot(slot, laid);
            self.game.register_tile(&mut self.state.land, slot);
        }
        if let Some(stage) = self.fields.stage {
            let drawn = slots.iter().filter(|&&laid| laid != SlotTile::NOTHING).count();
            let turned = slots.iter().filter(|laid| laid.turn().is_some()).count();
            let fits = match stage {
                Stage::Tile => drawn == turned && drawn < slots.len(),
                Stage::Rot => drawn > turned,
                _ => turned == slots.len(),
            };
            if !fits {
                self.fault("field.map", Text::new("fault.unfitting"));
            }
        }
        let Some(start) = self.fields.start else { return };
        if start == NO_HEX {
            return;
        }
        if !self.is_mapped() {
            self.fault("field.start", Text::new("fault.start.early"));
        } else if self.game.start_candidates(&self.state.land).contains(start) {
            self.state.land.place_start(start, self.game.map.around[usize::from(start)]);
        } else {
            self.fault("field.start", Text::new("fault.start"));
        }
    }

    /// Checks start hex, round and turn against the stage.
    fn times(&mut self) {
        let Some(stage) = self.fields.stage else { return };
        let early = matches!(stage, Stage::Tile | Stage::Rot | Stage::Start);
        if self.fields.start.is_some_and(|start| (start == NO_HEX) != early) {
            self.fault("field.start", Text::new("fault.unfitting"));
        }
        if let Some(round) = self.fields.round {
            let fits = match stage {
                Stage::Tile | Stage::Rot | Stage::Start => round == 0,
                Stage::Spin | Stage::Hire(_, None) => true,
                _ => round > 0,
            };
            if !fits {
                self.fault("field.round", Text::new("fault.unfitting"));
            }
            if round == 0 && matches!(stage, Stage::Hire(_, Some(_))) {
                self.fault("field.stage", Text::new("fault.grain"));
            }
        }
        if early && self.fields.turn.is_some_and(|(turn, _)| turn != 0) {
            self.fault("field.turn", Text::new("fault.turn.early"));
        }
    }

    fn settlements(&mut self) {
        let Some(settlements) = self.fields.settlements.as_ref().filter(|_| self.is_mapped()) else { return };
        for &(hex, seat, tiles) in settlements {
            if self.state.land.free.contains(hex) {
                self.state.land.settle(seat, hex, self.game.map.around[usize::from(hex)], tiles);
            } else {
                let name = self.game.map.name(hex);
                self.fault("field.settlements", Text::new("fault.settled").with("cell", name));
            }
        }
        for seat in 0..self.game.seats {
            let placed: u32 =
                settlements.iter().filter(|&&(_, owner, _)| owner == seat).map(|&(.., tiles)| u32::from(tiles)).sum();
            let owned = u32::from(self.game.table.settlements);
            self.state.seats[usize::from(seat)].tiles = owned.saturating_sub(placed) as u8;
            if placed > owned {
                self.fault(
                    "field.settlements",
                    Text::new("fault.placed").with("seat", seat).with("placed", placed).with("owned", owned),
                );
            } else if placed == owned && !self.may_be_done(seat) {
                self.fault("field.settlements", Text::new("fault.placed.last").with("seat", seat));
            }
        }
    }

    /// Whether a seat can have no tiles left at this time.
    fn may_be_done(&self, seat: Seat) -> bool {
        let (Some((turn, extra_turn)), Some(stage)) = (self.fields.turn, self.fields.stage) else { return true };
        seat < turn || seat == turn && (extra_turn || matches!(stage, Stage::Build(_) | Stage::End | Stage::Over))
    }

    fn set_up(&mut self) {
        if self.fields.round != Some(0) {
            return;
        }
        if self.fields.turn.is_some_and(|(_, extra_turn)| extra_turn) {
            self.fault("field.turn", Text::new("fault.set-up.canteen"));
        }
        if self.fields.settlements.as_ref().is_some_and(|settlements| !settlements.is_empty()) {
            self.fault("field.settlements", Text::new("fault.set-up.settlements"));
        }
        if self.fields.board.as_ref().is_some_and(|board| board.bank != [0; 4] || board.left != [0; 12]) {
            self.fault("field.board", Text::new("fault.set-up.board"));
        }
        let Some(seats) = &self.fields.seats else { return };
        let fresh = |holdings: &Holdings, silver: &u8| {
            holdings.silver == u32::from(*silver) && holdings.goods == self.game.components.start_goods
        };
        if !seats.iter().zip(&self.game.components.start_silver).all(|(holdings, silver)| fresh(holdings, silver)) {
            self.fault("field.seats", Text::new("fault.set-up.seats"));
        }
        let (Some((turn, _)), Some(stage)) = (self.fields.turn, self.fields.stage) else { return };
        let spins = 2 * u32::from(self.game.components.start_spins);
        let early = matches!(stage, Stage::Tile | Stage::Rot | Stage::Start);
        for (seat, holdings) in (0..).zip(seats) {
            let workers = total(holdings);
            let fits = match seat {
                _ if seat < turn => workers == spins,
                _ if seat == turn && !early => (0..spins).step_by(2).any(|possible| possible == workers),
                _ => workers == 0,
            };
            if !fits {
                self.fault("field.seats", Text::new("fault.set-up.workers").with("seat", seat).with("count", workers));
            }
        }
    }

    fn goods(&mut self) {
        let (Some(Supply { goods, .. }), Some(seats)) = (&self.fields.supply, &self.fields.seats) else { return };
        for (lane, letter) in GOODS.into_iter().enumerate() {
            let held: u32 = seats.iter().map(|holdings| u32::from(holdings.goods.count(lane))).sum();
            let own = u32::from(self.game.components.start_goods.count(lane)) * u32::from(self.game.seats);
            let wanted = u32::from(self.game.table.goods.count(lane)) + own;
            if goods[lane] + held != wanted {
                self.fault(
                    "field.supply",
                    Text::new("fault.in-all")
                        .with("count", goods[lane] + held)
                        .with("letter", letter)
                        .with("wanted", wanted),
                );
            }
        }
    }

    fn workers(&mut self) {
        let Some(seats) = &self.fields.seats else { return };
        if let (Some(Supply { workers, .. }), Some(board)) = (&self.fields.supply, &self.fields.board) {
            self.state.bank = board.bank;
            self.state.left = board.left;
            self.state.right = board.right;
            for (lane, letter) in WORKERS.into_iter().enumerate() {
                let held: u32 = seats.iter().map(|holdings| u32::from(holdings.workers.count(lane))).sum();
                let working: u32 =
                    (0..=BANK).map(|place| u32::from(self.game.workers_at(&self.state, place).count(lane))).sum();
                let wanted = u32::from(self.game.components.worker_supply.count(lane));
                let all = workers[lane] + held + working;
                if all != wanted {
                    self.fault(
                        "field.supply",
                        Text::new("fault.in-all").with("count", all).with("letter", letter).with("wanted", wanted),
                    );
                }
            }
        }
        for (seat, holdings) in (0..).zip(seats) {
            let (workers, limit) = (total(holdings), self.worker_limit(seat));
            if workers > limit {
                self.fault(
                    "field.seats",
                    Text::new("fault.limit").with("seat", seat).with("count", workers).with("limit", limit),
                );
            }
        }
    }

    /// Returns the most workers that a seat can have at this stage (rules 20).
    fn worker_limit(&self, seat: Seat) -> u32 {
        let limit = u32::from(self.game.components.worker_limit);
        let (Some((turn, _)), Some(stage)) = (self.fields.turn, self.fields.stage) else { return u32::MAX };
        let more = match stage {
            _ if seat != turn => 0,
            Stage::Main | Stage::Shift(_) | Stage::Extra(_) | Stage::Build(_) => 1,
            Stage::Bid(acting) | Stage::Reward(acting) => u32::from(acting == turn),
            Stage::End if self.game.second => 4,
            Stage::End => 2,
            _ => 0,
        };
        limit + more
    }

    fn animals(&mut self) {
        let (Some(seats), true) = (&self.fields.seats, self.fields.settlements.is_some() && self.is_mapped()) else {
            return;
        };
        let land = &self.state.land;
        if let Some(Supply { cows, .. }) = &self.fields.supply {
            let found = land.all_settled().and(land.cows).len();
            let wanted = u32::from(self.game.table.cows)
                + u32::from(self.game.components.start_cows) * u32::from(self.game.seats)
                + found;
            let all = cows + seats.iter().map(|holdings| u32::from(holdings.cows)).sum::<u32>();
            if all != wanted {
                self.fault("field.supply", Text::new("fault.cows").with("count", all).with("wanted", wanted));
            }
        }
        let land = &self.state.land;
        let settled = land.all_settled();
        let visited = |lake: &u8| !self.game.map.around[usize::from(*lake)].and(settled).is_empty();
        let lakes = land.lakes.iter().filter(visited).count() as u32;
        let used = u32::from(self.fields.turn.is_some_and(|(_, extra_turn)| extra_turn));
        let held: u32 = seats.iter().map(|holdings| u32::from(holdings.canteens)).sum();
        if held + used > lakes {
            self.fault("field.seats", Text::new("fault.canteens").with("count", held).with("lakes", lakes));
        }
    }

    fn board(&mut self) {
        let (Some(Board { bank, left, right }), Some(stage)) = (&self.fields.board, self.fields.stage) else { return };
        (self.state.bank, self.state.left, self.state.right) = (*bank, *left, *right);
        let full: Vec<u8> = Montana::full_places(&self.state).collect();
        let own = |place: u8| matches!(stage, Stage::Extra(space) if space / 3 == place);
        if full.len() > 1 {
            self.fault("field.board", Text::new("fault.board.two"));
        } else if full.iter().any(|&place| stage != Stage::End && !own(place)) {
            self.fault("field.board", Text::new("fault.board.full"));
        }
        if let Stage::Extra(space) = stage
            && (left[usize::from(space)] == 0 || right[usize::from(space)] != 0)
        {
            self.fault("field.stage", Text::new("fault.extra"));
        }
    }

    fn contractors(&mut self) {
        let (Some(contractors), Some(stage)) = (&self.fields.contractors, self.fields.stage) else { return };
        let (Stage::Bid(acting) | Stage::Reward(acting)) = stage else {
            if contractors.iter().any(|&contractor| contractor != Contractor::Home) {
                self.fault("field.contractors", Text::new("fault.contractors.store"));
            }
            return;
        };
        let mut rows: Vec<u8> = contractors
            .iter()
            .filter_map(|contractor| contractor.city_space())
            .map(|city_space| city_space / 4)
            .collect();
        rows.sort_unstable();
        if rows.windows(2).any(|pair| pair[0] == pair[1]) {
            self.fault("field.contractors", Text::new("fault.contractors.row"));
        }
        let home = |seat: Seat| contractors[usize::from(seat)] == Contractor::Home;
        if matches!(stage, Stage::Reward(_)) {
            if contractors[usize::from(acting)].city_space().is_none() {
                self.fault("field.contractors", Text::new("fault.contractors.reward"));
            }
            if contractors.contains(&Contractor::Home) {
                self.fault("field.contractors", Text::new("fault.contractors.open"));
            }
            return;
        }
        if !home(acting) {
            self.fault("field.contractors", Text::new("fault.contractors.answered"));
        }
        let Some((turn, _)) = self.fields.turn else { return };
        let seats = self.game.seats;
        let order: Vec<Seat> = (0..seats).map(|step| (turn + step) % seats).collect();
        let (before, after) = order.split_at(usize::from((acting + seats - turn) % seats));
        if before.iter().any(|&seat| home(seat)) {
            self.fault("field.contractors", Text::new("fault.contractors.before"));
        }
        // Seats that have not bid yet come last.
        if after[1..].windows(2).any(|pair| home(pair[0]) && !home(pair[1])) {
            self.fault("field.contractors", Text::new("fault.contractors.over"));
        }
        let first = acting == turn && contractors.iter().all(|&contractor| contractor == Contractor::Home);
        let gift = self.fields.seats.as_ref().is_none_or(|seats| seats[usize::from(turn)].goods.count(VEGETABLE) > 0);
        if rows.is_empty() && !(first && gift) {
            self.fault("field.contractors", Text::new("fault.contractors.nobody"));
        }
    }

    fn end(&mut self) {
        if self.fields.stage != Some(Stage::Over) {
            return;
        }
        if let (Some(round), Some(_), true) = (self.fields.round, &self.fields.settlements, self.is_mapped())
            && round < self.game.components.round_limit
            && !self.game.is_decided(&self.state)
        {
            self.fault("field.stage", Text::new("fault.over"));
        }
        if self.fields.turn.is_some_and(|(turn, extra_turn)| turn + 1 != self.game.seats || extra_turn) {
            self.fault("field.turn", Text::new("fault.turn.last"));
        }
    }

    /// Returns the position, if all fields are known and there are no faults.
    fn finish(mut self) -> Option<State> {
        let fields = self.fields;
        let (Some(supply), Some(seats), Some(contractors)) = (&fields.supply, &fields.seats, &fields.contractors)
        else {
            return None;
        };
        let (Some(round), Some((turn, extra_turn)), Some(stage)) = (fields.round, fields.turn, fields.stage) else {
            return None;
        };
        if !self.faults.is_empty() {
            return None;
        }
        let known = &mut self.state;
        // The totals are right, so every count is small.
        known.supply = Goods::of(supply.goods.map(|count| count as u8));
        known.workers = Workers::of(supply.workers.map(|count| count as u8));
        known.cows = supply.cows as u8;
        for (own, holdings) in known.seats.iter_mut().zip(seats) {
            *own = Holdings { tiles: own.tiles, ..*holdings };
        }
        known.contractors[..contractors.len()].copy_from_slice(contractors);
        (known.round, known.turn, known.extra_turn, known.stage) = (round, turn, extra_turn, stage);
        let decides = matches!(self.game.to_act(&self.state), Actor::Seat(_));
        if decides && self.game.legal(&self.state).len() < 2 {
            self.fault("field.stage", Text::new("fault.few"));
            return None;
        }
        Some(self.state)
    }
}

fn total(holdings: &Holdings) -> u32 {
    holdings.workers.counts().into_iter().map(u32::from).sum()
}
