"""What whoever hosts the server asks it: whether it lives, whether it is ready, what it does."""

from __future__ import annotations

import asyncio

import structlog
from litestar import Response, get
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import tavola
from tavola.server.live.match_registry import Tables
from tavola.server.ops import metrics
from tavola.server.ops.rate_limits import Limits
from tavola.server.schema.errors import Refused
from tavola.server.schema.responses import Health
from tavola.server.storage.database import Store
from tavola.server.storage.downtime import Uptime
from tavola.server.storage.write_queue import is_full

DATABASE_SECONDS = 5
"""How long the database may take to answer."""

_log = structlog.get_logger("tavola.server")


@get("/healthz")
async def health(state: State) -> Health:
    """Whether the server and its database answer."""
    return await _healthy(state.store)


@get("/readyz")
async def ready(state: State) -> Health:
    """Whether it has taken up again what was going on when it was stopped, and can store more."""
    if state.fan_out is not None and not state.fan_out.connected:
        raise Refused("apart")
    if not state.resuming.done():
        raise Refused("starting")
    health = await _healthy(state.store)
    await _check_writing(state.uptime)
    return health


async def _healthy(store: Store) -> Health:
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await store.check()
    except Exception as error:
        _log.exception("database does not answer")
        raise Refused("database") from error
    return Health("ok", tavola.__version__)


async def _check_writing(uptime: Uptime) -> None:
    """Stores something: nothing less shows that there is room for it.

    Raises:
        Refused: `disk-full`, `not-writable`.
    """
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await uptime.beat()
    except Exception as error:
        _log.exception("database cannot be written to")
        raise Refused("disk-full" if is_full(error) else "not-writable") from error


@get("/metrics", include_in_schema=False)
async def get_metrics(state: State) -> Response[bytes]:
    """What it does, for Prometheus."""
    tables: Tables = state.tables
    limits: Limits = state.limits
    store: Store = state.store
    metrics.OPEN.set(tables.open_now)
    metrics.SOCKETS.set(limits.viewers)
    metrics.WAITING.set(store.writer.waiting)
    metrics.THINKING.set(state.engines.thinking)
    metrics.QUEUED.set(state.engines.waiting)
    metrics.THREADS.set(state.engines.threads)
    # The bytes say their own type: a media type given apart would get a second charset.
    return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST})
