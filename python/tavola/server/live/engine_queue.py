"""The queue of thoughts: whose turn it is when more engines are to think than can."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)

NOBODY = ""
"""Who waits where nobody does: what was taken up at the start, until somebody comes."""


class Queue(Generic[T]):
    """What waits, each for some people, who take turns however much each of them waits for.

    Next is somebody for whom the least is being done now; among several, who was longest not
    served. So whoever comes with one thing waits behind one of each other person's at most.
    Something for which several people wait is done when the first of them has a turn, and has been
    the turn of all.
    """

    def __init__(self) -> None:
        # What each of them waits for; the first of them has the next turn.
        self._lines: OrderedDict[str, OrderedDict[T, None]] = OrderedDict()
        self._people: dict[T, set[str]] = {}
        self._doing: dict[T, set[str]] = {}

    def __len__(self) -> int:
        return len(self._people)

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._people))

    def __contains__(self, one: T) -> bool:
        return one in self._people

    def waiting(self, person: str) -> int:
        """How much waits for somebody."""
        return len(self._lines.get(person, ()))

    def join(self, one: T, people: Iterable[str]) -> None:
        """Something waits for these people; for more of them, if it waits or is done already."""
        people = set(people)
        if one in self._doing:
            self._doing[one] |= people
            return
        for person in people or {NOBODY}:
            self._lines.setdefault(person, OrderedDict())[one] = None
            self._people.setdefault(one, set()).add(person)

    def leave(self, one: T) -> bool:
        """It waits no more; whether it has waited."""
        people = self._people.pop(one, set())
        for person in people:
            del self._lines[person][one]
            if not self._lines[person]:
                del self._lines[person]
        return bool(people)

    def next(self) -> T | None:
        """What is done next; `served` is told when it is done, or `put_back` when it is not."""
        if not self._lines:
            return None
        one = next(iter(self._lines[min(self._lines, key=self._done_for)]))
        people = self._people[one]
        self.leave(one)
        self._doing[one] = people
        return one

    def served(self, one: T) -> None:
        """Something has been done: now it is the turn of others than those it was done for."""
        for person in self._doing.pop(one):
            if person in self._lines:
                self._lines.move_to_end(person)

    def gives_way(self, one: T) -> bool:
        """Whether somebody waits for whom less is being done than for all it is done for."""
        least = min(map(self._done_for, self._doing[one]))
        return any(self._done_for(person) < least for person in self._lines)

    def put_back(self, one: T) -> None:
        """Something that is being done waits again: it is the next for its people, after others."""
        people = self._doing[one]
        self.served(one)
        self.join(one, people)
        for person in people:
            self._lines[person].move_to_end(one, last=False)

    def _done_for(self, person: str) -> int:
        """How much is being done for somebody."""
        return sum(person in people for people in self._doing.values())
