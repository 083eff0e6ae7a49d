//! The value of a result: each seat's share of a game, and proven results.

use std::sync::atomic::{AtomicU16, Ordering};

use tavola_core::{MAX_SEATS as SEATS, Seat, SeatSet};

/// Each seat's share of a game, with the sum [`WHOLE`]. Integers make the sum independent of the order of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shares([u32; SEATS]);

/// The sum of all shares: divisible by every number of winners.
pub(crate) const WHOLE: u32 = 840;

impl Shares {
    /// Shares from an estimate, from 0 to 1 for each seat.
    pub(crate) fn expected(estimate: [f32; SEATS]) -> Self {
        // Rounds the running sums and not each share, so that the total stays exact.
        let (mut sum, mut given) = (0.0, 0);
        Self(estimate.map(|share| {
            sum += share;
            let before = given;
            given = (sum * WHOLE as f32).round() as u32;
            given - before
        }))
    }

    /// The mean of these and other shares, of which the others have this weight, from 0 to 1.
    pub(crate) fn mixed(self, others: Self, weight: f32) -> Self {
        Self::expected(std::array::from_fn(|seat| {
            let [own, other] = [self, others].map(|shares| shares.0[seat] as f32 / WHOLE as f32);
            own + weight * (other - own)
        }))
    }

    /// The share of one seat.
    #[inline]
    pub(crate) fn get(&self, seat: Seat) -> u32 {
        self.0[seat as usize]
    }

    /// The shares of all seats, and 0 for seats that the game does not have.
    #[inline]
    pub(crate) fn all(self) -> [u32; SEATS] {
        self.0
    }
}

/// The value of results. The winners share a game equally, and all seats share a draw, unless one seat has contempt for
/// draws. For two seats a share is `(returns + 1) / 2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scoring {
    seats: usize,
    draw: Shares,
}

impl Scoring {
    /// The scoring of the rules.
    pub(crate) fn fair(seats: usize) -> Self {
        let mut draw = [0; SEATS];
        draw[..seats].fill(WHOLE / seats as u32);
        Self { seats, draw: Shares(draw) }
    }

    /// The scoring where one seat counts this part of its share of a draw as lost, and the others as theirs.
    pub(crate) fn with_contempt(seats: usize, seat: Seat, contempt: f32) -> Self {
        let Self { mut draw, .. } = Self::fair(seats);
        let lost = (contempt * draw.get(seat) as f32).round() as u32;
        // Every other seat gains the same, so that the total stays exact.
        let others = seats as u32 - 1;
        let gained = lost / others;
        for (other, share) in draw.0[..seats].iter_mut().enumerate() {
            if other == usize::from(seat) { *share -= gained * others } else { *share += gained }
        }
        Self { seats, draw }
    }

    /// The shares for a set of winners. An empty set is a draw, as is the set of all.
    #[inline]
    pub(crate) fn of(&self, winners: SeatSet) -> Shares {
        let count = winners.len();
        if count == 0 || count == self.seats {
            return self.draw;
        }
        let mut shares = [0; SEATS];
        winners.iter().for_each(|seat| shares[usize::from(seat)] = WHOLE / count as u32);
        Shares(shares)
    }

    /// The shares of a proven result.
    #[inline]
    pub(crate) fn proven(&self, proof: Proof) -> Shares {
        self.of(proof.winners())
    }

    /// The share of one seat of a proven result.
    #[inline]
    pub(crate) fn proven_share(&self, proof: Proof, seat: Seat) -> u32 {
        match proof.0.count_ones() {
            count if count == 0 || count as usize == self.seats => self.draw.get(seat),
            count if proof.0 >> seat & 1 == 1 => WHOLE / count,
            _ => 0,
        }
    }
}

/// The mean share, from 0 to 1, of a sum over games.
pub(crate) fn mean(sum: u64, games: u32) -> f64 {
    sum as f64 / (f64::from(games) * f64::from(WHOLE))
}

/// A proven result: the set of winners, one bit each; 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proof(u8);

impl Proof {
    pub(crate) fn of(winners: SeatSet) -> Self {
        Self(winners.iter().fold(0, |bits, seat| bits | 1 << seat))
    }

    /// The win of one seat.
    pub(crate) fn win(seat: Seat) -> Self {
        Self(1 << seat)
    }

    fn winners(self) -> SeatSet {
        (0..SEATS as Seat).filter(|seat| self.0 >> seat & 1 == 1).fold(SeatSet::EMPTY, SeatSet::with)
    }
}

/// A cell for a proof: set at most once, by any thread.
#[derive(Debug, Default)]
pub(crate) struct ProofCell(AtomicU16);

/// The flag of a cell with a proof: a proven draw has no winner bits.
const PROVEN: u16 = 1 << SEATS;

impl ProofCell {
    #[inline]
    pub(crate) fn get(&self) -> Option<Proof> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits & PROVEN != 0).then_some(Proof(bits as u8))
    }

    #[inline]
    pub(crate) fn set(&self, proof: Proof) {
        self.0.store(PROVEN | u16::from(proof.0), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::Outcome;

    use super::*;

    #[test]
    fn shares_are_the_returns_on_another_scale() {
        for seats in 2..=SEATS {
            for bits in 0..1u16 << seats {
                let winners =
                    (0..seats as Seat).filter(|seat| bits >> seat & 1 == 1).fold(SeatSet::EMPTY, SeatSet::with);
                let shares = Scoring::fair(seats).of(winners);
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
    fn what_is_expected_is_one_whole_in_sum() {
        for parts in 1..2000u16 {
            let odds: [f32; 3] = [1.0, f32::from(parts) / 700.0, f32::from(parts * 7 % 1000) / 500.0];
            let mut estimate = [0.0; SEATS];
            let all = odds.iter().sum::<f32>();
            estimate.iter_mut().zip(odds).for_each(|(share, odd)| *share = odd / all);
            let shares = Shares::expected(estimate);
            assert_eq!(shares.all().iter().sum::<u32>(), WHOLE);
            for (share, given) in estimate.into_iter().zip(shares.all()) {
                assert!((share * WHOLE as f32 - given as f32).abs() < 1.01, "{shares:?} of {estimate:?}");
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
            let scoring = Scoring::with_contempt(8, 3, 0.5);
            for seat in 0..8 {
                assert_eq!(scoring.proven_share(Proof(bits), seat), scoring.proven(Proof(bits)).get(seat));
            }
        }
    }

    #[test]
    fn contempt_lowers_a_draw_for_one_seat_and_nothing_else() {
        for seats in 2..=SEATS {
            let (fair, proud) = (Scoring::fair(seats), Scoring::with_contempt(seats, 1, 0.5));
            for bits in 0..1u16 << seats {
                let proof = Proof(bits as u8);
                let (fair_shares, proud_shares) = (fair.proven(proof), proud.proven(proof));
                if bits == 0 || bits.count_ones() as usize == seats {
                    assert!(
                        proud_shares.get(1) < fair_shares.get(1) && proud_shares.get(0) > fair_shares.get(0),
                        "{bits:b} of {seats}"
                    );
                    assert_eq!(proud_shares.all().iter().sum::<u32>(), fair_shares.all().iter().sum::<u32>());
                } else {
                    assert_eq!(proud_shares, fair_shares);
                }
            }
            assert_eq!(Scoring::with_contempt(seats, 1, 0.0), fair);
        }
    }
}
