//! Sets of facings: one bit for each of the 27 ways in which one tile of each colour is face up.
//!
//! A facing is the shape that is up of red, plus three times that of blue, plus nine times that of yellow.

use crate::pieces::{Colour, TILES, Tile, colour_of, shape_of};

/// A set of facings.
pub(crate) type Facings = u32;

/// All facings.
pub(crate) const ALL: Facings = (1 << 27) - 1;

/// Stands for no tile.
pub(crate) const NO_TILE: Tile = TILES;

/// How far apart in a set the shapes of a colour are.
const STRIDES: [u32; 3] = [1, 3, 9];

/// The facings from which turning up a tile leads into a set: shift, mask, multiply.
struct TurnUp {
    shift: u32,
    mask: Facings,
    factor: u32,
}

/// For each tile, and for no tile.
static TURN_UPS: [TurnUp; TILES as usize + 1] = {
    let mut all = [const { TurnUp { shift: 0, mask: ALL, factor: 1 } }; TILES as usize + 1];
    let mut tile = 0;
    while tile < TILES {
        let stride = STRIDES[colour_of(tile) as usize];
        all[tile as usize] = TurnUp {
            shift: stride * shape_of(tile) as u32,
            mask: with_shape(colour_of(tile), 0),
            factor: 1 | 1 << stride | 1 << (2 * stride),
        };
        tile += 1;
    }
    all
};

/// The facings in which this shape of a colour is up.
pub(crate) const fn with_shape(colour: Colour, shape: u8) -> Facings {
    let stride = STRIDES[colour as usize];
    let (mut set, mut facing) = (0, 0);
    while facing < 27 {
        if facing / stride % 3 == shape as u32 {
            set |= 1 << facing;
        }
        facing += 1;
    }
    set
}

/// The facings from which turning up a tile leads into the set.
#[inline]
fn before_turning_up(set: Facings, tile: Tile) -> Facings {
    let turn = &TURN_UPS[usize::from(tile)];
    (set >> turn.shift & turn.mask) * turn.factor
}

/// The facings from which an action that makes new pairs on these tiles, or on [`NO_TILE`], leads into the set (rules 15).
#[inline]
pub(crate) fn before_pairs(set: Facings, one: Tile, other: Tile) -> Facings {
    if one != NO_TILE && other != NO_TILE && colour_of(one) == colour_of(other) {
        return before_pairs_of_one_colour(set, one, other);
    }
    before_turning_up(before_turning_up(set, one), other)
}

/// If one of the tiles is up, the other turns up. If neither is, they cancel.
fn before_pairs_of_one_colour(set: Facings, one: Tile, other: Tile) -> Facings {
    let colour = colour_of(one);
    let [up, down] = [one, other].map(shape_of);
    let stride = STRIDES[usize::from(colour)];
    let moved = |from: u8, to: u8| {
        let lowest = (set & with_shape(colour, from)) >> (stride * u32::from(from));
        lowest << (stride * u32::from(to))
    };
    set & with_shape(colour, 3 - up - down) | moved(up, down) | moved(down, up)
}

/// For each set of yellow shapes the facings that have one of them up.
pub(crate) static YELLOW_FACINGS: [Facings; 8] = {
    let mut all = [0; 8];
    let mut shapes = 0;
    while shapes < 8 {
        let mut shape = 0;
        while shape < 3 {
            if shapes >> shape & 1 == 1 {
                all[shapes] |= with_shape(2, shape);
            }
            shape += 1;
        }
        shapes += 1;
    }
    all
};
