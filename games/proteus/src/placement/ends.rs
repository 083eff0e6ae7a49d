//! The results of all ends of the placement, two bits each.
//!
//! An end is a class of tile layouts, the tile under each counter, and the facings that the placement can leave.

use std::sync::Mutex;

use crate::endgame::Verdict;
use crate::frozen::{ARRANGEMENTS, FACINGS, STATES, arrangement, arrangement_number, facing_number};
use crate::index::{LAYOUTS, class_of, layout};
use crate::pieces::{colour_of, shape_of};
use crate::placement_key::tiles_under;
use crate::preset::Preset;
use crate::rules::Proteus;
use crate::state::State;

/// Stands for tiles and facings that the placement cannot leave.
const IMPOSSIBLE: u16 = u16::MAX;

/// The ends of the placement on one layout: the tile under each counter, and the tiles that are up.
struct Kinds {
    /// The number of the tiles under the counters, as an arrangement on tiles, and that of the facings.
    list: Vec<(u16, u8)>,
    /// The place of each in the list.
    places: Vec<u16>,
}

impl Kinds {
    /// # Panics
    /// Under `literal`, where colours may be missing.
    fn new(game: &Proteus) -> Self {
        assert!(
            game.preset != Preset::Literal,
            "under `literal` the placement may leave colours without a face-up tile"
        );
        let (mut list, mut places) = (Vec::new(), vec![IMPOSSIBLE; STATES]);
        for number in 0..ARRANGEMENTS {
            let mut matches = [0u8; 3];
            for (counter, tile) in (0..).zip(arrangement(number)) {
                if shape_of(tile) == counter % 3 {
                    matches[usize::from(colour_of(tile))] |= 1 << shape_of(tile);
                }
            }
            let several = matches.iter().any(|shapes| shapes.count_ones() > 1);
            if game.preset == Preset::Kadon && several {
                continue;
            }
            for facing in 0..FACINGS {
                let up = [facing % 3, facing / 3 % 3, facing / 9];
                if up.iter().zip(matches).all(|(shape, shapes)| shapes >> shape & 1 == 1) {
                    places[number * FACINGS + facing] = list.len() as u16;
                    list.push((number as u16, facing as u8));
                }
            }
        }
        Self { list, places }
    }

    /// How many bytes have the results of one layout.
    fn bytes(&self) -> usize {
        self.list.len().div_ceil(4)
    }
}

/// The results for the seat to act.
pub struct Ends {
    kinds: Kinds,
    /// Four results a byte.
    bytes: Vec<u8>,
}

impl Ends {
    /// Computes the result of each end. `verdict` gets the number of the position ([`crate::index`]).
    ///
    /// # Panics
    /// Under `literal`, where a colour may be missing at the end.
    pub fn new(game: &Proteus, threads: usize, verdict: impl Fn(u64) -> Verdict + Sync) -> Self {
        Self::of_first(LAYOUTS, game, threads, verdict)
    }

