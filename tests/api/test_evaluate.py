"""Search with an evaluation function, and training targets in arrays."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

import tavola

Evaluation = tuple[ArrayLike, ArrayLike]


def first_decision(game: tavola.Game) -> tavola.State:
    state = game.start()
    rng = np.random.default_rng(1)
    while state.to_act == tavola.CHANCE:
        state = state.play(state.sample_chance(rng))
    return state


def uniform(batch: tavola.LeafBatch) -> Evaluation:
    """Return equal probabilities and equal shares."""
    seats = batch.game.seats
    shape = (len(batch), batch.game.action_count)
    return np.ones(shape, np.float32), np.full((len(batch), seats), 1 / seats)


class Rollouts:
    """Return the result of one random game from each position."""

    def __init__(self) -> None:
        self.seed = 0

    def __call__(self, batch: tavola.LeafBatch) -> Evaluation:
        seats = batch.game.seats
        values = np.zeros((len(batch), seats))
        for row, state in zip(values, batch.states, strict=True):
            self.seed += 1
            returns = np.array(tavola.playouts(state, 1, seed=self.seed).mean_returns)
            row[:] = (returns * (seats - 1) + 1) / seats
        return np.ones((len(batch), batch.game.action_count)), values


@pytest.fixture(params=tavola.games())
def state(request: pytest.FixtureRequest) -> tavola.State:
    return first_decision(tavola.load(request.param))


@pytest.fixture
def start() -> tavola.State:
    return first_decision(tavola.load("potlatch"))


@pytest.mark.parametrize("batch", [1, 64])
def test_every_game_is_searched_with_a_function(state: tavola.State, batch: int) -> None:
    def search() -> tavola.Analysis:
        return tavola.search(state, nodes=150, evaluate=Rollouts(), batch=batch, noise=(0.3, 0.25))

    analysis, again = search(), search()
    assert analysis.nodes == 150
    assert analysis.best in state.legal_actions
    assert {line.action for line in analysis.lines} == set(state.legal_actions)
    assert analysis.policy.dtype == analysis.value.dtype == np.float32
    assert analysis.policy.shape == (state.game.action_count,)
    assert analysis.policy.sum() == pytest.approx(1, abs=1e-5)
    assert not analysis.policy[~state.mask()].any()
    assert analysis.value.shape == (state.game.seats,)
    assert analysis.value.sum() == pytest.approx(1, abs=1e-5)
    assert np.array_equal(analysis.policy, again.policy)
    assert np.array_equal(analysis.value, again.value)


def test_a_batch_shows_its_positions(state: tavola.State) -> None:
    sizes = []

    def look(batch: tavola.LeafBatch) -> Evaluation:
        sizes.append(len(batch))
        assert batch.game == state.game
        assert len(batch.states) == len(batch) == len(batch.to_act)
        assert batch.observations.dtype == np.float32
        rows = (batch.states, batch.masks, batch.to_act, batch.observations)
        for leaf, mask, seat, observation in zip(*rows, strict=True):
            assert np.array_equal(leaf.mask(), mask)
            assert leaf.to_act == seat
            assert np.array_equal(leaf.observation(), observation)
        return uniform(batch)

    tavola.search(state, nodes=200, evaluate=look, batch=16)
    assert sizes[0] == 1
    assert max(sizes) == 16
    assert sum(sizes) <= 200


def test_the_policy_leads_the_search(start: tavola.State) -> None:
    favourite = start.game.actions.index(start.legal_actions[3])

    def favour(batch: tavola.LeafBatch) -> Evaluation:
        policy, values = uniform(batch)
        policy = np.asarray(policy)
        policy[:, favourite] = 100
        return policy, values

    analysis = tavola.search(start, nodes=50, evaluate=favour)
    assert analysis.best == start.game.actions[favourite]
    only_root = tavola.search(start, nodes=1, evaluate=favour)
    expected = 100 / (100 + len(start.legal_actions) - 1)
    assert only_root.policy[favourite] == pytest.approx(expected, rel=1e-5)


def test_the_value_leads_the_search(start: tavola.State) -> None:
    good = start.play(start.legal_actions[2])

    def value(batch: tavola.LeafBatch) -> Evaluation:
        values = [[0.9, 0.1] if leaf == good else [0.5, 0.5] for leaf in batch.states]
        return uniform(batch)[0], values

    analysis = tavola.search(start, nodes=12, evaluate=value, batch=1)
    line = next(line for line in analysis.lines if line.action == start.legal_actions[2])
    assert line.visits == max(line.visits for line in analysis.lines)


def test_a_forced_win_is_proven_without_knowledge() -> None:
    game = tavola.load("proteus")
    state = game.parse("Rc+:Bc/Bc+:Bs/Yc+/Rs:Wc/Bs:Ws/Ys:Bt/Rt:Wt/Bt/Yt B 9 -")
    analysis = tavola.search(state, nodes=100, evaluate=uniform)
    assert (analysis.best, analysis.lines[0].proven) == ("c2-c1", True)
    assert analysis.policy[game.actions.index("c2-c1")] == 1
    assert analysis.value[0] == 1


WRONG: dict[str, tuple[Callable[[tavola.LeafBatch], object], type[Exception], str]] = {
    "nothing": (lambda _: None, TypeError, r"return \(policy, value\), not NoneType"),
    "three": (lambda _: (1, 2, 3), TypeError, r"not tuple of length 3"),
    "policy shape": (
        lambda batch: (np.zeros((len(batch), 5)), uniform(batch)[1]),
        ValueError,
        r"policy of shape \(1, 12\), one probability for each position and action id, not of shape "
        r"\(1, 5\)",
    ),
    "value shape": (
        lambda batch: (uniform(batch)[0], np.zeros(len(batch))),
        ValueError,
        r"value of shape \(1, 2\), one share for each position and seat, not of shape \(1,\)",
    ),
    "nan": (
        lambda batch: (np.full((len(batch), 12), np.nan), uniform(batch)[1]),
        ValueError,
        r"policy\[0, \d+\] = nan; the policy must be finite and 0 or more",
    ),
    "infinite": (
        lambda batch: (np.full((len(batch), 12), np.inf), uniform(batch)[1]),
        ValueError,
        r"= inf; the policy must be finite",
    ),
    "negative": (
        lambda batch: (np.full((len(batch), 12), -0.5), uniform(batch)[1]),
        ValueError,
        r"policy\[0, \d+\] = -0\.5; the policy must be finite and 0 or more for every legal action",
    ),
    "impossible": (
        lambda batch: (np.zeros((len(batch), 12)), uniform(batch)[1]),
        ValueError,
        r"policy\[0\] with 0 for every legal action; mask the illegal actions before the softmax",
    ),
    "returns": (
        lambda batch: (uniform(batch)[0], np.tile([1.0, -1.0], (len(batch), 1))),
        ValueError,
        r"value\[0\] = \[1, -1\]; the shares of the seats must be from 0 to 1 with sum 1",
    ),
    "sum": (
        lambda batch: (uniform(batch)[0], np.tile([0.9, 0.9], (len(batch), 1))),
        ValueError,
        r"value\[0\] = \[0\.9, 0\.9\]",
    ),
    "text": (lambda _: ("a", "b"), ValueError, "could not convert"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_result_names_the_expected_one(start: tavola.State, wrong: str) -> None:
    function, error, match = WRONG[wrong]
    with pytest.raises(error, match=match):
        tavola.search(start, nodes=10, evaluate=function)  # type: ignore[arg-type]


def test_illegal_entries_do_not_count(start: tavola.State) -> None:
    def noisy(batch: tavola.LeafBatch) -> Evaluation:
        return np.where(batch.masks, 1, np.nan), uniform(batch)[1]

    plain = tavola.search(start, nodes=100, evaluate=uniform)
    assert np.array_equal(plain.policy, tavola.search(start, nodes=100, evaluate=noisy).policy)


def test_an_exception_comes_through_unchanged(start: tavola.State) -> None:
    mistake = KeyError("mine")

    def fail(batch: tavola.LeafBatch) -> Evaluation:
        if len(batch) > 4:
            raise mistake
        return uniform(batch)

    with pytest.raises(KeyError) as raised:
        tavola.search(start, nodes=100, evaluate=fail)
    assert raised.value is mistake


@pytest.mark.parametrize(
    ("keywords", "match"),
    [
        ({"method": "alphabeta"}, "evaluate searches by the tree: omit method"),
        ({"method": "tree", "contempt": 0.5}, "contempt does not suit a function as evaluate"),
        ({"uniform": True}, "uniform does not suit evaluate"),
        ({"choose": True}, "choose does not suit a function as evaluate: omit it"),
        ({"batch": 0}, "batch must be 1 or more, not 0"),
        ({"c_puct": -1.0}, "c_puct must be from 0 to 100, not -1"),
        ({"noise": (0.0, 0.5)}, "the alpha of noise must be above 0, not 0"),
        ({"noise": (0.3, 1.5)}, "the fraction of noise must be from 0 to 1, not 1.5"),
    ],
)
def test_keywords_have_their_ranges(
    start: tavola.State, keywords: dict[str, object], match: str
) -> None:
    with pytest.raises(ValueError, match=match):
        tavola.search(start, nodes=1, evaluate=uniform, **keywords)  # type: ignore[arg-type]


def test_keywords_of_evaluate_need_it(start: tavola.State) -> None:
    with pytest.raises(ValueError, match="noise needs evaluate: pass a function, or omit it"):
        tavola.search(start, nodes=1, noise=(0.3, 0.25))
    with pytest.raises(
        TypeError, match="evaluate must be a function of one batch or a Network, not int"
    ):
        tavola.search(start, nodes=1, evaluate=3)  # type: ignore[arg-type]


def test_ctrl_c_ends_a_search_with_a_function(start: tavola.State) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tavola.search(start, nodes=2**31, evaluate=uniform, memory=2**20)
    timer.join()


def test_a_stop_keeps_the_analysis_so_far(start: tavola.State) -> None:
    stop = tavola.Stop()

    def evaluate(batch: tavola.LeafBatch) -> Evaluation:
        if len(batch) > 8:
            stop.set()
        return uniform(batch)

    analysis = tavola.search(start, nodes=10_000, evaluate=evaluate, stop=stop)
    assert 8 < analysis.nodes < 1000


def test_time_ends_a_search(start: tavola.State) -> None:
    def slow(batch: tavola.LeafBatch) -> Evaluation:
        time.sleep(0.01)
        return uniform(batch)

    analysis = tavola.search(start, seconds=0.05, evaluate=slow)
    assert 0 < analysis.nodes < 10_000


def random_states(game: tavola.Game, count: int) -> list[tavola.State]:
    rng = np.random.default_rng(3)
    state = game.start()
    states: list[tavola.State] = []
    while len(states) < count and not state.is_terminal:
        states.append(state)
        if state.to_act == tavola.CHANCE:
            state = state.play(state.sample_chance(rng))
        else:
            state = state.play_id(rng.choice(state.legal_ids))
    return states


@pytest.mark.parametrize("with_function", [False, True])
def test_many_positions_give_targets(state: tavola.State, *, with_function: bool) -> None:
    states = random_states(state.game, 20)

    def search(threads: int = 1) -> tavola.Targets:
        evaluate = Rollouts() if with_function else None
        return tavola.search_batch(states, nodes=40, evaluate=evaluate, threads=threads, seed=5)

    targets, again = search(), search(threads=2)
    policies, values = targets
    assert policies.shape == (len(states), state.game.action_count)
    assert values.shape == (len(states), state.game.seats)
    assert policies.dtype == values.dtype == np.float32
    assert np.array_equal(policies, again.policies)
    assert np.array_equal(values, again.values)
    for one, policy, value in zip(states, policies, values, strict=True):
        assert policy.sum() == pytest.approx(int(one.to_act != tavola.CHANCE), abs=1e-5)
        assert not policy[~one.mask()].any()
        assert value.sum() == pytest.approx(1, abs=1e-5)


def test_the_leaves_of_all_positions_share_the_batches(start: tavola.State) -> None:
    sizes = []

    def count(batch: tavola.LeafBatch) -> Evaluation:
        sizes.append(len(batch))
        return uniform(batch)

    tavola.search_batch([start] * 48, nodes=20, evaluate=count, batch=64)
    assert sizes[0] == 48
    assert sum(sizes) == 48 * 20
    assert len(sizes) == 20


def test_each_position_has_its_own_nodes(start: tavola.State) -> None:
    sizes = []

    def count(batch: tavola.LeafBatch) -> Evaluation:
        sizes.append(len(batch))
        return uniform(batch)

    tavola.search_batch([start] * 3, nodes=[1, 10, 100], evaluate=count)
    assert sum(sizes) == 111


def test_a_temperature_shapes_the_policy(start: tavola.State) -> None:
    def most(temperature: float, evaluate: Rollouts | None) -> float:
        targets = tavola.search_batch(
            [start], nodes=200, evaluate=evaluate, temperature=temperature
        )
        return float(targets.policies.max())

    for evaluate in (Rollouts, lambda: None):
        flat, plain, sharp, best = (most(heat, evaluate()) for heat in (2, 1, 0.5, 0))
        assert flat < plain < sharp < best == 1


def test_a_finished_game_is_a_target_too(start: tavola.State) -> None:
    state = start
    while not state.is_terminal:
        state = state.play(state.legal_actions[0])
    assert state.returns is not None
    for evaluate in (uniform, None):
        policies, values = tavola.search_batch([state, start], nodes=10, evaluate=evaluate)
        assert not policies[0].any()
        assert values[0] == pytest.approx((np.array(state.returns) + 1) / 2)


def test_wrong_positions_are_refused(start: tavola.State) -> None:
    other = tavola.load("potlatch", actions=3).start()
    with pytest.raises(ValueError, match=r"states\[1\] of .*actions=3"):
        tavola.search_batch([start, other], nodes=1)
    with pytest.raises(ValueError, match="at least one state"):
        tavola.search_batch([], nodes=1)
    with pytest.raises(TypeError, match="for one state use search"):
        tavola.search_batch(start, nodes=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"states\[1\] must be a State, not str"):
        tavola.search_batch([start, "Pw"], nodes=1)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="one for each of the 2 states, not 3"):
        tavola.search_batch([start, start], nodes=[1, 2, 3])
    with pytest.raises(ValueError, match="nodes must be 1 or more, not 0"):
        tavola.search_batch([start], nodes=0)
    with pytest.raises(ValueError, match="temperature must be 0 or more"):
        tavola.search_batch([start], nodes=1, temperature=-1.0)
    with pytest.raises(ValueError, match="c_puct needs evaluate"):
        tavola.search_batch([start], nodes=1, c_puct=1.0)


def test_the_compiled_search_has_targets_too(start: tavola.State) -> None:
    tree = tavola.search(start, nodes=500, threads=1, method="tree")
    visits = {line.action: line.visits for line in tree.lines}
    total = sum(visits.values())
    for action_id in start.legal_ids:
        share = visits[start.game.actions[int(action_id)]] / total
        assert tree.policy[action_id] == pytest.approx(share)
    assert tuple(tree.value) == pytest.approx(tree.shares)
    deep = tavola.search(start, nodes=500, threads=1, method="alphabeta")
    assert deep.best is not None
    assert deep.policy[start.game.actions.index(deep.best)] == deep.policy.sum() == 1
