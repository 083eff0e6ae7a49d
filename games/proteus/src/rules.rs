//! The rules: placement, moves and trades, flips, goals, draws.

use std::fmt::Debug;

use tavola_core::info::{Info, OptionSpec, Options};
use tavola_core::{Actor, CancelToken, Compiled, Features, Game, Outcome, PerfectResult, Seat};

use crate::actions::{Action, ActionKind, insert, insert_counters, insert_tiles, insert_walks};
use crate::board::{Cell, Cells, MOVES, each};
use crate::completion::{completions, needed, placed};
use crate::goals::Goals;
use crate::pieces::{BLUE, Faces, Goal, RED, Shape, TILES, Trade, YELLOW, colour_of, shape_of};
use crate::preset::Preset;
use crate::solved::Openings;
use crate::state::{Board, End, FULL, Reason, SET, State, THREE, tile_with};
use crate::weights::weights;

/// The movement phase ends with this action at the latest (rules 18).
pub(crate) const MOST_ACTIONS: u16 = 300;

/// With this many pieces left to place, a missing colour must be turned up where that is possible (rules 10).
pub(crate) const LAST_PLACEMENTS: u32 = 6;

/// The red and the blue tiles, a bit each.
const RED_AND_BLUE: u16 = 0o77;

/// For each set of colours the matches on their tiles, a set of tiles for each shape of the counter.
static MATCHES: [u64; 8] = {
    let mut matches = [0; 8];
    let mut tile = 0;
    while tile < TILES {
        let mut colours = 0;
        while colours < 8 {
            if colours >> colour_of(tile) & 1 == 1 {
                matches[colours] |= 1 << (SET * shape_of(tile) as u32 + tile as u32);
            }
            colours += 1;
        }
        tile += 1;
    }
    matches
};

/// Play by a solution of the game.
pub(crate) trait PerfectPlay: Debug + Sync {
    /// The result of a position of the movement phase; `None` for a placement.
    fn result(&self, game: &Proteus, state: &State) -> Option<PerfectResult>;

    /// The placements with the best result, as far as a search tells; all of them if the work is cancelled.
    fn best_placements(&self, game: &Proteus, state: &State, actions: Vec<Action>, stop: &CancelToken) -> Vec<Action>;
}

/// The game under its options.
#[derive(Clone, Copy, Debug)]
pub struct Proteus {
    /// The option `rules`.
    pub(crate) preset: Preset,
    /// Whether a missing colour must be turned up in the last placements (rules 10): not in `kadon`.
    pub(crate) must_turn_up: bool,
    /// Whether only the seat that has just acted can win (rules 13): not in `kadon`.
    pub(crate) only_actor_wins: bool,
    /// Whether the first action of the movement phase cannot win (rules 21).
    pub(crate) balance: bool,
    pub(crate) faces: Faces,
    pub(crate) goals: Goals,
    /// [`completions`] of the preset.
    completions: &'static [u32],
    /// Of the evaluation.
    pub(crate) weights: &'static Features,
    /// The results of the first placements, where they are known.
    pub(crate) openings: Option<&'static Openings>,
    /// Play by the solution, where its file is open.
    pub(crate) perfect: Option<&'static dyn PerfectPlay>,
}

impl Proteus {
    /// The active red rule as an index into [`MOVES`].
    pub(crate) fn red(state: &State) -> Shape {
        state.board.up(RED).expect("in the movement phase every colour has a tile up")
    }

    #[inline]
    pub(crate) fn trade_rule(&self, board: &Board) -> Trade {
        self.faces.trades[board.up(BLUE).expect("in the movement phase every colour has a tile up") as usize]
    }

    pub(crate) fn goal(&self, state: &State) -> Option<Goal> {
        state.board.up(YELLOW).map(|shape| self.faces.goals[shape as usize])
    }

    /// Where a counter may go from a cell (rules 12).
    #[inline]
    pub(crate) fn reach(state: &State, from: Cell) -> Cells {
        MOVES[Self::red(state) as usize][from as usize] & !state.board.occupied()
    }

