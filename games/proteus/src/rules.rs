//! The rules: placement, moves and trades, flips, goals, draws.

use tavola_core::info::{Assets, Info, OptionSpec, Options};
use tavola_core::{Actor, Game, Outcome, Seat};

use crate::actions::{Action, Deed};
use crate::board::{Cell, Cells, MOVES, each};
use crate::pieces::{BLUE, Colour, Faces, Goal, RED, Shape, Tile, Trade, YELLOW, colour_of, shape_of, tile};
use crate::state::{End, NONE, Reason, State};

/// The movement phase ends with this action at the latest (rules 18).
pub(crate) const MOST_ACTIONS: u16 = 300;

/// The game under its options.
#[derive(Clone, Copy, Debug)]
pub struct Proteus {
    /// Whether the preset is `kadon` and not `article` (rules 9, 10, 13).
    pub(crate) kadon: bool,
    pub(crate) faces: Faces,
}

/// What an action did to the faces (rules 8, 14, 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flips {
    /// The tiles that turned face up; the ones of their colours that were up turned down.
    pub(crate) up: [Option<Tile>; 2],
    /// The colour of two new pairs that cancelled each other.
    pub(crate) cancelled: Option<Colour>,
}

impl Proteus {
    /// The active red rule as an index into [`MOVES`].
    pub(crate) fn red(state: &State) -> Shape {
        state.board.up(RED).expect("in the movement phase every colour has a tile up")
    }

    pub(crate) fn trade_rule(&self, state: &State) -> Trade {
        self.faces.trades[state.board.up(BLUE).expect("in the movement phase every colour has a tile up") as usize]
    }

    pub(crate) fn goal(&self, state: &State) -> Option<Goal> {
        state.board.up(YELLOW).map(|shape| self.faces.goals[shape as usize])
    }

    /// Where a counter may go from a cell (rules 12).
    pub(crate) fn reach(state: &State, from: Cell) -> Cells {
        MOVES[Self::red(state) as usize][from as usize] & !state.board.occupied()
    }

    /// The nine trades of the movement phase (rules 12), as pairs of cells.
    pub(crate) fn trades(&self, state: &State) -> [(Cell, Cell); 9] {
        let rule = self.trade_rule(state);
        std::array::from_fn(|place| Self::trade(state, rule, place as u8))
    }

    /// One of the nine trades under a rule.
    #[inline]
    pub(crate) fn trade(state: &State, rule: Trade, place: u8) -> (Cell, Cell) {
        let (group, left_out) = (place / 3, place % 3);
        if rule == Trade::Polarity {
            return (state.board.counter_cell(group), state.board.counter_cell(3 + left_out));
        }
        let member = |which: u8| {
            let (colour, shape) = if rule == Trade::Color { (group, which) } else { (which, group) };
            state.board.cell_of(tile(colour, shape)).expect("every tile is down in the movement phase")
        };
        (member((left_out + 1) % 3), member((left_out + 2) % 3))
    }

    /// The cells where the seat to act may place its counter of a shape (rules 5, 9, 10).
    pub(crate) fn counter_cells(&self, state: &State, shape: Shape) -> Cells {
        let open = self.open_tiles(state)[shape as usize];
        each(open).filter_map(|tile| state.board.cell_of(tile)).fold(0, |cells, cell| cells | 1 << cell)
    }

    /// The tiles on the board where the seat to act may place its counter, by its shape (rules 5, 9, 10).
    pub(crate) fn open_tiles(&self, state: &State) -> [u16; 3] {
        let board = &state.board;
        let rest = board.rest();
        let down = !board.pool();
        [0, 1, 2].map(|shape| {
            let in_hand = board.counter_cell(3 * state.seat + shape) == NONE;
            if in_hand { rest.open_to(shape, self.kadon) & down } else { 0 }
        })
    }

    fn place_counter(state: &mut State, shape: Shape, cell: Cell) -> Flips {
        let mut flips = Flips::default();
        state.board.put_counter(3 * state.seat + shape, cell);
        if let Some(tile) = state.board.tile(cell) {
            // rules 8: a match turns the tile up if no other of its colour is
            if shape_of(tile) == shape && state.board.up(colour_of(tile)).is_none() {
                state.board.turn_up(tile);
                flips.up[0] = Some(tile);
            }
        }
        flips
    }

    /// The tile of a cell if the counter on it has its shape: a pair (rules 14).
    fn pair(state: &State, cell: Cell) -> Option<Tile> {
        let tile = state.board.tile(cell)?;
        let counter = state.board.counter(cell)?;
        // Counters are numbered as tiles are: three times something, plus the shape.
        (shape_of(counter) == shape_of(tile)).then_some(tile)
    }

    /// Turns the tiles of new pairs (rules 15).
    fn flip(state: &mut State, pairs: [Option<Tile>; 2]) -> Flips {
        let mut up = pairs.map(|pair| pair.filter(|&tile| !state.board.is_up(tile)));
        if let [Some(one), Some(other)] = up
            && colour_of(one) == colour_of(other)
        {
            return Flips { up: [None, None], cancelled: Some(colour_of(one)) };
        }
        if up[0].is_none() {
            up.swap(0, 1);
        }
        for tile in up.into_iter().flatten() {
            state.board.turn_up(tile);
        }
        Flips { up, cancelled: None }
    }

