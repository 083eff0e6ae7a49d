//! The fit of weights to games: multinomial logistic regression by Newton's method.
//!
//! The softmax of the seats' weighted features predicts the share of each seat. The fit minimizes the logarithmic loss
//! against the actual shares. The loss is convex, so there is one minimum. The same examples in the same order give the
//! same weights to the last bit.

/// A position and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The features of each seat.
    pub features: Vec<Vec<f64>>,
    /// The actual share of each seat, 1 in sum.
    pub shares: Vec<f64>,
}

/// The maximum number of Newton steps; the method has never needed as many.
const STEPS: u32 = 60;

/// The fit ends with a step that reduces the loss by less than this.
const LEAST_GAIN: f64 = 1e-10;

/// The predicted share of each seat.
fn predicted(example: &Example, weights: &[f64]) -> Vec<f64> {
    let standing = |features: &Vec<f64>| features.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    let mut shares: Vec<f64> = example.features.iter().map(standing).collect();
    let best = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for share in &mut shares {
        *share = (*share - best).exp();
    }
    let sum: f64 = shares.iter().sum();
    for share in &mut shares {
        *share /= sum;
    }
    shares
}

/// The mean logarithmic loss of the weights: 0 for perfect predictions, and the logarithm of the number of seats for
/// equal shares.
pub fn loss(examples: &[Example], weights: &[f64]) -> f64 {
    let of = |example: &Example| {
        let predicted = predicted(example, weights);
        let terms = example.shares.iter().zip(predicted).filter(|&(&share, _)| share > 0.0);
        terms.map(|(share, predicted)| -share * predicted.max(f64::MIN_POSITIVE).ln()).sum::<f64>()
    };
    examples.iter().map(of).sum::<f64>() / examples.len().max(1) as f64
}

/// The weights with the least loss on the examples.
///
/// `ridge` is the strength of the L2 penalty, as a number of examples. A feature in which the seats never differ has the
/// weight 0.
pub fn fit(examples: &[Example], count: usize, ridge: f64) -> Vec<f64> {
    let scales = scales(examples, count);
    let held = |weights: &[f64]| {
        let squares = weights.iter().zip(&scales).map(|(weight, scale)| weight * weight * scale);
        ridge / examples.len().max(1) as f64 * 0.5 * squares.sum::<f64>()
    };
    let worth = |weights: &[f64]| loss(examples, weights) + held(weights);
    let mut weights = vec![0.0; count];
    let mut least = worth(&weights);
    for _ in 0..STEPS {
        let step = newton(examples, &weights, &scales, ridge);
        // The step is halved until it reduces the loss.
        let tried = (0..30).map(|halvings| {
            let part = 0.5f64.powi(halvings);
            weights.iter().zip(&step).map(|(weight, step)| weight - part * step).collect::<Vec<_>>()
        });
        let Some((better, now)) = tried.map(|weights| (worth(&weights), weights)).find(|(better, _)| *better < least)
        else {
            break;
        };
        let gain = least - better;
        (weights, least) = (now, better);
        if gain < LEAST_GAIN {
            break;
        }
    }
    weights
}

/// The variance of each feature between the seats, as a mean over the examples.
fn scales(examples: &[Example], count: usize) -> Vec<f64> {
    let mut scales = vec![0.0; count];
    for example in examples {
        let seats = example.features.len() as f64;
        for (place, scale) in scales.iter_mut().enumerate() {
            let mean = example.features.iter().map(|features| features[place]).sum::<f64>() / seats;
            let squares = example.features.iter().map(|features| (features[place] - mean).powi(2));
            *scale += squares.sum::<f64>() / seats;
        }
    }
    scales.iter().map(|scale| scale / examples.len().max(1) as f64).collect()
}

