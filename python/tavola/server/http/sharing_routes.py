"""The routes that share games: pictures, animations, pages, link previews and the widget."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal
from urllib.parse import parse_qs

from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter

import tavola
from tavola.language import Language, negotiate
from tavola.options_text import options_text
from tavola.server.analysis.draw import Animation, DrawTask, Image, Page
from tavola.server.archive.query import load, read_position
from tavola.server.errors import RequestError
from tavola.server.http.archive_routes import Options, PositionText
from tavola.server.http.authentication import AnyRequest, client_address
from tavola.server.http.server_state import ServerState
from tavola.server.http.static_files import (
    Asset,
    cached_response,
    cached_responses,
    not_built_page,
    page_response,
)
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.match import Match
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.responses import SharedMatch
from tavola.server.sharing import previews
from tavola.server.sharing.card import WIDTH, Card
from tavola.server.sharing.drawings import Drawings
from tavola.server.sharing.pages import embed_page, with_preview
from tavola.server.sharing.previews import Preview
from tavola.server.snapshots.snapshot import record_text

Colours = Literal["light", "dark"]
AllColours = Literal["light", "dark", "both"]
Width = Annotated[int, QueryParameter(ge=240, le=2000)]
Ply = Annotated[int | None, QueryParameter(ge=0, le=100_000)]

SVG = cached_responses(bytes, "image/svg+xml")
PNG = cached_responses(bytes, "image/png")
GIF = cached_responses(bytes, "image/gif")
HTML = cached_responses(bytes, "text/html; charset=utf-8")

CACHE = "no-cache"
DRAWN_CACHE = "public, max-age=300"
GIF_WIDTH = 480


# Pictures of a match, as a spectator sees it.


async def read_shared(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> Match:
    """Return the match of the address, as the dependency `shared`.

    Raises:
        RequestError: `unknown-match`, `too-fast`.
    """
    return await registry.read(match, client_address(request))


SHARED = {"shared": Provide(read_shared)}


@get(
    "/api/matches/{match:str}/picture.svg",
    compressed=True,
    dependencies=SHARED,
    responses=SVG,
)
async def match_svg(
    request: AnyRequest,
    shared: NamedDependency[Match],
    work: NamedDependency[WorkQueue],
    ply: Ply = None,
    language: FromQuery[Language] = "en",
    colours: FromQuery[AllColours] = "light",
    width: Width = 720,
) -> Response[bytes]:
    """Return a position of a match as an SVG picture."""
    svg = await work.run(
        client_address(request), partial(picture, shared, ply, language, colours, width)
    )
    return cached_response(request, Asset(svg.encode(), "image/svg+xml", CACHE))


@get(
    "/api/matches/{match:str}/picture.png",
    compressed=True,
    dependencies=SHARED,
    responses=PNG,
)
async def match_png(
    request: AnyRequest,
    shared: NamedDependency[Match],
    drawings: NamedDependency[Drawings],
    work: NamedDependency[WorkQueue],
    ply: Ply = None,
    language: FromQuery[Language] = "en",
    colours: FromQuery[Colours] = "light",
    width: Width = 1440,
) -> Response[bytes]:
    """Return a position of a match as a PNG image."""
    svg = await work.run(
        client_address(request), partial(picture, shared, ply, language, colours, min(width, 720))
    )
    return await _drawn(request, Image(svg, width), drawings)


@get(
    "/api/matches/{match:str}/replay.gif",
    compressed=True,
    dependencies=SHARED,
    responses=GIF,
)
async def match_gif(
    request: AnyRequest,
    shared: NamedDependency[Match],
    drawings: NamedDependency[Drawings],
    language: FromQuery[Language] = "en",
    colours: FromQuery[Colours] = "light",
) -> Response[bytes]:
    """Return a match as an animated GIF."""
    record = record_text(shared)
    task = Animation(record, language, colours, GIF_WIDTH)
    return await _drawn(request, task, drawings)


@get(
    "/api/matches/{match:str}/replay.html",
    compressed=True,
    dependencies=SHARED,
    responses=HTML,
)
async def match_page(
    request: AnyRequest,
    shared: NamedDependency[Match],
    drawings: NamedDependency[Drawings],
    language: FromQuery[Language] = "en",
) -> Response[bytes]:
    """Return a match as one HTML file that plays it, to download."""
    answer = await _drawn(request, Page(record_text(shared), language), drawings)
    name = f"{shared.header.game}-{shared.header.id}.html"
    # Its scripts do not run on this server's pages.
    answer.headers["content-disposition"] = f'attachment; filename="{name}"'
    return answer


@get(
    "/api/matches/{match:str}/card.png",
    compressed=True,
    dependencies=SHARED,
    responses=PNG,
)
async def match_card(
    request: AnyRequest,
    shared: NamedDependency[Match],
    drawings: NamedDependency[Drawings],
    work: NamedDependency[WorkQueue],
    language: FromQuery[Language] = "en",
) -> Response[bytes]:
    """Return the image of a match's link preview."""
    preview = previews.of_match(shared, language)
    return await _card(request, preview, language, drawings, work)


