"""How long work is followed: a bar on a terminal, elsewhere a line now and then."""

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

TOLD_EVERY = 30.0


@contextmanager
def followed(
    console: Console, what: str, *, total: int, done: int = 0
) -> Iterator[Callable[[int, str], None]]:
    """Shows how far work has come.

    Args:
        console: Where; whatever else is told meanwhile is printed there too.
        what: What is done.
        total: How many steps there are.
        done: How many have been taken before.

    Yields:
        What is to be called after a step, with how many are done and what to say of them.
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
    told = time.monotonic()

    def tell(done: int, what: str) -> None:
        nonlocal told
        progress.update(task, completed=done, description=what)
        if not console.is_terminal and time.monotonic() - told >= TOLD_EVERY:
            told = time.monotonic()
            console.print(f"{done}/{total}  {what}", markup=False)

    with progress:
        task = progress.add_task(what, total=total, completed=done)
        yield tell
