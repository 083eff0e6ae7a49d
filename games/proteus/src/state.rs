//! A position: the board in two machine words, the seat, the count, and the repetition data.

use std::hash::{Hash, Hasher};

use tavola_core::random::mix;
use tavola_core::{Outcome, Seat, SeatSet};

use crate::board::{CELLS, Cell, Cells, LINES, each};
use crate::completion::Remainder;
use crate::pieces::{Colour, Goal, Shape, TILES, Tile, colour_of, shape_of};
use crate::repetition::{Position, Repetition};

/// Stands for "still in hand".
pub(crate) const NONE: u8 = 15;

/// A counter: three times its owner, plus its shape.
pub(crate) type Counter = u8;

/// Tiles, facings and counters: everything on the table but whose turn it is, in sets of nine.
///
/// A word holds six sets of cells, nine bits each, lowest first, and one set of tiles above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The cells under the tiles of each colour, of each shape; and the tiles that are up.
    pub(crate) tiles: u64,
    /// The cell under each counter; and the tiles in the pool.
    pub(crate) counters: u64,
}

/// The number of bits in a set.
pub(crate) const SET: u32 = 9;

/// The lowest bit of each of three sets, and of each of six.
pub(crate) const THREE: u64 = 1 | 1 << SET | 1 << (2 * SET);
pub(crate) const SIX: u64 = THREE | THREE << (3 * SET);

/// The bits of one set, and of six.
pub(crate) const FULL: u64 = (1 << SET) - 1;
pub(crate) const SIX_FULL: u64 = FULL * SIX;

/// The position of the seventh set in a word.
const SEVENTH: u32 = 6 * SET;

/// A tile's bits in the sets of its colour and of its shape, at cell 0.
static TILE_BITS: [u64; TILES as usize] = {
    let mut bits = [0; TILES as usize];
    let mut tile = 0;
    while tile < TILES {
        bits[tile as usize] = 1 << (SET * colour_of(tile) as u32) | 1 << (SET * (3 + shape_of(tile) as u32));
        tile += 1;
    }
    bits
};

/// The tile with these bits at cell 0.
///
/// Each bit brings one part of the factor to the top: 0, 3 or 6 by the colour, 0, 1 or 2 by the shape.
#[inline]
pub(crate) const fn tile_with(bits: u64) -> Tile {
    const FACTOR: u64 = 3 << (60 - SET) | 6 << (60 - 2 * SET) | 1 << (60 - 4 * SET) | 2 << (60 - 5 * SET);
    (bits.wrapping_mul(FACTOR) >> 60) as Tile
}

/// By the set of tiles that turn up (rules 15): the mask of the tiles that stay up, and the tiles added to them.
static FLIPS: [(u16, u16); 512] = {
    let mut flips = [(FULL as u16, 0); 512];
    let mut new = 0u16;
    while new < 512 {
        let mut colour = 0;
        while colour < 3 {
            let group = 7 << (3 * colour);
            // Two of one colour cancel.
            if (new & group).is_power_of_two() {
                flips[new as usize].0 &= !group;
                flips[new as usize].1 |= new & group;
            }
            colour += 1;
        }
        new += 1;
    }
    flips
};

impl Board {
    pub(crate) const EMPTY: Self = Self { tiles: 0, counters: FULL << SEVENTH };

    /// The bits of the tile on a cell, as at cell 0; 0 if there is none.
    #[inline]
    pub(crate) const fn bits_at(&self, cell: Cell) -> u64 {
        self.tiles >> cell & SIX
    }

    #[inline]
    pub(crate) const fn tile(&self, cell: Cell) -> Option<Tile> {
        let bits = self.bits_at(cell);
        if bits == 0 { None } else { Some(tile_with(bits)) }
    }

    #[inline]
    pub(crate) fn put_tile(&mut self, tile: Tile, cell: Cell) {
        self.tiles |= TILE_BITS[tile as usize] << cell;
        self.counters &= !(1 << (SEVENTH + u32::from(tile)));
    }

    #[inline]
    pub(crate) fn swap_tiles(&mut self, one: Cell, other: Cell) {
        let both = self.bits_at(one) ^ self.bits_at(other);
        self.tiles ^= both << one | both << other;
    }

    /// The cells under the tiles of a colour.
    #[inline]
    pub(crate) const fn coloured(&self, colour: Colour) -> Cells {
        (self.tiles >> (SET * colour as u32) & FULL) as Cells
    }

    /// The cells under the tiles of a shape.
    #[inline]
    pub(crate) const fn shaped(&self, shape: Shape) -> Cells {
        (self.tiles >> (SET * (3 + shape as u32)) & FULL) as Cells
    }

