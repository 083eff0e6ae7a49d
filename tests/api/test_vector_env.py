"""Vector environments: equal to single states, on any number of threads, with precise errors."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tavola
from tests.profiles import sized
from tests.references import combinations

GAMES = [
    pytest.param(name, options, id="-".join([name, *map(str, options.values())]))
    for name in tavola.games()
    for options in combinations(name)
]


@pytest.fixture
def env() -> Iterator[tavola.VectorEnv]:
    with tavola.vector(tavola.load("potlatch"), 50, seed=1, threads=2) as env:
        yield env


ARRAYS = ("masks", "to_act", "rewards", "terminated", "lengths", "returns")


def arrays(env: tavola.VectorEnv) -> dict[str, np.ndarray[Any, Any]]:
    """Copies of all arrays."""
    return {name: getattr(env, name).copy() for name in ARRAYS}


def assert_same(one: tavola.VectorEnv, other: tavola.VectorEnv) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    np.testing.assert_array_equal(one.observations, other.observations)
    assert one.states == other.states


def token(state: tavola.State, mask: np.ndarray[Any, Any], action: int) -> str:
    """The token of a legal action: masks and legal actions have the same order."""
    return state.legal_actions[int(mask[:action].sum())]


def after_chance(state: tavola.State) -> Iterator[tavola.State]:
    """All states that chance can lead to, until a seat is to act or the game is over."""
    if state.to_act != tavola.CHANCE:
        yield state
    for outcome, _ in state.chance_outcomes:
        yield from after_chance(state.play(outcome))


def assert_shown(env: tavola.VectorEnv, number: int, state: tavola.State) -> None:
    """A row of the arrays is what a single state shows."""
    assert env.to_act[number] == state.to_act
    assert env.masks[number].sum() == len(state.legal_actions)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_step_is_a_play_in_every_environment(name: str, options: dict[str, Any]) -> None:
    game = tavola.load(name, **options)
    with tavola.vector(game, 3, seed=5) as env:
        played = [0] * env.count
        for _ in range(sized(15, 400, 4000)):
            before, masks, ids = env.states, env.masks.copy(), env.random_ids()
            env.step(ids)
            for number in range(env.count):
                played[number] += 1
                next_state = before[number].play(
                    token(before[number], masks[number], int(ids[number]))
                )
                state = env.state(number)
                if env.terminated[number]:
                    assert next_state.to_act in (None, tavola.CHANCE)
                    ends = [end.returns for end in after_chance(next_state) if end.returns]
                    assert pytest.approx(env.rewards[number]) in ends
                    assert env.lengths[number] == played[number]
                    assert list(env.returns[number]) == list(env.rewards[number])
                    played[number] = 0
                else:
                    assert state in after_chance(next_state)
                    assert not env.rewards[number].any()
                    assert env.lengths[number] == 0
                assert_shown(env, number, state)


def observing(name: str, **settings: Any) -> tavola.VectorEnv:
    return tavola.vector(tavola.load(name), 40, seed=3, **settings)


@pytest.mark.parametrize("name", tavola.games())
def test_layouts_and_types_show_the_same_observations(name: str) -> None:
    envs = {
        (layout, dtype): observing(name, layout=layout, dtype=dtype)
        for layout in ("planes", "flat")
        for dtype in ("uint8", "float32")
    }
    planes, flat = envs["planes", "uint8"], envs["flat", "uint8"]
    count, cells = planes.observations.shape[1], planes.observations[0, 0].size
    of_cells = (flat.observations.shape[1] - count) // (cells - 1)
    for _ in range(20):
        ids = planes.random_ids()
        for env in envs.values():
            env.step(ids)
        board, scalars = np.split(planes.observations.reshape(40, count, cells), [of_cells], axis=1)
        assert (scalars == scalars[:, :, :1]).all()
        np.testing.assert_array_equal(
            flat.observations, np.concatenate([board.reshape(40, -1), scalars[:, :, 0]], axis=1)
        )
        for layout in ("planes", "flat"):
            raw, scaled = (envs[layout, dtype].observations for dtype in ("uint8", "float32"))
            assert [raw.dtype, scaled.dtype] == [np.dtype(np.uint8), np.dtype(np.float32)]
            assert ((raw > 0) == (scaled > 0)).all()
            assert scaled.max() <= 1
            assert raw.any(axis=1).all()


def test_wrong_observations_are_told_what_is_expected(env: tavola.VectorEnv) -> None:
    with pytest.raises(ValueError, match=r'layout must be "planes" or "flat", not "boards"'):
        observing("potlatch", layout="boards")
    with pytest.raises(TypeError, match="dtype must be float32 or uint8, not float64"):
        observing("potlatch", dtype=np.float64)
    with pytest.raises(RuntimeError, match="create the environments with observe=True"):
        observing("potlatch", observe=False).observations  # noqa: B018


@pytest.mark.parametrize("name", tavola.games())
def test_games_end_and_start_again(name: str) -> None:
    game = tavola.load(name)
    env = tavola.vector(game, 20, seed=2)
    ended = np.zeros(20, int)
    shares = np.zeros(game.seats)
    for _ in range(2000):
        env.step(env.random_ids())
        ended += env.terminated
        shares += env.rewards.sum(axis=0)
        assert env.rewards.sum(axis=1) == pytest.approx(0, abs=1e-6)
        if (ended > 1).all():
            break
    assert (ended > 1).all()
    assert env.returns.any()
    assert np.isfinite(shares).all()


@pytest.mark.parametrize("name", tavola.games())
def test_results_do_not_depend_on_the_threads(name: str) -> None:
    game = tavola.load(name)
    one, *others = (tavola.vector(game, 300, seed=9, threads=threads) for threads in (1, 2, 5))
    for _ in range(sized(25, 200, 2000)):
        ids = one.random_ids()
        one.step(ids)
        for other in others:
            np.testing.assert_array_equal(other.random_ids(), ids)
            other.step(ids)
    for other in others:
        assert_same(one, other)


def test_equal_seeds_give_equal_chance_whatever_is_drawn_at_random() -> None:
    name = next(name for name in tavola.games() if tavola.load(name).has_chance)
    game = tavola.load(name)
    one, two, other = (tavola.vector(game, 30, seed=seed) for seed in (4, 4, 5))
    assert one.states == two.states
    assert one.states != other.states
    assert len(set(one.states)) > 20, "each environment has its own stream"
    for _ in range(20):
        ids = one.random_ids()
        two.random_ids(), two.random_ids()
        one.step(ids)
        two.step(ids)
    assert_same(one, two)


def test_a_reset_with_a_seed_repeats_everything(env: tavola.VectorEnv) -> None:
    game = next(game for game in map(tavola.load, tavola.games()) if game.has_chance)
    env = tavola.vector(game, 30, seed=4)
    first = env.states
    shown, ids = arrays(env), env.random_ids()
    env.step(ids)
    env.reset()
    assert env.states != first
    assert not env.returns.any()
    env.reset(seed=4)
    assert env.states == first
    for name, array in shown.items():
        np.testing.assert_array_equal(getattr(env, name), array)
    np.testing.assert_array_equal(env.random_ids(), ids)


def test_random_ids_are_uniform() -> None:
    env = tavola.vector(tavola.load("potlatch"), 5000, seed=1)
    legal = np.flatnonzero(env.masks[0])
    counts = np.bincount(env.random_ids(), minlength=env.masks.shape[1])
    expected = env.count / len(legal)
    assert counts.sum() == counts[legal].sum()
    assert np.abs(counts[legal] - expected).max() < 6 * expected**0.5


def test_an_illegal_id_changes_nothing_and_is_named(env: tavola.VectorEnv) -> None:
    env.step(env.random_ids())
    shown, states = arrays(env), env.states
    ids = env.random_ids()
    ids[17] = np.flatnonzero(~env.masks[17])[0]
    with pytest.raises(tavola.IllegalId) as caught:
        env.step(ids)
    error = caught.value
    assert (error.environment, error.id) == (17, ids[17])
    assert error.position == states[17].text
    assert error.token not in states[17].legal_actions
    with pytest.raises(tavola.IllegalAction) as single:
        states[17].play(error.token)
    assert error.reason == single.value.reason
    for part in ("environment 17", f"action {ids[17]}", repr(error.token), error.position):
        assert part in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.environment) == (str(error), 17)
    for name, array in shown.items():
        np.testing.assert_array_equal(getattr(env, name), array)
    assert env.states == states


@pytest.mark.parametrize("wrong", [-1, -(2**63), 12, 64, 2**40])
def test_an_id_of_no_action_is_told_the_range(env: tavola.VectorEnv, wrong: int) -> None:
    ids = env.random_ids()
    ids[3] = wrong
    with pytest.raises(tavola.IllegalId, match=r"ids of the game's actions are 0 to 11") as caught:
        env.step(ids)
    assert (caught.value.environment, caught.value.id, caught.value.token) == (3, wrong, "")


def test_ids_may_be_any_integers(env: tavola.VectorEnv) -> None:
    for kind in (np.int64, np.int32, np.uint8, np.uint64):
        env.step(env.random_ids().astype(kind))
    env.step(env.random_ids().tolist())
    env.step(np.repeat(env.random_ids(), 2)[::2])


def test_jax_shares_the_memory_and_gives_ids(env: tavola.VectorEnv) -> None:
    jax = pytest.importorskip("jax")
    for name in (*ARRAYS, "observations"):
        array = getattr(env, name)
        shared = jax.dlpack.from_dlpack(array)
        assert shared.unsafe_buffer_pointer() == array.ctypes.data, name
        np.testing.assert_array_equal(shared, array)
    env.step(jax.numpy.asarray(env.random_ids()))


def test_wrong_ids_are_told_what_is_expected(env: tavola.VectorEnv) -> None:
    states, ids = env.states, env.random_ids()
    with pytest.raises(ValueError, match=r"shape \(50,\), not \(49,\)"):
        env.step(ids[1:])
    with pytest.raises(ValueError, match=r"shape \(50,\), not \(50, 1\)"):
        env.step(ids[:, None])
    with pytest.raises(ValueError, match=r"shape \(50,\), not \(\)"):
        env.step(0)
    with pytest.raises(TypeError, match=r"integers, such as int64, not float32"):
        env.step(ids.astype(np.float32))
    with pytest.raises(TypeError, match="not bool"):
        env.step(ids.astype(bool))
    with pytest.raises(ValueError, match=r"below 2\*\*63"):
        env.step(np.full(50, 2**63, np.uint64))
    assert env.states == states


def test_wrong_arguments_are_told_what_is_expected() -> None:
    game = tavola.load("potlatch")
    with pytest.raises(ValueError, match="count must be 1 or more, not 0"):
        tavola.vector(game, 0)
    with pytest.raises(ValueError, match="threads must be 1 or more, not 0"):
        tavola.vector(game, 5, threads=0)
    with pytest.raises(ValueError, match="seed must be 0 or more, not -1"):
        tavola.vector(game, 5, seed=-1)
    env = tavola.vector(game, 5)
    with pytest.raises(ValueError, match=r"seed must be below 2\*\*64"):
        env.reset(seed=2**64)
    for wrong in (-1, 5):
        with pytest.raises(IndexError, match=f"environments are 0 to 4, not {wrong}"):
            env.state(wrong)


def test_closed_environments_say_so(env: tavola.VectorEnv) -> None:
    ids = env.random_ids()
    before = env.closed
    env.close()
    env.close()
    assert (before, env.closed) == (False, True)
    assert "closed" in repr(env)
    for use in (lambda: env.step(ids), env.reset, env.random_ids, lambda: env.state(0)):
        with pytest.raises(RuntimeError, match="closed; create new ones"):
            use()
    assert env.masks.any(), "the arrays remain"


def test_another_thread_is_refused_and_harms_nothing(env: tavola.VectorEnv) -> None:
    refusals: list[str] = []

    def use() -> None:
        for _ in range(300):
            try:
                env.step(env.random_ids())
            except RuntimeError as error:
                refusals.append(str(error))
            except tavola.IllegalId:
                pass  # the other thread has stepped in between

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("one thread at a time" in refusal for refusal in refusals)
    for number in range(env.count):
        assert_shown(env, number, env.state(number))


def test_the_arrays_exist_once_and_share_their_memory(env: tavola.VectorEnv) -> None:
    arrays = (*ARRAYS, "observations")
    before = {name: getattr(env, name) for name in arrays}
    shared = {name: np.from_dlpack(array) for name, array in before.items()}
    for name, array in before.items():
        assert np.shares_memory(shared[name], array)
        assert array.ctypes.data % 64 == 0, "as JAX needs it"
    for _ in range(30):
        env.step(env.random_ids())
    for name, array in before.items():
        assert getattr(env, name) is array
        np.testing.assert_array_equal(shared[name], array)
    assert env.masks.shape == (50, env.game.action_count)
    assert env.rewards.shape == (50, env.game.seats)
    kinds = [getattr(env, name).dtype for name in ARRAYS]
    assert kinds == [np.bool_, np.int32, np.float32, np.bool_, np.int32, np.float32]
