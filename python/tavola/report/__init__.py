"""Reports on a game for its designer: engines play, and measures say how the game behaves.

`tavola report` runs them. docs/explanation/measures.md defines the measures with their sources.
"""

from tavola.report.data import Action, PlayedGame, action_table, game_table, replay
from tavola.report.measures import Measures, measure
from tavola.report.plan import Plan, Series, round_length
from tavola.report.play import GameFiles, play_series
from tavola.report.report import Report, make_report

__all__ = [
    "Action",
    "GameFiles",
    "Measures",
    "Plan",
    "PlayedGame",
    "Report",
    "Series",
    "action_table",
    "game_table",
    "make_report",
    "measure",
    "play_series",
    "replay",
    "round_length",
]
