//! Dirichlet noise.

use tavola_core::Random;

use super::settings::Noise;

/// Mixes noise into priors whose sum is 1.
pub(super) fn mix_in(noise: Noise, priors: &mut [f32], random: &mut Random) {
    let gammas: Vec<f64> = priors.iter().map(|_| gamma(f64::from(noise.alpha), random)).collect();
    let sum: f64 = gammas.iter().sum();
    if sum <= 0.0 {
        return; // Every number was too small for a float.
    }
    let fraction = f64::from(noise.fraction);
    for (prior, gamma) in priors.iter_mut().zip(gammas) {
        *prior = ((1.0 - fraction) * f64::from(*prior) + fraction * gamma / sum) as f32;
    }
}

/// A number of the gamma distribution with scale 1 (Marsaglia and Tsang 2000).
fn gamma(shape: f64, random: &mut Random) -> f64 {
    if shape < 1.0 {
        let uniform = 1.0 - random.unit();
        return gamma(shape + 1.0, random) * uniform.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(random);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && (1.0 - random.unit()).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A number of the normal distribution (the polar method).
fn normal(random: &mut Random) -> f64 {
    loop {
        let (x, y) = (2.0 * random.unit() - 1.0, 2.0 * random.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gamma_numbers_have_their_mean_and_variance() {
        for shape in [0.3, 1.0, 4.0] {
            let mut random = Random::new(1);
            let numbers: Vec<f64> = (0..50_000).map(|_| gamma(shape, &mut random)).collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
            assert!((mean / shape - 1.0).abs() < 0.03, "{shape}: {mean}");
            assert!((variance / shape - 1.0).abs() < 0.06, "{shape}: {variance}");
        }
    }

    #[test]
    fn noise_keeps_the_sum_and_its_part() {
        let priors = [0.5, 0.25, 0.25, 0.0];
        let mut noisy = priors;
        mix_in(Noise { alpha: 0.3, fraction: 0.25 }, &mut noisy, &mut Random::new(3));
        assert!((noisy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(noisy.iter().zip(priors).all(|(noisy, prior)| *noisy >= 0.75 * prior));
        let mut same = priors;
        mix_in(Noise { alpha: 0.3, fraction: 0.0 }, &mut same, &mut Random::new(3));
        assert!(same.iter().zip(priors).all(|(same, prior)| (same - prior).abs() < 1e-9));
    }
}
