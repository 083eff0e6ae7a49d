//! A position: two machine words, and what the rules look back on.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;
use tavola_core::random::mix;
use tavola_core::{Outcome, Seat, SeatSet};

use crate::board::{CELLS, Cell, Cells, LINES, is_line};
use crate::completion::Rest;
use crate::pieces::{Colour, Goal, Shape, TILES, Tile, colour_of, shape_of};

/// Stands for "no tile", "still in hand" and the like.
pub(crate) const NONE: u8 = 15;

/// A counter: three times its owner, plus its shape.
pub(crate) type Counter = u8;

/// Tiles, facings and counters: everything on the table but whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The tile on each cell, four bits a cell; above them what follows from it: the tiles in the pool and the cells
    /// that a tile lies on, a bit each.
    tiles: u64,
    /// The cell of each counter, four bits a counter.
    counters: u32,
    /// The shape of the face-up tile of each colour, two bits a colour; 3 for none.
    up: u8,
}

/// One in each of nine times four bits, and the highest bit of each.
const ONES: u64 = 0x1_1111_1111;
const HIGHS: u64 = ONES << 3;

/// Where the pool and the tiled cells stand in [`Board::tiles`].
const POOL: u32 = 36;
const TILED: u32 = 45;

/// The lowest place, of four bits each, in which a word holds a value; of nine places those in `highs`.
const fn place_of(word: u64, value: u8, highs: u64) -> u8 {
    let other = word ^ (ONES * value as u64);
    (other.wrapping_sub(ONES) & !other & highs).trailing_zeros() as u8 / 4
}

impl Board {
    pub(crate) const EMPTY: Self = Self { tiles: 0xF_FFFF_FFFF | 0x1FF << POOL, counters: u32::MAX, up: 0b11_11_11 };

    pub(crate) const fn tile(&self, cell: Cell) -> Option<Tile> {
        let tile = (self.tiles >> (4 * cell) & 15) as u8;
        if tile == NONE { None } else { Some(tile) }
    }

    pub(crate) fn put_tile(&mut self, tile: Tile, cell: Cell) {
        let place = 4 * cell;
        self.tiles = self.tiles & !(15 << place) & !(1 << (POOL + u32::from(tile)))
            | u64::from(tile) << place
            | 1 << (TILED + u32::from(cell));
    }

    pub(crate) fn swap_tiles(&mut self, one: Cell, other: Cell) {
        let both = (self.tiles >> (4 * one) ^ self.tiles >> (4 * other)) & 15;
        self.tiles ^= both << (4 * one) | both << (4 * other);
    }

    /// The cell that a tile lies on.
    pub(crate) const fn cell_of(&self, tile: Tile) -> Option<Cell> {
        let cell = place_of(self.tiles, tile, HIGHS);
        if cell < CELLS { Some(cell) } else { None }
    }

    /// The tiles in the pool, a bit each.
    pub(crate) const fn pool(&self) -> u16 {
        (self.tiles >> POOL & 0x1FF) as u16
    }

    /// The cells that a tile lies on.
    pub(crate) const fn tiled(&self) -> Cells {
        (self.tiles >> TILED & 0x1FF) as Cells
    }

    /// The cell of a counter, or [`NONE`] in hand.
    pub(crate) const fn counter_cell(&self, counter: Counter) -> u8 {
        (self.counters >> (4 * counter) & 15) as u8
    }

    pub(crate) fn put_counter(&mut self, counter: Counter, cell: Cell) {
        self.counters = self.counters & !(15 << (4 * counter)) | u32::from(cell) << (4 * counter);
    }

    /// The counter on a cell.
    pub(crate) const fn counter(&self, cell: Cell) -> Option<Counter> {
        let counter = place_of(self.counters as u64, cell, HIGHS & 0xFF_FFFF);
        if counter < 6 { Some(counter) } else { None }
    }

    /// The cells under a seat's counters.
    pub(crate) const fn counters_of(&self, seat: Seat) -> Cells {
        let own = self.counters >> (12 * seat);
        // A counter in hand sets bit 15, which is no cell's.
        (1 << (own & 15) | 1 << (own >> 4 & 15) | 1 << (own >> 8 & 15)) as u16 & 0x1FF
    }

    pub(crate) const fn occupied(&self) -> Cells {
        self.counters_of(0) | self.counters_of(1)
    }

    /// Whether a seat has counters in hand.
    pub(crate) const fn has_hand(&self, seat: Seat) -> bool {
        self.counters_of(seat).count_ones() < 3
    }

    /// Whether all tiles and counters are down (rules 11).
    pub(crate) fn is_full(&self) -> bool {
        self.pool() == 0 && !self.has_hand(0) && !self.has_hand(1)
    }

    /// The shape of the face-up tile of a colour.
    pub(crate) const fn up(&self, colour: Colour) -> Option<Shape> {
        let shape = self.up >> (2 * colour) & 3;
        if shape == 3 { None } else { Some(shape) }
    }

    pub(crate) fn turn_up(&mut self, tile: Tile) {
        let place = 2 * colour_of(tile);
        self.up = self.up & !(3 << place) | shape_of(tile) << place;
    }

    pub(crate) fn is_up(&self, tile: Tile) -> bool {
        self.up(colour_of(tile)) == Some(shape_of(tile))
    }

    /// What the completion of the placement depends on (rules 10).
    pub(crate) fn rest(&self) -> Rest {
        let mut free = 0x1FF;
        let mut hand = [0; 3];
        for counter in 0..6 {
            match self.counter_cell(counter) {
                NONE => hand[(counter % 3) as usize] += 1,
                cell => free &= !(1 << (self.tiles >> (4 * cell) & 15)),
            }
        }
        // A colour has no tile up if both its bits are set.
        let both = self.up & self.up >> 1;
        Rest { free, hand, need: both & 1 | both >> 1 & 2 | both >> 2 & 4 }
    }

