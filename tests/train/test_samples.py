from __future__ import annotations

import numpy as np
import pytest

import tavola
from tavola.train.learner import Learner
from tavola.train.samples import Position, Round, Samples
from tavola.train.self_play import play_round
from tests.train.plans import tiny

GAMES = [
    ("potlatch", {"actions": 2, "layout": "triangle"}),
    ("proteus", {}),
    ("passtally", {"players": 3}),
    ("montana", {}),
]


def a_round(**changes: object) -> Round:
    plan = tiny(**changes)
    return play_round(plan, 0, None)


def equal(one: Samples, other: Samples) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Samples._fields)


def test_shares_begin_with_the_seat_to_act() -> None:
    positions = [
        Position(
            np.zeros(3, np.uint8),
            np.array([[1.0], [2.0], [3.0]], np.float32),
            np.array([4, 7], np.int32),
            np.array([0.5, -0.5], np.float32),
            np.array([0.25, 0.75], np.float32),
            np.array([0.2, 0.3, 0.5], np.float32),
            seat,
        )
        for seat in (0, 2)
    ]
    final = np.array([1.0, 0.0, 0.0], np.float32)
    samples = Samples.of_games([(9, positions, final)], inputs=3, seats=3, features=1)
    assert samples.shares.tolist() == [[1, 0, 0], [0, 1, 0]]
    assert np.allclose(samples.roots, [[0.2, 0.3, 0.5], [0.5, 0.2, 0.3]])
    assert samples.games.tolist() == [9, 9]
    assert samples.features[..., 0].tolist() == [[1, 2, 3], [3, 1, 2]]
    assert samples.looks.tolist() == [0.5, -0.5] * 2


def test_policies_and_masks_of_any_rows() -> None:
    samples = a_round().samples
    rows = np.array([samples.total - 1, 0, 3])
    policies, masks, looks = samples.policies(rows, 12)
    assert looks.shape == (3, 0)
    for row, policy, mask in zip(rows, policies, masks, strict=True):
        places = slice(samples.offsets[row], samples.offsets[row + 1])
        assert np.flatnonzero(mask).tolist() == samples.ids[places].tolist()
        assert np.array_equal(policy[samples.ids[places]], samples.policy[places])
        assert policy.sum() == pytest.approx(1, abs=1e-2)


def test_parts_are_joined_in_order() -> None:
    one, other = a_round(seed=1).samples, a_round(seed=2).samples
    both = Samples.joined([one, other])
    assert both.total == one.total + other.total
    rows = np.arange(other.total)
    for alone, joined in zip(
        other.policies(rows, 12), both.policies(rows + one.total, 12), strict=True
    ):
        assert np.array_equal(alone, joined)


def test_a_round_survives_its_file() -> None:
    played = a_round()
    again = Round.from_bytes(played.to_bytes())
    assert equal(again.samples, played.samples)
    assert again[1:] == played[1:]


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_a_damaged_file_is_refused(cut: int) -> None:
    content = a_round().to_bytes()
    with pytest.raises(ValueError, match="not a file of samples"):
        Round.from_bytes(content[:cut])
    wrong = bytearray(content)
    wrong[len(wrong) // 2] ^= 0xFF
    with pytest.raises(ValueError, match="not a file of samples"):
        Round.from_bytes(bytes(wrong))


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_batch_contains_samples_under_a_symmetry(name: str, options: dict[str, int]) -> None:
    """Each row is one of the samples, after one of the symmetries of the game."""
    game = tavola.load(name, **options)
    reads = {"features": game.weights, "looks": True}
    plan = tiny(game=name, options=game.options, teacher_nodes=2, games=1, batch=8, **reads)
    samples = play_round(plan, 0, None).samples
    batch = Learner(game, plan).batch(samples, np.random.default_rng(1))
    policies, masks, looks = samples.policies(np.arange(samples.total), game.action_count)
    known = set()
    for one in game.symmetries:
        turned = one.observation(samples.observations, layout="flat")
        arrays = (one.policy(looks), one.policy(policies), one.policy(masks))
        for row in zip(turned, *arrays, strict=True):
            known.add(b"".join(array.tobytes() for array in row))
    assert len(known) > samples.total / 2
    rows = zip(batch.observations, batch.looks, batch.policies, batch.masks, strict=True)
    for row in rows:
        assert b"".join(array.tobytes() for array in row) in known


def test_an_observation_under_a_symmetry_is_that_of_the_state_under_it() -> None:
    game = tavola.load("potlatch")
    state = game.start()
    for token in ("Pnw", "Pw"):
        state = state.play(token)
    own = state.observation(layout="flat", dtype=np.uint8)
    for one in game.symmetries:
        turned = one.state(state)
        expected = turned.observation(layout="flat", dtype=np.uint8)
        assert np.array_equal(one.observation(own, layout="flat"), expected)
        assert np.array_equal(one.policy(state.mask()), turned.mask())
