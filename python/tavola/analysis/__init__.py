"""Analysis of a played game: the value of its positions, its mistakes, and its luck.

>>> import tavola
>>> from tavola.analysis import analyse
>>> match = tavola.Match(tavola.load("potlatch"))
>>> _ = match.play("Pnw").play("Pw")
>>> *_, study = analyse(match, nodes=50, threads=1)
>>> [action.token for action in study.actions], study.complete
(['Pnw', 'Pw'], True)
"""

from tavola.analysis.analyse import analyse
from tavola.analysis.annotate import annotate
from tavola.analysis.types import (
    Action,
    AnalysisError,
    Balance,
    ForcedResult,
    GameAnalysis,
    Limits,
    Line,
    Position,
    read_analysis,
)

__all__ = [
    "Action",
    "AnalysisError",
    "Balance",
    "ForcedResult",
    "GameAnalysis",
    "Limits",
    "Line",
    "Position",
    "analyse",
    "annotate",
    "read_analysis",
]
