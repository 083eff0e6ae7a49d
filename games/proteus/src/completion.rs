//! A table of whether the placement can still turn up a tile of every colour (rules 10).

use std::sync::LazyLock;

use crate::pieces::{Tile, colour_of, shape_of};
use crate::preset::Preset;

/// The pieces and colours that decide whether a placement can be completed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remainder {
    /// The tiles without a counter, in the pool or on the board: one bit each.
    pub(crate) free: u16,
    /// The number of counters of each shape still in hand: 0 to 2.
    pub(crate) hand: [u8; 3],
    /// The colours without a face-up tile: one bit each.
    pub(crate) need: u8,
}

impl Remainder {
    /// Its place in the tables: a sum of parts for each free tile, counter in hand and needed colour, so that what
    /// changes can be subtracted.
    pub(crate) fn number(self) -> u32 {
        let free: u32 = (0..9).filter(|tile| self.free >> tile & 1 == 1).map(|tile| FREE << tile).sum();
        let hand: u32 = (0..3).map(|shape| HAND[shape] * u32::from(self.hand[shape])).sum();
        free + hand + u32::from(self.need)
    }

    /// The remainder after a counter of a shape goes on a free tile; `None` if the preset forbids that (rules 9).
    pub(crate) fn after(self, shape: u8, tile: Tile, preset: Preset) -> Option<Self> {
        let mut rest = self;
        rest.free &= !(1 << tile);
        rest.hand[shape as usize] -= 1;
        if shape_of(tile) == shape {
            let colour = 1 << colour_of(tile);
            if preset == Preset::Kadon && self.need & colour == 0 {
                return None;
            }
            rest.need &= !colour;
        }
        Some(rest)
    }

    /// Whether some completion exists, or none is asked for (rules 10).
    pub(crate) fn can_be_completed(self, preset: Preset) -> bool {
        completions(preset)[self.number() as usize] & POSSIBLE != 0
    }
}

/// The part that a placed counter takes from the number of a [`Remainder`], without its colour's bit.
#[inline]
pub(crate) fn placed(shape: u8, tile: Tile) -> u32 {
    (FREE << tile) + HAND[shape as usize]
}

/// The colours without a face-up tile, given the number of a [`Remainder`].
#[inline]
pub(crate) const fn needed(number: u32) -> usize {
    number as usize % 8
}

const FREE: u32 = 27 * 8;
const HAND: [u32; 3] = [8, 3 * 8, 9 * 8];
const SIZE: usize = 512 * 27 * 8;

/// The bit that says that a completion exists.
const POSSIBLE: u32 = 1 << 31;

/// By the number of a [`Remainder`]: the tiles on which a counter may be placed so that a completion exists (rules 9, 10).
///
/// An entry is three sets of nine bits, one for each shape of the counter.
pub(crate) fn completions(preset: Preset) -> &'static [u32; SIZE] {
    static TABLES: [LazyLock<Box<[u32; SIZE]>>; 3] = [
        LazyLock::new(|| table(Preset::Article)),
        LazyLock::new(|| table(Preset::Literal)),
        LazyLock::new(|| table(Preset::Kadon)),
    ];
    &TABLES[preset as usize]
}

/// With no counter left, nothing may be needed, except under `literal`; else one of them finds a tile.
///
/// The order does not matter, since all must be placed: a completion exists if the first in hand has an open tile.
fn table(preset: Preset) -> Box<[u32; SIZE]> {
    let mut table = vec![0; SIZE];
    // Fewer free tiles come first.
    for free in 0..512u16 {
        // Six of the nine tiles get a counter.
        let hands = (0..27u8).map(|hand| [hand % 3, hand / 3 % 3, hand / 9]);
        for hand in hands.filter(|hand| u32::from(hand.iter().sum::<u8>()) + 3 == free.count_ones()) {
            for need in 0..8 {
                let rest = Remainder { free, hand, need };
                let open = [0, 1, 2].map(|shape| {
                    let tiles = (0..9).filter(|tile| rest.hand[shape as usize] > 0 && free >> tile & 1 == 1);
                    tiles
                        .filter(|&tile| {
                            let after = rest.after(shape, tile, preset);
                            after.is_some_and(|after| table[after.number() as usize] & POSSIBLE != 0)
                        })
                        .fold(0u32, |open, tile| open | 1 << tile)
                });
                let first = (0..3).find(|&shape| rest.hand[shape] > 0);
                let possible = first.map_or(need == 0 || preset == Preset::Literal, |shape| open[shape] != 0);
                table[rest.number() as usize] =
                    open[0] | open[1] << 9 | open[2] << 18 | if possible { POSSIBLE } else { 0 };
            }
        }
    }
    table.into_boxed_slice().try_into().expect("as many as there are numbers")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule book's own words: every assignment of the counters in hand to the free tiles is tried.
    fn by_trying(rest: Remainder, preset: Preset) -> bool {
        let Some(shape) = (0..3).find(|&shape| rest.hand[shape as usize] > 0) else {
            return rest.need == 0 || preset == Preset::Literal;
        };
        (0..9)
            .filter(|tile| rest.free >> tile & 1 == 1)
            .any(|tile| rest.after(shape, tile, preset).is_some_and(|next| by_trying(next, preset)))
    }

    #[test]
    fn the_table_agrees_with_trying() {
        let hands = [[2, 2, 2], [2, 2, 1], [1, 0, 1], [2, 1, 0], [0, 0, 2], [1, 1, 1], [0, 1, 0], [0, 0, 0]];
        for hand in hands {
            let counters = u32::from(hand.iter().sum::<u8>());
            for free in (0..512u16).filter(|free| free.count_ones() == counters + 3).step_by(11) {
                for need in 0..8 {
                    let rest = Remainder { free, hand, need };
                    for preset in [Preset::Article, Preset::Literal, Preset::Kadon] {
                        assert_eq!(rest.can_be_completed(preset), by_trying(rest, preset), "{rest:?} {preset:?}");
                    }
                }
            }
        }
    }

    /// The rule book's figures: of 60,480 assignments of all counters, how many turn up every colour.
    #[test]
    fn as_many_assignments_as_the_rule_book_says() {
        fn count(rest: Remainder, counter: u8, preset: Preset) -> u32 {
            if counter == 6 {
                return u32::from(rest.need == 0);
            }
            (0..9)
                .filter(|tile| rest.free >> tile & 1 == 1)
                .filter_map(|tile| rest.after(counter % 3, tile, preset))
                .map(|next| count(next, counter + 1, preset))
                .sum()
        }
        let all = Remainder { free: 511, hand: [2, 2, 2], need: 7 };
        assert_eq!(count(all, 0, Preset::Kadon), 3_360);
        assert_eq!(count(all, 0, Preset::Article), 7_584);
    }
}
