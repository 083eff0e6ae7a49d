"""Guarantee 10: every random draw follows from the commitment, and `verify` finds others."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tavola
from tavola import fairness
from tests.fairness_records import OF_CHANCE, documented, fair_record, hexadecimal
from tests.profiles import examples

KNOWN = json.loads((Path(__file__).parents[1] / "data/chance.json").read_text(encoding="utf-8"))
SECRETS = st.binary(min_size=32, max_size=32).map(bytes.hex)


@pytest.mark.parametrize("known", KNOWN, ids=range(len(KNOWN)))
def test_known_answers(known: dict[str, Any]) -> None:
    outcomes = [(token, int(weight)) for token, weight in known["outcomes"]]
    seed, given, number = known["seed"], known["contributions"], known["number"]
    assert fairness.commitment_to(seed) == known["commitment"]
    drawn = fairness.draw(outcomes, seed=seed, contributions=given, number=number)
    assert drawn == known["token"]


def test_some_known_answer_takes_several_attempts() -> None:
    """Else nothing would be known of what is drawn again."""
    halves = [
        known for known in KNOWN if sum(int(weight) for _, weight in known["outcomes"]) > 2**255
    ]
    assert len(halves) == 6


@given(
    seed=SECRETS,
    given=st.lists(st.none() | SECRETS, min_size=1, max_size=4),
    number=st.integers(1, 10**9),
    weights=st.lists(st.integers(1, 2**64 - 1), min_size=1, max_size=30),
    first=st.sampled_from([1, 2**255]),
)
def test_the_documentation_describes_the_draws(
    seed: str, given: list[str | None], number: int, weights: list[int], first: int
) -> None:
    outcomes = [(f"*{place}", weight) for place, weight in enumerate([first, *weights])]
    second = documented().draw(outcomes, seed, ",".join(one or "" for one in given), number)
    assert fairness.draw(outcomes, seed=seed, contributions=given, number=number) == second
    assert fairness.commitment_to(seed) == documented().commitment(seed)


@pytest.mark.parametrize("weights", [[1, 1], [7, 7, 6, 1, 2, 7], [1, 2, 3, 4, 1000], [1] * 36])
def test_outcomes_come_as_often_as_they_weigh(weights: list[int]) -> None:
    """Chi-square; the seed is fixed, so that this is no matter of luck."""
    outcomes = [(str(place), weight) for place, weight in enumerate(weights)]
    draws, total = 40_000, sum(weights)
    counts = [0] * len(weights)
    seed = hashlib.sha256(b"uniform").hexdigest()
    for number in range(1, draws + 1):
        token = fairness.draw(outcomes, seed=seed, contributions=[None, None], number=number)
        counts[int(token)] += 1
    expected = [draws * weight / total for weight in weights]
    found = sum((a - b) ** 2 / b for a, b in zip(counts, expected, strict=True))
    freedom = len(weights) - 1
    # Three standard deviations of the chi-square distribution above its mean.
    assert found < freedom + 3 * (2 * freedom) ** 0.5


def test_every_part_of_what_is_drawn_from_counts() -> None:
    """Seed, each contribution, their order and the number: with another one, other draws follow."""
    rng = random.Random(1)
    seed, first, second = (hexadecimal(rng) for _ in range(3))
    outcomes = [(str(place), 1) for place in range(1000)]

    def drawn(seed: str, given: list[str | None], numbers: range) -> tuple[str, ...]:
        return tuple(
            fairness.draw(outcomes, seed=seed, contributions=given, number=number)
            for number in numbers
        )

    as_it_is = drawn(seed, [first, second], range(1, 9))
    others = [
        drawn(first, [first, second], range(1, 9)),
        drawn(seed, [second, first], range(1, 9)),
        drawn(seed, [first, None], range(1, 9)),
        drawn(seed, [None, first], range(1, 9)),
        drawn(seed, [first, second, None], range(1, 9)),
        drawn(seed, [first, second], range(2, 10)),
    ]
    assert len({as_it_is, *others}) == len(others) + 1


# Whole records, and what becomes of them when they are tampered with.


@pytest.mark.parametrize("name", OF_CHANCE)
@pytest.mark.parametrize("seed", range(3))
def test_a_fair_record_is_found_fair(name: str, seed: int) -> None:
    record = fair_record(name, seed)
    (read,) = tavola.read_records(record.text)
    found = tavola.verify(read)
    assert found.verdict == "fair"
    assert found.wrong == ()
    chance = [place for place, state in enumerate(read.states()) if state.to_act == tavola.CHANCE]
    assert [draw.place for draw in found.draws] == chance
    assert [draw.number for draw in found.draws] == list(range(1, len(chance) + 1))
    assert tavola.verify(read, commitment=read.tag("Commitment")).verdict == "fair"


def with_tag(record: tavola.Record, name: str, value: str | None) -> tavola.Record:
    tags = tuple(
        (known, told if known != name else value)
        for known, told in record.tags
        if known != name or value is not None
    )
    return msgspec.structs.replace(record, tags=tags)


def with_token(record: tavola.Record, place: int, token: str) -> tavola.Record:
    line = list(record.line)
    line[place] = msgspec.structs.replace(line[place], token=token)
    return msgspec.structs.replace(record, line=tuple(line))


@pytest.mark.parametrize("name", OF_CHANCE)
def test_every_changed_draw_is_found(name: str) -> None:
    record = fair_record(name, 7)
    states = list(record.states())
    changed = 0
    for draw in tavola.verify(record).draws:
        for token, _ in states[draw.place].chance_outcomes:
            if token != draw.token:
                found = tavola.verify(with_token(record, draw.place, token))
                assert found.verdict == "wrong-draw"
                assert (found.wrong[0].place, found.wrong[0].token) == (draw.place, token)
                assert found.wrong[0].due == draw.token
                changed += 1
    assert changed > 50


@pytest.mark.parametrize("name", OF_CHANCE)
def test_a_draw_that_is_no_outcome_is_found(name: str) -> None:
    record = fair_record(name, 7)
    draw = tavola.verify(record).draws[1]
    found = tavola.verify(with_token(record, draw.place, "*?"))
    assert found.verdict == "wrong-draw"
    assert [one.number for one in found.wrong] == [2]
    assert len(found.draws) == 2


@pytest.mark.parametrize("name", OF_CHANCE)
def test_draws_in_another_order_are_found(name: str) -> None:
    record = fair_record(name, 3)
    first, *others = tavola.verify(record).draws
    second = next(draw for draw in others if draw.token != first.token)
    swapped = with_token(with_token(record, first.place, second.token), second.place, first.token)
    assert tavola.verify(swapped).wrong[0].number == 1


@settings(max_examples=examples(40))
@given(rng=st.randoms(use_true_random=False), name=st.sampled_from(OF_CHANCE))
def test_changed_tags_are_found(rng: random.Random, name: str) -> None:
    record = fair_record(name, 5)
    seed, given = record.tag("Seed") or "", record.tag("Contributions") or ""

    def another(text: str) -> str:
        place = rng.choice([place for place, letter in enumerate(text) if letter != ","])
        digit = rng.choice([digit for digit in "0123456789abcdef" if digit != text[place]])
        return text[:place] + digit + text[place + 1 :]

    changed = with_tag(record, "Seed", another(seed))
    assert tavola.verify(changed).verdict == "wrong-seed"
    # With a commitment to fit: only who noted the commitment, or looks at the draws, can tell.
    forged = with_tag(changed, "Commitment", fairness.commitment_to(changed.tag("Seed") or ""))
    assert tavola.verify(forged).verdict == "wrong-draw"
    noted = record.tag("Commitment")
    assert tavola.verify(forged, commitment=noted).verdict == "other-commitment"
    told = another(record.tag("Commitment") or "")
    assert tavola.verify(with_tag(record, "Commitment", told)).verdict == "wrong-seed"
    assert tavola.verify(with_tag(record, "Contributions", another(given))).verdict == "wrong-draw"
    moved = ",".join(reversed(given.split(",")))
    assert tavola.verify(with_tag(record, "Contributions", moved)).verdict == "wrong-draw"


def test_a_whole_forgery_is_found_by_who_noted_the_commitment() -> None:
    noted = fair_record(OF_CHANCE[0], 1).tag("Commitment")
    forged = fair_record(OF_CHANCE[0], 2)
    assert tavola.verify(forged).verdict == "fair"
    assert tavola.verify(forged, commitment=noted).verdict == "other-commitment"


def test_what_cannot_be_checked_says_so() -> None:
    record = fair_record(OF_CHANCE[0], 1)
    assert tavola.verify(with_tag(record, "Commitment", None)).verdict == "no-commitment"
    assert tavola.verify(with_tag(record, "Seed", None)).verdict == "not-revealed"
    assert tavola.verify(with_tag(record, "Seed", "x")).verdict == "wrong-seed"
    assert tavola.verify(with_tag(record, "Seed", "AB" * 32)).verdict == "wrong-seed"


@pytest.mark.parametrize("tag", [None, "", "ab,", "," * 9, "AB" * 32 + ","])
def test_contributions_that_cannot_be_read_are_an_error(tag: str | None) -> None:
    line = 1 if tag is None else 6
    with pytest.raises(tavola.RecordError, match=f"line {line}: in the tag Contributions"):
        tavola.verify(with_tag(fair_record(OF_CHANCE[0], 1), "Contributions", tag))


def test_an_action_that_is_not_legal_is_an_error_of_the_record() -> None:
    record = fair_record(OF_CHANCE[0], 1)
    states = list(record.states())
    place = next(place for place, state in enumerate(states) if state.to_act == 0)
    with pytest.raises(tavola.IllegalAction):
        tavola.verify(with_token(record, place, "nonsense"))
    with pytest.raises(tavola.IllegalAction):
        tavola.verify(with_token(record, len(record.line) - 1, "nonsense"))


@pytest.mark.parametrize("given", ['[Game "potlatch"]', None, 1])
def test_verify_says_what_it_takes(given: Any) -> None:
    with pytest.raises(TypeError, match=r"verify takes a Record, not (str|NoneType|int): read_rec"):
        tavola.verify(given)
