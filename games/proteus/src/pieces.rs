//! Tiles, counters, and the rules on the tiles' faces.

use tavola_core::{SmolStr, format_smolstr};

/// A tile: three times its colour (red, blue, yellow), plus its shape (rules 2).
pub(crate) type Tile = u8;

/// A shape: circle 0, square 1, triangle 2.
pub(crate) type Shape = u8;

/// A colour: red 0, blue 1, yellow 2.
pub(crate) type Colour = u8;

pub(crate) const TILES: Tile = 9;
pub(crate) const RED: Colour = 0;
pub(crate) const BLUE: Colour = 1;
pub(crate) const YELLOW: Colour = 2;
pub(crate) const COLOURS: [char; 3] = ['R', 'B', 'Y'];
pub(crate) const SHAPES: [char; 3] = ['c', 's', 't'];
pub(crate) const OWNERS: [char; 2] = ['B', 'W'];

pub(crate) const fn tile(colour: Colour, shape: Shape) -> Tile {
    3 * colour + shape
}

pub(crate) const fn colour_of(tile: Tile) -> Colour {
    (0x2_2211_1000_u64 >> (4 * tile) & 3) as Colour
}

pub(crate) const fn shape_of(tile: Tile) -> Shape {
    (0x2_1021_0210_u64 >> (4 * tile) & 3) as Shape
}

/// The tile's name: `Rc`.
pub(crate) fn tile_name(tile: Tile) -> SmolStr {
    format_smolstr!("{}{}", COLOURS[colour_of(tile) as usize], SHAPES[shape_of(tile) as usize])
}

/// The tile with this name.
pub(crate) fn parse_tile(name: &str) -> Option<Tile> {
    let (colour, shape) = name.split_at_checked(1)?;
    Some(tile(parse_one(colour, &COLOURS)?, parse_one(shape, &SHAPES)?))
}

/// The place of a text of one letter among letters.
pub(crate) fn parse_one(text: &str, letters: &[char]) -> Option<u8> {
    let mut characters = text.chars();
    let letter = characters.next().filter(|_| characters.next().is_none())?;
    letters.iter().position(|&known| known == letter).map(|place| place as u8)
}

/// The red rules (rules 12), in the order of the shapes that carry them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    King,
    Rook,
    Bishop,
}

/// The tiles that may trade places (rules 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trade {
    Polarity,
    Color,
    Shape,
}

/// The goals (rules 13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    Line,
    Color,
    Shape,
}

pub(crate) const MOVES: [Move; 3] = [Move::King, Move::Rook, Move::Bishop];

/// The rule on each shape (rules 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Faces {
    pub(crate) trades: [Trade; 3],
    pub(crate) goals: [Goal; 3],
}

/// The permutations of three, in lexicographic order (rules 4).
const PERMUTATIONS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Faces {
    /// The faces of a value of the option `faces`: `standard`, or two digits.
    pub(crate) fn new(value: &str) -> Self {
        let digit = |place: usize| match value.as_bytes().get(place) {
            Some(digit @ b'0'..=b'5') if value.len() == 2 => (digit - b'0') as usize,
            _ => 0,
        };
        let trades = [Trade::Polarity, Trade::Color, Trade::Shape];
        let goals = [Goal::Line, Goal::Color, Goal::Shape];
        Self {
            trades: PERMUTATIONS[digit(0)].map(|rule| trades[rule]),
            goals: PERMUTATIONS[digit(1)].map(|rule| goals[rule]),
        }
    }

    /// The name of the rule on a tile's face.
    pub(crate) const fn rule(&self, tile: Tile) -> &'static str {
        let shape = shape_of(tile) as usize;
        match colour_of(tile) {
            RED => match MOVES[shape] {
                Move::King => "KING",
                Move::Rook => "ROOK",
                Move::Bishop => "BISHOP",
            },
            BLUE => match self.trades[shape] {
                Trade::Polarity => "POLARITY",
                Trade::Color => "COLOR",
                Trade::Shape => "SHAPE",
            },
            _ => match self.goals[shape] {
                Goal::Line => "LINE",
                Goal::Color => "GOAL-COLOR",
                Goal::Shape => "GOAL-SHAPE",
            },
        }
    }
}
