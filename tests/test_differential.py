"""The engine and the literal reference of each game, compared as text, action by action."""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Iterator
from typing import Any

import pytest

import tavola
from tests import references
from tests.profiles import sized

STATES = sized(4_000, 20_000, 1_000_000)
DAMAGED_TEXTS = sized(1_500, 4_000, 40_000)
ILLEGAL_TOKENS = 40
REJECTING_STATES = sized(300, 900, 18_000)

pytestmark = [pytest.mark.sized, pytest.mark.timeout(7200)]


def assert_same(engine: tavola.State, reference: Any) -> None:
    """Everything that both can say of a position is the same."""
    text = engine.text
    assert reference.text == text
    assert reference.to_act == engine.to_act, text
    assert sorted(engine.legal_actions) == sorted(reference.legal_actions), text
    assert sorted(engine.chance_outcomes) == sorted(reference.chance_outcomes), text
    outcome = None if engine.outcome is None else (engine.outcome.winners, engine.outcome.reason)
    assert outcome == reference.outcome, text


def next_token(state: tavola.State, rng: random.Random, careful: bool) -> str:
    """A random action; a careful player looks twice before it ends the game."""
    tokens = list(state.legal_actions) or [token for token, _ in state.chance_outcomes]
    token = rng.choice(tokens)
    for _ in range(8 if careful else 0):
        if state.play(token).outcome is None:
            break
        token = rng.choice(tokens)
    return token


def compare(name: str, states: int, seed: int) -> dict[str, int]:
    """Plays random games on both sides; returns how often each reason ended one."""
    reference = references.load(name)
    rng = random.Random(seed)
    ends: dict[str, int] = {}
    compared = 0
    every = references.combinations(name)
    share = -(-states // len(every))
    for options in every:
        game = tavola.load(name, **options)
        compared = 0
        while compared < share:
            engine, literal = game.start(), reference.start(**options)
            careful = rng.random() < 0.7
            assert_same(engine, literal)
            while engine.to_act is not None:
                token = next_token(engine, rng, careful)
                engine, literal = engine.play(token), literal.play(token)
                assert_same(engine, literal)
                compared += 1
            assert engine.outcome is not None
            ends[engine.outcome.reason] = ends.get(engine.outcome.reason, 0) + 1
    return ends


def damaged(text: str, rng: random.Random) -> str:
    """The text with one of its characters elsewhere too, or a few put in, taken out, exchanged."""
    letters = "0123456789,;:|@- RBrb" + string.ascii_letters
    characters = list(text)
    if rng.random() < 0.5:  # a slip that may well give another position
        characters[rng.randrange(len(characters))] = rng.choice(characters)
        return "".join(characters)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(characters) + 1)
        match rng.randrange(3):
            case 0:
                characters.insert(at, rng.choice(letters))
            case 1:
                characters[at : at + 1] = [rng.choice(letters)]
            case _:
                del characters[at : at + rng.randint(1, 4)]
    return "".join(characters)


def some_texts(game: tavola.Game, rng: random.Random) -> Iterator[str]:
    """Texts of positions of random games, without end."""
    while True:
        state = game.start()
        while state.to_act is not None:
            state = state.play(next_token(state, rng, careful=True))
            yield state.text


@pytest.mark.parametrize("name", tavola.games())
def test_engine_and_reference_agree(name: str) -> None:
    ends = compare(name, STATES, seed=sized(1, 1, 2))
    print(f"{name}: {ends}")
    assert sum(ends.values()) >= STATES // 1000


@pytest.mark.parametrize("name", tavola.games())
def test_engine_and_reference_refuse_the_same_texts(name: str) -> None:
    reference = references.load(name)
    rng = random.Random(3)
    accepted = refused = 0
    every = references.combinations(name)
    for options in every:
        game = tavola.load(name, **options)
        for text in itertools.islice(some_texts(game, rng), DAMAGED_TEXTS // len(every)):
            bad = damaged(text, rng)
            try:
                literal = reference.parse(bad, **options)
            except ValueError:
                with pytest.raises(tavola.PositionError) as caught:
                    game.parse(bad)
                assert caught.value.faults
                refused += 1
            else:
                assert_same(game.parse(bad), literal)
                accepted += 1
    assert accepted > DAMAGED_TEXTS // 200
    assert refused > DAMAGED_TEXTS // 4


@pytest.mark.parametrize("name", tavola.games())
def test_engine_and_reference_refuse_the_same_actions(name: str) -> None:
    reference = references.load(name)
    rng = random.Random(4)
    every_option = references.combinations(name)
    for options in every_option:
        game = tavola.load(name, **options)
        every: set[str] = set()
        engine, literal = game.start(), reference.start(**options)
        for _ in range(REJECTING_STATES // len(every_option)):
            if engine.to_act is None:
                engine, literal = game.start(), reference.start(**options)
            every.update(engine.legal_actions)
            illegal = sorted(every - set(engine.legal_actions))
            for token in rng.sample(illegal, min(ILLEGAL_TOKENS, len(illegal))):
                with pytest.raises(tavola.IllegalAction):
                    engine.play(token)
                with pytest.raises(ValueError, match=r".+"):
                    literal.play(token)
            token = next_token(engine, rng, careful=True)
            engine, literal = engine.play(token), literal.play(token)
