"""The measures of hand-made games have the values that their definitions give."""

from __future__ import annotations

import math
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.report.course import (
    course,
    decisiveness,
    drama,
    gain,
    lead_changes,
    luck_share,
)
from tavola.report.headline import HEADLINES
from tavola.report.measures import measure, skill_step
from tavola.report.usage import kinds, openings, parts
from tavola.tournament import mean, proportion, seat_shares
from tavola.tournament.statistics import mean_count, mean_share
from tests.report.games import action, game, line

WON, LOST, DRAWN = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)


def test_the_lead_changes_only_when_another_seat_leads_clearly() -> None:
    assert lead_changes([(0.6, 0.4), (0.4, 0.6), (0.6, 0.4)]) == 2
    assert lead_changes([(0.6, 0.4), (0.49, 0.51), (0.6, 0.4)]) == 0
    assert lead_changes([(0.4, 0.3, 0.3), (0.3, 0.4, 0.3), (0.2, 0.2, 0.6)]) == 2
    assert lead_changes([]) == 0


def test_drama_is_how_far_the_winner_was_behind() -> None:
    # Behind by 0.36 and by 0.64: the square roots are 0.6 and 0.8.
    assert drama(line([0.32, 0.18, 0.9], WON)) == pytest.approx(0.7)
    assert drama(line([0.6, 0.7], WON)) == 0.0
    assert drama(line([0.6], LOST)) == pytest.approx(math.sqrt(0.2))


def test_a_game_is_decided_when_the_winner_exceeds_every_share_of_a_loser() -> None:
    # The loser reaches 0.6; the winner exceeds that at the fourth of five positions.
    assert decisiveness(line([0.5, 0.4, 0.55, 0.7, 0.9], WON)) == pytest.approx(0.4)
    assert decisiveness(line([0.6, 0.7], WON)) == 1.0
    assert decisiveness(line([0.3, 0.4], WON)) == 0.0


def test_the_course_ends_with_the_win() -> None:
    found = course([line([0.4, 0.6], WON), line([0.2, 0.4], LOST, number=2)], 3)
    assert found.mean == pytest.approx((0.6, 0.6, 1.0))
    assert found.low[0] == pytest.approx(0.4)
    assert found.high[0] == pytest.approx(0.8)


def test_chance_explains_everything_in_a_coin_toss() -> None:
    games = [
        game(
            [action(0, (0.5, 0.5), luck=(shares[0] - 0.5, shares[1] - 0.5))], shares, number=number
        )
        for number, shares in enumerate([WON, LOST] * 10)
    ]
    found = {part.name: part.part.value for part in luck_share(games)}
    assert found == pytest.approx({"start": 0.0, "chance": 1.0, "choices": 0.0})


def test_chance_explains_nothing_where_choices_decide() -> None:
    games = [
        game([action(0, (0.5, 0.5), luck=(0.0, 0.0))], shares, number=number)
        for number, shares in enumerate([WON, LOST] * 10)
    ]
    found = {part.name: part.part.value for part in luck_share(games)}
    assert found == pytest.approx({"start": 0.0, "chance": 0.0, "choices": 1.0})


def test_the_parts_of_the_variance_sum_to_one() -> None:
    games = [
        game(
            [
                action(0, (0.5 + 0.01 * number, 0.5 - 0.01 * number), luck=(0.1, -0.1)),
                action(1, (0.3, 0.7)),
            ],
            [WON, LOST, DRAWN][number % 3],
            number=number,
        )
        for number in range(12)
    ]
    assert sum(part.part.value for part in luck_share(games)) == pytest.approx(1.0)
    assert luck_share(games[:1]) == ()
    assert luck_share([line([0.5], WON, number=number) for number in range(4)]) == ()


def test_half_of_two_tosses_is_half_of_the_luck() -> None:
    # The first toss is worth a quarter, the choice after it decides: var 1/16 of 1/4.
    games = []
    for number in range(16):
        up, won = number % 2 == 0, number % 4 in (0, 1)
        after = 0.75 if up else 0.25
        won = won if number % 8 < 4 else up
        games.append(
            game(
                [
                    action(0, (0.5, 0.5), luck=(after - 0.5, 0.5 - after)),
                    action(1, (after, 1 - after)),
                ],
                WON if won else LOST,
                number=number,
            )
        )
    found = {part.name: part.part.value for part in luck_share(games)}
    assert found["chance"] == pytest.approx(0.25)
    assert found["choices"] == pytest.approx(0.75)


def test_luck_is_no_gain_of_an_action() -> None:
    actions = [action(0, (0.5, 0.5), luck=(0.2, -0.2)), action(1, (0.8, 0.2))]
    # From 0.5 to 0.8, of which chance gave 0.2; then the game is lost.
    assert gain(actions, 0, LOST) == pytest.approx(0.1)
    assert gain(actions, 1, LOST) == pytest.approx(0.8)
    unknown = msgspec.structs.replace(actions[0], luck=None)
    assert gain([unknown, actions[1]], 0, LOST) is None


