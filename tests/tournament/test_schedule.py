"""Schedules: different openings, rotated seats, and everything from the seed."""

from __future__ import annotations

from collections import Counter

import pytest

import tavola
from tests.tournament.schedules import plan


def test_the_games_of_a_group_have_one_opening_and_all_rotations() -> None:
    for players in (2, 3, 4):
        engines = ("random",) * players
        made = plan("montana", options={"players": players}, engines=engines, games=3 * players)
        pairings = list(made.pairings())
        assert [pairing.number for pairing in pairings] == list(range(1, 3 * players + 1))
        for first in range(0, len(pairings), players):
            group = pairings[first : first + players]
            assert len({(p.group, p.opening, p.chance_seed) for p in group}) == 1
            for seat in range(players):
                assert sorted(p.lineup[seat] for p in group) == list(range(players))
        assert len({p.seeds for p in pairings}) == len(pairings)


@pytest.mark.parametrize(("parties", "seats"), [(2, 3), (2, 4), (3, 4)])
def test_fewer_engines_than_seats_have_every_seat_equally_often(parties: int, seats: int) -> None:
    made = plan("montana", options={"players": seats}, engines=("random",) * parties, games=parties)
    held = Counter((place, seat) for p in made.pairings() for seat, place in enumerate(p.lineup))
    assert held == Counter({(place, seat): 1 for place in range(parties) for seat in range(seats)})


@pytest.mark.parametrize("game", tavola.games())
def test_openings_are_legal_and_differ(game: str) -> None:
    made = plan(game, games=24, plies=4)
    reached = []
    for pairing in list(made.pairings())[::2]:
        match = tavola.Match(made.load(), seed=pairing.chance_seed)
        for token in pairing.opening:
            match.play(token)
        assert len(pairing.opening) == 4
        assert match.state.to_act is not None
        reached.append(match.state)
    assert len(set(reached)) == 12


def test_where_there_are_too_few_openings_they_come_again() -> None:
    made = plan(games=40, plies=1)
    openings = Counter(pairing.opening for pairing in made.pairings())
    assert set(openings) == {(token,) for token in made.load().start().legal_actions}


def test_everything_follows_from_the_seed() -> None:
    assert list(plan().pairings()) == list(plan().pairings())
    assert list(plan().pairings()) != list(plan(seed=6).pairings())
    # More games begin with the same ones.
    assert list(plan(games=60).pairings())[:6] == list(plan().pairings())
