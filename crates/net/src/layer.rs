//! A layer of a network: weights of 8 bits with a scale for each output.

/// The largest absolute value of a weight of 8 bits.
const MOST: f32 = 127.0;

/// The number of running sums of a product of two vectors. The compiler computes them side by side.
const LANES: usize = 8;

/// The weights and biases of a layer as floats.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// One row for each input, with a weight for each output.
    pub weight: Vec<f32>,
    /// One for each output.
    pub bias: Vec<f32>,
}

/// The weights of a layer as a file has them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Quantised {
    /// One row for each input.
    pub(crate) weight: Vec<i8>,
    /// The value of a weight of 1, for each output.
    pub(crate) scale: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Quantised {
    /// The nearest weights of 8 bits.
    pub(crate) fn of(weights: &Weights) -> Self {
        let outputs = weights.bias.len();
        let mut scale = vec![0.0f32; outputs];
        for row in weights.weight.chunks_exact(outputs) {
            scale.iter_mut().zip(row).for_each(|(scale, weight)| *scale = scale.max(weight.abs() / MOST));
        }
        let nearest = |(weight, scale): (&f32, &f32)| if *scale > 0.0 { (weight / scale).round() as i8 } else { 0 };
        let rows = weights.weight.chunks_exact(outputs);
        Self {
            weight: rows.flat_map(|row| row.iter().zip(&scale).map(nearest)).collect(),
            scale,
            bias: weights.bias.clone(),
        }
    }

    /// The weights as floats.
    pub(crate) fn weights(&self) -> Weights {
        let rows = self.weight.chunks_exact(self.bias.len());
        let float = |(&weight, scale): (&i8, &f32)| f32::from(weight) * scale;
        Weights {
            weight: rows.flat_map(|row| row.iter().zip(&self.scale).map(float)).collect(),
            bias: self.bias.clone(),
        }
    }
}

/// Adds a multiple of a row to the sums.
pub(crate) fn add_scaled(sums: &mut [f32], row: &[f32], factor: f32) {
    sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += factor * weight);
}

/// Writes the product of a vector with a layer of `sums.len()` outputs. Zeros of the vector cost nothing.
pub(crate) fn apply(layer: &Weights, vector: &[f32], sums: &mut [f32]) {
    sums.copy_from_slice(&layer.bias);
    for (&factor, row) in vector.iter().zip(layer.weight.chunks_exact(sums.len())) {
        if factor != 0.0 {
            add_scaled(sums, row, factor);
        }
    }
}

/// The product of two vectors of the same length.
pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest: f32 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (ones, others) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += ones[lane] * others[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Replaces what is below 0 by 0.
pub(crate) fn relu(sums: &mut [f32]) {
    for sum in sums {
        *sum = sum.max(0.0);
    }
}

/// Turns logits into probabilities.
pub(crate) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    for probability in logits {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_of_8_bits_is_off_by_at_most_half_its_scale() {
        let weight: Vec<f32> = (0..60).map(|n: i32| ((n * 37 % 61) - 30) as f32 / 7.0).collect();
        let weights = Weights { weight, bias: vec![0.5, -1.0, 2.0] };
        let quantised = Quantised::of(&weights);
        let back = quantised.weights();
        assert_eq!(back.bias, weights.bias);
        for (place, (before, after)) in weights.weight.iter().zip(&back.weight).enumerate() {
            assert!((before - after).abs() <= 0.501 * quantised.scale[place % 3], "{before} {after}");
        }
        assert_eq!(Quantised::of(&back).weight, quantised.weight);
    }

    #[test]
    fn an_output_without_weights_stays_without() {
        let quantised = Quantised::of(&Weights { weight: vec![0.0, 1.0, 0.0, -2.0], bias: vec![0.0, 0.0] });
        assert_eq!(quantised.weight, [0, 64, 0, -127]);
    }

    #[test]
    fn the_product_has_every_term() {
        let (one, other): (Vec<f32>, Vec<f32>) = (0..19).map(|n| (n as f32, (n % 3) as f32)).unzip();
        let plain: f32 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
        assert!((dot(&one, &other) - plain).abs() < 1e-3);
    }
}
