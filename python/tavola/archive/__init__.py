"""Archives of played games, and what was played in a position.

>>> import tavola
>>> import tavola.archive
>>> games = tavola.archive.archive("potlatch")
>>> games.record(0).tag("Game")
'potlatch'
>>> explored = tavola.archive.explore(tavola.load("potlatch").start())
>>> explored.games == len(games)
True
"""

from tavola.archive.archive import Archive, ArchiveError, PlayedGame, archive, parse
from tavola.archive.explore import Explored, explore
from tavola.archive.positions import Positions, positions
from tavola.archive.tally import Result, Tally

__all__ = [
    "Archive",
    "ArchiveError",
    "Explored",
    "PlayedGame",
    "Positions",
    "Result",
    "Tally",
    "archive",
    "explore",
    "parse",
    "positions",
]
