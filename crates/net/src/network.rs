//! A network: from an observation to the priors of actions and the shares of seats.

use tavola_core::Seat;
use tavola_core::observe::{Scope, Space};

use crate::layer::{Quantised, Weights, add_scaled, apply, dot, relu, softmax};
use crate::shape::{Mismatch, Shape, hash_of};

/// The largest absolute value of a term as an input of the hidden layer.
pub const MOST_TERM: f32 = 4.0;

/// The four layers of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensors<T> {
    /// From the observation and the terms to the hidden layer.
    pub input: T,
    /// From the hidden layer to the second one.
    pub value: T,
    /// From the second hidden layer to the seats, the seat to act first, the others clockwise.
    pub shares: T,
    /// From the hidden layer to the actions.
    pub policy: T,
}

impl<T> Tensors<T> {
    /// Converts each layer.
    pub fn map<U>(&self, mut convert: impl FnMut(&T) -> U) -> Tensors<U> {
        Tensors {
            input: convert(&self.input),
            value: convert(&self.value),
            shares: convert(&self.shares),
            policy: convert(&self.policy),
        }
    }

    /// The layers in the order of [`Shape::layers`].
    pub fn all(&self) -> [&T; 4] {
        [&self.input, &self.value, &self.shares, &self.policy]
    }
}

/// A network for one game with its options.
#[derive(Clone, Debug)]
pub struct Network {
    shape: Shape,
    quantised: Tensors<Quantised>,
    /// The weights as floats. Those of the input are divided by the largest value of each number of the observation, and
    /// those of the policy have a row for each action.
    layers: Tensors<Weights>,
}

/// The inputs of a network from a position.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The flat observation of the seat to act.
    pub observation: &'a [u8],
    /// The [terms](tavola_core::evaluation::terms) of each seat, those of the seat to act first; empty without features.
    pub terms: &'a [f32],
    /// The [look](tavola_core::evaluation::looks) of each legal action; empty without looks.
    pub looks: &'a [f32],
}

/// Buffers for evaluations.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    hidden: Vec<f32>,
    second: Vec<f32>,
    /// The shares, the seat to act first.
    relative: Vec<f32>,
}

impl Network {
    /// A network with the nearest weights of 8 bits.
    ///
    /// # Errors
    /// [`Mismatch`] if the shape is not that of the game's observations.
    ///
    /// # Panics
    /// If the number of weights of a layer is not that of the shape.
    pub fn new(mut shape: Shape, space: &Space, weights: &Tensors<Weights>) -> Result<Self, Mismatch> {
        for (layer, (inputs, outputs)) in weights.all().into_iter().zip(shape.layers()) {
            assert_eq!(
                (layer.weight.len(), layer.bias.len()),
                (inputs * outputs, outputs),
                "the layers have the shape"
            );
        }
        shape.planes = hash_of(space);
        shape.check_space(space)?;
        Ok(Self::of(shape, space, weights.map(Quantised::of)))
    }

    pub(crate) fn of(shape: Shape, space: &Space, quantised: Tensors<Quantised>) -> Self {
        let mut layers = quantised.map(Quantised::weights);
        let highs = space.planes.iter().flat_map(|plane| {
            let count = if plane.scope == Scope::Cell { space.cells() } else { 1 };
            std::iter::repeat_n(f32::from(plane.high), count)
        });
        for (row, high) in layers.input.weight.chunks_exact_mut(shape.hidden).zip(highs) {
            for weight in row {
                *weight /= high;
            }
        }
        layers.policy.weight = transposed(&layers.policy.weight, layers.policy.bias.len());
        Self { shape, quantised, layers }
    }

    /// The purpose and sizes of the network.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The weights as floats.
    pub fn weights(&self) -> Tensors<Weights> {
        self.quantised.map(Quantised::weights)
    }

    pub(crate) const fn quantised(&self) -> &Tensors<Quantised> {
        &self.quantised
    }

    /// Evaluates a position: writes a probability for each of these legal actions, and the expected share of the game of
    /// each seat.
    ///
    /// # Panics
    /// If a length is not that of the shape, or an action has no such number.
    pub fn evaluate(
        &self,
        inputs: &Inputs<'_>,
        seat: Seat,
        ids: &[usize],
        scratch: &mut Scratch,
        priors: &mut [f32],
        shares: &mut [f32],
    ) {
        self.read(inputs, scratch);
        self.write_priors(ids, inputs.looks, &scratch.hidden, priors);
        self.write_shares(inputs.terms, seat, scratch, shares);
    }

    /// Computes the hidden layer.
    fn read(&self, inputs: &Inputs<'_>, scratch: &mut Scratch) {
        let (shape, layer) = (&self.shape, &self.layers.input);
        let lengths = (inputs.observation.len(), inputs.terms.len());
        assert_eq!(lengths, (shape.inputs, shape.terms()), "the lengths of the shape");
        scratch.hidden.clear();
        scratch.hidden.extend_from_slice(&layer.bias);
        let (of_observation, of_terms) = layer.weight.split_at(shape.inputs * shape.hidden);
        for (&number, row) in inputs.observation.iter().zip(of_observation.chunks_exact(shape.hidden)) {
            if number != 0 {
                add_scaled(&mut scratch.hidden, row, number.into());
            }
        }
        for (&term, row) in inputs.terms.iter().zip(of_terms.chunks_exact(shape.hidden)) {
            if term != 0.0 {
                add_scaled(&mut scratch.hidden, row, term.clamp(-MOST_TERM, MOST_TERM));
            }
        }
        relu(&mut scratch.hidden);
    }

