//! The rules: set-up, turns, scoring, the end.

use tavola_core::info::{Info, OptionSpec, Options};
use tavola_core::{Actor, Compiled, Features, Game, Outcome, Seat, SeatSet};

use crate::actions::{Action, ActionKind, PILES, PileIndex, insert_marker_moves, insert_tiles};
use crate::cells::{PAIRS, Pair};
use crate::rim::{self, MARKERS, RimPosition, RimPositions, positions_on};
use crate::state::{SEATS, Stage, State};
use crate::tiles::{Placement, TILE_TYPES, WAYS};
use crate::weights;

/// The round in which a seat reaches these points is the last (rules 17).
pub(crate) const GOAL: u32 = 50;

/// The number of marker moves in a row that ends the game (rules 18a).
pub(crate) const IDLE: u8 = 60;

/// The number of actions in a turn (rules 9).
pub(crate) const TURN: u8 = 2;

/// The game for a number of players.
#[derive(Clone, Copy, Debug)]
pub struct Passtally {
    pub(crate) seats: u8,
    /// The points at the start (rules 23).
    pub(crate) head_start: [u32; SEATS],
    /// The weights of the evaluation.
    pub(crate) weights: &'static Features,
}

impl Passtally {
    /// Whether this round is known to be the last (rules 17).
    #[inline]
    pub(crate) fn is_last_round(state: &State) -> bool {
        state.points.iter().any(|&points| points >= GOAL) || state.used_up().is_some()
    }

    /// Let chance reveal the next tile of the pile, if it has one (rules 10).
    fn reveal_next(state: &mut State, pile: PileIndex) {
        state.due = (state.piles[pile as usize].down > 0).then_some(pile);
    }

    /// End an action, and the turn after its second action (rules 9, 14).
    fn end_action(&self, state: &mut State) {
        if state.stage == (Stage::Turn { taken: TURN }) {
            self.end_turn(state);
        }
    }

    /// Score the turn, then start the next seat's turn or end the game (rules 14, 17, 18a).
    fn end_turn(&self, state: &mut State) {
        Self::score(state);
        let round_ends = state.seat + 1 == self.seats;
        if state.idle >= IDLE || round_ends && Self::is_last_round(state) {
            Self::end(state);
            return;
        }
        state.seat = if round_ends { 0 } else { state.seat + 1 };
        state.stage = Stage::Turn { taken: 0 };
        state.turn += 1;
    }

    fn score(state: &mut State) {
        state.points[usize::from(state.seat)] += state.worth(state.seat);
    }

    fn end(state: &mut State) {
        state.stage = Stage::Over;
        state.due = None;
        state.idle = 0;
        state.seat = 0;
    }

    fn place_marker(&self, state: &mut State, position: RimPosition) {
        let Stage::SetUp { placed, named } = state.stage else { return };
        state.markers[state.seat as usize] |= 1 << position;
        let named = State::name_side(placed, named, position, self.seats);
        let placed = placed + 1;
        if placed == MARKERS * self.seats {
            state.seat = 0;
            state.stage = Stage::Turn { taken: 0 };
        } else {
            state.seat = State::set_up_seat(placed, self.seats);
            state.stage = Stage::SetUp { placed, named };
        }
        state.turn += 1;
    }

    fn place_tile(state: &mut State, pile: PileIndex, placement: Placement) {
        let Stage::Turn { taken } = state.stage else { return };
        state.board.place_tile(placement);
        state.piles[pile as usize].face = None;
        state.idle = 0;
        state.stage = Stage::Turn { taken: taken + 1 };
        if state.is_done() {
            // rules 18: at once, but the seat scores its turn
            Self::score(state);
            Self::end(state);
            return;
        }
        Self::reveal_next(state, pile);
    }

    fn move_marker(state: &mut State, from: RimPosition, to: RimPosition) {
        let Stage::Turn { taken } = state.stage else { return };
        state.markers[state.seat as usize] ^= 1 << from | 1 << to;
        state.idle += 1;
        state.stage = Stage::Turn { taken: taken + 1 };
    }

    fn reveal(&self, state: &mut State, pile: PileIndex, tile_type: u8) {
        let contents = &mut state.piles[pile as usize];
        contents.face = Some(tile_type);
        contents.down = contents.down.wrapping_sub(1);
        let unseen = &mut state.unseen[tile_type as usize];
        *unseen = unseen.wrapping_sub(1);
        state.due = None;
        if matches!(state.stage, Stage::SetUp { .. }) {
            // rules 7: piles 1, 2, 3 in that order
            state.due = Some(pile + 1).filter(|&next| next < PILES);
        } else {
            self.end_action(state);
        }
    }

    #[inline]
    pub(crate) fn apply(&self, state: &mut State, kind: ActionKind) {
        match kind {
            ActionKind::PlaceMarker(position) => self.place_marker(state, position),
            ActionKind::PlaceTile(pile, placement) => {
                if pile < PILES && placement.tile_type < TILE_TYPES && placement.pair < PAIRS {
                    Self::place_tile(state, pile, placement);
                    if state.due.is_none() {
                        self.end_action(state);
                    }
                }
            }
            ActionKind::MoveMarker(from, to) => {
                Self::move_marker(state, from, to);
                self.end_action(state);
            }
            ActionKind::Reveal(pile, tile_type) => {
                if pile < PILES && tile_type < TILE_TYPES {
                    self.reveal(state, pile, tile_type);
                }
            }
        }
    }

