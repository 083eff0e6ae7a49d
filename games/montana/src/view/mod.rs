//! The view: how a position, its actions and its events are shown.

pub(crate) mod actions;
pub(crate) mod board;
pub(crate) mod events;
mod illegal;
pub(crate) mod labels;
pub(crate) mod layout;
pub(crate) mod pieces;

use tavola_core::view::{Card, Counter, Decisive, MoveLabel, Prospect, SeatView};
use tavola_core::{
    Draw, Event, Game, Interner, Notation, Outcome, Refusal, Seat, Shared, Sketched, SmolStr, Text, View,
    format_smolstr,
};

use crate::actions::Action;
use crate::game::Montana;
use crate::sketch::MontanaSketch;
use crate::state::{Contractor, Stage, State};
use crate::view::labels::{GOOD_IDS, WORKER_IDS, of_seat, seat_name};

impl Draw for Montana {
    fn view(&self, state: &State, viewer: Option<Seat>) -> View {
        let hand = actions::hand(self, state, self.to_act(state).seat(), viewer);
        let legal = self.legal(state);
        View {
            areas: board::areas(self, state, hand, &legal),
            pieces: pieces::all(self, state),
            seats: (0..self.seats).map(|seat| self.seat_view(state, seat)).collect(),
            cards: self.final_round_card(state).into_iter().collect(),
            lines: board::lines(self, state),
            actions: legal.iter().map(|action| self.action_view(state, action)).collect(),
            // All supplies are cells of the board.
            ..self.blank_view(state, self.prompt(state))
        }
    }

    fn is_public(&self, _state: &State) -> bool {
        true
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        events::record(self, state, action)
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        self.explain_illegal(state, action)
    }

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        self.explain_touch(state, touched)
    }

    fn prospect(&self, state: &State, action: Action) -> Prospect {
        self.prospect_of(state, action)
    }

    fn move_label(&self, state: &State, action: Action) -> Option<MoveLabel> {
        self.label_of_move(state, action)
    }

    fn outcome_text(&self, _state: &State, outcome: &Outcome) -> Text {
        let key = format_smolstr!("outcome.{}", outcome.reason);
        match outcome.winners.iter().next() {
            Some(winner) if outcome.winners.len() == 1 => Text::new(key).with("seat", seat_name(winner)),
            _ => Text::new(format_smolstr!("{key}.tie")),
        }
    }

    /// The settlements of the winners (rules 48).
    fn decisive(&self, state: &State, outcome: &Outcome) -> Decisive {
        let settled = |seat| state.land.settled[usize::from(seat)].iter();
        let hexes = outcome.winners.iter().flat_map(settled);
        Decisive::cells(hexes.map(|hex| self.map.name(hex)))
    }

    fn sketch(&self, text: &str) -> Sketched<'_> {
        let sketch = MontanaSketch::read(self, text).ok_or_else(|| self.parse_position(text).err().unwrap_or_default());
        Some(sketch.map(|sketch| Box::new(sketch) as _))
    }
}

/// A counter of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Counted {
    Tiles { seat: Seat, of: u8 },
    Worker(usize),
    Good(usize),
    Other(&'static str),
}

impl Counted {
    /// The largest interned number.
    const MOST: u32 = 99;

    fn counter(self, value: u32) -> Shared<Counter> {
        static COUNTERS: Interner<(Counted, u32), Counter> = Interner::new();
        if value > Self::MOST {
            return Shared::from(self.made(value));
        }
        COUNTERS.get((self, value), |_| self.made(value))
    }

    fn made(self, value: u32) -> Counter {
        let counter = |id: &str, label: SmolStr, symbol: SmolStr| Counter {
            id: id.into(),
            label: Text::new(label),
            value: value.into(),
            of: None,
            symbol: Some(symbol),
        };
        match self {
            Self::Tiles { seat, of } => Counter {
                of: Some(of.into()),
                ..counter("tiles", "counter.tiles".into(), format_smolstr!("settlement-{seat}"))
            },
            Self::Worker(lane) => {
                let id = WORKER_IDS[lane];
                counter(id, format_smolstr!("counter.worker.{id}"), format_smolstr!("worker-{id}"))
            }
            Self::Good(lane) => {
                let id = GOOD_IDS[lane];
                counter(id, format_smolstr!("counter.good.{id}"), format_smolstr!("good-{id}"))
            }
            Self::Other(id) => counter(id, format_smolstr!("counter.{id}"), id.into()),
        }
    }
}

