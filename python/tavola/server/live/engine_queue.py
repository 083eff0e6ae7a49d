"""The queue of thoughts: whose turn it is when more engines are to think than can."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

NO_CLIENT = ""
"""The client of searches that no client waits for: those resumed at the start."""


class FairQueue(Generic[T]):
    """What waits, each for some people, who take turns however much each of them waits for.

    The next item belongs to the client with the fewest running items. Among several such clients,
    the one that was served longest ago is next. A client with one item waits behind at most one
    item of each other client. An item of several clients runs when the first of them has its turn,
    and uses the turns of all.
    """

    def __init__(self) -> None:
        # What each of them waits for; the first of them has the next turn.
        self._queues: OrderedDict[str, OrderedDict[T, None]] = OrderedDict()
        self._clients: dict[T, set[str]] = {}
        self._running: dict[T, set[str]] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._clients))

    def __contains__(self, one: T) -> bool:
        return one in self._clients

    def waiting_for(self, person: str) -> int:
        """Return how many items wait for a client."""
        return len(self._queues.get(person, ()))

    def add(self, one: T, clients: Iterable[str]) -> None:
        """Something waits for these people; for more of them, if it waits or is done already."""
        clients = set(clients)
        if one in self._running:
            self._running[one] |= clients
            return
        for person in clients or {NO_CLIENT}:
            self._queues.setdefault(person, OrderedDict())[one] = None
            self._clients.setdefault(one, set()).add(person)

    def remove(self, one: T) -> bool:
        """It waits no more; whether it has waited."""
        people = self._clients.pop(one, set())
        for person in people:
            del self._queues[person][one]
            if not self._queues[person]:
                del self._queues[person]
        return bool(people)

    def pop(self) -> T | None:
        """Take the next item; `finish` or `put_back` follows when it stops running."""
        if not self._queues:
            return None
        one = next(iter(self._queues[min(self._queues, key=self._running_for)]))
        people = self._clients[one]
        self.remove(one)
        self._running[one] = people
        return one

    def finish(self, one: T) -> None:
        """Something has been done: now it is the turn of others than those it was done for."""
        for person in self._running.pop(one):
            if person in self._queues:
                self._queues.move_to_end(person)

    def should_yield(self, one: T) -> bool:
        """Return whether another client with fewer running items waits."""
        least = min(map(self._running_for, self._running[one]))
        return any(self._running_for(person) < least for person in self._queues)

    def put_back(self, one: T) -> None:
        """Something that is being done waits again: it is the next for its people, after others."""
        people = self._running[one]
        self.finish(one)
        self.add(one, people)
        for person in people:
            self._queues[person].move_to_end(one, last=False)

    def _running_for(self, person: str) -> int:
        """Return how many items of a client are running."""
        return sum(person in people for people in self._running.values())
