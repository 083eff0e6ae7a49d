"""The routes of accounts and ratings."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from tavola.server.accounts.accounts import KEPT_DAYS, Account, Accounts
from tavola.server.accounts.ratings import Ratings
from tavola.server.http.authentication import COOKIE, AnyRequest, account_of, signed_in, visitor_of
from tavola.server.http.lobby import Lobby
from tavola.server.live.account_matches import Belongings, forgetting
from tavola.server.live.match_registry import Tables
from tavola.server.schema.accounts import (
    Claim,
    Credentials,
    Deletion,
    Export,
    ExportedMatch,
    Me,
    NewPassword,
    OwnMatches,
    Ranking,
    RatingChanges,
    SessionInfo,
    SignedIn,
    WhoAmI,
)


async def _me(account: Account, ratings: Ratings) -> Me:
    return Me(account.name, account.created, await ratings.of(account))


def _cookie(request: AnyRequest, token: str) -> Cookie:
    """The cookie of a session; an empty token takes it away."""
    return Cookie(
        key=COOKIE,
        value=token,
        path="/",
        max_age=KEPT_DAYS * 86_400 if token else 0,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


async def _welcome(
    request: AnyRequest, made: tuple[Account, str], ratings: Ratings, *, bearer: bool, status: int
) -> Response[SignedIn]:
    account, token = made
    return Response(
        SignedIn(await _me(account, ratings), token if bearer else None),
        status_code=status,
        cookies=[] if bearer else [_cookie(request, token)],
    )


@get("/api/account")
async def get_account(
    request: AnyRequest,
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> WhoAmI:
    """Who is signed in."""
    account = await account_of(request, accounts)
    return WhoAmI(None if account is None else await _me(account, ratings))


@post("/api/account")
async def sign_up(
    request: AnyRequest,
    data: JSONBody[Credentials],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> Response[SignedIn]:
    """Makes an account and signs in to it."""
    made = await accounts.sign_up(data.name, data.password, visitor_of(request))
    return await _welcome(request, made, ratings, bearer=data.bearer, status=201)


@post("/api/account/sign-in", status_code=200)
async def sign_in(
    request: AnyRequest,
    data: JSONBody[Credentials],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> Response[SignedIn]:
    """Begins a session."""
    made = await accounts.sign_in(data.name, data.password, visitor_of(request))
    return await _welcome(request, made, ratings, bearer=data.bearer, status=200)


@post("/api/account/sign-out", status_code=204)
async def sign_out(request: AnyRequest, accounts: NamedDependency[Accounts]) -> Response[None]:
    """Ends this session."""
    account = await account_of(request, accounts)
    if account is not None:
        await accounts.end(account, account.session)
    return Response(None, status_code=204, cookies=[_cookie(request, "")])


@post("/api/account/password", status_code=204)
async def change_password(
    request: AnyRequest, data: JSONBody[NewPassword], accounts: NamedDependency[Accounts]
) -> None:
    """Changes the password; every other session ends."""
    account = await signed_in(request, accounts)
    await accounts.change_password(account, data.old, data.new, visitor_of(request))


@get("/api/account/sessions")
async def list_sessions(
    request: AnyRequest, accounts: NamedDependency[Accounts]
) -> tuple[SessionInfo, ...]:
    """Where the account is signed in."""
    return await accounts.sessions(await signed_in(request, accounts))


@delete("/api/account/sessions/{session:str}")
async def end_session(
    request: AnyRequest, session: FromPath[str], accounts: NamedDependency[Accounts]
) -> None:
    """Ends a session."""
    await accounts.end(await signed_in(request, accounts), session)


@get("/api/account/matches")
async def list_own_matches(
    request: AnyRequest,
    accounts: NamedDependency[Accounts],
    belongings: NamedDependency[Belongings],
    after: Annotated[str | None, QueryParameter(max_length=80)] = None,
) -> OwnMatches:
    """The account's matches."""
    found, more = await belongings.matches(await signed_in(request, accounts), after)
    return OwnMatches(tuple(one.standing for one in found), more)


@post("/api/account/seats", status_code=204)
async def claim_seats(
    request: AnyRequest,
    data: JSONBody[Claim],
    accounts: NamedDependency[Accounts],
    tables: NamedDependency[Tables],
) -> None:
    """Makes seats that were taken without the account the account's."""
    account = await signed_in(request, accounts)
    await (await tables.open(data.match)).claim(data.tokens, account)


@get("/api/account/export")
async def export(
    request: AnyRequest,
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
    belongings: NamedDependency[Belongings],
    tables: NamedDependency[Tables],
) -> Response[Export]:
    """All that is stored of the account, as a file."""
    account = await signed_in(request, accounts)
    accounts.limits.export(account.id)
    matches = []
    for own in await belongings.every(account):
        header = own.header
        matches.append(
            ExportedMatch(
                header.id,
                header.game,
                header.options,
                header.created,
                header.rated,
                tuple(seat.seat for seat in own.standing.seats if seat.yours),
                await tables.record(header.id),
                await belongings.deeds(account, header.id),
            )
        )
    exported = Export(
        await _me(account, ratings),
        await accounts.sessions(account),
        tuple(matches),
        await ratings.results(account),
        await belongings.plans(account),
        await belongings.lines(account),
        await belongings.reports(account),
    )
    name = "tavola-account.json"
    return Response(exported, headers={"content-disposition": f'attachment; filename="{name}"'})


@post("/api/account/delete", status_code=204)
async def delete_account(
    request: AnyRequest,
    data: JSONBody[Deletion],
    accounts: NamedDependency[Accounts],
    tables: NamedDependency[Tables],
    lobby: NamedDependency[Lobby],
) -> Response[None]:
    """Deletes the account; its matches stay, without its name, and are offered to nobody."""
    account = await signed_in(request, accounts)
    await accounts.delete(account, data.password, visitor_of(request), also=forgetting(account.id))
    await tables.forget(account.id)
    lobby.changed()
    return Response(None, status_code=204, cookies=[_cookie(request, "")])


@get("/api/games/{game:str}/ratings")
async def list_ratings(
    request: AnyRequest,
    game: FromPath[str],
    accounts: NamedDependency[Accounts],
    ratings: NamedDependency[Ratings],
) -> Ranking:
    """A game's ranking lists."""
    return await ratings.ranking(game, await account_of(request, accounts))


@get("/api/matches/{match:str}/ratings")
async def get_rating_changes(
    match: FromPath[str], tables: NamedDependency[Tables], ratings: NamedDependency[Ratings]
) -> RatingChanges:
    """What a rated match did to the ratings of its seats."""
    await tables.open(match)
    return RatingChanges(await ratings.changes(match))


ROUTES = [
    get_account,
    sign_up,
    sign_in,
    sign_out,
    change_password,
    list_sessions,
    end_session,
    list_own_matches,
    claim_seats,
    export,
    delete_account,
    list_ratings,
    get_rating_changes,
]
