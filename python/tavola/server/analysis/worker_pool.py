"""The analysts: a few processes, started when first needed, that think for whoever asks."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator

import msgspec
import structlog

from tavola.server.analysis import worker
from tavola.server.analysis.worker import (
    Answer,
    Ended,
    Order,
    Stepped,
    StopOrder,
    StudyOrder,
    ThinkOrder,
)

_log = structlog.get_logger("tavola.analysts")

PATIENCE = 2.0
"""How long an analyst may take to stop, in seconds."""


class AnalystFailed(Exception):
    """An analyst has died, or could not do what it was ordered."""


class Analysts:
    """As many analysts as there may be; who finds all of them at work waits.

    Args:
        processes: How many.
    """

    def __init__(self, processes: int) -> None:
        self._places = asyncio.Semaphore(processes)
        self._idle: list[_Analyst] = []
        self._all: set[_Analyst] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def work(
        self, order: ThinkOrder | StudyOrder
    ) -> AsyncGenerator[worker.Thought | Stepped, None]:
        """What an analyst finds out, as it does; closing the generator ends its work.

        Raises:
            AnalystFailed: It has died, or could not do it.
        """
        await self._places.acquire()
        if self._closed:
            return
        at_work = self._idle.pop() if self._idle else self._hire()
        done = False
        try:
            await asyncio.to_thread(at_work.tell, order)
            while not isinstance(answer := await at_work.answers.get(), Ended):
                yield answer
            done = True
            if answer.error is not None:
                raise AnalystFailed(answer.error)
        finally:
            task = asyncio.create_task(self._let_rest(at_work, done=done))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Ends all of them at once."""
        self._closed = True
        for each in self._all:
            each.end()

    def _hire(self) -> _Analyst:
        hired = _Analyst(asyncio.get_running_loop())
        self._all.add(hired)
        return hired

    async def _let_rest(self, at_work: _Analyst, *, done: bool) -> None:
        """An analyst without work waits for more; one that does not stop is sent away."""
        try:
            if not done:
                async with asyncio.timeout(PATIENCE):
                    await asyncio.to_thread(at_work.tell, StopOrder())
                    while not isinstance(await at_work.answers.get(), Ended):
                        pass
            if at_work.alive and not self._closed:
                self._idle.append(at_work)
                return
        except TimeoutError:
            _log.warning("analyst did not stop", process=at_work.id)
        finally:
            self._places.release()
        at_work.end()
        self._all.discard(at_work)


class _Analyst:
    """One process, and the thread that hears what it says."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.answers: asyncio.Queue[Answer] = asyncio.Queue()
        self._loop = loop
        self._process = subprocess.Popen(
            [sys.executable, "-m", worker.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._telling = threading.Lock()
        self._silent = False
        threading.Thread(target=self._listen, name="tavola-analyst", daemon=True).start()

    @property
    def id(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be given orders."""
        return not self._silent

    def tell(self, order: Order) -> None:
        """Gives an order; one that cannot be given is answered as failed."""
        assert self._process.stdin is not None, "it was asked for"
        with self._telling, contextlib.suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(msgspec.json.encode(order) + b"\n")
            self._process.stdin.flush()

    def end(self) -> None:
        """Ends the process at once."""
        assert self._process.stdin is not None, "it was asked for"
        self._process.kill()
        self._process.wait()
        with self._telling, contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None, "it was asked for"
        decoder = msgspec.json.Decoder(Answer)
        with self._process.stdout as said:
            for line in said:
                self._hear(decoder.decode(line))
        self._silent = True
        self._hear(Ended("the process has ended"))

    def _hear(self, answer: Answer) -> None:
        # A loop that has been closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.answers.put_nowait, answer)
