//! The city: contractors, outbidding, rewards (rules 27 to 35).

use tavola_core::Seat;

use crate::game::Montana;
use crate::multiset::{COPPER, GRAIN, Goods, STONE, VEGETABLE};
use crate::observer::{GameEvent, Observer};
use crate::prices::{CitySpace, Row};
use crate::state::{Contractor, Stage, State};

impl Montana {
    /// Returns the row and the price of a space.
    #[inline]
    pub(crate) fn city_space(&self, city_space: CitySpace) -> (usize, u8) {
        let row = usize::from(city_space / 4);
        (row, self.components.prices.rows[row].prices[usize::from(city_space % 4)])
    }

    /// Returns the row of a seat's contractor.
    pub(crate) fn row_of(&self, state: &State, seat: Seat) -> Option<&Row> {
        state.contractors[usize::from(seat)]
            .city_space()
            .map(|city_space| &self.components.prices.rows[usize::from(city_space / 4)])
    }

    /// Returns the price of the contractor in a row, or 0.
    #[inline]
    pub(crate) fn highest(&self, state: &State, row: usize) -> u8 {
        let city_spaces = state.contractors.iter().filter_map(|contractor| contractor.city_space());
        city_spaces
            .map(|city_space| self.city_space(city_space))
            .filter(|&(known, _)| known == row)
            .map(|(_, price)| price)
            .max()
            .unwrap_or(0)
    }

    /// Whether a seat may place its contractor on a space (rules 28).
    #[inline]
    pub(crate) fn may_bid(&self, state: &State, seat: Seat, city_space: CitySpace) -> bool {
        let (row, price) = self.city_space(city_space);
        price <= state.seats[usize::from(seat)].goods.count(VEGETABLE) && price > self.highest(state, row)
    }

    /// Whether the active seat could place its contractor on a space if it went to the city now (rules 27, 28).
    pub(crate) fn could_bid(&self, state: &State, city_space: CitySpace) -> bool {
        // A shortage undoes what it gives.
        let gift = self.components.city_gift;
        let gained = if state.supply.count(VEGETABLE) < gift { 0 } else { gift };
        self.city_space(city_space).1 <= state.active().goods.count(VEGETABLE) + gained
    }

    /// Whether the seat must place: it is active and places first (rules 29).
    pub(crate) fn must_place(state: &State, seat: Seat) -> bool {
        seat == state.turn && state.contractors.iter().all(|&contractor| contractor == Contractor::Home)
    }

    /// The active seat goes to the city (rules 27).
    pub(crate) fn open_city<W: Observer>(&self, state: &mut State, observer: &mut W) {
        observer.on_event(state, GameEvent::City);
        self.gain_good(state, state.turn, VEGETABLE, self.components.city_gift, observer);
        observer.on_event(state, GameEvent::GainedGoods(state.turn, Goods::some(VEGETABLE, self.components.city_gift)));
        state.stage = Stage::Bid(state.turn);
    }

    /// A seat places its contractor. An outbid seat acts at once (rules 30).
    pub(crate) fn bid<W: Observer>(&self, state: &mut State, seat: Seat, city_space: CitySpace, observer: &mut W) {
        let in_row = |contractor: &Contractor| contractor.city_space().is_some_and(|known| known / 4 == city_space / 4);
        let outbid = state.contractors.iter().position(in_row).map(|other| other as Seat);
        state.contractors[usize::from(seat)] = Contractor::At(city_space);
        observer.on_event(state, GameEvent::Bid(seat, city_space));
        match outbid {
            Some(other) => {
                state.contractors[usize::from(other)] = Contractor::Home;
                state.stage = Stage::Bid(other);
                observer.on_event(state, GameEvent::Outbid(other));
            }
            None => self.next_bid(state, observer),
        }
    }

    /// A seat passes (rules 29).
    pub(crate) fn pass<W: Observer>(&self, state: &mut State, seat: Seat, observer: &mut W) {
        state.contractors[usize::from(seat)] = Contractor::Passed;
        observer.on_event(state, GameEvent::Passed(seat));
        self.next_bid(state, observer);
    }

    /// Returns the seats clockwise, beginning `steps` after the active seat.
    pub(crate) fn clockwise(&self, state: &State, steps: u8) -> impl Iterator<Item = Seat> + use<> {
        let (turn, seats) = (state.turn, self.seats);
        (turn + steps..turn + seats).map(move |place| if place < seats { place } else { place - seats })
    }

    /// Continues with the next seat, or with the rewards (rules 30, 31).
    fn next_bid<W: Observer>(&self, state: &mut State, observer: &mut W) {
        match self.clockwise(state, 0).find(|&seat| state.contractors[usize::from(seat)] == Contractor::Home) {
            Some(seat) => state.stage = Stage::Bid(seat),
            None => self.pay_rewards_from(state, 0, observer),
        }
    }

    /// The next placed seat pays and chooses its reward, beginning `steps` after the active seat (rules 31 to 33).
    fn pay_rewards_from<W: Observer>(&self, state: &mut State, steps: u8, observer: &mut W) {
        for seat in self.clockwise(state, steps) {
            let Contractor::At(city_space) = state.contractors[usize::from(seat)] else { continue };
            let (row, price) = self.city_space(city_space);
            if state.seats[usize::from(seat)].goods.count(VEGETABLE) < price {
                observer.on_event(state, GameEvent::NoReward(seat));
                continue; // rules 32
            }
            let row = &self.components.prices.rows[row];
            Self::pay_goods(state, seat, Goods::some(VEGETABLE, price));
            observer.on_event(state, GameEvent::Reward(seat, city_space));
            if row.cows > 0 && state.cows >= row.cows {
                state.cows -= row.cows;
                state.seats[usize::from(seat)].cows += row.cows;
                observer.on_event(state, GameEvent::GainedCow(seat));
            }
            if row.silver > 0 {
                state.seats[usize::from(seat)].silver += u32::from(row.silver);
                observer.on_event(state, GameEvent::GainedSilver(seat, row.silver));
            }
            state.stage = Stage::Reward(seat);
            return;
        }
        state.contractors = Default::default();
        state.stage = Stage::End;
        observer.on_event(state, GameEvent::Home);
    }

    fn pay_rewards_after<W: Observer>(&self, state: &mut State, seat: Seat, observer: &mut W) {
        let steps = (seat + self.seats - state.turn) % self.seats;
        self.pay_rewards_from(state, steps + 1, observer);
    }

    /// Takes three goods (rules 33).
    pub(crate) fn take<W: Observer>(&self, state: &mut State, seat: Seat, goods: Goods, observer: &mut W) {
        for lane in [COPPER, STONE, GRAIN] {
            self.gain_good(state, seat, lane, goods.count(lane), observer);
        }
        observer.on_event(state, GameEvent::GainedGoods(seat, goods));
        self.pay_rewards_after(state, seat, observer);
    }

    /// Upgrades small goods: the seat gains the large ones first, then returns the small ones (rules 34).
    pub(crate) fn swap<W: Observer>(&self, state: &mut State, seat: Seat, small: Goods, observer: &mut W) {
        for lane in [COPPER, STONE] {
            self.gain_good(state, seat, lane + 1, small.count(lane), observer);
        }
        Self::pay_goods(state, seat, small);
        observer.on_event(state, GameEvent::Swapped(seat, small));
        self.pay_rewards_after(state, seat, observer);
    }
}
