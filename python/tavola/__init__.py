"""Tavola: board games to play, study and research.

>>> import tavola
>>> game = tavola.load("potlatch")
>>> state = game.start()
>>> state.legal_actions
('Pne', 'Pnw', 'Pse', 'Psw', 'Pw')
>>> state = state.play("Pnw").play("Pw")
>>> state.to_act, state.text
(1, '-1,-1:1;0,-1:1;0,0:0;1,0:0;0,1:0 -1,-1;1,0 B 0 1,0 0 1 -')
"""

from tavola import _startup as _startup  # first, for Ctrl-C during the imports below

# isort: split
from collections.abc import Sequence
from importlib.metadata import version

from tavola._core import (
    CHANCE,
    Actions,
    Analysis,
    Game,
    LeafBatch,
    LegalActions,
    Line,
    Network,
    ObservationSpace,
    Outcome,
    Plane,
    Playouts,
    Proof,
    Searcher,
    State,
    Stop,
    Symmetry,
    games,
    load,
    perft,
    playouts,
    prove,
    search,
    search_batch,
)
from tavola.custom import check, register
from tavola.engines import Choice, Engine, Info, Limits, engine, levels
from tavola.errors import (
    EngineError,
    EngineFailed,
    GameFailed,
    IllegalAction,
    IllegalId,
    OptionError,
    PictureError,
    PositionError,
    RecordError,
    SolutionError,
    TavolaError,
    TooLarge,
    UnknownGame,
)
from tavola.fairness import Draw, Verification, verify
from tavola.match import Match
from tavola.picture import Picture
from tavola.record import Record, Step, Variation, read_records
from tavola.record_table import records_table
from tavola.targets import Targets
from tavola.vector_env import VectorEnv, vector

__all__ = [
    "CHANCE",
    "Actions",
    "Analysis",
    "Choice",
    "Draw",
    "Engine",
    "EngineError",
    "EngineFailed",
    "Game",
    "GameFailed",
    "IllegalAction",
    "IllegalId",
    "Info",
    "LeafBatch",
    "LegalActions",
    "Limits",
    "Line",
    "Match",
    "Network",
    "ObservationSpace",
    "OptionError",
    "Outcome",
    "Picture",
    "PictureError",
    "Plane",
    "Playouts",
    "PositionError",
    "Proof",
    "Record",
    "RecordError",
    "Searcher",
    "SolutionError",
    "State",
    "Step",
    "Stop",
    "Symmetry",
    "Targets",
    "TavolaError",
    "TooLarge",
    "UnknownGame",
    "Variation",
    "VectorEnv",
    "Verification",
    "check",
    "engine",
    "games",
    "levels",
    "load",
    "perft",
    "playouts",
    "prove",
    "read_records",
    "records_table",
    "register",
    "search",
    "search_batch",
    "vector",
    "verify",
]

__version__ = version("tavola")

Sequence.register(Actions)
Sequence.register(LegalActions)
