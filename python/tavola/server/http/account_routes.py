"""The routes of accounts and ratings."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import sqlalchemy as sa
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from tavola.server.accounts.accounts import Account, Accounts, NewSession
from tavola.server.accounts.puzzle_progress import PuzzleResults
from tavola.server.accounts.ratings import Ratings
from tavola.server.accounts.sessions import SESSION_DAYS
from tavola.server.accounts.speech import SpeechRules
from tavola.server.http.account_stream import AccountStreams
from tavola.server.http.authentication import (
    COOKIE,
    DEVICE_COOKIE,
    AnyRequest,
    client_address,
    client_info,
    current_account,
    require_account,
)
from tavola.server.http.lobby import Lobby
from tavola.server.http.match_stream import MEDIA_TYPE, lines_of
from tavola.server.http.server_state import ServerState
from tavola.server.live import seats
from tavola.server.live.account_matches import AccountMatches
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.moderation import account_acts
from tavola.server.moderation.feed import Feed
from tavola.server.moderation.own_data import account_info, export_account
from tavola.server.outbox.notifier import Notifier
from tavola.server.schema.account_stream import AccountMessage
from tavola.server.schema.accounts import (
    AccountDeletion,
    AccountExport,
    ApiToken,
    ApiTokenCreated,
    Credentials,
    CurrentAccount,
    Leaderboards,
    NewApiToken,
    NewPassword,
    NewPuzzleProgress,
    OwnMatches,
    PuzzleProgress,
    RatingChanges,
    RecoveredPassword,
    RecoveryRequest,
    SeatClaim,
    SessionInfo,
    SignedIn,
)


def _cookie(request: AnyRequest, key: str, value: str) -> Cookie:
    """Return a cookie; an empty value takes it away."""
    return Cookie(
        key=key,
        value=value,
        path="/" if key == COOKIE else "/api/account",
        max_age=SESSION_DAYS * 86_400 if value else 0,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


async def _signed_in_response(
    request: AnyRequest, session: NewSession, ratings: Ratings, *, bearer: bool, status: int
) -> Response[SignedIn]:
    cookies = [
        _cookie(request, COOKIE, session.token),
        _cookie(request, DEVICE_COOKIE, session.device),
    ]
    return Response(
        SignedIn(await account_info(session.account, ratings), session.token if bearer else None),
        status_code=status,
        cookies=[] if bearer else cookies,
    )


@get("/api/account", scope="read")
async def get_account(
    visitor: NamedDependency[Account | None],
    ratings: NamedDependency[Ratings],
    feed: NamedDependency[Feed],
) -> CurrentAccount:
    """Return the account that is signed in, and the announcement of the host."""
    info = None if visitor is None else await account_info(visitor, ratings)
    return CurrentAccount(info, feed.announcement)


@post("/api/account")
async def sign_up(
    request: AnyRequest,
    data: JSONBody[Credentials],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
    speech: NamedDependency[SpeechRules],
) -> Response[SignedIn]:
    """Create an account and sign in to it."""
    speech.check_words(data.name)
    session = await accounts.sign_up(data.name, data.password, client_info(request))
    return await _signed_in_response(request, session, ratings, bearer=data.bearer, status=201)


@post("/api/account/sign-in", status_code=200)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[Credentials],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> Response[SignedIn]:
    """Start a session."""
    session = await accounts.sign_in(data.name, data.password, client_info(request))
    return await _signed_in_response(request, session, ratings, bearer=data.bearer, status=200)


@post("/api/account/sign-out", status_code=204)
async def sign_out(
    request: AnyRequest,
    visitor: NamedDependency[Account | None],
    accounts: NamedDependency[Accounts],
) -> Response[None]:
    """End this session."""
    if visitor is not None:
        await accounts.sessions.end(visitor.id, visitor.session)
    return Response(None, status_code=204, cookies=[_cookie(request, COOKIE, "")])


@post("/api/account/password", status_code=204)
async def change_password(
    request: AnyRequest,
    data: JSONBody[NewPassword],
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
) -> Response[None]:
    """Change the password; every other session ends."""
    device = await accounts.change_password(account, data.old, data.new, client_info(request))
    cookie = _cookie(request, DEVICE_COOKIE, device)
    return Response(None, status_code=204, cookies=[cookie])


@post("/api/account/recovery", status_code=204)
async def request_recovery(
    request: AnyRequest, data: JSONBody[RecoveryRequest], notifier: NamedDependency[Notifier]
) -> None:
    """Send a link that sets a new password; the answer is the same without such an address."""
    notifier.request_recovery(data.address.strip(), client_address(request))


@post("/api/account/recovery/password", status_code=200)
async def recover_password(
    request: AnyRequest,
    data: JSONBody[RecoveredPassword],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> Response[SignedIn]:
    """Set a new password by the link of a mail, and sign in; every other session ends."""
    session = await accounts.reset_password(data.link, data.password, client_info(request))
    return await _signed_in_response(request, session, ratings, bearer=False, status=200)


@get("/api/account/sessions")
async def list_sessions(
    account: NamedDependency[Account], accounts: NamedDependency[Accounts]
) -> tuple[SessionInfo, ...]:
    """Return the sessions of the account."""
    return await accounts.sessions.of_account(account.id, account.session)


@delete("/api/account/sessions/{session:str}")
async def end_session(
    session: FromPath[str], account: NamedDependency[Account], accounts: NamedDependency[Accounts]
) -> None:
    """End a session."""
    await accounts.sessions.end(account.id, session)


@get("/api/account/tokens")
async def list_tokens(
    account: NamedDependency[Account], accounts: NamedDependency[Accounts]
) -> tuple[ApiToken, ...]:
    """Return the API tokens of the account, without their secrets."""
    return await accounts.tokens.of_account(account.id)


@post("/api/account/tokens")
async def add_token(
    request: AnyRequest,
    data: JSONBody[NewApiToken],
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
) -> ApiTokenCreated:
    """Create an API token; its secret is in this answer only."""
    await accounts.check_password(account, data.password, client_info(request))
    return await accounts.tokens.add(account.id, data)


@delete("/api/account/tokens/{token:str}")
async def revoke_token(
    token: FromPath[str], account: NamedDependency[Account], accounts: NamedDependency[Accounts]
) -> None:
    """Revoke an API token."""
    await accounts.tokens.revoke(account.id, token)


@post("/api/account/bot", status_code=204)
async def become_bot(
    account: NamedDependency[Account], accounts: NamedDependency[Accounts]
) -> None:
    """Make an account without games a bot, for good."""
    await accounts.become_bot(account)


@get("/api/account/matches", scope="read")
async def list_own_matches(
    account: NamedDependency[Account],
    account_matches: NamedDependency[AccountMatches],
    after: Annotated[str | None, QueryParameter(max_length=80)] = None,
) -> OwnMatches:
    """Return the account's matches."""
    found, more = await account_matches.page(account, after)
    return OwnMatches(tuple(one.summary for one in found), more)


