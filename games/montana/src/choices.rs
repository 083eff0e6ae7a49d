//! The legal actions as people choose them: what is touched, what it is called, what it would bring.

use tavola_core::view::{ActionView, Piece, Prospect};
use tavola_core::{Interner, Notation, Seat, Shared, SmolStr, Text, format_smolstr};

use crate::actions::{Action, Barter, Crew, Deed, Space};
use crate::bag::{GRAIN, Goods, Workers};
use crate::data::Ground;
use crate::pieces::{self, Spot};
use crate::places::{self, hand_cell, supply_cell};
use crate::rules::Montana;
use crate::said::{self, GOOD_IDS, WORKER_IDS};
use crate::state::{Contractor, Stage, State};
use crate::table;

/// A cell for each worker of a crew.
fn worker_cells(workers: Workers, cell: fn(&str) -> SmolStr) -> impl Iterator<Item = SmolStr> {
    let kinds = workers.counts().into_iter().zip(WORKER_IDS);
    kinds.flat_map(move |(count, id)| std::iter::repeat_n(cell(id), count.into()))
}

fn good_cells(goods: Goods, cell: fn(&str) -> SmolStr) -> impl Iterator<Item = SmolStr> {
    let kinds = goods.counts().into_iter().zip(GOOD_IDS);
    kinds.flat_map(move |(count, id)| std::iter::repeat_n(cell(id), count.into()))
}

/// What else decides how an action looks, but for the table: an action in the same setting is made once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Setting {
    Any,
    /// The space beside which a second crew would work.
    Beside(Space),
    /// The segment on which the arrow would stand.
    On(u8),
    /// Whose contractor it is.
    Of(Seat),
    /// What a site costs, who settles there, and with how many tiles.
    Site(Goods, Seat, u8),
    /// What the sites bring that are not built.
    Spare(u8),
}

impl Setting {
    fn space(self) -> Space {
        if let Self::Beside(space) = self { space } else { 0 }
    }

    fn segment(self) -> u8 {
        if let Self::On(segment) = self { segment } else { 0 }
    }
}

impl Montana {
    /// The setting of a legal action.
    fn setting(&self, state: &State, deed: Deed) -> Setting {
        match (deed, state.stage) {
            (Deed::Extra(_), Stage::Extra(space)) => Setting::Beside(space),
            (Deed::Shift(grain), Stage::Shift(segment)) => Setting::On((segment + grain) % 8),
            (Deed::Bid(_), Stage::Bid(seat)) => Setting::Of(seat),
            (Deed::Build(hex), _) => {
                Setting::Site(self.cost(&state.land, hex), state.turn, self.brought(state, hex).tiles())
            }
            (Deed::End, Stage::Build(sites)) => Setting::Spare(self.spare_silver(sites)),
            _ => Setting::Any,
        }
    }

    fn crew(&self, crew: Crew) -> Workers {
        self.tables.crews[usize::from(crew)]
    }

    /// The cells to touch for an action.
    fn touches(&self, deed: Deed, setting: Setting) -> Vec<SmolStr> {
        let with = |first: SmolStr, crew: Crew| {
            std::iter::once(first).chain(worker_cells(self.crew(crew), hand_cell)).collect()
        };
        match deed {
            Deed::Bank(space, crew) => with(places::bank_cell(space), crew),
            Deed::Work(space, crew) => with(places::left_cell(space), crew),
            Deed::Extra(crew) => with(places::right_cell(setting.space()), crew),
            Deed::Shift(_) => vec![places::segment_cell(setting.segment())],
            Deed::Hire(crew) => worker_cells(self.crew(crew), supply_cell).collect(),
            Deed::Return(crew) => worker_cells(self.crew(crew), hand_cell).collect(),
            Deed::Bid(stall) => vec![places::stall_cell(self, stall)],
            Deed::Take(goods) => good_cells(goods, supply_cell).collect(),
            Deed::Swap(small) => good_cells(small, hand_cell).collect(),
            Deed::Build(hex) => vec![self.map.name(hex)],
            Deed::Cow(barter) => vec![hand_cell("cow"), supply_cell(places::barter_column(barter))],
            // Buttons; and chance touches nothing.
            _ => Vec::new(),
        }
    }

