//! Recruiting and working: the wheel, the bank, the places of production (rules 15 to 26).

use crate::actions::{Crew, Space};
use crate::bag::{GRAIN, Goods, Workers};
use crate::data::COLOURS;
use crate::rules::Montana;
use crate::state::{Stage, State};
use crate::watch::{Note, Watch};

/// The place of the bank among those that clear.
pub(crate) const BANK: u8 = COLOURS as u8;

impl Montana {
    /// The wheel has stopped (rules 15; 7 in the set-up, where grain cannot be paid).
    pub(crate) fn spin<W: Watch>(&self, state: &mut State, segment: u8, watch: &mut W) {
        state.stage = Stage::Shift(segment);
        watch.note(state, Note::Spun(segment));
        if state.round == 0 {
            self.stop_at(state, segment, None, watch);
        }
    }

    /// Grain is paid, or not (rules 17, 18).
    pub(crate) fn shift<W: Watch>(&self, state: &mut State, segment: u8, grain: u8, watch: &mut W) {
        let reached = (segment + grain) % 8;
        let (first, second) = match grain {
            0 => (segment, None),
            _ if self.second => (segment, Some(reached)),
            _ => (reached, None),
        };
        state.stage = Stage::Hire(first, second);
        if grain > 0 {
            Self::pay_goods(state, state.turn, Goods::some(GRAIN, grain));
            watch.note(state, Note::Shifted(grain, reached));
        }
        self.stop_at(state, first, second, watch);
    }

    /// The segments count: the whites' colours are asked for if there are whites (rules 16, 19).
    fn stop_at<W: Watch>(&self, state: &mut State, segment: u8, second: Option<u8>, watch: &mut W) {
        state.stage = Stage::Hire(segment, second);
        if self.whites(segment, second) == 0 {
            self.hire(state, segment, second, Workers::NONE, watch);
        }
    }

    /// How many whites the segments have.
    pub(crate) fn whites(&self, segment: u8, second: Option<u8>) -> u8 {
        let whites = |segment: u8| self.data.wheel[usize::from(segment)].whites;
        whites(segment) + second.map_or(0, whites)
    }

    /// All workers come at once (rules 19).
    pub(crate) fn hire<W: Watch>(
        &self,
        state: &mut State,
        segment: u8,
        second: Option<u8>,
        chosen: Workers,
        watch: &mut W,
    ) {
        let coloured = |segment: u8| self.data.wheel[usize::from(segment)].workers;
        let workers = second.map_or(chosen, |second| chosen.plus(coloured(second))).plus(coloured(segment));
        state.stage = Stage::End;
        self.gain_workers(state, workers, watch);
        if state.round > 0 {
            return;
        }
        // rules 7: each seat spins twice, then round 1 begins
        state.stage = Stage::Spin;
        if state.active().workers.total() < 2 * self.data.start_spins {
            return;
        }
        if usize::from(state.turn) + 1 < self.seat_count() {
            state.turn += 1;
        } else {
            (state.turn, state.round, state.stage) = (0, 1, Stage::Main);
        }
    }

    /// Too many workers go back (rules 20).
    pub(crate) fn give_back<W: Watch>(&self, state: &mut State, crew: Crew, watch: &mut W) {
        let workers = self.tables.crews[usize::from(crew)];
        let holdings = state.active_mut();
        holdings.workers = holdings.workers.minus(workers);
        state.workers = state.workers.plus(workers);
        watch.note(state, Note::Returned(workers));
    }

    /// A crew goes to the bank (rules 22).
    pub(crate) fn bank<W: Watch>(&self, state: &mut State, space: u8, crew: Crew, watch: &mut W) {
        self.leave_hand(state, crew);
        state.bank[usize::from(space)] = crew;
        state.stage = Stage::End;
        state.active_mut().silver += u32::from(self.data.bank[usize::from(space)].1);
        watch.note(state, Note::Banked(space, crew));
    }

    /// A crew goes to the left side of a space (rules 23).
    pub(crate) fn work<W: Watch>(&self, state: &mut State, space: Space, crew: Crew, watch: &mut W) {
        self.leave_hand(state, crew);
        state.left[usize::from(space)] = crew;
        state.stage = Stage::Extra(space);
        watch.note(state, Note::Worked(space, crew));
        let (place, number) = (usize::from(space / 3), usize::from(space % 3));
        let production = &self.data.production[place];
        let (silver, count) = production.left[number];
        state.active_mut().silver -= u32::from(silver);
        watch.note(state, Note::PaidSilver(silver));
        self.gain_good(state, state.turn, production.good, count, watch);
        watch.note(state, Note::GainedGoods(state.turn, Goods::some(production.good, count)));
    }

    /// A second crew goes to the right side (rules 25).
    pub(crate) fn work_on<W: Watch>(&self, state: &mut State, space: Space, crew: Crew, watch: &mut W) {
        self.leave_hand(state, crew);
        state.right[usize::from(space)] = crew;
        state.stage = Stage::End;
        watch.note(state, Note::Extra(space, crew));
        let production = &self.data.production[usize::from(space / 3)];
        self.gain_good(state, state.turn, production.good, production.right, watch);
        watch.note(state, Note::GainedGoods(state.turn, Goods::some(production.good, production.right)));
    }

    fn leave_hand(&self, state: &mut State, crew: Crew) {
        let workers = self.tables.crews[usize::from(crew)];
        let holdings = state.active_mut();
        holdings.workers = holdings.workers.minus(workers);
    }

    /// Whether a space of the bank may be used: it is free, and no lower one that is equal is (rules 22).
    #[inline]
    pub(crate) fn bank_open(&self, state: &State, space: usize) -> bool {
        let bank = &self.data.bank;
        state.bank[space] == 0 && (0..space).all(|lower| state.bank[lower] != 0 || bank[lower] != bank[space])
    }

    /// The places whose spaces are all used (rules 26).
    #[inline]
    pub(crate) fn full(state: &State) -> impl Iterator<Item = u8> + use<> {
        let free = state.free_spaces();
        // A bit in front of each three.
        let some = free | free >> 1 | free >> 2;
        let mut full = !some & 0o1111 | u16::from(state.free_bank() == 0) << (3 * BANK);
        std::iter::from_fn(move || {
            let place = full.trailing_zeros() / 3;
            (full != 0).then(|| {
                full &= full - 1;
                place as u8
            })
        })
    }

    /// The workers on all spaces of a place.
    pub(crate) fn at_work(&self, state: &State, place: u8) -> Workers {
        let workers = |crews: &[Crew]| {
            crews.iter().fold(Workers::NONE, |workers, &crew| workers.plus(self.tables.crews[usize::from(crew)]))
        };
        if place == BANK {
            return workers(&state.bank);
        }
        let spaces = usize::from(place) * 3..usize::from(place) * 3 + 3;
        workers(&state.left[spaces.clone()]).plus(workers(&state.right[spaces]))
    }

    /// Full places clear (rules 26).
    pub(crate) fn clear<W: Watch>(&self, state: &mut State, watch: &mut W) {
        for place in Self::full(state) {
            state.workers = state.workers.plus(self.at_work(state, place));
            if place == BANK {
                state.bank = [0; 4];
            } else {
                let spaces = usize::from(place) * 3..usize::from(place) * 3 + 3;
                state.left[spaces.clone()].fill(0);
                state.right[spaces].fill(0);
            }
            watch.note(state, Note::Cleared(place));
        }
    }
}
