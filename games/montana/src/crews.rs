//! Crews, and precomputed sets of the crews that some workers can form.

use crate::multiset::Workers;
use crate::prices::COLOURS;

/// A multiset of one to four workers, by the ASCII order of its letters; 0 is none.
pub(crate) type Crew = u8;

/// The number of different crews, including the empty one.
pub(crate) const CREWS: usize = 70;

/// Lists all multisets of `size` letters, written in the fixed order.
pub(crate) fn multisets(letters: &[char], size: usize) -> Vec<String> {
    if size == 0 {
        return vec![String::new()];
    }
    let heads = letters.iter().enumerate();
    heads
        .flat_map(|(place, head)| {
            multisets(&letters[place..], size - 1).into_iter().map(move |tail| format!("{head}{tail}"))
        })
        .collect()
}

/// A set of crews, one bit each.
pub(crate) type CrewSet = u128;

/// The number of crew sizes, including 0.
const SIZES: usize = 5;

/// The most workers of a colour in a crew.
const MOST: u8 = SIZES as u8 - 1;

/// Precomputed sets of crews.
#[derive(Debug)]
pub(crate) struct CrewTables {
    /// All crews by their size.
    pub(crate) sizes: [CrewSet; SIZES],
    /// The crews that may work at each place of production.
    pub(crate) places: [CrewSet; COLOURS],
    /// The crew of one worker, by colour.
    pub(crate) ones: [Crew; COLOURS],
    /// By workers (see [`clipped`]).
    available: Vec<AvailableCrews>,
}

/// The crews that some workers can form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AvailableCrews {
    pub(crate) crews: CrewSet,
    /// The number of crews of each size.
    pub(crate) sizes: [u8; SIZES],
    /// The production spaces whose own colour is available, one bit each.
    pub(crate) own: u16,
}

/// Encodes workers as a number, with at most four of each colour, because no crew has more.
#[inline]
pub(crate) fn clipped(workers: Workers) -> usize {
    const FIRST_OF_PAIRS: u32 = 0x00FF_00FF;
    let Workers(counts) = workers.at_most(MOST);
    let pairs = (counts & FIRST_OF_PAIRS) + SIZES as u32 * (counts >> 8 & FIRST_OF_PAIRS);
    ((pairs & 0xFF) + (SIZES * SIZES) as u32 * (pairs >> 16)) as usize
}

/// Lists all workers in the order of [`clipped`].
pub(crate) fn all() -> impl Iterator<Item = Workers> {
    let count = |code: usize, lane: usize| (code / SIZES.pow(lane as u32) % SIZES) as u8;
    (0..SIZES.pow(COLOURS as u32)).map(move |code| Workers::of(std::array::from_fn(|lane| count(code, lane))))
}

/// Whether a crew may work at a place: one worker of its colour, or any two (rules 24).
pub(crate) fn may_work(crew: Workers, place: usize) -> bool {
    crew.total() == 2 || crew == Workers::some(place, 1)
}

impl CrewTables {
    pub(crate) fn new(crews: &[Workers; CREWS]) -> Self {
        let set = |wanted: &dyn Fn(Workers) -> bool| {
            let of_some = crews.iter().enumerate().skip(1);
            of_some.filter(|&(_, &crew)| wanted(crew)).fold(0, |set: CrewSet, (number, _)| set | 1 << number)
        };
        let sizes: [CrewSet; SIZES] = std::array::from_fn(|size| set(&|crew| usize::from(crew.total()) == size));
        let available = all().map(|workers| {
            let crews = set(&|crew| workers.holds(crew));
            let own =
                (0..COLOURS).filter(|&lane| workers.count(lane) > 0).fold(0, |own, lane| own | 0b111 << (3 * lane));
            AvailableCrews { crews, sizes: sizes.map(|size| (size & crews).count_ones() as u8), own }
        });
        Self {
            places: std::array::from_fn(|place| set(&|crew| may_work(crew, place))),
            ones: std::array::from_fn(|lane| set(&|crew| crew == Workers::some(lane, 1)).trailing_zeros() as Crew),
            available: available.collect(),
            sizes,
        }
    }

    #[inline]
    pub(crate) fn available(&self, workers: Workers) -> &AvailableCrews {
        &self.available[clipped(workers)]
    }
}
