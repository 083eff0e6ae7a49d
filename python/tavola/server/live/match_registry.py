"""Tables: opens matches, old and new."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from tavola.server.accounts import seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.live import account_matches
from tavola.server.live.engine_pool import Engines
from tavola.server.live.engine_queue import NOBODY
from tavola.server.live.live_match import Table
from tavola.server.live.load import replay
from tavola.server.matches import commands
from tavola.server.matches.chance import new_seed
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.matches.requests import new_id
from tavola.server.schema import games
from tavola.server.schema.errors import Refused
from tavola.server.schema.requests import Link, NewMatch, Person
from tavola.server.schema.responses import Created
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import Store
from tavola.server.storage.downtime import GRACE, Uptime

_log = structlog.get_logger("tavola.tables")

WARM = 256
"""How many tables stay in memory though nobody is at them."""

BROKEN = ("damaged", "rules-changed")
"""Why a match cannot be opened now or ever."""


class Others(Protocol):
    """The other processes of the house."""

    async def keep(self, match: str) -> bool:
        """Takes a match for this process, unless another keeps it.

        Returns:
            Whether this process keeps it now.
        """

    def forget(self, account: str) -> None:
        """Tells them that an account has been deleted."""


class Tables:
    """Every table: opens matches, old and new.

    Args:
        store: Where the matches are.
        engines: Who thinks for engines' seats.
        uptime: The hours in which there was a server.
        others: The other processes that open matches of this store, if there are any.
    """

    def __init__(
        self,
        store: Store,
        engines: Engines,
        uptime: Uptime,
        others: Others | None = None,
    ) -> None:
        self._store = store
        self._uptime = uptime
        self._engines = engines
        self._others = others
        self._broken: set[str] = set()
        # One table to a match, as long as anybody is at it; the last few stay warm.
        self._open: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._warm: OrderedDict[str, Table] = OrderedDict()
        self._opening = asyncio.Lock()

    @property
    def open_now(self) -> int:
        """How many tables there are."""
        return len(self._open)

    async def create(
        self, wanted: NewMatch, account: Account | None = None, client: str = NOBODY
    ) -> Created:
        """Begins a match; returns when it is durable.

        Args:
            wanted: What to play.
            account: Who begins it: the persons who are here already sit there for this account.
            client: The address that they come from.

        Raises:
            Refused: `unknown-game`, `unknown-option`, `unknown-value`, `seat-count`,
                `nothing-to-offer`, `signed-out`, `rated-seats`, `engines-busy`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if len(wanted.seats) != game.seats:
            raise Refused("seat-count", needed=game.seats, given=len(wanted.seats))
        tokens = tuple(
            seat_tokens.new_token() if isinstance(seat, Person) else None for seat in wanted.seats
        )
        invitations = tuple(
            seat_tokens.new_invitation() if isinstance(seat, Link) else None
            for seat in wanted.seats
        )
        if wanted.lobby and not any(invitations):
            raise Refused("nothing-to-offer")
        header = Header(
            id=new_id(),
            game=game.name,
            options={name: str(value) for name, value in game.options.items()},
            rules_version=game.rules_version,
            confirm=wanted.confirm,
            time=wanted.time,
            seed=new_seed() if game.has_chance else None,
            contribute=wanted.contribute and game.has_chance,
            start=game.start().text,
            offered=wanted.lobby,
            rated=wanted.rated,
            seats=tuple(map(seat_tokens.stored, wanted.seats, tokens, invitations)),
        )
        if account is not None:
            here = [number for number, token in enumerate(tokens) if token is not None]
            header = seat_tokens.with_account(header, here, account)
        if wanted.rated:
            seat_tokens.check_rated(header, account)
        match = await self._begin(header, client)
        return Created(header.id, tokens, invitations, match.urn.commitment)

    async def _begin(self, header: Header, client: str) -> Match:
        match = Match(header)
        log = commands.start(match)
        for event in log:
            match.apply(event)
        if match.engine_due:
            self._engines.check_room(client)
        if self._others is not None:
            await self._others.keep(header.id)
        await self._store.create(
            header,
            log,
            engine_due=match.engine_due,
            also=account_matches.following(match, was_over=False),
        )
        table = self._set_up(match, client=client)
        table.chat.begin()
        table.plans.begin()
        _log.info("match begun", match=header.id, game=header.game)
        return match

    def ticking(self) -> bool:
        """Whether any clock runs that runs on when nobody is there."""
        return any(table.ticking for table in tuple(self._open.values()))

    async def open(self, match_id: str) -> Table:
        """The table of a match.

        Raises:
            Refused: As `replay`.
        """
        table = self._open.get(match_id)
        if table is None:
            async with self._opening:
                table = self._open.get(match_id)
                if table is None:
                    match = await replay(self._store, match_id)
                    # If another process kept it, that has died: they are all to come back first.
                    table = self._set_up(match, GRACE if self._others is not None else 0.0)
        self._keep_warm(table)
        return table

    def known(self, match_id: str) -> Table | None:
        """The table of a match if it is open already."""
        return self._open.get(match_id)

    def ids(self) -> list[str]:
        """The matches whose tables are open."""
        return list(self._open)

    async def give_up(self, match_id: str) -> None:
        """Closes a table: another process keeps the match."""
        table = self._open.pop(match_id, None)
        self._warm.pop(match_id, None)
        if table is not None:
            await table.close()

    async def look_again(self, match_id: str) -> None:
        """Reads a match's log again, if its table is open."""
        table = self._open.get(match_id)
        if table is not None:
            await table.look_again()

    async def record(self, match_id: str) -> str | None:
        """A match as a record, wherever it is kept; `None` if it cannot be read any more."""
        try:
            return snapshot.record(await replay(self._store, match_id))
        except Refused:
            return None

    async def forget(self, account: str) -> None:
        """Takes in that an account has been deleted, here and in all other processes."""
        await self.forget_here(account)
        if self._others is not None:
            self._others.forget(account)

    async def forget_here(self, account: str) -> None:
        """Takes in that an account has been deleted."""
        for table in list(self._open.values()):
            if any(seat.account == account for seat in table.header.seats):
                await table.forget(account)

    def attended(self) -> list[Table]:
        """The tables at which somebody is who holds a seat."""
        return [table for table in self._open.values() if table.attended]

    async def resume(self) -> None:
        """Opens every match in which an engine is to act, but for those that others keep.

        Those that cannot be opened hold up no other; unless they are broken they are tried again
        the next time.
        """
        for match_id in await self._store.engines_due():
            if match_id in self._open or match_id in self._broken:
                continue
            try:
                if self._others is None or await self._others.keep(match_id):
                    await self.open(match_id)
            except Refused as error:
                if error.code == "apart":
                    return
                if error.code in BROKEN:
                    self._broken.add(match_id)
                params = {"match": match_id} | error.params
                _log.error("match not resumed", code=error.code, **params)
            except Exception:
                # The database's fault, say: the others are opened all the same.
                _log.exception("match not resumed", match=match_id)

    def _set_up(self, match: Match, wait: float = 0.0, client: str = NOBODY) -> Table:
        ran = 0.0
        if match.latest is not None and match.times is not None and not match.waits:
            ran = max(self._uptime.since(match.latest) - wait, -GRACE)
        table = Table(match, self._store, self._engines, self._begin, ran, client)
        self._open[table.id] = table
        self._keep_warm(table)
        return table

    def _keep_warm(self, table: Table) -> None:
        self._warm[table.id] = table
        self._warm.move_to_end(table.id)
        if len(self._warm) > WARM:
            self._warm.popitem(last=False)
