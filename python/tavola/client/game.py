"""A game on a server, as the client sees it."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import tavola
from tavola.server.matches.command import Command, CommandKind
from tavola.server.schema.event_list import ActionEntry
from tavola.server.schema.responses import Challenge, MatchCreated, MatchResult, Snapshot

if TYPE_CHECKING:
    from tavola import State

NewGame = MatchCreated
"""A new game: its id, and the invitations of its links."""

WaitingGame = Challenge
"""A game in the lobby that waits for a player."""


@dataclass(frozen=True)
class Game:
    """A game at one moment.

    Attributes:
        snapshot: The game as the server sends it.
    """

    snapshot: Snapshot

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.snapshot.match

    @property
    def seq(self) -> int:
        """The number of events so far."""
        return self.snapshot.seq

    @property
    def seats(self) -> tuple[int, ...]:
        """The account's own seats."""
        return tuple(seat.seat for seat in self.snapshot.seats if seat.yours)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.snapshot.status == "over"

    @property
    def result(self) -> MatchResult | None:
        """How the game ended, or `None`."""
        return self.snapshot.result

    @property
    def is_my_turn(self) -> bool:
        """Whether one of the account's seats is to play an action now."""
        now = self.snapshot
        return now.status == "playing" and now.acting in self.seats and not now.paused

    @cached_property
    def state(self) -> State:
        """The position, whose legal actions are those of the server."""
        now = self.snapshot
        state = tavola.load(now.game, **now.options).start()
        for entry in cast("tuple[ActionEntry, ...]", now.log):
            state = state.play(entry.token)
        return state

    def command(
        self, do: CommandKind, token: str | None = None, seat: int | None = None
    ) -> Command:
        """Return a command for this moment; the server counts it once, however often it comes.

        Args:
            do: The effect, such as `play`.
            token: The action, or the kind of the request.
            seat: The seat that acts; by default the account's seat to act, or its first one.
        """
        if seat is None:
            acting = self.snapshot.acting
            seat = acting if acting in self.seats else next(iter(self.seats), 0)
        assert seat is not None, "an own seat, or the first one"
        return Command(str(uuid.uuid4()), self.seq, seat, do, token)

    @property
    def duty(self) -> Command | None:
        """The command that needs no choice: confirm a turn, or contribute to random events."""
        now = self.snapshot
        if now.status == "confirming" and now.acting in self.seats and not now.paused:
            return self.command("confirm")
        awaited = () if now.chance is None else now.chance.awaited
        for seat in self.seats:
            if seat in awaited and not self.is_over:
                return self.command("contribute", secrets.token_hex(32), seat)
        return None
