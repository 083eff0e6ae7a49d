//! What happens while an action is played, for those who want to know: the story told to people.

use tavola_core::Seat;

use crate::crews::Crew;
use crate::map::Hex;
use crate::multiset::{Goods, Workers};
use crate::prices::{CitySpace, CowTrade, Space};
use crate::state::State;

/// Something that has just happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameEvent {
    /// A tile was drawn.
    Drawn(u8),
    /// The tile of a slot was turned: its hexes are known.
    Turned(u8),
    Start(Hex),
    /// The wheel stopped.
    Spun(u8),
    /// So much grain moved the arrow, or a second one, to a segment.
    Shifted(u8, u8),
    Hired(Workers),
    /// Everybody who had one returned a good, or a worker, of a kind.
    ShortGood(usize),
    ShortWorker(usize),
    Returned(Workers),
    Banked(u8, Crew),
    Worked(Space, Crew),
    Extra(Space, Crew),
    PaidSilver(u8),
    GainedSilver(Seat, u8),
    GainedGoods(Seat, Goods),
    GainedCow(Seat),
    /// A place cleared: 0 to 3 of production, 4 the bank.
    Cleared(u8),
    City,
    Bid(Seat, CitySpace),
    Outbid(Seat),
    Passed(Seat),
    /// A seat pays for its space in vegetables, and gets its reward.
    Reward(Seat, CitySpace),
    /// It cannot pay for it any more.
    NoReward(Seat),
    /// Small goods were returned for large ones.
    Swapped(Seat, Goods),
    Home,
    /// A site was paid for and settled.
    Built(Hex),
    /// One tile more on a hex.
    Double(Hex),
    Line(Hex),
    /// The last tile was placed.
    LastTile,
    FoundCow(Hex),
    FoundCanteen(Hex),
    /// Silver for the sites that were not built.
    Spare(u8),
    Traded(CowTrade),
    ExtraTurn,
    Over,
}

/// Who wants to know.
pub(crate) trait Observer {
    /// Something has happened; the state is as it left it.
    fn on_event(&mut self, state: &State, note: GameEvent);
}

/// Nobody does.
pub(crate) struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn on_event(&mut self, _: &State, _: GameEvent) {}
}
