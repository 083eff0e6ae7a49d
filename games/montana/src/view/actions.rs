//! Views of the legal actions: cells to select, label, preview and prospect.

use tavola_core::view::{ActionView, MoveLabel, Piece, Prospect};
use tavola_core::{Interner, Notation, Seat, Shared, SmolStr, Text, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::components::Ground;
use crate::crews::Crew;
use crate::game::Montana;
use crate::multiset::{GRAIN, Goods, Workers};
use crate::prices::{CowTrade, Space};
use crate::state::{Contractor, Stage, State};
use crate::view::board;
use crate::view::labels::{self, GOOD_IDS, WORKER_IDS};
use crate::view::layout::{self, hand_cell, supply_cell};
use crate::view::pieces::{self, WorkSpace};

/// Returns a cell for each worker of a crew.
fn worker_cells(workers: Workers, cell: fn(&str) -> SmolStr) -> impl Iterator<Item = SmolStr> {
    let kinds = workers.counts().into_iter().zip(WORKER_IDS);
    kinds.flat_map(move |(count, id)| std::iter::repeat_n(cell(id), count.into()))
}

fn good_cells(goods: Goods, cell: fn(&str) -> SmolStr) -> impl Iterator<Item = SmolStr> {
    let kinds = goods.counts().into_iter().zip(GOOD_IDS);
    kinds.flat_map(move |(count, id)| std::iter::repeat_n(cell(id), count.into()))
}

/// The details of a position that the view of an action depends on. Equal views are interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Setting {
    Any,
    /// The space of the second crew.
    Beside(Space),
    /// The segment that the arrow would reach.
    On(u8),
    /// The owner of the contractor.
    Of(Seat),
    /// The cost of a site, its builder, and the number of tiles.
    Site(Goods, Seat, u8),
    /// The silver for sites not built.
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
    /// Returns the setting of a legal action.
    fn setting(&self, state: &State, kind: ActionKind) -> Setting {
        match (kind, state.stage) {
            (ActionKind::Extra(_), Stage::Extra(space)) => Setting::Beside(space),
            (ActionKind::Shift(grain), Stage::Shift(segment)) => Setting::On((segment + grain) % 8),
            (ActionKind::Bid(_), Stage::Bid(seat)) => Setting::Of(seat),
            (ActionKind::Build(hex), _) => {
                Setting::Site(self.cost(&state.land, hex), state.turn, self.bonus_tiles(state, hex).tiles())
            }
            (ActionKind::End, Stage::Build(sites)) => Setting::Spare(self.unbuilt_site_silver(sites)),
            _ => Setting::Any,
        }
    }

    fn crew(&self, crew: Crew) -> Workers {
        self.tables.crews[usize::from(crew)]
    }

    /// Returns the cells to select for an action.
    fn touches(&self, kind: ActionKind, setting: Setting) -> Vec<SmolStr> {
        let with = |first: SmolStr, crew: Crew| {
            std::iter::once(first).chain(worker_cells(self.crew(crew), hand_cell)).collect()
        };
        match kind {
            ActionKind::Bank(space, crew) => with(layout::bank_cell(space), crew),
            ActionKind::Work(space, crew) => with(layout::left_cell(space), crew),
            ActionKind::Extra(crew) => with(layout::right_cell(setting.space()), crew),
            ActionKind::Shift(_) => vec![layout::segment_cell(setting.segment())],
            ActionKind::Hire(crew) => worker_cells(self.crew(crew), supply_cell).collect(),
            ActionKind::Return(crew) => worker_cells(self.crew(crew), hand_cell).collect(),
            ActionKind::Bid(city_space) => vec![layout::city_cell(self, city_space)],
            ActionKind::Take(goods) => good_cells(goods, supply_cell).collect(),
            ActionKind::Swap(small) => good_cells(small, hand_cell).collect(),
            ActionKind::Build(hex) => vec![self.map.name(hex)],
            ActionKind::Cow(trade) => vec![hand_cell("cow"), supply_cell(layout::trade_column(trade))],
            // Buttons and chance outcomes need no cells.
            _ => Vec::new(),
        }
    }

    fn kind(kind: ActionKind) -> &'static str {
        match kind {
            ActionKind::Recruit => "recruit",
            ActionKind::Shift(_) => "shift",
            ActionKind::Hire(_) => "hire",
            ActionKind::Return(_) => "return",
            ActionKind::Bank(..) => "bank",
            ActionKind::Work(..) => "work",
            ActionKind::Extra(_) => "extra",
            ActionKind::City => "city",
            ActionKind::Bid(_) => "bid",
            ActionKind::Pass => "pass",
            ActionKind::Take(_) => "take",
            ActionKind::Swap(_) => "swap",
            ActionKind::Build(_) => "build",
            ActionKind::Cow(_) => "cow",
            ActionKind::Canteen => "canteen",
            ActionKind::End
            | ActionKind::Tile(_)
            | ActionKind::Turn(_)
            | ActionKind::Start(_)
            | ActionKind::Spin(_) => "end",
        }
    }

    fn label(&self, kind: ActionKind, setting: Setting) -> Text {
        let text = Text::new(format_smolstr!("action.{}", Self::kind(kind)));
        let crew = |crew: Crew| labels::workers(self.crew(crew));
        match kind {
            ActionKind::Bank(space, workers) => {
                let (_, silver) = self.components.prices.bank[usize::from(space)];
                text.with("crew", crew(workers)).with("silver", labels::silver(silver))
            }
            ActionKind::Work(space, workers) => {
                let production = &self.components.prices.production[usize::from(space / 3)];
                let (silver, count) = production.left[usize::from(space % 3)];
                text.with("place", labels::heading(space / 3))
                    .with("crew", crew(workers))
                    .with("silver", labels::silver(silver))
                    .with("goods", labels::goods(Goods::some(production.good, count)))
            }
            ActionKind::Extra(workers) => {
                let production = &self.components.prices.production[usize::from(setting.space() / 3)];
                text.with("crew", crew(workers))
                    .with("goods", labels::goods(Goods::some(production.good, production.right)))
            }
            ActionKind::Shift(grain) => {
                let pair = labels::segment(&self.components.wheel[usize::from(setting.segment())]);
                let text = if grain == 0 { Text::new("action.shift.0") } else { text.with("n", i64::from(grain)) };
                text.with("pair", pair)
            }
            ActionKind::Hire(workers) | ActionKind::Return(workers) => text.with("crew", crew(workers)),
            ActionKind::Bid(city_space) => {
                let (row, price) = self.city_space(city_space);
                text.with("row", row as i64 + 1).with("price", i64::from(price))
            }
            ActionKind::Swap(Goods::NONE) => Text::new("action.swap.none"),
            ActionKind::Take(goods) | ActionKind::Swap(goods) => text.with("goods", labels::goods(goods)),
            ActionKind::Cow(trade) => text.with("thing", labels::trade(trade, self.components.cow_silver)),
            ActionKind::Build(hex) => match setting {
                Setting::Site(cost, ..) => text.with("cell", self.map.name(hex)).with("goods", labels::goods(cost)),
                _ => text,
            },
            ActionKind::End => match setting {
                Setting::Spare(silver) => Text::new("action.end.silver").with("n", i64::from(silver)),
                _ => text,
            },
            _ => text,
        }
    }

    /// Returns the pieces that the action would place.
    fn preview(&self, kind: ActionKind, setting: Setting) -> Vec<Shared<Piece>> {
        match kind {
            ActionKind::Bank(space, crew) => pieces::crew(self, WorkSpace::Bank(space), crew),
            ActionKind::Work(space, crew) => pieces::crew(self, WorkSpace::Left(space), crew),
            ActionKind::Extra(crew) => pieces::crew(self, WorkSpace::Right(setting.space()), crew),
            ActionKind::Shift(grain) => {
                let id = if self.second && grain > 0 { pieces::SECOND_ARROW } else { pieces::ARROW };
                vec![pieces::arrow(self, id, Some(setting.segment()))]
            }
            ActionKind::Bid(city_space) => match setting {
                Setting::Of(seat) => vec![pieces::contractor(self, seat, Contractor::At(city_space))],
                _ => Vec::new(),
            },
            ActionKind::Build(hex) => match setting {
                Setting::Site(_, owner, tiles) => pieces::settlements(self, owner, hex, tiles),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Returns an action for the list of moves: its pieces, and the label without the hex. `None` for chance outcomes
    /// whose event has no hex.
    pub(crate) fn label_of_move(&self, state: &State, action: Action) -> Option<MoveLabel> {
        let kind = self.tables.kind(action);
        let setting = self.setting(state, kind);
        let workers = |crew: Crew| worker_cells(self.crew(crew), |id| format_smolstr!("worker-{id}")).collect();
        let symbols = match kind {
            ActionKind::Bank(_, crew)
            | ActionKind::Work(_, crew)
            | ActionKind::Extra(crew)
            | ActionKind::Hire(crew)
            | ActionKind::Return(crew) => workers(crew),
            ActionKind::Build(_) | ActionKind::Bid(_) => {
                self.preview(kind, setting).iter().map(|piece| piece.symbol.clone()).collect()
            }
            ActionKind::Cow(_) => vec!["cow".into()],
            ActionKind::Canteen => vec!["canteen".into()],
            ActionKind::Start(_) => vec!["start".into()],
            ActionKind::Tile(_) | ActionKind::Turn(_) | ActionKind::Spin(_) => return None,
            _ => Vec::new(),
        };
        let text = match (kind, setting) {
            (ActionKind::Build(_), Setting::Site(cost, ..)) => {
                Text::new("move.build").with("goods", labels::goods(cost))
            }
            (ActionKind::Start(_), _) => Text::new("move.start"),
            _ => self.label(kind, setting),
        };
        let cells = match kind {
            ActionKind::Start(hex) => vec![self.map.name(hex)],
            _ => self.touches(kind, setting),
        };
        let in_hand = |cell: &SmolStr| cell.starts_with("hand-") || cell.starts_with("supply-");
        Some(MoveLabel { symbols, text, cells: cells.into_iter().filter(|cell| !in_hand(cell)).collect() })
    }

    /// Returns the view of an action.
    pub(crate) fn action_view(&self, state: &State, action: Action) -> Shared<ActionView> {
        static CHOICES: Interner<(Seat, bool, Action, Setting), ActionView> = Interner::new();
        let kind = self.tables.kind(action);
        CHOICES.get((self.seats, self.second, action, self.setting(state, kind)), |&(.., setting)| ActionView {
            token: self.token(action),
            touches: self.touches(kind, setting),
            any_order: in_any_order(kind),
            turn: None,
            label: self.label(kind, setting),
            kind: Self::kind(kind).into(),
            preview: self.preview(kind, setting),
            warning: (kind == ActionKind::Recruit).then(|| Text::new("warning.spin")),
        })
    }

    /// Returns the consequences of an action that the board does not show.
    pub(crate) fn prospect_of(&self, state: &State, action: Action) -> Prospect {
        let kind = self.tables.kind(action);
        let setting = self.setting(state, kind);
        let (mut texts, mut lines) = (Vec::new(), Vec::new());
        match kind {
            ActionKind::Build(hex) => self.site_prospect(state, hex, &mut texts),
            ActionKind::Shift(grain) => {
                if let (Stage::Shift(spun), 1..) = (state.stage, grain) {
                    lines.push(board::arrow_path(spun, grain, state.turn));
                    texts.push(Text::new("prospect.pay").with("goods", labels::goods(Goods::some(GRAIN, grain))));
                }
                let mut workers = labels::segment(&self.components.wheel[usize::from(setting.segment())]);
                if let (true, 1.., Stage::Shift(spun)) = (self.second, grain, state.stage) {
                    let first = labels::segment(&self.components.wheel[usize::from(spun)]);
                    workers = Text::new("things.2").with("a", first).with("b", workers);
                }
                texts.push(Text::new("prospect.shift").with("crew", workers));
            }
            ActionKind::Bank(space, _) => {
                let others = (0..4).filter(|&other| other != usize::from(space));
                if others.into_iter().all(|other| state.bank[other] != 0) {
                    texts.push(Text::new("prospect.clear").with("place", labels::place(4)));
                }
            }
            ActionKind::Work(space, _) => {
                let (place, count) = (
                    usize::from(space / 3),
                    self.components.prices.production[usize::from(space / 3)].left[usize::from(space % 3)].1,
                );
                let mut others = (place * 3..place * 3 + 3).filter(|&other| other != usize::from(space));
                if others.all(|other| state.left[other] != 0) {
                    texts.push(Text::new("prospect.clear").with("place", labels::place(space / 3)));
                }
                Self::shortage_prospect(state, self.components.prices.production[place].good, count, &mut texts);
            }
            ActionKind::Extra(_) => {
                let production = &self.components.prices.production[usize::from(setting.space() / 3)];
                Self::shortage_prospect(state, production.good, production.right, &mut texts);
            }
            ActionKind::Cow(CowTrade::Good(lane)) => Self::shortage_prospect(state, lane.into(), 1, &mut texts),
            ActionKind::Take(goods) => {
                for (lane, count) in goods.counts().into_iter().enumerate() {
                    Self::shortage_prospect(state, lane, count, &mut texts);
                }
            }
            ActionKind::Swap(small) => {
                for (lane, count) in small.counts().into_iter().enumerate().filter(|&(_, count)| count > 0) {
                    Self::shortage_prospect(state, lane + 1, count, &mut texts);
                }
            }
            _ => {}
        }
        Prospect { pieces: self.preview(kind, setting), lines, texts, ..Prospect::default() }
    }

    /// Adds a text if a gain causes a shortage (rules 11).
    fn shortage_prospect(state: &State, lane: usize, count: u8, texts: &mut Vec<Text>) {
        if state.supply.count(lane) < count {
            texts.push(Text::new("prospect.shortage").with("thing", labels::good(lane)));
        }
    }

    fn site_prospect(&self, state: &State, hex: u8, texts: &mut Vec<Text>) {
        let bonus_tiles = self.bonus_tiles(state, hex);
        texts.push(Text::new("prospect.pay").with("goods", labels::goods(self.cost(&state.land, hex))));
        if state.land.cows.contains(hex) {
            texts.push(Text::new("prospect.cow"));
        }
        let canteens = self.canteens_beside(&state.land, hex).count();
        if canteens > 0 {
            texts.push(Text::new("prospect.canteen").with("n", canteens as i64));
        }
        if bonus_tiles.doubled > 0 {
            texts.push(Text::new("prospect.double"));
        }
        if bonus_tiles.lined > 0 {
            texts.push(Text::new("prospect.line"));
        }
        let left = state.active().tiles - bonus_tiles.tiles();
        texts.push(match left {
            0 => Text::new("prospect.last"),
            _ => Text::new("prospect.tiles").with("n", i64::from(left)),
        });
    }

    /// Returns why a hex without a plain can never be built on.
    pub(crate) fn unbuildable(&self, state: &State, hex: u8) -> Option<(&'static str, u32)> {
        match board::ground(self, state, hex) {
            Some(Ground::Lake) => Some(("illegal.lake", 5)),
            Some(Ground::Mountain) => Some(("illegal.mountain", 5)),
            Some(Ground::Plain { .. }) | None => None,
        }
    }
}

/// Returns the seat whose player board is shown: the viewer's, or for a spectator that of the seat to act.
pub(crate) fn hand(game: &Montana, state: &State, acting: Option<Seat>, viewer: Option<Seat>) -> Seat {
    viewer.filter(|&seat| seat < game.seats).or(acting).unwrap_or(state.turn)
}

/// Whether the cells of an action may be selected in any order.
pub(crate) fn in_any_order(kind: ActionKind) -> bool {
    !matches!(kind, ActionKind::Cow(_) | ActionKind::Build(_) | ActionKind::Bid(_) | ActionKind::Shift(_))
}
