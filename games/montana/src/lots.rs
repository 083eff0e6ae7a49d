//! What there is to be had for what one has: spaces, goods and trades as small sets, known beforehand.

use crate::actions::{Barter, Deed};
use crate::bag::{COPPER, Goods, STONE};
use crate::data::DATA;

/// Things of which there are few, a bit each.
#[derive(Debug)]
pub(crate) struct Lots {
    /// All that a cow can be traded for.
    pub(crate) barters: Vec<Barter>,
    /// All triples of goods.
    pub(crate) takes: Vec<Goods>,
    /// All small goods that can be given for large ones.
    pub(crate) swaps: Vec<Goods>,
    /// Which of these can be given, by what there is and how much may be given (see [`by_small_goods`]).
    pub(crate) swappable: [[[u16; 4]; 4]; 4],
    /// The spaces of production by the silver that there is; the last for all that is more.
    pub(crate) spaces: Vec<u16>,
    /// The spaces of the bank that may be used, by those that are free (rules 22).
    pub(crate) bank: [u8; 16],
    /// The spaces of the city by the vegetables that there are; the last for all that is more.
    pub(crate) stalls: Vec<u16>,
    /// By the code of a contractor, the spaces of the city that it keeps from others: those of its row that cost no more.
    pub(crate) kept: [u16; 2 + 16],
}

/// The places of the true.
fn places(flags: impl IntoIterator<Item = bool>) -> u16 {
    flags.into_iter().enumerate().fold(0, |set, (place, flag)| set | u16::from(flag) << place)
}

/// A table by how much there is of something, from nothing to what the dearest costs: what it pays for.
fn by_means(prices: &[u8]) -> Vec<u16> {
    let most = prices.iter().copied().max().unwrap_or(0);
    (0..=most).map(|means| places(prices.iter().map(|&price| price <= means))).collect()
}

/// A table by how much small copper and small stone there is, each up to 3, and how much may be given at most.
pub(crate) fn by_small_goods<T>(mut make: impl FnMut(Goods, u8) -> T) -> [[[T; 4]; 4]; 4] {
    [0, 1, 2, 3].map(|copper| {
        [0, 1, 2, 3].map(|stone| {
            let held = Goods::some(COPPER, copper).plus(Goods::some(STONE, stone));
            [0, 1, 2, 3].map(|most| make(held, most))
        })
    })
}

/// Whether small goods can be given for large ones by who has so many, and may give so many.
pub(crate) fn may_swap(held: Goods, most: u8, given: Goods) -> bool {
    given.total() <= most && held.holds(given)
}

impl Lots {
    /// Those of a game in which seats have these actions.
    pub(crate) fn new(deeds: &[Deed]) -> Self {
        let of =
            |goods: &dyn Fn(Deed) -> Option<Goods>| deeds.iter().filter_map(|&deed| goods(deed)).collect::<Vec<_>>();
        let swaps = of(&|deed| if let Deed::Swap(goods) = deed { Some(goods) } else { None });
        let spaces: Vec<u8> = DATA.production.iter().flat_map(|place| place.left.map(|(silver, _)| silver)).collect();
        let stalls: Vec<u8> = DATA.rows.iter().flat_map(|row| row.prices).collect();
        let barter = |&deed: &Deed| if let Deed::Cow(barter) = deed { Some(barter) } else { None };
        Self {
            barters: deeds.iter().filter_map(barter).collect(),
            takes: of(&|deed| if let Deed::Take(goods) = deed { Some(goods) } else { None }),
            swappable: by_small_goods(|held, most| places(swaps.iter().map(|&given| may_swap(held, most, given)))),
            swaps,
            spaces: by_means(&spaces),
            bank: std::array::from_fn(|free| {
                // rules 22: of equal ones the first that is free
                let is_free = |space: usize| free >> space & 1 == 1;
                let usable = |space: usize| {
                    is_free(space) && (0..space).all(|lower| !is_free(lower) || DATA.bank[lower] != DATA.bank[space])
                };
                places((0..4).map(usable)) as u8
            }),
            kept: std::array::from_fn(|code| {
                let keeps = |stall: usize, other: usize| other / 4 == stall / 4 && stalls[other] <= stalls[stall];
                let stall = code.checked_sub(2);
                places((0..16).map(|other| stall.is_some_and(|stall| keeps(stall, other))))
            }),
            stalls: by_means(&stalls),
        }
    }
}
