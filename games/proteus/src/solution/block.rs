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

/// The number of actions to the end of a position; `None` if it is not among the lost ones.
pub(super) fn find(bytes: &[u8], position: u32) -> Option<u8> {
    let (mut bytes, mut next, mut plies) = (bytes.iter(), 0, 0);
    loop {
        let (mut rest, mut shift) = (0, 0);
        loop {
            let &byte = bytes.next()?;
            rest |= u32::from(byte & !MORE) << shift;
            if byte & MORE == 0 {
                break;
            }
            shift += BITS;
        }
        if rest & 1 == 1 {
            plies = *bytes.next()?;
        }
        let found = next + (rest >> 1);
        if found >= position {
            return (found == position).then_some(plies);
        }
        next = found + 1;
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

    fn mixed(position: u32) -> u8 {
        tavola_core::random::mix(position.into()) as u8
    }
}
