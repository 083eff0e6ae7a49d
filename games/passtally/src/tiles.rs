//! The six types of tiles and their rotations (rules 3-5, 21).

use crate::cells::{self, Cell, Pair, Side};

/// How a cell joins its sides. A line that enters by a side leaves by that side XOR the shape.
/// So `S` crosses, `L` joins north and west, `R` north and east (rules 3).
pub(crate) type Shape = u8;

pub(crate) const R: Shape = 1;
pub(crate) const S: Shape = 2;
pub(crate) const L: Shape = 3;

/// The letter of each shape. No shape has number 0.
pub(crate) const SHAPES: [char; 4] = ['?', 'R', 'S', 'L'];

/// The shape after a rotation by 90 degrees (rules 5).
pub(crate) const fn rotated(shape: Shape) -> Shape {
    if shape == S { S } else { shape ^ 2 }
}

/// A type of tile.
pub(crate) type TileType = u8;

pub(crate) const TILE_TYPES: u8 = 6;

/// The number of copies of each type.
pub(crate) const COPIES: u8 = 7;

/// The number of tiles.
pub(crate) const TILES: u8 = TILE_TYPES * COPIES;

pub(crate) const NAMES: [&str; TILE_TYPES as usize] = ["SS", "LL", "RR", "SL", "SR", "RL"];

/// The shapes of the halves of each type, first half first.
const HALVES: [[Shape; 2]; TILE_TYPES as usize] = [[S, S], [L, L], [R, R], [S, L], [S, R], [R, L]];

/// The number of different ways to place each type on two given cells.
pub(crate) const WAYS: [u32; TILE_TYPES as usize] = [1, 1, 1, 2, 2, 2];

pub(crate) fn parse_type(name: &str) -> Option<TileType> {
    NAMES.iter().position(|&known| known == name).map(|at| at as TileType)
}

/// A tile placed on two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// The type.
    pub(crate) tile_type: TileType,
    /// The cells.
    pub(crate) pair: Pair,
    /// Whether the first half lies in the east or south.
    pub(crate) reversed: bool,
}

impl Placement {
    /// The cells of the first and the second half.
    pub(crate) const fn cells(self) -> [Cell; 2] {
        let (one, other) = cells::cells_of(self.pair);
        if self.reversed { [other, one] } else { [one, other] }
    }

    /// The shapes of the first and the second half as they lie.
    pub(crate) const fn shapes(self) -> [Shape; 2] {
        let [first, second] = HALVES[self.tile_type as usize];
        if cells::is_upright(self.pair) { [rotated(first), rotated(second)] } else { [first, second] }
    }

    /// The side on which the first half joins the second.
    pub(crate) const fn direction(self) -> Side {
        let straight = if cells::is_upright(self.pair) { 2 } else { 1 };
        if self.reversed { cells::opposite(straight) } else { straight }
    }

    /// The tile whose halves lie on a pair's cells with these shapes: the western or northern one first.
    pub(crate) fn of_shapes(pair: Pair, shapes: [Shape; 2]) -> Self {
        let ways =
            (0..TILE_TYPES).flat_map(|tile_type| [false, true].map(|reversed| Self { tile_type, pair, reversed }));
        let mut fitting = ways.filter(|placement| {
            let [first, second] = placement.shapes();
            shapes == if placement.reversed { [second, first] } else { [first, second] }
        });
        fitting.next().expect("every two shapes make a tile")
    }

    /// A tile by the cell of its first half and the direction to the second. `None` if it crosses the rim,
    /// and for a double rotated by 180 degrees, which has another name (rules 21).
    pub(crate) fn new(tile_type: TileType, first: Cell, direction: Side) -> Option<Self> {
        let reversed = matches!(direction, 0 | 3);
        let pair = cells::pair_of(first, direction)?;
        (!reversed || WAYS[tile_type as usize] == 2).then_some(Self { tile_type, pair, reversed })
    }
}