    fn kind(deed: Deed) -> &'static str {
        match deed {
            Deed::Recruit => "recruit",
            Deed::Shift(_) => "shift",
            Deed::Hire(_) => "hire",
            Deed::Return(_) => "return",
            Deed::Bank(..) => "bank",
            Deed::Work(..) => "work",
            Deed::Extra(_) => "extra",
            Deed::City => "city",
            Deed::Bid(_) => "bid",
            Deed::Pass => "pass",
            Deed::Take(_) => "take",
            Deed::Swap(_) => "swap",
            Deed::Build(_) => "build",
            Deed::Cow(_) => "cow",
            Deed::Canteen => "canteen",
            Deed::End | Deed::Tile(_) | Deed::Turn(_) | Deed::Start(_) | Deed::Spin(_) => "end",
        }
    }

    fn label(&self, deed: Deed, setting: Setting) -> Text {
        let text = Text::new(format_smolstr!("action.{}", Self::kind(deed)));
        let crew = |crew: Crew| said::workers(self.crew(crew));
        match deed {
            Deed::Bank(space, workers) => {
                let (_, silver) = self.data.bank[usize::from(space)];
                text.with("crew", crew(workers)).with("silver", said::silver(silver))
            }
            Deed::Work(space, workers) => {
                let production = &self.data.production[usize::from(space / 3)];
                let (silver, count) = production.left[usize::from(space % 3)];
                text.with("place", said::heading(space / 3))
                    .with("crew", crew(workers))
                    .with("silver", said::silver(silver))
                    .with("goods", said::goods(Goods::some(production.good, count)))
            }
            Deed::Extra(workers) => {
                let production = &self.data.production[usize::from(setting.space() / 3)];
                text.with("crew", crew(workers))
                    .with("goods", said::goods(Goods::some(production.good, production.right)))
            }
            Deed::Shift(grain) => {
                let pair = said::segment(&self.data.wheel[usize::from(setting.segment())]);
                let text = if grain == 0 { Text::new("action.shift.0") } else { text.with("n", i64::from(grain)) };
                text.with("pair", pair)
            }
            Deed::Hire(workers) | Deed::Return(workers) => text.with("crew", crew(workers)),
            Deed::Bid(stall) => {
                let (row, price) = self.stall(stall);
                text.with("row", row as i64 + 1).with("price", i64::from(price))
            }
            Deed::Swap(Goods::NONE) => Text::new("action.swap.none"),
            Deed::Take(goods) | Deed::Swap(goods) => text.with("goods", said::goods(goods)),
            Deed::Cow(barter) => text.with("thing", said::barter(barter, self.data.cow_silver)),
            Deed::Build(hex) => match setting {
                Setting::Site(cost, ..) => text.with("cell", self.map.name(hex)).with("goods", said::goods(cost)),
                _ => text,
            },
            Deed::End => match setting {
                Setting::Spare(silver) => Text::new("action.end.silver").with("n", i64::from(silver)),
                _ => text,
            },
            _ => text,
        }
    }

    /// What would stand where afterwards.
    fn preview(&self, deed: Deed, setting: Setting) -> Vec<Shared<Piece>> {
        match deed {
            Deed::Bank(space, crew) => pieces::crew(self, Spot::Bank(space), crew),
            Deed::Work(space, crew) => pieces::crew(self, Spot::Left(space), crew),
            Deed::Extra(crew) => pieces::crew(self, Spot::Right(setting.space()), crew),
            Deed::Shift(grain) => {
                let id = if self.second && grain > 0 { pieces::SECOND_ARROW } else { pieces::ARROW };
                vec![pieces::arrow(self, id, Some(setting.segment()))]
            }
            Deed::Bid(stall) => match setting {
                Setting::Of(seat) => vec![pieces::contractor(self, seat, Contractor::At(stall))],
                _ => Vec::new(),
            },
            Deed::Build(hex) => match setting {
                Setting::Site(_, owner, tiles) => pieces::settlements(self, owner, hex, tiles),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// An action as people choose it.
    pub(crate) fn choice(&self, state: &State, action: Action) -> Shared<ActionView> {
        static CHOICES: Interner<(Seat, bool, Action, Setting), ActionView> = Interner::new();
        let deed = self.tables.deed(action);
        CHOICES.get((self.seats, self.second, action, self.setting(state, deed)), |&(.., setting)| ActionView {
            token: self.token(action),
            touches: self.touches(deed, setting),
            any_order: in_any_order(deed),
            turn: None,
            label: self.label(deed, setting),
            kind: Self::kind(deed).into(),
            preview: self.preview(deed, setting),
            warning: (deed == Deed::Recruit).then(|| Text::new("warning.spin")),
        })
    }

    /// What an action would bring, where that is not seen at once.
    pub(crate) fn foresee(&self, state: &State, action: Action) -> Prospect {
        let deed = self.tables.deed(action);
        let setting = self.setting(state, deed);
        let (mut texts, mut lines) = (Vec::new(), Vec::new());
        match deed {
            Deed::Build(hex) => self.foresee_site(state, hex, &mut texts),
            Deed::Shift(grain) => {
                if let (Stage::Shift(spun), 1..) = (state.stage, grain) {
                    lines.push(table::way(spun, grain, state.turn));
                    texts.push(Text::new("prospect.pay").with("goods", said::goods(Goods::some(GRAIN, grain))));
                }
                let mut workers = said::segment(&self.data.wheel[usize::from(setting.segment())]);
                if let (true, 1.., Stage::Shift(spun)) = (self.second, grain, state.stage) {
                    let first = said::segment(&self.data.wheel[usize::from(spun)]);
                    workers = Text::new("things.2").with("a", first).with("b", workers);
                }
                texts.push(Text::new("prospect.shift").with("crew", workers));
            }
            Deed::Bank(space, _) => {
                let others = (0..4).filter(|&other| other != usize::from(space));
                if others.into_iter().all(|other| state.bank[other] != 0) {
                    texts.push(Text::new("prospect.clear").with("place", said::place(4)));
                }
            }
            Deed::Work(space, _) => {
                let (place, count) = (
                    usize::from(space / 3),
                    self.data.production[usize::from(space / 3)].left[usize::from(space % 3)].1,
                );
                let mut others = (place * 3..place * 3 + 3).filter(|&other| other != usize::from(space));
                if others.all(|other| state.left[other] != 0) {
                    texts.push(Text::new("prospect.clear").with("place", said::place(space / 3)));
                }
                Self::foresee_gain(state, self.data.production[place].good, count, &mut texts);
            }
            Deed::Extra(_) => {
                let production = &self.data.production[usize::from(setting.space() / 3)];
                Self::foresee_gain(state, production.good, production.right, &mut texts);
            }
            Deed::Cow(Barter::Good(lane)) => Self::foresee_gain(state, lane.into(), 1, &mut texts),
            Deed::Take(goods) => {
                for (lane, count) in goods.counts().into_iter().enumerate() {
                    Self::foresee_gain(state, lane, count, &mut texts);
                }
            }
            Deed::Swap(small) => {
                for (lane, count) in small.counts().into_iter().enumerate().filter(|&(_, count)| count > 0) {
                    Self::foresee_gain(state, lane + 1, count, &mut texts);
                }
            }
            _ => {}
        }
        Prospect { pieces: self.preview(deed, setting), lines, texts }
    }

    /// Says so if a gain will cost everybody something (rules 11).
    fn foresee_gain(state: &State, lane: usize, count: u8, texts: &mut Vec<Text>) {
        if state.supply.count(lane) < count {
            texts.push(Text::new("prospect.shortage").with("thing", said::good(lane)));
        }
    }

    fn foresee_site(&self, state: &State, hex: u8, texts: &mut Vec<Text>) {
        let brought = self.brought(state, hex);
        texts.push(Text::new("prospect.pay").with("goods", said::goods(self.cost(&state.land, hex))));
        if state.land.cows.contains(hex) {
            texts.push(Text::new("prospect.cow"));
        }
        let canteens = self.canteens_beside(&state.land, hex).count();
        if canteens > 0 {
            texts.push(Text::new("prospect.canteen").with("n", canteens as i64));
        }
        if brought.doubled > 0 {
            texts.push(Text::new("prospect.double"));
        }
        if brought.lined > 0 {
            texts.push(Text::new("prospect.line"));
        }
        let left = state.active().tiles - brought.tiles();
        texts.push(match left {
            0 => Text::new("prospect.last"),
            _ => Text::new("prospect.tiles").with("n", i64::from(left)),
        });
    }

    /// What is said of a hex that nobody ever builds on, being no plain.
    pub(crate) fn barren(&self, state: &State, hex: u8) -> Option<(&'static str, u32)> {
        match table::ground(self, state, hex) {
            Some(Ground::Lake) => Some(("refuse.lake", 5)),
            Some(Ground::Mountain) => Some(("refuse.mountain", 5)),
            Some(Ground::Plain { .. }) | None => None,
        }
    }
}

/// Whose hand lies on the table: that of the seat that looks; for a spectator that of the seat to act, or whose turn it is.
pub(crate) fn hand(game: &Montana, state: &State, acting: Option<Seat>, viewer: Option<Seat>) -> Seat {
    viewer.filter(|&seat| seat < game.seats).or(acting).unwrap_or(state.turn)
}

/// Whether the cells of an action may be touched in any order: a space and its workers, or several things.
pub(crate) fn in_any_order(deed: Deed) -> bool {
    !matches!(deed, Deed::Cow(_) | Deed::Build(_) | Deed::Bid(_) | Deed::Shift(_))
}
