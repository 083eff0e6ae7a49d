"""Tables: opens matches, old and new."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

import structlog

from tavola.server import belongings, games, seating
from tavola.server.accounts import Account
from tavola.server.engines import Engines
from tavola.server.errors import Refused
from tavola.server.matches import Match
from tavola.server.requests import new_id
from tavola.server.store import Header, Store
from tavola.server.table import Table, replay, waits
from tavola.server.uptime import Uptime
from tavola.server.urn import new_seed
from tavola.server.wire import Created, Link, NewMatch, Person

_log = structlog.get_logger("tavola.tables")

WARM = 256
"""How many tables stay in memory though nobody is at them."""


class Tables:
    """Every table: opens matches, old and new."""

    def __init__(self, store: Store, engines: Engines, uptime: Uptime) -> None:
        self._store = store
        self._uptime = uptime
        self._engines = engines
        # One table to a match, as long as anybody is at it; the last few stay warm.
        self._open: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._warm: OrderedDict[str, Table] = OrderedDict()
        self._opening = asyncio.Lock()

    @property
    def open_now(self) -> int:
        """How many tables there are."""
        return len(self._open)

    async def create(self, wanted: NewMatch, account: Account | None = None) -> Created:
        """Begins a match; returns when it is durable.

        Args:
            wanted: What to play.
            account: Who begins it: the persons who are here already sit there for this account.

        Raises:
            Refused: `unknown-game`, `unknown-option`, `unknown-value`, `seat-count`,
                `nothing-to-offer`, `signed-out`, `rated-seats`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if len(wanted.seats) != game.seats:
            raise Refused("seat-count", needed=game.seats, given=len(wanted.seats))
        tokens = tuple(
            seating.new_token() if isinstance(seat, Person) else None for seat in wanted.seats
        )
        invitations = tuple(
            seating.new_invitation() if isinstance(seat, Link) else None for seat in wanted.seats
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
            seats=tuple(map(seating.stored, wanted.seats, tokens, invitations)),
        )
        if account is not None:
            here = [number for number, token in enumerate(tokens) if token is not None]
            header = seating.with_account(header, here, account)
        if wanted.rated:
            seating.check_rated(header, account)
        match = await self._begin(header)
        return Created(header.id, tokens, invitations, match.urn.commitment)

    async def _begin(self, header: Header) -> Match:
        match = Match(header)
        log = match.decide_start()
        for event in log:
            match.apply(event)
        await self._store.create(
            header,
            log,
            engine_due=match.engine is not None,
            also=belongings.following(match, was_over=False),
        )
        self._set_up(match)
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
                    table = self._set_up(await replay(self._store, match_id))
        self._keep_warm(table)
        return table

    def known(self, match_id: str) -> Table | None:
        """The table of a match if it is open already."""
        return self._open.get(match_id)

    async def record(self, match_id: str) -> str | None:
        """A match as a record; `None` if it cannot be read any more."""
        try:
            return await (await self.open(match_id)).record()
        except Refused:
            return None

    async def forget(self, account: str) -> None:
        """Takes in that an account has been deleted."""
        for table in list(self._open.values()):
            if any(seat.account == account for seat in table.header.seats):
                await table.forget(account)

    def attended(self) -> list[Table]:
        """The tables at which somebody is who holds a seat."""
        return [table for table in self._open.values() if table.attended]

    async def resume(self) -> None:
        """Opens every match in which an engine is to act."""
        for match_id in await self._store.engines_due():
            try:
                await self.open(match_id)
            except Refused as error:
                _log.error("match not resumed", match=match_id, code=error.code, **error.params)

    def _set_up(self, match: Match) -> Table:
        ran = 0.0
        if match.latest is not None and match.times is not None and not waits(match):
            ran = self._uptime.since(match.latest)
        table = Table(match, self._store, self._engines, self._begin, ran)
        self._open[table.id] = table
        self._keep_warm(table)
        return table

    def _keep_warm(self, table: Table) -> None:
        self._warm[table.id] = table
        self._warm.move_to_end(table.id)
        if len(self._warm) > WARM:
            self._warm.popitem(last=False)
