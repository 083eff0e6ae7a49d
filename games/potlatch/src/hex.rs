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

/// How many hexes a row is counted for: more than two tiles of a game can be apart.
const ROW: i32 = 32;

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
        /// By how many hexes further on the other one is if rows are counted one after the other, and [`ROW`] more.
        const NEAR: [u8; 2 * ROW as usize + 2] = {
            let mut near = [NOT_BESIDE as u8; 2 * ROW as usize + 2];
            let mut direction = 0;
            while direction < DIRECTIONS.len() {
                let (_, step) = DIRECTIONS[direction];
                near[(step.q as i32 + ROW * (step.r as i32 + 1)) as usize] = direction as u8;
                direction += 1;
            }
            near
        };
        let along = |hex: Self| i32::from(hex.q) + ROW * i32::from(hex.r);
        let apart = (along(other) - along(self) + ROW) as u32;
        NEAR[apart.min(2 * ROW as u32 + 1) as usize].into()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_adjoins_is_told_apart_from_all_that_a_game_can_hold() {
        let places = || (-12..=12).flat_map(|q| (-12..=12).map(move |r| Hex::new(q, r)));
        for here in places() {
            let beside: Vec<Hex> = (0..DIRECTIONS.len()).map(|direction| here.step(direction)).collect();
            for there in places() {
                let expected = beside.iter().position(|&hex| hex == there).unwrap_or(NOT_BESIDE);
                assert_eq!(here.direction_to(there), expected, "{here} to {there}");
            }
        }
    }
}