@get("/api/matches/{match:str}/shared", dependencies=SHARED)
async def shared_match(
    request: AnyRequest,
    shared: NamedDependency[Match],
    language: FromQuery[Language] = "en",
) -> SharedMatch:
    """Return what the widget shows of a match."""
    states = [shared.position_after(ply).state for ply in range(len(shared.history) + 1)]
    last = len(states) - 1
    return SharedMatch(
        plies=tuple(
            ply
            for ply, state in enumerate(states)
            if ply in (0, last) or state.to_act != tavola.CHANCE
        ),
        over=shared.status == "over",
        text=previews.of_match(shared, language).text,
    )


# Pictures of a position.


def read_state(
    game: FromPath[str], options: Options = None, position: PositionText = None
) -> tavola.State:
    """Return the position of the address, as the dependency `drawn`.

    Raises:
        RequestError: `unknown-game`, `bad-option`, `bad-position`.
    """
    return read_position(load(game, options), position)


DRAWN = {"drawn": Provide(read_state, sync_to_thread=False)}


@get(
    "/api/games/{game:str}/picture.svg",
    compressed=True,
    dependencies=DRAWN,
    responses=SVG,
)
async def position_svg(
    request: AnyRequest,
    drawn: NamedDependency[tavola.State],
    work: NamedDependency[WorkQueue],
    language: FromQuery[Language] = "en",
    colours: FromQuery[AllColours] = "light",
    width: Width = 720,
) -> Response[bytes]:
    """Return a position as an SVG picture, as a spectator sees it."""
    draw = partial(drawn.picture_svg, None, language=language, colours=colours, width=width)
    svg = await work.run(client_address(request), draw)
    return cached_response(request, Asset(svg.encode(), "image/svg+xml", CACHE))


@get(
    "/api/games/{game:str}/picture.png",
    compressed=True,
    dependencies=DRAWN,
    responses=PNG,
)
async def position_png(
    request: AnyRequest,
    drawn: NamedDependency[tavola.State],
    drawings: NamedDependency[Drawings],
    work: NamedDependency[WorkQueue],
    language: FromQuery[Language] = "en",
    colours: FromQuery[Colours] = "light",
    width: Width = 1440,
) -> Response[bytes]:
    """Return a position as a PNG image, as a spectator sees it."""
    width_drawn = min(width, 720)
    draw = partial(drawn.picture_svg, None, language=language, colours=colours, width=width_drawn)
    svg = await work.run(client_address(request), draw)
    return await _drawn(request, Image(svg, width), drawings)


@get(
    "/api/games/{game:str}/card.png",
    compressed=True,
    responses=PNG,
)
async def position_card(
    request: AnyRequest,
    game: FromPath[str],
    drawings: NamedDependency[Drawings],
    work: NamedDependency[WorkQueue],
    options: Options = None,
    position: PositionText = None,
    language: FromQuery[Language] = "en",
) -> Response[bytes]:
    """Return the image of a position's link preview."""
    preview = previews.of_position(game, options, position, language)
    return await _card(request, preview, language, drawings, work)


@get(
    "/api/games/{game:str}/puzzles/{puzzle:str}/card.png",
    compressed=True,
    responses=PNG,
)
async def puzzle_card(
    request: AnyRequest,
    game: FromPath[str],
    puzzle: FromPath[str],
    drawings: NamedDependency[Drawings],
    work: NamedDependency[WorkQueue],
    language: FromQuery[Language] = "en",
) -> Response[bytes]:
    """Return the image of a puzzle's link preview."""
    preview = previews.of_puzzle(game, puzzle, language)
    return await _card(request, preview, language, drawings, work)


# Pages.


@get("/match/{match:str}", include_in_schema=False, compressed=True)
async def match_client(
    request: AnyRequest,
    state: ServerState,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
) -> Response[bytes]:
    """Return the client, with the preview of a match."""
    language = _language(request)
    try:
        preview = previews.of_match(await registry.read(match, client_address(request)), language)
    except RequestError:
        # The client shows what is wrong.
        preview = None
    return _client(request, state, preview, language)


