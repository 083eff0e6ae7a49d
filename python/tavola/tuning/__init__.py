"""Tuning: fits the weights of linear evaluations to self-play games."""

from tavola.tuning.fit import Bin, Fit, calibration, fit, loss
from tavola.tuning.self_play import Sample, SelfPlay, play_games
from tavola.tuning.weights_file import WeightsError, WeightSet, read_weights, write_weights

__all__ = [
    "Bin",
    "Fit",
    "Sample",
    "SelfPlay",
    "WeightSet",
    "WeightsError",
    "calibration",
    "fit",
    "loss",
    "play_games",
    "read_weights",
    "write_weights",
]
