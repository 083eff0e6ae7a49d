//! The PUCT rule: the highest mean share plus the exploration, in proportion to the prior.
//!
//! The tree that threads share and the trees of a batch select by it.

/// The part of a share by which an unvisited action is worth less than its position, once all actions with higher priors
/// have visits. (Leela Chess Zero's "first play urgency reduction", on the scale from 0 to 1.)
const FIRST_PLAY_REDUCTION: f32 = 0.15;

/// The exploration of a position with this number of visits.
#[inline]
pub(crate) fn scale(c_puct: f32, visits: u32) -> f32 {
    c_puct * (visits.max(1) as f32).sqrt()
}

/// The score of an action with visits, by its mean share.
#[inline]
pub(crate) fn visited(share: f32, visits: u32, prior: f32, scale: f32) -> f32 {
    share + scale * prior / (1 + visits) as f32
}

/// The score of an action without visits, by the mean share of its position and the sum of the visited priors.
#[inline]
pub(crate) fn unvisited(worth: f32, visited_priors: f32, prior: f32, scale: f32) -> f32 {
    (worth - FIRST_PLAY_REDUCTION * visited_priors.sqrt()).max(0.0) + scale * prior
}

/// Makes the sum of priors or shares 1. All numbers become equal if there is no such sum.
pub(crate) fn normalise(numbers: &mut [f32]) {
    let sum: f32 = numbers.iter().sum();
    if sum > 0.0 && sum.is_finite() {
        for number in numbers {
            *number /= sum;
        }
    } else {
        numbers.fill(1.0 / numbers.len() as f32);
    }
}
