//! The city: contractors, outbidding, rewards (rules 27 to 35).

use tavola_core::Seat;

use crate::actions::Stall;
use crate::bag::{COPPER, GRAIN, Goods, STONE, VEGETABLE};
use crate::data::Row;
use crate::rules::Montana;
use crate::state::{Contractor, Stage, State};
use crate::watch::{Note, Watch};

impl Montana {
    /// The row of a space, and its price.
    #[inline]
    pub(crate) fn stall(&self, stall: Stall) -> (usize, u8) {
        let row = usize::from(stall / 4);
        (row, self.data.rows[row].prices[usize::from(stall % 4)])
    }

    /// The row of a seat's contractor.
    pub(crate) fn row_of(&self, state: &State, seat: Seat) -> Option<&Row> {
        state.contractors[usize::from(seat)].stall().map(|stall| &self.data.rows[usize::from(stall / 4)])
    }

    /// The price at which a contractor stands in a row, or 0.
    #[inline]
    pub(crate) fn highest(&self, state: &State, row: usize) -> u8 {
        let stalls = state.contractors.iter().filter_map(|contractor| contractor.stall());
        stalls
            .map(|stall| self.stall(stall))
            .filter(|&(known, _)| known == row)
            .map(|(_, price)| price)
            .max()
            .unwrap_or(0)
    }

    /// Whether a seat may place its contractor on a space (rules 28).
    #[inline]
    pub(crate) fn may_bid(&self, state: &State, seat: Seat, stall: Stall) -> bool {
        let (row, price) = self.stall(stall);
        price <= state.seats[usize::from(seat)].goods.count(VEGETABLE) && price > self.highest(state, row)
    }

    /// Whether the seat must place: the active seat's first placing (rules 29).
    pub(crate) fn must_place(state: &State, seat: Seat) -> bool {
        seat == state.turn && state.contractors.iter().all(|&contractor| contractor == Contractor::Home)
    }

    /// The seat whose turn it is opens the city (rules 27).
    pub(crate) fn open_city<W: Watch>(&self, state: &mut State, watch: &mut W) {
        watch.note(state, Note::City);
        self.gain_good(state, state.turn, VEGETABLE, self.data.city_gift, watch);
        watch.note(state, Note::GainedGoods(state.turn, Goods::some(VEGETABLE, self.data.city_gift)));
        state.stage = Stage::Bid(state.turn);
    }

    /// A seat places its contractor; whom it outbids acts at once (rules 30).
    pub(crate) fn bid<W: Watch>(&self, state: &mut State, seat: Seat, stall: Stall, watch: &mut W) {
        let in_row = |contractor: &Contractor| contractor.stall().is_some_and(|known| known / 4 == stall / 4);
        let outbid = state.contractors.iter().position(in_row).map(|other| other as Seat);
        state.contractors[usize::from(seat)] = Contractor::At(stall);
        watch.note(state, Note::Bid(seat, stall));
        match outbid {
            Some(other) => {
                state.contractors[usize::from(other)] = Contractor::Home;
                state.stage = Stage::Bid(other);
                watch.note(state, Note::Outbid(other));
            }
            None => self.ask_next(state, watch),
        }
    }

    /// A seat is out for this turn (rules 29).
    pub(crate) fn pass<W: Watch>(&self, state: &mut State, seat: Seat, watch: &mut W) {
        state.contractors[usize::from(seat)] = Contractor::Passed;
        watch.note(state, Note::Passed(seat));
        self.ask_next(state, watch);
    }

    /// The seats clockwise from the one that is so many steps from the active one.
    pub(crate) fn clockwise(&self, state: &State, steps: u8) -> impl Iterator<Item = Seat> + use<> {
        let (turn, seats) = (state.turn, self.seats);
        (turn + steps..turn + seats).map(move |place| if place < seats { place } else { place - seats })
    }

    /// The next seat is asked, or the rewards begin (rules 30, 31).
    fn ask_next<W: Watch>(&self, state: &mut State, watch: &mut W) {
        match self.clockwise(state, 0).find(|&seat| state.contractors[usize::from(seat)] == Contractor::Home) {
            Some(seat) => state.stage = Stage::Bid(seat),
            None => self.reward_from(state, 0, watch),
        }
    }

    /// The next placed seat pays and chooses its reward, so many steps clockwise from the active seat or later (rules 31 to 33).
    fn reward_from<W: Watch>(&self, state: &mut State, steps: u8, watch: &mut W) {
        for seat in self.clockwise(state, steps) {
            let Contractor::At(stall) = state.contractors[usize::from(seat)] else { continue };
            let (row, price) = self.stall(stall);
            if state.seats[usize::from(seat)].goods.count(VEGETABLE) < price {
                watch.note(state, Note::NoReward(seat));
                continue; // rules 32
            }
            let row = &self.data.rows[row];
            Self::pay_goods(state, seat, Goods::some(VEGETABLE, price));
            watch.note(state, Note::Reward(seat, stall));
            if row.cows > 0 && state.cows >= row.cows {
                state.cows -= row.cows;
                state.seats[usize::from(seat)].cows += row.cows;
                watch.note(state, Note::GainedCow(seat));
            }
            if row.silver > 0 {
                state.seats[usize::from(seat)].silver += u32::from(row.silver);
                watch.note(state, Note::GainedSilver(seat, row.silver));
            }
            state.stage = Stage::Reward(seat);
            return;
        }
        state.contractors = Default::default();
        state.stage = Stage::End;
        watch.note(state, Note::Home);
    }

    fn reward_after<W: Watch>(&self, state: &mut State, seat: Seat, watch: &mut W) {
        let steps = (seat + self.seats - state.turn) % self.seats;
        self.reward_from(state, steps + 1, watch);
    }

    /// Three goods (rules 33).
    pub(crate) fn take<W: Watch>(&self, state: &mut State, seat: Seat, goods: Goods, watch: &mut W) {
        for lane in [COPPER, STONE, GRAIN] {
            self.gain_good(state, seat, lane, goods.count(lane), watch);
        }
        watch.note(state, Note::GainedGoods(seat, goods));
        self.reward_after(state, seat, watch);
    }

    /// Small goods for large ones (rules 34): first the large ones come, then the small ones go.
    pub(crate) fn swap<W: Watch>(&self, state: &mut State, seat: Seat, small: Goods, watch: &mut W) {
        for lane in [COPPER, STONE] {
            self.gain_good(state, seat, lane + 1, small.count(lane), watch);
        }
        Self::pay_goods(state, seat, small);
        watch.note(state, Note::Swapped(seat, small));
        self.reward_after(state, seat, watch);
    }
}
