"""The routes of the explorer and the archive."""

from __future__ import annotations

from typing import Annotated

from litestar import MediaType, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from tavola.server.accounts.accounts import Account
from tavola.server.archive.archive import Archive
from tavola.server.archive.query import Query, load, read_position
from tavola.server.errors import RequestError
from tavola.server.http.authentication import AnyRequest, client_address
from tavola.server.schema.archive import ArchivePage, Explored, Source

Options = Annotated[str | None, QueryParameter(max_length=400)]
"""Options of the game as in a record, `NAME=VALUE NAME=VALUE`."""

PositionText = Annotated[str | None, QueryParameter(max_length=4000)]
"""The text of a position."""


@get("/api/games/{game:str}/explorer")
async def explore(
    request: AnyRequest,
    game: FromPath[str],
    archive: NamedDependency[Archive],
    options: Options = None,
    position: PositionText = None,
) -> Explored:
    """Return what was played in a position, how often and how those games ended."""
    return await archive.explore(
        read_position(load(game, options), position), client_address(request)
    )


@get("/api/games/{game:str}/archive", scope="read")
async def search_archive(
    request: AnyRequest,
    game: FromPath[str],
    archive: NamedDependency[Archive],
    visitor: NamedDependency[Account | None],
    source: FromQuery[Source] = "server",
    options: Options = None,
    player: Annotated[str, QueryParameter(max_length=100)] = "",
    winner: Annotated[str | None, QueryParameter(max_length=4)] = None,
    shortest: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
    longest: Annotated[int | None, QueryParameter(ge=0, le=1_000_000)] = None,
    position: PositionText = None,
    after: Annotated[str, QueryParameter(max_length=80)] = "",
) -> ArchivePage:
    """Return a page of finished games."""
    loaded = load(game, options)
    query = Query(
        game=loaded,
        any_options=options is None and position is None,
        source=source,
        player=player.strip(),
        winner=None if winner is None else _seat(winner, loaded.seats),
        shortest=shortest,
        longest=longest,
        state=None if position is None else read_position(loaded, position),
        after=after,
    )
    return await archive.search(query, visitor, client_address(request))


def _seat(winner: str, seats: int) -> int:
    """Return the seat of a result, -1 for a draw.

    Raises:
        RequestError: `unknown-winner`.
    """
    if winner == "draw":
        return -1
    if winner.isascii() and winner.isdigit() and int(winner) < max(seats, 8):
        return int(winner)
    raise RequestError("unknown-winner", winner=winner)


@get("/api/games/{game:str}/archive/{number:int}/record", media_type=MediaType.TEXT)
async def get_archived_record(
    request: AnyRequest,
    game: FromPath[str],
    number: FromPath[int],
    archive: NamedDependency[Archive],
) -> str:
    """Return an engine game as a record."""
    return await archive.record(load(game, None), number, client_address(request))


ROUTES = (explore, search_archive, get_archived_record)
