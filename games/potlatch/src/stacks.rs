//! All stacks in one word, and sets of tiles with the same layout.

use tavola_core::Seat;

/// The tile number of a blank hex. Its height is 0 (rules 7).
pub(crate) const BLANK: u8 = 15;

/// The code of three chips with a neutral one on top. Add 1 + seat for a seat's colour (rules 3).
pub(crate) const NEUTRAL_THREE: u8 = 3;

/// The lowest of the four bits of every tile.
const ONES: u64 = 0x1111_1111_1111_1111;

/// A set of tile numbers, [`BLANK`] included: the lowest of four bits for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TileSet(u64);

impl TileSet {
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) const fn one(tile: u8) -> Self {
        Self(1 << (4 * tile))
    }

    /// The set as a word.
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    pub(crate) const fn contains(self, tile: u8) -> bool {
        self.0 >> (4 * tile) & 1 == 1
    }

    pub(crate) const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    #[must_use]
    pub(crate) const fn with(self, tile: u8) -> Self {
        Self(self.0 | 1 << (4 * tile))
    }

    #[must_use]
    pub(crate) const fn and(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    #[must_use]
    pub(crate) const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    #[must_use]
    pub(crate) const fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The tile with the lowest number.
    pub(crate) const fn first(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some((self.0.trailing_zeros() / 4) as u8) }
    }

    /// The same set if the condition holds, else the empty set. Branch-free, because a branch would be unpredictable.
    pub(crate) const fn provided(self, so: bool) -> Self {
        Self(self.0 & (so as u64).wrapping_neg())
    }
}

/// Every tile's stack, four bits each: 0 to 2 chips, or 3 and the colour of the third ([`NEUTRAL_THREE`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stacks(pub(crate) u64);

impl Stacks {
    /// The code of a tile's stack.
    pub(crate) const fn code(self, tile: u8) -> u8 {
        (self.0 >> (4 * tile) & 15) as u8
    }

    /// The number of chips on a tile.
    pub(crate) const fn height(self, tile: u8) -> u8 {
        let code = self.code(tile);
        if code > NEUTRAL_THREE { 3 } else { code }
    }

    pub(crate) fn set(&mut self, tile: u8, code: u8) {
        self.0 = self.0 & !(15 << (4 * tile)) | u64::from(code) << (4 * tile);
    }

    /// The number of chips.
    pub(crate) fn chips(self) -> u32 {
        (0..BLANK).map(|tile| u32::from(self.height(tile))).sum()
    }

    /// The stacks of a seat (rules 3).
    pub(crate) const fn of_seat(self, seat: Seat) -> TileSet {
        let [first, _, third] = self.bits();
        // Red's code is 4 = 100, Blue's 5 = 101 in binary; no other code has the third bit.
        TileSet(if seat == 0 { third & !first } else { third & first })
    }

    /// The tiles with fewer than three chips.
    pub(crate) const fn with_room(self) -> TileSet {
        let [first, second, third] = self.bits();
        TileSet(!(third | first & second) & ONES)
    }

    /// The tiles where one more chip makes three (rules 9).
    pub(crate) const fn ripe(self) -> TileSet {
        let [first, second, _] = self.bits();
        TileSet(second & !first)
    }

    /// The tiles whose height differs from `height` by at most 1 (rules 7).
    pub(crate) const fn level_with(self, height: u8) -> TileSet {
        let [first, second, third] = self.bits();
        let (low, high) = (!(second | third) & ONES, second | third);
        TileSet([low, self.with_room().0, first | high, high][height as usize])
    }

    /// One more chip on each of these tiles that has room. A third chip has the seat's colour (rules 9).
    #[must_use]
    pub(crate) const fn grown(self, tiles: TileSet, seat: Seat) -> Self {
        let [first, second, _] = self.bits();
        let growing = tiles.and(self.with_room()).0;
        let third = growing & second & !first;
        Self(self.0 + growing + third * (1 + seat as u64))
    }

    /// The first, second and third bit of every code.
    const fn bits(self) -> [u64; 3] {
        [self.0 & ONES, self.0 >> 1 & ONES, self.0 >> 2 & ONES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations on words agree with the same ones tile by tile.
    #[test]
    fn sets_agree_with_single_stacks() {
        for (here, there) in (0..6).flat_map(|here| (0..6).map(move |there| (here, there))) {
            let mut stacks = Stacks::default();
            stacks.set(3, here);
            stacks.set(11, there);
            for tile in [0, 3, 11, BLANK] {
                let (code, height) = (stacks.code(tile), stacks.height(tile));
                assert_eq!(height, code.min(3));
                assert_eq!(stacks.with_room().contains(tile), height < 3);
                assert_eq!(stacks.ripe().contains(tile), height == 2);
                for other in 0..=3 {
                    assert_eq!(stacks.level_with(other).contains(tile), height.abs_diff(other) <= 1, "{code} {other}");
                }
                for seat in 0..2 {
                    assert_eq!(stacks.of_seat(seat).contains(tile), code == NEUTRAL_THREE + 1 + seat);
                    let grown = stacks.grown(TileSet::one(tile), seat);
                    assert_eq!(grown.code(tile), [1, 2, NEUTRAL_THREE + 1 + seat, 3, 4, 5][usize::from(code)]);
                    let mut back = grown;
                    back.set(tile, code);
                    assert_eq!(back, stacks, "nothing else changes");
                }
            }
        }
    }

    #[test]
    fn a_set_tells_its_tiles() {
        let set = TileSet::one(2).with(7).with(BLANK);
        assert_eq!((0..16).filter(|&tile| set.contains(tile)).collect::<Vec<_>>(), [2, 7, BLANK]);
        assert_eq!(set.len(), 3);
        assert_eq!(set.without(TileSet::one(7)).and(TileSet::one(7)), TileSet::EMPTY);
    }
}
