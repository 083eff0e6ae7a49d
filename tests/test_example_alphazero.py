"""`docs/examples/alphazero.py` plays, trains and is tested in every game."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import tavola

EXAMPLE = Path(__file__).parents[1] / "docs/examples/alphazero.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("alphazero", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["alphazero"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=tavola.games())
def game(request: pytest.FixtureRequest) -> tavola.Game:
    return tavola.load(request.param)


def test_rows_of_shares_turn_to_the_seat_to_act_and_back(example: ModuleType) -> None:
    shares = np.array([[0.1, 0.2, 0.7], [0.3, 0.4, 0.3]], np.float32)
    seats = np.array([2, 1], np.int32)
    relative = example.turned(shares, seats)
    assert relative.tolist() == [
        np.roll(row, -seat).tolist() for row, seat in zip(shares, seats, strict=True)
    ]
    assert example.turned(relative, -seats).tolist() == shares.tolist()


def test_matches_give_samples_with_legal_policies(
    example: ModuleType, game: tavola.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example, "REPLAY", 500)
    rng = np.random.default_rng(1)
    network, replay = example.Network(game, rng, hidden=8), example.Replay(game)
    matches = example.SelfPlay(game, 2, rng)
    for _ in range(3):
        matches.step(network, replay, 4)
    for sample in matches.samples[0]:
        assert sample.policy.sum() == pytest.approx(1, abs=1e-5)
        assert not sample.policy[~sample.mask].any()
    replay.add(matches.samples[0], np.eye(game.seats, dtype=np.float32)[0])
    observations, masks, policies, shares = replay.batch(rng)
    assert observations.max() <= 1
    assert not policies[~masks].any()
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(shares)))


def test_training_fits_its_targets(example: ModuleType) -> None:
    game, rng = tavola.load("potlatch"), np.random.default_rng(1)
    network = example.Network(game, rng, hidden=16)
    states = [game.start()]
    states += [game.start().play(token) for token in states[0].legal_actions]
    inputs = np.stack([state.observation() for state in states])
    masks = np.stack([state.mask() for state in states])
    policy = np.zeros(masks.shape, np.float32)
    policy[np.arange(len(masks)), masks.argmax(axis=1)] = 1
    shares = np.tile(np.array([1, 0], np.float32), (len(masks), 1))
    losses = [network.train(inputs, masks, policy, shares) for _ in range(300)]
    assert losses[0] > 1
    assert losses[-1] < 0.1


def test_the_gradient_is_that_of_the_loss(example: ModuleType) -> None:
    game, rng = tavola.load("potlatch"), np.random.default_rng(2)
    network = example.Network(game, rng, hidden=8)
    state = game.start()
    targets = (
        state.observation()[None],
        state.mask()[None],
        (state.mask() / state.mask().sum())[None].astype(np.float32),
        np.array([[0.25, 0.75]], np.float32),
    )

    def loss() -> float:
        _, policy, shares = network.forward(*targets[:2])
        return -float(
            (targets[2] * np.log(policy + 1e-9)).sum() + (targets[3] * np.log(shares)).sum()
        )

    bias, step = network.parameters[5], 1e-2
    bias[-1] += step
    above = loss()
    bias[-1] -= 2 * step
    slope = (above - loss()) / (2 * step)
    bias[-1] += step
    network.train(*targets)
    assert network.means[5][-1] / 0.1 == pytest.approx(slope, rel=0.02)


@pytest.mark.long
def test_the_command_ends_with_scores(
    example: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = example.main(
        ["--minutes=0", "--games=2", "--nodes=4", "--opponents", "random", "level:1"]
    )
    assert set(scores) == {"random", "level:1"}
    assert all(0 <= score <= 1 for score in scores.values())
    assert "2 games against random: score" in capsys.readouterr().out
