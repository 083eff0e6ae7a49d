//! The earlier positions of the movement phase, for the draw by repetition (rules 18).

/// A position without its past in two words: tiles, facings and the seat to act; counters, and the tiles in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(pub(crate) [u64; 2]);

impl Position {
    /// A hash: both halves of a product of the words.
    #[inline]
    pub(crate) const fn hash(self) -> u64 {
        let [tiles, counters] = self.0;
        // Odd numbers without pattern: digits of the roots of 2 and 3.
        let product = (tiles ^ 0x6A09_E667_F3BC_C909) as u128 * (counters ^ 0xBB67_AE85_84CA_A73B) as u128;
        product as u64 ^ (product >> 64) as u64
    }
}

/// The earlier positions, each as often as it occurred.
#[derive(Debug)]
pub(crate) struct Repetition {
    positions: Vec<Position>,
    /// The sum of their hashes: the same in whatever order they came.
    key: u64,
    /// Two sets of bits. Eight bits of a hash select one bit of each. The first position with that bit sets it in the
    /// first set, the next one in the second. So nearly all positions need no count.
    seen: [[u64; 2]; 4],
}

impl Repetition {
    pub(crate) const fn new() -> Self {
        Self { positions: Vec::new(), key: 0, seen: [[0; 2]; 4] }
    }

    /// Where the bits of a hash are in `seen`.
    const fn mark(hash: u64) -> (usize, u64) {
        ((hash >> 62) as usize, 1 << (hash >> 56 & 63))
    }

    #[inline]
    pub(crate) fn add(&mut self, position: Position) {
        let hash = position.hash();
        self.positions.push(position);
        self.key = self.key.wrapping_add(hash);
        let (place, bit) = Self::mark(hash);
        let [once, twice] = &mut self.seen[place];
        *twice |= *once & bit;
        *once |= bit;
    }

    /// Whether a position has been there twice already.
    #[inline]
    pub(crate) fn has_twice(&self, position: Position) -> bool {
        let (place, bit) = Self::mark(position.hash());
        self.seen[place][1] & bit != 0 && self.counts_two(position)
    }

    #[cold]
    fn counts_two(&self, position: Position) -> bool {
        self.positions.iter().filter(|&&earlier| earlier == position).count() >= 2
    }

    /// How often a position has been there already.
    pub(crate) fn count(&self, position: Position) -> usize {
        let (place, bit) = Self::mark(position.hash());
        if self.seen[place][0] & bit == 0 {
            return 0;
        }
        self.positions.iter().filter(|&&earlier| earlier == position).count()
    }

    /// The positions in the order of play.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// A hash of all.
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    /// The same from the positions alone.
    pub(crate) fn key_from_scratch(&self) -> u64 {
        self.positions.iter().fold(0, |key, position| key.wrapping_add(position.hash()))
    }

    /// The positions, in order, and how often each occurred.
    pub(crate) fn occurrences(&self) -> Vec<(Position, usize)> {
        let mut positions = self.positions.clone();
        positions.sort_unstable();
        positions.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
    }
}

impl PartialEq for Repetition {
    /// Equal if the rules cannot tell them apart: the order does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.occurrences() == other.occurrences()
    }
}

impl Eq for Repetition {}

impl Clone for Repetition {
    fn clone(&self) -> Self {
        Self { positions: self.positions.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.positions.clone_from(&source.positions);
        (self.key, self.seen) = (source.key, source.seen);
    }
}
