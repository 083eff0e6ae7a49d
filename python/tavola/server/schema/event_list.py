"""The log of a match as viewers receive it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Raw


class Entry(Protocol):
    """An action in force, as it is sent."""

    @property
    def full(self) -> Raw:
        """With what it did."""

    @property
    def brief(self) -> Raw:
        """The same without."""


class EventList:
    """The actions in force; older ones are sent without their events.

    It is made for every event and seldom sent whole, so it copies nothing.

    Args:
        entries: All of them; more may come, which are not of this log.
        brief: The number of entries that are sent without events.
    """

    __slots__ = ("_brief", "_entries", "_length")

    def __init__(self, entries: Sequence[Entry], brief: int) -> None:
        self._entries = entries
        self._length = len(entries)
        self._brief = brief

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Raw]:
        return map(self.__getitem__, range(self._length))

    def __getitem__(self, place: int) -> Raw:
        entry = self._entries[place]
        return entry.brief if place < self._brief else entry.full

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, EventList) else NotImplemented

    def changed_places(self, before: EventList) -> list[int]:
        """Return the places whose entries may differ from the earlier list."""
        same = min(self._length, before._length)
        # The same entry means the same history before it.
        while same and self._entries[same - 1] is not before._entries[same - 1]:
            same -= 1
        first, last = sorted((before._brief, self._brief))
        return [*range(first, min(last, same)), *range(same, self._length)]
