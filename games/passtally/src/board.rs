//! The board: the topmost half tile of each cell (rules 10, 13).

use tavola_core::random::mix;

use crate::cells::{CELLS, Cell, PAIRS, PAIRS_AROUND, Pair, Side, cells_of, is_upright, neighbour, opposite, pair_of};
use crate::line_table::LineTable;
use crate::rim::RimPositions;
use crate::tiles::{Placement, S, Shape, TILE_TYPES};

/// The joint of a half tile whose other half is covered.
const ALONE: u8 = 4;

/// An unknown print: a half tile parsed from a position text whose other half is covered.
const UNKNOWN: u8 = 15;

/// The visible half tile of a cell, in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct VisibleHalf(u16);

impl VisibleHalf {
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

    /// The level of the tile; 0 on a bare cell.
    #[inline]
    pub(crate) const fn height(self) -> u8 {
        (self.0 >> 5 & 63) as u8
    }

    /// Whether the tile's other half is visible beyond the side.
    #[inline]
    pub(crate) const fn joins(self, side: Side) -> bool {
        self.joint_code() == side
    }

    /// The side beyond which the tile's other half is visible.
    pub(crate) const fn joint(self) -> Option<Side> {
        let joint = self.joint_code();
        if joint == ALONE { None } else { Some(joint) }
    }

    #[inline]
    const fn joint_code(self) -> u8 {
        (self.0 >> 2 & 7) as u8
    }

    /// Twice the type of the tile, plus 1 for its second half, if that is known.
    ///
    /// Only the view uses it, no rule does. A position text does not contain it for a half tile whose other
    /// half is covered.
    pub(crate) const fn print(self) -> Option<u8> {
        let print = (self.0 >> 11 & 15) as u8;
        if print == UNKNOWN { None } else { Some(print) }
    }

    /// The bits that matter for the rules.
    #[inline]
    const fn rules(self) -> u16 {
        self.0 & Self::RULES
    }

    #[inline]
    const fn without_joint(self) -> Self {
        Self(self.0 & !(7 << 2) | (ALONE as u16) << 2)
    }

    /// The same half tile, higher by `levels`.
    #[inline]
    const fn raised(self, levels: u8) -> Self {
        Self(self.0 + ((levels as u16) << 5))
    }
}

/// The half tiles of a tile on level 0, the western or northern one first. The indices are whether the
/// pair is upright, the type, and whether the first half lies in the east or south.
static TOPS: [[[[VisibleHalf; 2]; 2]; TILE_TYPES as usize]; 2] = {
    let mut tops = [[[[VisibleHalf::BARE; 2]; 2]; TILE_TYPES as usize]; 2];
    let mut way = 0;
    while way < 4 * TILE_TYPES {
        let (upright, tile_type, reversed) = (way % 2, way / 4, way / 2 % 2);
        let placement =
            Placement { tile_type, pair: if upright == 1 { PAIRS - 1 } else { 0 }, reversed: reversed == 1 };
        let [first, second] = placement.shapes();
        let direction = placement.direction();
        let first = VisibleHalf::new(first, 0, direction, 2 * tile_type);
        let second = VisibleHalf::new(second, 0, opposite(direction), 2 * tile_type + 1);
        tops[upright as usize][tile_type as usize][reversed as usize] =
            if reversed == 1 { [second, first] } else { [first, second] };
        way += 1;
    }
    tops
};

/// A pair of cells and its surroundings.
struct PairInfo {
    cells: [Cell; 2],
    /// All pairs that have a cell in common with it, itself included.
    pairs: u64,
    /// The neighbours of its cells, each with the pair that it forms with one of them. [`NO_PAIR`] fills up.
    beside: [(Cell, Pair); 6],
}

/// No pair: a bit that `ALL_PAIRS` masks out.
const NO_PAIR: Pair = 63;

const ALL_PAIRS: u64 = (1 << PAIRS) - 1;

static PAIR_INFO: [PairInfo; PAIRS as usize] = {
    let mut spots = [const { PairInfo { cells: [0; 2], pairs: 0, beside: [(0, NO_PAIR); 6] } }; PAIRS as usize];
    let mut pair = 0;
    while pair < PAIRS {
        let (one, other) = cells_of(pair);
        let spot = &mut spots[pair as usize];
        spot.cells = [one, other];
        spot.pairs = PAIRS_AROUND[one as usize] | PAIRS_AROUND[other as usize];
        let mut found = 0;
        let mut side = 0;
        while side < 8 {
            let cell = if side < 4 { one } else { other };
            if let (Some(next), Some(between)) = (neighbour(cell, side % 4), pair_of(cell, side % 4))
                && between != pair
            {
                spot.beside[found] = (next, between);
                found += 1;
            }
            side += 1;
        }
        pair += 1;
    }
    spots
};

