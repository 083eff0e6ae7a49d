"""The queue of quick pairing: players wait in it while their sockets are open.

The queue is in the memory of one process. With several processes, that is the one with the lease
`PAIRING_ID`, and the router forwards the sockets of the others to it. After a restart, or when that
process dies, the clients connect again and have new places.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import sqlalchemy as sa
import structlog
from msgspec import UNSET

import tavola
from tavola.server import games
from tavola.server.accounts import relations
from tavola.server.accounts.accounts import Account
from tavola.server.accounts.ratings import Ratings
from tavola.server.accounts.seat_tokens import hash_secret, seat_of_account
from tavola.server.errors import RequestError
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.log import Header, Seat, new_header
from tavola.server.matches.player_requests import new_id
from tavola.server.matches.time_control import MainTime, Time
from tavola.server.ops import rate_limits
from tavola.server.quick_pairing.queue import Place, find_groups
from tavola.server.schema.pairing import PairedMessage, PairingHello
from tavola.server.schema.sanitize import sanitize_line
from tavola.server.storage.database import Database

PAIRING_ID = "quick-pairing"
"""The id under which a process leases the queue, beside those of matches."""

STEP_SECONDS = 1.0
"""Seconds between two looks at the queue, while ranges widen."""

_log = structlog.get_logger("tavola.pairing")


@dataclass(frozen=True, slots=True)
class Kind:
    """The game and clock that players wait for.

    Attributes:
        options: All options with their values, sorted by name.
    """

    game: str
    options: tuple[tuple[str, str], ...]
    time: Time


@dataclass(eq=False, slots=True)
class Ticket:
    """A player who waits.

    Attributes:
        seat: The seat to take.
        client: The address.
        account: The account.
        authenticate: Returns the account that is signed in now.
        result: The match; `None` if the queue has moved to another process.
    """

    kind: Kind
    place: Place
    seat: Seat
    client: str
    account: Account | None
    authenticate: Callable[[], Awaitable[Account | None]]
    result: asyncio.Future[PairedMessage | None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def refuse(self, error: RequestError) -> None:
        """Dismiss the player with an error."""
        if not self.result.done():
            self.result.set_exception(error)


class QuickPairing:
    """The players who wait, and the matches that are created for them.

    Args:
        database: The database of the accounts.
        registry: Creates the matches.
        ratings: The ratings of accounts.
    """

    def __init__(self, database: Database, registry: MatchRegistry, ratings: Ratings) -> None:
        self._database = database
        self._registry = registry
        self._ratings = ratings
        # By person.
        self._tickets: dict[str, Ticket] = {}
        self._changed = asyncio.Event()

    def open_ids(self) -> list[str]:
        """Return the id of the queue, if players wait in it."""
        return [PAIRING_ID] if self._tickets else []

    def release(self) -> None:
        """Send all players to the process that has the queue now."""
        for ticket in self._tickets.values():
            if not ticket.result.done():
                ticket.result.set_result(None)
        self._tickets.clear()

    async def join(
        self,
        wanted: PairingHello,
        client: str,
        authenticate: Callable[[], Awaitable[Account | None]],
    ) -> Ticket:
        """Give a player a place in the queue; an older place of the same person ends.

        Args:
            wanted: The game and clock.
            client: The address of the player.
            authenticate: Returns the account that is signed in.

        Raises:
            RequestError: `unknown-game`, `unknown-option`, `unknown-value`, `rated-odds`,
                `pairing-limit`, `bot-forbidden`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if isinstance(wanted.time, MainTime) and wanted.time.odds is not UNSET:
            raise RequestError("rated-odds")
        account = await authenticate()
        if account is not None and account.bot:
            raise RequestError("bot-forbidden")
        rating = await self._ratings.rating(game.name, game.seats, account)
        seat = Seat(
            kind="person",
            name=sanitize_line(wanted.name),
            seconds=None,
            token_hash=hash_secret(wanted.token),
        )
        person = hash_secret(wanted.token) if account is None else account.id
        here = [one for one in self._tickets.values() if one.client == client]
        if person not in self._tickets and (
            len(here) >= rate_limits.MAX_PLACES_PER_CLIENT
            or len(self._tickets) >= rate_limits.MAX_PLACES
        ):
            raise RequestError("pairing-limit")
        ticket = Ticket(
            kind=Kind(game.name, _options(game), wanted.time),
            place=Place(
                person=person,
                rating=rating.value,
                deviation=rating.deviation,
                since=asyncio.get_running_loop().time(),
                blocked=await relations.blocked_by(
                    self._database, None if account is None else account.id
                ),
            ),
            seat=seat if account is None else seat_of_account(seat, account, named=True),
            client=client,
            account=account,
            authenticate=authenticate,
        )
        if (before := self._tickets.get(person)) is not None:
            before.refuse(RequestError("pairing-elsewhere"))
        self._tickets[person] = ticket
        self._changed.set()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Remove a player from the queue, wherever the player is now."""
        if self._tickets.get(ticket.place.person) is ticket:
            del self._tickets[ticket.place.person]
        ticket.result.cancel()

    async def run(self) -> None:
        """Seat players until it is cancelled."""
        while True:
            if not self._tickets:
                await self._changed.wait()
            self._changed.clear()
            try:
                await self.pair()
            except sa.exc.SQLAlchemyError:
                # The next time the database may answer again.
                _log.exception("players not seated")
            with suppress(TimeoutError):
                async with asyncio.timeout(STEP_SECONDS):
                    await self._changed.wait()

    async def pair(self) -> None:
        """Seat all who can play now."""
        now = asyncio.get_running_loop().time()
        kinds: dict[Kind, list[Place]] = {}
        for ticket in self._tickets.values():
            kinds.setdefault(ticket.kind, []).append(ticket.place)
        for kind, places in kinds.items():
            game = games.load(kind.game, dict(kind.options))
            for group in find_groups(places, game.seats, now):
                tickets = [self._tickets.get(place.person) for place in group]
                # A player may have left while others were seated.
                found = [one for one in tickets if one is not None and one.kind == kind]
                if len(found) == game.seats:
                    await self._seat(game, kind, found)

    async def _seat(self, game: tavola.Game, kind: Kind, group: list[Ticket]) -> None:
        """Create the match of a group, unless a player has left or signed out meanwhile."""
        for ticket in group:
            account = await ticket.authenticate()
            if (account and account.id) != (ticket.account and ticket.account.id):
                self._dismiss(ticket, RequestError("signed-out"))
        if any(self._tickets.get(one.place.person) is not one for one in group):
            return
        newest = max(group, key=lambda one: one.place.since)
        # No seat belongs to the one who came first.
        random.shuffle(group)
        header = _header(game, kind, group)
        try:
            await self._registry.add(header, newest.client)
        except RequestError as error:
            self._dismiss(newest, error)
            return
        for number, ticket in enumerate(group):
            self._tickets.pop(ticket.place.person, None)
            if not ticket.result.done():
                ticket.result.set_result(PairedMessage(header.id, number))

    def _dismiss(self, ticket: Ticket, error: RequestError) -> None:
        self._tickets.pop(ticket.place.person, None)
        ticket.refuse(error)


def _header(game: tavola.Game, kind: Kind, group: list[Ticket]) -> Header:
    """Return the settings of a match: it is public, and rated if all players have accounts."""
    return new_header(
        new_id(),
        game,
        tuple(ticket.seat for ticket in group),
        confirm=not games.info(game.name).single,
        time=kind.time,
        offered=True,
        rated=all(ticket.account is not None for ticket in group),
    )


def _options(game: tavola.Game) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in game.options.items()))
