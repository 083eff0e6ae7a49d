"""The rules of quick pairing: no player twice, ranges widen, the oldest first."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.server.quick_pairing.queue import Place, find_groups, suits

NOW = 1000.0


def place(
    number: int, rating: float = 1500.0, deviation: float = 0.0, waited: float = 0.0
) -> Place:
    return Place(
        person=f"p{number}", rating=rating, deviation=deviation, since=NOW - waited - number / 1e6
    )


@st.composite
def queues(draw: st.DrawFn) -> list[Place]:
    numbers = st.tuples(
        st.floats(800, 2400), st.floats(30, 350), st.floats(0, 120).map(lambda x: round(x, 3))
    )
    drawn = draw(st.lists(numbers, max_size=24))
    return [place(number, *one) for number, one in enumerate(drawn)]


@given(queues(), st.integers(2, 4))
def test_a_player_is_seated_once_and_only_with_players_who_suit(
    queue: list[Place], seats: int
) -> None:
    groups = find_groups(queue, seats, NOW)
    seated = [one.person for group in groups for one in group]
    assert len(seated) == len(set(seated))
    for group in groups:
        assert len(group) == seats
        assert all(suits(one, other, NOW) for one, other in combinations(group, 2))


@given(queues())
def test_players_who_are_left_suit_no_other_who_is_left(queue: list[Place]) -> None:
    seated = {one.person for group in find_groups(queue, 2, NOW) for one in group}
    left = [one for one in queue if one.person not in seated]
    assert not any(suits(one, other, NOW) for one, other in combinations(left, 2))


@pytest.mark.long
@given(queues(), st.floats(0, 600))
def test_ranges_only_widen(queue: list[Place], later: float) -> None:
    for one, other in combinations(queue, 2):
        assert suits(one, other, NOW + later) or not suits(one, other, NOW)


@given(queues())
def test_the_player_who_waits_longest_is_first(queue: list[Place]) -> None:
    groups = find_groups(queue, 2, NOW)
    oldest = min(queue, key=lambda one: one.since, default=None)
    if oldest is not None and any(suits(oldest, one, NOW) for one in queue):
        assert groups[0][0] == oldest
    firsts = [group[0].since for group in groups]
    assert firsts == sorted(firsts)


def test_a_range_widens_until_two_strengths_meet() -> None:
    strong, weak = place(0, 2000.0), place(1, 1500.0)
    assert find_groups([strong, weak], 2, NOW + 39) == []
    assert len(find_groups([strong, weak], 2, NOW + 41)) == 1


def test_an_uncertain_rating_meets_more_players() -> None:
    guest, strong = place(0, 1500.0, 350.0), place(1, 1900.0)
    assert len(find_groups([guest, strong], 2, NOW)) == 1
    assert find_groups([place(0, 1500.0, 50.0), strong], 2, NOW) == []


def test_a_person_never_meets_themselves() -> None:
    assert find_groups([place(0), place(0)], 2, NOW) == []


def test_who_blocks_a_person_never_meets_them() -> None:
    blocker = replace(place(0, waited=5), blocked=frozenset({"p1"}))
    assert find_groups([blocker, place(1)], 2, NOW + 600) == []
    assert find_groups([place(1, waited=9), blocker], 2, NOW + 600) == []
    (group,) = find_groups([blocker, place(1), place(2)], 2, NOW)
    assert {one.person for one in group} == {"p0", "p2"}
