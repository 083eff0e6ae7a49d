//! The rules: what is legal, what an action does, how the game ends.

use tavola_core::info::{Info, OptionSpec, Options};
use tavola_core::{Actor, Compiled, Features, Game, Outcome};

use crate::actions::{Action, ActionKind, actions_to};
use crate::hex::Hex;
use crate::stacks::{BLANK, TileSet};
use crate::state::{End, Reason, Start, State};
use crate::weights;

/// The number of own stacks at the start of a turn that wins (rules 10a).
pub(crate) const STACKS_TO_WIN: u8 = 3;

/// The maximum number of turns (rules 10c).
pub(crate) const MOST_TURNS: u8 = 200;

/// The game with its options.
#[derive(Clone, Copy, Debug)]
pub struct Potlatch {
    /// Actions in a turn: 2 or 3 (rules 1).
    pub(crate) actions: u8,
    /// Base tiles in the game: nine or twelve (rules 1).
    pub(crate) tiles: u8,
    layout: Layout,
    /// The weights of the evaluation.
    pub(crate) weights: &'static Features,
}

#[derive(Clone, Copy, Debug)]
enum Layout {
    Triangle,
    Rhombus,
    Row,
}

impl Layout {
    /// The tiles at the start, and the pawns, Red's first (rules 4).
    const fn places(self) -> (&'static [Hex], [Hex; 2]) {
        const TRIANGLE: [Hex; 3] = [Hex::new(0, 0), Hex::new(1, 0), Hex::new(0, 1)];
        const RHOMBUS: [Hex; 4] = [Hex::new(0, 0), Hex::new(1, 0), Hex::new(0, 1), Hex::new(1, -1)];
        const ROW: [Hex; 3] = [Hex::new(-1, 0), Hex::new(0, 0), Hex::new(1, 0)];
        match self {
            Self::Triangle => (&TRIANGLE, [Hex::new(0, 0), Hex::new(1, 0)]),
            Self::Rhombus => (&RHOMBUS, [Hex::new(0, 1), Hex::new(1, -1)]),
            Self::Row => (&ROW, [Hex::new(-1, 0), Hex::new(1, 0)]),
        }
    }
}

impl Potlatch {
    /// Whether a base tile is left to place (rules 7, 8).
    pub(crate) const fn tile_left(&self, state: &State) -> bool {
        state.tiles < self.tiles
    }

    /// The legal actions, one bit each (rules 7, 8).
    fn legal(&self, state: &State) -> u16 {
        let pawn = state.pawn();
        let rival = state.pawns[1 - state.seat() as usize];
        let closed = if self.tile_left(state) { TileSet::EMPTY } else { TileSet::one(BLANK) };
        let after = state.increased();
        let level = state.stacks.level_with(state.stacks.height(pawn));
        let walkable = level.without(state.visited.with(rival)).without(closed);
        let room = after.with_room().without(closed).provided(after.code(pawn) > 0);
        actions_to(state, room, walkable)
    }

    /// Update the legal actions and the end of the game. Call it after every change.
    #[inline]
    pub(crate) fn judge(&self, state: &mut State) {
        state.end = if state.taken == 0 { end_at_start(state) } else { None };
        state.legal = if state.end.is_some() { 0 } else { self.legal(state) };
        if state.end.is_none() && state.legal == 0 {
            // rules 11
            state.end = Some(End { winner: Some(1 - state.seat()), reason: Reason::Blocked });
        }
    }
}

fn move_pawn(state: &mut State, direction: usize) {
    let tile = state.reach(direction);
    if state.stacks.with_room().contains(tile) {
        // The run will add a chip, so no earlier start can come back (rules 13), nor can this turn's.
        state.forget();
    } else if state.taken == 0 {
        state.remember();
    }
    state.enter(tile);
}

fn move_chip(state: &mut State, direction: usize) {
    if state.taken == 0 {
        state.remember();
    }
    state.increase();
    let (from, tile) = (state.pawn(), state.reach(direction));
    // A coloured third chip is swapped for a neutral one first, so two neutral ones stay (rules 8).
    state.stacks.set(from, state.stacks.height(from) - 1);
    state.stacks.set(tile, state.stacks.code(tile) + 1);
}

fn end_turn(state: &mut State) {
    state.increase();
    state.turns += 1;
    state.taken = 0;
    state.begin_turn();
}

/// The end of the game at the start of a turn, checked in order (rules 10).
fn end_at_start(state: &State) -> Option<End> {
    let own = |seat| state.stacks.of_seat(seat).len();
    if own(state.seat()) >= STACKS_TO_WIN {
        return Some(End { winner: Some(state.seat()), reason: Reason::Stacks });
    }
    let by_stacks = |reason| {
        let winner = match own(0).cmp(&own(1)) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        };
        Some(End { winner, reason })
    };
    // The last stored start is the opponent's turn. A seat's own starts are two turns apart.
    let mut own_starts = state.past.iter().rev().skip(1).step_by(2);
    let now = Start::new(state.stacks, state.pawns);
    if let Some(previous) = own_starts.next() {
        if previous.stacks() == state.stacks {
            return by_stacks(Reason::Standstill);
        }
        if own_starts.filter(|&&start| start == now).count() >= 2 {
            return by_stacks(Reason::Repetition);
        }
    }
    if state.turns == MOST_TURNS { by_stacks(Reason::Limit) } else { None }
}

impl Compiled for Potlatch {
    const INFO: &'static Info = &Info {
        name: "potlatch",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: false,
        has_draws: true,
        options: &[OptionSpec::new("actions", &["2", "3"]), OptionSpec::new("layout", &["triangle", "rhombus", "row"])],
        assets: tavola_core::assets! {
            lessons: ["first", "safe", "feed", "break", "trap"],
            networks: ["actions-2-triangle"],
        },
    };

    fn new(options: &Options) -> Self {
        let actions = options.number("actions");
        let layout = match options.get("layout") {
            "rhombus" => Layout::Rhombus,
            "row" => Layout::Row,
            _ => Layout::Triangle,
        };
        Self { actions, tiles: if actions == 2 { 9 } else { 12 }, layout, weights: weights::weights(options) }
    }
}

impl Game for Potlatch {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static Info {
        Self::INFO
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        let (tiles, pawns) = self.layout.places();
        let mut state = State::bare(tiles, pawns);
        self.judge(&mut state);
        state
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        if state.end.is_some() { Actor::Terminal } else { Actor::Seat(state.seat()) }
    }

    #[inline]
    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        let mut left = state.legal;
        while left != 0 {
            actions.push(Action::from_index(left.trailing_zeros() as u8));
            left &= left - 1;
        }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        match action.kind() {
            ActionKind::PawnMove => move_pawn(state, action.direction()),
            ActionKind::ChipMove => move_chip(state, action.direction()),
        }
        state.taken += 1;
        if state.taken == self.actions {
            end_turn(state);
        }
        self.judge(state);
    }

    fn turn(&self, state: &State) -> u32 {
        u32::from(state.turns) + 1
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.end.map(End::outcome)
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.key()
    }
}
