//! The transposition table, shared by all threads without locks.
//!
//! Threads may write one slot at the same time. The first word of a slot is the key XOR the second word, so that a reader
//! detects words that do not belong together.

use std::sync::atomic::{AtomicU64, Ordering};

use super::score::{LOST, Score, WON};

/// The kind of bound of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    AtLeast = 1,
    AtMost = 2,
    Exactly = 3,
}

/// An entry for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The score for the seat to act. The depth of a forced result counts from this position.
    pub(crate) score: Score,
    /// The depth of the search in actions.
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// Whether the score is proven.
    pub(crate) sure: bool,
    /// The index of the best action among the legal ones.
    pub(crate) place: u16,
    /// A part of the full key: a proof is valid only for the state with its history.
    pub(crate) past: u16,
}

/// The number of slots for one key.
const CHOICE: usize = 4;

/// The bit mask of the age.
const AGES: u8 = 31;

/// The transposition table.
#[derive(Debug)]
pub(crate) struct Table {
    /// Two words for each slot: the check and the entry.
    words: Vec<AtomicU64>,
    /// The number of the current search: older entries are replaced first.
    age: u8,
    /// The score of a draw for each seat in the stored entries.
    draws: [Score; 2],
}

impl Table {
    /// The size of an entry in bytes.
    pub(crate) const ENTRY: usize = 2 * size_of::<AtomicU64>();

    /// A table with room for `entries`, rounded down to a power of two.
    pub(crate) fn new(entries: usize, draws: [Score; 2]) -> Self {
        let slots = 1usize << entries.max(CHOICE).ilog2();
        // Zeroed memory: the system maps unused pages to no memory.
        Self { words: vec![0; 2 * slots].into_iter().map(AtomicU64::new).collect(), age: 0, draws }
    }

    /// The table for the next search: the kept one, unless it is too small or has other scores of draws.
    pub(crate) fn ready(kept: &mut Option<Self>, entries: usize, draws: [Score; 2]) -> &mut Self {
        if kept.as_ref().is_none_or(|table| table.slots() < entries / 2 || table.draws != draws) {
            *kept = None;
        }
        let table = kept.get_or_insert_with(|| Self::new(entries, draws));
        table.age = table.age.wrapping_add(1) & AGES;
        table
    }

    fn slots(&self) -> usize {
        self.words.len() / 2
    }

    /// The number of used slots, estimated from the first thousand.
    pub(crate) fn filled(&self) -> u64 {
        let sample = self.slots().min(1024);
        let full = self.words[..2 * sample].chunks_exact(2).filter(|slot| read(slot).1 != 0).count();
        (full * (self.slots() / sample)) as u64
    }

    /// The size in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.slots() * Self::ENTRY) as u64
    }

    fn cluster(&self, key: u64) -> impl Iterator<Item = &[AtomicU64]> {
        let first = (key >> 7) as usize & (self.slots() - 1) & !(CHOICE - 1);
        self.words[2 * first..2 * (first + CHOICE)].chunks_exact(2)
    }

    /// The entry of the position with this key, `ply` actions from the root.
    pub(crate) fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.cluster(key).find_map(|slot| {
            let (check, data) = read(slot);
            (data != 0 && check ^ data == key).then(|| unpack(data, ply)).flatten()
        })
    }

    /// Stores an entry in place of the least valuable one.
    pub(crate) fn put(&self, key: u64, ply: usize, entry: Entry) {
        let worth = |slot: &&[AtomicU64]| match read(slot) {
            (_, 0) => i32::MIN + 1,
            (check, data) if check ^ data == key => i32::MIN,
            (_, data) => i32::from(depth_of(data)) - 8 * i32::from(self.age.wrapping_sub(age_of(data)) & AGES),
        };
        let slot = self.cluster(key).min_by_key(worth).expect("a cluster has slots");
        let data = pack(entry, ply, self.age);
        slot[1].store(data, Ordering::Relaxed);
        slot[0].store(key ^ data, Ordering::Relaxed);
    }
}

/// The check and the entry of a slot.
fn read(slot: &[AtomicU64]) -> (u64, u64) {
    (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed))
}

fn pack(entry: Entry, ply: usize, age: u8) -> u64 {
    let score = match entry.score {
        WON.. => entry.score + ply as Score,
        ..=LOST => entry.score - ply as Score,
        score => score,
    };
    u64::from(score as i16 as u16)
        | u64::from(entry.place) << 16
        | u64::from(entry.past) << 32
        | u64::from(entry.depth) << 48
        | (entry.bound as u64) << 56
        | u64::from(entry.sure) << 58
        | u64::from(age & AGES) << 59
}

fn unpack(data: u64, ply: usize) -> Option<Entry> {
    let score = match Score::from(data as u16 as i16) {
        score @ WON.. => score - ply as Score,
        score @ ..=LOST => score + ply as Score,
        score => score,
    };
    let bound = match data >> 56 & 3 {
        1 => Bound::AtLeast,
        2 => Bound::AtMost,
        3 => Bound::Exactly,
        _ => return None,
    };
    Some(Entry {
        score,
        depth: depth_of(data),
        bound,
        sure: data >> 58 & 1 == 1,
        place: (data >> 16) as u16,
        past: (data >> 32) as u16,
    })
}

fn depth_of(data: u64) -> u8 {
    (data >> 48) as u8
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
mod tests {
    use super::super::score::WIN;
    use super::*;

    fn entry(score: Score) -> Entry {
        Entry { score, depth: 9, bound: Bound::AtLeast, sure: true, place: 77, past: 0xABCD }
    }

    #[test]
    fn what_is_put_in_is_found_again() {
        let table = Table::new(64, [0; 2]);
        let mut known = 0;
        for key in (1..=200u64).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15)) {
            let put = Entry { place: key as u16, ..entry((key % 1000) as Score - 500) };
            table.put(key, 3, put);
            assert_eq!(table.get(key, 3), Some(put), "the newest always stays");
            known += 1;
        }
        assert_eq!(known, 200);
        assert_eq!(table.filled(), 64);
        assert_eq!(table.get(12345, 0), None);
    }

    #[test]
    fn a_forced_end_is_counted_from_the_position() {
        let table = Table::new(64, [0; 2]);
        // Found three actions from the root: won with the eighth action; from there, with the fifth.
        table.put(1, 3, entry(WIN - 8));
        assert_eq!(table.get(1, 3).map(|entry| entry.score), Some(WIN - 8));
        assert_eq!(table.get(1, 10).map(|entry| entry.score), Some(WIN - 15));
        table.put(1, 3, entry(8 - WIN));
        assert_eq!(table.get(1, 10).map(|entry| entry.score), Some(15 - WIN));
    }

    #[test]
    fn deep_entries_stay_longest() {
        let table = Table::new(4, [0; 2]);
        for depth in 1..=20 {
            table.put(depth << 20, 0, Entry { depth: depth as u8, ..entry(0) });
        }
        for depth in 18..=20 {
            assert!(table.get(depth << 20, 0).is_some(), "{depth}");
        }
    }
}
