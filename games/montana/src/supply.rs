//! Gains and shortages (rules 11 to 14), and the trade of a cow (rules 10).

use tavola_core::Seat;

use crate::actions::Barter;
use crate::bag::{Goods, Workers};
use crate::rules::Montana;
use crate::state::State;
use crate::watch::{Note, Watch};

impl Montana {
    /// A seat gains so many of one good. Only a shortage is noted here: whoever calls this says what it is for.
    #[inline]
    pub(crate) fn gain_good<W: Watch>(&self, state: &mut State, seat: Seat, lane: usize, count: u8, watch: &mut W) {
        let one = Goods::some(lane, 1);
        while state.supply.count(lane) < count {
            // rules 11: every seat that has one returns one, again and again
            let mut returned = false;
            for holdings in &mut state.seats[..self.seat_count()] {
                if holdings.goods.count(lane) > 0 {
                    holdings.goods = holdings.goods.minus(one);
                    state.supply = state.supply.plus(one);
                    returned = true;
                }
            }
            if !returned {
                break; // rules 12
            }
            watch.note(state, Note::ShortGood(lane));
        }
        let gained = Goods::some(lane, count.min(state.supply.count(lane)));
        state.supply = state.supply.minus(gained);
        let holdings = &mut state.seats[usize::from(seat)];
        holdings.goods = holdings.goods.plus(gained);
    }

    /// The seat whose turn it is gains workers, one colour after the other.
    pub(crate) fn gain_workers<W: Watch>(&self, state: &mut State, workers: Workers, watch: &mut W) {
        if state.workers.holds(workers) {
            // As nearly always.
            state.workers = state.workers.minus(workers);
            let holdings = state.active_mut();
            holdings.workers = holdings.workers.plus(workers);
            watch.note(state, Note::Hired(workers));
            return;
        }
        let mut gained = Workers::NONE;
        for lane in (0..4).filter(|&lane| workers.count(lane) > 0) {
            let one = Workers::some(lane, 1);
            while state.workers.count(lane) < workers.count(lane) {
                let mut returned = false;
                for holdings in &mut state.seats[..self.seat_count()] {
                    if holdings.workers.count(lane) > 0 {
                        holdings.workers = holdings.workers.minus(one);
                        state.workers = state.workers.plus(one);
                        returned = true;
                    }
                }
                if !returned {
                    break; // rules 12
                }
                watch.note(state, Note::ShortWorker(lane));
            }
            let some = Workers::some(lane, workers.count(lane).min(state.workers.count(lane)));
            state.workers = state.workers.minus(some);
            let holdings = state.active_mut();
            holdings.workers = holdings.workers.plus(some);
            gained = gained.plus(some);
        }
        watch.note(state, Note::Hired(gained));
    }

    /// The seat whose turn it is trades a cow (rules 10).
    pub(crate) fn trade_cow<W: Watch>(&self, state: &mut State, barter: Barter, watch: &mut W) {
        state.active_mut().cows -= 1;
        state.cows += 1;
        watch.note(state, Note::Traded(barter));
        match barter {
            Barter::Good(lane) => self.gain_good(state, state.turn, lane.into(), 1, watch),
            Barter::Silver => state.active_mut().silver += u32::from(self.data.cow_silver),
            Barter::Worker(lane) => self.gain_workers(state, Workers::some(lane.into(), 1), watch),
        }
    }

    /// A seat pays goods to the supply (rules 14).
    pub(crate) fn pay_goods(state: &mut State, seat: Seat, goods: Goods) {
        let holdings = &mut state.seats[usize::from(seat)];
        holdings.goods = holdings.goods.minus(goods);
        state.supply = state.supply.plus(goods);
    }
}
