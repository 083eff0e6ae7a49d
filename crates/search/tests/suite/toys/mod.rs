//! Games small enough to be known by heart.

use std::hash::{DefaultHasher, Hash, Hasher};

use tavola_core::{Actor, Assets, Evaluate, Game, Info, Outcome, Playout, Seat, SeatSet};

const fn info(name: &'static str, has_chance: bool) -> Info {
    Info {
        name,
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance,
        has_draws: true,
        options: &[],
        assets: Assets { theme: "{}", levels: "{}", ..Assets::NONE },
    }
}

fn hash(state: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

fn won_by(seat: Seat) -> Outcome {
    Outcome { winners: SeatSet::one(seat), reason: "won" }
}

/// The methods that are the same for every toy.
macro_rules! toy {
    ($info:expr) => {
        fn info(&self) -> &'static Info {
            const INFO: &Info = &$info;
            INFO
        }

        fn key(&self, state: &Self::State) -> u64 {
            hash(state)
        }

        fn key_from_scratch(&self, state: &Self::State) -> u64 {
            hash(state)
        }
    };
}

/// Tic-tac-toe. An action is a cell from 0 to 8.
pub struct TicTacToe;

/// The cells that each seat holds, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Crosses(pub [u16; 2]);

impl Crosses {
    fn mover(self) -> Seat {
        (self.0[0].count_ones() > self.0[1].count_ones()).into()
    }
}

impl Game for TicTacToe {
    type State = Crosses;
    type Action = u8;
    toy!(info("tic-tac-toe", false));

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Crosses {
        Crosses::default()
    }

    fn to_act(&self, state: &Crosses) -> Actor {
        if self.outcome(state).is_some() { Actor::Terminal } else { Actor::Seat(state.mover()) }
    }

    fn legal_actions(&self, state: &Crosses, actions: &mut Vec<u8>) {
        if self.outcome(state).is_none() {
            actions.extend((0..9).filter(|cell| (state.0[0] | state.0[1]) >> cell & 1 == 0));
        }
    }

    fn play_unchecked(&self, state: &mut Crosses, cell: u8) {
        state.0[state.mover() as usize] |= 1 << cell;
    }

    fn turn(&self, state: &Crosses) -> u32 {
        (state.0[0] | state.0[1]).count_ones() + 1
    }

    fn outcome(&self, state: &Crosses) -> Option<Outcome> {
        const ROWS: [u16; 8] =
            [0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100];
        for seat in 0..2 {
            if ROWS.iter().any(|row| state.0[seat as usize] & row == *row) {
                return Some(won_by(seat));
            }
        }
        (state.0[0] | state.0[1] == 0b111_111_111).then_some(Outcome { winners: SeatSet::EMPTY, reason: "full" })
    }
}

impl Playout for TicTacToe {}

impl Evaluate for TicTacToe {}

/// Nim with heaps of up to seven, for any number of seats: who takes the last counter wins alone.
pub struct Nim {
    pub heaps: [u8; 3],
    pub seats: u8,
}

/// The heaps and who is to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heaps {
    pub left: [u8; 3],
    pub mover: Seat,
}

impl Game for Nim {
    type State = Heaps;
    type Action = (u8, u8);
    toy!(info("nim", false));

    fn seats(&self) -> usize {
        self.seats.into()
    }

    fn start(&self) -> Heaps {
        Heaps { left: self.heaps, mover: 0 }
    }

    fn to_act(&self, state: &Heaps) -> Actor {
        if state.left == [0; 3] { Actor::Terminal } else { Actor::Seat(state.mover) }
    }

    fn legal_actions(&self, state: &Heaps, actions: &mut Vec<(u8, u8)>) {
        for heap in 0..3 {
            actions.extend((1..=state.left[heap as usize]).map(|taken| (heap, taken)));
        }
    }

    fn play_unchecked(&self, state: &mut Heaps, (heap, taken): (u8, u8)) {
        state.left[heap as usize] -= taken;
        state.mover = (state.mover + 1) % self.seats;
    }

    fn turn(&self, state: &Heaps) -> u32 {
        // This game has no turns of its own. The number of taken pieces increases with every action.
        let sum = |heaps: [u8; 3]| heaps.into_iter().map(u32::from).sum::<u32>();
        sum(self.heaps) - sum(state.left) + 1
    }

    fn outcome(&self, state: &Heaps) -> Option<Outcome> {
        if state.left == [0; 3] { Some(won_by((state.mover + self.seats - 1) % self.seats)) } else { None }
    }
}

impl Playout for Nim {}

impl Evaluate for Nim {}

/// One seat names a segment, then a wheel with weighted segments is spun; named right, it wins, else the other one.
/// A seat may also keep out of it, and the game is drawn.
pub struct Wheel {
    pub weights: Vec<u64>,
}

/// Segments are numbered from 1; this names none.
pub const KEEP_OUT: u16 = 0;

/// The named number and the spun one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bet {
    pub named: Option<u16>,
    pub spun: Option<u16>,
}

impl Game for Wheel {
    type State = Bet;
    type Action = u16;
    toy!(info("wheel", true));

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Bet {
        Bet::default()
    }

    fn to_act(&self, state: &Bet) -> Actor {
        match (state.named, state.spun) {
            (None, _) => Actor::Seat(0),
            (Some(named), None) if named != KEEP_OUT => Actor::Chance,
            _ => Actor::Terminal,
        }
    }

