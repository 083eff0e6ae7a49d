//! Cow trades (rules 10), gains and shortages (rules 11 to 14).

use tavola_core::Seat;

use crate::game::Montana;
use crate::multiset::{Goods, Workers};
use crate::observer::{GameEvent, Observer};
use crate::prices::CowTrade;
use crate::state::State;

impl Montana {
    /// A seat gains `count` of one good. Reports only shortages. The caller reports the gain.
    #[inline]
    pub(crate) fn gain_good<W: Observer>(
        &self,
        state: &mut State,
        seat: Seat,
        lane: usize,
        count: u8,
        observer: &mut W,
    ) {
        let seats = self.seat_count();
        // rules 11: every seat that has one returns one; rules 12: until no seat has one
        while state.supply.count(lane) < count
            && state.supply.recall(lane, state.seats[..seats].iter_mut().map(|holdings| &mut holdings.goods))
        {
            observer.on_event(state, GameEvent::ShortGood(lane));
        }
        let gained = Goods::some(lane, count.min(state.supply.count(lane)));
        state.supply = state.supply.minus(gained);
        let holdings = &mut state.seats[usize::from(seat)];
        holdings.goods = holdings.goods.plus(gained);
    }

    /// The active seat gains workers, one colour after the other.
    pub(crate) fn gain_workers<W: Observer>(&self, state: &mut State, workers: Workers, observer: &mut W) {
        if state.workers.holds(workers) {
            // The common case: no shortage.
            state.workers = state.workers.minus(workers);
            let holdings = state.active_mut();
            holdings.workers = holdings.workers.plus(workers);
            observer.on_event(state, GameEvent::Hired(workers));
            return;
        }
        let seats = self.seat_count();
        let mut gained = Workers::NONE;
        for lane in (0..4).filter(|&lane| workers.count(lane) > 0) {
            while state.workers.count(lane) < workers.count(lane)
                && state.workers.recall(lane, state.seats[..seats].iter_mut().map(|holdings| &mut holdings.workers))
            {
                observer.on_event(state, GameEvent::ShortWorker(lane));
            }
            let some = Workers::some(lane, workers.count(lane).min(state.workers.count(lane)));
            state.workers = state.workers.minus(some);
            let holdings = state.active_mut();
            holdings.workers = holdings.workers.plus(some);
            gained = gained.plus(some);
        }
        observer.on_event(state, GameEvent::Hired(gained));
    }

    /// The active seat trades a cow (rules 10).
    pub(crate) fn trade_cow<W: Observer>(&self, state: &mut State, trade: CowTrade, observer: &mut W) {
        state.active_mut().cows -= 1;
        state.cows += 1;
        observer.on_event(state, GameEvent::Traded(trade));
        match trade {
            CowTrade::Good(lane) => self.gain_good(state, state.turn, lane.into(), 1, observer),
            CowTrade::Silver => state.active_mut().silver += u32::from(self.components.cow_silver),
            CowTrade::Worker(lane) => self.gain_workers(state, Workers::some(lane.into(), 1), observer),
        }
    }

    /// A seat pays goods to the supply (rules 14).
    pub(crate) fn pay_goods(state: &mut State, seat: Seat, goods: Goods) {
        let holdings = &mut state.seats[usize::from(seat)];
        holdings.goods = holdings.goods.minus(goods);
        state.supply = state.supply.plus(goods);
    }
}
