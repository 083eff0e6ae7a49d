"""The rules of quick pairing: who plays whom among those who wait for the same game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

START_RANGE = 100.0
"""The difference of two certain ratings that is accepted at once."""

WIDENING = 10.0
"""By how much the range of a player widens each second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the queue.

    Attributes:
        person: The player: a person has one place.
        rating: The rating; of a guest that of a new account.
        deviation: How uncertain the rating is.
        since: When the player came, in seconds.
        blocked: The persons whom the player blocks.
    """

    person: str
    rating: float
    deviation: float
    since: float
    blocked: frozenset[str] = frozenset()

    def reach(self, now: float) -> float:
        """Return the difference of ratings that the player accepts at a time."""
        return START_RANGE + self.deviation + WIDENING * max(now - self.since, 0.0)


def suits(one: Place, other: Place, now: float) -> bool:
    """Return whether two players can meet: the range of the one who waits longer decides."""
    if one.person == other.person:
        return False
    if one.person in other.blocked or other.person in one.blocked:
        return False
    return abs(one.rating - other.rating) <= max(one.reach(now), other.reach(now))


def find_groups(places: Iterable[Place], seats: int, now: float) -> list[tuple[Place, ...]]:
    """Return the groups that can play now, the player who waits longest first.

    Args:
        places: Those who wait for the same game.
        seats: The number of seats.
        now: The time, as in `Place.since`.

    Returns:
        Groups of this many players. Each grows in the order of arrival, by players who suit all
        before them.
    """
    waiting = sorted(places, key=lambda place: place.since)
    groups = []
    while len(waiting) >= seats:
        group = [waiting[0]]
        for place in waiting[1:]:
            if len(group) == seats:
                break
            if all(suits(place, member, now) for member in group):
                group.append(place)
        if len(group) == seats:
            groups.append(tuple(group))
            persons = {place.person for place in group}
            waiting = [place for place in waiting if place.person not in persons]
        else:
            waiting = waiting[1:]
    return groups
