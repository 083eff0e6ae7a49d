//! Parts of views that are made once: a cell that looks the same in a thousand positions is one thing in memory.
//!
//! Views are made after every action, and most of what they show is as it was. What comes from a stock is neither made
//! nor dropped again, and two views that share it need not be compared there.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash};
use std::sync::{Arc, PoisonError, RwLock};

type Known<K, T> = HashMap<K, Arc<T>, BuildHasherDefault<DefaultHasher>>;

/// Things that are made at first use, by what decides everything about them.
///
/// They stay, so there must be few enough of them: keys are small sets' members, never numbers without a bound.
#[derive(Debug)]
pub struct Stock<K, T>(RwLock<Known<K, T>>);

impl<K: Eq + Hash, T> Stock<K, T> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self(RwLock::new(HashMap::with_hasher(BuildHasherDefault::new())))
    }

    /// The thing of a key; it is made if it is not there.
    pub fn get(&self, key: K, make: impl FnOnce(&K) -> T) -> Arc<T> {
        // Nothing is left half done where a panic could poison the lock.
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(known);
        }
        let new = Arc::new(make(&key));
        let mut stock = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(stock.entry(key).or_insert(new))
    }
}

impl<K: Eq + Hash, T> Default for Stock<K, T> {
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
        assert!(*first == 49 && Arc::ptr_eq(&first, &again));
        assert_eq!(*SQUARES.get(8, |n| n * n), 64);
    }
}
