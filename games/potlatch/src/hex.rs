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

impl Hex {
    /// The place with these coordinates.
    pub const fn new(q: i8, r: i8) -> Self {
        Self { q, r }
    }

    /// The neighbour in a direction.
    pub const fn step(self, direction: usize) -> Self {
        let (_, step) = DIRECTIONS[direction];
        Self { q: self.q + step.q, r: self.r + step.r }
    }

    /// The direction in which the other hex adjoins this one.
    pub fn direction_to(self, other: Self) -> Option<usize> {
        (0..6).find(|&direction| self.step(direction) == other)
    }

    /// What texts sort by: r, then q (rules 13).
    pub const fn order(self) -> (i8, i8) {
        (self.r, self.q)
    }

    /// A random-looking word of this place.
    pub const fn word(self) -> u64 {
        mix(((self.q as u8 as u64) << 8 | self.r as u8 as u64).wrapping_add(0x7061_6C74))
    }
}

impl std::fmt::Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.q, self.r)
    }
}
