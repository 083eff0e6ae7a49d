//! What the seats have got by an action of the root, and what they can expect of it.

use tavola_core::{MAX_SEATS as SEATS, Seat};

use crate::value::{Shares, WHOLE, mean};

/// Within how many standard deviations 95 of 100 lie.
const DEVIATIONS: f64 = 1.96;

/// The simulations of a tree are not drawn independently: however many there are, they tell no more of what a much longer
/// search will find than so many games would. Measured: docs/explanation/search.md.
const INDEPENDENT: f64 = 6.0;

/// The same where the game prefers evaluation: estimates err less than rollouts, though by more than their variance.
const INDEPENDENT_WITH_EVALUATION: f64 = 36.0;

/// As many games more, won and lost each, are reckoned in (Agresti and Coull): few visits say little.
const MORE: f64 = 2.0;

/// What the seats have got in the simulations of one search that began with one action of the root.
#[derive(Clone, Copy, Default)]
pub(crate) struct ActionStats {
    visits: u32,
    /// The sums of the shares, and of their squares.
    sums: [u64; SEATS],
    squares: [u64; SEATS],
}

impl ActionStats {
    /// Counts what one simulation brought.
    #[inline]
    pub(crate) fn count(&mut self, shares: Shares, seats: usize) {
        self.visits += 1;
        for (seat, share) in shares.all().into_iter().enumerate().take(seats) {
            self.sums[seat] += u64::from(share);
            self.squares[seat] += u64::from(share) * u64::from(share);
        }
    }

    /// Adds another thread's stat of the same action.
    pub(crate) fn add(&mut self, more: &Self) {
        self.visits += more.visits;
        self.sums.iter_mut().zip(more.sums).for_each(|(sum, more)| *sum += more);
        self.squares.iter_mut().zip(more.squares).for_each(|(sum, more)| *sum += more);
    }

    /// What each seat can expect, as this search has seen it; all the same if it has not.
    pub(crate) fn shares(&self, seats: usize) -> Vec<f64> {
        match self.visits {
            0 => vec![1.0 / seats as f64; seats],
            visits => self.sums[..seats].iter().map(|&sum| mean(sum, visits)).collect(),
        }
    }

    /// The same, if the seat that chooses is known to expect `own`, by this and earlier searches: the others share
    /// the rest as this search has seen it.
    pub(crate) fn shares_beside(&self, seat: Seat, own: f64, seats: usize) -> Vec<f64> {
        let seat = usize::from(seat);
        let others = (0..seats).filter(|&other| other != seat).map(|other| self.sums[other]).sum::<u64>();
        let part = |other: usize| match others {
            0 => 1.0 / (seats - 1) as f64,
            others => self.sums[other] as f64 / others as f64,
        };
        (0..seats).map(|other| if other == seat { own } else { (1.0 - own) * part(other) }).collect()
    }

    /// Between what bounds a seat's share lies, of so many visits in this and earlier searches.
    pub(crate) fn interval(&self, seat: usize, share: f64, visits: u32, with_evaluation: bool) -> (f64, f64) {
        let (centre, variance, weight) = self.spread(seat, share, visits);
        let independent = if with_evaluation { INDEPENDENT_WITH_EVALUATION } else { INDEPENDENT };
        // What the simulations scatter, and how far their mean is from the truth, which their scatter does not tell.
        let width = DEVIATIONS * (variance / weight + centre * (1.0 - centre) / independent).sqrt();
        // Near an end the bounds lie around the centre and not around the share, which is in any case between them.
        ((centre - width).clamp(0.0, share), (centre + width).clamp(share, 1.0))
    }

    /// By how much it would differ if the simulations were drawn again.
    pub(crate) fn margin(&self, seat: usize, share: f64, visits: u32) -> f64 {
        let (_, variance, weight) = self.spread(seat, share, visits);
        (DEVIATIONS * (variance / weight).sqrt()).min(0.5)
    }

    /// The middle of the games with those that are reckoned in, their variance, and how many they are.
    fn spread(&self, seat: usize, share: f64, visits: u32) -> (f64, f64, f64) {
        // By how much a square is less than the share itself: one for games won or lost, less for estimates.
        let whole = f64::from(WHOLE);
        let (sum, square) = (self.sums[seat] as f64 / whole, self.squares[seat] as f64 / (whole * whole));
        let sharpness = (square + MORE) / (sum + MORE);
        let visits = f64::from(visits);
        let weight = visits + 2.0 * MORE;
        let centre = (share * visits + MORE) / weight;
        let variance = (share * sharpness * visits + MORE) / weight - centre * centre;
        (centre, variance.max(0.0), weight)
    }
}
