"""The routes, and how the server is put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import escape
from typing import Annotated, Any, cast

import msgspec
import structlog
from litestar import Litestar, MediaType, Request, Response, WebSocket, delete, get, post, websocket
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from litestar.types import ASGIApp

from tavola import view as views
from tavola.server import games, meters, openapi, rulebook, sockets, streams
from tavola.server import lobby as lobbies
from tavola.server.account_routes import PROVIDED, ROUTES
from tavola.server.accounts import Accounts
from tavola.server.analysts import Analysts
from tavola.server.answers import ErrorAnswer, answer
from tavola.server.belongings import Belongings
from tavola.server.callers import account_of, address_of, seat_tokens_of
from tavola.server.client import Asset, Client
from tavola.server.complaints import invalid
from tavola.server.engines import Engines
from tavola.server.errors import Refused, words
from tavola.server.guard import Guard
from tavola.server.hosting import health, metrics, ready
from tavola.server.language import LANGUAGES, preferred
from tavola.server.limits import BODY, Limits
from tavola.server.lobby import Lobby
from tavola.server.plans import Plan, Planned
from tavola.server.ratings import Ratings
from tavola.server.reviews import Reviews
from tavola.server.settings import Settings
from tavola.server.store import Store
from tavola.server.table import Table
from tavola.server.tables import Tables
from tavola.server.uptime import Uptime
from tavola.server.wire import (
    ACTIONS,
    Certainty,
    Challenge,
    Command,
    Created,
    Done,
    Draws,
    Explanation,
    NewMatch,
    Preview,
    RuleBook,
    SeatTaken,
    Snapshot,
    SnapshotMessage,
    Standing,
    TakeSeat,
    UpdateMessage,
    decode,
)
from tavola.view import Prospect

_log = structlog.get_logger("tavola.server")

AnyRequest = Request[Any, Any, Any]


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


# Games.


@get(
    "/api/games",
    compressed=True,
    responses={200: ResponseSpec(tuple[games.GameInfo, ...], generate_examples=False)},
)
async def list_games(request: AnyRequest) -> Response[bytes]:
    """Every game's particulars."""
    return _unless_known(request, Asset(games.all_games(), "application/json", "no-cache"))


@get("/api/games/{game:str}/rules/{language:str}", sync_to_thread=True)
def rule_book(game: FromPath[str], language: FromPath[str]) -> RuleBook:
    """A game's rule book with its figures drawn."""
    return rulebook.page(game, language)


@get("/api/games/{game:str}/preview", sync_to_thread=False)
def preview(request: AnyRequest, game: FromPath[str]) -> Preview:
    """The start position under the options of the query."""
    return Preview(views.view(games.load(game, dict(request.query_params)).start()))


# Matches.


@post("/api/matches")
async def create_match(
    request: AnyRequest,
    data: JSONBody[NewMatch],
    tables: NamedDependency[Tables],
    lobby: NamedDependency[Lobby],
    accounts: NamedDependency[Accounts],
) -> Created:
    """Begins a match."""
    created = await tables.create(data, await account_of(request, accounts))
    if data.lobby:
        lobby.changed()
    return created


@get("/api/matches/{match:str}")
async def get_match(
    request: AnyRequest, match: FromPath[str], tables: NamedDependency[Tables]
) -> Snapshot:
    """A snapshot for whoever holds the tokens of the Authorization header."""
    table = await tables.open(match)
    return await table.snapshot(await _held(request, table))


@get(
    "/api/matches/{match:str}/stream",
    compressed=True,  # by nobody: a line that waits to be compressed with others is late
    responses={
        200: ResponseSpec(
            cast("type[Any]", SnapshotMessage | UpdateMessage),
            generate_examples=False,
            media_type=streams.MEDIA_TYPE,
            description="A line for each picture",
        )
    },
)
async def stream_match(
    request: AnyRequest,
    match: FromPath[str],
    tables: NamedDependency[Tables],
    state: State,
) -> Stream:
    """A snapshot and everything that happens after it, a line of JSON each, until the end."""
    table = await tables.open(match)
    held = await _held(request, table)
    lines = streams.serve(table, held, state.limits, address_of(request))
    return Stream(lines, media_type=streams.MEDIA_TYPE)


@post("/api/matches/{match:str}/commands", status_code=200)
async def command_match(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[Command],
    tables: NamedDependency[Tables],
) -> Done:
    """Does what a seat wants."""
    table = await tables.open(match)
    held = await _held(request, table)
    seq = await table.command(data, held)
    return Done(seq, await table.snapshot(held))


