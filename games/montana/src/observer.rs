//! Game events, reported to an observer while an action is played.

use tavola_core::Seat;

use crate::crews::Crew;
use crate::map::Hex;
use crate::multiset::{Goods, Workers};
use crate::prices::{CitySpace, CowTrade, Space};
use crate::state::State;

/// Something that happened during an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameEvent {
    /// A tile was drawn.
    Drawn(u8),
    /// The tile of a slot was rotated, so its hexes are known.
    Turned(u8),
    Start(Hex),
    /// The wheel stopped.
    Spun(u8),
    /// The grain paid, and the segment that it reached.
    Shifted(u8, u8),
    Hired(Workers),
    /// Every seat that had one returned a good of a kind, or a worker of a colour.
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
    /// A place cleared: 0 to 3 are production, 4 is the bank.
    Cleared(u8),
    City,
    Bid(Seat, CitySpace),
    Outbid(Seat),
    Passed(Seat),
    /// A seat paid for its city space and gets the reward.
    Reward(Seat, CitySpace),
    /// A seat could no longer pay for its city space.
    NoReward(Seat),
    /// A seat upgraded these small goods.
    Swapped(Seat, Goods),
    Home,
    /// A site was paid for and built on.
    Built(Hex),
    /// One more tile on a hex.
    Double(Hex),
    Line(Hex),
    /// A seat placed its last tile.
    LastTile,
    FoundCow(Hex),
    FoundCanteen(Hex),
    /// Silver for sites not built.
    Spare(u8),
    Traded(CowTrade),
    ExtraTurn,
    Over,
}

/// Receives the events of an action.
pub(crate) trait Observer {
    /// Receives an event and the state after it.
    fn on_event(&mut self, state: &State, note: GameEvent);
}

/// Ignores all events.
pub(crate) struct NoObserver;

impl Observer for NoObserver {
    #[inline(always)]
    fn on_event(&mut self, _: &State, _: GameEvent) {}
}
