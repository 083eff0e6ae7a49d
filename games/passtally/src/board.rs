//! What lies on the board: the topmost half tile of each cell (rules 10, 13).

use tavola_core::random::mix;

use crate::cells::{CELLS, Cell, PAIRS, PAIRS_AROUND, Pair, Side, cells_of, is_upright, neighbour, opposite};
use crate::tiles::{Laid, S, Shape};

/// A half tile that is not joined to another that one can see.
const ALONE: u8 = 4;

/// Stands for a print that nobody knows: a half tile read from a position whose other half is covered.
const UNKNOWN: u8 = 15;

/// What one sees of a cell, in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Top(u16);

impl Top {
    const BARE: Self = Self::new(S, 0, ALONE, UNKNOWN);

    const RULES: u16 = 0x7FF;

    const fn new(shape: Shape, height: u8, joint: u8, print: u8) -> Self {
        Self(shape as u16 | (joint as u16) << 2 | (height as u16) << 5 | (print as u16) << 11)
    }

    /// How it joins its sides.
    #[inline]
    pub(crate) const fn shape(self) -> Shape {
        (self.0 & 3) as u8
    }

    /// The storey of the tile; 0 on a bare cell.
    #[inline]
    pub(crate) const fn height(self) -> u8 {
        (self.0 >> 5 & 63) as u8
    }

    /// Whether the other half of the tile lies beyond the side, in sight.
    #[inline]
    pub(crate) const fn joins(self, side: Side) -> bool {
        (self.0 >> 2 & 7) as u8 == side
    }

    /// The side beyond which the other half of the tile lies, if it is in sight.
    pub(crate) const fn joint(self) -> Option<Side> {
        let joint = (self.0 >> 2 & 7) as u8;
        if joint == ALONE { None } else { Some(joint) }
    }

    /// Twice the type of the tile, plus 1 for its second half, if that is known.
    ///
    /// No rule reads it: it is remembered for the pictures. Of a half whose other half is covered, a position's text
    /// does not tell it.
    pub(crate) const fn print(self) -> Option<u8> {
        let print = (self.0 >> 11 & 15) as u8;
        if print == UNKNOWN { None } else { Some(print) }
    }

    /// What the rules see of it.
    #[inline]
    const fn rules(self) -> u16 {
        self.0 & Self::RULES
    }

    #[inline]
    const fn without_joint(self) -> Self {
        Self(self.0 & !(7 << 2) | (ALONE as u16) << 2)
    }

    #[inline]
    fn key(self, cell: Cell) -> u64 {
        if self.height() == 0 { 0 } else { mix(u64::from(cell) << 16 | u64::from(self.rules()) | 1 << 32) }
    }
}

/// The board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    tops: [Top; CELLS as usize],
    /// The pairs of cells that a tile may be laid on, a bit each; follows from the cells.
    open: u64,
    /// A hash of the cells.
    key: u64,
}

impl Board {
    pub(crate) const BARE: Self = Self { tops: [Top::BARE; CELLS as usize], open: (1 << PAIRS) - 1, key: 0 };

    #[inline]
    pub(crate) fn top(&self, cell: Cell) -> Top {
        self.tops[cell as usize]
    }

    /// The pairs of cells that a tile may be laid on: equally high, and not both of one tile (rules 10).
    #[inline]
    pub(crate) const fn open(&self) -> u64 {
        self.open
    }

    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn key_from_scratch(&self) -> u64 {
        (0..CELLS).fold(0, |key, cell| key ^ self.top(cell).key(cell))
    }

    fn set(&mut self, cell: Cell, top: Top) {
        let old = self.top(cell);
        self.key ^= old.key(cell) ^ top.key(cell);
        self.tops[cell as usize] = top;
    }

    /// Lays a tile on a pair that is open.
    pub(crate) fn lay(&mut self, laid: Laid) {
        let (cells, shapes, direction) = (laid.cells(), laid.shapes(), laid.direction());
        let height = self.top(cells[0]).height() + 1;
        for half in 0..2 {
            let cell = cells[half];
            if let Some(side) = self.top(cell).joint()
                && let Some(partner) = neighbour(cell, side)
            {
                self.set(partner, self.top(partner).without_joint());
            }
            let joint = if half == 0 { direction } else { opposite(direction) };
            self.set(cell, Top::new(shapes[half], height, joint, 2 * laid.kind + half as u8));
        }
        let mut around = PAIRS_AROUND[cells[0] as usize] | PAIRS_AROUND[cells[1] as usize];
        while around != 0 {
            let pair = around.trailing_zeros() as Pair;
            around &= around - 1;
            self.open = self.open & !(1 << pair) | u64::from(self.is_open(pair)) << pair;
        }
    }

    fn is_open(&self, pair: Pair) -> bool {
        let (one, other) = cells_of(pair);
        let (one, other) = (self.top(one), self.top(other));
        one.height() == other.height() && !one.joins(if is_upright(pair) { 2 } else { 1 })
    }

    /// A board as it is read: shape, storey and joint of each cell that is not bare.
    ///
    /// The joints must agree with each other.
    pub(crate) fn of(cells: &[Option<(Shape, u8, Option<Side>)>; CELLS as usize]) -> Self {
        let mut board = Self::BARE;
        for (cell, &seen) in (0..CELLS).zip(cells) {
            let Some((shape, height, joint)) = seen else { continue };
            let print = joint.and_then(|side| {
                let other = cells[neighbour(cell, side)? as usize]?.0;
                // The western or northern half first.
                let before = matches!(side, 1 | 2);
                let laid = Laid::of_shapes(
                    crate::cells::pair_of(cell, side)?,
                    if before { [shape, other] } else { [other, shape] },
                );
                Some(2 * laid.kind + u8::from(laid.flipped == before))
            });
            board.set(cell, Top::new(shape, height, joint.unwrap_or(ALONE), print.unwrap_or(UNKNOWN)));
        }
        board.open = (0..PAIRS).fold(0, |open, pair| open | u64::from(board.is_open(pair)) << pair);
        board
    }
}

impl PartialEq for Board {
    /// Equal if the rules cannot tell them apart, whatever the prints.
    fn eq(&self, other: &Self) -> bool {
        self.tops.iter().zip(&other.tops).all(|(one, other)| one.rules() == other.rules())
    }
}

impl Eq for Board {}