@get("/analysis", include_in_schema=False, compressed=True)
async def analysis_client(
    request: AnyRequest, state: ServerState, registry: NamedDependency[MatchRegistry]
) -> Response[bytes]:
    """Return the client, with the preview of the position of the address."""
    language = _language(request)
    query = {name: values[-1] for name, values in parse_qs(request.url.query).items()}
    preview: Preview | None = None
    try:
        if "match" in query:
            preview = previews.of_match(
                await registry.read(query["match"], client_address(request)), language
            )
        elif "game" in query and "id" not in query:
            game, position = query.pop("game"), query.pop("position", None)
            options = options_text(query)
            if len(request.url.query) <= 6000:
                preview = previews.of_position(game, options, position or None, language)
    except RequestError:
        # The client shows what is wrong.
        preview = None
    return _client(request, state, preview, language)


@get(
    "/puzzles/{game:str}/{puzzle:str}",
    include_in_schema=False,
    sync_to_thread=False,
    compressed=True,
)
def puzzle_client(
    request: AnyRequest, state: ServerState, game: FromPath[str], puzzle: FromPath[str]
) -> Response[bytes]:
    """Return the client, with the preview of a puzzle."""
    language = _language(request)
    try:
        preview = previews.of_puzzle(game, puzzle, language)
    except RequestError:
        # The client shows what is wrong.
        preview = None
    return _client(request, state, preview, language)


@get("/embed/{match:str}", include_in_schema=False, compressed=True, dependencies=SHARED)
async def embed(
    request: AnyRequest,
    shared: NamedDependency[Match],
    language: FromQuery[Language | None] = None,
) -> Response[bytes]:
    """Return the widget of a match, for an `<iframe>` on another site."""
    chosen = language or _language(request)
    page = embed_page(shared.header.id, previews.of_match(shared, chosen), chosen)
    return cached_response(request, Asset(page, "text/html; charset=utf-8", CACHE))


def _language(request: AnyRequest) -> Language:
    return negotiate(request.headers.get("accept-language", ""))


def picture(match: Match, ply: int | None, language: str, colours: str, width: int) -> str:
    """Return a position of a match as a spectator sees it, with a mark for the last action.

    Raises:
        RequestError: `unknown-position`.
    """
    last = len(match.history)
    place = last if ply is None else ply
    if place > last:
        raise RequestError("unknown-position", ply=place, last=last)
    state = match.position_after(place).state
    before = match.position_after(place - 1).state if place else None
    played = [(before, match.history[place - 1].token)] if before is not None else []
    return state.picture_svg(None, language=language, colours=colours, width=width, played=played)


async def _card(
    request: AnyRequest,
    preview: Preview,
    language: Language,
    drawings: Drawings,
    work: WorkQueue,
) -> Response[bytes]:
    card = Card(preview.state, language, preview.title, preview.text)
    svg = await work.run(client_address(request), card.svg)
    return await _drawn(request, Image(svg, WIDTH), drawings)


async def _drawn(request: AnyRequest, task: DrawTask, drawings: Drawings) -> Response[bytes]:
    drawing = await drawings.get(task, client_address(request))
    return cached_response(request, Asset(drawing.body, drawing.media_type, DRAWN_CACHE))


def _client(
    request: AnyRequest, state: ServerState, preview: Preview | None, language: Language
) -> Response[bytes]:
    """Return the page of the client, with a preview if there is one."""
    index = state.static_files.index()
    if index is None:
        return not_built_page()
    game = preview.state.game.name if preview else None
    preloads = state.static_files.preload_header(request.url.path, game)
    if preview is None:
        return page_response(request, index, preloads)
    query = f"?{request.url.query}" if request.url.query else ""
    page = with_preview(
        index.body,
        preview,
        base=str(request.base_url).rstrip("/"),
        path=request.url.path + query,
        language=language,
        image=state.drawings.can_raster,
    )
    answer = page_response(request, Asset(page, index.media_type, index.cache), preloads)
    answer.headers["vary"] = "Accept-Encoding, Accept-Language"
    return answer


ROUTES = (
    match_svg,
    match_png,
    match_gif,
    match_page,
    match_card,
    shared_match,
    position_svg,
    position_png,
    position_card,
    puzzle_card,
    match_client,
    analysis_client,
    puzzle_client,
    embed,
)
