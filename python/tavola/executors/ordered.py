"""Runs tasks and returns their results in the order of the tasks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from tavola._core import Stop
from tavola.executors.executor import Begin, C, Executor, G

__all__ = ["run_in_order"]


def run_in_order(
    begin: Begin[G, C], tasks: Iterable[tuple[int, G]], executor: Executor | None = None
) -> Generator[C]:
    """Run tasks; the results and their order do not depend on the executor.

    Closing the generator stops the running tasks.

    Args:
        begin: The set-up of every process.
        tasks: The tasks with their numbers.
        executor: Runs the tasks; `None` runs them in this process.

    Yields:
        The results, in the order of the tasks.

    Raises:
        WorkerProcessDied: If three processes exit during the same task.
        TavolaError: If a task raises it.
    """
    if executor is None:
        with begin(Stop()) as run:
            for _, task in tasks:
                if (result := run(task)) is not None:
                    yield result
        return
    placed = ((number, (place, task)) for place, (number, task) in enumerate(tasks))
    waiting: dict[int, C] = {}
    due = 0
    with closing(executor.run(partial(_placed, begin), placed)) as results:
        for place, result in results:
            waiting[place] = result
            while due in waiting:
                yield waiting.pop(due)
                due += 1


@contextmanager
def _placed(
    begin: Begin[G, C], stop: Stop
) -> Iterator[Callable[[tuple[int, G]], tuple[int, C] | None]]:
    """Yield a function that runs a task with its place, and returns both place and result."""
    with begin(stop) as run:

        def run_placed(placed: tuple[int, G]) -> tuple[int, C] | None:
            place, task = placed
            result = run(task)
            return None if result is None else (place, result)

        yield run_placed