/// The cell of a half tile's other half, by cell and joint; the cell itself if the other half is covered.
static PARTNERS: [[Cell; 8]; CELLS as usize] = {
    let mut partners = [[0; 8]; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS {
        let mut joint = 0;
        while joint < 8 {
            let partner = if joint < 4 { neighbour(cell, joint) } else { None };
            partners[cell as usize][joint as usize] = if let Some(partner) = partner { partner } else { cell };
            joint += 1;
        }
        cell += 1;
    }
    partners
};

/// The board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    tops: [VisibleHalf; CELLS as usize],
    /// The pairs of cells where a tile may be placed, one bit per pair. Derived from the cells.
    open: u64,
    /// The course of the lines. Derived from the cells.
    line_table: LineTable,
}

impl Board {
    pub(crate) const BARE: Self =
        Self { tops: [VisibleHalf::BARE; CELLS as usize], open: ALL_PAIRS, line_table: LineTable::BARE };

    #[inline]
    pub(crate) fn top(&self, cell: Cell) -> VisibleHalf {
        self.tops[cell as usize]
    }

    /// The pairs of cells where a tile may be placed: of equal height, and not both of one tile (rules 10).
    #[inline]
    pub(crate) const fn open(&self) -> u64 {
        self.open
    }

    /// The passes of the lines that join two of a seat's markers (rules 14, 15).
    #[inline]
    pub(crate) fn passes(&self, markers: RimPositions) -> u32 {
        self.line_table.passes(markers)
    }

    /// A hash of the cells, computed on demand.
    pub(crate) fn key(&self) -> u64 {
        self.tops.chunks(4).fold(0, |key: u64, tops| {
            let word = tops.iter().fold(0, |word, top| word << 16 | u64::from(top.rules()));
            mix(key.rotate_left(7) ^ word)
        })
    }

    #[inline]
    fn set(&mut self, cell: Cell, top: VisibleHalf) {
        self.tops[cell as usize] = top;
        self.line_table.put(cell, top.shape(), top.height(), top.joint_code());
    }

    /// Place a tile on an open pair.
    #[inline]
    pub(crate) fn place_tile(&mut self, placement: Placement) {
        let spot = &PAIR_INFO[placement.pair as usize];
        let height = self.top(spot.cells[0]).height() + 1;
        for cell in spot.cells {
            let partner = PARTNERS[cell as usize][self.top(cell).joint_code() as usize];
            self.set(partner, self.top(partner).without_joint());
        }
        let tops = TOPS[usize::from(is_upright(placement.pair))][placement.tile_type as usize]
            [usize::from(placement.reversed)];
        for (cell, top) in spot.cells.into_iter().zip(tops) {
            self.set(cell, top.raised(height));
        }
        // No neighbour of the new tile's height belongs to the same tile.
        let beside = spot.beside.iter();
        let open = beside.map(|&(cell, pair)| u64::from(self.top(cell).height() == height) << pair);
        self.open = open.fold(self.open & !spot.pairs, |all, open| all | open) & ALL_PAIRS;
    }

    fn is_open(&self, pair: Pair) -> bool {
        let (one, other) = cells_of(pair);
        let (one, other) = (self.top(one), self.top(other));
        one.height() == other.height() && !one.joins(if is_upright(pair) { 2 } else { 1 })
    }

    /// A parsed board: shape, level and joint of each cell that is not bare.
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
                let placement = Placement::of_shapes(
                    crate::cells::pair_of(cell, side)?,
                    if before { [shape, other] } else { [other, shape] },
                );
                Some(2 * placement.tile_type + u8::from(placement.reversed == before))
            });
            board.set(cell, VisibleHalf::new(shape, height, joint.unwrap_or(ALONE), print.unwrap_or(UNKNOWN)));
        }
        board.open = (0..PAIRS).fold(0, |open, pair| open | u64::from(board.is_open(pair)) << pair);
        board
    }
}

impl PartialEq for Board {
    /// Boards are equal if they do not differ for the rules. Prints are ignored.
    fn eq(&self, other: &Self) -> bool {
        self.tops.iter().zip(&other.tops).all(|(one, other)| one.rules() == other.rules())
    }
}

impl Eq for Board {}
