//! Weights of evaluations: fitted to positions and what became of them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_core::evaluation::regression::{self, Example};

#[pyfunction]
#[pyo3(name = "_fit", signature = (features, shares, ridge))]
pub(crate) fn fit(
    py: Python<'_>,
    features: Vec<Vec<Vec<f64>>>,
    shares: Vec<Vec<f64>>,
    ridge: f64,
) -> PyResult<Vec<f64>> {
    let examples = examples(features, shares)?;
    let count = examples.first().map_or(0, |example| example.features[0].len());
    Ok(py.detach(|| regression::fit(&examples, count, ridge)))
}

#[pyfunction]
#[pyo3(name = "_loss", signature = (features, shares, weights))]
pub(crate) fn loss(features: Vec<Vec<Vec<f64>>>, shares: Vec<Vec<f64>>, weights: Vec<f64>) -> PyResult<f64> {
    Ok(regression::loss(&examples(features, shares)?, &weights))
}

/// Positions and what became of them, all of one shape.
fn examples(features: Vec<Vec<Vec<f64>>>, shares: Vec<Vec<f64>>) -> PyResult<Vec<Example>> {
    let shape = |features: &Vec<Vec<f64>>| (features.len(), features.first().map_or(0, Vec::len));
    let known = features.first().map(shape).unwrap_or_default();
    let even = features.iter().all(|seats| shape(seats) == known && seats.iter().all(|values| values.len() == known.1));
    if !even || features.len() != shares.len() || shares.iter().any(|shares| shares.len() != known.0) {
        return Err(PyValueError::new_err("positions of different shapes"));
    }
    Ok(features.into_iter().zip(shares).map(|(features, shares)| Example { features, shares }).collect())
}