    /// Plays an action up to the flips; what comes after them is [`Proteus::finish`].
    pub(crate) fn perform(state: &mut State, deed: Deed) -> Flips {
        match deed {
            Deed::Tile(tile, cell) => {
                state.board.put_tile(tile, cell);
                Flips::default()
            }
            Deed::Counter(shape, cell) => Self::place_counter(state, shape, cell),
            Deed::Move(from, to) => {
                let (Some(counter), Some(tile)) = (state.board.counter(from), state.board.tile(to)) else {
                    return Flips::default();
                };
                state.board.put_counter(counter, to);
                if shape_of(tile) != shape_of(counter) || state.board.is_up(tile) {
                    return Flips::default();
                }
                state.board.turn_up(tile);
                Flips { up: [Some(tile), None], cancelled: None }
            }
            Deed::Trade(one, other) => {
                state.board.swap_tiles(one, other);
                let pairs = [Self::pair(state, one), Self::pair(state, other)];
                Self::flip(state, pairs)
            }
            Deed::Pass => Flips::default(),
        }
    }

    /// Who satisfies the goal, if it is tested and exactly one seat does (rules 13).
    pub(crate) fn winner(&self, state: &State) -> Option<Seat> {
        let goal = self.goal(state)?;
        match [0, 1].map(|seat| state.board.satisfies(seat, goal)) {
            [true, false] => Some(0),
            [false, true] => Some(1),
            _ => None,
        }
    }

    /// Ends the action: count, seat, goal, draws (rules 11, 13, 18).
    fn finish(&self, state: &mut State) {
        state.seat = 1 - state.seat;
        match &mut state.count {
            Some(count) => *count += 1,
            None if state.board.is_full() => state.count = Some(0),
            None => {}
        }
        self.judge(state);
    }

    /// Finds out whether the game is over (rules 13, 18).
    pub(crate) fn judge(&self, state: &mut State) {
        // The preset `article` does not look at what the placement leaves.
        let tested = self.kadon || state.count.is_some_and(|count| count > 0);
        state.end = match self.winner(state).filter(|_| tested) {
            Some(seat) => Some(End { winner: Some(seat), reason: Reason::Goal }),
            None => Self::draw(state),
        };
    }

    /// Whether the position has been there twice already.
    fn is_third_time(state: &State) -> bool {
        let now = state.word();
        state.past.iter().filter(|&&word| word == now).count() >= 2
    }

    /// The draws of the movement phase (rules 18).
    fn draw(state: &State) -> Option<End> {
        let count = state.count?;
        if Self::is_third_time(state) {
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
        let bare = !board.tiled() & 0x1FF;
        for tile in each(pool) {
            actions.extend(each(bare).map(|cell| Action::tile(tile, cell)));
        }
        for shape in 0..3 {
            actions.extend(each(self.counter_cells(state, shape)).map(|cell| Action::counter(shape, cell)));
        }
        if pool == 0 && !board.has_hand(state.seat) {
            actions.push(Action::PASS); // rules 7
        }
    }

    fn movements(&self, state: &State, actions: &mut Vec<Action>) {
        for from in each(state.board.counters_of(state.seat)) {
            actions.extend(each(Self::reach(state, from)).map(|to| Action::walk(from, to)));
        }
        let first = actions.len();
        actions.extend(self.trades(state).map(|(one, other)| Action::trade(one, other)));
        actions[first..].sort_unstable();
    }
}

impl Game for Proteus {
    type State = State;
    type Action = Action;

    const INFO: &'static Info = &Info {
        name: "proteus",
        rules_version: 1,
        has_chance: false,
        options: &[
            OptionSpec { name: "rules", values: &["article", "kadon"] },
            OptionSpec {
                name: "faces",
                values: &[
                    "standard", "00", "01", "02", "03", "04", "05", "10", "11", "12", "13", "14", "15", "20", "21",
                    "22", "23", "24", "25", "30", "31", "32", "33", "34", "35", "40", "41", "42", "43", "44", "45",
                    "50", "51", "52", "53", "54", "55",
                ],
            },
        ],
        assets: Assets {
            rules: &[("en", include_str!("../rules/en.md")), ("ja", include_str!("../rules/ja.md"))],
            words: &[("en", include_str!("../art/words/en.json")), ("ja", include_str!("../art/words/ja.json"))],
            symbols: include_str!("../art/symbols.svg"),
            theme: include_str!("../art/theme.json"),
        },
    };

    fn new(options: &Options) -> Self {
        Self { kadon: options.get("rules") == "kadon", faces: Faces::new(options.get("faces")) }
    }

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> State {
        State::new()
    }

    #[inline]
    fn to_act(&self, state: &State) -> Actor {
        if state.end.is_some() { Actor::Nobody } else { Actor::Seat(state.seat) }
    }

    fn legal_actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.end.is_some() {
            return;
        }
        if state.count.is_some() { self.movements(state, actions) } else { self.placements(state, actions) }
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        if state.count.is_some() {
            state.remember(state.word());
        }
        Self::perform(state, action.deed());
        self.finish(state);
    }

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
