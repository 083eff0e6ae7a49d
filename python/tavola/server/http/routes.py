"""The routes of matches and the lobby."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated, Any, cast

from litestar import MediaType, WebSocket, delete, get, post, websocket
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from tavola.server.accounts import relations
from tavola.server.accounts.accounts import Account
from tavola.server.accounts.seat_tokens import held_seats
from tavola.server.accounts.speech import SpeechRules
from tavola.server.http import lobby as lobbies
from tavola.server.http import match_socket, match_stream
from tavola.server.http.authentication import (
    AnyRequest,
    client_address,
    current_account,
    seat_tokens,
)
from tavola.server.http.lobby import Lobby
from tavola.server.http.position_query import ActionToken, Rotation, TouchedCells, TriedActions
from tavola.server.http.server_state import ServerState
from tavola.server.live import positions, seats
from tavola.server.live.chat import without_persons
from tavola.server.live.conditional_moves import ConditionalMovesRequest, ConditionalMovesState
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.live.positions import PositionRef
from tavola.server.matches.command import Command
from tavola.server.outbox import events
from tavola.server.people.service import People
from tavola.server.schema.advice import ForcedWinReport, Hint, WhyNot
from tavola.server.schema.requests import (
    LinkSeat,
    NewChatLine,
    NewMatch,
    TakeSeat,
)
from tavola.server.schema.responses import (
    Challenge,
    ChallengesMessage,
    ChatLine,
    CommandResult,
    Explanation,
    FairnessReport,
    MatchCreated,
    MatchSummary,
    SeatTaken,
    Snapshot,
    SnapshotMessage,
    UpdateMessage,
)
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.explain import explain_cells
from tavola.server.snapshots.fairness_report import fairness_report
from tavola.view import Prospect

Tried = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
"""The number of actions after which a line is tried out."""

# Matches.


@post("/api/matches", scope="challenge")
async def create_match(
    request: AnyRequest,
    data: JSONBody[NewMatch],
    registry: NamedDependency[MatchRegistry],
    lobby: NamedDependency[Lobby],
    visitor: NamedDependency[Account | None],
    speech: NamedDependency[SpeechRules],
    people: NamedDependency[People],
) -> MatchCreated:
    """Create a match."""
    client = client_address(request)
    speech.check_words(*(seat.name for seat in data.seats if not isinstance(seat, LinkSeat)))
    invited = None if data.to is None else await people.find_invited(visitor, data.to)
    create = partial(registry.create, data, visitor, client, invited)
    if not data.lobby:
        return await create()
    return await lobby.offer(client, create, most=speech.max_offers(visitor))


@get("/api/matches/{match:str}", scope="read")
async def get_match(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> Snapshot:
    """Return a snapshot for the holder of the tokens in the Authorization header."""
    live_match, held = await _open(request, registry, match)
    return await live_match.snapshot(held)


@get(
    "/api/matches/{match:str}/stream",
    compressed=True,  # Not compressed: a buffered line would be late.
    responses={
        200: match_stream.lines_of(SnapshotMessage | UpdateMessage, "A line for each picture")
    },
    scope="read",
)
async def stream_match(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    state: ServerState,
) -> Stream:
    """Stream a snapshot and all later updates, one line of JSON each, until the end."""
    live_match, held = await _open(request, registry, match)
    lines = match_stream.serve(live_match, held, state.limits, state.bans, client_address(request))
    return Stream(lines, media_type=match_stream.MEDIA_TYPE)


@post("/api/matches/{match:str}/commands", status_code=200, scope="play")
async def command_match(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[Command],
    registry: NamedDependency[MatchRegistry],
) -> CommandResult:
    """Execute a seat's command."""
    arrived = time.monotonic()
    live_match = await registry.open(match, client_address(request))
    with live_match.arrivals.expect(arrived):
        held = await _held_seats(request, live_match)
        seq = await live_match.execute(data, held, client_address(request), arrived=arrived)
    return CommandResult(seq, await live_match.snapshot(held))


