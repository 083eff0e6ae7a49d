"""A pool of worker processes for analysis, started on demand."""

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
    AnalysePosition,
    AnalyseRecord,
    Finished,
    RecordStep,
    StopAnalysis,
    Task,
    TaskOutput,
)

_log = structlog.get_logger("tavola.analysis")

STOP_SECONDS = 2.0
"""Seconds that a worker may take to stop."""


class WorkerFailed(Exception):
    """A worker has exited, or could not do its job."""


class WorkerPool:
    """A limited number of worker processes; further tasks wait.

    Args:
        processes: How many.
    """

    def __init__(self, processes: int) -> None:
        self._slots = asyncio.Semaphore(processes)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(
        self, task: AnalysePosition | AnalyseRecord
    ) -> AsyncGenerator[worker.PositionResult | RecordStep, None]:
        """Yield the outputs of a task; closing the generator stops it.

        Raises:
            WorkerFailed: It has died, or could not do it.
        """
        await self._slots.acquire()
        if self._closed:
            return
        worker = self._idle.pop() if self._idle else self._start_worker()
        done = False
        try:
            await asyncio.to_thread(worker.send, task)
            while not isinstance(output := await worker.outputs.get(), Finished):
                yield output
            done = True
            if output.error is not None:
                raise WorkerFailed(output.error)
        finally:
            releasing = asyncio.create_task(self._release(worker, done=done))
            self._tasks.add(releasing)
            releasing.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """End all of them at once."""
        self._closed = True
        for each in self._all:
            each.kill()

    def _start_worker(self) -> _Worker:
        worker = _Worker(asyncio.get_running_loop())
        self._all.add(worker)
        return worker

    async def _release(self, worker: _Worker, *, done: bool) -> None:
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
            self._slots.release()
        worker.kill()
        self._all.discard(worker)


class _Worker:
    """One process, and the thread that reads its outputs."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.outputs: asyncio.Queue[TaskOutput] = asyncio.Queue()
        self._loop = loop
        self._process = subprocess.Popen(
            [sys.executable, "-m", worker.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._write_lock = threading.Lock()
        self._exited = False
        threading.Thread(target=self._read_outputs, name="tavola-analysis", daemon=True).start()

    @property
    def id(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it accepts jobs."""
        return not self._exited

    def send(self, task: Task) -> None:
        """Send a job; answer it as failed if it cannot be sent."""
        assert self._process.stdin is not None, "it was asked for"
        with self._write_lock, contextlib.suppress(BrokenPipeError, ValueError):
            self._process.stdin.write(msgspec.json.encode(task) + b"\n")
            self._process.stdin.flush()

    def kill(self) -> None:
        """End the process at once."""
        assert self._process.stdin is not None, "it was asked for"
        self._process.kill()
        self._process.wait()
        with self._write_lock, contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()

    def _read_outputs(self) -> None:
        assert self._process.stdout is not None, "it was asked for"
        decoder = msgspec.json.Decoder(TaskOutput)
        with self._process.stdout as said:
            for line in said:
                self._put(decoder.decode(line))
        self._exited = True
        self._put(Finished("the process has ended"))

    def _put(self, output: TaskOutput) -> None:
        # A closed loop has no waiting tasks.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.outputs.put_nowait, output)