/// The Newton step: the inverse of the Hessian times the gradient.
fn newton(examples: &[Example], weights: &[f64], scales: &[f64], ridge: f64) -> Vec<f64> {
    let count = weights.len();
    let mut slope: Vec<f64> = weights.iter().zip(scales).map(|(weight, scale)| ridge * weight * scale).collect();
    let mut curve: Vec<Vec<f64>> = vec![vec![0.0; count]; count];
    for (place, row) in curve.iter_mut().enumerate() {
        // A constant feature keeps its weight.
        row[place] = if scales[place] > 0.0 { ridge * scales[place] } else { 1.0 };
    }
    for example in examples {
        let predicted = predicted(example, weights);
        let mut mean = vec![0.0; count];
        for (features, share) in example.features.iter().zip(&predicted) {
            for (mean, value) in mean.iter_mut().zip(features) {
                *mean += share * value;
            }
        }
        for ((features, share), got) in example.features.iter().zip(&predicted).zip(&example.shares) {
            for (place, slope) in slope.iter_mut().enumerate() {
                *slope += (share - got) * features[place];
            }
            let apart: Vec<f64> = features.iter().zip(&mean).map(|(value, mean)| value - mean).collect();
            for (row, one) in curve.iter_mut().zip(&apart).filter(|(_, one)| **one != 0.0) {
                for (cell, other) in row.iter_mut().zip(&apart) {
                    *cell += share * one * other;
                }
            }
        }
    }
    solve(curve, slope)
}

/// Solves a system of linear equations whose matrix is symmetric and positive, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for place in 0..count {
        for below in place + 1..count {
            let factor = matrix[below][place] / matrix[place][place];
            if factor == 0.0 {
                continue;
            }
            let (upper, lower) = matrix.split_at_mut(below);
            for (cell, above) in lower[0][place..].iter_mut().zip(&upper[place][place..]) {
                *cell -= factor * above;
            }
            right[below] -= factor * right[place];
        }
    }
    for place in (0..count).rev() {
        let known: f64 = (place + 1..count).map(|later| matrix[place][later] * right[later]).sum();
        right[place] = (right[place] - known) / matrix[place][place];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Games whose results follow these weights.
    fn world(truth: &[f64], seats: usize, count: usize, random: &mut Random) -> Vec<Example> {
        let mut chance = || f64::from(random.below(1 << 20)) / f64::from(1 << 20);
        (0..count)
            .map(|_| {
                let features = (0..seats).map(|_| truth.iter().map(|_| 4.0 * chance()).collect()).collect();
                let mut example = Example { features, shares: vec![0.0; seats] };
                let mut drawn = chance();
                let winner = predicted(&example, truth).iter().position(|share| {
                    drawn -= share;
                    drawn < 0.0
                });
                example.shares[winner.unwrap_or(0)] = 1.0;
                example
            })
            .collect()
    }

    #[test]
    fn the_truth_is_found_again() {
        let mut random = Random::new(1);
        for seats in 2..=4 {
            let truth = [1.0, -0.5, 0.0, 0.25];
            let examples = world(&truth, seats, 8_000, &mut random);
            let weights = fit(&examples, truth.len(), 1.0);
            for (found, wanted) in weights.iter().zip(truth) {
                assert!((found - wanted).abs() < 0.08, "{seats} seats: {weights:?}");
            }
            let equal = (seats as f64).ln();
            assert!((loss(&examples, &[0.0; 4]) - equal).abs() < 1e-9);
            assert!(loss(&examples, &weights) <= loss(&examples, &truth));
            assert_eq!(weights, fit(&examples, truth.len(), 1.0), "to the last bit");
        }
    }

    #[test]
    fn what_decides_everything_stays_finite_and_what_never_differs_gets_nothing() {
        let example = |first: f64| Example {
            features: vec![vec![first, 7.0], vec![-first, 7.0]],
            shares: if first > 0.0 { vec![1.0, 0.0] } else { vec![0.0, 1.0] },
        };
        let weights = fit(&[example(1.0), example(-1.0), example(2.0)], 2, 1.0);
        assert!(weights[0] > 0.2 && weights[0] < 10.0, "{weights:?}");
        assert!(weights[1].abs() < 1e-12, "{weights:?}");
        assert!(fit(&[], 2, 1.0).iter().all(|&weight| weight == 0.0));
    }
}
