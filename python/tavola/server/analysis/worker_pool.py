"""A pool of worker processes for analysis and drawings, started on demand."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

import msgspec
import structlog

from tavola.child_process import ChildProcess
from tavola.server.analysis import worker
from tavola.server.analysis.worker import (
    Finished,
    Job,
    PositionResult,
    RecordStep,
    Result,
    StopAnalysis,
    Task,
    TaskOutput,
)
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import Turn, WorkQueue

_log = structlog.get_logger("tavola.analysis")
_DECODER = msgspec.json.Decoder(TaskOutput)

STOP_SECONDS = 2.0
"""Seconds that a worker may take to stop."""


class WorkerFailed(Exception):
    """A worker has exited, or could not do its job."""


class WorkerPool:
    """A limited number of worker processes; further tasks wait, and clients take turns.

    Args:
        processes: How many.
        limits: The limits on the use of each client.
    """

    def __init__(self, processes: int, limits: RateLimits) -> None:
        self._queue = WorkQueue(processes, limits)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(
        self, task: Job, client: str, seconds: float | None = None
    ) -> AsyncGenerator[Result, None]:
        """Yield the outputs of a task; closing the generator stops it.

        An analysis stops after a step when other clients wait, to be continued.

        Args:
            task: What to do.
            client: The address that it is for.
            seconds: The longest time that it may take when it has begun.

        Raises:
            TimeoutError: It takes longer.
            WorkerFailed: It has died, or could not do it.
            RequestError: `analysis-limit`, `busy`.
        """
        turn = await self._queue.take(client)
        try:
            while not self._idle and not self._closed:
                # A worker that is started for a client who leaves is idle.
                await asyncio.shield(self._spawn(self._start_worker()))
        except BaseException:
            self._queue.end(turn)
            raise
        if self._closed:
            self._queue.end(turn)
            return
        worker, done = self._idle.pop(), False
        try:
            until = None if seconds is None else asyncio.get_running_loop().time() + seconds
            await asyncio.to_thread(worker.send, task)
            while True:
                async with asyncio.timeout_at(until):
                    output = await worker.outputs.get()
                if isinstance(output, Finished):
                    break
                yield output
                if self._queue.check(turn) and isinstance(output, RecordStep | PositionResult):
                    return
            done = True
            if output.error is not None:
                raise WorkerFailed(output.error)
        finally:
            self._spawn(self._release(worker, turn, done=done))

    def close(self) -> None:
        """End all of them at once."""
        self._closed = True
        for each in tuple(self._all):
            each.kill()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _start_worker(self) -> None:
        worker = await asyncio.to_thread(_Worker, asyncio.get_running_loop())
        self._all.add(worker)
        if self._closed:
            await asyncio.to_thread(worker.kill)
        else:
            self._idle.append(worker)

    async def _release(self, worker: _Worker, turn: Turn, *, done: bool) -> None:
        """Reuse an idle worker; end one that does not stop."""
        try:
            if not done:
                async with asyncio.timeout(STOP_SECONDS):
                    await asyncio.to_thread(worker.send, StopAnalysis())
                    while not isinstance(await worker.outputs.get(), Finished):
                        pass
            if worker.alive and not self._closed:
                self._idle.append(worker)
                return
        except TimeoutError:
            _log.warning("analysis worker did not stop", process=worker.id)
        finally:
            self._queue.end(turn)
        await asyncio.to_thread(worker.kill)
        self._all.discard(worker)


class _Worker:
    """One process, and its outputs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.outputs: asyncio.Queue[TaskOutput] = asyncio.Queue()
        self._loop = loop
        self._exited = False
        self._process = ChildProcess([sys.executable, "-m", worker.__name__], self._read_output)

    @property
    def id(self) -> int:
        """The process."""
        return self._process.id

    @property
    def alive(self) -> bool:
        """Whether it accepts jobs."""
        return not self._exited

    def send(self, task: Task) -> None:
        """Send a job; answer it as failed if it cannot be sent."""
        with contextlib.suppress(OSError):
            self._process.send(msgspec.json.encode(task))

    def kill(self) -> None:
        """End the process at once."""
        self._process.close()

    def _read_output(self, line: bytes | None) -> None:
        if line is None:
            self._exited = True
            self._put(Finished("the process has ended"))
        else:
            self._put(_DECODER.decode(line))

    def _put(self, output: TaskOutput) -> None:
        # A closed loop has no waiting tasks.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.outputs.put_nowait, output)