    /// The free positions for the next marker of the set-up (rules 8).
    pub(crate) fn set_up_positions(&self, state: &State) -> RimPositions {
        let Stage::SetUp { placed, named } = state.stage else { return 0 };
        let sides = State::sides(placed, named, self.seats);
        let places = (0..4).filter(|side| sides >> side & 1 == 1).fold(0, |places, side| places | positions_on(side));
        places & !state.taken()
    }

    /// Append the legal tile placements, by pile, pair and rotation.
    fn append_tiles(state: &State, actions: &mut Vec<Action>) {
        for pile in 0..PILES {
            let Some(tile_type) = state.piles[pile as usize].face else { continue };
            let two = WAYS[tile_type as usize] == 2;
            let mut open = state.board.open();
            while open != 0 {
                let pair = open.trailing_zeros() as Pair;
                open &= open - 1;
                actions.push(Action::place_tile(pile, Placement { tile_type, pair, reversed: false }));
                if two {
                    actions.push(Action::place_tile(pile, Placement { tile_type, pair, reversed: true }));
                }
            }
        }
    }

    /// Set the bits of the legal actions, by their indices.
    #[inline]
    pub(crate) fn insert_legal(&self, state: &State, words: &mut [u64]) {
        if state.due.is_some() {
            return;
        }
        match state.stage {
            Stage::Over => {}
            Stage::SetUp { .. } => words[0] = self.set_up_positions(state).into(),
            Stage::Turn { .. } => {
                for (pile, contents) in (0..).zip(state.piles) {
                    if let Some(tile_type) = contents.face {
                        insert_tiles(words, pile, tile_type, state.board.open());
                    }
                }
                let taken = state.taken();
                for from in rim::each(state.markers[state.seat as usize]) {
                    insert_marker_moves(words, from, rim::reach(from, taken));
                }
            }
        }
    }

    /// The winner: most points, on a tie the earliest in turn order (rules 19).
    pub(crate) fn winner(&self, state: &State) -> Seat {
        let most = state.points.iter().max().copied().unwrap_or(0);
        (0..self.seats).find(|&seat| state.points[seat as usize] == most).unwrap_or(0)
    }

    /// The reason of the end, derived from the position.
    pub(crate) fn reason(state: &State) -> &'static str {
        if state.is_done() {
            "done"
        } else if state.points.iter().any(|&points| points >= GOAL) {
            "points"
        } else if state.used_up().is_some() {
            "pile"
        } else {
            "idle"
        }
    }
}

impl Compiled for Passtally {
    const INFO: &'static Info = &Info {
        name: "passtally",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: true,
        has_draws: false,
        options: &[
            OptionSpec::new("players", &["2", "3"]),
            OptionSpec::house_rule("balance", &["0", "1", "2", "3", "4", "5", "6", "7", "8"]),
        ],
        assets: tavola_core::assets! {
            lessons: ["first", "lines", "around", "levels", "loops", "turn"],
            networks: [],
        },
    };

    fn new(options: &Options) -> Self {
        let (seats, first) = (options.number("players"), u32::from(options.number("balance")));
        let second = if seats == 2 { 0 } else { first / 2 };
        Self { seats, head_start: [first, second, 0], weights: weights::weights(options) }
    }
}

impl Game for Passtally {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static Info {
        Self::INFO
    }

    fn seats(&self) -> usize {
        self.seats.into()
    }

    fn start(&self) -> State {
        State::new(self.head_start)
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        match (state.stage, state.due) {
            (Stage::Over, _) => Actor::Terminal,
            (_, Some(_)) => Actor::Chance,
            _ => Actor::Seat(state.seat),
        }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.due.is_some() {
            return;
        }
        match state.stage {
            Stage::Over => {}
            Stage::SetUp { .. } => actions.extend(rim::each(self.set_up_positions(state)).map(Action::place_marker)),
            Stage::Turn { .. } => {
                Self::append_tiles(state, actions);
                let taken = state.taken();
                for from in rim::each(state.markers[state.seat as usize]) {
                    actions.extend(rim::each(rim::reach(from, taken)).map(|to| Action::move_marker(from, to)));
                }
            }
        }
    }

    fn chance_outcomes(&self, state: &State, outcomes: &mut Vec<(Action, u64)>) {
        let Some(pile) = state.due else { return };
        let copies = |tile_type: u8| u64::from(state.unseen[tile_type as usize]);
        let kinds = (0..TILE_TYPES).filter(|&tile_type| copies(tile_type) > 0);
        outcomes.extend(kinds.map(|tile_type| (Action::reveal(pile, tile_type), copies(tile_type))));
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.apply(state, action.kind());
    }

    fn turn(&self, state: &State) -> u32 {
        state.turn.into()
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.is_over().then(|| Outcome { winners: SeatSet::one(self.winner(state)), reason: Self::reason(state) })
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.key()
    }
}
