"""Requests and responses about tournaments."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from tavola.server.schema.requests import Level, Name, Secret
from tavola.server.tournaments.settings import MAX_PLAYERS, TournamentSettings

Number = Annotated[int, Meta(ge=1, le=2 * MAX_PLAYERS)]
RoundNumber = Annotated[int, Meta(ge=1, le=2000)]
BoardNumber = Annotated[int, Meta(ge=1, le=100_000)]


class NewTournament(Struct, frozen=True, forbid_unknown_fields=True):
    """A new tournament.

    Attributes:
        token: A secret by which the organizer is known without an account: 32 random bytes, in
            URL-safe base64.
    """

    settings: TournamentSettings
    token: Secret | None = None


class TournamentCreated(Struct, frozen=True):
    """The id of a new tournament."""

    tournament: str


class JoinTournament(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="join"):
    """Enter a tournament, with the account that is signed in or as a guest.

    Attributes:
        token: The secret of a guest, which holds the seats of all matches of the guest.
        name: The name of a guest.
    """

    token: Secret | None = None
    name: Name = ""


class LeaveTournament(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="leave"):
    """Be paired no more; the organizer names a `player`."""

    player: Number | None = None


class ReturnToTournament(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="return"
):
    """Be paired again; the organizer names a `player`."""

    player: Number | None = None


class AddEngine(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="engine"):
    """Let an engine enter."""

    level: Level


class TurnTournament(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="turn"):
    """Start, pause, resume or finish a tournament, or begin its next round."""

    to: Literal["started", "round", "paused", "resumed", "finished"]


class CorrectBoard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="correct"):
    """Set the result of a board.

    Attributes:
        places: The place of each seat; equal seats share one.
    """

    round: RoundNumber
    board: BoardNumber
    places: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=16)], ...], Meta(min_length=2, max_length=16)
    ]


class DescribeTournament(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="describe"
):
    """Change name and description."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    description: Annotated[str, Meta(max_length=1000)] = ""


TournamentAction: TypeAlias = (
    JoinTournament
    | LeaveTournament
    | ReturnToTournament
    | AddEngine
    | TurnTournament
    | CorrectBoard
    | DescribeTournament
)


class TournamentSummary(Struct, frozen=True):
    """A tournament in a list."""

    tournament: str
    name: str
    game: str
    format: str
    status: Literal["open", "running", "paused", "finished"]
    players: int
    created: str


class TournamentList(Struct, frozen=True):
    """The latest tournaments, the newest first."""

    tournaments: tuple[TournamentSummary, ...]


class TournamentPlayer(Struct, frozen=True):
    """A player.

    Attributes:
        name: Empty for an engine, which has a `level`, and for a deleted account.
        member: Whether the name is that of an account.
        left: Why the player is paired no more.
    """

    number: int
    name: str
    level: int | None
    member: bool
    deleted: bool
    left: Literal["withdrew", "removed", "no-show"] | None


class TournamentBoard(Struct, frozen=True):
    """A board.

    Attributes:
        players: By seat.
        match: Its match; `None` if it was decided without one.
        points: By seat, once it has ended.
        absent: The player who did not come.
        corrected: Whether the organizer set the result.
    """

    number: int
    players: tuple[int, ...]
    match: str | None
    points: tuple[float, ...] | None
    absent: int | None
    corrected: bool


class TournamentRound(Struct, frozen=True):
    """A round; `byes`: the players who have a bye."""

    number: int
    at: str
    boards: tuple[TournamentBoard, ...]
    byes: tuple[int, ...]


class TournamentStanding(Struct, frozen=True):
    """A place in the standings; `tie_breaks` in the order of the tournament's."""

    player: int
    rank: int
    points: float
    played: int
    tie_breaks: tuple[float, ...]


class TournamentView(Struct, frozen=True):
    """A tournament as a viewer may see it.

    Attributes:
        seats: The number of seats of a match.
        last_round: The number of rounds, if it is known.
        ends: When an arena stops pairing.
        tie_breaks: The names of the tie-breaks, the first one first.
        you: The number of the viewer's player.
        organizer: Whether the viewer is the organizer.
        can: The actions that the viewer can do now.
    """

    tournament: str
    settings: TournamentSettings
    seats: int
    status: Literal["open", "running", "paused", "finished"]
    created: str
    started: str | None
    last_round: int | None
    ends: str | None
    players: tuple[TournamentPlayer, ...]
    rounds: tuple[TournamentRound, ...]
    standings: tuple[TournamentStanding, ...]
    tie_breaks: tuple[str, ...]
    you: int | None
    organizer: bool
    can: tuple[str, ...]


class TournamentState(Struct, frozen=True):
    """A tournament with its version; `None` if the viewer has this version."""

    version: int
    view: TournamentView | None


class WallBoard(Struct, frozen=True):
    """A board that is being played.

    Attributes:
        seq: The number of the latest event of the match.
        acting: The seat to act.
        remaining: The seconds of every seat; `None` without a clock.
    """

    round: int
    number: int
    match: str
    seq: int
    acting: int | None
    remaining: tuple[float | None, ...] | None


class WallView(Struct, frozen=True):
    """The boards that are being played, the first ones; `total`: how many there are."""

    boards: tuple[WallBoard, ...]
    total: int
