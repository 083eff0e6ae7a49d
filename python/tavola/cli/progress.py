"""Shows the progress of long work: a bar on a terminal, or a line every 30 seconds elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

LINE_EVERY_SECONDS = 30.0


@contextmanager
def show_progress(
    console: Console, what: str, *, total: int, done: int = 0
) -> Iterator[Callable[[int, str], None]]:
    """Show the progress of work.

    Args:
        console: The console, which other output should use too.
        what: The description of the work.
        total: The number of steps.
        done: The number of steps that are already done.

    Yields:
        A function to call after each step, with the number of done steps and a description.
    """
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    printed = time.monotonic()

    def update(done: int, what: str) -> None:
        nonlocal printed
        progress.update(task, completed=done, description=what)
        if not console.is_terminal and time.monotonic() - printed >= LINE_EVERY_SECONDS:
            printed = time.monotonic()
            console.print(f"{done}/{total}  {what}", markup=False)

    with progress:
        task = progress.add_task(what, total=total, completed=done)
        yield update