impl Montana {
    fn prompt(&self, state: &State) -> Text {
        let surplus = self.surplus(state);
        if surplus > 0 {
            return Text::new("prompt.return").with("n", i64::from(surplus));
        }
        match state.stage {
            Stage::Tile | Stage::Rot | Stage::Start => Text::new("prompt.setup"),
            Stage::Spin => Text::new("prompt.spin"),
            Stage::Hire(segment, second) => Text::new("prompt.hire").with("n", i64::from(self.whites(segment, second))),
            Stage::Main => Text::new(if state.extra_turn { "prompt.main.extra" } else { "prompt.main" }),
            Stage::Shift(segment) => {
                let prompt = if self.second { "prompt.shift.second" } else { "prompt.shift" };
                Text::new(prompt).with("pair", labels::segment(&self.components.wheel[usize::from(segment)]))
            }
            Stage::Extra(space) => Text::new("prompt.extra").with("place", labels::place(space / 3)),
            Stage::Build(sites) => Text::new("prompt.build").with("n", i64::from(self.components.max_sites - sites)),
            Stage::End => {
                let canteen = state.active().canteens > 0 && !state.extra_turn;
                Text::new(if canteen { "prompt.end.canteen" } else { "prompt.end" })
            }
            Stage::Bid(seat) if Self::must_place(state, seat) => Text::new("prompt.bid.first"),
            Stage::Bid(seat) => {
                // If a seat after this one has bid already, this one was outbid.
                let after = self.clockwise(state, 0).skip_while(|&other| other != seat);
                let outbid = after.skip(1).any(|other| state.contractors[usize::from(other)] != Contractor::Home);
                Text::new(if outbid { "prompt.bid.outbid" } else { "prompt.bid" })
            }
            Stage::Reward(seat) => {
                let row = state.contractors[usize::from(seat)].city_space().map_or(0, |city_space| city_space / 4);
                Text::new(format_smolstr!("prompt.reward.{}", row + 1))
            }
            Stage::Over => Text::new("prompt.over"),
        }
    }

    fn seat_view(&self, state: &State, seat: Seat) -> SeatView {
        let holdings = &state.seats[usize::from(seat)];
        let tiles = Counted::Tiles { seat, of: self.table.settlements };
        let mut counters =
            vec![tiles.counter(holdings.tiles.into()), Counted::Other("silver").counter(holdings.silver)];
        let workers = holdings.workers.counts().into_iter().enumerate().map(|(lane, n)| (Counted::Worker(lane), n));
        let goods = holdings.goods.counts().into_iter().enumerate().map(|(lane, n)| (Counted::Good(lane), n));
        let rest = [(Counted::Other("cow"), holdings.cows), (Counted::Other("canteen"), holdings.canteens)];
        let some = workers.chain(goods).chain(rest).filter(|&(_, count)| count > 0);
        counters.extend(some.map(|(counted, count)| counted.counter(count.into())));
        SeatView { seat, name: seat_name(seat), symbol: format_smolstr!("seat-{seat}"), counters }
    }

    /// Returns the card of the final round: a seat has placed its last tile, and the others finish the round (rules 46).
    fn final_round_card(&self, state: &State) -> Option<Card> {
        if self.outcome(state).is_some() {
            return None;
        }
        let done = (0..self.seats).find(|&seat| state.seats[usize::from(seat)].tiles == 0)?;
        Some(Card {
            id: "last".into(),
            symbol: "card-last".into(),
            title: Text::new("card.last"),
            text: of_seat("last.tiles", done),
            cells: Vec::new(),
            links: Vec::new(),
        })
    }
}