@post("/api/matches/{match:str}/seats", status_code=200)
async def take_seat(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[TakeSeat],
    tables: NamedDependency[Tables],
    lobby: NamedDependency[Lobby],
    accounts: NamedDependency[Accounts],
) -> SeatTaken:
    """Gives somebody a seat by link."""
    table = await tables.open(match)
    seat = await table.take_seat(data, await account_of(request, accounts))
    if table.header.offered:
        lobby.changed()
    return SeatTaken(seat)


@get("/api/matches/{match:str}/standing")
async def get_standing(
    request: AnyRequest, match: FromPath[str], tables: NamedDependency[Tables]
) -> Standing:
    """How a match stands, in short, for whoever holds the tokens of the Authorization header."""
    table = await tables.open(match)
    return await table.standing(await _held(request, table))


@get("/api/matches/{match:str}/explain")
async def explain(
    match: FromPath[str],
    tables: NamedDependency[Tables],
    touched: Annotated[list[str] | None, QueryParameter(max_items=16)] = None,
    turn: Annotated[int | None, QueryParameter(ge=0, lt=360)] = None,
) -> Explanation:
    """Why nothing can be done by touching these cells with the piece in hand so turned."""
    return await (await tables.open(match)).explain(touched or [], turn)


@get("/api/matches/{match:str}/prospect")
async def get_prospect(
    request: AnyRequest,
    match: FromPath[str],
    tables: NamedDependency[Tables],
    seq: Annotated[int, QueryParameter(ge=0, le=2**53)],
    token: Annotated[str, QueryParameter(max_length=200)],
) -> Prospect:
    """What an action would bring."""
    table = await tables.open(match)
    return await table.prospect(seq, token, await _held(request, table))


@get("/api/matches/{match:str}/proof")
async def get_proof(match: FromPath[str], tables: NamedDependency[Tables]) -> Certainty:
    """What is certain of the position now."""
    return await (await tables.open(match)).certainty()


@get("/api/matches/{match:str}/positions/{place:int}")
async def get_position(
    request: AnyRequest,
    match: FromPath[str],
    place: FromPath[int],
    tables: NamedDependency[Tables],
    line: Annotated[list[str] | None, QueryParameter(max_items=ACTIONS)] = None,
) -> Snapshot:
    """A match after so many of its actions, and after a line that was not played."""
    table = await tables.open(match)
    return await table.then(place, tuple(line or ()), await _held(request, table))


@get("/api/matches/{match:str}/draws")
async def get_draws(match: FromPath[str], tables: NamedDependency[Tables]) -> Draws:
    """All that is needed to check the draws of a finished match."""
    return await (await tables.open(match)).draws()


@get("/api/matches/{match:str}/record", media_type=MediaType.TEXT)
async def get_record(match: FromPath[str], tables: NamedDependency[Tables]) -> str:
    """The match as a record."""
    return await (await tables.open(match)).record()


@get("/api/matches/{match:str}/plan")
async def get_plan(
    request: AnyRequest,
    match: FromPath[str],
    seat: Annotated[int, QueryParameter(ge=0, le=15)],
    tables: NamedDependency[Tables],
) -> Planned:
    """What is left of a seat's plan."""
    table = await tables.open(match)
    return await table.planned(seat, await _held(request, table))


@post("/api/matches/{match:str}/plan", status_code=200)
async def make_plan(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[Plan],
    tables: NamedDependency[Tables],
) -> Planned:
    """Plans a seat's answers."""
    table = await tables.open(match)
    return await table.plan(data, await _held(request, table))


@websocket("/api/matches/{match:str}/socket")
async def match_socket(
    socket: WebSocket[Any, Any, Any], match: FromPath[str], state: State
) -> None:
    """Tells a viewer of everything, and takes commands."""
    await sockets.serve(socket, state.tables, state.accounts, state.reviews, state.limits, match)


# The lobby.


@get("/api/lobby")
async def list_challenges(lobby: NamedDependency[Lobby]) -> tuple[Challenge, ...]:
    """What anybody may join now."""
    return await lobby.list()


@delete("/api/lobby/{match:str}")
async def withdraw(
    request: AnyRequest,
    match: FromPath[str],
    tables: NamedDependency[Tables],
    lobby: NamedDependency[Lobby],
) -> None:
    """Offers a match no longer; its links stay good."""
    table = await tables.open(match)
    await table.withdraw(await _held(request, table))
    lobby.changed()


@websocket("/api/lobby/socket")
async def lobby_socket(socket: WebSocket[Any, Any, Any], state: State) -> None:
    """Tells of everything in the lobby."""
    await lobbies.serve(socket, state.lobby, state.limits)


