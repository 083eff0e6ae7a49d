//! Goods and workers as packed multisets, with one byte for each kind in the fixed order (rules 1).

/// The letters of the goods in their fixed order.
pub(crate) const GOODS: [char; 6] = ['c', 'C', 's', 'S', 'g', 'v'];
/// The number of kinds of goods.
pub(crate) const KINDS: usize = GOODS.len();
/// The letters of the workers in their fixed order.
pub(crate) const WORKERS: [char; 4] = ['n', 'k', 'y', 'o'];

/// The lanes of the goods.
pub(crate) const COPPER: usize = 0;
pub(crate) const STONE: usize = 2;
pub(crate) const GRAIN: usize = 4;
pub(crate) const VEGETABLE: usize = 5;

macro_rules! multiset {
    ($(#[$doc:meta])* $name:ident, $word:ty, $lanes:literal, $letters:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub(crate) struct $name(pub(crate) $word);

        impl $name {
            pub(crate) const NONE: Self = Self(0);
            /// The highest bit of every byte. Counts stay below it.
            const TOP: $word = <$word>::from_ne_bytes([0x80; size_of::<$word>()]);

            pub(crate) fn of(counts: [u8; $lanes]) -> Self {
                counts.iter().enumerate().fold(Self::NONE, |multiset, (lane, &count)| multiset.plus(Self::some(lane, count)))
            }

            /// Returns `count` pieces of one kind.
            #[inline]
            pub(crate) const fn some(lane: usize, count: u8) -> Self {
                Self((count as $word) << (8 * lane))
            }

            /// Returns the number of pieces of one kind.
            #[inline]
            pub(crate) const fn count(self, lane: usize) -> u8 {
                (self.0 >> (8 * lane)) as u8
            }

            /// Returns the number of all pieces.
            #[inline]
            pub(crate) const fn total(self) -> u8 {
                (self.0.wrapping_mul(Self::TOP >> 7) >> (<$word>::BITS - 8)) as u8
            }

            #[inline]
            #[must_use]
            pub(crate) const fn plus(self, other: Self) -> Self {
                Self(self.0.wrapping_add(other.0))
            }

            /// Returns this multiset without another one that it contains.
            #[inline]
            #[must_use]
            pub(crate) const fn minus(self, other: Self) -> Self {
                Self(self.0.wrapping_sub(other.0))
            }

            /// Whether this multiset contains the other one.
            #[inline]
            pub(crate) const fn holds(self, other: Self) -> bool {
                ((self.0 | Self::TOP).wrapping_sub(other.0)) & Self::TOP == Self::TOP
            }

            /// Moves one piece of a kind here from each of the others that has one. Returns whether any had.
            pub(crate) fn recall<'a>(&mut self, lane: usize, others: impl Iterator<Item = &'a mut Self>) -> bool {
                let before = *self;
                for other in others.filter(|other| other.count(lane) > 0) {
                    *other = other.minus(Self::some(lane, 1));
                    *self = self.plus(Self::some(lane, 1));
                }
                *self != before
            }

            /// Returns the counts in the fixed order.
            pub(crate) fn counts(self) -> [u8; $lanes] {
                std::array::from_fn(|lane| self.count(lane))
            }

            /// Returns the lane of a letter.
            pub(crate) fn lane(letter: char) -> Option<usize> {
                $letters.iter().position(|&known| known == letter)
            }

            /// Parses letters in the fixed order. Returns `None` for anything else, and for more than 127 of a kind.
            pub(crate) fn parse(text: &str) -> Option<Self> {
                let mut multiset = Self::NONE;
                let mut least = 0;
                for letter in text.chars() {
                    let lane = Self::lane(letter).filter(|&lane| lane >= least && multiset.count(lane) < 127)?;
                    multiset = multiset.plus(Self::some(lane, 1));
                    least = lane;
                }
                Some(multiset)
            }

            /// Returns the letters.
            pub(crate) fn letters(self) -> String {
                let kinds = $letters.iter().zip(self.counts());
                kinds.flat_map(|(&letter, count)| std::iter::repeat_n(letter, count.into())).collect()
            }
        }
    };
}

multiset!(
    /// A multiset of goods.
    Goods, u64, 6, GOODS
);
multiset!(
    /// A multiset of workers.
    Workers, u32, 4, WORKERS
);

impl Workers {
    /// Returns the multiset with at most `most` pieces of each kind.
    #[inline]
    #[must_use]
    pub(crate) const fn at_most(self, most: u8) -> Self {
        let most = (Self::TOP >> 7) * most as u32;
        // The highest bit of each byte that reaches `most`, then all bits of that byte.
        let reached = ((self.0 | Self::TOP) - most) & Self::TOP;
        let reached = (reached - (reached >> 7)) | reached;
        Self(self.0 & !reached | most & reached)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_read_back() {
        for text in ["", "c", "cCsSgv", "ccgvv"] {
            assert_eq!(Goods::parse(text).map(Goods::letters).as_deref(), Some(text));
        }
        assert_eq!(Workers::parse("kn"), None, "not in the fixed order");
        assert_eq!(Workers::parse("w"), None);
        assert_eq!(Workers::parse("nnky").map(Workers::total), Some(4));
    }

    #[test]
    fn at_most_limits_every_kind() {
        let counts = [0, 1, 126, 127].map(|count| Workers::of([count, 0, 127, count]).at_most(126).counts());
        assert_eq!(counts, [[0, 0, 126, 0], [1, 0, 126, 1], [126, 0, 126, 126], [126, 0, 126, 126]]);
    }

    #[test]
    fn holds_compares_every_kind() {
        let multiset = |text| Goods::parse(text).expect("goods");
        assert!(multiset("ccgv").holds(multiset("cgv")));
        assert!(!multiset("ccgv").holds(multiset("Cg")), "large is not paid with small");
        assert!(!multiset("CC").holds(multiset("c")), "nor small with large");
        assert!(multiset("").holds(multiset("")));
    }
}
