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
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.engine_queue import NO_CLIENT
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.load import load_match
from tavola.server.matches import commands
from tavola.server.matches.chance import new_seed
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.matches.requests import new_id
from tavola.server.schema import games
from tavola.server.schema.errors import RequestError
from tavola.server.schema.requests import LinkSeat, NewMatch, PersonSeat
from tavola.server.schema.responses import MatchCreated
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import GRACE_SECONDS, Downtime

_log = structlog.get_logger("tavola.tables")

RECENT_MATCHES = 256
"""Number of matches that stay in memory without a viewer."""

PERMANENT_ERRORS = ("damaged", "rules-changed")
"""Why a match cannot be opened now or ever."""


class Peers(Protocol):
    """The other processes of the house."""

    async def acquire(self, match: str) -> bool:
        """Takes a match for this process, unless another keeps it.

        Returns:
            Whether this process keeps it now.
        """

    def broadcast_account_deleted(self, account: str) -> None:
        """Tells them that an account has been deleted."""


class MatchRegistry:
    """Every table: opens matches, old and new.

    Args:
        store: Where the matches are.
        engines: Who thinks for engines' seats.
        uptime: The hours in which there was a server.
        others: The other processes that open matches of this store, if there are any.
    """

    def __init__(
        self,
        store: Database,
        engines: EnginePool,
        uptime: Downtime,
        others: Peers | None = None,
    ) -> None:
        self._store = store
        self._uptime = uptime
        self._engines = engines
        self._peers = others
        self._broken: set[str] = set()
        # One table to a match, as long as anybody is at it; the last few stay warm.
        self._open: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveMatch] = OrderedDict()
        self._opening = asyncio.Lock()

    @property
    def open_count(self) -> int:
        """How many tables there are."""
        return len(self._open)

    async def create(
        self, wanted: NewMatch, account: Account | None = None, client: str = NO_CLIENT
    ) -> MatchCreated:
        """Begins a match; returns when it is durable.

        Args:
            wanted: What to play.
            account: Who begins it: the persons who are here already sit there for this account.
            client: The address that they come from.

        Raises:
            RequestError: `unknown-game`, `unknown-option`, `unknown-value`, `seat-count`,
                `nothing-to-offer`, `signed-out`, `rated-seats`, `engines-busy`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if len(wanted.seats) != game.seats:
            raise RequestError("seat-count", needed=game.seats, given=len(wanted.seats))
        tokens = tuple(
            seat_tokens.new_token() if isinstance(seat, PersonSeat) else None
            for seat in wanted.seats
        )
        invitations = tuple(
            seat_tokens.new_invitation() if isinstance(seat, LinkSeat) else None
            for seat in wanted.seats
        )
        if wanted.lobby and not any(invitations):
            raise RequestError("nothing-to-offer")
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
            seats=tuple(map(seat_tokens.new_seat, wanted.seats, tokens, invitations)),
        )
        if account is not None:
            here = [number for number, token in enumerate(tokens) if token is not None]
            header = seat_tokens.with_account(header, here, account)
        if wanted.rated:
            seat_tokens.check_rated(header, account)
        match = await self._create(header, client)
        return MatchCreated(header.id, tokens, invitations, match.draw_source.commitment)

    async def _create(self, header: Header, client: str) -> Match:
        match = Match(header)
        log = commands.opening_events(match)
        for event in log:
            match.apply(event)
        if match.engine_due:
            self._engines.check_room(client)
        if self._peers is not None:
            await self._peers.acquire(header.id)
        await self._store.create(
            header,
            log,
            engine_due=match.engine_due,
            extra=account_matches.on_events_stored(match, was_over=False),
        )
        table = self._add(match, client=client)
        table.chat.start_empty()
        table.conditional_moves.start_empty()
        _log.info("match begun", match=header.id, game=header.game)
        return match

    def has_running_clocks(self) -> bool:
        """Whether a clock runs in any match that does not wait for viewers."""
        return any(table.has_running_clock for table in tuple(self._open.values()))

    async def open(self, match_id: str) -> LiveMatch:
        """The table of a match.

        Raises:
            RequestError: As `load_match`.
        """
        table = self._open.get(match_id)
        if table is None:
            async with self._opening:
                table = self._open.get(match_id)
                if table is None:
                    match = await load_match(self._store, match_id)
                    # If another process kept it, that has died: they are all to come back first.
                    table = self._add(match, GRACE_SECONDS if self._peers is not None else 0.0)
        self._touch(table)
        return table

    def get_open(self, match_id: str) -> LiveMatch | None:
        """The table of a match if it is open already."""
        return self._open.get(match_id)

    def open_ids(self) -> list[str]:
        """The matches whose tables are open."""
        return list(self._open)

    async def release(self, match_id: str) -> None:
        """Closes a table: another process keeps the match."""
        table = self._open.pop(match_id, None)
        self._recent.pop(match_id, None)
        if table is not None:
            await table.close()

    async def reload(self, match_id: str) -> None:
        """Reads a match's log again, if its table is open."""
        table = self._open.get(match_id)
        if table is not None:
            await table.reload()

    async def record(self, match_id: str) -> str | None:
        """A match as a record, wherever it is kept; `None` if it cannot be read any more."""
        try:
            return snapshot.record_text(await load_match(self._store, match_id))
        except RequestError:
            return None

    async def erase_account(self, account: str) -> None:
        """Takes in that an account has been deleted, here and in all other processes."""
        await self.erase_account_locally(account)
        if self._peers is not None:
            self._peers.broadcast_account_deleted(account)

    async def erase_account_locally(self, account: str) -> None:
        """Takes in that an account has been deleted."""
        for table in list(self._open.values()):
            if any(seat.account == account for seat in table.header.seats):
                await table.erase_account(account)

    def with_players_present(self) -> list[LiveMatch]:
        """Return the matches in which a viewer who holds a seat is connected."""
        return [table for table in self._open.values() if table.has_players_present]

    async def resume(self) -> None:
        """Opens every match in which an engine is to act, but for those that others keep.

        Those that cannot be opened hold up no other; unless they are broken they are tried again
        the next time.
        """
        for match_id in await self._store.engines_due():
            if match_id in self._open or match_id in self._broken:
                continue
            try:
                if self._peers is None or await self._peers.acquire(match_id):
                    await self.open(match_id)
            except RequestError as error:
                if error.code == "apart":
                    return
                if error.code in PERMANENT_ERRORS:
                    self._broken.add(match_id)
                params = {"match": match_id} | error.params
                _log.error("match not resumed", code=error.code, **params)
            except Exception:
                # The database's fault, say: the others are opened all the same.
                _log.exception("match not resumed", match=match_id)

    def _add(self, match: Match, wait: float = 0.0, client: str = NO_CLIENT) -> LiveMatch:
        ran = 0.0
        if (
            match.last_event_at is not None
            and match.remaining_time is not None
            and not match.clock_waits_for_viewers
        ):
            ran = max(self._uptime.uptime_since(match.last_event_at) - wait, -GRACE_SECONDS)
        table = LiveMatch(match, self._store, self._engines, self._create, ran, client)
        self._open[table.id] = table
        self._touch(table)
        return table

    def _touch(self, table: LiveMatch) -> None:
        self._recent[table.id] = table
        self._recent.move_to_end(table.id)
        if len(self._recent) > RECENT_MATCHES:
            self._recent.popitem(last=False)
