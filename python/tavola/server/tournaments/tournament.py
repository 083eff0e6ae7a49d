"""A tournament: the state that follows from its log of events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from tavola.server.tournaments.log import (
    Corrected,
    Described,
    Event,
    Joined,
    Left,
    Paired,
    PairedBoard,
    Points,
    Replayed,
    Returned,
    Scored,
    Turned,
)
from tavola.server.tournaments.settings import TournamentSettings

Status = Literal["open", "running", "paused", "finished"]

STATUSES: dict[str, Status] = {
    "started": "running",
    "resumed": "running",
    "paused": "paused",
    "finished": "finished",
}
"""The status after each turn of a tournament."""


@dataclass(slots=True)
class Player:
    """A player; `left`: why the player is paired no more."""

    number: int
    level: int | None = None
    filler: bool = False
    left: Literal["withdrew", "removed", "no-show"] | None = None


@dataclass(slots=True)
class Board:
    """A board of a round.

    Attributes:
        players: By seat.
        match: The id of its match; `None` if there is none.
        at: When it was paired.
        points: By seat; `None` until it has ended.
        absent: The player who did not come.
        corrected: Whether the organizer set the result.
    """

    round: int
    number: int
    players: tuple[int, ...]
    match: str | None
    at: str
    points: Points | None = None
    absent: int | None = None
    corrected: bool = False

    def points_of(self, player: int) -> float:
        """Return the points of a player at a board that has ended."""
        return 0.0 if self.points is None else self.points[self.players.index(player)]


@dataclass(slots=True)
class Round:
    """A round: its boards, and the players without one."""

    number: int
    at: str
    boards: list[Board]
    byes: tuple[int, ...] = ()


@dataclass(slots=True)
class History:
    """The meetings, seats and byes of the players.

    Attributes:
        met: How often two players met, the smaller number first.
        seats: By player, how often in each seat.
        last: By player, the last opponents and the last seat.
        byes: By player.
    """

    size: int
    met: Counter[tuple[int, int]] = field(default_factory=Counter)
    seats: defaultdict[int, list[int]] = field(init=False)
    last: dict[int, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    byes: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.seats = defaultdict(lambda: [0] * self.size)

    def add_board(self, players: tuple[int, ...]) -> None:
        """Add a board, by its players in the order of their seats."""
        for seat, player in enumerate(players):
            self.seats[player][seat] += 1
            self.last[player] = (players, seat)
            for other in players[:seat]:
                self.met[min(player, other), max(player, other)] += 1

    def meetings(self, one: int, other: int) -> int:
        """Return how often two players met."""
        return self.met[min(one, other), max(one, other)]


class Tournament:
    """A tournament as its log has made it.

    Args:
        settings: What the organizer chose.
        size: The number of seats of a match.
        events: The log.
    """

    def __init__(
        self, settings: TournamentSettings, size: int, events: Iterable[Event] = ()
    ) -> None:
        self.settings = settings
        self.size = size
        self.seq = 0
        self.status: Status = "open"
        self.started: str | None = None
        self.players: dict[int, Player] = {}
        self.rounds: list[Round] = []
        for event in events:
            self.apply(event)

    @property
    def active(self) -> list[Player]:
        """The players who are paired, but for engines that only fill seats."""
        return [one for one in self.players.values() if one.left is None and not one.filler]

    @property
    def fillers(self) -> list[Player]:
        """The engines that only fill seats."""
        return [one for one in self.players.values() if one.filler]

    def boards(self) -> Iterator[Board]:
        """Yield all boards."""
        for one in self.rounds:
            yield from one.boards

    def open_boards(self) -> list[Board]:
        """Return the boards that have not ended."""
        return [board for board in self.boards() if board.points is None]

    def board(self, round_number: int, number: int) -> Board | None:
        """Return a board of a round, both from 1 on."""
        if not 1 <= round_number <= len(self.rounds):
            return None
        boards = self.rounds[round_number - 1].boards
        return boards[number - 1] if 1 <= number <= len(boards) else None

    @property
    def bye_points(self) -> float:
        """The points of a bye: a win, or the mean of a table."""
        return 1.0 if self.size == 2 else (self.size - 1) / 2

    def points(self) -> dict[int, float]:
        """Return the points of all players."""
        total = dict.fromkeys(self.players, 0.0)
        for one in self.rounds:
            for player in one.byes:
                total[player] += self.bye_points
            for board in one.boards:
                for player, scored in zip(board.players, board.points or (), strict=False):
                    total[player] += scored
        return total

    def history(self) -> History:
        """Return who met whom, and where."""
        history = History(self.size)
        for one in self.rounds:
            history.byes.update(one.byes)
            for board in one.boards:
                history.add_board(board.players)
        return history

    def apply(self, event: Event) -> None:
        """Apply a stored event."""
        match event.change:
            case Joined(number, level, filler):
                self.players[number] = Player(number, level, filler)
            case Left(number, why):
                if self.status == "open":
                    # As if the player had not come: no standings show the name.
                    del self.players[number]
                else:
                    self.players[number].left = why
            case Returned(number):
                self.players[number].left = None
            case Paired(boards, byes):
                self._pair(boards, byes, event.at)
            case Replayed(number, board, players, match):
                again = self.rounds[number - 1].boards[board - 1]
                again.players, again.match, again.at = players, match, event.at
                again.points, again.absent, again.corrected = None, None, False
            case Scored(number, board, points, absent):
                found = self.rounds[number - 1].boards[board - 1]
                found.points, found.absent = points, absent
            case Corrected(number, board, points):
                found = self.rounds[number - 1].boards[board - 1]
                found.points, found.corrected = points, True
            case Described(name, description):
                self.settings = msgspec.structs.replace(
                    self.settings, name=name, description=description
                )
            case Turned(to):
                if to == "started":
                    self.started = event.at
                self.status = STATUSES[to]
        self.seq = event.seq

    def _pair(self, boards: Iterable[PairedBoard], byes: tuple[int, ...], at: str) -> None:
        # An arena has one round, which grows.
        if not self.rounds or self.settings.format != "arena":
            self.rounds.append(Round(len(self.rounds) + 1, at, [], byes))
        current = self.rounds[-1]
        for one in boards:
            number = len(current.boards) + 1
            current.boards.append(
                Board(current.number, number, one.players, one.match, at, one.points)
            )
