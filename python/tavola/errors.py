"""The errors of the package: small named types that quote what they were given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "EngineError",
    "EngineFailed",
    "IllegalAction",
    "OptionError",
    "PositionError",
    "RecordError",
    "TavolaError",
    "TooLarge",
    "UnknownGame",
]

_LONGEST, _END = 200, 60
_MOST = 20


class Sentence(str):
    """What an error says, in English, that remembers its parts: so it can be said otherwise, too.

    Args:
        form: The sentence, `{name}` for a part.
        parts: Its parts, which may be sentences again.

    Attributes:
        form: The sentence, `{name}` for a part.
        parts: Its parts.

    >>> Sentence("unknown game {name}", name="chess")
    'unknown game chess'
    """

    form: str
    parts: dict[str, object]

    def __new__(cls, form: str, **parts: object) -> Sentence:
        """The sentence, its parts put in."""
        made = super().__new__(cls, form.format_map(parts))
        made.form, made.parts = form, parts
        return made

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _sentence, (self.form, self.parts)


def _sentence(form: str, parts: dict[str, object]) -> Sentence:
    return Sentence(form, **parts)


class Saying(str):
    """What a game or the core says, in English, and remembers: so they can say it otherwise, too.

    Args:
        english: What it says.
        game: The game's name; None if the core itself says it.
        text: The text as JSON: a key of the words, and what to put into it.

    Attributes:
        game: The game's name, or None.
        text: The text as JSON.
    """

    game: str | None
    text: str

    def __new__(cls, english: str, game: str | None, text: str) -> Saying:
        """What is said."""
        made = super().__new__(cls, english)
        made.game, made.text = game, text
        return made

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Saying, (self[:], self.game, self.text)


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
    told = faults[0]
    for fault in faults[1:_MOST]:
        told = Sentence("{faults}; {fault}", faults=told, fault=fault)
    more = len(faults) - _MOST
    return told if more <= 0 else Sentence("{faults}; and {count} more", faults=told, count=more)


def unwritten(game: str, legal: Sequence[str]) -> Sentence:
    """Why a token is illegal that stands for no action at all, and what could be played instead."""
    first, more = ", ".join(legal[:_MOST]), len(legal) - _MOST
    if not legal:
        return Sentence("no action of {game} is written so; no seat can act", game=game)
    if more <= 0:
        return Sentence(
            "no action of {game} is written so; legal are {tokens}", game=game, tokens=first
        )
    return Sentence(
        "no action of {game} is written so; legal are {tokens} and {count} others",
        game=game,
        tokens=first,
        count=more,
    )


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
        name, known = quoted(self.name), ", ".join(self.known)
        return Sentence("unknown game {name}; known are {known}", name=name, known=known)


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
        faults = listed(self.faults)
        if not options:
            return Sentence(
                "{game}: {faults}; this game has no options", game=self.game, faults=faults
            )
        return Sentence(
            "{game}: {faults}; valid are {options}", game=self.game, faults=faults, options=options
        )


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
        return Sentence(
            "{token} is illegal: {reason} (position: {position})",
            token=quoted(self.token),
            reason=self.reason,
            position=self.position,
        )


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
        return Sentence("{text} is no engine: {fault}", text=repr(self.text), fault=self.fault)


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
        return Sentence("the engine {engine} {reason}", engine=self.engine, reason=self.reason)


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
        text, faults = quoted(self.text), listed(self.faults)
        return Sentence("{text} is not a position: {faults}", text=text, faults=faults)


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
        return Sentence("not a record: line {line}: {fault}", line=self.line, fault=self.fault)


class TooLarge(TavolaError):
    """A text that is longer than it may be: it was not read to its end.

    Attributes:
        limit: How many characters it may hold.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return Sentence("the text holds more than {limit} characters", limit=f"{self.limit:,}")
