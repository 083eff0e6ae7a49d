//! Statistics of a root action: mean shares and confidence intervals.

use tavola_core::{MAX_SEATS as SEATS, Seat};

use crate::value::{Shares, WHOLE, mean};

/// The number of standard deviations of a 95 % interval.
const DEVIATIONS: f64 = 1.96;

/// The number of independent games that the simulations of a tree are worth, as a predictor of a much longer search. They
/// are not independent, so their number does not matter. Measured: docs/explanation/search.md.
const INDEPENDENT: f64 = 6.0;

/// The same where the game prefers evaluation: estimates err less than rollouts, though by more than their variance.
const INDEPENDENT_WITH_EVALUATION: f64 = 36.0;

/// The number of virtual wins and of virtual losses that are added (Agresti and Coull).
const MORE: f64 = 2.0;

/// The shares of the seats in the simulations of one search that began with one root action.
#[derive(Clone, Copy, Default)]
pub(crate) struct ActionStats {
    visits: u32,
    /// The sums of the shares, and of their squares.
    sums: [u64; SEATS],
    squares: [u64; SEATS],
}

impl ActionStats {
    /// Adds the result of one simulation.
    #[inline]
    pub(crate) fn count(&mut self, shares: Shares, seats: usize) {
        self.visits += 1;
        for (seat, share) in shares.all().into_iter().enumerate().take(seats) {
            self.sums[seat] += u64::from(share);
            self.squares[seat] += u64::from(share) * u64::from(share);
        }
    }

    /// Adds the statistics of another thread for the same action.
    pub(crate) fn add(&mut self, more: &Self) {
        self.visits += more.visits;
        self.sums.iter_mut().zip(more.sums).for_each(|(sum, more)| *sum += more);
        self.squares.iter_mut().zip(more.squares).for_each(|(sum, more)| *sum += more);
    }

    /// The mean share of each seat in this search; equal shares without visits.
    pub(crate) fn shares(&self, seats: usize) -> Vec<f64> {
        match self.visits {
            0 => vec![1.0 / seats as f64; seats],
            visits => self.sums[..seats].iter().map(|&sum| mean(sum, visits)).collect(),
        }
    }

    /// The same, with a known share `own` of the seat to act from this and earlier searches. The others divide the rest
    /// in proportion to this search.
    pub(crate) fn shares_beside(&self, seat: Seat, own: f64, seats: usize) -> Vec<f64> {
        let seat = usize::from(seat);
        let others = (0..seats).filter(|&other| other != seat).map(|other| self.sums[other]).sum::<u64>();
        let part = |other: usize| match others {
            0 => 1.0 / (seats - 1) as f64,
            others => self.sums[other] as f64 / others as f64,
        };
        (0..seats).map(|other| if other == seat { own } else { (1.0 - own) * part(other) }).collect()
    }

    /// The interval and the margin of each share of a line, for the visits of this and earlier searches.
    pub(crate) fn bounds(
        &self,
        shares: &[f64],
        visits: u32,
        proven: bool,
        with_evaluation: bool,
    ) -> (Vec<(f64, f64)>, Vec<f64>) {
        let of = |(seat, &share): (usize, &f64)| match visits {
            _ if proven => ((share, share), 0.0),
            0 => ((0.0, 1.0), 0.5),
            _ => (self.interval(seat, share, visits, with_evaluation), self.margin(seat, share, visits)),
        };
        shares.iter().enumerate().map(of).unzip()
    }

    /// The interval of a seat's share.
    fn interval(&self, seat: usize, share: f64, visits: u32, with_evaluation: bool) -> (f64, f64) {
        let (centre, variance, weight) = self.spread(seat, share, visits);
        let independent = if with_evaluation { INDEPENDENT_WITH_EVALUATION } else { INDEPENDENT };
        // The sampling error, and the bias of the mean, which the variance does not show.
        let width = DEVIATIONS * (variance / weight + centre * (1.0 - centre) / independent).sqrt();
        // Near 0 or 1 the interval is around the centre and not around the share, but always contains the share.
        ((centre - width).clamp(0.0, share), (centre + width).clamp(share, 1.0))
    }

    /// The half-width of the interval by the sampling error alone.
    fn margin(&self, seat: usize, share: f64, visits: u32) -> f64 {
        let (_, variance, weight) = self.spread(seat, share, visits);
        (DEVIATIONS * (variance / weight).sqrt()).min(0.5)
    }

    /// The mean with the virtual games, the variance, and the number of games.
    fn spread(&self, seat: usize, share: f64, visits: u32) -> (f64, f64, f64) {
        // The ratio of squares to shares: 1 for wins and losses, less for estimates.
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
