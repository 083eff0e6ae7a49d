//! The rules of a game: the one trait that decides what is legal.

use std::fmt::Debug;
use std::hash::Hash;

use crate::info::{Info, Options};

/// A player's index: 0 first, then clockwise.
pub type Seat = u8;

/// The maximum number of seats of a game.
pub const MAX_SEATS: usize = 8;

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatSet(u8);

impl SeatSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set of one seat.
    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat)
    }

    /// This set with one more seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat)
    }

    /// Whether the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// The number of seats in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in the set, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..8).filter(move |&seat| self.contains(seat))
    }
}

/// The actor of a state: a seat, chance, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// A player.
    Seat(Seat),
    /// Chance: a shuffle, draw or spin is next.
    Chance,
    /// The game is over.
    Terminal,
}

impl Actor {
    /// The seat, if a player must act.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Chance | Self::Terminal => None,
        }
    }

    /// The number in views and in Python: the seat, -1 for chance; `None` when the game is over.
    pub const fn number(self) -> Option<i8> {
        match self {
            Self::Seat(seat) => Some(seat as i8),
            Self::Chance => Some(-1),
            Self::Terminal => None,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The seats that won; empty for a draw.
    pub winners: SeatSet,
    /// A short code of the game's own (`stacks`, `limit`). Its message has the key `outcome.CODE`.
    pub reason: &'static str,
}

impl Outcome {
    /// A game that one seat has lost, by resignation, on time or by a fault, and that all others have won.
    pub fn lost_by(loser: Seat, seats: usize, reason: &'static str) -> Self {
        let winners = (0..seats as Seat).filter(|&seat| seat != loser).fold(SeatSet::EMPTY, SeatSet::with);
        Self { winners, reason }
    }

    /// A seat's share of the win, from 0 to 1. The winners share it equally, and all seats do in a draw.
    pub fn share(&self, seat: Seat, seats: usize) -> f64 {
        match self.winners.len() {
            0 => 1.0 / seats as f64,
            winners if self.winners.contains(seat) => 1.0 / winners as f64,
            _ => 0.0,
        }
    }

    /// The shares of all seats, 1 in sum: see [`share`](Self::share).
    pub fn shares(&self, seats: usize) -> Vec<f64> {
        (0..seats as Seat).map(|seat| self.share(seat, seats)).collect()
    }

    /// One number per seat, always summing to zero.
    ///
    /// With n seats and k winners, a winner gets (n/k - 1)/(n - 1) and every other seat -1/(n - 1).
    /// In a draw all seats get 0. (The rule books' common part, "Ends".)
    ///
    /// ```
    /// use tavola_core::{Outcome, SeatSet};
    /// let won = Outcome { winners: SeatSet::one(1), reason: "stacks" };
    /// assert_eq!(won.returns(2), [-1.0, 1.0]);
    /// assert_eq!(won.returns(3), [-0.5, 1.0, -0.5]);
    /// assert_eq!(Outcome::lost_by(2, 3, "resigned").returns(3), [0.25, 0.25, -0.5]);
    /// ```
    pub fn returns(&self, seats: usize) -> Vec<f64> {
        (0..seats as Seat).map(|seat| self.seat_return(seat, seats)).collect()
    }

    /// The number of one seat: see [`returns`](Self::returns).
    pub fn seat_return(&self, seat: Seat, seats: usize) -> f64 {
        let (n, k) = (seats as f64, self.winners.len() as f64);
        if self.winners.is_empty() || self.winners.len() == seats {
            0.0
        } else if self.winners.contains(seat) {
            (n / k - 1.0) / (n - 1.0)
        } else {
            -1.0 / (n - 1.0)
        }
    }
}

/// An action is not legal in this state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this action is not legal here")]
pub struct Illegal;

/// The rules of one game under one choice of options.
///
/// The implementing value is small and holds the options. A [`Game::State`] is a plain value with everything that the
/// rules need to continue, and nothing else: no randomness, no clock, and no history that the rules do not use.
///
/// The conformance suite (`crates/testkit`) checks this contract for every game:
///
/// - Exactly one of these holds: a seat acts and has legal actions; chance acts and has outcomes; the
///   game is over and there is an outcome.
/// - Two states are equal if and only if the rules cannot distinguish them. Equal states have equal keys.
/// - Every sequence of actions ends.
pub trait Game: Send + Sync + Sized + 'static {
    /// A position.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// One atomic decision of a seat, or one chance outcome. Ordered by [`crate::Encode::index`].
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;

    /// The metadata of the game: name, options, rule book, art.
    fn info(&self) -> &'static Info;

    /// The number of players.
    fn seats(&self) -> usize;

    /// The first position.
    fn start(&self) -> Self::State;

    /// The actor whose turn it is.
    fn to_act(&self, state: &Self::State) -> Actor;

    /// Appends the legal actions of the seat to act, sorted and unique. Appends nothing at chance and at the end.
    fn legal_actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Appends the outcomes of chance with exact integer weights. Appends nothing unless chance acts.
    fn chance_outcomes(&self, _state: &Self::State, _outcomes: &mut Vec<(Self::Action, u64)>) {}

    /// Plays a legal action or chance outcome without a check.
    ///
    /// After any other action the state is unspecified (but never undefined behaviour).
    fn play_unchecked(&self, state: &mut Self::State, action: Self::Action);

    /// The number of the current turn, 1 for the first. It increases at the start of a turn, and only then.
    fn turn(&self, state: &Self::State) -> u32;

    /// The outcome, or `None` before the end of the game.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// A 64-bit hash of the state; equal states have equal keys. It is cheap: [`Game::play_unchecked`] updates it, or it
    /// hashes few words.
    fn key(&self, state: &Self::State) -> u64;

    /// The key computed from scratch: the slow oracle that tests compare with [`Game::key`].
    fn key_from_scratch(&self, state: &Self::State) -> u64;
}

/// A game that is compiled in: its type alone determines its metadata.
///
/// A game whose rules arrive at run time is a [`Game`] without this trait.
pub trait Compiled: Game {
    /// The metadata of the game, as of [`Game::info`].
    const INFO: &'static Info;

    /// Creates the game with options that [`Compiled::INFO`] allows.
    fn new(options: &Options) -> Self;
}

/// Methods that follow from the rules; games do not override them.
pub trait GameExt: Game {
    /// Whether the action (or chance outcome) is legal here.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool {
        match self.to_act(state) {
            Actor::Seat(_) => {
                let mut actions = Vec::new();
                self.legal_actions(state, &mut actions);
                actions.binary_search(&action).is_ok()
            }
            Actor::Chance => {
                let mut outcomes = Vec::new();
                self.chance_outcomes(state, &mut outcomes);
                outcomes.iter().any(|&(outcome, _)| outcome == action)
            }
            Actor::Terminal => false,
        }
    }

    /// The state after a legal action; the given state does not change.
    ///
    /// # Errors
    /// [`Illegal`] if the action is not legal here.
    fn play(&self, state: &Self::State, action: Self::Action) -> Result<Self::State, Illegal> {
        if !self.is_legal(state, action) {
            return Err(Illegal);
        }
        let mut next = state.clone();
        self.play_unchecked(&mut next, action);
        Ok(next)
    }
}

impl<G: Game> GameExt for G {}
