//! What cannot be: the fields of a position against each other (rules 57).

use tavola_core::{Actor, Game, Seat};

use crate::bag::{GOODS, Goods, VEGETABLE, WORKERS, Workers};
use crate::land::{Laid, NOWHERE};
use crate::position_text::{Board, Fields, Supply};
use crate::rules::Montana;
use crate::state::{Contractor, Holdings, Stage, State};
use crate::work::BANK;

/// The position, if all fields could be read; what is wrong with it is added to the faults.
pub(crate) fn judge(game: &Montana, fields: &Fields, faults: &mut Vec<String>) -> Option<State> {
    let mut judge = Judge { game, fields, faults, state: game.blank() };
    judge.map();
    judge.times();
    judge.settlements();
    judge.set_up();
    judge.goods();
    judge.workers();
    judge.animals();
    judge.board();
    judge.contractors();
    judge.end();
    judge.finish()
}

struct Judge<'a> {
    game: &'a Montana,
    fields: &'a Fields,
    faults: &'a mut Vec<String>,
    /// The position as far as it is known.
    state: State,
}

impl Judge<'_> {
    fn fault(&mut self, field: &str, fault: &str) {
        self.faults.push(format!("{field}: {fault}"));
    }

    /// Whether every slot has its tile and turn.
    fn is_mapped(&self) -> bool {
        self.fields.map.as_ref().is_some_and(|slots| slots.iter().all(|laid| laid.turn().is_some()))
    }

    fn map(&mut self) {
        let Some(slots) = &self.fields.map else { return };
        for (slot, &laid) in slots.iter().enumerate() {
            self.state.land.lay(slot, laid);
            self.game.survey(&mut self.state.land, slot);
        }
        if let Some(stage) = self.fields.stage {
            let drawn = slots.iter().filter(|&&laid| laid != Laid::NOTHING).count();
            let turned = slots.iter().filter(|laid| laid.turn().is_some()).count();
            let fits = match stage {
                Stage::Tile => drawn == turned && drawn < slots.len(),
                Stage::Rot => drawn > turned,
                _ => turned == slots.len(),
            };
            if !fits {
                self.fault("map", "it does not belong to the stage");
            }
        }
        let Some(start) = self.fields.start else { return };
        if start == NOWHERE {
            return;
        }
        if !self.is_mapped() {
            self.fault("start", "a start hex before the map is complete");
        } else if self.game.candidates(&self.state.land).contains(start) {
            self.state.land.begin(start, self.game.map.around[usize::from(start)]);
        } else {
            self.fault("start", "this hex is not suitable (rules 4)");
        }
    }

    /// Start hex, round and turn against the stage.
    fn times(&mut self) {
        let Some(stage) = self.fields.stage else { return };
        let early = matches!(stage, Stage::Tile | Stage::Rot | Stage::Start);
        if self.fields.start.is_some_and(|start| (start == NOWHERE) != early) {
            self.fault("start", "it does not belong to the stage");
        }
        if let Some(round) = self.fields.round {
            let fits = match stage {
                Stage::Tile | Stage::Rot | Stage::Start => round == 0,
                Stage::Spin | Stage::Hire(_, None) => true,
                _ => round > 0,
            };
            if !fits {
                self.fault("round", "it does not belong to the stage");
            }
            if round == 0 && matches!(stage, Stage::Hire(_, Some(_))) {
                self.fault("stage", "grain is not paid in the set-up");
            }
        }
        if early && self.fields.turn.is_some_and(|(turn, _)| turn != 0) {
            self.fault("turn", "it is seat 0's before the wheel is spun");
        }
    }

    fn settlements(&mut self) {
        let Some(settlements) = self.fields.settlements.as_ref().filter(|_| self.is_mapped()) else { return };
        for &(hex, seat, tiles) in settlements {
            if self.state.land.free.contains(hex) {
                self.state.land.settle(seat, hex, self.game.map.around[usize::from(hex)], tiles);
            } else {
                let name = self.game.map.name(hex);
                self.fault("settlements", &format!("nobody builds on {name}"));
            }
        }
        for seat in 0..self.game.seats {
            let placed: u32 =
                settlements.iter().filter(|&&(_, owner, _)| owner == seat).map(|&(.., tiles)| u32::from(tiles)).sum();
            let owned = u32::from(self.game.table.settlements);
            self.state.seats[usize::from(seat)].tiles = owned.saturating_sub(placed) as u8;
            if placed > owned {
                self.fault("settlements", &format!("seat {seat} has placed {placed} tiles of {owned}"));
            } else if placed == owned && !self.may_be_done(seat) {
                self.fault("settlements", &format!("seat {seat} cannot have placed its last tile before now"));
            }
        }
    }

    /// Whether a seat can have no tiles left in the round that goes on.
    fn may_be_done(&self, seat: Seat) -> bool {
        let (Some((turn, again)), Some(stage)) = (self.fields.turn, self.fields.stage) else { return true };
        seat < turn || seat == turn && (again || matches!(stage, Stage::Build(_) | Stage::End | Stage::Over))
    }

    fn set_up(&mut self) {
        if self.fields.round != Some(0) {
            return;
        }
        if self.fields.turn.is_some_and(|(_, again)| again) {
            self.fault("turn", "no canteen is used in the set-up");
        }
        if self.fields.settlements.as_ref().is_some_and(|settlements| !settlements.is_empty()) {
            self.fault("settlements", "nobody has built in the set-up");
        }
        if self.fields.board.as_ref().is_some_and(|board| board.bank != [0; 4] || board.left != [0; 12]) {
            self.fault("board", "nobody works in the set-up");
        }
        let Some(seats) = &self.fields.seats else { return };
        let fresh = |holdings: &Holdings, silver: &u8| {
            holdings.silver == u32::from(*silver) && holdings.goods == self.game.data.start_goods
        };
        if !seats.iter().zip(&self.game.data.start_silver).all(|(holdings, silver)| fresh(holdings, silver)) {
            self.fault("seats", "other silver or goods than at the start");
        }
        let (Some((turn, _)), Some(stage)) = (self.fields.turn, self.fields.stage) else { return };
        let spins = 2 * u32::from(self.game.data.start_spins);
        let early = matches!(stage, Stage::Tile | Stage::Rot | Stage::Start);
        for (seat, holdings) in (0..).zip(seats) {
            let workers = total(holdings);
            let fits = match seat {
                _ if seat < turn => workers == spins,
                _ if seat == turn && !early => (0..spins).step_by(2).any(|possible| possible == workers),
                _ => workers == 0,
            };
            if !fits {
                self.fault("seats", &format!("seat {seat} cannot have {workers} workers in the set-up"));
            }
        }
    }

    fn goods(&mut self) {
        let (Some(Supply { goods, .. }), Some(seats)) = (&self.fields.supply, &self.fields.seats) else { return };
        for (lane, letter) in GOODS.into_iter().enumerate() {
            let held: u32 = seats.iter().map(|holdings| u32::from(holdings.goods.count(lane))).sum();
            let own = u32::from(self.game.data.start_goods.count(lane)) * u32::from(self.game.seats);
            let wanted = u32::from(self.game.table.goods.count(lane)) + own;
            if goods[lane] + held != wanted {
                self.fault("supply", &format!("{} {letter} in all, not {wanted}", goods[lane] + held));
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
                    (0..=BANK).map(|place| u32::from(self.game.at_work(&self.state, place).count(lane))).sum();
                let wanted = u32::from(self.game.data.worker_supply.count(lane));
                let all = workers[lane] + held + working;
                if all != wanted {
                    self.fault("supply", &format!("{all} {letter} in all, not {wanted}"));
                }
            }
        }
        for (seat, holdings) in (0..).zip(seats) {
            let (workers, limit) = (total(holdings), self.worker_limit(seat));
            if workers > limit {
                self.fault("seats", &format!("seat {seat} cannot have {workers} workers here, but {limit}"));
            }
        }
    }

    /// How many workers a seat can have while something is being decided (rules 20).
    fn worker_limit(&self, seat: Seat) -> u32 {
        let limit = u32::from(self.game.data.worker_limit);
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
                + u32::from(self.game.data.start_cows) * u32::from(self.game.seats)
                + found;
            let all = cows + seats.iter().map(|holdings| u32::from(holdings.cows)).sum::<u32>();
            if all != wanted {
                self.fault("supply", &format!("{all} cows in all, not {wanted}"));
            }
        }
        let land = &self.state.land;
        let settled = land.all_settled();
        let visited = |lake: &u8| !self.game.map.around[usize::from(*lake)].and(settled).is_empty();
        let lakes = land.lakes.iter().filter(visited).count() as u32;
        let used = u32::from(self.fields.turn.is_some_and(|(_, again)| again));
        let held: u32 = seats.iter().map(|holdings| u32::from(holdings.canteens)).sum();
        if held + used > lakes {
            self.fault("seats", &format!("{held} canteens, but only {lakes} lakes with a settlement beside them"));
        }
    }

    fn board(&mut self) {
        let (Some(Board { bank, left, right }), Some(stage)) = (&self.fields.board, self.fields.stage) else { return };
        (self.state.bank, self.state.left, self.state.right) = (*bank, *left, *right);
        let full: Vec<u8> = Montana::full(&self.state).collect();
        let own = |place: u8| matches!(stage, Stage::Extra(space) if space / 3 == place);
        if full.len() > 1 {
            self.fault("board", "two places are full");
        } else if full.iter().any(|&place| stage != Stage::End && !own(place)) {
            self.fault("board", "a full place clears at the end of the turn");
        }
        if let Stage::Extra(space) = stage
            && (left[usize::from(space)] == 0 || right[usize::from(space)] != 0)
        {
            self.fault("stage", "the second crew has no first one beside it, or is there already");
        }
    }

    fn contractors(&mut self) {
        let (Some(contractors), Some(stage)) = (&self.fields.contractors, self.fields.stage) else { return };
        let (Stage::Bid(acting) | Stage::Reward(acting)) = stage else {
            if contractors.iter().any(|&contractor| contractor != Contractor::Home) {
                self.fault("contractors", "they are at the store outside the city");
            }
            return;
        };
        let mut rows: Vec<u8> =
            contractors.iter().filter_map(|contractor| contractor.stall()).map(|stall| stall / 4).collect();
        rows.sort_unstable();
        if rows.windows(2).any(|pair| pair[0] == pair[1]) {
            self.fault("contractors", "two in one row");
        }
        let home = |seat: Seat| contractors[usize::from(seat)] == Contractor::Home;
        if matches!(stage, Stage::Reward(_)) {
            if contractors[usize::from(acting)].stall().is_none() {
                self.fault("contractors", "the seat that gets its reward has not placed");
            }
            if contractors.contains(&Contractor::Home) {
                self.fault("contractors", "not all seats have placed or passed");
            }
            return;
        }
        if !home(acting) {
            self.fault("contractors", "the seat that is asked has answered");
        }
        let Some((turn, _)) = self.fields.turn else { return };
        let seats = self.game.seats;
        let order: Vec<Seat> = (0..seats).map(|step| (turn + step) % seats).collect();
        let (before, after) = order.split_at(usize::from((acting + seats - turn) % seats));
        if before.iter().any(|&seat| home(seat)) {
            self.fault("contractors", "a seat before the one that is asked has not answered");
        }
        // Those not asked yet are the last ones.
        if after[1..].windows(2).any(|pair| home(pair[0]) && !home(pair[1])) {
            self.fault("contractors", "a seat was passed over");
        }
        let first = acting == turn && contractors.iter().all(|&contractor| contractor == Contractor::Home);
        let gift = self.fields.seats.as_ref().is_none_or(|seats| seats[usize::from(turn)].goods.count(VEGETABLE) > 0);
        if rows.is_empty() && !(first && gift) {
            self.fault("contractors", "nobody has placed");
        }
    }

    fn end(&mut self) {
        if self.fields.stage != Some(Stage::Over) {
            return;
        }
        if let (Some(round), Some(_), true) = (self.fields.round, &self.fields.settlements, self.is_mapped())
            && round < self.game.data.round_limit
            && !self.game.is_decided(&self.state)
        {
            self.fault("stage", "over, but every seat has tiles left and the rounds are not all played");
        }
        if self.fields.turn.is_some_and(|(turn, again)| turn + 1 != self.game.seats || again) {
            self.fault("turn", "the game ends with the last seat's turn");
        }
    }

    /// The whole, if everything is known and nothing is wrong.
    fn finish(mut self) -> Option<State> {
        let fields = self.fields;
        let (Some(supply), Some(seats), Some(contractors)) = (&fields.supply, &fields.seats, &fields.contractors)
        else {
            return None;
        };
        let (Some(round), Some((turn, again)), Some(stage)) = (fields.round, fields.turn, fields.stage) else {
            return None;
        };
        if !self.faults.is_empty() {
            return None;
        }
        let known = &mut self.state;
        // Totals are right, so that every count is small.
        known.supply = Goods::of(supply.goods.map(|count| count as u8));
        known.workers = Workers::of(supply.workers.map(|count| count as u8));
        known.cows = supply.cows as u8;
        for (own, holdings) in known.seats.iter_mut().zip(seats) {
            *own = Holdings { tiles: own.tiles, ..*holdings };
        }
        known.contractors[..contractors.len()].copy_from_slice(contractors);
        (known.round, known.turn, known.again, known.stage) = (round, turn, again, stage);
        let decides = matches!(self.game.to_act(&self.state), Actor::Seat(_));
        if decides && self.game.legal(&self.state).len() < 2 {
            self.fault("stage", "a decision with fewer than two actions");
            return None;
        }
        Some(self.state)
    }
}

fn total(holdings: &Holdings) -> u32 {
    holdings.workers.counts().into_iter().map(u32::from).sum()
}
