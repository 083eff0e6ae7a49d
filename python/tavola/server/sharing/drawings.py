"""Draws in worker processes, a few at a time, and caches what they return."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from contextlib import aclosing
from dataclasses import dataclass

import msgspec
import structlog

from tavola.errors import PictureError
from tavola.raster import check_packages
from tavola.server.analysis.worker import Drawn
from tavola.server.analysis.worker_pool import WorkerFailed, WorkerPool
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.schema.errors import RequestError
from tavola.server.sharing.draw import Animation, DrawTask, Image, Page

__all__ = ["Drawing", "Drawings"]

PROCESSES = 2
MOST_WAITING = 16
"""The number of drawings that may wait; more are refused."""
SECONDS = {Image: 30.0, Page: 60.0, Animation: 120.0}
"""The time limit of a drawing, by its kind."""
COST = {Image: 1.0, Page: 5.0, Animation: 15.0}
"""The cost of a drawing, in seconds of a client's time for analysis."""
CACHE_BYTES = 64 * 1024 * 1024
_TYPES = {Image: "image/png", Page: "text/html; charset=utf-8", Animation: "image/gif"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """An image or page.

    Attributes:
        body: Its bytes.
        media_type: What it is.
    """

    body: bytes
    media_type: str


_log = structlog.get_logger("tavola.sharing")


class Drawings:
    """The images and pages that this server draws.

    Args:
        limits: The limits on the use of each client.

    Attributes:
        can_raster: Whether the packages for images are installed.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._slots = asyncio.Semaphore(PROCESSES)
        self._workers = WorkerPool(PROCESSES)
        self._waiting = 0
        self._cache: OrderedDict[str, Drawing] = OrderedDict()
        self._size = 0
        self._running: dict[str, asyncio.Task[Drawing]] = {}
        try:
            check_packages("resvg_py", "PIL")
            self.can_raster = True
        except PictureError:
            self.can_raster = False

    async def get(self, task: DrawTask, client: str) -> Drawing:
        """Return a drawing, from the cache if it is known.

        Args:
            task: What to draw.
            client: The address that asks.

        Raises:
            RequestError: `no-images`, `analysis-limit`, `drawing-busy`, `drawing-failed`.
        """
        if not self.can_raster and not isinstance(task, Page):
            raise RequestError("no-images")
        data = msgspec.json.encode(task)
        key = hashlib.sha256(data).hexdigest()
        if (known := self._cache.get(key)) is not None:
            self._cache.move_to_end(key)
            return known
        running = self._running.get(key)
        if running is None:
            if self._waiting >= MOST_WAITING:
                raise RequestError("drawing-busy")
            self._limits.count_analysis(client, COST[type(task)])
            running = asyncio.create_task(self._draw(task, key))
            self._running[key] = running
            running.add_done_callback(lambda _: self._running.pop(key, None))
        # One drawing serves all who ask for it; the first may leave.
        return await asyncio.shield(running)

    async def close(self) -> None:
        """Stop all drawings."""
        running = list(self._running.values())
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.to_thread(self._workers.close)

    async def _draw(self, task: DrawTask, key: str) -> Drawing:
        self._waiting += 1
        try:
            async with self._slots:
                body = await self._run(task)
        finally:
            self._waiting -= 1
        drawing = Drawing(body, _TYPES[type(task)])
        self._cache[key] = drawing
        self._size += len(body)
        while self._size > CACHE_BYTES and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._size -= len(oldest.body)
        return drawing

    async def _run(self, task: DrawTask) -> bytes:
        """Draw in a worker process.

        Raises:
            RequestError: `drawing-failed`.
        """
        seconds = SECONDS[type(task)]
        try:
            async with asyncio.timeout(seconds), aclosing(self._workers.run(task)) as outputs:
                async for drawn in outputs:
                    assert isinstance(drawn, Drawn)
                    return drawn.body
        except TimeoutError:
            _log.error("drawing took too long", seconds=seconds)
        except WorkerFailed as error:
            _log.error("drawing failed", error=str(error)[-500:])
        raise RequestError("drawing-failed")
