//! The end of a game: who won, and what each seat gets.

use crate::game::{Seat, SeatSet};

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
