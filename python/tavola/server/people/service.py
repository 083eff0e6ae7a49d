"""The people of a server: profiles, relations and presence."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial

import sqlalchemy as sa
import structlog
from msgspec.structs import replace

from tavola.server.accounts import relations
from tavola.server.accounts.accounts import Account, accounts
from tavola.server.accounts.relations import RelationKind
from tavola.server.errors import RequestError
from tavola.server.ops.rate_limits import CHALLENGES, RELATIONS
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.outbox import events
from tavola.server.people import friends, profiles
from tavola.server.schema.people import People as PeopleOfAccount
from tavola.server.schema.people import PersonGames, Profile, Trophy
from tavola.server.storage.database import Database
from tavola.server.tournaments.service import Tournaments

MOST_TROPHIES = 50
"""How many of a person's latest tournaments are read for trophies."""

PODIUM = 3
"""The last place that is a trophy."""

CACHED = 4096
"""How many tournaments' first places stay in memory."""

_log = structlog.get_logger("tavola.people")


class People:
    """The people of a server.

    Args:
        database: The database of the accounts.
        work: The queue in which readers wait for their turns.
        tournaments: The tournaments, for trophies.
    """

    def __init__(self, database: Database, work: WorkQueue, tournaments: Tournaments) -> None:
        self._database = database
        self._work = work
        self._tournaments = tournaments
        # By tournament and version: the places of the first players.
        self._podiums: OrderedDict[tuple[str, int], dict[int, int]] = OrderedDict()

    async def profile(self, name: str, viewer: Account | None, client: str) -> Profile:
        """Return a person's profile as an account sees it.

        Raises:
            RequestError: `unknown-person`, `analysis-limit`, `busy`.
        """
        async with self._work.turn(client):
            account, found = await self._database.read(
                lambda connection: profiles.profile(connection, name, viewer), self._work.in_turn
            )
            if found.created is None:
                return found
            return replace(found, trophies=await self._trophies(account))

    async def games(
        self, name: str, viewer: Account | None, client: str, game: str | None, after: str
    ) -> PersonGames:
        """Return a page of a person's finished games.

        Raises:
            RequestError: `unknown-person`, `unknown-page`, `analysis-limit`, `busy`.
        """
        read = partial(profiles.games, name=name, viewer=viewer, game=game, after=after)
        async with self._work.turn(client):
            return await self._database.read(read, self._work.in_turn)

    async def set_relation(
        self, account: Account, name: str, kind: RelationKind | None, client: str
    ) -> Profile:
        """Follow or block a person, or neither; return the profile.

        Raises:
            RequestError: `unknown-person`, `too-many-people`, `too-fast`, and as `profile`.
        """
        self._work.limits.bucket(RELATIONS, account.id).take()

        def write(connection: sa.Connection) -> None:
            other = profiles.find(connection, name)
            if other.id == account.id:
                raise RequestError("unknown-person", name=name)
            relations.set_relation(connection, account.id, other.id, kind)

        await self._database.run(write)
        return await self.profile(name, account, client)

    async def find_invited(self, account: Account | None, name: str) -> str:
        """Return the id of an account that another invites to a match.

        Raises:
            RequestError: `signed-out`, `unknown-person`, `too-fast`.
        """
        if account is None:
            raise RequestError("signed-out")
        self._work.limits.bucket(CHALLENGES, account.id).take()
        found = await self._database.read(lambda connection: profiles.find(connection, name))
        if found.id == account.id:
            raise RequestError("unknown-person", name=name)
        return str(found.id)

    async def decline(self, account: Account, match: str) -> None:
        """Decline an invitation to a match.

        Raises:
            RequestError: `unknown-invitation`.
        """
        await self._database.run(lambda connection: events.decline(connection, account.id, match))

    async def of_account(self, account: Account) -> PeopleOfAccount:
        """Return whom an account follows and blocks, and who follows it."""
        return await self._database.read(
            lambda connection: friends.people_of(connection, account.id)
        )

    async def set_private(self, account: Account, *, private: bool) -> None:
        """Show nothing but the name of an account, or everything."""
        own = accounts.update().where(accounts.c.id == account.id).values(private=private)
        await self._database.run(lambda connection: connection.execute(own))

    async def run(self, online: Callable[[], Iterable[str]]) -> None:
        """Store who is online until it is cancelled.

        Args:
            online: Returns the accounts with a page that this process serves.
        """
        while True:
            try:
                if here := frozenset(online()):
                    await self._database.run(partial(friends.touch, present=here))
            except (sa.exc.SQLAlchemyError, RequestError):
                # The next time the database may answer again.
                _log.exception("presence not stored")
            await asyncio.sleep(friends.TOUCH_SECONDS)

    async def _trophies(self, account: str) -> tuple[Trophy, ...]:
        """Return the latest tournaments in which an account came among the first."""
        trophies = []
        for row in await self._tournaments.store.finished_of(account, MOST_TROPHIES):
            place = (await self._podium(row.id, row.version)).get(row.number)
            if place is not None:
                game = row.settings["game"]
                trophies.append(Trophy(row.id, row.name, game, row.players, place, row.created))
        return tuple(trophies)

    async def _podium(self, tournament: str, version: int) -> dict[int, int]:
        """Return the places of the first players of a tournament."""
        key = tournament, version
        if key not in self._podiums:
            found = await self._tournaments.found(tournament)
            first = self._tournaments.standings(found)
            self._podiums[key] = {
                one.player: one.rank for one in first if one.rank <= PODIUM and one.played
            }
            if len(self._podiums) > CACHED:
                self._podiums.popitem(last=False)
        return self._podiums[key]
