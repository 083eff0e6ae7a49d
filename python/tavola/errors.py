"""The errors of the package: small named types that quote what they were given."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "EngineError",
    "EngineFailed",
    "IllegalAction",
    "OptionError",
    "PositionError",
    "RecordError",
    "TavolaError",
    "UnknownGame",
]

_LONGEST, _END = 200, 60
_MOST = 20


def shortened(text: str) -> str:
    """A text; of a long one the beginning and the end, as messages need no more."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _END - 1]}…{text[-_END:]}"


def quoted(text: str) -> str:
    """A text in quotes, shortened."""
    return repr(shortened(text))


def listed(faults: Sequence[str]) -> str:
    """Faults one after the other; of very many the first."""
    more = [f"and {len(faults) - _MOST} more"] if len(faults) > _MOST else []
    return "; ".join([*faults[:_MOST], *more])


class TavolaError(ValueError):
    """Anything that Tavola refuses."""


class UnknownGame(TavolaError):
    """No game is called so.

    Attributes:
        name: The name that was given.
        known: The names that there are.
    """

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        return f"unknown game {quoted(self.name)}; known are {', '.join(self.known)}"


class OptionError(TavolaError):
    """A game has no such option or value.

    Attributes:
        game: The game's name.
        faults: What is wrong, one sentence each.
        valid: Every valid option with its values as text, the default first.
    """

    def __init__(
        self, game: str, faults: Sequence[str], valid: Sequence[tuple[str, Sequence[str]]]
    ) -> None:
        super().__init__(game, faults, valid)
        self.game = game
        self.faults = tuple(faults)
        self.valid = {name: tuple(values) for name, values in valid}

    def __str__(self) -> str:
        options = ", ".join(f"{name}={'|'.join(values)}" for name, values in self.valid.items())
        remedy = f"valid are {options}" if options else "this game has no options"
        return f"{self.game}: {listed(self.faults)}; {remedy}"


class IllegalAction(TavolaError):
    """An action that is not legal in the position it was meant for.

    Attributes:
        token: The action's token as it was given.
        reason: Why it is illegal, in English.
        position: The position's text.
        refusal: The reason as JSON (text and clause), for showing it in another language; None if
            the token stands for no action at all.
    """

    def __init__(self, token: str, reason: str, position: str, refusal: str | None = None) -> None:
        super().__init__(token, reason, position, refusal)
        self.token = token
        self.reason = reason
        self.position = position
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{quoted(self.token)} is illegal: {self.reason} (position: {self.position})"


class EngineError(TavolaError):
    """A text that names no engine.

    Attributes:
        text: The text as it was given.
        fault: What is wrong, and what would be valid.
    """

    def __init__(self, text: str, fault: str) -> None:
        super().__init__(text, fault)
        self.text = text
        self.fault = fault

    def __str__(self) -> str:
        return f"{self.text!r} is no engine: {self.fault}"


class EngineFailed(TavolaError):
    """An engine that is a program of its own has died, hangs, or broke the protocol.

    Attributes:
        engine: The engine's name.
        reason: What it did.
    """

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(engine, reason)
        self.engine = engine
        self.reason = reason

    def __str__(self) -> str:
        return f"the engine {self.engine} {self.reason}"


class PositionError(TavolaError):
    """A text that is no position of its game.

    Attributes:
        text: The text as it was given.
        faults: Every fault, each beginning with the field's name.
    """

    def __init__(self, text: str, faults: Sequence[str]) -> None:
        super().__init__(text, faults)
        self.text = text
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return f"{quoted(self.text)} is not a position: {listed(self.faults)}"


class RecordError(TavolaError):
    """A text that is no game record.

    Attributes:
        line: The line of the text, from 1.
        fault: What is wrong there.
    """

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(line, fault)
        self.line = line
        self.fault = fault

    def __str__(self) -> str:
        return f"not a record: line {self.line}: {self.fault}"
