"""Whole tournaments with scripted results, without a server."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, combinations, count, product

from tavola.server.tournaments import rounds
from tavola.server.tournaments.log import Change, Event, Joined, Scored
from tavola.server.tournaments.settings import Format, TournamentSettings
from tavola.server.tournaments.tournament import Tournament


def avoidable_meetings(rounds: Iterable[Iterable[Sequence[int]]]) -> int:
    """Return how many fewer repeated meetings an exchange of two players in a round would leave.

    Args:
        rounds: The players of the boards of each round.
    """
    met = Counter[tuple[int, ...]]()
    most = 0

    def pairs(board: Iterable[int]) -> Iterator[tuple[int, ...]]:
        return combinations(sorted(board), 2)

    def repeats(*boards: Iterable[int]) -> int:
        return sum(met[pair] for pair in chain.from_iterable(map(pairs, boards)))

    for boards in rounds:
        tables = [set(board) for board in boards]
        for one, other in combinations(tables, 2):
            for left, right in product(one, other):
                exchanged = (one - {left}) | {right}, (other - {right}) | {left}
                most = max(most, repeats(one, other) - repeats(*exchanged))
        met.update(chain.from_iterable(map(pairs, tables)))
    return most


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