    /// The cell of a tile.
    #[inline]
    pub(crate) const fn cell_of(&self, tile: Tile) -> Option<Cell> {
        let cell = self.coloured(colour_of(tile)) & self.shaped(shape_of(tile));
        if cell == 0 { None } else { Some(cell.trailing_zeros() as Cell) }
    }

    /// The tiles in the pool, a bit each.
    #[inline]
    pub(crate) const fn pool(&self) -> u16 {
        (self.counters >> SEVENTH & FULL) as u16
    }

    /// The cells with a tile.
    #[inline]
    pub(crate) const fn tiled(&self) -> Cells {
        self.coloured(0) | self.coloured(1) | self.coloured(2)
    }

    /// The cell under a counter as a set; empty if it is in hand.
    #[inline]
    pub(crate) const fn under(&self, counter: Counter) -> Cells {
        (self.counters >> (SET * counter as u32) & FULL) as Cells
    }

    /// The cell of a counter, or [`NONE`] in hand.
    #[inline]
    pub(crate) const fn counter_cell(&self, counter: Counter) -> u8 {
        let cell = self.under(counter).trailing_zeros() as u8;
        if cell < CELLS { cell } else { NONE }
    }

    /// Puts a counter from the hand on a cell.
    #[inline]
    pub(crate) fn put_counter(&mut self, counter: Counter, cell: Cell) {
        self.counters |= 1 << (SET * u32::from(counter) + u32::from(cell));
    }

    /// Moves the counter of a cell, and says of which shape it is: the lowest bit of the shape's set.
    #[inline]
    pub(crate) fn move_counter(&mut self, from: Cell, to: Cell) -> u64 {
        let counter = self.counters >> from & SIX;
        self.counters ^= counter << from | counter << to;
        counter | counter >> (3 * SET)
    }

    /// The counter on a cell.
    #[inline]
    pub(crate) const fn counter(&self, cell: Cell) -> Option<Counter> {
        let bits = self.counters >> cell & SIX;
        if bits == 0 { None } else { Some((bits.trailing_zeros() / SET) as Counter) }
    }

    /// The cells under a seat's counters.
    #[inline]
    pub(crate) const fn counters_of(&self, seat: Seat) -> Cells {
        let own = self.counters >> (3 * SET * seat as u32);
        ((own | own >> SET | own >> (2 * SET)) & FULL) as Cells
    }

    #[inline]
    pub(crate) const fn occupied(&self) -> Cells {
        let own = self.counters | self.counters >> (3 * SET);
        ((own | own >> SET | own >> (2 * SET)) & FULL) as Cells
    }

    /// Whether a seat has counters in hand.
    #[inline]
    pub(crate) const fn has_hand(&self, seat: Seat) -> bool {
        self.counters_of(seat).count_ones() < 3
    }

    /// The number of tiles and counters of both seats that are not placed yet.
    #[inline]
    pub(crate) const fn left_to_place(&self) -> u32 {
        // The word has a bit for each tile in the pool and for each counter on the board.
        let pool = self.pool().count_ones();
        2 * pool + 6 - self.counters.count_ones()
    }

    /// Whether all tiles and counters are down (rules 11).
    #[inline]
    pub(crate) const fn is_full(&self) -> bool {
        // The pool's bits are gone, and each counter has one.
        self.pool() == 0 && self.counters.count_ones() == 6
    }

    /// The tiles that are up, a bit each.
    #[inline]
    pub(crate) const fn ups(&self) -> u16 {
        (self.tiles >> SEVENTH) as u16
    }

    /// The shape of the face-up tile of a colour.
    #[inline]
    pub(crate) const fn up(&self, colour: Colour) -> Option<Shape> {
        let up = self.ups() >> (3 * colour) & 7;
        if up == 0 { None } else { Some(up.trailing_zeros() as Shape) }
    }

    /// Turns up tiles that were down, and the ones of their colours down (rules 8, 15); two of one colour cancel.
    #[inline]
    pub(crate) fn turn_up(&mut self, new: u16) {
        let (keep, add) = FLIPS[usize::from(new & FULL as u16)];
        let ups = self.ups() & keep | add;
        self.tiles = self.tiles & SIX_FULL | u64::from(ups) << SEVENTH;
    }

    pub(crate) const fn is_up(&self, tile: Tile) -> bool {
        self.ups() >> tile & 1 == 1
    }

