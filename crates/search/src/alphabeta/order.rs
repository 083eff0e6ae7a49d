//! Move ordering: the earlier the best action, the more cutoffs.

use std::hash::{Hash, Hasher};

use tavola_core::Seat;

/// The number of distinct entries for actions.
const KINDS: usize = 1 << 12;

/// The maximum absolute value of a history score.
const MOST: i32 = 1 << 14;

/// The history heuristic: how often an action caused a cutoff, in any position.
pub(crate) struct History(Vec<[i16; KINDS]>);

impl History {
    pub(crate) fn new(seats: usize) -> Self {
        Self(vec![[0; KINDS]; seats])
    }

    pub(crate) fn of(&self, seat: Seat, action: &impl Hash) -> i32 {
        self.0[usize::from(seat)][kind(action)].into()
    }

    /// Rewards or penalizes an action. The effect decreases towards the maximum.
    pub(crate) fn learn(&mut self, seat: Seat, action: &impl Hash, praise: i32) {
        let known = &mut self.0[usize::from(seat)][kind(action)];
        let praise = praise.clamp(-MOST, MOST);
        *known += (praise - i32::from(*known) * praise.abs() / MOST) as i16;
    }

    /// Halves all scores.
    pub(crate) fn fade(&mut self) {
        self.0.iter_mut().flatten().for_each(|known| *known /= 2);
    }
}

/// The entry of an action; several may share one.
fn kind(action: &impl Hash) -> usize {
    let mut hasher = Product(0);
    action.hash(&mut hasher);
    (hasher.finish() >> 52) as usize % KINDS
}

/// Multiplicative hashing with digits of the golden ratio, the same on every machine.
struct Product(u64);

impl Hasher for Product {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn praise_and_blame_have_bounds() {
        let mut history = History::new(2);
        for _ in 0..10_000 {
            history.learn(0, &3u8, 900);
            history.learn(0, &4u8, -900);
            history.learn(1, &3u8, 100_000);
        }
        assert!((MOST - 900..=MOST).contains(&history.of(0, &3u8)), "{}", history.of(0, &3u8));
        assert!((-MOST..=900 - MOST).contains(&history.of(0, &4u8)));
        assert_eq!(history.of(1, &3u8), MOST);
        assert_eq!(history.of(1, &4u8), 0);
        history.fade();
        assert_eq!(history.of(1, &3u8), MOST / 2);
    }

    #[test]
    fn small_actions_are_told_apart() {
        let mut kinds: Vec<_> = (0..64u8).map(|action| kind(&action)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 64);
    }
}
