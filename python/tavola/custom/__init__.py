"""Games written in Python: a class with the rules, and a description of its board.

`tavola.register(MyGame)` or `tavola.load("mygame.py")` makes such a game a game like any other: in
the terminal and the browser, for search, analysis, environments, matches and records.
`tavola.check` tests its rules. The tutorial docs/tutorials/python-game.md writes one.
"""

from tavola.custom.board import Board, Cell, Free, Grid, HexGrid
from tavola.custom.check import Breach, Report, check
from tavola.custom.protocol import GameRules, GameState, Outcome, Piece
from tavola.custom.registry import load_environment, load_file, register, unregister

__all__ = [
    "Board",
    "Breach",
    "Cell",
    "Free",
    "GameRules",
    "GameState",
    "Grid",
    "HexGrid",
    "Outcome",
    "Piece",
    "Report",
    "check",
    "load_environment",
    "load_file",
    "register",
    "unregister",
]