@get(
    "/api/account/stream",
    compressed=True,  # Not compressed: a buffered line would be late.
    responses={200: lines_of(AccountMessage, "A line for each message")},
    scope="read",
)
async def stream_account(
    request: AnyRequest,
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
    account_streams: NamedDependency[AccountStreams],
    after: Annotated[str | None, QueryParameter(max_length=40)] = None,
) -> Stream:
    """Stream the account's games and notifications, one line of JSON each.

    The first line is the present state. `after`: the cursor of the last line before an
    interruption; games that ended since then come again.
    """

    async def check() -> None:
        require_account(await current_account(request, accounts))

    lines = account_streams.open(account.id, client_address(request), check, after)
    return Stream(lines, media_type=MEDIA_TYPE)


@post("/api/account/seats", status_code=204)
async def claim_seats(
    request: AnyRequest,
    data: JSONBody[SeatClaim],
    account: NamedDependency[Account],
    registry: NamedDependency[MatchRegistry],
) -> None:
    """Make seats that were taken without the account the account's."""
    live_match = await registry.open(data.match, client_address(request))
    await live_match.change_seats(partial(seats.claim, tokens=data.tokens, account=account))


@get("/api/account/puzzles", scope="read")
async def get_puzzle_progress(
    account: NamedDependency[Account],
    puzzle_results: NamedDependency[PuzzleResults],
) -> PuzzleProgress:
    """Return the account's progress with puzzles."""
    return await puzzle_results.progress(account)


@post("/api/account/puzzles", status_code=200)
async def add_puzzle_progress(
    data: JSONBody[NewPuzzleProgress],
    account: NamedDependency[Account],
    puzzle_results: NamedDependency[PuzzleResults],
) -> PuzzleProgress:
    """Merge progress with puzzles into the account's, and return all of it."""
    return await puzzle_results.add(account, data)


@get("/api/account/export")
async def export(
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
    registry: NamedDependency[MatchRegistry],
    state: ServerState,
) -> Response[AccountExport]:
    """Return all stored data of the account as a file."""
    accounts.limits.count_export(account.id)
    exported = await export_account(state.database, accounts, account, registry.record)
    name = "tavola-account.json"
    return Response(exported, headers={"content-disposition": f'attachment; filename="{name}"'})


@post("/api/account/delete", status_code=204)
async def delete_account(
    request: AnyRequest,
    data: JSONBody[AccountDeletion],
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
    registry: NamedDependency[MatchRegistry],
    lobby: NamedDependency[Lobby],
) -> Response[None]:
    """Delete the account; its matches stay without its name and leave the lobby."""

    def erase(connection: sa.Connection) -> None:
        account_acts.erase_references(connection, account.id)

    await accounts.delete(account, data.password, client_info(request), extra=erase)
    await registry.erase_account(account.id)
    lobby.notify()
    gone = [_cookie(request, name, "") for name in (COOKIE, DEVICE_COOKIE)]
    return Response(None, status_code=204, cookies=gone)


@get("/api/games/{game:str}/ratings", scope="read")
async def list_ratings(
    game: FromPath[str],
    visitor: NamedDependency[Account | None],
    ratings: NamedDependency[Ratings],
) -> Leaderboards:
    """Return a game's ranking lists."""
    return await ratings.leaderboards(game, visitor)


@get("/api/matches/{match:str}/ratings")
async def get_rating_changes(
    request: AnyRequest,
    match: FromPath[str],
    registry: NamedDependency[MatchRegistry],
    ratings: NamedDependency[Ratings],
) -> RatingChanges:
    """Return how a rated match changed the ratings of its seats."""
    await registry.read(match, client_address(request))
    return RatingChanges(await ratings.changes(match))


ROUTES = [
    get_account,
    sign_up,
    sign_in,
    sign_out,
    change_password,
    request_recovery,
    recover_password,
    list_sessions,
    end_session,
    list_tokens,
    add_token,
    revoke_token,
    become_bot,
    list_own_matches,
    stream_account,
    claim_seats,
    get_puzzle_progress,
    add_puzzle_progress,
    export,
    delete_account,
    list_ratings,
    get_rating_changes,
]
