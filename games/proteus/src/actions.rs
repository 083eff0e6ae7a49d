//! The 217 actions: placing, moving, trading, passing (rules 19).

use tavola_core::bitset::insert_at;

use crate::board::{CELLS, Cell, Cells, alphabetical};
use crate::pieces::{Shape, TILES, Tile};

/// An action, numbered: tiles placed, counters placed, moves, trades, the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u8);

/// The kind of an action, with its pieces and cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// A tile from the pool goes face down on a cell (rules 5).
    Tile(Tile, Cell),
    /// A counter of the seat to act goes on a cell (rules 5).
    Counter(Shape, Cell),
    /// A counter goes from cell to cell (rules 12).
    Move(Cell, Cell),
    /// The tiles of two cells change places (rules 12).
    Trade(Cell, Cell),
    /// Nothing is left to place (rules 7), or nothing can move or trade (rules 12).
    Pass,
}

const TILE: u8 = 0;
const COUNTER: u8 = TILE + TILES * CELLS;
const MOVE: u8 = COUNTER + 3 * CELLS;
const TRADE: u8 = MOVE + CELLS * (CELLS - 1);
const PASS: u8 = TRADE + CELLS * (CELLS - 1) / 2;

impl Action {
    /// The number of different actions.
    pub(crate) const COUNT: u8 = PASS + 1;

    pub(crate) const PASS: Self = Self(PASS);

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    pub(crate) const fn tile(tile: Tile, cell: Cell) -> Self {
        Self(TILE + tile * CELLS + cell)
    }

    pub(crate) const fn counter(shape: Shape, cell: Cell) -> Self {
        Self(COUNTER + shape * CELLS + cell)
    }

    pub(crate) const fn walk(from: Cell, to: Cell) -> Self {
        Self(MOVE + from * (CELLS - 1) + to - (to > from) as u8)
    }

    /// The trade of two different cells, in whatever order.
    #[inline]
    pub(crate) const fn trade(one: Cell, other: Cell) -> Self {
        TRADES[one as usize & 15][other as usize & 15]
    }

    const fn encode_trade(one: Cell, other: Cell) -> Self {
        // Cells by the order of their names, so that the trades' numbers follow their tokens.
        let (a, b) = (alphabetical(one), alphabetical(other));
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        // Before those that begin with `first` stand the pairs of all earlier ones.
        Self(TRADE + first * (2 * CELLS - first - 1) / 2 + second - first - 1)
    }

    #[inline]
    pub(crate) const fn of(kind: ActionKind) -> Self {
        match kind {
            ActionKind::Tile(tile, cell) => Self::tile(tile, cell),
            ActionKind::Counter(shape, cell) => Self::counter(shape, cell),
            ActionKind::Move(from, to) => Self::walk(from, to),
            ActionKind::Trade(one, other) => Self::trade(one, other),
            ActionKind::Pass => Self::PASS,
        }
    }

    #[inline]
    pub(crate) fn kind(self) -> ActionKind {
        KINDS[self.0 as usize]
    }

    const fn decode(self) -> ActionKind {
        match self.0 {
            index @ TILE..COUNTER => ActionKind::Tile(index / CELLS, index % CELLS),
            index @ COUNTER..MOVE => ActionKind::Counter((index - COUNTER) / CELLS, (index - COUNTER) % CELLS),
            index @ MOVE..TRADE => {
                let (from, to) = ((index - MOVE) / (CELLS - 1), (index - MOVE) % (CELLS - 1));
                ActionKind::Move(from, to + (to >= from) as u8)
            }
            index @ TRADE..PASS => {
                let mut first = 0;
                let mut left = index - TRADE;
                while left >= CELLS - 1 - first {
                    left -= CELLS - 1 - first;
                    first += 1;
                }
                // The order of names is its own inverse: row and column change places.
                ActionKind::Trade(alphabetical(first), alphabetical(first + 1 + left))
            }
            _ => ActionKind::Pass,
        }
    }
}

/// Sets the bit of an action.
#[inline]
pub(crate) fn insert(words: &mut [u64], action: Action) {
    let index = usize::from(action.index());
    words[index / 64] |= 1 << (index % 64);
}

/// Sets the bits of placing a tile on cells.
#[inline]
pub(crate) fn insert_tiles(words: &mut [u64], tile: Tile, cells: Cells) {
    insert_at(words, usize::from(TILE + tile * CELLS), cells.into());
}

/// Sets the bits of placing a counter on cells.
#[inline]
pub(crate) fn insert_counters(words: &mut [u64], shape: Shape, cells: Cells) {
    insert_at(words, usize::from(COUNTER + shape * CELLS), cells.into());
}

/// Sets the bits of moving a counter to cells.
#[inline]
pub(crate) fn insert_walks(words: &mut [u64], from: Cell, cells: Cells) {
    let before = (1 << from) - 1;
    insert_at(words, usize::from(MOVE + from * (CELLS - 1)), (cells & before | cells >> 1 & !before).into());
}

/// The trade of each two different cells. Rows have 16 entries, so that a mask replaces the check of the index.
static TRADES: [[Action; 16]; 16] = {
    let mut trades = [[Action::PASS; 16]; 16];
    let mut pair = 0;
    while pair < CELLS * CELLS {
        let (one, other) = (pair / CELLS, pair % CELLS);
        if one != other {
            trades[one as usize][other as usize] = Action::encode_trade(one, other);
        }
        pair += 1;
    }
    trades
};

/// The kind of each action, by its number.
static KINDS: [ActionKind; Action::COUNT as usize] = {
    let mut kinds = [ActionKind::Pass; Action::COUNT as usize];
    let mut index = 0;
    while index < Action::COUNT {
        kinds[index as usize] = Action(index).decode();
        index += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_are_a_bijection() {
        for index in 0..Action::COUNT {
            let action = Action::from_index(index);
            assert_eq!(Action::of(action.kind()), action);
            if let ActionKind::Trade(one, other) = action.kind() {
                assert_eq!(Action::trade(other, one), action);
            }
        }
    }
}
