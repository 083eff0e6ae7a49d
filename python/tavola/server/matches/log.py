"""The stored form of a match: header, seats and log entries."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from tavola import Game
from tavola.server.matches.chance import new_seed
from tavola.server.matches.time_control import Time

EventKind = Literal[
    "action",
    "late",
    "chance",
    "contribute",
    "undo",
    "confirm",
    "resign",
    "flag",
    "claim",
    "ask",
    "accept",
    "decline",
    "draw",
    "abort",
    "pause",
    "resume",
    "replace",
    "return",
    "rematch",
]

LOST_BY: Mapping[EventKind, str] = {"resign": "resigned", "flag": "time", "claim": "left"}
"""The reason of the end that the seat of an event loses, by its kind."""

LOST_BY_NOBODY: Mapping[EventKind, str] = {"draw": "agreed", "abort": "aborted"}
"""The reason of the end that no seat loses, by the kind of its event."""

AGENT = "agent:"
"""The prefix of the engine of a seat that an agent of the host plays, by its name."""

MOST_EVENTS = 10_000
"""The number of events from which a match can only be resigned: its log is replayed at a start."""

ENGINE_MEMORY_MB = 64
"""How much memory the tree of an engine without a level may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A seat of a match.

    A token is stored as its SHA-256. It is 256 random bits: there is nothing to guess from which a
    slow hash (argon2) would protect it, as it does passwords, and every request has to check it.

    Attributes:
        invitation_hash: SHA-256 of the invitation of a seat by link; kept after use.
        account: The id of the account that also holds it.
        member: Whether its name is that account's.
        deleted: Whether it was an account's that has been deleted.
        agent: The name of the agent of the host that plays it.
        bot: Whether the account is a bot.
    """

    kind: Literal["person", "engine"]
    name: str
    seconds: float | None
    token_hash: str | None
    level: int | None = None
    invitation_hash: str | None = None
    account: str | None = None
    member: bool = False
    deleted: bool = False
    agent: str | None = None
    bot: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the seat waits for a player."""
        return self.kind == "person" and self.token_hash is None

    @property
    def engine(self) -> str | None:
        """The name of its engine, as `Agents.create` reads it; `None` for a person."""
        if self.kind == "person":
            return None
        if self.agent is not None:
            return f"{AGENT}{self.agent}"
        if self.level is not None:
            return f"level:{self.level}"
        return f"auto:seconds={self.seconds},memory={ENGINE_MEMORY_MB}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The settings of a match, and its seats.

    Attributes:
        seed: The seed of the random events, a secret until the match is over; `None` in games
            without chance and in matches that began when there were no seeds.
        contribute: Whether chance waits until all persons' seats have contributed to its draws.
        offered: Whether its seats by link are also offered in the lobby.
        created: The time of creation, in ISO format.
        rated: Whether it counts for the ratings of those who play it.
        tournament: The tournament that it belongs to.
    """

    id: str
    game: str
    options: dict[str, str]
    rules_version: int
    confirm: bool
    start: str
    seats: tuple[Seat, ...]
    time: Time | None = None
    seed: str | None = field(default=None, repr=False)
    contribute: bool = False
    offered: bool = False
    created: str = field(default_factory=lambda: now())
    rated: bool = False
    tournament: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.is_open for seat in self.seats)


def new_header(match: str, game: Game, seats: tuple[Seat, ...], **settings: Any) -> Header:
    """Return the header of a new match from the start position.

    Args:
        match: Its id.
        game: The game with its options.
        seats: The seats.
        settings: The other members of the header.
    """
    return Header(
        id=match,
        game=game.name,
        options={name: str(value) for name, value in game.options.items()},
        rules_version=game.rules_version,
        start=game.start().text,
        seed=new_seed() if game.has_chance else None,
        seats=seats,
        **settings,
    )


class Event(Struct, frozen=True, kw_only=True, gc=False):
    """An entry of a match's log; entries are never changed or removed.

    Attributes:
        seq: Its number, 1 for the first.
        kind: What happened. `late`: the server acted for a seat whose time was up. `flag`: that
            seat has lost on time. `replace`: an engine plays on for the seat. `rematch`: the
            players agreed on another match.
        seat: The seat that acted; -1 for chance.
        token: The action or chance outcome. For an undo: how many actions stay in force. For a
            request: its kind. For a rematch: the other match. For a contribution: its value.
        command: The id of the command that asked for it, if one did.
        position: The position text afterwards.
        key: The position's key afterwards, in hexadecimal.
        at: When, in ISO format.
        spent: How many milliseconds the running clock had run since the event before.
    """

    seq: int
    kind: EventKind
    seat: int
    token: str | None = None
    command: str | None = None
    position: str
    key: str
    at: str = msgspec.field(default_factory=lambda: now())
    spent: int = 0


def now() -> str:
    """Return the time, as it is stored: texts that are ordered as the times are."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_format_second(seconds)}.{milliseconds:03}+00:00"


@lru_cache(1)
def _format_second(seconds: int) -> str:
    """Format whole seconds since 1970, cached because it runs thousands of times a second."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None).isoformat()


def format_time(time: datetime) -> str:
    """Return a time as it is stored."""
    return time.isoformat(timespec="milliseconds")
