//! A neural network with buffers, for positions of any form.

use tavola_core::{Features, Seat};
use tavola_net::{Inputs, Network, Scratch};

/// A position in which a seat acts, as a network reads it.
pub(crate) trait NetworkInput {
    /// The seat to act.
    fn seat(&self) -> Seat;

    /// Writes the flat observation of a seat.
    fn observe(&self, seat: Seat, out: &mut [u8]);

    /// Writes the terms of the evaluation, those of the seat to act first.
    fn terms(&self, weights: &Features, terms: &mut [f32]);

    /// Writes the look of each legal action, by their numbers.
    fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]);
}

/// A network with the buffers of one thread.
#[derive(Clone, Debug)]
pub(crate) struct PositionEvaluator<'a> {
    network: &'a Network,
    weights: Features,
    observation: Vec<u8>,
    terms: Vec<f32>,
    looks: Vec<f32>,
    scratch: Scratch,
}

impl<'a> PositionEvaluator<'a> {
    pub(crate) fn new(network: &'a Network) -> Self {
        let shape = network.shape();
        Self {
            network,
            weights: shape.weights(),
            observation: vec![0; shape.inputs],
            terms: vec![0.0; shape.terms()],
            looks: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Evaluates a position of the network's game and options.
    pub(crate) fn evaluate(
        &mut self,
        position: &impl NetworkInput,
        ids: &[usize],
        priors: &mut [f32],
        shares: &mut [f32],
    ) {
        let seat = position.seat();
        position.observe(seat, &mut self.observation);
        if !self.terms.is_empty() {
            position.terms(&self.weights, &mut self.terms);
        }
        if self.network.shape().looks {
            self.looks.resize(ids.len(), 0.0);
            position.looks(ids, &self.weights, &mut self.looks);
        }
        let inputs = Inputs { observation: &self.observation, terms: &self.terms, looks: &self.looks };
        self.network.evaluate(&inputs, seat, ids, &mut self.scratch, priors, shares);
    }
}
