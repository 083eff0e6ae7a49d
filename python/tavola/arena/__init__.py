"""Contests between engines: games by plan in several processes, their standing and records."""

from tavola.arena.elo import Scores, Sprt, elo, expected
from tavola.arena.game import Played, results
from tavola.arena.ledger import Ledger, LedgerError
from tavola.arena.plan import Pairing, Plan
from tavola.arena.standing import Row, Standing

__all__ = [
    "Ledger",
    "LedgerError",
    "Pairing",
    "Plan",
    "Played",
    "Row",
    "Scores",
    "Sprt",
    "Standing",
    "elo",
    "expected",
    "results",
]
