"""Objects that can be copied and pickled, and the messages of those that cannot."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import tavola

GAME = tavola.load("potlatch")

COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    lambda value: pickle.loads(pickle.dumps(value)),
]


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_an_analysis_travels(copied: Callable[[Any], Any]) -> None:
    analysis = tavola.search(GAME.start(), nodes=300, threads=1)
    found = copied(analysis)
    for name in ("best", "shares", "nodes", "tree", "bytes", "full", "seconds"):
        assert getattr(found, name) == getattr(analysis, name)
    assert (found.policy == analysis.policy).all()
    for line, other in zip(found.lines, analysis.lines, strict=True):
        for name in ("action", "shares", "intervals", "margins", "visits", "variation", "proven"):
            assert getattr(line, name) == getattr(other, name)


@pytest.mark.parametrize("copied", COPIES[1:], ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("opponent", ["uct:nodes=20", "tree:nodes=20,blunders=0.5", "random"])
def test_an_environment_with_an_opponent_goes_on_as_its_copy(
    copied: Callable[[Any], Any], opponent: str
) -> None:
    pytest.importorskip("gymnasium")
    from tavola.adapters.gymnasium import GameEnv

    env = GameEnv("potlatch", opponents=opponent)
    _, info = env.reset(seed=3)
    other = copied(env)
    over = False
    while not over:
        action = info["action_mask"].argmax()
        _, _, over, _, info = env.step(action)
        _, _, again, _, _ = other.step(action)
        assert (other.match.record, again) == (env.match.record, over)


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_vector_environments_say_why_they_do_not_travel(copied: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="cannot be copied or pickled"):
        copied(tavola.vector(GAME, 2, threads=1))
