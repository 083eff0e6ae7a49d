"""The long work of a command: its progress, and what ends it early."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from tavola.cli.errors import UsageError
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import interrupt_on_termination
from tavola.errors import EngineFailed
from tavola.executors import WorkerProcessDied


class Work:
    """Work in progress.

    Attributes:
        tell: To call after each step, with the number of done steps and a description.
        status: The exit code: not 0 if the work ended early.
    """

    tell: Callable[[int, str], None]
    status = 0


@contextmanager
def long_work(
    translate: Translator, what: str, *, total: int, done: int = 0, out: Path | None = None
) -> Iterator[Work]:
    """Show the progress of work. An interrupt, a lost process or a failed engine ends it early.

    Args:
        translate: The language.
        what: The description of the work.
        total: The number of steps.
        done: The number of steps that are already done.
        out: The file that the work writes.

    Yields:
        The work.

    Raises:
        UsageError: If the file cannot be written.
    """
    console, work = Console(stderr=True, highlight=False), Work()
    try:
        with (
            interrupt_on_termination(),
            show_progress(console, what, total=total, done=done) as work.tell,
        ):
            yield work
    except KeyboardInterrupt:
        work.status = INTERRUPTED
    except (WorkerProcessDied, EngineFailed) as error:
        key = "match.died" if isinstance(error, WorkerProcessDied) else "error.engine"
        console.print(translate(key, detail=error), style="red")
        work.status = FAILED
    except OSError as error:
        if out is None:
            raise
        raise UsageError(translate, "cannot-write", file=out, detail=error) from None
