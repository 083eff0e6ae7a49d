"""Engine specifications: `random`, `tree:nodes=5000,threads=1`, `ugi:seconds=1 -- ./program`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Mapping

from tavola._core import MAX_THREADS, Game, Network
from tavola.engines.builtin import SEARCHES, RandomEngine, SearchEngine
from tavola.engines.engine import Engine, Limits
from tavola.engines.levels import classic_specification, level_specification
from tavola.engines.network import network_of
from tavola.engines.python_agent import PythonAgent
from tavola.engines.ugi_client import UgiEngine
from tavola.errors import EngineError, Message, quoted

__all__ = ["EXTERNAL", "KINDS", "SEPARATOR", "analysis_network", "engine"]

SEPARATOR = " -- "
DAY = 86_400.0

Values = dict[str, float | int | str]


def _number(least: int, most: int) -> Callable[[str], int | None]:
    def read(text: str) -> int | None:
        plain = text.isascii() and text.isdigit() and len(text) <= 19
        return int(text) if plain and least <= int(text) <= most else None

    return read


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0.0 < seconds <= DAY else None


def _part(most: float) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        try:
            part = float(text)
        except ValueError:
            return None
        return part if 0.0 <= part <= most else None

    return read


_Setting = tuple[Callable[[str], float | int | str | None], Message]


def _whole_number(least: int, most: int) -> _Setting:
    valid = Message("a whole number from {least} to {most}", least=least, most=most)
    return _number(least, most), valid


def _fraction(most: float) -> _Setting:
    return _part(most), Message("a number from 0 to {most}", most=f"{most:g}")


_TIME = _seconds, Message("a number above 0 and at most {most}", most=f"{DAY:.0f}")

_SETTINGS: Mapping[str, _Setting] = {
    "seconds": _TIME,
    "nodes": _whole_number(1, 2**32 - 1),
    "depth": _whole_number(1, 1000),
    "lookahead": _whole_number(0, 100),
    "blunders": _fraction(10.0),
    "contempt": _fraction(0.9),
    "c_puct": _fraction(100.0),
    "rollouts": _fraction(1.0),
    "threads": _whole_number(1, MAX_THREADS),
    "memory": (
        _number(1, 2**20),
        Message("megabytes, a whole number from 1 to {most}", most=2**20),
    ),
    "seed": _whole_number(0, 2**63 - 1),
    "patience": _TIME,
    "file": (lambda text: text or None, Message("the path of a file")),
}
"""The parser of every setting, and a description of its valid values."""

ALIASES: Mapping[str, str] = {"sight": "lookahead", "slips": "blunders"}
"""The names of settings before 0.2, which stored games and levels may contain."""

_TREE = ("seconds", "nodes", "lookahead", "blunders", "contempt", "threads", "memory", "seed")

KINDS: Mapping[str, tuple[str, ...]] = {
    "random": ("seed",),
    **dict.fromkeys(SEARCHES, _TREE),
    "alphabeta": ("seconds", "nodes", "depth", "contempt", "threads", "memory", "seed"),
    "net": ("file", "c_puct", "rollouts", *_TREE),
    "classic": (),
    "level": (),
    "ugi": ("seconds", "nodes", "depth", "patience"),
    "python": ("seconds",),
}
"""The settings of each kind of engine."""

EXTERNAL = ("ugi", "python")
"""The kinds of external engines, which have options of their own."""

OPTION = "option."
"""The prefix of an option of an external engine."""


def engine(text: str, game: Game) -> Engine:
    """Create an engine from its specification.

    A specification is a kind and its settings: `random`, `auto:seconds=1`,
    `tree:nodes=5000,threads=2`, `uct:nodes=1000,seed=3`, `alphabeta:depth=6`. Without limits an
    engine thinks one second per action, in one thread. The settings of a search:

    - `seconds`, `nodes`, `depth`: the limits of one action.
    - `lookahead`: the depth of the exhaustive look-ahead for forced results, in actions. Up to 5 it
      is complete; beyond that it goes as deep as the node limit allows.
    - `blunders`: the blunder rate. The engine plays each action with a probability proportional
      to `visits ** (1 / blunders)`; 0 always plays the best action.
    - `contempt`: the part of its share of a draw that the engine counts as lost, from 0 to 0.9.
    - `threads`, `memory` (of the tree, in megabytes), `seed`.

    `net:nodes=800` is a tree search with the neural network of the game for its options, and
    `net:file=PATH` with a network of `tavola train`. `c_puct` is its exploration constant: how
    much the policy counts against the shares. `rollouts` is the weight of a rollout in the value of
    each leaf, from 0 to 1. The other settings are those of `tree`.

    `level:1` to `level:8` are the levels of the game (`tavola.levels`). `classic` is the last level
    without its network, to measure networks against.

    `ugi:COMMAND` runs a program that speaks UGI (docs/reference/ugi.md), with its settings before
    the command: `ugi:seconds=0.5,option.Hash=64 -- COMMAND`.

    `python:MODULE:CLASS` or `python:FILE.py:CLASS` is a class with `choose(state) -> token`, which
    runs in a process of its own. `seconds` limits the time of an action (default 30), and options
    are arguments of the class: `python:seconds=5,option.depth=3 -- agents.py:Greedy`.

    Args:
        text: The specification.
        game: The game to play.

    Returns:
        The engine. It is a context manager, and closes at the end of a `with` block.

    Raises:
        EngineError: If the engine, a setting or a value is unknown; names all valid ones.

    >>> import tavola
    >>> game = tavola.load("potlatch")
    >>> with tavola.engine("tree:nodes=100,seed=3", game) as engine:
    ...     engine.choose(game.start()).token in game.start().legal_actions
    True
    """
    kind, rest = _kind(text, KINDS)
    if kind == "level":
        return _named(text, level_specification(text, rest, game), game)
    if kind == "classic":
        return _named(text, classic_specification(game.name), game)
    command = ""
    if kind in EXTERNAL:
        rest, command = _command(text, kind, rest)
    values, options = _settings(text, kind, rest, KINDS[kind])
    if kind == "python":
        seconds = float(values.get("seconds", PythonAgent.SECONDS))
        return PythonAgent(text, game, target=command, seconds=seconds, options=options)
    limits = _limits(values)
    seed = _whole(values, "seed")
    if kind == "random":
        return RandomEngine(text, seed=seed)
    if kind == "ugi":
        patience = float(values.get("patience", UgiEngine.PATIENCE))
        return UgiEngine(
            text, game, command=command, limits=limits, options=options, patience=patience
        )
    if kind == "alphabeta" and (game.seats != 2 or game.has_chance):
        raise EngineError(
            text,
            Message("alphabeta supports only two-player games without chance; use tree or auto"),
        )
    network = None
    if kind == "net":
        network = _network(text, game, values)
    return SearchEngine(
        text,
        game,
        search=kind if network is None else "tree",
        limits=limits,
        network=network,
        c_puct=_float(values, "c_puct"),
        rollouts=_float(values, "rollouts"),
        lookahead=_whole(values, "lookahead"),
        blunders=float(values.get("blunders", 0.0)),
        contempt=float(values.get("contempt", 0.0)),
        threads=int(values.get("threads", 1)),
        memory=_whole(values, "memory"),
        seed=seed,
    )


def analysis_network(text: str | None, game: Game) -> Network | None:
    """Return the network of the engine of an analysis; `None` for the classic search.

    Args:
        text: `classic`, `net` or `net:file=PATH`, as for `engine`. The analysis has its own limits,
            so there are no other settings. `None` is the engine of the last level: with the network
            of the game for its options if there is one.
        game: The game.

    Raises:
        EngineError: If the engine or a setting is unknown, or there is no such network.
    """
    if text is None:
        return game.network
    kind, rest = _kind(text, ("classic", "net"))
    return (
        None
        if kind == "classic"
        else _network(text, game, _settings(text, kind, rest, ("file",))[0])
    )


def _kind(text: str, known: Collection[str]) -> tuple[str, str]:
    """Split the kind and the rest of a specification."""
    if not isinstance(text, str):
        raise EngineError(text, Message("an engine is given as a text, such as 'auto:seconds=1'"))
    kind, _, rest = text.partition(":")
    if kind not in known:
        raise EngineError(
            text,
            Message(
                "unknown engine {kind}; engines: {known}",
                kind=quoted(kind),
                known=", ".join(known),
            ),
        )
    if kind == "classic" and rest:
        raise EngineError(text, Message("classic has no settings"))
    return kind, rest


def _network(text: str, game: Game, values: Values) -> Network:
    """Return the network of the settings of `net`."""
    return network_of(text, game, str(values["file"]) if "file" in values else None)


def _named(text: str, specification: str, game: Game) -> Engine:
    """Create the engine of a specification under another name."""
    made = engine(specification, game)
    made.text = text
    return made


def _command(text: str, kind: str, rest: str) -> tuple[str, str]:
    """Split the settings and the command of an external engine."""
    settings, separator, command = f"{rest} ".partition(SEPARATOR)
    if not separator:
        settings, command = "", rest
    if not command.strip():
        if kind == "python":
            raise EngineError(text, Message("the agent is missing: python:MODULE:CLASS"))
        raise EngineError(text, Message("the program to run is missing: ugi:COMMAND"))
    if kind == "python":
        return settings, command.strip()
    try:
        shlex.split(command)
    except ValueError:
        fault = Message("the command has an unclosed quotation mark")
        raise EngineError(text, fault) from None
    return settings, command.strip()


def _settings(
    text: str, kind: str, rest: str, names: tuple[str, ...]
) -> tuple[Values, dict[str, str]]:
    """Parse the settings with these names, and the options of an external engine."""
    values: Values = {}
    options: dict[str, str] = {}
    valid = ", ".join(names + ((f"{OPTION}NAME",) if kind in EXTERNAL else ()))
    for pair in rest.split(",") if rest else ():
        name, equals, given = pair.partition("=")
        if not equals:
            raise EngineError(
                text,
                Message(
                    "{pair} is not NAME=VALUE; settings of {kind}: {valid}",
                    pair=quoted(pair),
                    kind=kind,
                    valid=valid,
                ),
            )
        name = ALIASES.get(name, name)
        if name in values or name.removeprefix(OPTION) in options:
            raise EngineError(text, Message("{name} is given twice", name=name))
        if kind in EXTERNAL and name.startswith(OPTION) and name != OPTION:
            options[name.removeprefix(OPTION)] = given
            continue
        if name not in names:
            raise EngineError(
                text,
                Message(
                    "{kind} has no setting {name}; settings: {valid}",
                    kind=kind,
                    name=quoted(name),
                    valid=valid,
                ),
            )
        read, valid_values = _SETTINGS[name]
        value = read(given)
        if value is None:
            raise EngineError(
                text,
                Message(
                    "{name} cannot be {given}: {valid}",
                    name=name,
                    given=quoted(given),
                    valid=valid_values,
                ),
            )
        values[name] = value
    return values, options


def _limits(values: Values) -> Limits:
    """Return the limits among the settings; the default is one second."""
    nodes, depth = _whole(values, "nodes"), _whole(values, "depth")
    seconds = float(values["seconds"]) if "seconds" in values else None
    if seconds is None and nodes is None and depth is None:
        seconds = 1.0
    return Limits(seconds=seconds, nodes=nodes, depth=depth)


def _float(values: Values, name: str) -> float | None:
    """Return a setting that is a number, or `None` if it is not given."""
    value = values.get(name)
    return None if value is None else float(value)


def _whole(values: Values, name: str) -> int | None:
    """Return a setting that is a whole number, or `None` if it is not given."""
    value = values.get(name)
    return None if value is None else int(value)
