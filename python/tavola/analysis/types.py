"""A study: a record, what each of its positions was worth, and what each action changed.

The types are those of a study's JSON; `docs/explanation/analysis.md` explains the numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from tavola.errors import Message, TavolaError

__all__ = [
    "Action",
    "Balance",
    "Certain",
    "Limits",
    "Line",
    "Position",
    "Study",
    "StudyError",
    "read_study",
]

VERSION: Final = 1
"""Raised whenever a reader of the JSON would have to read it otherwise."""

Grade = Literal["best", "good", "mistake", "blunder"]

Shares = tuple[float, ...]
"""One number per seat; what the seats can expect of the game is 1 in sum."""


class StudyError(TavolaError):
    """A study cannot be read, or cannot be gone on with."""


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may be used for each position.

    Attributes:
        seconds: How long to think about it; None if only `nodes` limits the search.
        nodes: How many nodes to look at; None if only `seconds` does.
        threads: How many threads think; None for all cores.
        seed: What all random choices follow from.
    """

    seconds: float | None = None
    nodes: int | None = None
    threads: int | None = None
    seed: int = 0


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action that is possible, and what it is worth.

    Attributes:
        action: Its token.
        shares: What each seat can expect after it.
        margins: By how much that may be wrong, with 95 % confidence in the sampling; 0 if certain.
        visits: How many simulations began with it.
        variation: The action, and what would best follow it.
        proven: Whether the shares are certain.
    """

    action: str
    shares: Shares
    margins: Shares
    visits: int
    variation: tuple[str, ...]
    proven: bool


class Certain(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A result that nobody can change any more.

    Attributes:
        winners: The seats that win; empty for a draw.
        actions: With how many more actions at the latest; None if that was not found out.
        turns: In how many turns, the one begun counted, if the losing side holds out as long as it
            can; None if that was not found out.
    """

    winners: tuple[int, ...]
    actions: int | None = None
    turns: int | None = None


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position of the record, and what was found out about it.

    Attributes:
        text: The position text.
        turn: The number of its turn.
        to_act: The seat to act, -1 for chance, None when the game is over.
        shares: What each seat can expect.
        margins: By how much that may be wrong, with 95 % confidence in the sampling.
        lines: The best actions, the best first; of chance, its outcomes in their order.
        certain: The result, if nobody can change it.
        nodes: How many nodes were looked at.
    """

    text: str
    turn: int
    to_act: int | None
    shares: Shares
    margins: Shares
    lines: tuple[Line, ...] = ()
    certain: Certain | None = None
    nodes: int = 0


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of the record, and what it changed.

    Attributes:
        token: The action or outcome.
        seat: Who did it; -1 for chance.
        turn: The number of its turn.
        best: The best action instead, or the same; None for chance.
        cost: What the action lost its seat against the best; 0 if it cannot be told from the best,
            and for chance.
        margin: By how much the cost may be wrong, with 95 % confidence in the sampling.
        grade: How good the action was; None for chance.
        effect: What it gave each seat: a mistake takes from its seat and gives to others, chance
            gives what its outcome was better than the mean of all.
        unforeseen: The rest of what changed: what the search saw only one action later.
    """

    token: str
    seat: int
    turn: int
    best: str | None
    cost: float
    margin: float
    grade: Grade | None
    effect: Shares
    unforeseen: Shares


class Balance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a seat's share came from: `end = start + luck + own + others + unforeseen`.

    Attributes:
        seat: Which.
        start: What it could expect at first.
        luck: What chance gave it.
        own: What its own mistakes cost it, never more than 0.
        others: What the mistakes of others gave it.
        unforeseen: What the search saw too late to say whose doing it was.
        end: What it could expect in the end: the result, if the record is whole.
    """

    seat: int
    start: float
    luck: float
    own: float
    others: float
    unforeseen: float
    end: float


class Study(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A record, or as much of it as has been looked at.

    Attributes:
        format: Always "tavola-study".
        version: The version of the format.
        game: The game's name.
        options: Its options, as text.
        rules_version: The version of its rules.
        limits: What could be used for each position.
        length: How many actions the record has.
        positions: The first `len(actions) + 1` positions of the record.
        actions: The first actions of the record, each between two of the positions.
        balances: Where the share of each seat came from.
        decisive: The places, among the actions, of those that changed most, the greatest first.
    """

    format: Literal["tavola-study"] = "tavola-study"
    version: Literal[1] = VERSION
    game: str
    options: dict[str, str]
    rules_version: int
    limits: Limits
    length: int
    positions: tuple[Position, ...]
    actions: tuple[Action, ...]
    balances: tuple[Balance, ...]
    decisive: tuple[int, ...]

    @property
    def complete(self) -> bool:
        """Whether the whole record was looked at."""
        return len(self.actions) == self.length

    @property
    def json(self) -> str:
        """The study as JSON, indented."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode()


def read_study(path_or_text: str | Path) -> Study:
    """Reads the JSON of a study.

    Args:
        path_or_text: A path, or the text itself: a string that holds a `{` is taken for text.

    Raises:
        StudyError: If it is no study, or one of another version.
        OSError: If the file cannot be read.
    """
    text = path_or_text
    if isinstance(text, Path) or "{" not in text:
        text = Path(text).read_text(encoding="utf-8")
    try:
        return msgspec.json.decode(text, type=Study)
    except msgspec.MsgspecError as error:
        raise StudyError(Message("not a study: {error}", error=error)) from None
