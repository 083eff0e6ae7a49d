"""The interface of executors: they run independent tasks in several processes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager
from typing import Generic, Self, TypeVar

from tavola._core import Stop
from tavola.errors import Message, TavolaError

__all__ = ["MAX_ATTEMPTS", "Begin", "C", "Executor", "G", "Task", "WorkerProcessDied"]

MAX_ATTEMPTS = 3
"""The number of processes that may exit while they run a task, before its executor gives up."""

G = TypeVar("G")
"""The task."""

C = TypeVar("C")
"""The result."""

Begin = Callable[[Stop], AbstractContextManager[Callable[[G], C | None]]]
"""Sets up a process and cleans up after it. Yields the function that runs a task; this returns None
if `Stop` was set."""


class WorkerProcessDied(TavolaError):
    """Worker processes exited while they ran a task, or a process cannot start.

    Attributes:
        number: The number of the task; None if a process ended before its first task.
        status: The exit status of the last process, negative for a signal; None if unknown.
    """

    def __init__(self, number: int | None, status: int | None = None) -> None:
        super().__init__(number, status)
        self.number = number
        self.status = status

    def __str__(self) -> str:
        if self.number is None:
            return Message(
                "a worker process ended at its start with status {status}. In a script, call "
                'functions that start processes under `if __name__ == "__main__":`',
                status=self.status,
            )
        if self.status is None:
            return Message(
                "{count} processes exited during game {number}",
                count=MAX_ATTEMPTS,
                number=self.number,
            )
        return Message(
            "{count} processes exited during game {number}, the last one with status {status}",
            count=MAX_ATTEMPTS,
            number=self.number,
            status=self.status,
        )


class Task(Generic[G]):
    """A task with its number.

    Args:
        number: The number, for messages.
        task: The task.

    Attributes:
        deaths: The number of processes that exited while they ran it.
    """

    def __init__(self, number: int, task: G) -> None:
        self.number = number
        self.task = task
        self.deaths = 0

    def survive(self, status: int | None = None) -> None:
        """Count a process that exited while it ran the task.

        Raises:
            WorkerProcessDied: If the task must not run again.
        """
        self.deaths += 1
        if self.deaths == MAX_ATTEMPTS:
            raise WorkerProcessDied(self.number, status)


class Executor(ABC):
    """Runs independent tasks in several processes. It is a context manager that closes itself.

    A result depends only on its task, so every executor gives the same results. A task whose
    process exits is run again in another process.

    Attributes:
        processes: The number of processes.
    """

    processes: int

    @abstractmethod
    def run(self, begin: Begin[G, C], tasks: Iterable[tuple[int, G]]) -> Generator[C]:
        """Run tasks.

        Closing the generator stops the running tasks and ends the processes.

        Args:
            begin: The set-up of every process. It is pickled, as the tasks and results are.
            tasks: The tasks with their numbers.

        Yields:
            The results, in the order in which the tasks end.

        Raises:
            WorkerProcessDied: If three processes exit during the same task.
            TavolaError: If a task raises it.
        """

    def close(self) -> None:  # noqa: B027 - most executors have nothing to close
        """Release what the executor holds. Closing it twice is allowed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
