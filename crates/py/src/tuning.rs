//! The fit of evaluation weights to positions and their results.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_core::evaluation::regression::{self, Example};

/// Fit weights to positions and their results by regularized logistic regression.
///
/// Args:
///     features: For each position and seat the features: positions × seats × features.
///     shares: For each position the share of each seat: positions × seats, 1 in sum.
///     ridge: The strength of the L2 penalty.
///
/// Returns:
///     One weight per feature.
///
/// Raises:
///     ValueError: If the shapes disagree.
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

/// Compute the mean logarithmic loss of weights.
///
/// Args:
///     features: For each position and seat the features: positions × seats × features.
///     shares: For each position the share of each seat: positions × seats, 1 in sum.
///     weights: One weight per feature.
///
/// Returns:
///     The loss in nats per position; 0 is perfect.
///
/// Raises:
///     ValueError: If the shapes disagree.
#[pyfunction]
#[pyo3(name = "_loss", signature = (features, shares, weights))]
pub(crate) fn loss(features: Vec<Vec<Vec<f64>>>, shares: Vec<Vec<f64>>, weights: Vec<f64>) -> PyResult<f64> {
    Ok(regression::loss(&examples(features, shares)?, &weights))
}

/// The examples, all of one shape.
fn examples(features: Vec<Vec<Vec<f64>>>, shares: Vec<Vec<f64>>) -> PyResult<Vec<Example>> {
    let shape = |features: &Vec<Vec<f64>>| (features.len(), features.first().map_or(0, Vec::len));
    let known = features.first().map(shape).unwrap_or_default();
    let even = features.iter().all(|seats| shape(seats) == known && seats.iter().all(|values| values.len() == known.1));
    if !even || features.len() != shares.len() || shares.iter().any(|shares| shares.len() != known.0) {
        return Err(PyValueError::new_err("positions of different shapes"));
    }
    Ok(features.into_iter().zip(shares).map(|(features, shares)| Example { features, shares }).collect())
}
