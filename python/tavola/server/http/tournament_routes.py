"""The routes of tournaments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.accounts.seat_tokens import hash_secret
from tavola.server.accounts.speech import SpeechRules
from tavola.server.errors import RequestError
from tavola.server.http.authentication import (
    AnyRequest,
    client_address,
    seat_tokens,
)
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.match import Match
from tavola.server.snapshots.snapshot import clock_state
from tavola.server.tournaments import exports
from tavola.server.tournaments.decisions import Viewer
from tavola.server.tournaments.service import Tournaments
from tavola.server.tournaments.wire import (
    DescribeTournament,
    JoinTournament,
    NewTournament,
    TournamentAction,
    TournamentCreated,
    TournamentList,
    TournamentState,
    WallBoard,
    WallView,
)

WALL_BOARDS = 24
"""How many boards the wall view shows."""

Version = Annotated[int, QueryParameter(ge=0, le=2**53)]


@get("/api/tournaments", scope="read")
async def list_tournaments(
    tournaments: NamedDependency[Tournaments],
    visitor: NamedDependency[Account | None],
) -> TournamentList:
    """Return the latest tournaments, and those of the account."""
    return await tournaments.list(visitor)


@post("/api/tournaments", scope="tournament")
async def create_tournament(
    request: AnyRequest,
    data: JSONBody[NewTournament],
    tournaments: NamedDependency[Tournaments],
    visitor: NamedDependency[Account | None],
    speech: NamedDependency[SpeechRules],
) -> TournamentCreated:
    """Create a tournament."""
    speech.check_words(data.settings.name, data.settings.description)
    return TournamentCreated(await tournaments.create(data, visitor, client_address(request)))


@get("/api/tournaments/{tournament:str}", scope="read")
async def get_tournament(
    request: AnyRequest,
    tournament: FromPath[str],
    tournaments: NamedDependency[Tournaments],
    visitor: NamedDependency[Account | None],
    after: Version = 0,
) -> TournamentState:
    """Return a tournament, unless the viewer has this version of it."""
    return await tournaments.state(tournament, _viewer(request, visitor), after)


@post("/api/tournaments/{tournament:str}/actions", status_code=200, scope="tournament")
async def act_in_tournament(
    request: AnyRequest,
    tournament: FromPath[str],
    data: JSONBody[TournamentAction],
    tournaments: NamedDependency[Tournaments],
    visitor: NamedDependency[Account | None],
    speech: NamedDependency[SpeechRules],
) -> TournamentState:
    """Enter, leave, or direct a tournament."""
    match data:
        case JoinTournament(name=name):
            speech.check_words(name)
        case DescribeTournament(name=name, description=description):
            speech.check_words(name, description)
    viewer = _viewer(request, visitor)
    return await tournaments.act(tournament, data, viewer, client_address(request))


@get("/api/tournaments/{tournament:str}/table.csv", media_type="text/csv")
async def get_table(
    tournament: FromPath[str],
    tournaments: NamedDependency[Tournaments],
    kind: FromQuery[Literal["standings", "cross"]] = "standings",
) -> Response[str]:
    """Return the standings or the cross table as CSV."""
    found = await tournaments.found(tournament)
    write = exports.standings_csv if kind == "standings" else exports.cross_table_csv
    # Spreadsheets see by the mark that it is UTF-8.
    return _file(f"\ufeff{write(found)}", f"{kind}.csv", "text/csv")


@get("/api/tournaments/{tournament:str}/report.trf", media_type=MediaType.TEXT)
async def get_trf(
    tournament: FromPath[str], tournaments: NamedDependency[Tournaments]
) -> Response[str]:
    """Return a tournament of two seats as a TRF report."""
    return _file(exports.trf(await tournaments.found(tournament)), "report.trf", MediaType.TEXT)


@get("/api/tournaments/{tournament:str}/records", media_type=MediaType.TEXT)
async def get_records(
    request: AnyRequest,
    tournament: FromPath[str],
    tournaments: NamedDependency[Tournaments],
    accounts: NamedDependency[Accounts],
    registry: NamedDependency[MatchRegistry],
) -> Response[str]:
    """Return all games as records."""
    found = await tournaments.found(tournament)
    accounts.limits.count_export(client_address(request))
    matches = [board.match for board in found.tournament.boards() if board.match is not None]
    records = [await registry.record(match) for match in matches]
    text = "\n".join(record for record in records if record is not None)
    return _file(text, "games.txt", MediaType.TEXT)


@get("/api/tournaments/{tournament:str}/wall")
async def get_wall(
    request: AnyRequest,
    tournament: FromPath[str],
    tournaments: NamedDependency[Tournaments],
    registry: NamedDependency[MatchRegistry],
) -> WallView:
    """Return the boards that are being played, with their clocks."""
    found = await tournaments.found(tournament)
    boards = [board for board in found.tournament.open_boards() if board.match is not None]
    shown = []
    for board in boards[:WALL_BOARDS]:
        assert board.match is not None, "only those with a match are listed"
        try:
            match = await registry.read(board.match, client_address(request))
        except RequestError:
            # It has not been created yet, or cannot be read.
            continue
        shown.append(_wall_board(match, board.round, board.number))
    return WallView(tuple(shown), len(boards))


def _wall_board(match: Match, round_number: int, number: int) -> WallBoard:
    running = match.running_turn is not None and not match.clock_waits_for_viewers
    elapsed = 0.0
    if running and match.last_event_at is not None:
        elapsed = (datetime.now(UTC) - datetime.fromisoformat(match.last_event_at)).total_seconds()
    clock = clock_state(match, elapsed, is_running=running)
    return WallBoard(
        round_number,
        number,
        match.header.id,
        match.seq,
        match.acting,
        None if clock is None else clock.remaining,
    )


def _file(text: str, name: str, media_type: str) -> Response[str]:
    disposition = f'attachment; filename="{name}"'
    return Response(text, media_type=media_type, headers={"content-disposition": disposition})


def _viewer(request: AnyRequest, visitor: Account | None) -> Viewer:
    hashes = frozenset(map(hash_secret, seat_tokens(request)))
    return Viewer(visitor, hashes)


ROUTES = (
    list_tournaments,
    create_tournament,
    get_tournament,
    act_in_tournament,
    get_table,
    get_trf,
    get_records,
    get_wall,
)
