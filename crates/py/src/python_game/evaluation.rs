//! The evaluation of a Python game: its optional method `estimate`.

use pyo3::intern;
use pyo3::prelude::*;
use tavola_core::{Evaluate, MAX_SEATS};

use super::attach::attach;
use super::broken::{Broken, shown};
use super::fault::Fault;
use super::rules::PythonGame;
use super::state::PythonState;

/// The smallest share: its logarithm is finite.
const LEAST: f32 = 1e-6;

impl PythonGame {
    /// The shares by the method `estimate`.
    fn read_estimate(&self, py: Python<'_>, state: &PythonState) -> Result<Vec<f32>, Broken> {
        let value = self
            .0
            .object
            .bind(py)
            .call_method1(intern!(py, "estimate"), (state.object.bind(py),))
            .map_err(|error| Broken::raised(py, "`estimate`", error))?;
        let shares: Option<Vec<f32>> = value.extract().ok();
        shares
            .filter(|shares| {
                let valid = shares.iter().all(|share| (0.0..=1.0).contains(share));
                shares.len() == self.0.seats && valid && (shares.iter().sum::<f32>() - 1.0).abs() < 1e-3
            })
            .ok_or_else(|| {
                let fault =
                    Fault::new("`estimate` must return one share from 0 to 1 for each seat, 1 in sum; not {value}");
                Broken::new(fault.with("value", shown(&value)))
            })
    }
}

impl Evaluate for PythonGame {
    fn prefers_evaluation(&self) -> bool {
        self.0.has_estimate
    }

    fn logits(&self, state: &PythonState) -> [f32; MAX_SEATS] {
        self.estimate(state).map(|share| share.max(LEAST).ln())
    }

    fn estimate(&self, state: &PythonState) -> [f32; MAX_SEATS] {
        let mut all = [0.0; MAX_SEATS];
        let seats = &mut all[..self.0.seats];
        seats.fill(1.0 / self.0.seats as f32);
        if self.0.has_estimate && state.outcome.is_none() {
            attach(|py| match self.read_estimate(py, state) {
                Ok(shares) => seats.copy_from_slice(&shares),
                Err(broken) => self.0.failures.add(broken.what, state.text().to_owned(), broken.cause),
            });
        }
        all
    }
}
