"""The contract that every executor must satisfy."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tavola.errors import TavolaError
from tavola.executors import Executor, WorkerProcessDied, run_in_order

FOLDER = str(Path(__file__).parent)
"""The folder of the tasks, from which other processes import them by their plain name."""

sys.path.append(FOLDER)
work: Any = importlib.import_module("executor_tasks")
sys.path.remove(FOLDER)


def tasks(count: int) -> list[tuple[int, int]]:
    return [(number + 1, number) for number in range(count)]


class ExecutorContract:
    """Tests of an executor with two processes."""

    @pytest.fixture(autouse=True)
    def found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "path", [*sys.path, FOLDER])

    @pytest.fixture
    def executor(self) -> Executor:
        raise NotImplementedError

    def test_every_task_has_one_result(self, executor: Executor) -> None:
        assert sorted(executor.run(work.squares, tasks(20))) == [n * n for n in range(20)]
        assert list(executor.run(work.squares, [])) == []

    def test_results_come_in_the_order_of_the_tasks(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        dying = partial(work.mortal, str(tmp_path), 2)
        for where in (executor, None):
            came = run_in_order(dying, tasks(8), where)
            assert list(came) == [n * n for n in range(8)]

    def test_a_task_whose_process_dies_runs_again(self, executor: Executor, tmp_path: Path) -> None:
        came = executor.run(partial(work.mortal, str(tmp_path), 2), tasks(8))
        assert sorted(came) == [n * n for n in range(8)]
        assert (tmp_path / "deaths").read_text() == "xx"

    def test_a_task_that_always_kills_its_process_is_reported(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        with pytest.raises(WorkerProcessDied, match="3 processes exited during game 4"):
            list(executor.run(partial(work.mortal, str(tmp_path), 9), tasks(8)))
        assert (tmp_path / "deaths").read_text() == "xxx"

    def test_an_error_of_a_task_is_raised(self, executor: Executor) -> None:
        with pytest.raises(TavolaError, match="three is refused"):
            list(executor.run(work.refusing, tasks(8)))

    def test_closing_stops_the_tasks_and_cleans_up(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        running = executor.run(partial(work.patient, str(tmp_path)), tasks(3))
        assert next(running) == 0
        running.close()
        began, left = (
            {path.name.removeprefix(name) for path in tmp_path.glob(f"{name}*")}
            for name in ("began-", "left-")
        )
        assert began == left != set()
