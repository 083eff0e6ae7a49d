"""How the server is put together, from its start to its end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import msgspec
from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp

from tavola import page_template
from tavola._core import LazyView
from tavola.server.accounts.accounts import Accounts
from tavola.server.accounts.puzzle_progress import PuzzleResults
from tavola.server.accounts.ratings import Ratings
from tavola.server.accounts.speech import SpeechRules
from tavola.server.analysis.reviews import Reviews
from tavola.server.analysis.worker_pool import WorkerPool
from tavola.server.archive.archive import Archive
from tavola.server.http import openapi
from tavola.server.http.account_routes import ROUTES as ACCOUNT_ROUTES
from tavola.server.http.account_stream import AccountStreams
from tavola.server.http.archive_routes import ROUTES as ARCHIVE_ROUTES
from tavola.server.http.authentication import GUARDS
from tavola.server.http.bell import Bell
from tavola.server.http.error_responses import EXCEPTION_HANDLERS
from tavola.server.http.game_routes import ROUTES as GAME_ROUTES
from tavola.server.http.health import get_metrics, health, ready
from tavola.server.http.lesson_routes import ROUTES as LESSON_ROUTES
from tavola.server.http.lobby import Lobby
from tavola.server.http.moderation_routes import ROUTES as MODERATION_ROUTES
from tavola.server.http.notification_routes import ROUTES as NOTIFICATION_ROUTES
from tavola.server.http.people_routes import ROUTES as PEOPLE_ROUTES
from tavola.server.http.quick_pairing import ROUTES as PAIRING_ROUTES
from tavola.server.http.routes import ROUTES
from tavola.server.http.security_middleware import SecurityMiddleware
from tavola.server.http.server_state import ServerState
from tavola.server.http.sharing_routes import ROUTES as SHARING_ROUTES
from tavola.server.http.static_files import StaticFiles, client_file
from tavola.server.http.tournament_routes import ROUTES as TOURNAMENT_ROUTES
from tavola.server.http.watch_socket import ROUTES as WATCH_ROUTES
from tavola.server.http.websocket import DirectWebSocket
from tavola.server.live.account_matches import AccountMatches
from tavola.server.live.agents import Agents
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.finished_matches import fill
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.live.unplayed_matches import purge
from tavola.server.moderation.bans import Bans
from tavola.server.moderation.feed import Feed
from tavola.server.ops import metrics
from tavola.server.ops.rate_limits import MAX_BODY_BYTES, RateLimits
from tavola.server.ops.running_time import running
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.outbox.notifier import Notifier
from tavola.server.people.service import People
from tavola.server.quick_pairing.service import QuickPairing
from tavola.server.schema.event_list import EventList
from tavola.server.schema.requests import decode
from tavola.server.schema.responses import encode_hook
from tavola.server.settings import Settings
from tavola.server.sharing import pages
from tavola.server.sharing.drawings import Drawings
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tavola.server.tournaments.director import Director
from tavola.server.tournaments.service import Tournaments
from tavola.server.watch.watch import Watch


class StrictRequest(Request[Any, Any, Any]):
    """A request whose JSON is read straight into the type that the handler names, unconverted."""

    async def json(self) -> Any:
        """Read and return the body.

        Raises:
            RequestError: `malformed`, `invalid`.
        """
        field = self.route_handler.parsed_data_field
        wanted: type[Any] = field.annotation if field else object
        return decode(await self.body(), msgspec.json.Decoder(wanted))


DEPENDENCIES = (
    "registry",
    "feed",
    "lobby",
    "accounts",
    "notifier",
    "ratings",
    "account_matches",
    "account_streams",
    "puzzle_results",
    "agents",
    "archive",
    "bell",
    "drawings",
    "people",
    "speech",
    "static_files",
    "tournaments",
    "work",
)
"""Names of the application's state that route handlers may request."""


def _from_state(name: str) -> Provide:
    """Return a dependency that provides a part of the application's state."""

    def give(state: State) -> Any:
        return state[name]

    return Provide(give, sync_to_thread=False)


