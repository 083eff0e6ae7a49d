from __future__ import annotations

import math
import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.ratings import Rating, glicko2, openskill, rate, start

RATINGS = st.builds(
    Rating,
    value=st.floats(500, 2800),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.03, 0.1),
)


def test_glickmans_worked_example() -> None:
    player = Rating(value=1500, deviation=200, volatility=0.06)
    results = [
        (Rating(value=1400, deviation=30, volatility=0.06), 1.0),
        (Rating(value=1550, deviation=100, volatility=0.06), 0.0),
        (Rating(value=1700, deviation=300, volatility=0.06), 0.0),
    ]
    after = glicko2.update(player, results)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_is_known_less_and_less() -> None:
    player = Rating(value=1700, deviation=60, volatility=0.06)
    after = glicko2.update(player, [], elapsed=4)
    assert (after.value, after.volatility) == (1700, 0.06)
    assert after.deviation == pytest.approx(math.hypot(60, 2 * 0.06 * 173.7178))
    assert glicko2.update(player, [], elapsed=1e6).deviation == 350


@given(RATINGS, RATINGS, st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 50))
def test_two(first: Rating, second: Rating, score: float, elapsed: float) -> None:
    returns = [score - 0.5, 0.5 - score]
    one, two = rate([first, second], returns, [elapsed, elapsed])
    assert rate([second, first], returns[::-1], [elapsed, elapsed]) == (two, one)
    if score == 1.0:
        assert one.value > first.value
        assert two.value < second.value
    if score == 0.5:
        # Both come nearer to each other, or stay.
        assert (one.value - first.value) * (second.value - first.value) >= 0
    for before, after in ((first, one), (second, two)):
        assert 0 < after.deviation <= 350
        assert 0 < after.volatility < 0.5
        assert math.isfinite(after.value)
        if elapsed == 0:
            assert after.deviation < before.deviation


def test_a_surprise_moves_more_than_what_was_expected() -> None:
    weak, strong = (Rating(value=value, deviation=80, volatility=0.06) for value in (1300, 1700))
    expected, _ = rate([strong, weak], [1, -1], [0, 0])
    surprise, _ = rate([weak, strong], [1, -1], [0, 0])
    assert surprise.value - 1300 > 5 * (expected.value - 1700)


@pytest.mark.parametrize("count", [3, 4])
def test_several_are_ranked_as_they_came_in(count: int) -> None:
    for returns in permutations(range(count)):
        after = rate([start(count)] * count, list(map(float, returns)), [0.0] * count)
        order = sorted(range(count), key=lambda seat: after[seat].value)
        assert [returns[seat] for seat in order] == sorted(returns)
        assert all(rating.deviation < openskill.START.deviation for rating in after)


def test_several_who_are_equal_stay_equal() -> None:
    first, second, third = rate([start(3)] * 3, [1.0, 1.0, -2.0], [0.0] * 3)
    assert first == second
    assert first.value > 1500 > third.value


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_truth_is_found_out(seats: int) -> None:
    """Players of known strength who play each other end up in the order of their strengths."""
    strengths = [1200.0, 1400.0, 1600.0, 1800.0]
    ratings = [start(seats)] * len(strengths)
    draw = random.Random(7)
    for _ in range(600):
        seated = draw.sample(range(len(strengths)), seats)
        shown = [draw.gauss(strengths[player], 150) for player in seated]
        after = rate([ratings[player] for player in seated], shown, [0.0] * seats)
        for player, rating in zip(seated, after, strict=True):
            ratings[player] = rating
    assert sorted(ratings, key=lambda rating: rating.value) == ratings
    assert ratings[-1].value - ratings[0].value > 300
