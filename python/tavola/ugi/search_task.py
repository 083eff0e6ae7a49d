"""A running search of a UGI session, in its own thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from tavola._core import State, Stop
from tavola.engines import Choice, Engine, Info, Limits
from tavola.engines.ugi_messages import info_line
from tavola.errors import EngineFailed

__all__ = ["SearchTask"]


class SearchTask:
    """A search of one position.

    Args:
        engine: The engine.
        state: A state in which a seat is to act.
        limits: The limits. Without limits the search answers only when it is stopped.
        own: Whether to use the limits of the engine's specification in place of `limits`.
        lines: The number of best actions to report.
        write: Writes a line; another thread may call it.
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
        """Whether the search has answered."""
        return self._answered.is_set()

    def stop(self) -> None:
        """Stop the search, and return after it has answered with the best action so far."""
        self._stop.set()
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # the client has exited
            self._answer()

    def _answer(self) -> None:
        endless = self._limits == Limits()
        try:
            choice = self._engine.choose(
                self._state,
                limits=None if self._own else self._limits,
                stop=self._stop,
                tell=self._tell,
            )
        except EngineFailed as error:
            self._write(f"info string error: {' '.join(error.details.split())}")
            self._answered.set()
            self._write("bestmove none")
            return
        if self._own or not endless:
            self._tell(choice)
        if endless:
            self._stopped.wait()
        # Set before the answer, because the client may send its next command immediately.
        self._answered.set()
        self._write(f"bestmove {choice.token}")

    def _tell(self, choice: Choice) -> None:
        """Report the best actions so far."""
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
