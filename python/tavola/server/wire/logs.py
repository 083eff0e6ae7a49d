"""The log of a match as viewers are told it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Raw, Struct

from tavola.server.wire.history import History


class Entry(Struct, frozen=True, gc=False):
    """An action in force, as it is told.

    Attributes:
        full: With what it did.
        brief: The same without.
    """

    full: Raw
    brief: Raw


class Log:
    """The actions in force; the older ones are told without what they did.

    Args:
        entries: All of them.
        brief: How many of them are told without.
    """

    __slots__ = ("brief", "entries")

    def __init__(self, entries: History[Entry], brief: int) -> None:
        self.entries = entries
        self.brief = brief

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Raw]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> Raw:
        entry = self.entries[place]
        return entry.brief if place < self.brief else entry.full

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Log) else NotImplemented

    def others(self, before: Log) -> list[int]:
        """The places at which something else may be told than in the log before."""
        same = before.entries.shared(self.entries)
        first, last = sorted((before.brief, self.brief))
        return [*range(first, min(last, same)), *range(same, len(self))]