    /// The nine trades of the movement phase (rules 12), as pairs of cells.
    pub(crate) fn trades(&self, state: &State) -> [(Cell, Cell); 9] {
        let rule = self.trade_rule(&state.board);
        std::array::from_fn(|place| Self::trade(&state.board, rule, place as u8))
    }

    /// One of the nine trades under a rule.
    #[inline]
    pub(crate) fn trade(board: &Board, rule: Trade, place: u8) -> (Cell, Cell) {
        let (group, left_out) = (place / 3, place % 3);
        let both = match rule {
            Trade::Polarity => board.under(group) | board.under(3 + left_out),
            Trade::Color => board.coloured(group) & !board.shaped(left_out),
            Trade::Shape => board.shaped(group) & !board.coloured(left_out),
        };
        (both.trailing_zeros() as Cell, (both & both.wrapping_sub(1)).trailing_zeros() as Cell)
    }

    /// The cells where the seat to act may place its counter of a shape, given [`Proteus::open_tiles`] or a part of them.
    fn counter_cells(state: &State, open: u64, shape: Shape) -> Cells {
        let open = open >> (SET * u32::from(shape)) & FULL;
        each(open as Cells).filter_map(|tile| state.board.cell_of(tile)).fold(0, |cells, cell| cells | 1 << cell)
    }

    /// The part of [`Proteus::open_tiles`] that the seat to act must choose from, since a colour is missing in the last
    /// placements (rules 10); empty if it is free.
    #[inline]
    pub(crate) fn due_tiles(&self, state: &State, open: u64) -> u64 {
        let need = needed(state.rest);
        let due = self.must_turn_up && need != 0 && state.board.left_to_place() <= LAST_PLACEMENTS;
        if due { open & MATCHES[need] } else { 0 }
    }

    /// The tiles on the board where the seat to act may place its counters, a set for each shape (rules 5, 9, 10).
    ///
    /// The duty of the last placements is not considered: see [`Proteus::due_tiles`].
    #[inline]
    pub(crate) fn open_tiles(&self, state: &State) -> u64 {
        const ALL: u64 = FULL * THREE;
        const LOWS: u64 = (FULL >> 1) * THREE;
        let own = state.board.counters >> (3 * SET * u32::from(state.seat)) & ALL;
        // The highest bit of each set that is not empty: these counters are down.
        let down = (own | ((own & LOWS) + LOWS)) & ALL & !LOWS;
        let down = (down >> (SET - 1)) * FULL;
        let open = u64::from(self.completions[state.rest as usize]) & ALL;
        open & !(down | (u64::from(state.board.pool()) * THREE))
    }

    /// Places a counter; the tile that it turns up, if any (rules 8, 9).
    #[inline]
    fn place_counter(state: &mut State, shape: Shape, cell: Cell) -> u16 {
        let tile = tile_with(state.board.bits_at(cell));
        state.board.put_counter(3 * state.seat + shape, cell);
        state.rest = state.rest.wrapping_sub(placed(shape, tile));
        let colour = colour_of(tile);
        if shape_of(tile) != shape || state.board.up(colour).is_some() {
            return 0;
        }
        state.rest = state.rest.wrapping_sub(1 << colour);
        1 << tile
    }

    /// Moves a counter; the tile at its destination, if they are a pair (rules 14).
    #[inline]
    pub(crate) fn walk(board: &mut Board, from: Cell, to: Cell) -> u16 {
        let bits = board.bits_at(to);
        let shape = board.move_counter(from, to);
        u16::from(bits >> (3 * SET) & shape != 0) << tile_with(bits)
    }

    /// Trades two tiles; those of them that are pairs with the counters on them (rules 14).
    #[inline]
    pub(crate) fn exchange(board: &mut Board, one: Cell, other: Cell) -> u16 {
        let pair = |cell: Cell, bits: u64| {
            let counter = board.counters >> cell;
            let shape = (counter | counter >> (3 * SET)) & bits >> (3 * SET) & THREE;
            u16::from(shape != 0) << tile_with(bits)
        };
        let pairs = pair(one, board.bits_at(other)) | pair(other, board.bits_at(one));
        board.swap_tiles(one, other);
        pairs
    }

