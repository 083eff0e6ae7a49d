"""What a played game was worth: its positions, its mistakes, its luck.

>>> import tavola
>>> from tavola.study import analyse
>>> match = tavola.Match(tavola.load("potlatch"))
>>> _ = match.play("Pnw").play("Pw")
>>> *_, study = analyse(match, nodes=50, threads=1)
>>> [action.token for action in study.actions], study.complete
(['Pnw', 'Pw'], True)
"""

from tavola.study.analyse import analyse
from tavola.study.annotate import annotate
from tavola.study.study import (
    Action,
    Balance,
    Certain,
    Limits,
    Line,
    Position,
    Study,
    StudyError,
    read_study,
)

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
