//! What each seat gets of a game, and results that are certain.

use std::sync::atomic::{AtomicU16, Ordering};

use tavola_core::{MOST_SEATS as SEATS, Outcome, Seat, SeatSet};

/// What each seat gets of a game: the winners share it equally; in a draw all do. In sum it is one [`WHOLE`].
///
/// Two seats get `(returns + 1) / 2`; in whole numbers, because threads add them up in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares([u32; SEATS]);

/// One whole game: divisible by every number of winners.
pub(crate) const WHOLE: u32 = 840;

impl Shares {
    /// What the seats get if these win; nobody is the same as all.
    pub(crate) fn of(winners: SeatSet, seats: usize) -> Self {
        let mut shares = [0; SEATS];
        if winners.is_empty() {
            shares[..seats].fill(WHOLE / seats as u32);
        } else {
            let share = WHOLE / winners.len() as u32;
            winners.iter().for_each(|seat| shares[seat as usize] = share);
        }
        Self(shares)
    }

    /// What the seats are expected to get, from 0 to 1 each.
    pub(crate) fn expected(estimate: [f32; SEATS]) -> Self {
        Self(estimate.map(|share| (share * WHOLE as f32).round() as u32))
    }

    /// One seat's share.
    pub(crate) fn get(&self, seat: Seat) -> u32 {
        self.0[seat as usize]
    }

    /// Every seat's share, and 0 for seats that the game does not have.
    pub(crate) fn all(self) -> [u32; SEATS] {
        self.0
    }
}

/// A sum of shares as a part of so many whole games.
pub(crate) fn mean(sum: u64, games: u32) -> f64 {
    sum as f64 / (f64::from(games) * f64::from(WHOLE))
}

/// A result that is certain: the seats that will win, one bit each; nobody for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proof(u8);

impl Proof {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        Self(outcome.winners.iter().fold(0, |bits, seat| bits | 1 << seat))
    }

    /// That a seat wins alone.
    pub(crate) fn win(seat: Seat) -> Self {
        Self(1 << seat)
    }

    /// What each seat gets.
    pub(crate) fn shares(self, seats: usize) -> Shares {
        Shares::of(self.winners(), seats)
    }

    /// What one seat gets.
    pub(crate) fn share(self, seat: Seat, seats: usize) -> u32 {
        match self.0 {
            0 => WHOLE / seats as u32,
            winners if winners >> seat & 1 == 1 => WHOLE / winners.count_ones(),
            _ => 0,
        }
    }

    fn winners(self) -> SeatSet {
        (0..SEATS as Seat).filter(|seat| self.0 >> seat & 1 == 1).fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// Where a proof is kept: set at most once, by any thread.
#[derive(Debug, Default)]
pub(crate) struct ProofCell(AtomicU16);

/// Marks a cell that holds a proof: a draw has no winners, and is a proof too.
const PROVEN: u16 = 1 << SEATS;

impl ProofCell {
    pub(crate) fn get(&self) -> Option<Proof> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits & PROVEN != 0).then_some(Proof(bits as u8))
    }

    pub(crate) fn set(&self, proof: Proof) {
        self.0.store(PROVEN | u16::from(proof.0), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_the_returns_on_another_scale() {
        for seats in 2..=SEATS {
            for bits in 0..1u16 << seats {
                let winners =
                    (0..seats as Seat).filter(|seat| bits >> seat & 1 == 1).fold(SeatSet::EMPTY, SeatSet::with);
                let shares = Shares::of(winners, seats);
                let n = seats as f64;
                let outcome = Outcome { winners, reason: "" };
                for (seat, value) in outcome.returns(seats).into_iter().enumerate() {
                    let share = f64::from(shares.get(seat as Seat)) / f64::from(WHOLE);
                    assert!((share - (value * (n - 1.0) + 1.0) / n).abs() < 1e-12, "{winners:?} of {seats}");
                }
            }
        }
    }

    #[test]
    fn a_cell_keeps_every_proof() {
        for bits in 0..=255u8 {
            let cell = ProofCell::default();
            assert_eq!(cell.get(), None);
            cell.set(Proof(bits));
            assert_eq!(cell.get(), Some(Proof(bits)));
            for seat in 0..8 {
                assert_eq!(Proof(bits).share(seat, 8), Proof(bits).shares(8).get(seat));
            }
        }
    }
}
