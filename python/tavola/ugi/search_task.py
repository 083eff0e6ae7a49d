"""A thought: a search in a thread of its own, told as it goes and answered at its end."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from tavola._core import State, Stop
from tavola.engines import Choice, Engine, Info, Limits
from tavola.engines.ugi_messages import info_line

__all__ = ["SearchTask"]


class SearchTask:
    """An engine at work on one position.

    Args:
        engine: The engine.
        state: The position; a seat is to act in it.
        limits: What it may use. Without any, it answers only when it is stopped, as UGI has it.
        own: Whether it keeps to the limits in its own name instead.
        lines: How many of the best actions to tell of.
        write: Writes a line; may be called from another thread.
    """

    def __init__(
        self,
        engine: Engine,
        state: State,
        *,
        limits: Limits,
        own: bool,
        lines: int,
        write: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._state = state
        self._limits = limits
        self._own = own
        self._lines = lines
        self._write = write
        self._stop = Stop()
        self._stopped = threading.Event()
        self._answered = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """Whether it has answered."""
        return self._answered.is_set()

    def stop(self) -> None:
        """Ends it: it answers what seems best by now. Returns when it has."""
        self._stop.set()
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # Nobody hears it any more.
            self._answer()

    def _answer(self) -> None:
        endless = self._limits == Limits()
        choice = self._engine.choose(
            self._state,
            limits=None if self._own else self._limits,
            stop=self._stop,
            tell=self._tell,
        )
        if self._own or not endless:
            self._tell(choice)
        if endless:
            self._stopped.wait()
        # Before the answer: whoever reads it may go on at once.
        self._answered.set()
        self._write(f"bestmove {choice.token}")

    def _tell(self, choice: Choice) -> None:
        """Tells what seems best by now."""
        if choice.analysis is None or self._lines == 1:
            if choice.info != Info():
                self._write(info_line(choice.info))
            return
        for rank, line in enumerate(choice.analysis.lines[: self._lines], start=1):
            info = Info(
                shares=line.shares,
                proven=line.proven,
                worth=choice.info.worth,
                variation=line.variation,
                nodes=choice.info.nodes,
                seconds=choice.info.seconds,
            )
            self._write(info_line(info, rank=rank))
