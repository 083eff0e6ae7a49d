"""Game records as text, in the manner of chess's PGN.

A record is tag pairs, then turns with their actions, comments in braces and variations in
parentheses. Chance outcomes stand among the actions, so that a record replays without a seed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path

import msgspec

from tavola import _core
from tavola.errors import Message, OptionError, RecordError, TooLarge, quoted

__all__ = ["Record", "Step", "Variation", "read_records"]


_COMMENT_OR_TAG = re.compile(r"""\{[^}]*\}|\[[A-Za-z0-9]+\s*"(?:[^"\\]|\\.)*"\s*\]""")
"""In a text that is known to be records, in which comments hold no braces."""

LARGEST = 64_000_000
"""How many characters are read at most, unless more are asked for: some ten thousand games."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """An action in a record.

    Attributes:
        token: The action.
        turn: The number of the turn that begins here, or None.
        comments: What is said of it.
        variations: What could have been played instead.
    """

    token: str
    turn: int | None = None
    comments: tuple[str, ...] = ()
    variations: tuple[Variation, ...] = ()


class Variation(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was not played.

    Attributes:
        line: Its actions, at least one.
        comments: The comments before its first action.
    """

    line: tuple[Step, ...]
    comments: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One game, as text tells it.

    Reading a record does not replay it: `states` does, and finds what is illegal.

    Attributes:
        tags: The tag pairs, in their order.
        comments: The comments before the first action.
        line: The actions that were played.
        places: The lines at which the tags stand in the text that the record was read from; none
            if it was not read. Records that differ in this alone are equal.
    """

    tags: tuple[tuple[str, str], ...]
    comments: tuple[str, ...] = ()
    line: tuple[Step, ...] = ()
    places: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Whether it tells the same game in the same words."""
        if not isinstance(other, Record):
            return NotImplemented
        mine = self.tags, self.comments, self.line
        return mine == (other.tags, other.comments, other.line)

    def __hash__(self) -> int:
        """As equality has it."""
        return hash((self.tags, self.comments, self.line))

    def place(self, name: str) -> int:
        """The line of a tag: of the text that the record was read from, else of its own text.

        Of a tag that the record has not: where its tags begin.
        """
        places = self.places or tuple(range(1, len(self.tags) + 1))
        named = [place for place, (tag, _) in zip(places, self.tags, strict=True) if tag == name]
        return (*named, *places, 1)[0]

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        return dict(self.tags).get(name)

    @property
    def actions(self) -> tuple[str, ...]:
        """The tokens that were played, chance outcomes included."""
        return tuple(step.token for step in self.line)

    @property
    def game(self) -> _core.Game:
        """The game that the tags `Game` and `Options` name.

        Raises:
            RecordError: If there is no tag `Game`, `Options` is not `name=value ...`, or the tag
                `Rules` names another version of the rules than this one.
            UnknownGame: If no game is called so.
            OptionError: If the game has no such option or value.
        """
        name = self.tag("Game")
        if name is None:
            raise RecordError(self.place("Game"), Message("there is no tag Game"))
        options = {}
        for word in (self.tag("Options") or "").split():
            option, equals, value = word.partition("=")
            if not equals:
                fault = Message("in the tag Options {word} is not name=value", word=quoted(word))
                raise RecordError(self.place("Options"), fault)
            options[option] = value
        game = _core.load(name, **options)
        rules = self.tag("Rules")
        if rules is None or rules == str(game.rules_version):
            return game
        try:
            return _core.load(name, **{**options, "rules_version": rules})
        except OptionError:
            fault = Message(
                "it was played under version {played} of the rules; this is {now}",
                played=rules,
                now=game.rules_version,
            )
            raise RecordError(self.place("Rules"), fault) from None

    def states(self) -> Iterator[_core.State]:
        """The states from the first to the last, each action checked as it is replayed.

        Raises:
            IllegalAction: At an action that is not legal where it stands.
            PositionError: If the tag `Position` is no position.
            RecordError: Also at the end, if the game is over and the tag `Result` says otherwise.
        """
        position = self.tag("Position")
        state = self.game.start() if position is None else self.game.parse(position)
        yield state
        for step in self.line:
            state = state.play(step.token)
            yield state
        self._check_result(state)

    @property
    def returns(self) -> tuple[float, ...] | None:
        """What every seat got, as the tag `Result` tells it, in decimal numbers or fractions.

        None if there is no such tag, or if it holds anything else.
        """
        words = (self.tag("Result") or "").split()
        try:
            numbers = [float(Fraction(word) if "/" in word else word) for word in words]
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        return tuple(numbers) or None

    def _check_result(self, last: _core.State) -> None:
        told, ended = self.tag("Result"), last.returns
        if told is None or ended is None:
            return
        returns = self.returns or ()
        # However many digits somebody wrote.
        close = (abs(one - other) < 1e-3 for one, other in zip(returns, ended, strict=False))
        if len(returns) != len(ended) or not all(close):
            fault = Message(
                "the tag Result is {told}, but the game ended {ended}",
                told=quoted(told),
                ended=quoted(" ".join(f"{value:.6g}" for value in ended)),
            )
            raise RecordError(self.place("Result"), fault)

    @property
    def text(self) -> str:
        """The record as text; reads back to the same record."""
        return _core._records_to_text(msgspec.json.encode([self]).decode())

    def __str__(self) -> str:
        return self.text


def read_records(path_or_text: str | Path, *, largest: int = LARGEST) -> tuple[Record, ...]:
    """Reads every record of a file or a text.

    Args:
        path_or_text: A path, or the text itself: a string that holds a `[` or a line break, or
            is empty, is taken for text.
        largest: How many characters it may hold; there are files without an end.

    Returns:
        The records, in their order.

    Raises:
        RecordError: With the line and the fault.
        TooLarge: If it holds more characters.
        OSError: If the file cannot be read.
    """
    text = path_or_text
    if isinstance(text, Path) or not (text == "" or "[" in text or "\n" in text):
        with Path(text).open(encoding="utf-8") as file:
            text = file.read(largest + 1)
    if len(text) > largest:
        raise TooLarge(largest)
    # Some editors begin a file with a mark of its byte order.
    text = text.removeprefix("\ufeff")
    records = msgspec.json.decode(_core._records_from_text(text), type=tuple[Record, ...])
    places = _places(text)
    return tuple(
        msgspec.structs.replace(record, places=tuple(islice(places, len(record.tags))))
        for record in records
    )


def _places(text: str) -> Iterator[int]:
    """The lines of all tags in a text of records."""
    line, counted = 1, 0
    for found in _COMMENT_OR_TAG.finditer(text):
        if text[found.start()] == "[":
            line += text.count("\n", counted, found.start())
            counted = found.start()
            yield line