    /// The input of the completion table (rules 10).
    pub(crate) fn rest(&self) -> Remainder {
        let under = each(self.occupied()).filter_map(|cell| self.tile(cell));
        let free = under.fold(FULL as u16, |free, tile| free & !(1 << tile));
        let hand = [0, 1, 2].map(|shape| [shape, 3 + shape].iter().filter(|&&one| self.under(one) == 0).count() as u8);
        let need = (0..3).filter(|&colour| self.up(colour).is_none()).fold(0, |need, colour| need | 1 << colour);
        Remainder { free, hand, need }
    }

    /// The cells of a seat's counters that fit the goal together, as many as possible: 3 satisfy it (rules 13).
    pub(crate) fn fitting(&self, seat: Seat, goal: Goal) -> Cells {
        let own = self.counters_of(seat);
        let most = |groups: &mut dyn Iterator<Item = Cells>| {
            groups.map(|group| group & own).max_by_key(|fitting| fitting.count_ones()).unwrap_or(0)
        };
        match goal {
            Goal::Line => most(&mut LINES.into_iter()),
            Goal::Color => most(&mut (0..3).map(|colour| self.coloured(colour))),
            Goal::Shape => most(&mut (0..3).map(|shape| self.shaped(shape))),
        }
    }

    /// Everything on the table and the seat to act: two words.
    #[inline]
    pub(crate) const fn position(&self, seat: Seat) -> Position {
        Position([self.tiles | (seat as u64) << 63, self.counters])
    }

    /// The board and the seat of a position.
    pub(crate) const fn of(position: Position) -> (Self, Seat) {
        let Position([tiles, counters]) = position;
        (Self { tiles: tiles & !(1 << 63), counters }, (tiles >> 63) as Seat)
    }
}

/// Why the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// The goal (rules 13).
    Goal,
    /// Neither seat has an action (rules 18).
    Blocked,
    /// The third occurrence (rules 18).
    Repetition,
    /// The 300th action (rules 18).
    Limit,
}

/// The end of a game: winner and reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) winner: Option<Seat>,
    pub(crate) reason: Reason,
}

impl End {
    #[inline]
    pub(crate) fn outcome(self) -> Outcome {
        let reason = match self.reason {
            Reason::Goal => "goal",
            Reason::Blocked => "blocked",
            Reason::Repetition => "repetition",
            Reason::Limit => "limit",
        };
        Outcome { winners: self.winner.map_or(SeatSet::EMPTY, SeatSet::one), reason }
    }
}

/// A position of Proteus.
#[derive(Debug)]
pub struct State {
    pub(crate) board: Board,
    /// The seat to act; when the game is over, the one that would have acted next.
    pub(crate) seat: Seat,
    /// Actions of the movement phase so far; `None` in the placement.
    pub(crate) count: Option<u16>,
    pub(crate) end: Option<End>,
    /// The number of the board's [`Remainder`], kept up in the placement.
    pub(crate) rest: u32,
    /// The earlier positions of the movement phase (rules 18).
    pub(crate) repetition: Repetition,
}

impl State {
    pub(crate) fn new() -> Self {
        Self::of(Board::EMPTY, 0, None)
    }

    /// A position of which nothing earlier is known, nor whether it is over.
    pub(crate) fn of(board: Board, seat: Seat, count: Option<u16>) -> Self {
        let rest = if count.is_none() { board.rest().number() } else { 0 };
        Self { board, seat, count, end: None, rest, repetition: Repetition::new() }
    }

    /// The position without its past.
    #[inline]
    pub(crate) const fn position(&self) -> Position {
        self.board.position(self.seat)
    }

    pub(crate) fn key(&self) -> u64 {
        let count = self.count.map_or(0xFFFF, u64::from);
        mix(self.position().hash() ^ mix(count)).wrapping_add(self.repetition.key())
    }

    pub(crate) fn key_from_scratch(&self) -> u64 {
        // The board as it would be built piece by piece.
        let mut board = Board::EMPTY;
        for cell in 0..CELLS {
            if let Some(tile) = self.board.tile(cell) {
                board.put_tile(tile, cell);
            }
        }
        for counter in 0..6 {
            if self.board.counter_cell(counter) != NONE {
                board.put_counter(counter, self.board.counter_cell(counter));
            }
        }
        for tile in (0..TILES).filter(|&tile| self.board.is_up(tile)) {
            board.turn_up(1 << tile);
        }
        Self::of(board, self.seat, self.count).key().wrapping_add(self.repetition.key_from_scratch())
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { repetition: self.repetition.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let Self { board, seat, count, end, rest, ref repetition } = *source;
        (self.board, self.seat, self.count, self.end, self.rest) = (board, seat, count, end, rest);
        self.repetition.clone_from(repetition);
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        // The rest follows from these.
        (self.board, self.seat, self.count) == (other.board, other.seat, other.count)
            && self.repetition == other.repetition
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}