    /// Plays an action up to the flips; what comes after them is [`Proteus::finish`].
    ///
    /// Returns the face-down tiles that were to turn up: two of one colour cancelled each other (rules 15).
    #[inline]
    pub(crate) fn perform(state: &mut State, kind: ActionKind) -> u16 {
        let pairs = match kind {
            ActionKind::Tile(tile, cell) => {
                state.board.put_tile(tile, cell);
                return 0;
            }
            ActionKind::Pass => return 0,
            ActionKind::Counter(shape, cell) => Self::place_counter(state, shape, cell),
            ActionKind::Move(from, to) => Self::walk(&mut state.board, from, to),
            ActionKind::Trade(one, other) => Self::exchange(&mut state.board, one, other),
        };
        let new = pairs & !state.board.ups();
        state.board.turn_up(new);
        new
    }

    #[inline]
    pub(crate) fn play_kind(&self, state: &mut State, kind: ActionKind) {
        if state.count.is_some() {
            state.repetition.add(state.position());
        }
        Self::perform(state, kind);
        self.finish(state);
    }

    /// Ends the action: count, seat, goal, draws (rules 11, 13, 18).
    #[inline]
    fn finish(&self, state: &mut State) {
        state.seat = 1 - state.seat;
        match &mut state.count {
            Some(count) => *count += 1,
            None if state.board.is_full() => state.count = Some(0),
            None => {}
        }
        self.judge(state);
    }

    /// The seat that wins on this board after an action of `actor` (rules 13).
    #[inline]
    pub(crate) fn winner(&self, board: &Board, actor: Seat) -> Option<Seat> {
        self.goals.winner(board).filter(|&winner| winner == actor || !self.only_actor_wins)
    }

    /// Whether the action with this number in the movement phase can win (rules 21).
    #[inline]
    pub(crate) fn can_win(&self, number: u16) -> bool {
        !(self.balance && number == 1)
    }

    /// The seat that wins if the last action could win (rules 13).
    #[inline]
    pub(crate) fn winner_if_possible(&self, state: &State) -> Option<Seat> {
        // Only the preset `kadon` looks at what the placement leaves.
        let tested = self.preset == Preset::Kadon || state.count.is_some_and(|count| count > 0);
        if tested { self.winner(&state.board, 1 - state.seat) } else { None }
    }

    /// Updates whether the game is over (rules 13, 18, 21).
    pub(crate) fn judge(&self, state: &mut State) {
        let can_win = state.count.is_none_or(|count| self.can_win(count));
        state.end = match self.winner_if_possible(state).filter(|_| can_win) {
            Some(seat) => Some(End { winner: Some(seat), reason: Reason::Goal }),
            None => Self::draw(state),
        };
    }

    /// The draws of the movement phase (rules 18).
    fn draw(state: &State) -> Option<End> {
        let count = state.count?;
        // With a blue tile up there are nine trades. With a red one up a counter can move: the moves of each red rule
        // connect all cells, so one leads from a counter to a free cell.
        if state.board.ups() & RED_AND_BLUE == 0 {
            Some(End { winner: None, reason: Reason::Blocked })
        } else if state.repetition.has_twice(state.position()) {
            Some(End { winner: None, reason: Reason::Repetition })
        } else if count >= MOST_ACTIONS {
            Some(End { winner: None, reason: Reason::Limit })
        } else {
            None
        }
    }

    fn placements(&self, state: &State, actions: &mut Vec<Action>) {
        let board = &state.board;
        let pool = board.pool();
        let bare = !board.tiled() & FULL as Cells;
        let open = self.open_tiles(state);
        let due = self.due_tiles(state, open);
        if due == 0 {
            for tile in each(pool) {
                actions.extend(each(bare).map(|cell| Action::tile(tile, cell)));
            }
        }
        let open = if due == 0 { open } else { due };
        for shape in 0..3 {
            actions.extend(each(Self::counter_cells(state, open, shape)).map(|cell| Action::counter(shape, cell)));
        }
        if pool == 0 && !board.has_hand(state.seat) {
            actions.push(Action::PASS); // rules 7
        }
    }