def test_all_measures_of_two_small_games() -> None:
    games = [
        game(
            [action(0, None, legal=4), action(1, (0.6, 0.4), legal=1), action(0, (0.2, 0.8))],
            LOST,
            number=1,
            group=0,
        ),
        game([action(0, None, legal=4)], DRAWN, number=2, group=0, ending="limit"),
    ]
    found = measure(games, options={"a": 1}, engines=("level:4", "level:4"), opening=1)
    assert [seat.value for seat in found.seats] == [0.25, 0.75]
    assert found.seats[0].count == 1
    assert found.draws.value == 0.5
    assert [(one.code, one.shared, one.part.value, one.first) for one in found.endings] == [
        ("goal", False, 0.5, 0.0),
        ("limit", True, 0.5, 0.5),
    ]
    assert found.actions.mean.value == 2.0
    assert found.actions.counts == {"1": 1, "3": 1}
    assert found.branching.most == 4
    assert found.branching.decisions == 0.75
    assert found.branching.mean.value == pytest.approx((7 / 3 + 4) / 2)
    assert found.branching.complexity == pytest.approx((math.log10(8) + math.log10(4)) / 2)
    assert (found.lead_changes.value, found.lead_changes.count) == (1.0, 1)
    assert found.comebacks.value == 0.0
    for headline in HEADLINES:
        value = headline.value(found)
        assert value is None or headline.text(value.value)


def test_the_higher_level_of_a_step_is_found_at_every_seat() -> None:
    lineups = [("level:3", "level:2"), ("level:2", "level:3")]
    games = [
        game([action(0, None)], shares, number=number, group=0, lineup=lineup)
        for number, (lineup, shares) in enumerate(zip(lineups, [WON, LOST], strict=True), start=1)
    ]
    step = skill_step(3, games)
    assert (step.share.value, step.elo) == (1.0, None)


def test_the_usage_of_kinds_and_parts() -> None:
    piece = '{"key": "piece"}'
    games = [
        game(
            [
                action(0, (0.5, 0.5), kind="push", parts=(("cell", "a1"), ("piece", piece))),
                action(0, (0.6, 0.4), kind="push", parts=(("cell", "a2"),)),
                action(1, (0.4, 0.6), kind="push"),
                action(1, (0.4, 0.6), kind="pass"),
            ],
            shares,
            number=number,
        )
        for number, shares in enumerate([WON, WON, WON, LOST])
    ]
    push, rest = kinds(games)
    assert (push.value, push.uses, push.games) == ("push", 3.0, 1.0)
    # The first seat pushes more often. Its share then is its mean share.
    assert push.effect.value == pytest.approx(0.0)
    assert push.swing == pytest.approx((0.1 + 0.2 + 0.0) / 3)
    assert (rest.value, rest.uses) == ("pass", 1.0)
    assert [(one.name, one.value) for one in parts(games, components=True)] == [("piece", piece)]
    assert [one.value for one in parts(games, components=False)] == ["a1", "a2"]


def test_the_seat_that_plays_a_winning_kind_more_often_is_above_its_mean() -> None:
    games = [
        game([action(seat, (0.5, 0.5), kind="win")], WON if seat == 0 else LOST, number=number)
        for number, seat in enumerate([0, 1] * 10)
    ]
    (usage,) = kinds(games)
    assert usage.effect.value == 0.5
    assert usage.effect.count == 20


def test_openings_are_sorted_by_the_share_of_their_seat() -> None:
    games = [
        game([action(0, None, token=token)], shares, number=number)
        for number, (token, shares) in enumerate([("x", LOST), ("y", WON), ("x", DRAWN)])
    ]
    assert [(one.token, one.games, one.first.value) for one in openings(games)] == [
        ("y", 1, 1.0),
        ("x", 2, 0.25),
    ]


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_of_a_proportion_contains_it(numbers: tuple[int, int]) -> None:
    found = proportion(*numbers)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


@given(st.lists(st.floats(0, 1), max_size=50))
def test_the_interval_of_a_mean_share_is_in_range_and_never_empty(
    values: list[float],
) -> None:
    found = mean_share(values)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.low < found.high


@pytest.mark.parametrize("mean", [0.1, 0.3, 0.9])
def test_the_interval_of_a_mean_share_holds_the_truth_as_often_as_it_says(mean: float) -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(400):
        found = mean_share([rng.betavariate(mean, 1 - mean) for _ in range(60)])
        held += found.low <= mean <= found.high
    assert held / 400 >= 0.92


@given(st.lists(st.integers(0, 100), min_size=1, max_size=50))
def test_the_interval_of_a_mean_count_is_not_negative(values: list[int]) -> None:
    found = mean_count(values)
    assert 0.0 <= found.low <= found.value < found.high


@pytest.mark.parametrize("count", [2, 5, 30])
def test_the_share_of_luck_stays_in_range(count: int) -> None:
    rng = random.Random(count)
    games = []
    for number in range(count):
        won = rng.random() < 0.5
        luck = (0.45, -0.45) if won else (-0.45, 0.45)
        games.append(game([action(0, (0.5, 0.5), luck=luck)], WON if won else LOST, number=number))
    for part in luck_share(games):
        assert 0.0 <= part.part.low <= part.part.high <= 1.0


@given(st.lists(st.floats(-10, 10), min_size=2, max_size=50))
def test_the_interval_of_a_mean_is_symmetric(values: list[float]) -> None:
    found = mean(values)
    assert found.value - found.low == pytest.approx(found.high - found.value, abs=1e-9)
    assert min(values) - 1e-9 <= found.value <= max(values) + 1e-9


def test_games_of_one_opening_are_one_observation() -> None:
    pairs = [(group, shares) for group in range(20) for shares in (WON, LOST)]
    even = seat_shares(pairs, 2)[0]
    # Every pair is split, so nothing is uncertain.
    assert even.value == 0.5
    assert even.high - even.low < 0.1
    alone = seat_shares([(number, shares) for number, (_, shares) in enumerate(pairs)], 2)[0]
    assert alone.high - alone.low > 0.25
