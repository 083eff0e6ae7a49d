//! Parts of views that are made once: a cell that looks the same in a thousand positions is one thing in memory.
//!
//! Views are made after every action, and most of what they show is as it was. What comes from a stock is neither made
//! nor dropped again, and two views that share it need not be compared there.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxBuildHasher;
use serde::Serialize;

use crate::part::Part;

/// Things that are made at first use, by what decides everything about them.
///
/// They stay, so there must be few enough of them: keys are small sets' members, never numbers without a bound.
#[derive(Debug)]
pub struct Stock<K, T: 'static>(RwLock<HashMap<K, Part<T>, FxBuildHasher>>);

impl<K: Eq + Hash, T: Serialize> Stock<K, T> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self(RwLock::new(HashMap::with_hasher(FxBuildHasher)))
    }

    /// The thing of a key; it is made if it is not there.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> T) -> Part<T> {
        // Nothing is left half done where a panic could poison the lock.
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let new = Part::lasting(make(&key));
        let mut stock = self.0.write().unwrap_or_else(PoisonError::into_inner);
        stock.entry(key).or_insert(new).clone()
    }
}

impl<K: Eq + Hash, T: Serialize> Default for Stock<K, T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_is_not_made_again() {
        static SQUARES: Stock<u32, u32> = Stock::new();
        let first = SQUARES.get(7, |n| n * n);
        let again = SQUARES.get(7, |_| unreachable!("it is there"));
        assert!(*first == 49 && first.is(&again));
        assert_eq!(*SQUARES.get(8, |n| n * n), 64);
    }
}
