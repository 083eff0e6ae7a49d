//! The plane of hexes: places, directions and their hash words.

use tavola_core::random::mix;

/// A place on the unbounded plane, in axial coordinates (rules 3).
///
/// A game has at most twelve connected tiles, 0,0 among them: no coordinate of a tile or of a hex
/// beside one exceeds 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hex {
    /// To the east.
    pub q: i8,
    /// To the south-east.
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

/// What stands for a direction where there is none.
pub(crate) const NOT_BESIDE: usize = 6;

/// The direction back, by direction; of [`NOT_BESIDE`] itself.
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

    /// The direction in which the other hex adjoins this one, or [`NOT_BESIDE`].
    pub(crate) fn direction_to(self, other: Self) -> usize {
        /// By the differences of q and r, each 1 more, where 3 stands for all that is too far.
        const NEAR: [[u8; 4]; 4] = [[6, 5, 4, 6], [2, 6, 3, 6], [1, 0, 6, 6], [6; 4]];
        let near = |from: i8, to: i8| (to.wrapping_sub(from).wrapping_add(1) as u8).min(3) as usize;
        NEAR[near(self.q, other.q)][near(self.r, other.r)].into()
    }

    /// What texts sort by: r, then q (rules 13).
    pub const fn order(self) -> (i8, i8) {
        (self.r, self.q)
    }

    /// A random-looking word of this place.
    pub fn word(self) -> u64 {
        WORDS[(self.q & 31) as usize][(self.r & 31) as usize]
    }
}

/// A word for every place whose coordinates are between -16 and 15.
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
