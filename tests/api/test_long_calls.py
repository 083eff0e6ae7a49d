"""perft, playouts and search are correct, reproducible and interruptible."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

import tavola
from tavola import _core

NEVER = 100


@pytest.fixture
def start() -> tavola.State:
    return tavola.load("potlatch").start()


def test_playouts_depend_on_the_seed_and_not_on_the_threads(start: tavola.State) -> None:
    one = tavola.playouts(start, 3000, seed=5)
    two = tavola.playouts(start, 3000, seed=5, threads=3)
    assert (one.count, one.actions, one.mean_returns) == (two.count, two.actions, two.mean_returns)
    assert tavola.playouts(start, 3000, seed=6).actions != one.actions
    assert sum(one.mean_returns) == pytest.approx(0)


def test_playouts_of_a_finished_game_have_no_actions(start: tavola.State) -> None:
    state = start
    while state.to_act is not None:
        state = state.play(state.legal_actions[0])
    total = tavola.playouts(state, 10)
    assert (total.count, total.actions) == (10, 0)
    assert total.mean_returns == state.returns


@pytest.mark.parametrize("call", [tavola.playouts, tavola.search])
def test_no_threads_is_an_error(start: tavola.State, call: object) -> None:
    with pytest.raises(ValueError, match="threads must be 1 or more, not 0"):
        call(start, 1, threads=0)  # type: ignore[operator]


@pytest.mark.parametrize("call", [tavola.playouts, tavola.search])
def test_more_threads_than_can_be_started_are_an_error(start: tavola.State, call: object) -> None:
    with pytest.raises(ValueError, match="threads must be at most 256, not 1000000"):
        call(start, 1, threads=1_000_000)  # type: ignore[operator]


def test_many_threads_look_at_all_nodes(start: tavola.State) -> None:
    # Whichever finds none left lets the others finish.
    assert {tavola.search(start, nodes=100, threads=256).nodes for _ in range(20)} == {100}


@pytest.mark.parametrize("contempt", [-0.1, 1.0, float("nan")])
def test_contempt_has_its_bounds(start: tavola.State, contempt: float) -> None:
    with pytest.raises(ValueError, match=r"contempt must be from 0 to 0\.9, not"):
        tavola.search(start, nodes=1, contempt=contempt)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda state: tavola.perft(state, -1), "depth"),
        (lambda state: tavola.playouts(state, -1), "count"),
        (lambda state: tavola.playouts(state, 1, seed=-1), "seed"),
        (lambda state: tavola.search(state, nodes=1, seed=-1), "seed"),
        (lambda state: tavola.search(state, nodes=1, lookahead=-1), "lookahead"),
        (lambda state: tavola.prove(state, -1), "plies"),
    ],
)
def test_less_than_none_is_an_error(start: tavola.State, call: object, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} must be 0 or more, not -1"):
        call(start)  # type: ignore[operator]


def test_a_number_too_large_is_an_error(start: tavola.State) -> None:
    with pytest.raises(ValueError, match=r"seed must be below 2\*\*64, not 18446744073709551616"):
        tavola.playouts(start, 1, seed=2**64)
    with pytest.raises(ValueError, match=r"depth must be below 2\*\*32"):
        tavola.perft(start, 2**40)
    with pytest.raises(ValueError, match=r"plies must be below 2\*\*32"):
        tavola.prove(start, 2**70)
    with pytest.raises(ValueError, match=r"seed must be 0 or more"):
        tavola.playouts(start, 1, seed=-(2**80))
    assert tavola.playouts(start, 1, seed=2**64 - 1).count == 1


@pytest.mark.parametrize("seconds", [-1.0, float("nan")])
def test_negative_time_is_an_error(start: tavola.State, seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds must be 0 or more"):
        tavola.search(start, seconds=seconds)


def test_a_search_repeats_itself(start: tavola.State) -> None:
    def told(analysis: tavola.Analysis) -> list[tuple[object, ...]]:
        return [(line.action, line.shares, line.visits, line.variation) for line in analysis.lines]

    one = tavola.search(start, nodes=3000, threads=1, seed=1)
    assert told(one) == told(tavola.search(start, nodes=3000, threads=1, seed=1))
    assert told(one) != told(tavola.search(start, nodes=3000, threads=1, seed=2))
    assert one.nodes == 3000
    assert one.best == one.lines[0].action
    assert {line.action for line in one.lines} == set(start.legal_actions)
    assert sum(one.shares) == pytest.approx(1)
    assert all(sum(line.shares) == pytest.approx(1) for line in one.lines)
    for line in one.lines:
        bounds = zip(line.intervals, line.shares, strict=True)
        assert all(0 <= low <= share <= high <= 1 for (low, high), share in bounds)
    assert one.tree > 0
    assert not one.full


def test_to_choose_takes_less_than_to_analyse() -> None:
    state = tavola.load("potlatch").start()
    whole = tavola.search(state, nodes=50_000, threads=1, seed=1)
    choice = tavola.search(state, nodes=50_000, threads=1, seed=1, choose=True)
    assert choice.best == whole.best
    assert choice.nodes <= whole.nodes == 50_000


def test_a_searcher_keeps_what_lies_below(start: tavola.State) -> None:
    searcher = tavola.Searcher(start.game)
    first = searcher.search(start, nodes=5000, threads=1)
    line = first.lines[0]
    state = start.play_all(" ".join(line.variation[:2]))
    kept = searcher.search(state, nodes=100, threads=1)
    assert kept.nodes == 100
    assert sum(one.visits for one in kept.lines) > 200
    assert 0 < kept.bytes < first.bytes
    searcher.forget()
    anew = searcher.search(state, nodes=100, threads=1)
    assert sum(one.visits for one in anew.lines) == 100


def test_a_searcher_refuses_other_games(start: tavola.State) -> None:
    searcher = tavola.Searcher(tavola.load("potlatch", actions=3))
    with pytest.raises(ValueError, match=r"actions=3.*state is of.*actions=2"):
        searcher.search(start, nodes=10)


def test_a_searcher_works_for_one_thread_at_a_time(start: tavola.State) -> None:
    searcher = tavola.Searcher(start.game)
    stop = tavola.Stop()

    def search() -> None:
        while True:
            try:
                searcher.search(start, seconds=60, stop=stop)
            except RuntimeError:  # it is at work for the test
                continue
            return

    other = threading.Thread(target=search)
    other.start()

    def search_too() -> None:
        while other.is_alive():
            searcher.search(start, nodes=10)

    with pytest.raises(RuntimeError, match="at work in another thread"):
        search_too()
    stop.set()
    other.join()
    assert searcher.search(start, nodes=10).nodes == 10


def test_a_tree_keeps_to_its_memory(start: tavola.State) -> None:
    analysis = tavola.search(start, nodes=100_000, threads=1, memory=1)
    assert analysis.full
    assert analysis.bytes <= 1 << 20
    assert analysis.nodes == 100_000
    with pytest.raises(ValueError, match="memory must be 0 or more"):
        tavola.search(start, nodes=1, memory=-1)


def test_another_thread_stops_a_search_at_once(start: tavola.State) -> None:
    late = [NEVER * 1.0]
    # A fiftieth of a second is promised; a busy machine may be late, but not every time.
    while min(late) >= 0.02 and len(late) < 50:
        stop = tavola.Stop()
        told: list[float] = []

        def tell(stop: tavola.Stop = stop, told: list[float] = told) -> None:
            told.append(time.monotonic())
            stop.set()

        timer = threading.Timer(0.1, tell)
        timer.start()
        tavola.search(start, seconds=60, threads=1, stop=stop)
        late.append(time.monotonic() - told[0])
        timer.join()
    assert min(late) < 0.02, late


def test_another_thread_lets_a_search_rest_and_its_time_with_it(start: tavola.State) -> None:
    stop = tavola.Stop()
    stop.pause()
    began = time.monotonic()
    timer = threading.Timer(0.3, stop.resume)
    timer.start()
    analysis = tavola.search(start, seconds=0.2, threads=1, stop=stop)
    timer.join()
    assert time.monotonic() - began >= 0.5
    assert analysis.nodes > 0
    # A resting search can be ended.
    stop.pause()
    stop.set()
    assert tavola.search(start, seconds=60, threads=1, stop=stop).nodes == 0


def test_a_search_sees_a_win_in_one_turn() -> None:
    game = tavola.load("potlatch")
    # Red has two stacks and stands beside a third place of height two.
    state = game.parse("0,0:2;1,0:3r;2,0:3r;0,1:1;1,1:0 0,1;1,1 R 0 0,1 0 20 -")
    analysis = tavola.search(state, nodes=20_000, threads=1)
    assert analysis.lines[0].shares[0] > 0.5


def test_a_proof_is_the_truth_within_its_actions() -> None:
    game = tavola.load("proteus")
    # Black's counters fill row 1 but for c1, and KING leads there from c2.
    state = game.parse("Rc+:Bc/Bc+:Bs/Yc+/Rs:Wc/Bs:Ws/Ys:Bt/Rt:Wt/Bt/Yt B 9 -")
    proof = tavola.prove(state)
    assert proof is not None
    assert (proof.winner, proof.plies) == (0, 1)
    assert state.play("c2-c1").outcome == tavola.Outcome((0,), "goal")
    assert tavola.prove(state, 0) is None
    start = tavola.load("potlatch").start()
    assert tavola.prove(start, 4) is None
    # A proof ends the search, and a stop says how far it came.
    stopped = tavola.Stop()
    stopped.set()
    assert _core._prove_until(state) == (1, proof)
    assert _core._prove_until(start, 3) == (3, None)
    assert _core._prove_until(start, stop=stopped) == (0, None)


def test_a_search_without_lookahead_proves_nothing() -> None:
    game = tavola.load("proteus")
    state = game.parse("Rc+:Bc/Bc+:Bs/Yc+/Rs:Wc/Bs:Ws/Ys:Bt/Rt:Wt/Bt/Yt B 9 -")
    seeing = tavola.search(state, nodes=1, threads=1)
    assert (seeing.best, seeing.lines[0].proven) == ("c2-c1", True)
    assert not any(
        line.proven for line in tavola.search(state, nodes=1, threads=1, lookahead=0).lines
    )


def test_heavy_calls_let_other_threads_run(start: tavola.State) -> None:
    stop = tavola.Stop()
    searching = threading.Thread(
        target=tavola.search, args=(start,), kwargs={"seconds": 30, "stop": stop}
    )
    searching.start()
    for _ in range(50):
        time.sleep(0.01)  # waking up needs Python's lock
    assert searching.is_alive()
    stop.set()
    searching.join()


@pytest.mark.parametrize(
    "call",
    [
        lambda state: tavola.perft(state, NEVER),
        lambda state: tavola.playouts(state, 2**60, threads=2),
        lambda state: tavola.search(state, seconds=1e9),
        lambda state: tavola.prove(state, NEVER),
    ],
    ids=["perft", "playouts", "search", "prove"],
)
def test_ctrl_c_ends_heavy_calls(start: tavola.State, call: object) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(start)  # type: ignore[operator]
    timer.join()
    assert time.monotonic() - began < 30
