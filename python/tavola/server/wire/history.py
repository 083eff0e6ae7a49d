"""Histories: what only grows, shared by the states of a match that follow one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from msgspec import Struct

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class History(Struct, Generic[T_co], frozen=True, gc=False, eq=False):
    """A list that stays as it is, though to follow from it by one item copies nothing.

    All that follow from one another have their items in one list and know how many of them are
    theirs. Whoever is the first to add to a history goes on in its list, anybody else in another.
    """

    _items: list[T_co] = []  # its own
    _length: int = 0

    def added(self, item: T) -> History[T_co | T]:
        """The history with one item more."""
        items: list[Any] = self._items
        if len(items) != self._length:
            items = items[: self._length]
        items.append(item)
        return History(items, self._length + 1)

    def first(self, count: int) -> History[T_co]:
        """The history of its first items."""
        return History(self._items, min(count, self._length))

    def shared(self, other: History[object]) -> int:
        """How many of the first items are the same things in both."""
        most = min(self._length, other._length)
        if self._items is other._items:
            return most
        pairs = enumerate(zip(self, other, strict=False))
        return next((place for place, (one, another) in pairs if one is not another), most)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T_co]:
        return islice(self._items, self._length)

    @overload
    def __getitem__(self, place: int) -> T_co: ...
    @overload
    def __getitem__(self, place: slice) -> list[T_co]: ...
    def __getitem__(self, place: int | slice) -> T_co | list[T_co]:
        length = self._length
        if isinstance(place, slice):
            return self._items[slice(*place.indices(length))]
        if -length <= place < length:
            return self._items[place if place >= 0 else length + place]
        raise IndexError(place)


class Register(Struct, Generic[T], frozen=True, gc=False, eq=False):
    """Items by name, of which the same is true as of a history's."""

    _items: dict[str, tuple[int, T]] = {}  # its own; with their places
    _length: int = 0

    def added(self, name: str, item: T) -> Register[T]:
        """The register with one item more, of a name that has none."""
        items = self._items
        if len(items) != self._length:
            items = dict(islice(items.items(), self._length))
        items[name] = self._length, item
        return Register(items, self._length + 1)

    def get(self, name: str) -> T | None:
        """The item of this name, if there is one."""
        place, item = self._items.get(name, (self._length, None))
        return item if place < self._length else None
