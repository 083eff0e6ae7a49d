"""Responses and messages of the server, as `docs/reference/server-api.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from tavola._core import LazyView
from tavola.analysis import Action, Balance, ForcedResult, Position
from tavola.server.matches.series import SeriesScore
from tavola.server.matches.time_control import Time
from tavola.server.schema.event_list import ActionEntry, EventList
from tavola.view import Refusal, Text, View


class ErrorResponse(Struct, frozen=True, omit_defaults=True):
    """An error."""

    code: str
    params: dict[str, Any]
    message: str
    refusal: Refusal | None = None


class MatchCreated(Struct, frozen=True):
    """A new match, with the secrets of its seats, which are sent only here.

    Attributes:
        match: Its id.
        tokens: The token of each person's seat.
        invitations: The invitation of each seat by link.
        commitment: The commitment to the seed, as in `ChanceInfo`.
    """

    match: str
    tokens: tuple[str | None, ...]
    invitations: tuple[str | None, ...]
    commitment: str | None


class SharedMatch(Struct, frozen=True):
    """A match as the widget shows it.

    Attributes:
        plies: The numbers of actions before the positions to show.
        over: Whether the match is over.
        text: The result, or whose turn it is.
    """

    plies: tuple[int, ...]
    over: bool
    text: str


class SeatTaken(Struct, frozen=True):
    """The seat that this player has taken, now or before."""

    seat: int


class SeatInfo(Struct, frozen=True, omit_defaults=True):
    """A seat; an engine has `seconds`, a `level` or an `agent`.

    Attributes:
        open: No player has come yet.
        member: The name is that of an account.
        deleted: The seat was an account's that has been deleted.
        rating: The account's rating in this game with this number of seats.
        provisional: Whether the rating is still uncertain.
        bot: A program plays for the account.
    """

    seat: int
    kind: Literal["person", "engine"]
    name: str
    yours: bool
    seconds: float | None = None
    level: int | None = None
    open: bool = False
    member: bool = False
    deleted: bool = False
    agent: str | None = None
    rating: int | None = None
    provisional: bool = False
    bot: bool = False


class MatchResult(Struct, frozen=True):
    """How the match ended; `text`, unless the game's own rules did not end it: the `reason` did.

    `loser`: who resigned, or whose time was up.
    """

    winners: tuple[int, ...]
    returns: tuple[float, ...]
    reason: str
    text: Text | None
    loser: int | None


class SeatPresence(Struct, frozen=True):
    """The presence of a player; `lag`: the round-trip time, in milliseconds.

    `reconnecting`: the connection broke recently; `away`: longer ago, or no player came yet.
    """

    seat: int
    state: Literal["online", "reconnecting", "away"]
    lag: int | None


class EngineFailure(Struct, frozen=True):
    """That the engine to act failed. The match waits for another try, or for another engine.

    `missing`: the host has not added this agent; `text`: what happened, by language.
    """

    seat: int
    missing: bool
    text: dict[str, str]


class ChatLine(Struct, frozen=True):
    """A chat line."""

    id: int
    seat: int
    text: str
    at: str


if TYPE_CHECKING:
    # Encoded by the core and sent as it is: JSON to this program, the declared type to others.
    EncodedLog: TypeAlias = EventList
    EncodedView: TypeAlias = LazyView
else:
    EncodedView = View
    EncodedLog = tuple[ActionEntry, ...]


def encode_hook(value: LazyView | EventList) -> Raw | list[Raw]:
    """Return a view as the core writes it, or what is written of each action in force."""
    return list(value) if isinstance(value, EventList) else Raw(value.json())


encode = msgspec.json.Encoder(enc_hook=encode_hook).encode
"""Encode a response."""


class Permissions(Struct, frozen=True, gc=False):
    """The viewer's options now, apart from acting.

    `drawn`: a random event followed, so it cannot be undone. `ask`: the possible requests.
    `if_away`: those about another player, possible while that player is away. `blocked`: the
    declined requests, which may not be repeated before another event. `reclaimable`: the own seats
    that an engine plays and that its player may take over again.
    """

    undo: bool
    drawn: bool
    confirm: bool
    resign: bool
    ask: tuple[str, ...] = ()
    if_away: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    reclaimable: tuple[int, ...] = ()


class ClockState(Struct, frozen=True, gc=False):
    """The state of the clock.

    `remaining`: the seconds of every seat; `None`: it has no clock, or it does not matter now.
    `running`: the seat whose time runs, or `None`.
    """

    time: Time
    remaining: tuple[float | None, ...]
    running: int | None


class RequestState(Struct, frozen=True, gc=False):
    """An open request; `waiting`: the seats that have not agreed yet."""

    what: str
    seat: int
    waiting: tuple[int, ...]


class ChanceInfo(Struct, frozen=True, gc=False):
    """The public data about random draws; see `docs/explanation/fairness.md`.

    Attributes:
        commitment: The SHA-256 of the seed, in hexadecimal.
        awaited: The seats that are still to contribute; until then nothing is drawn.
        seed: The seed in hexadecimal; `None` until the match is over.
        contributions: By seat, what it contributed, in hexadecimal; `None` until the match is over.
    """

    commitment: str
    awaited: tuple[int, ...]
    seed: str | None
    contributions: tuple[str | None, ...] | None


class DeclinedRequest(Struct, frozen=True):
    """A request that was declined.

    Attributes:
        seat: The seat that asked.
        by: The seat that declined it; its own seat withdrew it.
    """

    seat: int
    by: int


class CommonState(Struct, frozen=True, gc=False):
    """The part of a snapshot that is the same for all viewers.

    `declined`: what became of the last request, if it was not granted and nothing has happened
    since. `next`: the match that was agreed on after it. `series`: the score, if it is a rematch.
    `tournament`: the id of the tournament that it belongs to.
    """

    match: str
    game: str
    options: dict[str, str]
    rules_version: int
    seq: int
    confirm: bool
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    result: MatchResult | None
    log: EncodedLog
    clock: ClockState | None
    request: RequestState | None
    declined: DeclinedRequest | None
    paused: bool
    next: str | None
    series: SeriesScore | None
    chance: ChanceInfo | None
    rated: bool
    tournament: str | None


class Snapshot(CommonState, frozen=True, gc=False):
    """A match as a viewer may see it."""

    seats: tuple[SeatInfo, ...]
    view: EncodedView
    can: Permissions


class RandomEvent(Struct, frozen=True):
    """A draw of a finished match.

    Attributes:
        ply: The number of actions of the log before it.
        token: The token that was drawn.
        outcomes: The possible tokens with their weights, in order. The weights are strings, because
            they may exceed the numbers of JavaScript.
    """

    ply: int
    token: str
    outcomes: tuple[tuple[str, str], ...]


class FairnessReport(Struct, frozen=True):
    """All that is needed to repeat the draws of a finished match."""

    commitment: str
    seed: str
    contributions: tuple[str | None, ...]
    draws: tuple[RandomEvent, ...]


class CommandResult(Struct, frozen=True):
    """The answer to a command over HTTP; `seq`: the event that it made."""

    seq: int
    snapshot: Snapshot


class MatchSummary(Struct, frozen=True):
    """A match in short: whose turn it is (`acting`), since when, and how it ended (`reason`)."""

    match: str
    game: str
    seq: int
    seats: tuple[SeatInfo, ...]
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    since: str
    winners: tuple[int, ...] | None
    rated: bool
    reason: str | None = None


class Challenge(Struct, frozen=True):
    """A match in the lobby that waits for a player; `since`: when it was created."""

    match: str
    game: str
    options: dict[str, str]
    seats: tuple[SeatInfo, ...]
    time: Time | None
    since: str
    rated: bool


class Preview(Struct, frozen=True):
    """A position as a picture."""

    view: View


class Explanation(Struct, frozen=True):
    """Why nothing can be done by touching some cells."""

    refusal: Refusal | None


class Heading(Struct, frozen=True):
    """A heading of a rule book."""

    level: int
    id: str
    title: str


class RulesPage(Struct, frozen=True):
    """A rule book, drawn."""

    html: str
    contents: tuple[Heading, ...]


class Health(Struct, frozen=True):
    """That the server and its database answer."""

    status: Literal["ok"]
    version: str


# Over the socket.


class EchoMessage(Struct, frozen=True, tag_field="type", tag="echo"):
    """To be answered at once: the server measures how long it takes."""

    number: int


class PresenceMessage(Struct, frozen=True, tag_field="type", tag="presence"):
    """The players' presence, the number of spectators, and how the engine to act is."""

    seats: tuple[SeatPresence, ...]
    watching: int
    engine_queued: bool
    engine_failure: EngineFailure | None


