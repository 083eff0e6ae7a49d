//! The state: board, markers, points, piles and the stage of the game (rules 22).

use std::hash::{Hash, Hasher};

use tavola_core::Seat;
use tavola_core::random::mix;

use crate::actions::{PILES, PileIndex};
use crate::board::Board;
use crate::cells::{Side, opposite};
use crate::points;
use crate::rim::{RimPositions, side_of};
use crate::tiles::{COPIES, TILE_TYPES, TileType};

/// The most players.
pub(crate) const SEATS: usize = 3;

/// The number of tiles in a pile at the start (rules 7).
pub(crate) const PILE: u8 = 14;

/// A pile: its face-up tile and the number of tiles below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pile {
    pub(crate) face: Option<TileType>,
    pub(crate) down: u8,
}

impl Pile {
    /// The number of tiles, with the face-up one.
    pub(crate) const fn tiles(self) -> u8 {
        self.down + self.face.is_some() as u8
    }

    pub(crate) const fn is_used_up(self) -> bool {
        self.tiles() == 0
    }
}

/// The stage of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// The number of markers placed, and the sides that seat 0 has named (rules 8).
    SetUp { placed: u8, named: [Option<Side>; 2] },
    /// The number of actions taken in the turn.
    Turn { taken: u8 },
    /// The game is over.
    Over,
}

/// A position of Passtally.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub(crate) board: Board,
    pub(crate) stage: Stage,
    /// The seat whose turn it is; 0 when the game is over.
    pub(crate) seat: Seat,
    /// The pile whose next tile chance must reveal.
    pub(crate) due: Option<PileIndex>,
    /// Marker moves in a row (rules 18a).
    pub(crate) idle: u8,
    pub(crate) markers: [RimPositions; SEATS],
    pub(crate) points: [u32; SEATS],
    pub(crate) piles: [Pile; PILES as usize],
    /// Face-down copies of each type, in any pile.
    pub(crate) unseen: [u8; TILE_TYPES as usize],
    /// The number of the turn since play began, for display only. No rule and no position text uses it.
    pub(crate) turn: u16,
}

impl State {
    /// The position before the first tile is revealed (rules 7), with the points of a head start (rules 23).
    pub(crate) const fn new(head_start: [u32; SEATS]) -> Self {
        Self {
            board: Board::BARE,
            stage: Stage::SetUp { placed: 0, named: [None; 2] },
            seat: 0,
            due: Some(0),
            idle: 0,
            markers: [0; SEATS],
            points: head_start,
            piles: [Pile { face: None, down: PILE }; PILES as usize],
            unseen: [COPIES; TILE_TYPES as usize],
            turn: 1,
        }
    }

    /// The positions with markers.
    #[inline]
    pub(crate) const fn taken(&self) -> RimPositions {
        self.markers[0] | self.markers[1] | self.markers[2]
    }

    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// The passes of a seat's present lines (rules 15).
    #[inline]
    pub fn passes(&self, seat: Seat) -> u32 {
        self.board.passes(self.markers[usize::from(seat)])
    }

    /// The points that a seat would score if its turn ended now (rules 14, 15).
    #[inline]
    pub fn worth(&self, seat: Seat) -> u32 {
        points::points(self.passes(seat))
    }

    /// A seat's points.
    pub fn points(&self, seat: Seat) -> u32 {
        self.points[usize::from(seat)]
    }

    /// The first pile that is used up (rules 17).
    #[inline]
    pub(crate) fn used_up(&self) -> Option<PileIndex> {
        (0..PILES).find(|&pile| self.piles[pile as usize].is_used_up())
    }

    /// Whether no tile or no open pair is left, so that the game ends at once (rules 18).
    #[inline]
    pub(crate) fn is_done(&self) -> bool {
        self.board.open() == 0 || self.piles.iter().all(|pile| pile.is_used_up())
    }

    /// The sides of the board where the next marker of the set-up may go, a bit each (rules 8).
    pub(crate) fn sides(placed: u8, named: [Option<Side>; 2], seats: u8) -> u8 {
        let bit = |side: Side| 1 << side;
        match (placed / seats, named) {
            (0, [Some(first), _]) => bit(first),
            (1, [Some(first), _]) => bit(opposite(first)),
            (2, [_, Some(second)]) => bit(second),
            (2, [Some(first), _]) => 0b1111 & !(bit(first) | bit(opposite(first))),
            (3, [_, Some(second)]) => bit(opposite(second)),
            _ => 0b1111,
        }
    }

    /// The seat that places the next marker of the set-up (rules 8).
    pub(crate) const fn set_up_seat(placed: u8, seats: u8) -> Seat {
        let along = placed % seats;
        if (placed / seats).is_multiple_of(2) { along } else { seats - 1 - along }
    }

    /// The sides named so far, after a marker has been placed on `position`.
    pub(crate) fn name_side(placed: u8, named: [Option<Side>; 2], position: u8, seats: u8) -> [Option<Side>; 2] {
        match placed / seats {
            0 if named[0].is_none() => [Some(side_of(position)), None],
            2 if named[1].is_none() => [named[0], Some(side_of(position))],
            _ => named,
        }
    }

    /// A hash of all that the rules use, computed on demand.
    pub(crate) fn key(&self) -> u64 {
        let stage = match self.stage {
            Stage::SetUp { placed, named } => {
                u64::from(placed) | named.iter().fold(0, |all, side| all << 3 | side.map_or(4, u64::from)) << 8
            }
            Stage::Turn { taken } => 1 << 16 | u64::from(taken),
            Stage::Over => 2 << 16,
        };
        let due = self.due.unwrap_or(PILES);
        let turn = stage << 24 | u64::from(self.seat) << 16 | u64::from(due) << 8 | u64::from(self.idle);
        let mut key = mix(self.board.key() ^ mix(turn));
        for seat in 0..SEATS {
            key = mix(key ^ (u64::from(self.markers[seat]) << 32 | u64::from(self.points[seat])));
        }
        let piles = self.piles.iter().fold(0, |all, pile| {
            all << 8 | u64::from(pile.face.map_or(7, |tile_type| tile_type)) << 4 | u64::from(pile.down)
        });
        let unseen = self.unseen.iter().fold(0, |all, &copies| all << 4 | u64::from(copies));
        mix(key ^ (piles << 32 | unseen))
    }
}

impl PartialEq for State {
    /// States are equal if they do not differ for the rules.
    fn eq(&self, other: &Self) -> bool {
        let told = |state: &Self| {
            let turn = (state.stage, state.seat, state.due, state.idle);
            (turn, state.markers, state.points, state.piles, state.unseen)
        };
        told(self) == told(other) && self.board == other.board
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}