    fn legal_actions(&self, state: &Bet, actions: &mut Vec<u16>) {
        if state.named.is_none() {
            actions.extend(0..=self.weights.len() as u16);
        }
    }

    fn chance_outcomes(&self, state: &Bet, outcomes: &mut Vec<(u16, u64)>) {
        if self.to_act(state) == Actor::Chance {
            outcomes.extend((1..).zip(self.weights.iter().copied()));
        }
    }

    fn play_unchecked(&self, state: &mut Bet, segment: u16) {
        *if state.named.is_none() { &mut state.named } else { &mut state.spun } = Some(segment);
    }

    fn turn(&self, _state: &Bet) -> u32 {
        1
    }

    fn outcome(&self, state: &Bet) -> Option<Outcome> {
        match (state.named?, state.spun) {
            (KEEP_OUT, _) => Some(Outcome { winners: SeatSet::EMPTY, reason: "out" }),
            (named, Some(spun)) => Some(won_by((named != spun).into())),
            (_, None) => None,
        }
    }
}

impl Playout for Wheel {}

impl Evaluate for Wheel {}

/// Two seats move along a long row, one or two steps at a time. The first one past the end wins.
pub struct LongWalk {
    pub end: u64,
}

impl Game for LongWalk {
    type State = (u64, Seat);
    type Action = u8;
    toy!(info("long-walk", false));

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> (u64, Seat) {
        (0, 0)
    }

    fn to_act(&self, state: &(u64, Seat)) -> Actor {
        if state.0 >= self.end { Actor::Terminal } else { Actor::Seat(state.1) }
    }

    fn legal_actions(&self, state: &(u64, Seat), actions: &mut Vec<u8>) {
        if state.0 < self.end {
            actions.extend([1, 2]);
        }
    }

    fn play_unchecked(&self, state: &mut (u64, Seat), paces: u8) {
        *state = (state.0 + u64::from(paces), 1 - state.1);
    }

    fn turn(&self, state: &(u64, Seat)) -> u32 {
        // This game has no turns of its own. The position increases with every action.
        state.0 as u32 + 1
    }

    fn outcome(&self, state: &(u64, Seat)) -> Option<Outcome> {
        if state.0 >= self.end { Some(won_by(1 - state.1)) } else { None }
    }
}

impl Playout for LongWalk {}

impl Evaluate for LongWalk {}

/// Two seats take turns with three actions each. After `length` turns the first seat wins, whatever the actions.
pub struct Parade {
    pub length: u32,
}

impl Game for Parade {
    type State = u32;
    type Action = u8;
    toy!(info("parade", false));

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> u32 {
        0
    }

    fn to_act(&self, &state: &u32) -> Actor {
        if state == self.length { Actor::Terminal } else { Actor::Seat((state % 2) as Seat) }
    }

    fn legal_actions(&self, &state: &u32, actions: &mut Vec<u8>) {
        if state < self.length {
            actions.extend([0, 1, 2]);
        }
    }

    fn play_unchecked(&self, state: &mut u32, _: u8) {
        *state += 1;
    }

    fn turn(&self, &state: &u32) -> u32 {
        state + 1
    }

    fn outcome(&self, &state: &u32) -> Option<Outcome> {
        (state == self.length).then(|| won_by(0))
    }
}

impl Playout for Parade {}

impl Evaluate for Parade {}

/// One seat guards a safe or leaves it. Then the other sets all dials in one turn, and wins if each is at 1 and the safe is
/// not guarded. Otherwise the game is a draw. It may ask the first seat in between, whose answers have no effect.
pub struct Safe {
    pub dials: u8,
    /// Whether it asks, when the first dial is set.
    pub asks: bool,
}

/// The first seat's choice.
pub const LEAVE: u8 = 0;
pub const GUARD: u8 = 1;

/// Whether the safe is guarded, whether an answer was given, and what the dials are set to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dials {
    pub guarded: Option<bool>,
    pub answered: bool,
    pub set: Vec<u8>,
}

impl Game for Safe {
    type State = Dials;
    type Action = u8;
    toy!(info("safe", false));

    fn seats(&self) -> usize {
        2
    }

    fn start(&self) -> Dials {
        Dials::default()
    }

    fn to_act(&self, state: &Dials) -> Actor {
        match state.guarded {
            None => Actor::Seat(0),
            Some(_) if self.asks && !state.answered && state.set.len() == 1 => Actor::Seat(0),
            Some(_) if state.set.len() < usize::from(self.dials) => Actor::Seat(1),
            Some(_) => Actor::Terminal,
        }
    }

    fn legal_actions(&self, state: &Dials, actions: &mut Vec<u8>) {
        if self.to_act(state) != Actor::Terminal {
            actions.extend([0, 1]);
        }
    }

    fn play_unchecked(&self, state: &mut Dials, action: u8) {
        if state.guarded.is_none() {
            state.guarded = Some(action == GUARD);
        } else if self.to_act(state) == Actor::Seat(0) {
            state.answered = true;
        } else {
            state.set.push(action);
        }
    }

    fn turn(&self, state: &Dials) -> u32 {
        u32::from(state.guarded.is_some()) + 1
    }

    fn outcome(&self, state: &Dials) -> Option<Outcome> {
        let opened = state.guarded == Some(false) && state.set.iter().all(|&dial| dial == 1);
        let end = || if opened { won_by(1) } else { Outcome { winners: SeatSet::EMPTY, reason: "shut" } };
        (self.to_act(state) == Actor::Terminal).then(end)
    }
}

impl Playout for Safe {}

impl Evaluate for Safe {}
