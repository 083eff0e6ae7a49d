//! A class of tile layouts: the trades to and from it, and the goals that its tiles decide.

use crate::board::{CELLS, Cell, MOVES, each};
use crate::endgame::facings::{Facings, NO_TILE, YELLOW_FACINGS, with_shape};
use crate::index::{layout, layout_class};
use crate::pieces::{BLUE, RED, Shape, Tile, Trade, YELLOW, colour_of, shape_of, tile};
use crate::rules::Proteus;
use crate::state::Board;

/// Two cells whose tiles trade places.
pub(crate) struct Pair {
    pub(crate) cells: [Cell; 2],
    /// The class after the trade, and the symmetry that leads to its layout.
    pub(crate) class: usize,
    pub(crate) symmetry: usize,
    /// The facings whose blue rule allows the trade whatever the counters.
    pub(crate) facings: Facings,
    /// The tile on each cell before the trade.
    pub(crate) tiles: [Tile; 2],
}

/// The layout of a class.
pub(crate) struct Layout {
    pub(crate) tiles: [Tile; 9],
    pub(crate) pairs: Vec<Pair>,
}

impl Layout {
    pub(crate) fn new(rules: &Rules, class: usize) -> Self {
        let tiles = layout(class);
        let mut pairs = Vec::with_capacity(36);
        for one in 0..CELLS {
            for other in one + 1..CELLS {
                let mut after = tiles;
                after.swap(one.into(), other.into());
                let (symmetry, class) = layout_class(after);
                let traded = [tiles[usize::from(one)], tiles[usize::from(other)]];
                let [same_colour, same_shape] = [colour_of, shape_of].map(|of| of(traded[0]) == of(traded[1]));
                let facings = if same_colour {
                    rules.trades(Trade::Color)
                } else if same_shape {
                    rules.trades(Trade::Shape)
                } else {
                    0
                };
                pairs.push(Pair { cells: [one, other], class, symmetry, facings, tiles: traded });
            }
        }
        // The counters decide about the other trades, and mostly forbid them.
        pairs.sort_by_key(|pair| pair.facings == 0);
        Self { tiles, pairs }
    }

    /// The tile that a counter of this shape turns up when it arrives on the cell, or [`NO_TILE`].
    #[inline]
    pub(crate) fn paired(&self, shape: Shape, cell: Cell) -> Tile {
        let tile = self.tiles[usize::from(cell)];
        if shape_of(tile) == shape { tile } else { NO_TILE }
    }
}

/// The rules that depend on the facings, as sets of facings.
pub(crate) struct Rules {
    game: Proteus,
    /// By the cells from and to, whose red rules allow the move.
    moves: [[Facings; 9]; 9],
    /// By the trade.
    trades: [Facings; 3],
}

impl Rules {
    pub(crate) fn new(game: Proteus) -> Self {
        let mut moves = [[0; 9]; 9];
        for (shape, reach) in (0..).zip(MOVES) {
            for (from, cells) in reach.into_iter().enumerate() {
                each(cells).for_each(|to| moves[from][usize::from(to)] |= with_shape(RED, shape));
            }
        }
        let mut trades = [0; 3];
        for (shape, trade) in (0..).zip(game.faces.trades) {
            trades[trade as usize] = with_shape(BLUE, shape);
        }
        Self { game, moves, trades }
    }

    /// The facings whose red rule allows a move.
    #[inline]
    pub(crate) fn moves(&self, from: Cell, to: Cell) -> Facings {
        self.moves[usize::from(from)][usize::from(to)]
    }

    /// The facings with this blue rule.
    #[inline]
    pub(crate) fn trades(&self, trade: Trade) -> Facings {
        self.trades[trade as usize]
    }

    /// For each set of three cells, the set of yellow shapes whose goal a seat with counters on them satisfies.
    pub(crate) fn goals(&self, layout: [Tile; 9]) -> Vec<u8> {
        let mut board = Board::EMPTY;
        for (cell, tile) in (0..).zip(layout) {
            board.put_tile(tile, cell);
        }
        let mut goals = vec![0; 512];
        for shape in 0..3 {
            board.turn_up(1 << tile(YELLOW, shape));
            for cells in (0..512u16).filter(|cells| cells.count_ones() == 3) {
                goals[usize::from(cells)] |= u8::from(self.game.goals.satisfied(&board, cells)) << shape;
            }
        }
        goals
    }

    /// The facings in which the game is over after an action: the seat to act has won, and has lost.
    ///
    /// `own` and `opposing` are the yellow shapes whose goal the seat to act and the other satisfy.
    #[inline]
    pub(crate) fn over(&self, own: u8, opposing: u8) -> [Facings; 2] {
        let won = if self.game.only_actor_wins { 0 } else { own & !opposing };
        [won, opposing & !own].map(|shapes| YELLOW_FACINGS[usize::from(shapes)])
    }
}
