"""Account requests and responses; see `docs/reference/accounts.md`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tavola.server.schema.notifications import Destination
from tavola.server.schema.people import People
from tavola.server.schema.responses import MatchSummary

LongText = Annotated[str, Meta(max_length=1000)]


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password; with `bearer` the session comes as a token instead of a cookie."""

    name: LongText
    password: LongText
    bearer: bool = False


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A new password for the old one."""

    old: LongText
    new: LongText


class RecoveryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Send a link that sets a new password to a confirmed e-mail address."""

    address: LongText


class RecoveredPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A new password by the link of a mail."""

    link: Annotated[str, Meta(max_length=200)]
    password: LongText


class AccountDeletion(Struct, frozen=True, forbid_unknown_fields=True):
    """Delete the account; the password confirms it."""

    password: LongText


class SeatClaim(Struct, frozen=True, forbid_unknown_fields=True):
    """Seats that were taken without the account, by their tokens."""

    match: Annotated[str, Meta(max_length=32)]
    tokens: Annotated[
        tuple[Annotated[str, Meta(max_length=100)], ...], Meta(min_length=1, max_length=16)
    ]


class AccountRating(Struct, frozen=True):
    """An account's rating in a game, for two seats or for more."""

    game: str
    field: Literal["two", "several"]
    rating: float
    deviation: float
    matches: int


Role = Literal["organizer", "moderator"]


class AccountInfo(Struct, frozen=True, omit_defaults=True):
    """The account that is signed in.

    `bot`: a program plays for it; `roles`: those that the host has given.
    """

    name: str
    created: str
    ratings: tuple[AccountRating, ...]
    bot: bool
    roles: tuple[Role, ...] = ()


class CurrentAccount(Struct, frozen=True, omit_defaults=True):
    """The account that is signed in, or `None`.

    `announcement`: the line that the host shows to all visitors, by language.
    """

    account: AccountInfo | None
    announcement: dict[str, str] = {}


class SignedIn(Struct, frozen=True, omit_defaults=True):
    """The account after sign-in; `token`: the session token, only if a bearer was requested."""

    account: AccountInfo
    token: str | None = None


class SessionInfo(Struct, frozen=True):
    """A place where the account is signed in; `agent`: what that browser calls itself."""

    id: str
    agent: str
    created: str
    last_seen: str
    current: bool


Scope = Literal["read", "play", "challenge", "tournament"]
"""The rights of a token: see own games, act in them, begin and join games, run tournaments."""


class NewApiToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A new API token; `days`: after which it expires, `None`: never."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4)]
    days: Annotated[int, Meta(ge=1, le=3650)] | None
    password: LongText


class ApiToken(Struct, frozen=True):
    """An API token without its secret; `used`: when it was used last, within ten minutes."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: str
    expires: str | None
    used: str | None


class ApiTokenCreated(Struct, frozen=True):
    """A new API token, with its secret, which is sent only here."""

    token: ApiToken
    secret: str


class OwnMatches(Struct, frozen=True):
    """The account's matches, the latest first; `more`: a cursor if there are older ones."""

    matches: tuple[MatchSummary, ...]
    more: str | None


class LeaderboardRow(Struct, frozen=True, omit_defaults=True):
    """A line of a ranking list: an account by its name, or an engine by its level.

    `established`: the rating is certain enough for a rank; `yours`: the account signed in.
    """

    rating: float
    deviation: float
    matches: int
    established: bool
    name: str | None = None
    level: int | None = None
    yours: bool = False


class Leaderboards(Struct, frozen=True):
    """A game's ranking lists: of matches of two seats, and of more."""

    two: tuple[LeaderboardRow, ...]
    several: tuple[LeaderboardRow, ...]


class RatingChange(Struct, frozen=True):
    """The change of a seat's rating by a rated match."""

    seat: int
    before: float
    after: float


class RatingChanges(Struct, frozen=True):
    """The rating changes of a match; empty if it did not count."""

    changes: tuple[RatingChange, ...]


class OwnEvent(Struct, frozen=True):
    """An entry of a match's log that is of one of the account's seats.

    Undone actions are among them, and so is the undo; `spent`: for how many milliseconds
    a clock had run since the entry before.
    """

    seq: int
    seat: int
    kind: str
    token: str | None
    at: str
    spent: int


class ExportedMatch(Struct, frozen=True):
    """A match of the account's in an export; `record` is `None` if it cannot be read any more."""

    match: str
    game: str
    options: dict[str, str]
    created: str
    rated: bool
    seats: tuple[int, ...]
    record: str | None
    events: tuple[OwnEvent, ...]


class OwnChatLine(Struct, frozen=True):
    """A chat line from one of the account's seats."""

    match: str
    seat: int
    at: str
    text: str


class OwnReport(Struct, frozen=True):
    """A line of a chat, by its number, that one of the account's seats has reported."""

    match: str
    seat: int
    line: int
    at: str


class OwnConditionalMoves(Struct, frozen=True):
    """Conditional moves of one of the account's seats, from the position after `after` actions."""

    match: str
    seat: int
    after: int
    lines: tuple[tuple[str, ...], ...]


class OwnResult(Struct, frozen=True):
    """The change of the account's rating by a rated match, and when."""

    match: str
    seat: int
    at: str
    before: float
    after: float


class NewPuzzleProgress(Struct, frozen=True, forbid_unknown_fields=True):
    """Progress with puzzles to merge into the account's.

    `results`: how puzzles ended, by `GAME/ID`: 1 without, 0 with mistakes or help. `days`: the
    days on which the puzzle of the day was solved without help, such as `2026-11-25`.
    """

    results: Annotated[
        dict[Annotated[str, Meta(max_length=80)], Literal[0, 1]], Meta(max_length=1000)
    ] = {}
    days: Annotated[tuple[Annotated[str, Meta(max_length=10)], ...], Meta(max_length=1000)] = ()


class PuzzleProgress(Struct, frozen=True):
    """All progress of the account with puzzles, as `NewPuzzleProgress`, the earliest first."""

    results: dict[str, Literal[0, 1]]
    days: tuple[str, ...]


class OwnNotification(Struct, frozen=True):
    """A notification to the account; `read`: when it was read, or `None`."""

    kind: str
    match: str | None
    seat: int | None
    detail: str | None
    at: str
    read: str | None


class OwnTournament(Struct, frozen=True):
    """A tournament of the account; `number`: as a player, `None`: as the organizer."""

    tournament: str
    name: str
    number: int | None
    at: str


class OwnModeration(Struct, frozen=True):
    """An act of the host or a moderator on the account, or of the account as a moderator."""

    act: str
    at: str
    detail: str


class AccountExport(Struct, frozen=True):
    """All that is stored of an account, but for its password's hash."""

    account: AccountInfo
    sessions: tuple[SessionInfo, ...]
    matches: tuple[ExportedMatch, ...]
    results: tuple[OwnResult, ...]
    plans: tuple[OwnConditionalMoves, ...]
    chat: tuple[OwnChatLine, ...]
    reports: tuple[OwnReport, ...]
    puzzles: PuzzleProgress
    notifications: tuple[OwnNotification, ...]
    tournaments: tuple[OwnTournament, ...]
    destinations: tuple[Destination, ...]
    tokens: tuple[ApiToken, ...]
    people: People
    moderation: tuple[OwnModeration, ...]
