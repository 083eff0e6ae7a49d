"""Draws in worker processes, a few at a time, and caches what they return."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

import msgspec
import structlog

from tavola.errors import PictureError
from tavola.raster import check_packages
from tavola.server.analysis.draw import Animation, DrawTask, Image, Page
from tavola.server.analysis.worker import Drawn
from tavola.server.analysis.worker_pool import WorkerFailed, WorkerPool
from tavola.server.errors import RequestError
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.single_flight import SingleFlight

__all__ = ["Drawing", "Drawings"]

PROCESSES = 2
SECONDS = {Image: 30.0, Page: 60.0, Animation: 120.0}
"""The time limit of a drawing, by its kind."""
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
        self._workers = WorkerPool(PROCESSES, limits)
        self._cache: OrderedDict[str, Drawing] = OrderedDict()
        self._size = 0
        self._running = SingleFlight[str, Drawing]()
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
            RequestError: `no-images`, `analysis-limit`, `busy`, `drawing-failed`.
        """
        if not self.can_raster and not isinstance(task, Page):
            raise RequestError("no-images")
        data = msgspec.json.encode(task)
        key = hashlib.sha256(data).hexdigest()
        if (known := self._cache.get(key)) is not None:
            self._cache.move_to_end(key)
            return known
        return await self._running.get(key, partial(self._draw, task, key, client))

    async def close(self) -> None:
        """Stop all drawings."""
        await self._running.close()
        await asyncio.to_thread(self._workers.close)

    async def _draw(self, task: DrawTask, key: str, client: str) -> Drawing:
        body = await self._run(task, client)
        drawing = Drawing(body, _TYPES[type(task)])
        self._cache[key] = drawing
        self._size += len(body)
        while self._size > CACHE_BYTES and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._size -= len(oldest.body)
        return drawing

    async def _run(self, task: DrawTask, client: str) -> bytes:
        """Draw in a worker process.

        Raises:
            RequestError: `drawing-failed`, `analysis-limit`, `busy`.
        """
        seconds = SECONDS[type(task)]
        try:
            async with aclosing(self._workers.run(task, client, seconds)) as outputs:
                async for drawn in outputs:
                    assert isinstance(drawn, Drawn)
                    if drawn.missing:
                        _log.warning(
                            "no font has some characters of a drawing; install Noto Sans CJK",
                            characters=drawn.missing,
                        )
                    return drawn.body
        except TimeoutError:
            _log.error("drawing took too long", seconds=seconds)
        except WorkerFailed as error:
            _log.error("drawing failed", error=str(error)[-500:])
        raise RequestError("drawing-failed")
