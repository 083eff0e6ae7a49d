"""How the server is put together, from its start to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp

from tavola._core import LazyView
from tavola.server.accounts.accounts import Accounts
from tavola.server.accounts.ratings import Ratings
from tavola.server.analysis.reviews import Reviews
from tavola.server.analysis.worker_pool import Analysts
from tavola.server.http import openapi
from tavola.server.http.account_routes import ROUTES as ACCOUNT_ROUTES
from tavola.server.http.error_responses import HANDLERS
from tavola.server.http.health import get_metrics, health, ready
from tavola.server.http.lobby import Lobby
from tavola.server.http.routes import ROUTES
from tavola.server.http.security_middleware import Guard
from tavola.server.http.static_files import Client, client_file
from tavola.server.http.websocket import PlainSocket
from tavola.server.live.account_matches import Belongings
from tavola.server.live.engine_pool import Engines
from tavola.server.live.match_registry import Tables
from tavola.server.ops import metrics
from tavola.server.ops.rate_limits import BODY, Limits
from tavola.server.schema.event_list import Log
from tavola.server.schema.requests import decode
from tavola.server.schema.responses import written
from tavola.server.settings import Settings
from tavola.server.storage.database import Store
from tavola.server.storage.downtime import Uptime


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is read straight into the type that the handler names, unconverted."""

    async def json(self) -> Any:
        """The body, read.

        Raises:
            Refused: `malformed`, `invalid`.
        """
        field = self.route_handler.parsed_data_field
        wanted: type[Any] = field.annotation if field else object
        return decode(await self.body(), msgspec.json.Decoder(wanted))


PROVIDED = ("tables", "lobby", "accounts", "ratings", "belongings")
"""What routes may ask for by name, of the application's state."""


def _of_the_state(name: str) -> Provide:
    """What gives something to the routes that ask for it by name."""

    def give(state: State) -> Any:
        return state[name]

    return Provide(give, sync_to_thread=False)


def build(settings: Settings, store: Store) -> ASGIApp:
    """The server as an ASGI application.

    Args:
        settings: What was chosen.
        store: The database, open; it is closed when the application ends.
    """
    limits = Limits()
    routes = [*ROUTES, *ACCOUNT_ROUTES, health, ready, get_metrics, client_file]
    openapi.describe(routes)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        engines = Engines(settings.engine_threads)
        analysts = Analysts(settings.analysts)
        uptime = Uptime(store)
        await uptime.begin()
        tables = Tables(store, engines, uptime, fan_out)
        if fan_out is not None:
            fan_out.begin(tables)
        accounts = Accounts(store, limits)
        lobby = Lobby(store, tables)
        app.state.update(
            {
                "store": store,
                "uptime": uptime,
                "tables": tables,
                "accounts": accounts,
                "belongings": Belongings(store),
                "ratings": Ratings(store),
                "lobby": lobby,
                "reviews": Reviews(analysts, limits),
                "limits": limits,
                "client": Client(settings.client),
            }
        )
        store.writer.committed = metrics.committed
        resume = tables.resume if fan_out is None else fan_out.resumed
        resuming = asyncio.create_task(resume())
        app.state.update({"engines": engines, "resuming": resuming, "fan_out": fan_out})
        working = [
            resuming,
            asyncio.create_task(lobby.run()),
            asyncio.create_task(uptime.keep(tables.ticking)),
        ]
        try:
            yield
        finally:
            for task in working:
                task.cancel()
            if tables.ticking():
                await uptime.beat()
            await asyncio.to_thread(analysts.close)
            await engines.close()
            if fan_out is not None:
                await fan_out.end()
            await asyncio.to_thread(accounts.close)
            await asyncio.to_thread(store.close)

    app = Litestar(
        routes,
        lifespan=[lifespan],
        dependencies={name: _of_the_state(name) for name in PROVIDED},
        exception_handlers=HANDLERS,
        request_class=StrictRequest,
        websocket_class=PlainSocket,
        type_encoders={LazyView: written, Log: written},
        request_max_body_size=BODY,
        logging_config=None,
        openapi_config=openapi.config(),
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2048, gzip_compress_level=5, exclude_opt_key="compressed"
        ),
    )
    fan_out = None
    if settings.fan_out is not None:
        # Its library is there for those who want it only.
        from tavola.server.cluster.router import FanOut

        fan_out = FanOut(app, settings.fan_out)
    return Guard(fan_out or app, limits=limits, origins=settings.origins)
