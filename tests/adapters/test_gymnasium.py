"""Gymnasium's own checker on every game, and the rules of the environment."""

from __future__ import annotations

import inspect
import re
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import tavola
from tavola.adapters import pettingzoo
from tavola.adapters.gymnasium import GameEnv
from tests.adapters.option_sets import MOST_SEATS, NAMES, every_option_set, one_of_each_game


def make(name: str, **arguments: Any) -> GameEnv:
    env = gymnasium.make(f"tavola/{name.title()}-v0", **arguments).unwrapped
    assert isinstance(env, GameEnv)
    return env


def play_randomly(env: gymnasium.Env[Any, Any], seed: int) -> float:
    """Play an episode of random legal actions; return the sum of the rewards."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    total, over = 0.0, False
    while not over:
        action = env.action_space.sample(info["action_mask"])
        _, reward, over, truncated, info = env.step(action)
        assert not truncated
        assert "illegal_action" not in info
        total += float(reward)
    return total


@pytest.mark.sized
@every_option_set
@pytest.mark.parametrize("seat", [0, "random"])
def test_its_own_checker_passes(game: tavola.Game, seat: Any) -> None:
    options = {**game.options, "opponents": "random", "seat": seat}
    env = make(game.name, **options)
    assert env.game == game
    check_env(env)


@one_of_each_game
def test_its_own_checker_passes_against_an_engine_that_searches(name: str) -> None:
    check_env(make(name, opponents="tree:nodes=5,lookahead=0", seat=1, dtype="uint8"))


@one_of_each_game
@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_an_episode_ends_with_the_return_of_the_own_seat(name: str, seat: Any) -> None:
    env = make(name, opponents="random", seat=seat)
    for seed in range(3):
        total = play_randomly(env, seed)
        assert env.match.state.returns is not None
        assert total == env.match.state.returns[env.seat]
        (record,) = tavola.read_records(env.match.record)
        assert record.game == env.game


@one_of_each_game
def test_the_same_seed_gives_the_same_episode(name: str) -> None:
    def actions(seed: int) -> tuple[str, ...]:
        env = make(name, opponents="tree:nodes=5,lookahead=0", seat="random")
        play_randomly(env, seed)
        return env.match.actions

    assert actions(1) == actions(1)
    assert actions(1) != actions(2)


def test_a_random_seat_is_every_seat() -> None:
    env = make(MOST_SEATS.name, **MOST_SEATS.options, opponents="random", seat="random")
    seats = {env.reset(seed=seed)[1] and env.seat for seed in range(40)}
    assert seats == set(range(MOST_SEATS.seats))


@one_of_each_game
def test_an_illegal_action_loses_the_episode_and_the_info_has_the_reason(name: str) -> None:
    env = make(name, opponents="random")
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    before = env.match.actions
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "is illegal" in info["illegal_action"]
    assert info["action_mask"].sum() == 0
    assert env.match.actions == before
    with pytest.raises(ResetNeeded, match=re.escape("call reset() first")):
        env.step(illegal)


@one_of_each_game
def test_an_illegal_action_can_be_an_error_that_changes_nothing(name: str) -> None:
    env = make(name, opponents="random", illegal="raise")
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    before = env.match.actions
    with pytest.raises(tavola.IllegalAction):
        env.step(illegal)
    assert env.match.actions == before
    env.step(np.flatnonzero(info["action_mask"])[0])


@one_of_each_game
def test_an_action_that_is_no_id_is_an_error(name: str) -> None:
    env = make(name, opponents="random")
    env.reset(seed=1)
    for action, error in ((-1, IndexError), (env.game.action_count, IndexError), (0.5, TypeError)):
        with pytest.raises(error, match="0 to"):
            env.step(action)  # type: ignore[arg-type]


def test_a_function_can_be_the_opponent_and_sees_its_own_turns_only() -> None:
    seen: list[int | None] = []

    def first(state: tavola.State) -> str:
        seen.append(state.to_act)
        return state.legal_actions[0]

    opponents = [first, *["random"] * (MOST_SEATS.seats - 2)]
    env = make(MOST_SEATS.name, **MOST_SEATS.options, opponents=opponents, seat=1)
    play_randomly(env, 1)
    assert set(seen) == {0}


def test_a_wrong_argument_names_what_is_expected() -> None:
    name = NAMES[0]
    seats = tavola.load(name).seats
    with pytest.raises(tavola.EngineError):
        GameEnv(name, opponents="deep-thought")
    with pytest.raises(ValueError, match=f"or a list of {seats - 1} for"):
        GameEnv(name, opponents=["random"] * seats)
    with pytest.raises(ValueError, match="a function from a state to a token"):
        GameEnv(name, opponents=[3] * (seats - 1))  # type: ignore[list-item]
    for seat in (seats, -1, "first", True):
        with pytest.raises(ValueError, match="seat is 0 to"):
            GameEnv(name, seat=seat)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="illegal is 'lose' or 'raise'"):
        GameEnv(name, illegal="ignore")  # type: ignore[arg-type]
    with pytest.raises(ResetNeeded):
        GameEnv(name).step(0)


@pytest.mark.parametrize("environment", [GameEnv, pettingzoo.GameEnv])
def test_no_option_of_a_game_has_the_name_of_an_argument(environment: type[object]) -> None:
    arguments = set(inspect.signature(environment).parameters) - {"options"}
    for name in NAMES:
        assert not arguments & set(tavola.load(name).options)


def test_a_closed_environment_opens_again_with_reset() -> None:
    env = make(NAMES[0], opponents="random")
    play_randomly(env, 1)
    env.close()
    env.close()
    with pytest.raises(ResetNeeded):
        env.step(0)
    play_randomly(env, 1)


def test_masks_for_maskable_ppo_are_those_of_the_info() -> None:
    env = make(NAMES[0], opponents="random")
    _, info = env.reset(seed=1)
    assert (env.action_masks() == info["action_mask"].astype(bool)).all()


def test_copies_run_side_by_side() -> None:
    name = NAMES[0].title()
    envs = gymnasium.make_vec(f"tavola/{name}-v0", num_envs=3, opponents="random")
    observations, info = envs.reset(seed=1)
    assert observations.shape[0] == info["action_mask"].shape[0] == 3
    envs.close()
