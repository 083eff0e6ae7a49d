"""The routes of profiles, and of whom an account follows and blocks."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from tavola.server.accounts.accounts import Account
from tavola.server.http.authentication import (
    AnyRequest,
    client_address,
)
from tavola.server.http.lobby import Lobby
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.people.service import People
from tavola.server.schema.people import People as PeopleOfAccount
from tavola.server.schema.people import PersonGames, Profile, ProfileSettings, RelationRequest

PersonQuery = Annotated[str, QueryParameter(min_length=1, max_length=100)]


@get("/api/people/profile", scope="read")
async def get_profile(
    request: AnyRequest,
    name: PersonQuery,
    visitor: NamedDependency[Account | None],
    people: NamedDependency[People],
) -> Profile:
    """Return a person's profile."""
    return await people.profile(name, visitor, client_address(request))


@get("/api/people/games", scope="read")
async def list_person_games(
    request: AnyRequest,
    name: PersonQuery,
    visitor: NamedDependency[Account | None],
    people: NamedDependency[People],
    game: Annotated[str | None, QueryParameter(max_length=64)] = None,
    after: Annotated[str, QueryParameter(max_length=80)] = "",
) -> PersonGames:
    """Return a page of a person's finished games."""
    return await people.games(name, visitor, client_address(request), game, after)


@post("/api/people/relation", status_code=200)
async def set_relation(
    request: AnyRequest,
    data: JSONBody[RelationRequest],
    account: NamedDependency[Account],
    people: NamedDependency[People],
    lobby: NamedDependency[Lobby],
    registry: NamedDependency[MatchRegistry],
) -> Profile:
    """Follow or block a person, or neither."""
    profile = await people.set_relation(account, data.name, data.kind, client_address(request))
    lobby.notify()
    await registry.update_blocks(account.id)
    return profile


@get("/api/account/people")
async def list_people(
    account: NamedDependency[Account],
    people: NamedDependency[People],
) -> PeopleOfAccount:
    """Return whom the account follows and blocks, and who follows it."""
    return await people.of_account(account)


@post("/api/account/profile", status_code=204)
async def set_profile(
    data: JSONBody[ProfileSettings],
    account: NamedDependency[Account],
    people: NamedDependency[People],
) -> None:
    """Make the account's profile private, or public."""
    await people.set_private(account, private=data.private)


@post("/api/matches/{match:str}/decline", status_code=204, scope="challenge")
async def decline_challenge(
    match: FromPath[str],
    account: NamedDependency[Account],
    people: NamedDependency[People],
) -> None:
    """Decline the invitation of the account to a match."""
    await people.decline(account, match)


ROUTES = (
    get_profile,
    list_person_games,
    set_relation,
    list_people,
    set_profile,
    decline_challenge,
)
