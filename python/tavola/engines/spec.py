"""How engines are named: `random`, `tree:nodes=5000,threads=1`, `ugi:seconds=1 -- ./program`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping

from tavola._core import MAX_THREADS, Game
from tavola.engines.builtin import SEARCHES, RandomEngine, SearchEngine
from tavola.engines.engine import Engine, Limits
from tavola.engines.levels import levels
from tavola.engines.ugi_client import UgiEngine
from tavola.errors import EngineError, Message, quoted

__all__ = ["KINDS", "SEPARATOR", "engine"]

SEPARATOR = " -- "
DAY = 86_400.0

Values = dict[str, float | int]


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


_Setting = tuple[Callable[[str], float | int | None], Message]


def _whole_number(least: int, most: int) -> _Setting:
    told = Message("a whole number from {least} to {most}", least=least, most=most)
    return _number(least, most), told


def _fraction(most: float) -> _Setting:
    return _part(most), Message("a number from 0 to {most}", most=f"{most:g}")


_TIME = _seconds, Message("a number greater than 0, at most {most}", most=f"{DAY:.0f}")

_SETTINGS: Mapping[str, _Setting] = {
    "seconds": _TIME,
    "nodes": _whole_number(1, 2**32 - 1),
    "depth": _whole_number(1, 1000),
    "lookahead": _whole_number(0, 100),
    "blunders": _fraction(10.0),
    "contempt": _fraction(0.9),
    "threads": _whole_number(1, MAX_THREADS),
    "memory": (
        _number(1, 2**20),
        Message("a whole number of megabytes from 1 to {most}", most=2**20),
    ),
    "seed": _whole_number(0, 2**63 - 1),
    "patience": _TIME,
}
"""Every setting: how it is read, and what is valid."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "random": ("seed",),
    **dict.fromkeys(
        SEARCHES,
        ("seconds", "nodes", "lookahead", "blunders", "contempt", "threads", "memory", "seed"),
    ),
    "alphabeta": ("seconds", "nodes", "depth", "contempt", "threads", "memory", "seed"),
    "level": (),
    "ugi": ("seconds", "nodes", "depth", "patience"),
}
"""The settings that each kind of engine takes."""

FORMER_NAMES: Mapping[str, str] = {"sight": "lookahead", "slips": "blunders"}
"""Former names of settings, which old records and settings still contain."""

OPTION = "option."
"""What the name of an external program's own option is written after."""


def engine(text: str, game: Game) -> Engine:
    """An engine by its name.

    A name is a kind and its settings: `random`, `auto:seconds=1`, `tree:nodes=5000,threads=2`,
    `uct:nodes=1000,seed=3`, `alphabeta:depth=6`. Without limits an engine thinks one second about
    an action, in one thread. `lookahead` is the depth in actions to which it finds every forced
    result; beyond five it looks as far as its limits allow. `blunders` is a rate: the engine plays
    each action as often as its visits to the power of one over `blunders`. `contempt` says what
    part of its share of a draw it counts as lost, from 0 to 0.9. `memory` is what its tree may
    take, in megabytes. `level:1` to `level:8` are the game's own (`tavola.levels`). `ugi:COMMAND`
    is a program that speaks UGI (docs/reference/ugi.md); settings stand before it:
    `ugi:seconds=0.5,option.Hash=64 -- COMMAND`.

    Args:
        text: The name.
        game: The game that it is to play.

    Raises:
        EngineError: If there is no such engine, setting or value; names every valid one.

    >>> import tavola
    >>> game = tavola.load("potlatch")
    >>> with tavola.engine("tree:nodes=100,seed=3", game) as engine:
    ...     engine.choose(game.start()).token in game.start().legal_actions
    True
    """
    if not isinstance(text, str):
        raise EngineError(text, Message("a name is a text, such as 'auto:seconds=1'"))
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        raise EngineError(
            text,
            Message(
                "there is no engine {kind}; there are {known}",
                kind=quoted(kind),
                known=", ".join(KINDS),
            ),
        )
    if kind == "level":
        return _level(text, rest, game)
    command = ""
    if kind == "ugi":
        rest, command = _command(text, rest)
    values, options = _settings(text, kind, rest)
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
            text, Message("alphabeta plays games of two seats without chance: take tree or auto")
        )
    return SearchEngine(
        text,
        game,
        search=kind,
        limits=limits,
        lookahead=_whole(values, "lookahead"),
        blunders=float(values.get("blunders", 0.0)),
        contempt=float(values.get("contempt", 0.0)),
        threads=int(values.get("threads", 1)),
        memory=_whole(values, "memory"),
        seed=seed,
    )


def _level(text: str, number: str, game: Game) -> Engine:
    """One of the game's own engines, by its number from 1."""
    names = levels(game.name)
    place = _number(1, len(names))(number)
    if place is None:
        raise EngineError(
            text,
            Message(
                "there is no level {number}; there are 1 to {last}",
                number=quoted(number),
                last=len(names),
            ),
        )
    made = engine(names[place - 1], game)
    made.text = text
    return made


def _command(text: str, rest: str) -> tuple[str, str]:
    """The settings and the command of an external program."""
    settings, separator, command = f"{rest} ".partition(SEPARATOR)
    if not separator:
        settings, command = "", rest
    if not command.strip():
        raise EngineError(text, Message("the program to run is missing: ugi:COMMAND"))
    try:
        shlex.split(command)
    except ValueError:
        fault = Message("the command of the program ends within quotation marks")
        raise EngineError(text, fault) from None
    return settings, command.strip()


def _settings(text: str, kind: str, rest: str) -> tuple[Values, dict[str, str]]:
    """The settings, and the options of an external program."""
    values: Values = {}
    options: dict[str, str] = {}
    valid = ", ".join(KINDS[kind] + ((f"{OPTION}NAME",) if kind == "ugi" else ()))
    for pair in rest.split(",") if rest else ():
        name, equals, given = pair.partition("=")
        name = FORMER_NAMES.get(name, name)
        if not equals:
            raise EngineError(
                text,
                Message(
                    "{pair} is not NAME=VALUE; {kind} takes {valid}",
                    pair=quoted(pair),
                    kind=kind,
                    valid=valid,
                ),
            )
        if name in values or name.removeprefix(OPTION) in options:
            raise EngineError(text, Message("{name} is given twice", name=name))
        if kind == "ugi" and name.startswith(OPTION) and name != OPTION:
            options[name.removeprefix(OPTION)] = given
            continue
        if name not in KINDS[kind]:
            raise EngineError(
                text,
                Message(
                    "{kind} has no setting {name}; it takes {valid}",
                    kind=kind,
                    name=quoted(name),
                    valid=valid,
                ),
            )
        read, told = _SETTINGS[name]
        value = read(given)
        if value is None:
            raise EngineError(
                text,
                Message(
                    "{name} cannot be {given}: {valid}", name=name, given=quoted(given), valid=told
                ),
            )
        values[name] = value
    return values, options


def _limits(values: Values) -> Limits:
    """The limits among the settings; one second if there are none."""
    seconds, nodes, depth = values.get("seconds"), _whole(values, "nodes"), _whole(values, "depth")
    if seconds is None and nodes is None and depth is None:
        seconds = 1.0
    return Limits(seconds=seconds, nodes=nodes, depth=depth)


def _whole(values: Values, name: str) -> int | None:
    """A setting that is a whole number; `None` if it is not told."""
    value = values.get(name)
    return None if value is None else int(value)
