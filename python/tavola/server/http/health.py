"""Health, readiness and metrics for the operator of a server."""

from __future__ import annotations

import asyncio

import structlog
from litestar import Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import tavola
from tavola.server.errors import RequestError
from tavola.server.http.server_state import ServerState
from tavola.server.ops import metrics
from tavola.server.schema.responses import Health
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tavola.server.storage.write_queue import free_bytes, is_disk_full

MIN_FREE_BYTES = 16 * 1024 * 1024
"""The free space of the disk below which it counts as full."""

DATABASE_SECONDS = 5
"""How long the database may take to answer."""

_log = structlog.get_logger("tavola.server")


@get("/healthz")
async def health(state: ServerState) -> Health:
    """Return whether the server and its database answer."""
    return await _healthy(state.database)


@get("/readyz")
async def ready(state: ServerState) -> Health:
    """Return whether the server has resumed its matches and can store data."""
    if state.fan_out is not None and not state.fan_out.connected:
        raise RequestError("apart")
    if not state.resuming.done():
        raise RequestError("starting")
    health = await _healthy(state.database)
    await _check_writing(state.database, state.downtime)
    return health


async def _healthy(database: Database) -> Health:
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await database.check()
    except Exception as error:
        _log.exception("database does not answer")
        raise RequestError("database") from error
    return Health("ok", tavola.__version__)


async def _check_writing(database: Database, downtime: Downtime) -> None:
    """Store something, and look whether there is room for more.

    A short entry may still fit into the space that SQLite's log has already.

    Raises:
        RequestError: `disk-full`, `not-writable`.
    """
    if free_bytes(database.url) < MIN_FREE_BYTES:
        _log.error("disk nearly full")
        raise RequestError("disk-full")
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await downtime.heartbeat()
    except Exception as error:
        _log.exception("database cannot be written to")
        raise RequestError("disk-full" if is_disk_full(error) else "not-writable") from error


@get("/metrics", include_in_schema=False)
async def get_metrics(state: ServerState) -> Response[bytes]:
    """Return the metrics in Prometheus's format."""
    metrics.OPEN_MATCHES.set(state.registry.open_count)
    metrics.SOCKETS.set(state.limits.viewers)
    metrics.DATABASE_QUEUE.set(state.database.write_queue.waiting)
    metrics.ENGINES_RUNNING.set(state.engines.running)
    metrics.ENGINES_WAITING.set(state.engines.waiting)
    metrics.ENGINE_THREADS.set(state.engines.threads)
    waiting = await state.notifier.count_waiting()
    for channel, (count, oldest) in waiting.items():
        metrics.DELIVERIES_WAITING.labels(channel).set(count)
        metrics.DELIVERIES_OLDEST.labels(channel).set(oldest)
    # The header is complete: a separate media type would add a second charset.
    return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST})
