"""The UGI options: the games with their options, and the settings of the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import msgspec

from tavola import _core
from tavola._core import MAX_THREADS
from tavola.engines.levels import levels
from tavola.engines.spec import EXTERNAL, KINDS
from tavola.errors import TavolaError, quoted

__all__ = ["Option", "OptionRefused", "Options"]


class OptionRefused(TavolaError):
    """An option or value is unknown; the message names the valid ones."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """An option.

    Attributes:
        name: The name.
        default: The default value.
        values: The valid values of a choice; empty for a number.
        least: The minimum of a number.
        most: The maximum of a number.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = 0

    @property
    def line(self) -> str:
        """The line that offers the option."""
        if self.values:
            var = " ".join(f"var {value}" for value in self.values)
            return f"option name {self.name} type combo default {self.default} {var}"
        spin = f"type spin default {self.default} min {self.least} max {self.most}"
        return f"option name {self.name} {spin}"

    def check(self, value: str) -> None:
        """Check that a value is valid.

        Raises:
            OptionRefused: If the value is invalid.
        """
        if self.values and value not in self.values:
            valid = f"valid are {', '.join(self.values)}"
            raise OptionRefused(f"the option {self.name} has no value {quoted(value)}; {valid}")
        if not self.values:
            plain = value.isascii() and value.isdigit() and len(value) <= 19
            if not (plain and self.least <= int(value) <= self.most):
                valid = f"it is a whole number from {self.least} to {self.most}"
                raise OptionRefused(f"the option {self.name} cannot be {quoted(value)}; {valid}")


def _offered(*, choose_engine: bool) -> Iterator[Option]:
    names = _core.games()
    yield Option(name="Game", default=names[0], values=names)
    for name in names:
        for option in json.loads(_core.describe(name))["options"]:
            values = tuple(option["values"])
            yield Option(name=f"{name}.{option['name']}", default=values[0], values=values)
    seed = Option(name="Seed", default="0", least=0, most=2**63 - 1)
    if not choose_engine:
        yield seed
        return
    kinds = tuple(kind for kind in KINDS if kind not in ("classic", "level", *EXTERNAL))
    yield Option(name="Engine", default="auto", values=kinds)
    most = max(len(levels(name)) for name in names)
    yield Option(name="Level", default="0", least=0, most=most)
    yield Option(name="Threads", default="1", least=1, most=MAX_THREADS)
    yield seed
    yield Option(name="MultiPV", default="1", least=1, most=500)


class Options:
    """All options with their current values.

    Args:
        choose_engine: Whether the options choose an engine and its settings.
    """

    def __init__(self, *, choose_engine: bool = True) -> None:
        offered = _offered(choose_engine=choose_engine)
        self.offered: Mapping[str, Option] = {option.name: option for option in offered}
        self._names = {name.lower(): name for name in self.offered}
        self._values = {name: option.default for name, option in self.offered.items()}

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def set(self, name: str, value: str) -> str:
        """Set an option. The case of its name does not matter.

        Returns:
            The name of the option as it is offered.

        Raises:
            OptionRefused: If the option or value is unknown. The options are then unchanged.
        """
        known = self._names.get(name.lower())
        if known is None:
            valid = ", ".join(self.offered)
            raise OptionRefused(f"there is no option {quoted(name)}; there are {valid}")
        self.offered[known].check(value)
        self._values[known] = value
        return known

    def game(self) -> _core.Game:
        """Load the game of the options."""
        name = self["Game"]
        prefix = f"{name}."
        options = {
            option.removeprefix(prefix): value
            for option, value in self._values.items()
            if option.startswith(prefix)
        }
        return _core.load(name, **options)
