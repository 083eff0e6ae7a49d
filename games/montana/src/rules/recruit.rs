//! Recruiting: the wheel, grain, white workers, the worker limit (rules 15 to 20).

use crate::crews::Crew;
use crate::game::Montana;
use crate::multiset::{GRAIN, Goods, Workers};
use crate::observer::{GameEvent, Observer};
use crate::state::{Stage, State};

impl Montana {
    /// The wheel stops (rules 15). Grain cannot be paid in the set-up (rules 7).
    pub(crate) fn spin<W: Observer>(&self, state: &mut State, segment: u8, observer: &mut W) {
        state.stage = Stage::Shift(segment);
        observer.on_event(state, GameEvent::Spun(segment));
        if state.round == 0 {
            self.gain_segments(state, segment, None, observer);
        }
    }

    /// A seat pays grain, or none (rules 17, 18).
    pub(crate) fn shift<W: Observer>(&self, state: &mut State, segment: u8, grain: u8, observer: &mut W) {
        let reached = (segment + grain) % 8;
        let (first, second) = match grain {
            0 => (segment, None),
            _ if self.second => (segment, Some(reached)),
            _ => (reached, None),
        };
        state.stage = Stage::Hire(first, second);
        if grain > 0 {
            Self::pay_goods(state, state.turn, Goods::some(GRAIN, grain));
            observer.on_event(state, GameEvent::Shifted(grain, reached));
        }
        self.gain_segments(state, first, second, observer);
    }

    /// Gains the workers, after a choice of colours if there are white ones (rules 16, 19).
    fn gain_segments<W: Observer>(&self, state: &mut State, segment: u8, second: Option<u8>, observer: &mut W) {
        state.stage = Stage::Hire(segment, second);
        if self.whites(segment, second) == 0 {
            self.hire(state, segment, second, Workers::NONE, observer);
        }
    }

    /// Returns the number of white workers of the segments.
    pub(crate) fn whites(&self, segment: u8, second: Option<u8>) -> u8 {
        let whites = |segment: u8| self.components.wheel[usize::from(segment)].whites;
        whites(segment) + second.map_or(0, whites)
    }

    /// Gains all workers at once (rules 19).
    pub(crate) fn hire<W: Observer>(
        &self,
        state: &mut State,
        segment: u8,
        second: Option<u8>,
        chosen: Workers,
        observer: &mut W,
    ) {
        let coloured = |segment: u8| self.components.wheel[usize::from(segment)].workers;
        let workers = second.map_or(chosen, |second| chosen.plus(coloured(second))).plus(coloured(segment));
        state.stage = Stage::End;
        self.gain_workers(state, workers, observer);
        if state.round > 0 {
            return;
        }
        // rules 7: each seat spins twice, then round 1 begins
        state.stage = Stage::Spin;
        if state.active().workers.total() < 2 * self.components.start_spins {
            return;
        }
        if usize::from(state.turn) + 1 < self.seat_count() {
            state.turn += 1;
        } else {
            (state.turn, state.round, state.stage) = (0, 1, Stage::Main);
        }
    }

    /// Returns surplus workers (rules 20).
    pub(crate) fn return_workers<W: Observer>(&self, state: &mut State, crew: Crew, observer: &mut W) {
        let workers = self.tables.crews[usize::from(crew)];
        let holdings = state.active_mut();
        holdings.workers = holdings.workers.minus(workers);
        state.workers = state.workers.plus(workers);
        observer.on_event(state, GameEvent::Returned(workers));
    }
}
