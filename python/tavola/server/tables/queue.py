"""The queue of thoughts: whose turn it is when more engines are to think than can."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Hashable, Iterable, Iterator
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
        self._lines: OrderedDict[str, dict[T, None]] = OrderedDict()
        self._people: dict[T, set[str]] = {}
        self._doing: Counter[str] = Counter()

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
        """Something waits for these people; for more of them, if it waits already."""
        for person in set(people) or {NOBODY}:
            self._lines.setdefault(person, {})[one] = None
            self._people.setdefault(one, set()).add(person)

    def leave(self, one: T) -> set[str]:
        """It waits no more.

        Returns:
            For whom it has waited.
        """
        people = self._people.pop(one, set())
        for person in people:
            del self._lines[person][one]
            if not self._lines[person]:
                del self._lines[person]
        return people

    def next(self) -> tuple[T, Collection[str]] | None:
        """What is done next, and for whom; `served` is told when it is done."""
        if not self._lines:
            return None
        person = min(self._lines, key=self._doing.__getitem__)
        one = next(iter(self._lines[person]))
        people = self.leave(one)
        self._doing.update(people)
        return one, people

    def served(self, people: Collection[str]) -> None:
        """Something has been done for these people: now it is the turn of all others."""
        self._doing -= Counter(people)
        for person in people:
            if person in self._lines:
                self._lines.move_to_end(person)
