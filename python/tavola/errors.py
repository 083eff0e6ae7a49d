"""The errors of the package: small named types that quote their input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = [
    "EngineError",
    "EngineFailed",
    "GameFailed",
    "IllegalAction",
    "IllegalId",
    "OptionError",
    "PictureError",
    "PositionError",
    "RecordError",
    "SolutionError",
    "TavolaError",
    "TooLarge",
    "UnknownGame",
]

_MAX_QUOTED, _QUOTED_END = 200, 60
_MAX_LISTED = 20


class Message(str):
    """An English message with its template and parameters, so that it can be translated later.

    Args:
        template: The English template, with `{name}` for a parameter.
        params: The parameters, which may be messages themselves.

    Attributes:
        template: The English template.
        params: The parameters by name.

    >>> Message("unknown game {name}", name="chess")
    'unknown game chess'
    """

    template: str
    params: dict[str, object]

    def __new__(cls, template: str, **params: object) -> Message:
        """Return the English text with its parameters filled in."""
        message = super().__new__(cls, template.format_map(params))
        message.template, message.params = template, params
        return message

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _message, (self.template, self.params)


def _message(template: str, params: dict[str, object]) -> Message:
    return Message(template, **params)


class GameMessage(str):
    """An English message of a game or of the core, with what its translation needs.

    Args:
        english: The English text.
        game: The name of the game, or None for a message of the core.
        text: The message as JSON: its key and its parameters.

    Attributes:
        game: The name of the game, or None.
        text: The message as JSON.
    """

    game: str | None
    text: str

    def __new__(cls, english: str, game: str | None, text: str) -> GameMessage:
        """Return the English text."""
        message = super().__new__(cls, english)
        message.game, message.text = game, text
        return message

    def __str__(self) -> str:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return GameMessage, (self[:], self.game, self.text)


def shortened(text: str) -> str:
    """Return a text as it is, or the beginning and the end of a long one."""
    if len(text) <= _MAX_QUOTED:
        return text
    return f"{text[: _MAX_QUOTED - _QUOTED_END - 1]}…{text[-_QUOTED_END:]}"


def quoted(text: str) -> str:
    """Return a shortened text in quotation marks."""
    return repr(shortened(text))


def listed(faults: Sequence[str]) -> str:
    """Join messages by semicolons; of a long list only the first 20."""
    joined = faults[0]
    for fault in faults[1:_MAX_LISTED]:
        joined = Message("{faults}; {fault}", faults=joined, fault=fault)
    more = len(faults) - _MAX_LISTED
    if more <= 0:
        return joined
    return Message("{faults}; and {count} more", faults=joined, count=more)


def unknown_id(count: int) -> Message:
    """Return the reason why an id is illegal that stands for no action of the game."""
    return Message("the ids of the game's actions are 0 to {last}", last=count - 1)


class TavolaError(ValueError):
    """The base class of all errors of Tavola."""


class UnknownGame(TavolaError):
    """There is no game of this name.

    Attributes:
        name: The given name.
        known: The names of all games.
    """

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(name, known)
        self.name = name
        self.known = tuple(known)

    def __str__(self) -> str:
        name, known = quoted(self.name), ", ".join(self.known)
        return Message("unknown game {name}; games: {known}", name=name, known=known)


class OptionError(TavolaError):
    """A game does not have this option or value.

    Attributes:
        game: The game's name.
        faults: One message for each wrong option.
        valid: The valid values of every option as text, the default first.
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
            return Message(
                "{game}: {faults}; this game has no options", game=self.game, faults=faults
            )
        return Message(
            "{game}: {faults}; valid options: {options}",
            game=self.game,
            faults=faults,
            options=options,
        )


class IllegalAction(TavolaError):
    """An action is not legal in a position.

    Attributes:
        token: The given token.
        reason: Why it is illegal, in English.
        position: The position's text.
        refusal: The reason as JSON (text and clause), for translation; None if the token stands for
            no action of the game.
        place: The line, the column and the number of the action in a record, all from 1; None if
            the action does not come from a record.
    """

    def __init__(
        self,
        token: str,
        reason: str,
        position: str,
        refusal: str | None = None,
        place: tuple[int, int, int] | None = None,
    ) -> None:
        super().__init__(token, reason, position, refusal, place)
        self.token = token
        self.reason = reason
        self.position = position
        self.refusal = refusal
        self.place = place

    def __str__(self) -> str:
        message = Message(
            "{token} is illegal: {reason} (position: {position})",
            token=quoted(self.token),
            reason=self.reason,
            position=self.position,
        )
        if self.place is None:
            return message
        line, column, number = self.place
        return Message(
            "line {line}, column {column}, action {number}: {illegal}",
            line=line,
            column=column,
            number=number,
            illegal=message,
        )