    fn movements(&self, state: &State, actions: &mut Vec<Action>) {
        if self.lacks_colour(&state.board) {
            let kinds = self.actions_while_missing(&state.board, state.seat);
            actions.extend(kinds.into_iter().map(Action::of));
            return actions.sort_unstable();
        }
        for from in each(state.board.counters_of(state.seat)) {
            actions.extend(each(Self::reach(state, from)).map(|to| Action::walk(from, to)));
        }
        let mut trades = self.trades(state).map(|(one, other)| Action::trade(one, other));
        trades.sort_unstable();
        actions.extend(trades);
    }
}

impl Compiled for Proteus {
    const INFO: &'static Info = &Info {
        name: "proteus",
        rules_version: 2,
        // Version 1 of `article`: no duty in the last placements, and either seat could win by any action.
        oldest_rules_version: 1,
        has_chance: false,
        has_draws: true,
        options: &[
            OptionSpec::new("rules", &["article", "literal", "kadon"]),
            OptionSpec {
                aliases: &[("00", "standard")],
                ..OptionSpec::new(
                    "faces",
                    &[
                        "standard", "01", "02", "03", "04", "05", "10", "11", "12", "13", "14", "15", "20", "21", "22",
                        "23", "24", "25", "30", "31", "32", "33", "34", "35", "40", "41", "42", "43", "44", "45", "50",
                        "51", "52", "53", "54", "55",
                    ],
                )
            },
            OptionSpec::house_rule("balance", &["0", "1"]),
        ],
        assets: tavola_core::assets! {
            lessons: ["first", "tiles", "goal", "defend", "fork", "place"],
            networks: ["standard-article"],
        },
    };

    fn new(options: &Options) -> Self {
        let (preset, faces) = (Preset::new(options), Faces::new(options.get("faces")));
        let first_article = preset == Preset::Article && options.rules_version() == 1;
        let seed = preset != Preset::Kadon && !first_article;
        Self {
            preset,
            must_turn_up: seed,
            only_actor_wins: seed,
            balance: options.get("balance") == "1",
            faces,
            goals: Goals::new(&faces),
            completions: completions(preset),
            weights: weights(options),
            openings: Openings::of(options),
            perfect: None,
        }
    }
}

impl Proteus {
    /// Sets the bits of the legal actions, by their numbers.
    #[inline]
    pub(crate) fn insert_legal(&self, state: &State, words: &mut [u64]) {
        let board = &state.board;
        if state.end.is_some() {
            return;
        }
        if state.count.is_some() && self.lacks_colour(board) {
            for kind in self.actions_while_missing(board, state.seat) {
                insert(words, Action::of(kind));
            }
            return;
        }
        if state.count.is_some() {
            for from in each(board.counters_of(state.seat)) {
                insert_walks(words, from, Self::reach(state, from));
            }
            for (one, other) in self.trades(state) {
                insert(words, Action::trade(one, other));
            }
            return;
        }
        let open = self.open_tiles(state);
        let due = self.due_tiles(state, open);
        if due == 0 {
            let bare = !board.tiled() & FULL as Cells;
            each(board.pool()).for_each(|tile| insert_tiles(words, tile, bare));
        }
        let open = if due == 0 { open } else { due };
        (0..3).for_each(|shape| insert_counters(words, shape, Self::counter_cells(state, open, shape)));
        if board.pool() == 0 && !board.has_hand(state.seat) {
            insert(words, Action::PASS); // rules 7
        }
    }
}

impl Game for Proteus {
    type State = State;
    type Action = Action;

    fn info(&self) -> &'static Info {
        Self::INFO
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::new()
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        if state.end.is_some() { Actor::Terminal } else { Actor::Seat(state.seat) }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.end.is_some() {
            return;
        }
        if state.count.is_some() { self.movements(state, actions) } else { self.placements(state, actions) }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.play_kind(state, action.kind());
    }

    // Every action is a turn; a position tells how many there were only in the movement phase.
    fn turn(&self, state: &State) -> u32 {
        let placed = 9 - state.board.pool().count_ones() + state.board.occupied().count_ones();
        placed + u32::from(state.count.unwrap_or(0)) + 1
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        state.end.map(End::outcome)
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &State) -> u64 {
        state.key_from_scratch()
    }
}
