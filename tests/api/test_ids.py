"""Actions as ids: one bijection for each game, legal ids, masks, chance."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

import tavola
from tests.profiles import sized


def option_sets(name: str) -> Iterator[dict[str, str]]:
    """Yield every choice of options of a game."""
    with pytest.raises(tavola.OptionError) as caught:
        tavola.load(name, no_such_option=1)
    valid = caught.value.valid
    for values in product(*valid.values()):
        yield dict(zip(valid, values, strict=True))


GAMES = [tavola.load(name, **options) for name in tavola.games() for options in option_sets(name)]


def random_states(game: tavola.Game, seed: int) -> Iterator[tavola.State]:
    """Yield the states of a random game, chance and the end included."""
    rng = random.Random(seed)
    state = game.start()
    while not state.is_terminal:
        yield state
        if state.to_act == tavola.CHANCE:
            state = state.play(state.sample_chance(rng))
        else:
            state = state.play_id(int(rng.choice(state.legal_ids)))
    yield state


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_ids_and_tokens_are_a_bijection(game: tavola.Game) -> None:
    tokens = list(game.actions)
    assert len(game.actions) == len(set(tokens)) == game.action_count
    assert [game.actions.index(token) for token in tokens] == list(range(game.action_count))
    assert tokens == [game.actions[number] for number in range(game.action_count)]
    assert all(token in game.actions for token in tokens)
    assert pickle.loads(pickle.dumps(game.actions)) == game.actions


@pytest.mark.parametrize("name", tavola.games())
@pytest.mark.sized
def test_legal_ids_mask_and_tokens_agree(name: str) -> None:
    games = [game for game in GAMES if game.name == name]
    for seed in range(sized(1, 20, 200)):
        game = games[seed % len(games)]
        out = np.full(game.action_count, 7, np.int8)
        for state in random_states(game, seed):
            ids = state.legal_ids
            assert ids.dtype == np.int32
            assert [game.actions[number] for number in ids] == list(state.legal_actions)
            mask = state.mask()
            assert mask.dtype == np.bool_
            assert mask.shape == (game.action_count,)
            assert np.array_equal(np.flatnonzero(mask), ids)
            assert state.mask(out=out) is out
            assert np.array_equal(out, mask)
            assert (len(ids) > 0) == (state.to_act not in (None, tavola.CHANCE))
            if len(ids):
                assert state.play_id(ids[-1]) == state.play(game.actions[ids[-1]])


def ended() -> tavola.State:
    """A state after the end of a game."""
    *_, last = random_states(tavola.load("potlatch"), 1)
    return last


def test_a_state_that_is_over_answers_like_any_other() -> None:
    last = ended()
    assert last.is_terminal
    assert last.legal_ids.shape == (0,)
    assert not last.mask().any()
    with pytest.raises(tavola.IllegalAction):
        last.play_id(0)
    with pytest.raises(ValueError, match="the game is over"):
        last.sample_chance(random.Random(1))


@pytest.mark.parametrize("out", [np.zeros(12, np.bool_), np.zeros(12, np.uint8)])
def test_a_mask_fills_flags_of_one_byte(out: Any) -> None:
    assert tavola.load("potlatch").start().mask(out) is out
    assert list(np.flatnonzero(out)) == [7, 8, 9, 10, 11]


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(12, np.float32),
        np.zeros(11, np.bool_),
        np.zeros((12, 1), np.bool_),
        np.zeros(24, np.bool_)[::2],
        np.frombuffer(bytes(12), np.bool_),
        [0] * 12,
    ],
    ids=["type", "length", "shape", "strides", "read-only", "list"],
)
def test_a_wrong_array_is_rejected(out: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^out must be"):
        tavola.load("potlatch").start().mask(out)
    assert not np.any(out)


@pytest.mark.parametrize("number", [-1, 12, 10**30, "Pne", 1.0, None, np.float32(1)])
def test_a_wrong_id_is_told_the_right_ones(number: Any) -> None:
    with pytest.raises((IndexError, TypeError), match="action ids of potlatch are 0 to 11, not"):
        tavola.load("potlatch").start().play_id(number)


def test_a_wrong_token_has_no_id() -> None:
    actions = tavola.load("potlatch").actions
    with pytest.raises(ValueError, match="12 actions are Ce to Pw"):
        actions.index("Pup")
    with pytest.raises(IndexError, match="0 to 11, not 12"):
        actions[12]
    assert (actions[-1], actions[:2], "Pup" in actions) == ("Pw", ("Ce", "Cne"), False)
    assert actions != tavola.load("proteus").actions
    assert actions == tavola.load("potlatch", actions=3).actions


def test_chance_outcomes_have_no_ids() -> None:
    for state in chance_states():
        for token, _ in state.chance_outcomes:
            with pytest.raises(ValueError, match="chance outcomes have no ids"):
                state.game.actions.index(token)
        with pytest.raises(tavola.IllegalAction):
            state.play_id(0)


def chance_states() -> list[tavola.State]:
    """The first state in which chance acts, of every game that has chance."""
    games = [tavola.load(name) for name in tavola.games()]
    return [
        next(state for state in random_states(game, 1) if state.to_act == tavola.CHANCE)
        for game in games
        if game.has_chance
    ]


@pytest.mark.parametrize(
    "rng", [np.random.default_rng(7), random.Random(7)], ids=["numpy", "random"]
)
def test_chance_is_drawn_by_its_weights(rng: np.random.Generator | random.Random) -> None:
    for state in chance_states():
        outcomes = dict(state.chance_outcomes)
        total, draws = sum(outcomes.values()), 4_000
        drawn = Counter(state.sample_chance(rng) for _ in range(draws))
        assert set(drawn) <= set(outcomes)
        for token, weight in outcomes.items():
            expected = draws * weight / total
            assert abs(drawn[token] - expected) <= 6 * expected**0.5 + 6, token


def test_a_seat_that_acts_is_named_instead_of_chance() -> None:
    with pytest.raises(ValueError, match="seat 0 does"):
        tavola.load("potlatch").start().sample_chance(random.Random(1))
    wrong: Any = 7
    with pytest.raises(TypeError, match=r"random\.Random, not int"):
        chance_states()[0].sample_chance(wrong)


def test_importing_the_package_does_not_import_numpy() -> None:
    import subprocess
    import sys

    code = "import tavola, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", tavola.games())
def test_a_match_of_a_record_is_the_same_match(name: str) -> None:
    match = tavola.Match(tavola.load(name), seed=3)
    for _ in range(10):
        match.play(match.state.legal_actions[0])
    assert len(match.states) == len(match.actions) + 1
    for record in (match.record, tavola.read_records(match.record)[0]):
        again = tavola.Match.from_record(record)
        assert (again.states, again.actions) == (match.states, match.actions)
        again.play(again.state.legal_actions[0])
        assert again.states[: len(match.states)] == match.states


def test_a_match_of_a_record_resolves_chance_at_its_end() -> None:
    for state in chance_states():
        tags = (("Game", state.game.name), ("Position", state.text))
        match = tavola.Match.from_record(tavola.Record(tags=tags), seed=5)
        assert match.states[0] == state
        assert match.state.to_act != tavola.CHANCE
        assert match.record.count("[Position") == 1


@pytest.mark.parametrize("count", [0, 2])
def test_a_match_is_of_one_record(count: int) -> None:
    text = tavola.Match(tavola.load("potlatch")).play("Pne").record * count
    with pytest.raises(tavola.RecordError, match=f"expected one record, found {count}"):
        tavola.Match.from_record(text)
