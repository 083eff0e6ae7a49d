"""One table of wrong and right arguments, for all entry points of the Python API."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tavola

GAME = tavola.load("potlatch")
START = GAME.start()

SEEDED: dict[str, Callable[[Any], object]] = {
    "Match": lambda seed: tavola.Match(GAME, seed=seed),
    "Match.from_record": lambda seed: tavola.Match.from_record(
        tavola.Match(GAME).record, seed=seed
    ),
    "vector": lambda seed: tavola.vector(GAME, 2, seed=seed, threads=1),
    "VectorEnv.reset": lambda seed: tavola.vector(GAME, 2, threads=1).reset(seed=seed),
    "search": lambda seed: tavola.search(START, nodes=1, threads=1, seed=seed),
    "Searcher.search": lambda seed: tavola.Searcher(GAME).search(
        START, nodes=1, threads=1, seed=seed
    ),
    "search_batch": lambda seed: tavola.search_batch([START], 1, threads=1, seed=seed),
    "playouts": lambda seed: tavola.playouts(START, 1, seed),
}

WITH_GAME: dict[str, Callable[[Any], object]] = {
    "Match": tavola.Match,
    "vector": lambda game: tavola.vector(game, 2, threads=1),
    "Searcher": tavola.Searcher,
    "engine": lambda game: tavola.engine("random", game),
    "levels": tavola.levels,
}


@pytest.mark.parametrize("call", SEEDED.values(), ids=SEEDED)
def test_a_seed_is_a_whole_number_of_any_integer_type(call: Callable[[Any], object]) -> None:
    right: list[Any] = [0, 7, np.int64(7), np.uint64(2**64 - 1)]
    for seed in right:
        call(seed)
    wrong: list[Any] = [1.0, "7", True, np.float32(1)]
    for seed in wrong:
        with pytest.raises(TypeError):
            call(seed)
    outside: list[Any] = [-1, np.int32(-1), 2**64]
    for seed in outside:
        with pytest.raises(ValueError, match="seed must be"):
            call(seed)


@pytest.mark.parametrize("call", WITH_GAME.values(), ids=WITH_GAME)
def test_a_game_may_be_a_name(call: Callable[[Any], object]) -> None:
    call("potlatch")
    call(GAME)
    with pytest.raises(tavola.UnknownGame):
        call("chess")
    with pytest.raises(TypeError, match=r"a game is a tavola\.Game or the name of one, not int"):
        call(7)


WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "play of an id": (lambda: START.play(7), TypeError, "play_id"),  # type: ignore[arg-type]
    "Match.play of an id": (
        lambda: tavola.Match(GAME).play(7),  # type: ignore[arg-type]
        TypeError,
        "play_id",
    ),
    "play_id of a flag": (lambda: START.play_id(True), TypeError, "not bool"),
    "play_id of a token": (
        lambda: START.play_id("Pw"),  # type: ignore[arg-type]
        TypeError,
        "play takes tokens",
    ),
    "search without nodes": (lambda: tavola.search(START, nodes=0), ValueError, "nodes must be 1"),
    "an unknown keyword": (
        lambda: tavola.search(START, node=1),  # type: ignore[call-arg]
        TypeError,
        "unexpected keyword argument 'node'",
    ),
    "a keyword of another type": (
        lambda: tavola.search(START, nodes="7"),  # type: ignore[arg-type]
        TypeError,
        "argument 'nodes'",
    ),
    "seconds twice": (
        lambda: tavola.search(START, 1.0, seconds=1.0),  # type: ignore[misc]
        TypeError,
        "multiple values for argument 'seconds'",
    ),
    "a batch of a searcher": (
        lambda: tavola.Searcher(GAME).search(START, batch=2),  # type: ignore[call-arg]
        TypeError,
        "neither batch nor noise",
    ),
    "no environments": (lambda: tavola.vector(GAME, 0), ValueError, "count must be 1 or more"),
    "half an environment": (lambda: tavola.vector(GAME, 1.5), TypeError, "count must be a whole"),  # type: ignore[arg-type]
    "a viewer without a seat": (lambda: START.view_json(200), ValueError, "seat must be 0 to 1"),
    "an action at chance": (
        lambda: tavola.load("montana").start().play("?"),
        tavola.IllegalAction,
        "chance acts here; its outcomes: ",
    ),
    "an id at chance": (
        lambda: tavola.load("montana").start().play_id(0),
        tavola.IllegalAction,
        "chance acts here",
    ),
}


@pytest.mark.parametrize(("call", "error", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_argument_says_what_is_right(
    call: Callable[[], object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        call()


def test_a_generator_that_draws_too_much_is_no_panic() -> None:
    class Broken(random.Random):
        def randrange(self, *args: Any) -> int:
            return 2**60

    with pytest.raises(ValueError, match="rng drew"):
        tavola.load("montana").start().sample_chance(Broken())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_steps_and_closes_environments_without_their_threads() -> None:
    env = tavola.vector(GAME, 200, threads=2)
    child = os.fork()
    if child == 0:
        try:
            env.step(env.random_ids())
            env.close()
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    env.step(env.random_ids())
