//! The three active rules as cards beside the board: their meaning, and the cells they concern.

use tavola_core::view::Card;
use tavola_core::{SmolStr, Text, format_smolstr};

use crate::board::{self, each};
use crate::pieces::{BLUE, RED, YELLOW, tile};
use crate::rules::Proteus;
use crate::state::State;
use crate::view::labels::rule_name;

const IDS: [&str; 3] = ["red", "blue", "yellow"];

impl Proteus {
    pub(crate) fn cards(&self, state: &State) -> Vec<Card> {
        [RED, BLUE, YELLOW].into_iter().map(|colour| self.card(state, colour)).collect()
    }

    fn card(&self, state: &State, colour: u8) -> Card {
        let id = IDS[colour as usize];
        let Some(shape) = state.board.up(colour) else {
            return Card {
                id: id.into(),
                symbol: "card-none".into(),
                title: Text::new(format_smolstr!("card.{id}")).with("rule", Text::new("rule.none")),
                text: Text::new(format_smolstr!("means.none.{id}")),
                cells: Vec::new(),
                links: Vec::new(),
            };
        };
        let rule = self.faces.rule(tile(colour, shape));
        let moving = state.count.is_some() && state.end.is_none();
        let links = match colour {
            RED if moving => Self::move_links(state),
            BLUE if moving => self.trade_links(state),
            _ => Vec::new(),
        };
        let cells = if colour == YELLOW { self.goal_cells(state) } else { Vec::new() };
        Card {
            id: id.into(),
            symbol: format_smolstr!("card-{rule}"),
            title: Text::new(format_smolstr!("card.{id}")).with("rule", rule_name(rule)),
            text: Text::new(format_smolstr!("means.{rule}")),
            cells,
            links,
        }
    }

    /// Where the counters of the seat to act may go.
    fn move_links(state: &State) -> Vec<(SmolStr, SmolStr)> {
        each(state.board.counters_of(state.seat))
            .flat_map(|from| each(Self::reach(state, from)).map(move |to| (board::name(from), board::name(to))))
            .collect()
    }

    /// The tiles that may change places: of three that may all do so among themselves, or own with opposing ones.
    fn trade_links(&self, state: &State) -> Vec<(SmolStr, SmolStr)> {
        let names = self.trades(state).map(|(one, other)| (board::name(one), board::name(other)));
        names.into_iter().flat_map(|(one, other)| [(one.clone(), other.clone()), (other, one)]).collect()
    }

    /// The counters of each seat that fit the goal best.
    fn goal_cells(&self, state: &State) -> Vec<SmolStr> {
        let Some(goal) = self.goal(state) else { return Vec::new() };
        (0..2).flat_map(|seat| each(state.board.fitting(seat, goal))).map(board::name).collect()
    }
}
