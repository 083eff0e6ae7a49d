"""Thoughts that are not over when their turn is: they rest for others, and lose nothing by it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.engines.builtin import SearchEngine
from tavola.server.live import engine_pool
from tavola.server.live.engine_pool import EnginePool, SearchTask
from tests.server.http.test_health import figure
from tests.server.live_server import ENGINE, PERSON, serve, wait_until

START = tavola.load("potlatch").start()
LONG = "auto:seconds=600"
QUICK = "random"


def run(work: Callable[[EnginePool], Coroutine[Any, Any, None]], *, threads: int = 1) -> None:
    """Does something with engines that think."""

    async def begin() -> None:
        pool = EnginePool(threads)
        try:
            await asyncio.wait_for(work(pool), 60)
        finally:
            await pool.close()

    asyncio.run(begin())


class Thinking:
    """A search that a client waits for."""

    def __init__(self, pool: EnginePool, engine: str, person: str, *, alone: bool = False) -> None:
        self.has_begun = False
        match = f"{engine} for {person}"
        self.thought = SearchTask(match, engine, START, is_background=alone, on_start=self._begin)
        self.task = asyncio.create_task(pool.choose_action(self.thought, [person]))

    def _begin(self) -> None:
        self.has_begun = True

    @property
    def over(self) -> bool:
        return self.task.done()


@contextmanager
def turns_of(seconds: float) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_pool, "TIME_SLICE", seconds)
        yield


@pytest.mark.long
def test_a_long_search_delays_no_other_client(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as pool:
        long = pool.create_match(seats=[{"kind": "engine", "seconds": 60}, PERSON])
        wait_until(lambda: figure(pool, "tavola_engines_thinking") == 1)
        quick = pool.from_client("203.0.113.5").create_match(seats=[ENGINE, PERSON])
        began = time.monotonic()
        # Its whole turn: it thinks twice, and each time it waits for the end of the other's turn.
        wait_until(lambda: quick.snapshot()["seq"] == 2)
        assert time.monotonic() - began < 10
        assert long.snapshot()["seq"] == 0
        assert figure(pool, "tavola_engines_thinking") == 1


def test_a_paused_search_gives_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[tavola.Analysis] = []
    choose = SearchEngine.choose

    def heard(*args: Any, **more: Any) -> tavola.Choice:
        choice = choose(*args, **more)
        assert choice.analysis is not None
        found.append(choice.analysis)
        return choice

    monkeypatch.setattr(SearchEngine, "choose", heard)
    engine = "uct:nodes=300000,seed=3"

    async def through(pool: EnginePool) -> None:
        await pool.choose_action(SearchTask("through", engine, START))

    async def with_rests(pool: EnginePool) -> None:
        long = Thinking(pool, engine, "a")
        rests = 0
        while not long.over:
            await Thinking(pool, QUICK, "b").task
            rests += not long.over
        assert rests > 2

    run(through)
    with turns_of(0.05):
        run(with_rests)
    one, other = found
    assert one.nodes == other.nodes == 300_000
    assert (one.best, one.tree) == (other.best, other.tree)
    assert [line.visits for line in one.lines] == [line.visits for line in other.lines]


def test_two_long_searches_alternate_and_each_has_its_time() -> None:
    async def work(pool: EnginePool) -> None:
        began = time.monotonic()
        both = [Thinking(pool, "uct:seconds=0.5", person) for person in ("a", "b")]
        await asyncio.wait([one.task for one in both], return_when=asyncio.FIRST_COMPLETED)
        # The first of them is over when the second has thought nearly as long.
        assert time.monotonic() - began > 0.7
        await asyncio.gather(*(one.task for one in both))
        assert time.monotonic() - began >= 1.0

    with turns_of(0.05):
        run(work)


def test_two_searches_of_one_client_run_one_after_the_other() -> None:
    async def work(pool: EnginePool) -> None:
        Thinking(pool, LONG, "a")
        second = Thinking(pool, QUICK, "a")
        await asyncio.sleep(0.5)
        assert not second.over
        await Thinking(pool, QUICK, "b").task
        await asyncio.sleep(0.5)
        # The one that rested went on before the other began.
        assert not second.over

    with turns_of(0.05):
        run(work)


def test_engine_matches_pause_while_a_person_waits() -> None:
    async def work(pool: EnginePool) -> None:
        Thinking(pool, LONG, "a", alone=True)
        await asyncio.sleep(0.2)
        # A viewer of an engine match waits for it too.
        Thinking(pool, LONG, "a")
        await asyncio.sleep(0.5)
        assert (pool.running, pool.waiting) == (1, 1)
        await Thinking(pool, QUICK, "b").task

    with turns_of(0.05):
        run(work)


def test_a_paused_search_can_be_stopped() -> None:
    async def work(pool: EnginePool) -> None:
        first, second = (Thinking(pool, LONG, person) for person in ("a", "b"))
        while not second.has_begun:
            await asyncio.sleep(0.01)
        pool.stop(first.thought)
        assert await first.task is None

    with turns_of(0.05):
        run(work)


def test_the_number_of_paused_searches_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "CACHED_ENGINES", 1)

    async def work(pool: EnginePool) -> None:
        Thinking(pool, LONG, "a")
        second = Thinking(pool, LONG, "b")
        await asyncio.sleep(0.5)
        third = Thinking(pool, QUICK, "c")
        await asyncio.sleep(0.5)
        assert not third.over
        assert (pool.running, pool.waiting) == (1, 2)
        # When the one at work is over, the other continues and makes way when its turn is.
        pool.stop(second.thought)
        await third.task

    with turns_of(0.05):
        run(work)
