//! The results of the first placements with best play, and replies that hold: docs/explanation/proteus-solved.md.

use tavola_core::{Options, Seat, SeatSet};

use crate::board::Cell;
use crate::pieces::TILES;
use crate::placement_key::key;
use crate::state::State;

/// For each tile the result of its placement in a corner, on an edge and in the centre.
type FirstPlacements = [[WithBestPlay; 3]; TILES as usize];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WithBestPlay {
    WhiteWins,
    Drawn,
}

use WithBestPlay::{Drawn, WhiteWins};

const ARTICLE_FIRST: FirstPlacements = [[Drawn; 3]; TILES as usize];

const KADON_FIRST: FirstPlacements = [
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, WhiteWins],
    [Drawn, Drawn, Drawn],
    [WhiteWins, Drawn, WhiteWins],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, WhiteWins],
    [Drawn, Drawn, WhiteWins],
];

/// The known results of the first placements with some options.
#[derive(Debug)]
pub(crate) struct Openings {
    first: FirstPlacements,
    /// The keys of positions after the second to fourth placement in which the seat that has just placed cannot be beaten, in
    /// ascending order, each in eight bytes. `--example placement` writes them.
    held: &'static [u8],
}

static ARTICLE: Openings = Openings { first: ARTICLE_FIRST, held: include_bytes!("../openings/article.bin") };

static KADON: Openings = Openings { first: KADON_FIRST, held: include_bytes!("../openings/kadon.bin") };

const WHITE: Seat = 1;

impl Openings {
    /// The results with these options, if they are known.
    pub(crate) fn of(options: &Options) -> Option<&'static Self> {
        match (options.get("rules"), options.get("faces"), options.get("balance"), options.rules_version()) {
            ("article", "standard", "0", 2) => Some(&ARTICLE),
            ("kadon", "standard", "0", _) => Some(&KADON),
            _ => None,
        }
    }

    /// The winners of a position after the first placement, or after a second one that holds the draw; `None` for another
    /// position.
    pub(crate) fn winners(&self, state: &State) -> Option<SeatSet> {
        let board = &state.board;
        let mut after_first = (0..TILES)
            .filter_map(|tile| Some((tile, board.cell_of(tile)?)))
            .map(|(tile, cell)| self.first[usize::from(tile)][kind(cell)]);
        match ALL - board.left_to_place() {
            1 if state.seat == WHITE && board.ups() == 0 => after_first.next().map(|result| match result {
                WhiteWins => SeatSet::one(WHITE),
                Drawn => SeatSet::EMPTY,
            }),
            // Each of its tiles can have been the first, and White has no win after one that is drawn.
            2 if self.holds(state) && after_first.any(|result| result == Drawn) => Some(SeatSet::EMPTY),
            _ => None,
        }
    }

    /// Whether the seat that has just placed is known to be unbeatable.
    pub(crate) fn holds(&self, state: &State) -> bool {
        let key = key(state);
        self.held.as_chunks().0.binary_search_by_key(&key, |&bytes| u64::from_le_bytes(bytes)).is_ok()
    }
}

/// The pieces that are placed: nine tiles and six counters.
const ALL: u32 = 15;

/// 0 for a corner, 1 for an edge, 2 for the centre.
fn kind(cell: Cell) -> usize {
    match cell {
        4 => 2,
        cell => usize::from(cell % 2),
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Game, Notation, Options};

    use super::{KADON_FIRST, Openings, key};
    use crate::Proteus;

    #[test]
    fn a_reply_that_holds_is_a_draw_only_if_one_of_its_tiles_was_no_mistake() {
        let game = Proteus::new(&Options::parse(Proteus::INFO, "rules=kadon").expect("valid options"));
        for (tokens, is_draw) in [(["Bt@a1", "Yt@b2"], false), (["Bt@a1", "Yt@b1"], true)] {
            let mut state = game.start();
            for token in tokens {
                let mut actions = Vec::new();
                game.legal_actions(&state, &mut actions);
                let action = actions.into_iter().find(|&action| game.token(action) == token);
                game.play_unchecked(&mut state, action.expect("a legal action"));
            }
            let held = Box::leak(Box::new(key(&state).to_le_bytes()));
            let known = Openings { first: KADON_FIRST, held };
            assert_eq!(known.winners(&state).is_some(), is_draw, "{tokens:?}");
        }
    }
}
