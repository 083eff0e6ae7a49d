"""A game written in Python passes the suites of other frameworks too."""

from __future__ import annotations

import warnings
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import tavola
from tavola.adapters import gymnasium as tavola_gymnasium
from tavola.adapters import pettingzoo
from tests.adapters.test_pettingzoo import EXPECTED_WARNINGS

EXAMPLE = Path(__file__).parents[2] / "docs/examples/einstein.py"


@pytest.fixture
def game() -> tavola.Game:
    """The worked example of a game in Python."""
    return tavola.load(str(EXAMPLE))


def test_pettingzoo(game: tavola.Game) -> None:
    with warnings.catch_warnings():
        for expected in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", expected)
        api_test(pettingzoo.env(game), num_cycles=200)
    seed_test(lambda: pettingzoo.env(str(EXAMPLE)), num_cycles=200)


def test_gymnasium(game: tavola.Game) -> None:
    tavola_gymnasium.register()
    env = gymnasium.make(f"tavola/{game.name.title()}-v0", opponents="random")
    check_env(env.unwrapped)


def test_openspiel(game: tavola.Game) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from tavola.adapters import openspiel

    openspiel.register()
    loaded = pyspiel.load_game(f"tavola_{game.name}")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)