def build(settings: Settings, database: Database) -> ASGIApp:
    """Return the server as an ASGI application.

    Args:
        settings: What was chosen.
        database: The open database; it is closed when the application ends.
    """
    page_template.load(pages.PREVIEW, pages.EMBED)
    limits, bans = RateLimits(), Bans()
    routes = [*GAME_ROUTES, *ROUTES, *LESSON_ROUTES, *ARCHIVE_ROUTES, *SHARING_ROUTES]
    routes += [*NOTIFICATION_ROUTES, *TOURNAMENT_ROUTES, *PAIRING_ROUTES, *PEOPLE_ROUTES]
    routes += [*ACCOUNT_ROUTES, *MODERATION_ROUTES, *WATCH_ROUTES]
    routes += [health, ready, get_metrics, client_file]
    openapi.describe(routes)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        agents = Agents(settings.agents)
        engines = EnginePool(settings.engine_threads, agents)
        workers = WorkerPool(settings.analysis_processes, limits)
        work = WorkQueue(settings.work_threads, limits)
        downtime = Downtime(database)
        await downtime.start()
        registry = MatchRegistry(database, engines, downtime, work, fan_out)
        ratings = Ratings(database)
        pairing = QuickPairing(database, registry, ratings)
        watch = Watch(database, registry)
        if fan_out is not None:
            fan_out.start(registry, pairing)
        accounts = Accounts(database, limits)
        lobby = Lobby(database, registry)
        bell = Bell(database)
        feed = Feed(database, registry, bans, lobby.notify, bell.announce)
        await feed.start()
        notifier = await Notifier.start(database, accounts, settings)
        drawings = Drawings(limits)
        tournaments = Tournaments(database, limits)
        people = People(database, work, tournaments)
        parts = cast("ServerState", app.state)
        parts.database = database
        parts.downtime = downtime
        parts.registry = registry
        parts.accounts = accounts
        parts.account_matches = AccountMatches(database)
        parts.account_streams = AccountStreams(bell, parts.account_matches, limits, bans)
        parts.puzzle_results = PuzzleResults(database)
        parts.archive = Archive(database, work)
        parts.ratings = ratings
        parts.pairing = pairing
        parts.watch = watch
        parts.lobby = lobby
        parts.bans = bans
        parts.bell = bell
        parts.feed = feed
        parts.speech = SpeechRules.of(settings.words, settings.new_account_hours)
        parts.tournaments = tournaments
        parts.people = people
        parts.notifier = notifier
        parts.drawings = drawings
        parts.work = work
        parts.reviews = Reviews(workers)
        parts.limits = limits
        parts.agents = agents
        parts.engines = engines
        parts.fan_out = fan_out
        parts.static_files = StaticFiles(settings.client)
        database.write_queue.on_commit = metrics.observe_commit
        resume = registry.resume if fan_out is None else fan_out.wait_resumed
        resuming = asyncio.create_task(resume())
        parts.resuming = resuming
        working = [
            resuming,
            asyncio.create_task(lobby.run()),
            asyncio.create_task(pairing.run()),
            asyncio.create_task(watch.run()),
            asyncio.create_task(bell.run()),
            asyncio.create_task(feed.run()),
            asyncio.create_task(Director(tournaments, registry).run()),
            asyncio.create_task(notifier.run(parts.account_streams.listening)),
            asyncio.create_task(people.run(lambda: bell.accounts | registry.accounts_present())),
            asyncio.create_task(fill(database, registry.loader)),
            asyncio.create_task(purge(database, registry)),
            asyncio.create_task(running.tick()),
            asyncio.create_task(downtime.run(registry.has_running_clocks)),
        ]
        try:
            yield
        finally:
            for task in working:
                task.cancel()
            if registry.has_running_clocks():
                await downtime.heartbeat()
            await notifier.close()
            await drawings.close()
            await registry.close()
            await asyncio.to_thread(work.close)
            await asyncio.to_thread(workers.close)
            await engines.close()
            if fan_out is not None:
                await fan_out.stop()
            await asyncio.to_thread(accounts.close)
            await asyncio.to_thread(database.close)

    app = Litestar(
        routes,
        lifespan=[lifespan],
        dependencies={name: _from_state(name) for name in DEPENDENCIES} | GUARDS,
        exception_handlers=EXCEPTION_HANDLERS,
        request_class=StrictRequest,
        websocket_class=DirectWebSocket,
        type_encoders={LazyView: encode_hook, EventList: encode_hook},
        request_max_body_size=MAX_BODY_BYTES,
        logging_config=None,
        openapi_config=openapi.config(routes),
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2048, gzip_compress_level=5, exclude_opt_key="compressed"
        ),
    )
    fan_out = None
    if settings.fan_out is not None:
        # Imported only when needed: Redis is optional.
        from tavola.server.cluster.router import Router

        fan_out = Router(app, settings.fan_out)
    return SecurityMiddleware(
        fan_out or app, limits=limits, bans=bans, origins=settings.origins, names=settings.names
    )
