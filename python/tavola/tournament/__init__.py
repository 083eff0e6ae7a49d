"""Matches between engines: scheduled games in several processes, standings and records."""

from tavola.tournament.elo import Scores, elo, expected
from tavola.tournament.game import GameResult, play_games
from tavola.tournament.results_file import ResultsFile, ResultsFileError
from tavola.tournament.schedule import Pairing, Schedule
from tavola.tournament.sprt import Sprt
from tavola.tournament.standings import Row, Standings
from tavola.tournament.statistics import Estimate, mean, proportion, seat_shares

__all__ = [
    "Estimate",
    "GameResult",
    "Pairing",
    "ResultsFile",
    "ResultsFileError",
    "Row",
    "Schedule",
    "Scores",
    "Sprt",
    "Standings",
    "elo",
    "expected",
    "mean",
    "play_games",
    "proportion",
    "seat_shares",
]
