"""The parameters that commands share, and their types.

Every help text is a key of the catalogue: `help.py` looks it up when it shows the help.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from tavola.cli.errors import BadValue, NotAPair

OUT = ("--out", "--output")
JOBS = ("--jobs", "-j", "--processes", "-p")
OLD_SPELLINGS = frozenset({"--output", "--processes", "-p"})
"""Spellings of options that help does not show."""

LARGEST = 2**63 - 1
"""The largest random seed."""


@dataclass(frozen=True)
class WholeNumber:
    """Parses a whole number in a range.

    Args:
        name: The name of the parameter.
        least: The minimum.
        most: The maximum, if there is one.
        valid: The key of a description of the valid values. Default: the minimum and the maximum.
    """

    name: str
    least: int
    most: int | None
    valid: str | None = None

    def __call__(self, given: str | int) -> int:
        """Return the number.

        Raises:
            BadValue: If the text is not such a number.
        """
        try:
            number = int(given)
        except ValueError:
            number = self.least - 1
        if number < self.least or (self.most is not None and number > self.most):
            valid = self.valid or ("valid.number" if self.most is None else "valid.range")
            raise BadValue(self.name, given, valid, least=self.least, most=self.most)
        return number


@dataclass(frozen=True)
class WholeNumbers:
    """Parses whole numbers with commas between them."""

    each: WholeNumber

    def __call__(self, given: str) -> tuple[int, ...]:
        """Return the numbers.

        Raises:
            BadValue: If a part is not such a number.
        """
        return tuple(self.each(part) for part in given.split(","))


@dataclass(frozen=True)
class Decimal:
    """Parses a number from 0 to a maximum.

    Args:
        name: The name of the parameter.
        most: The maximum.
        valid: The key of a description of the valid values.
        positive: Whether 0 is not valid.
    """

    name: str
    most: float
    valid: str
    positive: bool = False

    def __call__(self, given: str | float) -> float:
        """Return the number.

        Raises:
            BadValue: If the text is not such a number.
        """
        try:
            number = float(given)
        except ValueError:
            number = math.nan
        if not 0.0 <= number <= self.most or (self.positive and number == 0.0):
            raise BadValue(self.name, given, self.valid, most=f"{self.most:g}")
        return number


@dataclass(frozen=True)
class Pair:
    """A value `NAME=VALUE`."""

    name: str
    value: str

    @classmethod
    def parse(cls, given: str) -> Pair:
        """Parse a pair.

        Raises:
            NotAPair: If the text has another form.
        """
        name, equals, value = given.partition("=")
        if not equals or not name:
            raise NotAPair(given)
        return cls(name, value)


def pairs(given: str) -> list[Pair]:
    """Parse pairs with commas between them."""
    return [Pair.parse(part) for part in given.split(",")]


def options_of(given: Sequence[Pair] | None) -> dict[str, str]:
    """Return the options of a game that pairs name."""
    return {pair.name: pair.value for pair in given or ()}


def number(
    *flags: str, described: str, least: int, most: int | None, valid: str | None = None, **more: Any
) -> Any:
    """Return an option with a whole number.

    Args:
        *flags: Its spellings, the name in messages first.
        described: The key of its description.
        least: The minimum.
        most: The maximum, if there is one.
        valid: The key of a description of the valid values, if the range does not say all.
        **more: More arguments of `typer.Option`.
    """
    more.setdefault("metavar", "N")
    return typer.Option(
        *flags, help=described, parser=WholeNumber(flags[0], least, most, valid), **more
    )


def seconds(described: str) -> Any:
    """Return the option of a number of seconds, above 0 and at most a day."""
    parser = Decimal("--seconds", 86_400, "valid.seconds", positive=True)
    return typer.Option("--seconds", metavar="S", help=described, parser=parser)


def seed(described: str, most: int = LARGEST) -> Any:
    """Return the option of a random seed."""
    return number("--seed", least=0, most=most, described=described)


def jobs(described: str) -> Any:
    """Return the option of the number of tasks in parallel."""
    return number(*JOBS, least=1, most=1024, described=described)


def _registered(game: str | None) -> str | None:
    """Register the game of a Python file; return the name of the game."""
    if game is None or not game.endswith(".py"):
        return game
    from tavola.custom import load_file

    return load_file(game)


def _register_files(paths: list[str] | None) -> list[str] | None:
    """Register the games of Python files."""
    for path in paths or ():
        from tavola.custom import load_file

        load_file(path)
    return paths


_GAME = typer.Argument(metavar="GAME", help="help.game", show_default=False, callback=_registered)

Lang = Annotated[str | None, typer.Option("--lang", metavar="LANG", help="help.lang")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="TAVOLA_DATABASE",
        metavar="URL",
        help="help.database",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="help.json")]
GameName = Annotated[str, _GAME]
AnyGameName = Annotated[str | None, _GAME]
GameFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        metavar="FILE",
        help="help.game-file",
        show_default=False,
        callback=_register_files,
    ),
]
GameOption = Annotated[
    str,
    typer.Option("--game", "-g", metavar="GAME", help="help.game", callback=_registered),
]
Options = Annotated[
    list[Pair] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="help.option", parser=Pair.parse),
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", envvar="TAVOLA_CLUSTER", help="help.cluster"),
]
RecordFile = Annotated[
    str, typer.Argument(metavar="RECORD", help="help.record", show_default=False)
]
RecordNumber = Annotated[int, number("--number", least=1, most=None, described="help.number")]
