//! The random generator: seeded, and owned by the caller.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bitset::{not_above, running_sums};

/// A seeded generator (xoshiro256++).
#[derive(Clone, Debug)]
pub struct Random(Xoshiro256PlusPlus);

impl Random {
    /// Creates the generator of a seed.
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Creates the generator of a numbered stream under a seed, for one thread or one block of playouts.
    pub fn stream(seed: u64, number: u64) -> Self {
        Self::new(mix(seed ^ mix(number.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number from 0 to `bound` - 1.
    ///
    /// By multiplication (Lemire 2019, without the rejection step): the bias is below `bound` / 2^32.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.word() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A number from 0 (included) to 1 (excluded).
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A random index, drawn in exact proportion to the weights.
    ///
    /// # Panics
    /// If the weights are empty or sum to 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = u64> + Clone) -> usize {
        let total: u64 = weights.clone().sum();
        assert!(total > 0, "nothing to draw from");
        // Rejects draws beyond the last whole multiple of the total: exact, and rare.
        let limit = u64::MAX - u64::MAX % total;
        let mut draw = self.word();
        while draw >= limit {
            draw = self.word();
        }
        let mut left = draw % total;
        for (place, weight) in weights.enumerate() {
            if left < weight {
                return place;
            }
            left -= weight;
        }
        unreachable!("the draw is below the total")
    }

    /// A random index of eight small weights, whose sum is above 0 and below 128. It is fast, and as uniform as
    /// [`below`](Self::below).
    #[inline]
    pub fn among(&mut self, weights: [u8; 8]) -> usize {
        let sums = running_sums(u64::from_le_bytes(weights));
        not_above(sums, self.below((sums >> 56) as u32)) as usize
    }
}

/// A bijection of 64-bit words that looks random (the finaliser of `SplitMix64`): for keys and seeds.
#[inline]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_weights_are_drawn_in_proportion() {
        let weights = [0, 7, 1, 0, 3, 0, 0, 100];
        let mut random = Random::new(7);
        let mut drawn = [0u32; 8];
        for _ in 0..111_000 {
            drawn[random.among(weights)] += 1;
        }
        for (weight, count) in weights.into_iter().zip(drawn) {
            let expected = 1000.0 * f64::from(weight);
            assert!((f64::from(count) - expected).abs() <= 6.0 * expected.sqrt(), "{drawn:?}");
        }
    }
}
