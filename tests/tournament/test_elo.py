"""Elo, its intervals and the sequential test, against known and computed values."""

from __future__ import annotations

import math
import random

import pytest

from tavola.tournament import Scores, Sprt, elo, expected


@pytest.mark.parametrize(
    ("share", "difference"),
    # The table of the Elo system: 10^(d/400) to 1.
    [(0.5, 0.0), (10 / 11, 400.0), (100 / 101, 800.0), (0.75, 190.8485), (0.6401, 100.0)],
)
def test_elo_of_known_shares(share: float, difference: float) -> None:
    assert elo(share) == pytest.approx(difference, abs=0.05)
    assert elo(1 - share) == pytest.approx(-difference, abs=0.05)
    assert expected(difference) == pytest.approx(share, abs=1e-4)


@pytest.mark.parametrize("parties", [2, 3, 4])
def test_elo_and_expectation_are_inverse(parties: int) -> None:
    for difference in (-700.0, -3.0, 0.0, 12.5, 400.0):
        assert elo(expected(difference, parties), parties) == pytest.approx(difference)
    assert expected(0.0, parties) == pytest.approx(1 / parties)
    # By Plackett and Luce: ten times as strong as each of the others.
    assert expected(400.0, parties) == pytest.approx(10 / (10 + parties - 1))
    assert elo(0.0, parties) == -math.inf
    assert elo(1.0, parties) == math.inf


def test_scores_are_counted() -> None:
    scores = Scores([0.5, 1.0, 0.5, 1 / 3 + 1 / 3, 2 / 3])
    assert list(scores.counts.values()) == [2, 2, 1]
    assert scores.total == 5
    assert scores.mean == pytest.approx((1 + 1 + 4 / 3) / 5)
    assert Scores([]).interval() == (0.0, 1.0)


def test_the_likelihood_of_wins_and_losses_alone_is_bernoullis() -> None:
    scores = Scores([1.0] * 30 + [0.0] * 12)
    for mean in (0.2, 0.5, 30 / 42, 0.9):
        told = 30 * math.log(mean) + 12 * math.log(1 - mean)
        assert scores.log_likelihood(mean) == pytest.approx(told, abs=0.01)


def test_the_likelihood_is_the_greatest_with_that_mean() -> None:
    scores = Scores([0.0] * 5 + [0.25] * 11 + [0.5] * 40 + [0.75] * 17 + [1.0] * 7)
    values, counts = list(scores.counts), list(scores.counts.values())
    choices = random.Random(1)
    for mean in (0.4, 0.5, 0.6):
        best = scores.log_likelihood(mean)
        nearest = -math.inf
        for _ in range(20_000):
            # A distribution over the values with that mean: three weights drawn, two that follow.
            weights = [choices.gammavariate(count, 1.0) for count in counts[1:4]]
            total = sum(weights) / choices.uniform(0.5, 1.0)
            middle = [weight / total for weight in weights]
            last = mean - sum(w * v for w, v in zip(middle, values[1:4], strict=True))
            first = 1 - sum(middle) - last
            if last > 0 and first > 0:
                ways = zip(counts, [first, *middle, last], strict=True)
                nearest = max(nearest, sum(n * math.log(p) for n, p in ways))
        assert best - 1.0 < nearest <= best + 1e-9


def test_the_interval_is_the_normal_one_when_there_are_many() -> None:
    scores = Scores([0.0] * 100 + [0.25] * 200 + [0.5] * 900 + [0.75] * 250 + [1.0] * 150)
    mean = scores.mean
    spread = sum(n * (s - mean) ** 2 for s, n in scores.counts.items()) / scores.total
    half = 1.959964 * math.sqrt(spread / scores.total)
    low, high = scores.interval()
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=5e-4)


def test_who_has_won_everything_is_not_infinitely_strong() -> None:
    low, high = Scores([1.0] * 50).interval()
    # The likelihood of 50 wins is low^50; twice its logarithm is the point of chi-square.
    assert low == pytest.approx(math.exp(-3.841459 / 100), abs=1e-3)
    assert high == 1.0
    assert Scores([0.0] * 50).interval() == pytest.approx((0.0, 1 - low), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("strength", [0.62, 0.5, 0.9])
def test_the_interval_holds_the_truth_as_often_as_it_says(strength: float) -> None:
    choices = random.Random(5)
    held = 0
    for _ in range(300):
        pairs = [sum(choices.random() < strength for _ in range(2)) / 2 for _ in range(60)]
        low, high = Scores(pairs).interval()
        held += low <= strength <= high
    assert 0.91 <= held / 300 <= 0.985


def test_the_ratio_is_walds_when_there_are_only_wins_and_losses() -> None:
    test = Sprt(elo0=0, elo1=50)
    refused, accepted = expected(0), expected(50)
    told = 70 * math.log(accepted / refused) + 50 * math.log((1 - accepted) / (1 - refused))
    assert test.llr(Scores([1.0] * 70 + [0.0] * 50)) == pytest.approx(told, abs=1e-3)
    assert test.llr(Scores([])) == 0.0
    assert test.verdict(Scores([])) is None


def test_the_ratio_is_the_normal_one_when_there_are_many() -> None:
    # (s1 - s0) (2 m - s0 - s1) N / (2 variance), as for small differences.
    scores = Scores([0.0] * 60 + [0.25] * 480 + [0.5] * 900 + [0.75] * 500 + [1.0] * 80)
    mean = scores.mean
    spread = sum(n * (s - mean) ** 2 for s, n in scores.counts.items()) / scores.total
    refused, accepted = expected(0), expected(5)
    told = scores.total * (accepted - refused) * (2 * mean - refused - accepted) / (2 * spread)
    assert Sprt(elo0=0, elo1=5).llr(scores) == pytest.approx(told, rel=0.02)


@pytest.mark.parametrize(("truth", "accepted"), [(0.0, False), (60.0, True)])
def test_the_test_errs_as_seldom_as_it_says(truth: float, accepted: bool) -> None:
    test, choices = Sprt(elo0=0, elo1=60), random.Random(9)
    verdicts = []
    for _ in range(120):
        pairs: list[float] = []
        verdict = None
        while verdict is None:
            pairs += [
                sum(choices.random() < expected(truth) for _ in range(2)) / 2 for _ in range(5)
            ]
            verdict = test.verdict(Scores(pairs))
        verdicts.append(verdict)
    assert verdicts.count(accepted) >= 0.9 * len(verdicts)
