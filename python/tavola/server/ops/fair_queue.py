"""A fair queue: clients take turns, however much each of them asks for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

NO_CLIENT = ""
"""The client of work that no client waits for: searches resumed at the start, for example."""


class FairQueue(Generic[T]):
    """Waiting items, each for some clients, who take turns however many items each has.

    The next item belongs to the client with the fewest running items. Among several such clients,
    the one that was served longest ago is next. A client with one item waits behind at most one
    item of each other client. An item of several clients runs when the first of them has its turn,
    and uses the turns of all.
    """

    def __init__(self) -> None:
        # Each client's waiting items, the next one first.
        self._queues: OrderedDict[str, OrderedDict[T, None]] = OrderedDict()
        self._clients: dict[T, set[str]] = {}
        self._running: dict[T, set[str]] = {}

    def __len__(self) -> int:
        return len(self._clients)

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._clients))

    def __contains__(self, item: T) -> bool:
        return item in self._clients

    def waiting_for(self, client: str) -> int:
        """Return how many items wait for a client."""
        return len(self._queues.get(client, ()))

    def add(self, item: T, clients: Iterable[str]) -> None:
        """Add an item for these clients, or clients to a waiting or running item."""
        clients = set(clients)
        if item in self._running:
            self._running[item] |= clients
            return
        for client in clients or {NO_CLIENT}:
            self._queues.setdefault(client, OrderedDict())[item] = None
            self._clients.setdefault(item, set()).add(client)

    def remove(self, item: T) -> bool:
        """Remove a task; return whether it was queued."""
        clients = self._clients.pop(item, set())
        for client in clients:
            del self._queues[client][item]
            if not self._queues[client]:
                del self._queues[client]
        return bool(clients)

    def pop(self) -> T | None:
        """Take the next item; `finish` or `put_back` follows when it stops running."""
        if not self._queues:
            return None
        item = next(iter(self._queues[min(self._queues, key=self._running_for)]))
        clients = self._clients[item]
        self.remove(item)
        self._running[item] = clients
        return item

    def finish(self, item: T) -> None:
        """Remove a finished item; its clients queue behind the others."""
        for client in self._running.pop(item):
            if client in self._queues:
                self._queues.move_to_end(client)

    def should_yield(self, item: T) -> bool:
        """Return whether another client with fewer running items waits."""
        least = min(map(self._running_for, self._running[item]))
        return any(self._running_for(client) < least for client in self._queues)

    def put_back(self, item: T) -> None:
        """Return a running item to the queue: the next of its clients, but after other clients."""
        clients = self._running[item]
        self.finish(item)
        self.add(item, clients)
        for client in clients:
            self._queues[client].move_to_end(item, last=False)

    def _running_for(self, client: str) -> int:
        """Return how many items of a client are running."""
        return sum(client in clients for clients in self._running.values())
