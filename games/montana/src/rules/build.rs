//! Building settlements (rules 36 to 43).

use tavola_core::Seat;

use crate::game::Montana;
use crate::map::{Hex, HexSet, NO_HEX};
use crate::multiset::Goods;
use crate::observer::{GameEvent, Observer};
use crate::state::{Land, Stage, State};

/// The tiles on a site in addition to the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BonusTiles {
    /// For a double icon (rules 40).
    pub(crate) doubled: u8,
    /// For a line (rules 41).
    pub(crate) lined: u8,
}

impl BonusTiles {
    /// Returns the number of all tiles of the site.
    pub(crate) const fn tiles(self) -> u8 {
        1 + self.doubled + self.lined
    }
}

impl Montana {
    /// Returns the cost of a plain.
    #[inline]
    pub(crate) fn cost(&self, land: &Land, hex: Hex) -> Goods {
        let (slot, place) = self.map.places[usize::from(hex)];
        land.slots[usize::from(slot)].cost(place, self.costs)
    }

    /// Returns the sites of a seat that has tiles left, whatever their cost (rules 37, 38).
    #[inline]
    pub(crate) fn sites(&self, land: &Land, seat: Seat) -> HexSet {
        let own = land.reach[usize::from(seat)].and(land.free);
        if !own.is_empty() && !self.any_site {
            return own;
        }
        land.reach.into_iter().fold(HexSet::EMPTY, HexSet::or).and(land.free)
    }

    /// Returns the sites that the active seat can pay for (rules 36 to 38).
    #[inline]
    pub(crate) fn payable(&self, state: &State) -> HexSet {
        let holdings = state.active();
        if holdings.tiles == 0 {
            return HexSet::EMPTY;
        }
        self.sites(&state.land, state.turn).without(state.land.cost_index.unaffordable(holdings.goods))
    }

    /// Whether a new settlement gets the line bonus (rules 41).
    pub(crate) fn makes_line(&self, own: HexSet, hex: Hex) -> bool {
        let run = |direction: usize| {
            let mut length = 0;
            let mut next = self.map.beside[usize::from(hex)][direction];
            while next != NO_HEX && own.contains(next) {
                length += 1;
                next = self.map.beside[usize::from(next)][direction];
            }
            length
        };
        let line = self.components.line;
        (0..3).any(|axis| {
            let (ahead, behind) = (run(axis), run(axis + 3));
            1 + ahead + behind >= line && ahead < line && behind < line
        })
    }

    /// Returns the adjacent lakes that still have their canteen (rules 43).
    pub(crate) fn canteens_beside(&self, land: &Land, hex: Hex) -> impl Iterator<Item = Hex> + use<> {
        let settled = land.all_settled();
        let around = &self.map.around;
        around[usize::from(hex)]
            .and(land.lakes)
            .iter()
            .filter(move |&lake| around[usize::from(lake)].and(settled).is_empty())
    }

    /// Returns the extra tiles of a site, limited to the tiles left (rules 40 to 42).
    pub(crate) fn bonus_tiles(&self, state: &State, hex: Hex) -> BonusTiles {
        let left = state.active().tiles - 1;
        let double = state.land.doubles.contains(hex);
        let line = self.makes_line(state.land.settled[usize::from(state.turn)], hex);
        let doubled = if double { self.components.double_tiles.min(left) } else { 0 };
        let lined = if line { self.components.line_tiles.min(left - doubled) } else { 0 };
        BonusTiles { doubled, lined }
    }

    /// Returns the silver for sites not built, after `sites` sites (rules 39).
    pub(crate) fn unbuilt_site_silver(&self, sites: u8) -> u8 {
        (self.components.max_sites - sites) * self.components.unbuilt_site_silver
    }

    /// Pays for a site and builds on it (rules 36, 40 to 43).
    pub(crate) fn build<W: Observer>(&self, state: &mut State, hex: Hex, observer: &mut W) {
        let seat: Seat = state.turn;
        let sites = if let Stage::Build(sites) = state.stage { sites + 1 } else { 1 };
        state.stage = if sites < self.components.max_sites { Stage::Build(sites) } else { Stage::End };
        Self::pay_goods(state, seat, self.cost(&state.land, hex));
        let canteens = self.canteens_beside(&state.land, hex);
        let bonus_tiles = self.bonus_tiles(state, hex);
        let tiles = bonus_tiles.tiles();
        state.land.settle(seat, hex, self.map.around[usize::from(hex)], tiles);
        state.active_mut().tiles -= tiles;
        observer.on_event(state, GameEvent::Built(hex));
        if bonus_tiles.doubled > 0 {
            observer.on_event(state, GameEvent::Double(hex));
        }
        if bonus_tiles.lined > 0 {
            observer.on_event(state, GameEvent::Line(hex));
        }
        // rules 43
        if state.land.cows.contains(hex) {
            state.active_mut().cows += 1;
            observer.on_event(state, GameEvent::FoundCow(hex));
        }
        for lake in canteens {
            state.active_mut().canteens += 1;
            observer.on_event(state, GameEvent::FoundCanteen(lake));
        }
        if state.active().tiles == 0 {
            observer.on_event(state, GameEvent::LastTile);
        }
    }
}