    /// The cells of a seat's counters that fit the goal together, as many as possible: 3 satisfy it (rules 13).
    pub(crate) fn fitting(&self, seat: Seat, goal: Goal) -> Cells {
        let own = self.counters_of(seat);
        let most = |groups: &mut dyn Iterator<Item = Cells>| {
            groups.map(|group| group & own).max_by_key(|fitting| fitting.count_ones()).unwrap_or(0)
        };
        let tiles = |wanted: &dyn Fn(Tile) -> bool| {
            (0..CELLS).filter(|&cell| self.tile(cell).is_some_and(wanted)).fold(0, |cells, cell| cells | 1 << cell)
        };
        match goal {
            Goal::Line => most(&mut LINES.into_iter()),
            Goal::Color => most(&mut (0..3).map(|colour| tiles(&|tile| colour_of(tile) == colour))),
            Goal::Shape => most(&mut (0..3).map(|shape| tiles(&|tile| shape_of(tile) == shape))),
        }
    }

    /// Whether a seat satisfies the goal (rules 13).
    #[inline]
    pub(crate) fn satisfies(&self, seat: Seat, goal: Goal) -> bool {
        let own = self.counters_of(seat);
        if goal == Goal::Line {
            return is_line(own);
        }
        if own.count_ones() < 3 {
            return false;
        }
        let cells = self.counters >> (12 * seat);
        let tile = |place: u32| (self.tiles >> (4 * (cells >> (4 * place) & 15)) & 15) as u8;
        let group = |tile: Tile| if goal == Goal::Color { colour_of(tile) } else { shape_of(tile) };
        let first = group(tile(0));
        first == group(tile(1)) && first == group(tile(2))
    }

    /// A position of the movement phase in one word: where eight tiles lie (the ninth follows), the counters, the
    /// facings and the seat to act.
    pub(crate) fn word(&self, seat: Seat) -> u64 {
        // The ninth cell's tile follows from the others.
        self.tiles & 0xFFFF_FFFF
            | u64::from(self.counters & 0xFF_FFFF) << 32
            | u64::from(self.up) << 56
            | u64::from(seat) << 62
    }

    /// The board and the seat of such a word.
    pub(crate) fn from_word(word: u64) -> (Self, Seat) {
        let mut board = Self {
            tiles: Self::EMPTY.tiles,
            counters: 0xFF00_0000 | (word >> 32 & 0xFF_FFFF) as u32,
            up: (word >> 56 & 0x3F) as u8,
        };
        for cell in 0..CELLS - 1 {
            board.put_tile((word >> (4 * cell) & 15) as Tile, cell);
        }
        board.put_tile(board.pool().trailing_zeros() as Tile, CELLS - 1);
        (board, (word >> 62 & 1) as Seat)
    }

    /// A hash of everything on the board.
    pub(crate) fn key(&self) -> u64 {
        mix(self.tiles ^ mix(u64::from(self.counters) << 8 | u64::from(self.up)))
    }
}

/// Why the game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// rules 13
    Goal,
    /// rules 18, the third time.
    Repetition,
    /// rules 18, 300 actions.
    Limit,
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) winner: Option<Seat>,
    pub(crate) reason: Reason,
}

impl End {
    pub(crate) fn outcome(self) -> Outcome {
        let reason = match self.reason {
            Reason::Goal => "goal",
            Reason::Repetition => "repetition",
            Reason::Limit => "limit",
        };
        Outcome { winners: self.winner.map_or(SeatSet::EMPTY, SeatSet::one), reason }
    }
}

/// A position of Proteus.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) board: Board,
    /// The seat to act; when the game is over, the one that would have acted next.
    pub(crate) seat: Seat,
    /// Actions of the movement phase so far; `None` in the placement.
    pub(crate) count: Option<u16>,
    pub(crate) end: Option<End>,
    /// The earlier positions of the movement phase, each as often as it occurred (rules 18).
    pub(crate) past: SmallVec<[u64; 24]>,
    /// Hash of `past`, whatever its order.
    pub(crate) past_key: u64,
}

impl State {
    pub(crate) fn new() -> Self {
        Self { board: Board::EMPTY, seat: 0, count: None, end: None, past: SmallVec::new(), past_key: 0 }
    }

    /// The position in one word; only of the movement phase.
    pub(crate) fn word(&self) -> u64 {
        self.board.word(self.seat)
    }

    /// Keeps a position that may come back.
    pub(crate) fn remember(&mut self, word: u64) {
        self.past.push(word);
        self.past_key = self.past_key.wrapping_add(mix(word));
    }

    pub(crate) fn key(&self) -> u64 {
        let turn = u64::from(self.seat) << 16 | u64::from(self.count.map_or(0xFFFF, |count| count));
        mix(self.board.key() ^ turn).wrapping_add(self.past_key)
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
            board.turn_up(tile);
        }
        let past_key = self.past.iter().fold(0u64, |key, &word| key.wrapping_add(mix(word)));
        Self { board, past_key, ..self.clone() }.key()
    }

    /// The earlier positions and how often each occurred, in no meaningful order.
    pub(crate) fn occurrences(&self) -> Vec<(u64, usize)> {
        let mut words = self.past.to_vec();
        words.sort_unstable();
        words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect()
    }
}

impl PartialEq for State {
    /// Equal if the rules cannot tell them apart: the order of earlier positions does not matter.
    fn eq(&self, other: &Self) -> bool {
        (self.board, self.seat, self.count, self.past_key) == (other.board, other.seat, other.count, other.past_key)
            && self.occurrences() == other.occurrences()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}
