//! Small neural networks that suit the CPU: a policy over the actions and a share of the game for each seat.
//!
//! | file | content |
//! |---|---|
//! | `shape.rs` | [`Shape`]: the game of a network, and the sizes of its layers |
//! | `layer.rs` | a layer of weights of 8 bits, and its products with vectors |
//! | `network.rs` | [`Network`]: from an observation to priors and shares |
//! | `file.rs` | the bytes of a network file, and their faults |
//!
//! The input is the flat observation of the seat to act, each number divided by the largest of its plane. Most of its
//! numbers are 0, so the first layer adds only the rows of the others. One hidden layer follows; the priors of the legal
//! actions and a second hidden layer for the shares depend on it:
//!
//! ```text
//! hidden = relu(observation * input)        priors = softmax over the legal actions (hidden * policy)
//! second = relu(hidden * value)             shares = softmax over the seats         (second * shares)
//! ```
//!
//! A network may also read the game's evaluation. The terms of each seat are its features times their weights, less the
//! mean over the seats. They are further inputs, limited to an absolute value of [`MOST_TERM`], and the shares get their
//! sum. With looks, the logit of each action gets the evaluation after it. The network computes both factors from the
//! position:
//!
//! ```text
//! hidden = relu((observation, terms) * input)
//! (logits, factor) = second * shares        shares = softmax (logits + factor * sum of the terms of each seat)
//! (logits, factor) = hidden * policy        priors = softmax (logits + factor * looks)
//! ```
//!
//! Weights have 8 bits and a scale for each output. Sums are 32-bit floats in a fixed order, so that every machine
//! computes the same result.

#![forbid(unsafe_code)]

mod file;
mod layer;
mod network;
mod shape;

pub use file::FileError;
pub use layer::Weights;
pub use network::{Inputs, MOST_TERM, Network, Scratch, Tensors};
pub use shape::{Mismatch, Shape};

/// The features of the evaluation that the test network reads.
#[cfg(test)]
const FEATURES: &[&str] = &["near", "far"];

/// A network with features and looks, weights from a small formula, and the space of its observations: one plane of three
/// cells and a scalar.
#[cfg(test)]
fn test_network() -> (Network, tavola_core::observe::Space) {
    network(FEATURES.iter().map(|&name| name.to_owned()).zip([0.5, -2.0]).collect())
}

/// The same without features.
#[cfg(test)]
fn plain_network() -> (Network, tavola_core::observe::Space) {
    network(Vec::new())
}

#[cfg(test)]
fn network(features: Vec<(String, f32)>) -> (Network, tavola_core::observe::Space) {
    use tavola_core::Plane;
    use tavola_core::observe::Space;

    let planes = vec![Plane::cells("pieces", 1, ""), Plane::scalar("left", 4, ""), Plane::scalar("phase", 1, "")];
    let space = Space { board: (1, 2), planes, cell_planes: 1, symmetries: Vec::new() };
    let shape = Shape {
        game: "toy".to_owned(),
        options: [("size".to_owned(), "2".to_owned())].into(),
        rules_version: 1,
        planes: String::new(),
        inputs: space.flat_len(),
        hidden: 8,
        second: 3,
        seats: 2,
        actions: 3,
        looks: !features.is_empty(),
        features,
        c_puct: Some(0.75),
        rollouts: Some(0.5),
        about: "for tests".to_owned(),
    };
    let mut next = 0;
    let mut number = |_| {
        next += 1;
        ((next * 7 % 23) as f32 - 11.0) / 10.0
    };
    let mut layer = |(inputs, outputs): (usize, usize)| Weights {
        weight: (0..inputs * outputs).map(&mut number).collect(),
        bias: (0..outputs).map(&mut number).collect(),
    };
    let [input, value, shares, policy] = shape.layers().map(&mut layer);
    let network =
        Network::new(shape, &space, &Tensors { input, value, shares, policy }).expect("the shape of the space");
    (network, space)
}