class ChatMessage(Struct, frozen=True, tag_field="type", tag="chat"):
    """Lines of the chat: the `whole` after hello and when some were deleted; else each new one."""

    lines: tuple[ChatLine, ...]
    whole: bool


class ReportAckMessage(Struct, frozen=True, tag_field="type", tag="reported"):
    """The report has been stored for the operator."""

    line: int


class SnapshotMessage(Struct, frozen=True, tag_field="type", tag="snapshot"):
    """The snapshot after hello."""

    snapshot: Snapshot


class UpdateMessage(Struct, frozen=True, tag_field="type", tag="update"):
    """A new event, with the snapshot after it."""

    seq: int
    snapshot: Snapshot


class ChangeMessage(Struct, frozen=True, gc=False, tag_field="type", tag="change"):
    """An update for a viewer that has the previous snapshot; `changes`: as in `patch.py`."""

    seq: int
    changes: dict[str, Any]


class ChallengesMessage(Struct, frozen=True, tag_field="type", tag="challenges"):
    """All that are in the lobby now, the oldest first."""

    challenges: tuple[Challenge, ...]


class AnalysisMessage(Struct, frozen=True, tag_field="type", tag="analysis"):
    """The value of a position of a finished match after this many seconds of search.

    `final`: no more comes.
    """

    ply: int
    line: tuple[str, ...]
    seconds: float
    final: bool
    position: Position


class PositionValue(Struct, frozen=True):
    """The expected value of a position for each seat."""

    shares: tuple[float, ...]
    margins: tuple[float, ...]
    certain: ForcedResult | None


class StudyMessage(Struct, frozen=True, tag_field="type", tag="study"):
    """The analysis of the match from position `first` on (`docs/explanation/analysis.md`).

    `actions` are those after the position before `first`; `length`: how many the match has.
    """

    first: int
    length: int
    positions: tuple[PositionValue, ...]
    actions: tuple[Action, ...]
    balances: tuple[Balance, ...]
    decisive: tuple[int, ...]


class AnalysisErrorMessage(Struct, frozen=True, tag_field="type", tag="analysis-refused"):
    """The analysis has ended, and why."""

    error: ErrorResponse


class CommandAckMessage(Struct, frozen=True, tag_field="type", tag="done"):
    """A command is durable."""

    id: str
    seq: int


class ErrorMessage(Struct, frozen=True, tag_field="type", tag="refused"):
    """A command, or a message without an id, was refused; nothing changed."""

    id: str | None
    error: ErrorResponse


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """The client is connected."""
