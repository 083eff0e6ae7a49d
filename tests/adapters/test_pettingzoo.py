"""PettingZoo's own suites on every game, and the rules of the environment."""

from __future__ import annotations

import pickle
import random
import re
import warnings

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test

import tavola
from tavola.adapters import pettingzoo
from tests.adapters.option_sets import NAMES, every_option_set, one_of_each_game

EXPECTED_WARNINGS = (
    # PettingZoo exempts its own games with action masks, by their names.
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Action mask numpy array is all zeros",
    # So it exempts its own games that have negative numbers or more than three dimensions.
)


def play_randomly(env: AECEnv[str, pettingzoo.Observation, int], seed: int) -> dict[str, float]:
    """Play a random game; return the sum of the rewards of each agent."""
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation is not None
        total[agent] += reward
        over = terminated or truncated
        env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
    return total


@pytest.mark.sized
@every_option_set
def test_its_own_api_test_passes(game: tavola.Game) -> None:
    with warnings.catch_warnings():
        for expected in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", expected)
        api_test(pettingzoo.env(game), num_cycles=1000)


@pytest.mark.sized
@every_option_set
def test_its_own_seed_test_passes(game: tavola.Game) -> None:
    seed_test(lambda: pettingzoo.env(game), num_cycles=1000)


@one_of_each_game
def test_a_random_game_gives_the_returns_of_its_record(name: str) -> None:
    env = pettingzoo.env(name)
    total = play_randomly(env, seed=3)
    match = env.unwrapped.match
    assert match.state.is_terminal
    assert list(total.values()) == list(match.state.returns)
    (record,) = tavola.read_records(match.record)
    assert record.game == match.game


@one_of_each_game
def test_the_seed_decides_chance_and_a_second_game_differs_only_by_chance(name: str) -> None:
    def tokens(seed: int, games: int) -> tuple[str, ...]:
        env = pettingzoo.env(name)
        for _ in range(games):
            env.reset(seed=seed if _ == 0 else None)
        rng = random.Random(1)
        for _ in range(12):
            env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
        actions: tuple[str, ...] = env.unwrapped.match.actions
        return actions

    assert tokens(1, 1) == tokens(1, 1)
    assert tokens(1, 2) == tokens(1, 2)
    if tavola.load(name).has_chance:
        assert tokens(1, 1) != tokens(2, 1)
        assert tokens(1, 1) != tokens(1, 2)


@one_of_each_game
def test_only_the_agent_to_act_has_legal_actions_in_its_mask(name: str) -> None:
    env = pettingzoo.env(name)
    env.reset(seed=1)
    state = env.unwrapped.match.state
    for seat, agent in enumerate(env.agents):
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        assert list(legal) == (list(state.legal_ids) if seat == state.to_act else [])


@one_of_each_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    env = pettingzoo.env(name)
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    before = env.unwrapped.match.state, env.agent_selection
    with pytest.raises(tavola.IllegalAction):
        env.step(illegal)
    count = tavola.load(name).action_count
    with pytest.raises(IndexError, match=re.escape(f"are 0 to {count - 1}, not {count}")):
        env.step(count)
    with pytest.raises(TypeError, match="is an id, 0 to"):
        env.step("left")
    assert (env.unwrapped.match.state, env.agent_selection) == before


def test_a_wrong_argument_names_what_is_expected() -> None:
    name = NAMES[0]
    with pytest.raises(tavola.UnknownGame):
        pettingzoo.env("chess")
    with pytest.raises(tavola.OptionError):
        pettingzoo.env(name, colour="red")
    with pytest.raises(ValueError, match="render_mode is ansi or svg or None, not 'human'"):
        pettingzoo.env(name, render_mode="human")
    with pytest.raises(ValueError, match="give its name to choose players"):
        pettingzoo.env(tavola.load(name), players=2)


@one_of_each_game
@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_it_draws_the_position(name: str, mode: str) -> None:
    env = pettingzoo.env(name, render_mode=mode)
    env.reset(seed=1)
    first = env.render()
    env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
    assert first != env.render()
    assert env.render().startswith("<svg") == (mode == "svg")


def test_an_environment_in_the_middle_of_a_game_is_picklable() -> None:
    env = pettingzoo.env(NAMES[0])
    env.reset(seed=1)
    copy = pickle.loads(pickle.dumps(env))
    env.step(action := int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    copy.step(action)
    assert copy.unwrapped.match.state == env.unwrapped.match.state
