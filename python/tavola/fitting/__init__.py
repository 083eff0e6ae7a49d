"""The weights of evaluations, fitted to games that an engine played against itself."""

from tavola.fitting.fit import Bin, Fit, calibration, fit, loss
from tavola.fitting.selfplay import Games, Sample, played
from tavola.fitting.weights import Weighed, WeightsError, read, write

__all__ = [
    "Bin",
    "Fit",
    "Games",
    "Sample",
    "Weighed",
    "WeightsError",
    "calibration",
    "fit",
    "loss",
    "played",
    "read",
    "write",
]
