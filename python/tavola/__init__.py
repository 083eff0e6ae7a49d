"""Tavola: modern table games to play, study and research.

>>> import tavola
>>> game = tavola.load("potlatch")
>>> state = game.start()
>>> state.legal_actions
('Pne', 'Pnw', 'Pse', 'Psw', 'Pw')
>>> state = state.play("Pnw").play("Pw")
>>> state.to_act, state.text
(1, '-1,-1:1;0,-1:1;0,0:0;1,0:0;0,1:0 -1,-1;1,0 B 0 1,0 0 1 -')
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from tavola._core import (
        CHANCE,
        Analysis,
        Game,
        LegalActions,
        Line,
        Outcome,
        Playouts,
        Proof,
        Searcher,
        State,
        Stop,
        __version__,
        games,
        load,
        perft,
        playouts,
        prove,
        search,
    )
    from tavola.engines.engine import Choice, Engine, Info, Limits
    from tavola.engines.levels import levels
    from tavola.engines.naming import engine
    from tavola.errors import (
        EngineError,
        EngineFailed,
        IllegalAction,
        OptionError,
        PositionError,
        RecordError,
        TavolaError,
        TooLarge,
        UnknownGame,
    )
    from tavola.fair import Draw, Verification, verify
    from tavola.match import Match
    from tavola.record import Record, Step, Variation, read_records
else:

    def __getattr__(name: str) -> object:
        """Imports a name when it is first asked for: a command begins before all that."""
        from importlib import import_module

        if name in __all__:
            for home in ("_core", "engines", "errors", "fair", "match", "record"):
                module = import_module(f"tavola.{home}")
                if hasattr(module, name):
                    return globals().setdefault(name, getattr(module, name))
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "CHANCE",
    "Analysis",
    "Choice",
    "Draw",
    "Engine",
    "EngineError",
    "EngineFailed",
    "Game",
    "IllegalAction",
    "Info",
    "LegalActions",
    "Limits",
    "Line",
    "Match",
    "OptionError",
    "Outcome",
    "Playouts",
    "PositionError",
    "Proof",
    "Record",
    "RecordError",
    "Searcher",
    "State",
    "Step",
    "Stop",
    "TavolaError",
    "TooLarge",
    "UnknownGame",
    "Variation",
    "Verification",
    "__version__",
    "engine",
    "games",
    "levels",
    "load",
    "perft",
    "playouts",
    "prove",
    "read_records",
    "search",
    "verify",
]
