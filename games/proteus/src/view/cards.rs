//! The three active rules as cards beside the board: their meaning, and the cells they concern.

use tavola_core::view::Card;
use tavola_core::{Game, SmolStr, Text, format_smolstr};

use crate::actions::ActionKind;
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
            RED | BLUE if moving => self.links(state, colour),
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

    /// Where the counters of the seat to act may go, or the tiles that may change places.
    fn links(&self, state: &State, colour: u8) -> Vec<(SmolStr, SmolStr)> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let pairs = actions.into_iter().flat_map(|action| match action.kind() {
            ActionKind::Move(from, to) if colour == RED => vec![(from, to)],
            ActionKind::Trade(one, other) if colour == BLUE => vec![(one, other), (other, one)],
            _ => Vec::new(),
        });
        pairs.map(|(from, to)| (board::name(from), board::name(to))).collect()
    }

    /// The counters of each seat that fit the goal best.
    fn goal_cells(&self, state: &State) -> Vec<SmolStr> {
        let Some(goal) = self.goal(state) else { return Vec::new() };
        (0..2).flat_map(|seat| each(state.board.fitting(seat, goal))).map(board::name).collect()
    }
}