# The rest.


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False, compressed=True)
def client_file(request: AnyRequest, state: State, path: FromPath[str] = "") -> Response[bytes]:
    """A file of the browser client; its page for every address of its own."""
    path = path.strip("/")
    client: Client = state.client
    asset = client.find(path)
    if asset is None:
        if path.split("/")[0] in ("api", "assets") or "." in path.rsplit("/", 1)[-1]:
            raise Refused("not-found", path=f"/{path}"[:200])
        asset = client.page()
    if asset is None:
        return _not_built()
    return _unless_known(request, asset)


def _not_built() -> Response[bytes]:
    """The page that stands in for a client that has not been built: in a source checkout only."""
    lines = [escape(words("no-client", {}, language)) for language in LANGUAGES]
    page = "<!doctype html><meta charset=utf-8><title>Tavola</title><p>" + "<p>".join(lines)
    return Response(page.encode(), status_code=503, media_type=MediaType.HTML)


def _tables(state: State) -> Tables:
    tables: Tables = state.tables
    return tables


def _lobby(state: State) -> Lobby:
    lobby: Lobby = state.lobby
    return lobby


def _unless_known(request: AnyRequest, asset: Asset) -> Response[bytes]:
    """The bytes, compressed where possible, or nothing if the client has them."""
    headers = {"cache-control": asset.cache, "etag": asset.etag, "vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.etag:
        return Response(b"", status_code=304, headers=headers)
    body = asset.body
    if asset.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = asset.compressed
        headers["content-encoding"] = "gzip"
    return Response(body, media_type=asset.media_type, headers=headers)


async def _held(request: AnyRequest, table: Table) -> frozenset[int]:
    """The seats of whoever asks: by their tokens, and by the account that is signed in."""
    account = await account_of(request, request.app.state.accounts)
    return table.held(seat_tokens_of(request), account)


def _answer(request: AnyRequest, error: Refused) -> Response[ErrorAnswer]:
    language = preferred(request.headers.get("accept-language", ""))
    return Response(
        answer(error, language),
        status_code=error.status,
        media_type=MediaType.JSON,
        headers={"content-language": language},
    )


def _on_http_error(request: AnyRequest, error: HTTPException) -> Response[ErrorAnswer]:
    """What the framework refuses, in our words."""
    match error.status_code:
        case 404:
            refused = Refused("not-found", path=request.url.path[:200])
        case 405:
            refused = Refused("method", method=request.method)
        case 413:
            refused = Refused("too-large", limit=BODY)
        case status if 400 <= status < 500:
            refused = _invalid(error)
        case _:
            return _on_error(request, error)
    return _answer(request, refused)


def _invalid(error: HTTPException) -> Refused:
    """What is wrong with a request, from the framework's own account."""
    if isinstance(error.extra, list) and error.extra and isinstance(error.extra[0], dict):
        fault = error.extra[0]
        if fault.get("key") == "data":
            return invalid("no-body")
        return invalid(fault.get("message", error.detail), fault.get("key", "$"))
    return invalid(error.detail)


def _on_error(request: AnyRequest, error: Exception) -> Response[ErrorAnswer]:
    _log.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return _answer(request, Refused("internal"))


def build(settings: Settings, store: Store) -> ASGIApp:
    """The server as an ASGI application.

    Args:
        settings: What was chosen.
        store: The database, open; it is closed when the application ends.
    """
    limits = Limits()

    routes = [
        list_games,
        rule_book,
        preview,
        create_match,
        get_match,
        stream_match,
        command_match,
        take_seat,
        get_standing,
        explain,
        get_prospect,
        get_proof,
        get_position,
        get_draws,
        get_record,
        match_socket,
        get_plan,
        make_plan,
        *ROUTES,
        list_challenges,
        withdraw,
        lobby_socket,
        health,
        ready,
        metrics,
        client_file,
    ]
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
        store.writer.committed = meters.committed
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
            await asyncio.to_thread(engines.close)
            if fan_out is not None:
                await fan_out.end()
            await asyncio.to_thread(accounts.close)
            await asyncio.to_thread(store.close)

    app = Litestar(
        routes,
        lifespan=[lifespan],
        dependencies={
            "tables": Provide(_tables, sync_to_thread=False),
            **{name: Provide(given, sync_to_thread=False) for name, given in PROVIDED.items()},
            "lobby": Provide(_lobby, sync_to_thread=False),
        },
        exception_handlers={
            Refused: _answer,
            HTTPException: _on_http_error,
            Exception: _on_error,
        },
        request_class=StrictRequest,
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
        from tavola.server.fan_out import FanOut

        fan_out = FanOut(app, settings.fan_out)
    return Guard(fan_out or app, limits=limits, origins=settings.origins)
