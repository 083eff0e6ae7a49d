//! Actions as numbers without gaps. A smaller map has no numbers for missing hexes.

use tavola_core::Encode;

use crate::actions::Action;
use crate::game::Montana;
use crate::map::MOST_HEXES;
use crate::state::State;

impl Montana {
    /// The number of hexes of the largest map that the map does not have.
    fn unused(&self) -> u16 {
        MOST_HEXES as u16 - u16::from(self.map.hexes)
    }
}

impl Encode for Montana {
    fn action_count(&self) -> usize {
        usize::from(self.tables.count - self.unused())
    }

    fn index(&self, Action(number): Action) -> usize {
        let after = number >= self.tables.build + MOST_HEXES as u16;
        usize::from(if after { number - self.unused() } else { number })
    }

    fn action(&self, index: usize) -> Option<Action> {
        let index = u16::try_from(index).ok().filter(|&index| usize::from(index) < self.action_count())?;
        let after = index >= self.tables.build + u16::from(self.map.hexes);
        Some(Action(if after { index + self.unused() } else { index }))
    }

    fn legal_set(&self, state: &State, words: &mut [u64]) {
        let legal = self.legal(state).0;
        let (cut, unused) = (usize::from(self.tables.build) + usize::from(self.map.hexes), usize::from(self.unused()));
        let word = |place: usize| legal.get(place).copied().unwrap_or(0);
        for (place, set) in words.iter_mut().enumerate() {
            // The numbers from the gap on are lower by its size.
            let (next, shift) = (place + unused / 64, unused % 64);
            let moved = word(next) >> shift | word(next + 1) << 1 << (63 - shift);
            let low = match cut.saturating_sub(64 * place) {
                below @ 0..64 => (1 << below) - 1,
                _ => u64::MAX,
            };
            *set = word(place) & low | moved & !low;
        }
    }

    fn chance(&self, index: usize) -> Option<Action> {
        let first = self.tables.count;
        let number = first.checked_add(u16::try_from(index).ok()?)?;
        let after = number >= self.tables.start + u16::from(self.map.hexes);
        let number = if after { number + self.unused() } else { number };
        (usize::from(number) < self.tables.kinds.len()).then_some(Action(number))
    }
}
