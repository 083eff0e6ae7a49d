"""Tuning: fits the weights of linear evaluations to self-play games."""

from tavola.tuning.fit import Bin, Fit, calibration, fit, loss
from tavola.tuning.self_play import Games, Sample, played
from tavola.tuning.weights_file import WeightsError, WeightSet, read, write

__all__ = [
    "Bin",
    "Fit",
    "Games",
    "Sample",
    "WeightSet",
    "WeightsError",
    "calibration",
    "fit",
    "loss",
    "played",
    "read",
    "write",
]
