//! The lost positions of a class as bytes: of each the distance from the one before, and where it changes, the number of
//! actions to the end.

/// The bits of a byte of a distance, the last of which says whether another byte follows.
const BITS: u32 = 7;
const MORE: u8 = 1 << BITS;

/// Positions in ascending order, each with the number of actions to its end.
pub(super) fn encode(positions: impl IntoIterator<Item = (u32, u8)>) -> Vec<u8> {
    let (mut bytes, mut next, mut plies) = (Vec::new(), 0, 0);
    for (position, to_end) in positions {
        let changes = to_end != plies;
        let mut rest = (position - next) << 1 | u32::from(changes);
        while rest >= u32::from(MORE) {
            bytes.push(rest as u8 | MORE);
            rest >>= BITS;
        }
        bytes.push(rest as u8);
        if changes {
            bytes.push(to_end);
        }
        (next, plies) = (position + 1, to_end);
    }
    bytes
}

/// How many positions are between two marks.
const EVERY: usize = 512;

/// A place in a block from which it can be read.
#[derive(Clone, Copy, Default)]
pub(super) struct Mark {
    /// The place in the bytes.
    pub(super) offset: u32,
    /// The first position that may follow.
    pub(super) next: u32,
    plies: u8,
}

/// The marks of a block. The first one is its beginning.
pub(super) fn marks(bytes: &[u8]) -> Vec<Mark> {
    let mut positions = Positions { bytes, mark: Mark::default() };
    let mut marks = vec![positions.mark];
    while positions.nth(EVERY - 1).is_some() {
        marks.push(positions.mark);
    }
    marks
}

/// The number of actions to the end of a position; `None` if it is not among the lost ones. The bytes begin at a mark.
pub(super) fn find(bytes: &[u8], mark: Mark, position: u32) -> Option<u8> {
    let found = Positions { bytes, mark }.find(|&(found, _)| found >= position);
    found.filter(|&(found, _)| found == position).map(|(_, plies)| plies)
}

/// The positions of a block from a mark on.
struct Positions<'a> {
    bytes: &'a [u8],
    mark: Mark,
}

impl Positions<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.bytes.split_first()?;
        (self.bytes, self.mark.offset) = (rest, self.mark.offset + 1);
        Some(byte)
    }
}

impl Iterator for Positions<'_> {
    type Item = (u32, u8);

    fn next(&mut self) -> Option<Self::Item> {
        let (mut rest, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            rest |= u32::from(byte & !MORE) << shift;
            if byte & MORE == 0 {
                break;
            }
            shift += BITS;
        }
        if rest & 1 == 1 {
            self.mark.plies = self.byte()?;
        }
        let found = self.mark.next + (rest >> 1);
        self.mark.next = found + 1;
        Some((found, self.mark.plies))
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::Random;

    use super::*;
    use crate::frozen::STATES;

    #[test]
    fn each_position_is_found_with_its_number_and_no_other() {
        let mut random = Random::new(1);
        for one_in in [2, 50, 5_000, 1_000_000] {
            let lost: Vec<(u32, u8)> = (0..STATES as u32)
                .filter(|_| random.word().is_multiple_of(one_in))
                .map(|position| (position, 2 + 2 * (mixed(position) % 3)))
                .collect();
            let bytes = encode(lost.iter().copied());
            for &(position, plies) in lost.iter().step_by(1 + lost.len() / 500) {
                assert_eq!(find(&bytes, position), Some(plies));
            }
            for _ in 0..500 {
                let position = random.word() as u32 % STATES as u32;
                let known = lost.binary_search_by_key(&position, |&(lost, _)| lost).ok();
                assert_eq!(find(&bytes, position), known.map(|place| lost[place].1));
            }
        }
        assert_eq!(find(&[], 0), None);
    }

    /// As a solution reads a file: only the bytes between two marks.
    fn find(bytes: &[u8], position: u32) -> Option<u8> {
        let marks = marks(bytes);
        let after = marks.partition_point(|mark| mark.next <= position);
        let end = marks.get(after).map_or(bytes.len(), |mark| mark.offset as usize);
        let mark = marks[after - 1];
        super::find(&bytes[mark.offset as usize..end], mark, position)
    }

    fn mixed(position: u32) -> u8 {
        tavola_core::random::mix(position.into()) as u8
    }
}