class IllegalId(IllegalAction):
    """An action is not legal in one of the environments of a `VectorEnv`.

    Attributes:
        environment: The number of the environment.
        id: The given id of an action.
        token: The token of the action; empty if there is none with this id.
        reason: Why it is illegal, in English.
        position: The position's text.
        refusal: The reason as JSON (text and clause), for translation; None if there is no action
            with this id.
    """

    def __init__(
        self,
        environment: int,
        action: int,
        token: str | None,
        reason: str,
        position: str,
        refusal: str | None = None,
    ) -> None:
        super().__init__(token or "", reason, position, refusal)
        self.args = (environment, action, token, reason, position, refusal)
        self.environment = environment
        self.id = action

    def __str__(self) -> str:
        return Message(
            "action {id} ({token}) is illegal in environment {environment}: {reason} "
            "(position: {position})",
            id=self.id,
            token=quoted(self.token) if self.token else "-",
            environment=self.environment,
            reason=self.reason,
            position=shortened(self.position),
        )


class SolutionError(TavolaError):
    """A game cannot be solved, or a file is no solution of it.

    Attributes:
        fault: The reason.
    """

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault


class EngineError(TavolaError):
    """A text is not a valid engine specification.

    Attributes:
        text: The given text.
        fault: What is wrong, and what is valid.
    """

    def __init__(self, text: str, fault: str) -> None:
        super().__init__(text, fault)
        self.text = text
        self.fault = fault

    def __str__(self) -> str:
        return Message("{text} is not an engine: {fault}", text=repr(self.text), fault=self.fault)


class EngineFailed(TavolaError):
    """An external engine exited, did not answer in time, or broke the protocol.

    Attributes:
        engine: The specification of the engine.
        reason: What happened.
        context: What was expected, and the position; empty if nothing was expected.
        output: The last lines of its standard error, such as a traceback.
    """

    def __init__(self, engine: str, reason: str, context: str = "", output: str = "") -> None:
        super().__init__(engine, reason, context, output)
        self.engine = engine
        self.reason = reason
        self.context = context
        self.output = output

    @property
    def details(self) -> str:
        """The reason and the context, without the name of the engine."""
        if not self.context:
            return self.reason
        return Message("{reason}; {context}", reason=self.reason, context=self.context)

    def __str__(self) -> str:
        return Message("the engine {engine} {reason}", engine=self.engine, reason=self.details)


class GameFailed(TavolaError):
    """The rules of a game written in Python raised an exception or broke their contract.

    The exception of the rules, if there was one, is the `__cause__`.

    Attributes:
        game: The name of the game, or of its file.
        what: What happened, and what is valid.
        position: The text of the position; empty if there was none.
    """

    def __init__(self, game: str, what: str, position: str = "") -> None:
        super().__init__(game, what, position)
        self.game = game
        self.what = what
        self.position = position

    def __str__(self) -> str:
        if not self.position:
            return Message("{game}: {what}", game=self.game, what=self.what)
        return Message(
            "{game}: {what} (position: {position})",
            game=self.game,
            what=self.what,
            position=shortened(self.position),
        )


class PositionError(TavolaError):
    """A text is not a position of its game.

    Attributes:
        text: The given text.
        faults: One message for each fault; each begins with the name of its field.
    """

    def __init__(self, text: str, faults: Sequence[str]) -> None:
        super().__init__(text, faults)
        self.text = text
        self.faults = tuple(faults)

    def __str__(self) -> str:
        text, faults = quoted(self.text), listed(self.faults)
        return Message("{text} is not a position: {faults}", text=text, faults=faults)


class RecordError(TavolaError):
    """A text is not a game record, or a record cannot be written.

    Attributes:
        line: The number of the wrong line, from 1; 0 for a record that cannot be written.
        fault: What is wrong in it.
    """

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(line, fault)
        self.line = line
        self.fault = fault

    def __str__(self) -> str:
        if self.line == 0:
            return Message("the record cannot be written: {fault}", fault=self.fault)
        return Message("not a record: line {line}: {fault}", line=self.line, fault=self.fault)


class PictureError(TavolaError):
    """A picture cannot be made: a package or a font is missing, or a name has a wrong end."""


class TooLarge(TavolaError):
    """A text is longer than the limit, so it was not read completely.

    Attributes:
        limit: The limit, in characters.
    """

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return Message("the text has more than {limit} characters", limit=f"{self.limit:,}")
