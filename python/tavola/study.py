"""The names of `tavola.analysis` before 0.2."""

from tavola.analysis import (
    Action,
    Balance,
    Limits,
    Line,
    Position,
    analyse,
    annotate,
)
from tavola.analysis import AnalysisError as StudyError
from tavola.analysis import ForcedResult as Certain
from tavola.analysis import GameAnalysis as Study
from tavola.analysis import read_analysis as read_study

__all__ = [
    "Action",
    "Balance",
    "Certain",
    "Limits",
    "Line",
    "Position",
    "Study",
    "StudyError",
    "analyse",
    "annotate",
    "read_study",
]
