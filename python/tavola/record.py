"""Game records as text, similar to PGN in chess.

A record consists of tag pairs and of turns with their actions, comments in braces and variations in
parentheses. Actions include chance outcomes, so that a record replays without a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from tavola import _core
from tavola.errors import IllegalAction, TooLarge
from tavola.replay import Replay

__all__ = ["Record", "Step", "Variation", "read_records"]


LARGEST = 64_000_000
"""The default limit of `read_records`, in characters: about ten thousand games."""


class _Read(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a text, equal to another with the same content, wherever it stands."""

    @property
    def _content(self) -> tuple[object, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same content."""
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._content == other._content

    def __hash__(self) -> int:
        """Return a hash that agrees with equality."""
        return hash(self._content)


class Step(_Read, frozen=True, kw_only=True):
    """An action in a record.

    Attributes:
        token: The token of the action.
        turn: The number of the turn that begins here, or None.
        comments: The comments after the action.
        variations: The variations that could have been played instead.
        place: Line and column in the text that was read, from 1; None for another step. They do
            not count for equality.
    """

    token: str
    turn: int | None = None
    comments: tuple[str, ...] = ()
    variations: tuple[Variation, ...] = ()
    place: tuple[int, int] | None = None

    @property
    def _content(self) -> tuple[object, ...]:
        return self.turn, self.token, self.comments, self.variations


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """A sequence of actions that was not played.

    Attributes:
        line: The actions, at least one.
        comments: The comments before its first action.
    """

    line: tuple[Step, ...]
    comments: tuple[str, ...] = ()


class Record(_Read, frozen=True, kw_only=True):
    """The record of one game.

    Reading a record does not replay it. `states` replays it and rejects illegal actions.

    Attributes:
        tags: The tag pairs, in their order.
        comments: The comments before the first action.
        line: The actions that were played.
        places: The line numbers of the tags in the text that was read; empty for another record.
            They do not count for equality.
    """

    tags: tuple[tuple[str, str], ...]
    comments: tuple[str, ...] = ()
    line: tuple[Step, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def _content(self) -> tuple[object, ...]:
        return self.tags, self.comments, self.line

    def place(self, name: str) -> int:
        """Return the line number of a tag in the text that was read, or else in the record's own.

        Args:
            name: The name of the tag.

        Returns:
            The line number, from 1; of a missing tag, that of the first tag.
        """
        places = self.places or tuple(range(1, len(self.tags) + 1))
        named = [place for place, (tag, _) in zip(places, self.tags, strict=True) if tag == name]
        return (*named, *places, 1)[0]

    def action_place(self, number: int) -> tuple[int, int]:
        """Return the place of a played action in the text that was read, or in the record's own.

        Args:
            number: The number of the action, from 1.

        Returns:
            The line and the column, from 1.

        Raises:
            RecordError: If the action was not read, and the record cannot be written.
        """
        place = self.line[number - 1].place
        if place is None:
            (own,) = read_records(self.text)
            place = own.line[number - 1].place
        assert place is not None, "it was read"
        return place

    def tag(self, name: str) -> str | None:
        """Return the value of a tag, or None if the record does not have it."""
        return dict(self.tags).get(name)

    @property
    def actions(self) -> tuple[str, ...]:
        """The tokens that were played, including chance outcomes."""
        return tuple(step.token for step in self.line)

    @property
    def game(self) -> _core.Game:
        """The game of the tags `Game` and `Options`.

        Raises:
            RecordError: If the tag `Game` is missing, `Options` is not `name=value ...`, or `Rules`
                is not the current version of the rules.
            UnknownGame: If there is no game of this name.
            OptionError: If the game does not have an option or value.
        """
        return _core._record_game(self)

    def states(self) -> Iterator[_core.State]:
        """Replay the record.

        Yields:
            The states from the first to the last, `len(actions) + 1` in all.

        Raises:
            IllegalAction: At an action that is illegal in its state; names its place.
            PositionError: If the tag `Position` is not a position.
            RecordError: See `game`; also at the end of a finished game if the tag `Result` differs
                from the returns.
        """
        position = self.tag("Position")
        state = self.game.start() if position is None else self.game.parse(position)
        yield state
        for number, step in enumerate(self.line, 1):
            try:
                state = state.play(step.token)
            except IllegalAction as error:
                place = (*self.action_place(number), number)
                raise IllegalAction(
                    error.token, error.reason, error.position, error.refusal, place
                ) from None
            yield state
        if state.returns is not None:
            _core._check_result(self, state.returns)

    def replay(
        self,
        *,
        seat: int | None = None,
        language: str = "en",
        first: int = 0,
        last: int | None = None,
    ) -> Replay:
        """Return the game as a replay, to watch or to save.

        Args:
            seat: The seat that sees the game; None for a spectator.
            language: Its code, such as "en".
            first: The number of actions before the first position.
            last: The number of actions before the last position; None for the end.

        Raises:
            IllegalAction, PositionError, RecordError: As in `states`.
            ValueError: If there is no such seat, language or position.
        """
        states = tuple(self.states())
        return Replay(states, self.actions, seat=seat, language=language, first=first, last=last)

    def _repr_html_(self) -> str:
        return self.replay()._repr_html_()

    @property
    def returns(self) -> tuple[float, ...] | None:
        """The returns by seat from the tag `Result`, or None if it is missing or invalid."""
        return _core._record_returns(self)

    @property
    def text(self) -> str:
        """The record as text. `read_records` reads it back to an equal record.

        Raises:
            RecordError: If it would not, for example because a comment contains braces.
        """
        return _core._record_to_text(self)

    def __str__(self) -> str:
        return self.text


def read_records(path_or_text: str | Path, *, largest: int = LARGEST) -> tuple[Record, ...]:
    """Read all records of a file or a text.

    Args:
        path_or_text: A path or a text. A string counts as text if it is empty or contains `[` or a
            line break.
        largest: The maximum number of characters to read.

    Returns:
        The records, in their order.

    Raises:
        RecordError: If a record is invalid; names the line and the fault.
        TooLarge: If the text is longer than `largest`.
        OSError: If the file cannot be read.
    """
    text = path_or_text
    if isinstance(text, Path) or not (text == "" or "[" in text or "\n" in text):
        with Path(text).open(encoding="utf-8") as file:
            text = file.read(largest + 1)
    if len(text) > largest:
        raise TooLarge(largest)
    return msgspec.json.decode(_core._records_from_text(text), type=tuple[Record, ...])


def numbered(turns: Iterable[int], tokens: Iterable[str]) -> tuple[Step, ...]:
    """Return played actions as the steps of a record, with a number where a turn begins.

    Args:
        turns: The number of the turn of each action or chance outcome; more numbers do not matter.
        tokens: The actions and chance outcomes.
    """
    numbers = _core._shown_turns(list(turns))
    return tuple(Step(token=token, turn=turn) for turn, token in zip(numbers, tokens, strict=False))
