//! Work: the bank and the places of production (rules 21 to 26).

use crate::crews::Crew;
use crate::game::Montana;
use crate::multiset::{Goods, Workers};
use crate::observer::{GameEvent, Observer};
use crate::prices::{COLOURS, Space};
use crate::state::{Stage, State};

/// The number of the bank among the places that clear.
pub(crate) const BANK: u8 = COLOURS as u8;

impl Montana {
    /// Places a crew on a bank space (rules 22).
    pub(crate) fn bank<W: Observer>(&self, state: &mut State, space: u8, crew: Crew, observer: &mut W) {
        self.take_crew(state, crew);
        state.bank[usize::from(space)] = crew;
        state.stage = Stage::End;
        state.active_mut().silver += u32::from(self.components.prices.bank[usize::from(space)].1);
        observer.on_event(state, GameEvent::Banked(space, crew));
    }

    /// Places a crew on the left side of a space (rules 23).
    pub(crate) fn work<W: Observer>(&self, state: &mut State, space: Space, crew: Crew, observer: &mut W) {
        self.take_crew(state, crew);
        state.left[usize::from(space)] = crew;
        state.stage = Stage::Extra(space);
        observer.on_event(state, GameEvent::Worked(space, crew));
        let (place, number) = (usize::from(space / 3), usize::from(space % 3));
        let production = &self.components.prices.production[place];
        let (silver, count) = production.left[number];
        state.active_mut().silver -= u32::from(silver);
        observer.on_event(state, GameEvent::PaidSilver(silver));
        self.gain_good(state, state.turn, production.good, count, observer);
        observer.on_event(state, GameEvent::GainedGoods(state.turn, Goods::some(production.good, count)));
    }

    /// Places a second crew on the right side (rules 25).
    pub(crate) fn work_right<W: Observer>(&self, state: &mut State, space: Space, crew: Crew, observer: &mut W) {
        self.take_crew(state, crew);
        state.right[usize::from(space)] = crew;
        state.stage = Stage::End;
        observer.on_event(state, GameEvent::Extra(space, crew));
        let production = &self.components.prices.production[usize::from(space / 3)];
        self.gain_good(state, state.turn, production.good, production.right, observer);
        observer.on_event(state, GameEvent::GainedGoods(state.turn, Goods::some(production.good, production.right)));
    }

    fn take_crew(&self, state: &mut State, crew: Crew) {
        let workers = self.tables.crews[usize::from(crew)];
        let holdings = state.active_mut();
        holdings.workers = holdings.workers.minus(workers);
    }

    /// Whether a bank space is usable: it is free, and no equal lower space is free (rules 22).
    #[inline]
    pub(crate) fn is_bank_space_open(&self, state: &State, space: usize) -> bool {
        let bank = &self.components.prices.bank;
        state.bank[space] == 0 && (0..space).all(|lower| state.bank[lower] != 0 || bank[lower] != bank[space])
    }

    /// Returns the places whose spaces are all used (rules 26).
    #[inline]
    pub(crate) fn full_places(state: &State) -> impl Iterator<Item = u8> + use<> {
        let free = state.free_spaces();
        // The lowest bit of each group of three.
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

    /// Returns the workers on all spaces of a place.
    pub(crate) fn workers_at(&self, state: &State, place: u8) -> Workers {
        let workers = |crews: &[Crew]| {
            crews.iter().fold(Workers::NONE, |workers, &crew| workers.plus(self.tables.crews[usize::from(crew)]))
        };
        if place == BANK {
            return workers(&state.bank);
        }
        let spaces = usize::from(place) * 3..usize::from(place) * 3 + 3;
        workers(&state.left[spaces.clone()]).plus(workers(&state.right[spaces]))
    }

    /// Clears full places (rules 26).
    pub(crate) fn clear_full_places<W: Observer>(&self, state: &mut State, observer: &mut W) {
        for place in Self::full_places(state) {
            state.workers = state.workers.plus(self.workers_at(state, place));
            if place == BANK {
                state.bank = [0; 4];
            } else {
                let spaces = usize::from(place) * 3..usize::from(place) * 3 + 3;
                state.left[spaces.clone()].fill(0);
                state.right[spaces].fill(0);
            }
            observer.on_event(state, GameEvent::Cleared(place));
        }
    }
}
