//! The plane of hexes: places, directions and their hash words.

use tavola_core::random::mix;

/// A place on the unbounded plane, in axial coordinates (rules 3).
///
/// A game has at most twelve connected tiles, 0,0 among them: no coordinate of a tile or of a hex
/// beside one exceeds 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hex {
    /// Towards the east.
    pub q: i8,
    /// Towards the south-east.
    pub r: i8,
}

/// Names and steps of the six directions (rules 3), in the order of their names.
pub const DIRECTIONS: [(&str, Hex); 6] = [
    ("e", Hex::new(1, 0)),
    ("ne", Hex::new(1, -1)),
    ("nw", Hex::new(0, -1)),
    ("se", Hex::new(0, 1)),
    ("sw", Hex::new(-1, 1)),
    ("w", Hex::new(-1, 0)),
];

/// Stands for no direction.
pub(crate) const NOT_BESIDE: usize = 6;

/// The opposite of each direction. [`NOT_BESIDE`] is its own opposite.
pub(crate) const BACK: [usize; 7] = [5, 4, 3, 2, 1, 0, NOT_BESIDE];

impl Hex {
    /// The place with these coordinates.
    pub const fn new(q: i8, r: i8) -> Self {
        Self { q, r }
    }

    /// The neighbour in a direction.
    #[must_use]
    pub const fn step(self, direction: usize) -> Self {
        let (_, step) = DIRECTIONS[direction];
        Self { q: self.q + step.q, r: self.r + step.r }
    }

    /// Whether the other hex adjoins this one.
    pub(crate) fn is_beside(self, other: Self) -> bool {
        (0..DIRECTIONS.len()).any(|direction| self.step(direction) == other)
    }

    /// The direction in which another hex of the same game adjoins this one, or [`NOT_BESIDE`].
    pub(crate) const fn direction_to(self, other: Self) -> usize {
        /// By the difference of the spot numbers.
        const NEAR: [u8; 256] = {
            let mut near = [NOT_BESIDE as u8; 256];
            let mut direction = 0;
            while direction < DIRECTIONS.len() {
                near[DIRECTIONS[direction].1.spot() as usize] = direction as u8;
                direction += 1;
            }
            near
        };
        NEAR[other.spot().wrapping_sub(self.spot()) as usize] as usize
    }

    /// The number of a hex on a plane of 16 x 16 spots that wraps around. Hexes of one game are less than thirteen
    /// apart in q and r, so no two of them share a spot.
    const fn spot(self) -> u8 {
        (self.q as u8).wrapping_add((self.r as u8).wrapping_mul(16))
    }

    /// The sort key in texts: r, then q (rules 13).
    pub const fn order(self) -> (i8, i8) {
        (self.r, self.q)
    }

    /// The hash word of this hex.
    pub fn word(self) -> u64 {
        WORDS[(self.q & 31) as usize][(self.r & 31) as usize]
    }
}

/// A hash word for every hex with coordinates between -16 and 15.
static WORDS: [[u64; 32]; 32] = {
    let mut words = [[0; 32]; 32];
    let mut place = 0;
    while place < 32 * 32 {
        words[place / 32][place % 32] = mix(place as u64 + 0x7061_6C74);
        place += 1;
    }
    words
};

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adjoins_is_told_apart_from_all_that_a_game_can_hold() {
        let differences = || (-12..=12).flat_map(|q| (-12..=12).map(move |r| Hex::new(q, r)));
        for (here, there) in [Hex::new(0, 0), Hex::new(-12, 7)]
            .into_iter()
            .flat_map(|here| differences().map(move |apart| (here, Hex::new(here.q + apart.q, here.r + apart.r))))
        {
            let expected = (0..DIRECTIONS.len()).find(|&direction| here.step(direction) == there);
            assert_eq!(here.direction_to(there), expected.unwrap_or(NOT_BESIDE), "{here} to {there}");
            assert_eq!(here.is_beside(there), expected.is_some());
        }
        assert!(!Hex::new(0, 0).is_beside(Hex::new(16, -1)), "apart, though on one spot");
    }
}
