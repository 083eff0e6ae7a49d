"""Whole tournaments with scripted results, without a server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

from tavola.server.tournaments import rounds
from tavola.server.tournaments.log import Change, Event, Joined, Scored
from tavola.server.tournaments.settings import Format, TournamentSettings
from tavola.server.tournaments.tournament import Tournament


class Simulation:
    """A tournament that is played by chance."""

    def __init__(
        self,
        form: Format,
        players: int,
        *,
        size: int = 2,
        rounds: int = 5,
        fill: int | None = None,
        seed: int = 1,
    ) -> None:
        self.chance = random.Random(seed)
        self.settings = TournamentSettings(
            name="Evening", game="potlatch", format=form, rounds=rounds, fill=fill
        )
        self.size = size
        self.log: list[Event] = []
        self.tournament = Tournament(self.settings, size)
        self._ids: Iterator[int] = count()
        self.change(*(Joined(number) for number in range(1, players + 1)))

    def change(self, *changes: Change) -> None:
        for one in changes:
            self.log.append(Event(len(self.log) + 1, one))
            self.tournament.apply(self.log[-1])

    def due(self) -> list[Change]:
        return rounds.next_changes(
            self.tournament, datetime.now(UTC), lambda: f"m{next(self._ids)}", self.chance
        )

    def begin_round(self) -> bool:
        """Begins the next round, if there is one."""
        self.change(*self.due())
        return self.tournament.status == "running"

    def play_round(self) -> None:
        for board in self.tournament.open_boards():
            ranking = tuple(float(self.chance.randint(0, 2)) for _ in board.players)
            points = rounds.placement_points(ranking)
            self.change(Scored(board.round, board.number, points))

    def start(self) -> None:
        self.change(*rounds.start_changes(self.tournament))

    def play(self) -> Tournament:
        """Plays until the end."""
        self.start()
        while self.begin_round():
            self.play_round()
        return self.tournament