    fn write_priors(&self, ids: &[usize], looks: &[f32], hidden: &[f32], priors: &mut [f32]) {
        let (shape, layer) = (&self.shape, &self.layers.policy);
        let output = |id: usize| layer.bias[id] + dot(hidden, &layer.weight[id * shape.hidden..][..shape.hidden]);
        for (&id, prior) in ids.iter().zip(&mut *priors) {
            *prior = output(id);
        }
        if shape.looks {
            assert_eq!(looks.len(), ids.len(), "a look for each action");
            add_scaled(priors, looks, output(shape.actions));
        }
        softmax(priors);
    }

    fn write_shares(&self, terms: &[f32], seat: Seat, scratch: &mut Scratch, shares: &mut [f32]) {
        let (shape, layers) = (&self.shape, &self.layers);
        assert_eq!(shares.len(), shape.seats, "a share for each seat");
        let Scratch { hidden, second, relative } = scratch;
        second.resize(shape.second, 0.0);
        apply(&layers.value, hidden, second);
        relu(second);
        relative.resize(layers.shares.bias.len(), 0.0);
        apply(&layers.shares, second, relative);
        let (relative, factor) = relative.split_at_mut(shape.seats);
        if let [factor] = factor {
            for (logit, terms) in relative.iter_mut().zip(terms.chunks_exact(shape.features.len())) {
                *logit += *factor * terms.iter().sum::<f32>();
            }
        }
        softmax(relative);
        for (place, &share) in relative.iter().enumerate() {
            shares[(usize::from(seat) + place) % shape.seats] = share;
        }
    }
}

/// The transpose of a matrix with this number of columns.
fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    let rows = matrix.len() / columns;
    (0..matrix.len()).map(|place| matrix[place % rows * columns + place / rows]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FEATURES, plain_network, test_network};

    #[test]
    fn a_network_computes_its_formula() {
        let (network, _) = test_network();
        // The first term is beyond the limit of an input.
        let (terms, looks) = ([5.0, 0.25, -5.0, -0.25], [1.5, -0.5]);
        let inputs = Inputs { observation: &[1, 0, 2, 1], terms: &terms, looks: &looks };
        let (mut priors, mut shares) = ([0.0; 2], [0.0; 2]);
        let mut scratch = Scratch::default();
        network.evaluate(&inputs, 1, &[0, 2], &mut scratch, &mut priors, &mut shares);

        // The same with plain loops; the third number is of a plane with the largest value 4.
        let weights = network.weights();
        let product = |vector: &[f32], layer: &Weights| -> Vec<f32> {
            let outputs = layer.bias.len();
            let sum = |output: usize| -> f32 {
                vector.iter().enumerate().map(|(row, x)| x * layer.weight[row * outputs + output]).sum()
            };
            (0..outputs).map(|output| layer.bias[output] + sum(output)).collect()
        };
        let positive = |values: Vec<f32>| -> Vec<f32> { values.into_iter().map(|x| x.max(0.0)).collect() };
        let hidden = positive(product(&[1.0, 0.0, 0.5, 1.0, 4.0, 0.25, -4.0, -0.25], &weights.input));
        let logits = product(&hidden, &weights.policy);
        let [first, third] = [(0, 1.5), (2, -0.5)].map(|(id, look)| (logits[id] + logits[3] * look).exp());
        assert!((priors[0] - first / (first + third)).abs() < 1e-6, "{priors:?}");
        let relative = product(&positive(product(&hidden, &weights.value)), &weights.shares);
        let [own, other] = [(0, 5.25), (1, -5.25)].map(|(place, sum)| (relative[place] + relative[2] * sum).exp());
        assert!((shares[1] - own / (own + other)).abs() < 1e-6, "{shares:?}");
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-6);
        assert!((shares[0] - 0.5).abs() > 1e-3, "the test network has an opinion");
    }

    #[test]
    fn a_network_without_features_reads_the_observation_alone() {
        let (network, _) = plain_network();
        let inputs = Inputs { observation: &[1, 0, 2, 1], terms: &[], looks: &[] };
        let (mut priors, mut shares) = ([0.0; 2], [0.0; 2]);
        network.evaluate(&inputs, 1, &[0, 2], &mut Scratch::default(), &mut priors, &mut shares);
        for sum in [priors.iter().sum::<f32>(), shares.iter().sum()] {
            assert!((sum - 1.0).abs() < 1e-6, "{priors:?} {shares:?}");
        }
    }

    #[test]
    fn a_network_of_another_observation_is_refused() {
        let (network, mut space) = test_network();
        let shape = network.shape();
        assert_eq!(shape.check(1, &space, 2, 3, FEATURES), Ok(()));
        let fault = shape.check(1, &space, 2, 4, FEATURES).expect_err("other actions");
        assert_eq!(fault.to_string(), "the network is for a number of actions of 3, and the game has 4");
        let fault = shape.check(1, &space, 2, 3, &["near", "old"]).expect_err("other features");
        let said = "the network is for an evaluation with the features near, far, and the game has near, old";
        assert_eq!(fault.to_string(), said);
        assert!(shape.check(2, &space, 2, 3, FEATURES).is_err());
        space.planes[0].high = 3;
        let fault = shape.check(1, &space, 2, 3, FEATURES).expect_err("another plane");
        assert_eq!(fault.what, "planes with the hash");
    }
}