@post("/api/matches/{match:str}/seats", status_code=200, scope="challenge")
async def take_seat(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[TakeSeat],
    registry: NamedDependency[MatchRegistry],
    lobby: NamedDependency[Lobby],
    visitor: NamedDependency[Account | None],
    state: ServerState,
    speech: NamedDependency[SpeechRules],
) -> SeatTaken:
    """Give a player a seat by link."""
    speech.check_words(data.name)
    live_match = await registry.open(match, client_address(request))
    blocking = await relations.all_blocking(state.database, visitor)
    invited = None
    if visitor is not None and data.invitation is None:
        invited = await state.database.read(
            partial(events.invited_seat, account=visitor.id, match=match)
        )
    take = partial(seats.take, taking=data, account=visitor, blocking=blocking, invited=invited)
    change = await live_match.change_seats(take)
    if live_match.header.offered:
        lobby.notify()
    assert change.seat is not None, "it is taken"
    return SeatTaken(change.seat)


@get("/api/matches/{match:str}/standing", scope="read")
async def get_standing(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> MatchSummary:
    """Return a match's summary for the holder of the tokens in the Authorization header."""
    live_match, held = await _open(request, registry, match)
    return snapshot.match_summary(await live_match.match(), held)


@get("/api/matches/{match:str}/explain", scope="read")
async def explain(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    touched: TouchedCells = None,
    turn: Rotation = None,
    ply: Tried = None,
    line: TriedActions = None,
) -> Explanation:
    """Return why no action is possible with these cells and this rotation of the piece."""
    live_match, held = await _open(request, registry, match)
    then = positions.match_at(await live_match.match(), _position_ref(ply, line), held)
    return explain_cells(then.state, touched or [], turn)


@get("/api/matches/{match:str}/prospect", scope="read")
async def get_prospect(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    seq: Annotated[int, QueryParameter(ge=0, le=2**53)],
    token: ActionToken,
    ply: Tried = None,
    line: TriedActions = None,
) -> Prospect:
    """Return what an action would do."""
    live_match, held = await _open(request, registry, match)
    return positions.action_preview(
        await live_match.match(), seq, token, held, _position_ref(ply, line)
    )


@get("/api/matches/{match:str}/proof")
async def get_proof(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> ForcedWinReport:
    """Return a forced win in the current position, if there is one."""
    live_match = await registry.open(match, client_address(request))
    return await live_match.forced_wins.find(await live_match.match(), client_address(request))


@get("/api/matches/{match:str}/hint", scope="read")
async def get_hint(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> Hint:
    """Return the action that a short search prefers, with its reasons."""
    live_match, held = await _open(request, registry, match)
    return await live_match.hints.find(await live_match.match(), held, client_address(request))


@get("/api/matches/{match:str}/why-not", scope="read")
async def get_why_not(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    ply: Annotated[int, QueryParameter(ge=0, le=2**53)],
    token: ActionToken,
) -> WhyNot:
    """Return why an action after `ply` actions is worse than the best one: the reply to it."""
    live_match, held = await _open(request, registry, match)
    return await live_match.why_not.find(
        await live_match.match(), ply, token, held, client_address(request)
    )


@get("/api/matches/{match:str}/positions/{ply:int}", scope="read")
async def get_position(
    request: AnyRequest,
    match: FromPath[str],
    ply: FromPath[int],
    registry: NamedDependency[MatchRegistry],
    line: TriedActions = None,
) -> Snapshot:
    """Return a match after a number of its actions, and after a line that was not played."""
    live_match, held = await _open(request, registry, match)
    there = PositionRef(ply, tuple(line or ()))
    return snapshot.position_snapshot(
        positions.match_at(await live_match.match(), there, held), held
    )


@get("/api/matches/{match:str}/draws")
async def get_draws(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> FairnessReport:
    """Return the data for verifying the random draws of a finished match."""
    return fairness_report(await (await registry.open(match, client_address(request))).match())


@get("/api/matches/{match:str}/record", media_type=MediaType.TEXT)
async def get_record(
    request: AnyRequest, match: FromPath[str], registry: NamedDependency[MatchRegistry]
) -> str:
    """Return the match as a record."""
    return snapshot.record_text(await (await registry.open(match, client_address(request))).match())


@get("/api/matches/{match:str}/conditional-moves", scope="read")
async def get_conditional_moves(
    request: AnyRequest,
    match: FromPath[str],
    seat: Annotated[int, QueryParameter(ge=0, le=15)],
    registry: NamedDependency[MatchRegistry],
) -> ConditionalMovesState:
    """Return a seat's remaining conditional moves."""
    live_match, held = await _open(request, registry, match)
    return await live_match.with_match(
        lambda now: live_match.conditional_moves.state_of(now, seat, held)
    )


@post("/api/matches/{match:str}/conditional-moves", status_code=200, scope="play")
async def save_conditional_moves(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[ConditionalMovesRequest],
    registry: NamedDependency[MatchRegistry],
) -> ConditionalMovesState:
    """Store a seat's conditional moves.

    With `conditional-changed`, `params.planned` is what is planned now.
    """
    live_match, held = await _open(request, registry, match)
    return await live_match.with_match(
        lambda now: live_match.conditional_moves.save(now, data, held)
    )


@get("/api/matches/{match:str}/chat", scope="read")
async def list_chat_lines(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    state: ServerState,
    visitor: NamedDependency[Account | None],
) -> tuple[ChatLine, ...]:
    """Return the latest lines of a match's chat, the oldest first.

    Lines of persons whom the account blocks are left out.
    """
    live_match = await registry.open(match, client_address(request))
    blocked = await relations.blocked_by(state.database, None if visitor is None else visitor.id)
    return without_persons(await live_match.chat.lines(), live_match.header.seats, blocked)


@post("/api/matches/{match:str}/chat", status_code=204, scope="play")
async def post_chat_line(
    request: AnyRequest,
    match: FromPath[str],
    data: JSONBody[NewChatLine],
    registry: NamedDependency[MatchRegistry],
    speech: NamedDependency[SpeechRules],
) -> None:
    """Add a line of a seat to a match's chat."""
    live_match, held = await _open(request, registry, match)
    await live_match.chat.post(data.seat, data.text, held, speech)


# Clients from before 0.3.0 use the old path.
get_plan = get("/api/matches/{match:str}/plan", include_in_schema=False, scope="read")(
    get_conditional_moves.fn
)
save_plan = post(
    "/api/matches/{match:str}/plan", status_code=200, include_in_schema=False, scope="play"
)(save_conditional_moves.fn)


@websocket(
    "/api/matches/{match:str}/socket",
    sends=match_socket.Outgoing,
    receives=match_socket.Incoming,
)
async def open_match_socket(
    socket: WebSocket[Any, Any, Any], match: FromPath[str], state: ServerState
) -> None:
    """Serve a viewer: send all updates and accept commands."""
    await match_socket.serve(socket, state, match)


# The lobby.


@get("/api/lobby", scope="read")
async def list_challenges(
    lobby: NamedDependency[Lobby],
    visitor: NamedDependency[Account | None],
) -> tuple[Challenge, ...]:
    """List the open challenges."""
    return await lobby.challenges(visitor)


@delete("/api/lobby/{match:str}", scope="challenge")
async def withdraw(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    lobby: NamedDependency[Lobby],
) -> None:
    """Withdraw a challenge; its links stay valid."""
    live_match, held = await _open(request, registry, match)
    await live_match.change_seats(partial(seats.withdraw_challenge, held=held))
    lobby.notify()


@websocket("/api/lobby/socket", sends=ChallengesMessage)
async def open_lobby_socket(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    """Send the challenges of the lobby and their changes."""
    await lobbies.serve(socket, state.lobby, state.accounts, state.limits)


async def _open(
    request: AnyRequest, registry: MatchRegistry, match: str
) -> tuple[LiveMatch, frozenset[int]]:
    """Return a match, opened if necessary, and the seats that the client holds."""
    live_match = await registry.open(match, client_address(request))
    return live_match, await _held_seats(request, live_match)


async def _held_seats(request: AnyRequest, live_match: LiveMatch) -> frozenset[int]:
    """Return the held seats: by tokens, and by the account that is signed in."""
    state = cast("ServerState", request.app.state)
    account = await current_account(request, state.accounts)
    held = held_seats(live_match.header, seat_tokens(request), account)
    return state.bans.enabled(live_match.header, held)


def _position_ref(ply: int | None, line: list[str] | None) -> PositionRef | None:
    return None if ply is None else PositionRef(ply, tuple(line or ()))


ROUTES = (
    create_match,
    get_match,
    stream_match,
    command_match,
    take_seat,
    get_standing,
    explain,
    get_prospect,
    get_proof,
    get_hint,
    get_why_not,
    get_position,
    get_draws,
    get_record,
    open_match_socket,
    get_conditional_moves,
    save_conditional_moves,
    list_chat_lines,
    post_chat_line,
    get_plan,
    save_plan,
    list_challenges,
    withdraw,
    open_lobby_socket,
)
