//! In which order the actions of a position are looked at: the sooner the best, the less is left to refute.

use std::hash::{Hash, Hasher};

use tavola_core::Seat;

/// How many actions are told apart.
const KINDS: usize = 1 << 12;

/// No action is praised or blamed more than this.
const MOST: i32 = 1 << 14;

/// How often actions were too good for the other seat to allow them, wherever that was.
pub(crate) struct History(Vec<[i16; KINDS]>);

impl History {
    pub(crate) fn new(seats: usize) -> Self {
        Self(vec![[0; KINDS]; seats])
    }

    pub(crate) fn of(&self, seat: Seat, action: &impl Hash) -> i32 {
        self.0[usize::from(seat)][kind(action)].into()
    }

    /// Praises an action, or blames it; the nearer to the most, the less it moves.
    pub(crate) fn learn(&mut self, seat: Seat, action: &impl Hash, praise: i32) {
        let known = &mut self.0[usize::from(seat)][kind(action)];
        let praise = praise.clamp(-MOST, MOST);
        *known += (praise - i32::from(*known) * praise.abs() / MOST) as i16;
    }

    /// What was learnt counts half from now on.
    pub(crate) fn fade(&mut self) {
        self.0.iter_mut().flatten().for_each(|known| *known /= 2);
    }
}

/// A number for an action; two may share it.
fn kind(action: &impl Hash) -> usize {
    let mut hasher = Product(0);
    action.hash(&mut hasher);
    (hasher.finish() >> 52) as usize % KINDS
}

/// Multiplies by an odd number without pattern: digits of the golden ratio. The same on every machine.
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
