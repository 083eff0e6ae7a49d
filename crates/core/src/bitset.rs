//! Machine words as sets of small numbers or as eight bytes, without loops.

/// The value 1 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The running sums of the bytes, which must stay below 128.
#[inline]
pub(crate) const fn running_sums(bytes: u64) -> u64 {
    bytes.wrapping_mul(ONES)
}

/// The number of bytes that are at most `number`, of eight ascending bytes below 128.
#[inline]
pub(crate) const fn not_above(bytes: u64, number: u32) -> u32 {
    const HIGH: u64 = 0x80 * ONES;
    ((((number as u64 * ONES) | HIGH) - bytes) & HIGH).count_ones()
}

/// The index of the set bit number `n`, from 0. With too few bits set, the result is any number below 64.
///
/// ```
/// assert_eq!(tavola_core::bitset::nth(0b1010_0100, 1), 5);
/// ```
#[inline]
pub fn nth(word: u64, n: u32) -> u8 {
    let pairs = word - (word >> 1 & (0x55 * ONES));
    let nibbles = (pairs & (0x33 * ONES)) + (pairs >> 2 & (0x33 * ONES));
    let sums = running_sums((nibbles + (nibbles >> 4)) & (0x0F * ONES));
    let base = 8 * (not_above(sums, n & 63) & 7);
    let before = (sums << 8 >> base) as u8;
    let byte = (word >> base) as u8;
    base as u8 + MEMBERS[usize::from(byte)][usize::from((n as u8).wrapping_sub(before) & 7)]
}

/// Sets the bits of `bits` in a set of several words, counted from bit `first`.
///
/// # Panics
/// If a bit is beyond the last word.
#[inline]
pub fn insert_at(words: &mut [u64], first: usize, bits: u64) {
    let (place, shift) = (first / 64, first % 64);
    words[place] |= bits << shift;
    // In two steps, because a shift by 64 does nothing.
    let beyond = bits >> 1 >> (63 - shift);
    if beyond != 0 {
        words[place + 1] |= beyond;
    }
}

/// The same for a word of 128 bits.
#[inline]
pub fn nth_wide(word: u128, n: u32) -> u8 {
    let before = (word as u64).count_ones();
    let (half, base, n) = if n < before { (word as u64, 0, n) } else { ((word >> 64) as u64, 64, n - before) };
    base + nth(half, n)
}

/// The indices of the set bits of every byte, lowest first.
static MEMBERS: [[u8; 8]; 256] = {
    let mut members = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut found) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                members[byte][found] = place;
                found += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    members
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_found_by_their_number() {
        for word in [0x8421_0000_F00F_0081, u64::MAX, 1, 1 << 63, (1 << 60) - 1] {
            let set: Vec<u8> = (0..64).filter(|place| word >> place & 1 == 1).collect();
            for (n, &place) in set.iter().enumerate() {
                assert_eq!(nth(word, n as u32), place, "{word:x}: {n}");
                let wide = u128::from(word) << 64 | u128::from(word);
                assert_eq!(nth_wide(wide, n as u32), place);
                assert_eq!(nth_wide(wide, (set.len() + n) as u32), 64 + place);
            }
        }
    }

    #[test]
    fn no_number_of_a_bit_that_is_not_there_does_harm() {
        for n in [0, 1, 63, 64, u32::MAX] {
            assert!(nth(0, n) < 64);
            assert!(nth(1, n) < 64);
        }
    }
}
