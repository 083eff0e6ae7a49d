from __future__ import annotations

import numpy as np
import pytest

import tavola
from tavola.executors import ProcessExecutor
from tavola.train.learner import Learning
from tavola.train.self_play import play_round
from tests.train.plans import tiny
from tests.train.test_samples import GAMES, equal


def a_network(game: tavola.Game) -> tavola.Network:
    return tavola.Network.from_weights(game, Learning.begin(game, tiny()).average)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_game_plays_to_its_end(name: str, options: dict[str, int]) -> None:
    game = tavola.load(name, **options)
    plan = tiny(game=name, options=game.options, games=2, nodes=2)
    played = play_round(plan, 1, a_network(game))
    assert set(played.samples.games.tolist()) == {2, 3}
    assert np.allclose(played.samples.shares.sum(axis=1), 1)
    assert np.allclose(played.samples.roots.sum(axis=1), 1, atol=1e-3)
    assert 0 < played.samples.total < played.actions


@pytest.mark.long
def test_equal_arguments_give_equal_samples_in_any_number_of_processes() -> None:
    network = a_network(tiny().load())
    here, one, two = (
        play_round(tiny(), 1, network, executor=executor)
        for executor in (None, ProcessExecutor(1), ProcessExecutor(2))
    )
    for other in (one, two):
        assert equal(here.samples, other.samples)
        assert here[1:] == other[1:]
    changed = play_round(tiny(seed=1), 1, network)
    assert not equal(here.samples, changed.samples)


def test_games_are_told_by_task() -> None:
    told: list[int] = []
    play_round(tiny(), 0, None, tell=told.append)
    assert told == [4, 6]


@pytest.mark.long
def test_won_games_end_early_only_if_they_may() -> None:
    """With a threshold of one half every game is won at once."""
    game, plan = tiny().load(), tiny(certain=0.5, games=20)
    network = a_network(game)
    whole, early = (play_round(plan, 0, network, early=may) for may in (False, True))
    assert early.actions < whole.actions
    assert whole.checked > 10
    assert 1 <= early.checked <= 2  # of the games 0 and 10
    assert 0 < whole.wrong < whole.checked
    assert set(np.unique(early.samples.shares[early.samples.games % 10 > 0])) == {0.0, 1.0}
