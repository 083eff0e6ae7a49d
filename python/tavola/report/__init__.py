"""Reports on a game for its designer: engines play, and measures say how the game behaves.

`tavola report` runs them. docs/explanation/measures.md defines the measures with their sources.
"""

from tavola.report.data import Action, PlayedGame, action_table, game_table, replay
from tavola.report.measures import Measures, measure
from tavola.report.plan import Plan, Series, round_length
from tavola.report.play import GameFiles, play_series

__all__ = [
    "Action",
    "GameFiles",
    "Measures",
    "Plan",
    "PlayedGame",
    "Series",
    "action_table",
    "game_table",
    "measure",
    "play_series",
    "replay",
    "round_length",
]