    /// The results for the first classes of layouts.
    fn of_first(count: usize, game: &Proteus, threads: usize, verdict: impl Fn(u64) -> Verdict + Sync) -> Self {
        let kinds = Kinds::new(game);
        let fill = |class: usize, bytes: &mut [u8]| {
            let mut cell_of = [0; 9];
            (0..).zip(layout(class)).for_each(|(cell, tile)| cell_of[usize::from(tile)] = cell);
            for (place, &(number, facing)) in kinds.list.iter().enumerate() {
                let cells = arrangement(number.into()).map(|tile| cell_of[usize::from(tile)]);
                let rest = arrangement_number(cells) * FACINGS + usize::from(facing);
                let verdict = verdict((class * STATES + rest) as u64);
                bytes[place / 4] |= (verdict as u8) << (2 * (place % 4));
            }
        };
        let mut bytes = vec![0; kinds.bytes() * count];
        let classes = Mutex::new(bytes.chunks_mut(kinds.bytes()).enumerate());
        let next = || classes.lock().expect("no class fails").next();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some((class, bytes)) = next() {
                        fill(class, bytes);
                    }
                });
            }
        });
        Self { kinds, bytes }
    }

    /// How many ends there are, up to the board's symmetries and the swap of seats.
    pub fn count(&self) -> u64 {
        (LAYOUTS * self.kinds.list.len()) as u64
    }

    /// How many of them are won, lost and drawn for the seat to act.
    pub fn totals(&self) -> [u64; 3] {
        let mut totals = [0; 3];
        for class in self.bytes.chunks(self.kinds.bytes()) {
            for place in 0..self.kinds.list.len() {
                totals[usize::from(class[place / 4] >> (2 * (place % 4)) & 3)] += 1;
            }
        }
        totals
    }

    /// The result of an end of the placement for the seat to act, given the class of its layout.
    pub fn verdict(&self, state: &State, class: usize) -> Verdict {
        let kind = arrangement_number(tiles_under(state)) * FACINGS + facing_number(&state.board);
        let place = usize::from(self.kinds.places[kind]);
        match self.bytes[class * self.kinds.bytes() + place / 4] >> (2 * (place % 4)) & 3 {
            0 => Verdict::Won,
            1 => Verdict::Lost,
            _ => Verdict::Drawn,
        }
    }

    /// The results, four a byte.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The results of [`Ends::as_bytes`].
    ///
    /// # Panics
    /// If there are not [`Ends::bytes_of`] the game.
    pub fn from_bytes(game: &Proteus, bytes: Vec<u8>) -> Self {
        let kinds = Kinds::new(game);
        assert_eq!(bytes.len(), kinds.bytes() * LAYOUTS, "four results a byte");
        Self { kinds, bytes }
    }

    /// The number of bytes with the results of all ends.
    pub fn bytes_of(game: &Proteus) -> usize {
        Kinds::new(game).bytes() * LAYOUTS
    }
}

/// The class of the layout of a board whose tiles are all down.
pub(crate) fn class(state: &State) -> usize {
    class_of(std::array::from_fn(|cell| state.board.tile(cell as u8).expect("every tile is down")))
}

#[cfg(test)]
mod tests {
    use tavola_core::random::mix;
    use tavola_core::{Compiled, Game, Options, Playout, Random};

    use super::*;
    use crate::index::position;

    const CLASSES: usize = 3;

    fn made_up(number: u64) -> Verdict {
        [Verdict::Won, Verdict::Lost, Verdict::Drawn][mix(number) as usize % 3]
    }

    fn game(options: &str) -> Proteus {
        Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"))
    }

    /// The rule book's figures: with one match per colour, 3,360 assignments of the counters.
    #[test]
    fn as_many_ends_as_the_rule_book_says() {
        assert_eq!(Kinds::new(&game("rules=kadon")).list.len(), 3_360);
        let article = Kinds::new(&game(""));
        let assignments: std::collections::BTreeSet<_> = article.list.iter().map(|&(tiles, _)| tiles).collect();
        assert_eq!(assignments.len(), 7_584);
    }

    #[test]
    fn every_end_of_random_placements_has_a_place() {
        for options in ["", "rules=kadon faces=30"] {
            let game = game(options);
            let kinds = Kinds::new(&game);
            let mut random = Random::new(5);
            for _ in 0..500 {
                let mut state = game.start();
                while state.count.is_none() && state.end.is_none() {
                    game.play_random_action(&mut state, &mut random);
                }
                if state.board.is_full() {
                    let kind = arrangement_number(tiles_under(&state)) * FACINGS + facing_number(&state.board);
                    assert_ne!(kinds.places[kind], IMPOSSIBLE, "{options}: {state:?}");
                }
            }
        }
    }

    #[test]
    fn each_end_has_the_result_of_its_position() {
        for options in ["", "rules=kadon"] {
            let game = game(options);
            let ends = Ends::of_first(CLASSES, &game, 1, made_up);
            let mut found = 0;
            for number in (0..(CLASSES * STATES) as u64).step_by(7) {
                let state = position(number);
                let kind = arrangement_number(tiles_under(&state)) * FACINGS + facing_number(&state.board);
                if ends.kinds.places[kind] != IMPOSSIBLE {
                    assert_eq!(ends.verdict(&state, class(&state)), made_up(number), "{options}: {number}");
                    found += 1;
                }
            }
            assert!(found > 1_000, "{found}");
        }
    }
}
