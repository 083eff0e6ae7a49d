"""The registry of matches in memory: creates new matches and opens stored ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Protocol
from weakref import WeakValueDictionary

import structlog
from msgspec import UNSET

from tavola.server import games
from tavola.server.accounts import relations, seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.live import account_changes, account_matches
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.load import MatchLoader
from tavola.server.live.services import Services
from tavola.server.matches import decisions
from tavola.server.matches.log import Header, new_header
from tavola.server.matches.match import Match
from tavola.server.matches.player_requests import new_id
from tavola.server.matches.time_control import MainTime
from tavola.server.ops.fair_queue import NO_CLIENT
from tavola.server.ops.single_flight import SingleFlight
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.outbox import match_events
from tavola.server.schema.requests import EngineSeat, LinkSeat, NewMatch, PersonSeat
from tavola.server.schema.responses import MatchCreated
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import Database, LogConflict, Statement
from tavola.server.storage.downtime import GRACE_SECONDS, Downtime

_log = structlog.get_logger("tavola.matches")

RECENT_MATCHES = 256
"""Number of matches that stay in memory without a viewer."""

PERMANENT_ERRORS = ("damaged", "rules-changed", "game-missing")
"""Why a match cannot be opened now or ever."""


class Peers(Protocol):
    """The other server processes on the same database."""

    async def acquire(self, match: str) -> bool:
        """Acquire a match for this process, unless another process has it.

        Returns:
            Whether this process has it now.
        """

    def broadcast_account_deleted(self, account: str) -> None:
        """Broadcast that an account has been deleted."""

    def broadcast_blocks_changed(self, account: str) -> None:
        """Broadcast that an account blocks other persons than before."""


class MatchRegistry:
    """All matches in memory: creates new ones and opens stored ones.

    Args:
        database: The database that stores the matches.
        engines: The pool that searches for engines' seats.
        downtime: The times at which no server ran.
        work: The queue of everything that is not an action.
        others: The other server processes that open matches of this database, if any.
    """

    def __init__(
        self,
        database: Database,
        engines: EnginePool,
        downtime: Downtime,
        work: WorkQueue,
        others: Peers | None = None,
    ) -> None:
        self._database = database
        self._downtime = downtime
        self._engines = engines
        self._peers = others
        self._limits = work.limits
        self.loader = MatchLoader(database, work)
        self._services = Services(database, engines, self.loader, work, self.add)
        self._broken: set[str] = set()
        # One object per match while it is in use; the most recent ones stay longer.
        self._open: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveMatch] = OrderedDict()
        self._opening = SingleFlight[str, LiveMatch]()

    @property
    def open_count(self) -> int:
        """Number of matches in memory."""
        return len(self._open)

    async def create(
        self,
        wanted: NewMatch,
        account: Account | None = None,
        client: str = NO_CLIENT,
        invited: str | None = None,
    ) -> MatchCreated:
        """Create a match; return when it is durable.

        Args:
            wanted: The game, its options and the seats.
            account: The account of the creator, which takes the seats of persons present.
            client: The address of the creator.
            invited: The account that is invited to the first seat by link.

        Raises:
            RequestError: `unknown-game`, `unknown-option`, `unknown-value`, `seat-count`,
                `unknown-agent`, `nothing-to-offer`, `signed-out`, `rated-seats`, `rated-odds`,
                `engines-busy`, `match-limit`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if len(wanted.seats) != game.seats:
            raise RequestError("seat-count", needed=game.seats, given=len(wanted.seats))
        if isinstance(wanted.time, MainTime) and wanted.time.odds is not UNSET:
            if len(wanted.time.odds) != game.seats:
                raise RequestError("seat-count", needed=game.seats, given=len(wanted.time.odds))
            if wanted.rated:
                raise RequestError("rated-odds")
        self._engines.agents.check(
            seat.agent for seat in wanted.seats if isinstance(seat, EngineSeat)
        )
        tokens = tuple(
            seat_tokens.new_token() if isinstance(seat, PersonSeat) else None
            for seat in wanted.seats
        )
        invitations = tuple(
            seat_tokens.new_invitation() if isinstance(seat, LinkSeat) else None
            for seat in wanted.seats
        )
        if (wanted.lobby or invited is not None) and not any(invitations):
            raise RequestError("nothing-to-offer")
        header = new_header(
            new_id(),
            game,
            tuple(map(seat_tokens.new_seat, wanted.seats, tokens, invitations)),
            confirm=wanted.confirm,
            time=wanted.time,
            contribute=wanted.contribute and game.has_chance,
            offered=wanted.lobby,
            rated=wanted.rated,
        )
        if account is not None:
            here = [number for number, token in enumerate(tokens) if token is not None]
            header = seat_tokens.with_account(header, here, account)
        if wanted.rated:
            seat_tokens.check_rated(header, account)
        notices = []
        if invited is not None and account is not None:
            free = next(seat for seat, one in enumerate(invitations) if one is not None)
            notices = match_events.on_challenge(header, free, invited, account.id)
        match = await self.add(header, client, notices)
        return MatchCreated(header.id, tokens, invitations, match.draw_source.commitment)

    async def owns(self, match_id: str) -> bool:
        """Return whether this process has a match, or acquires it now.

        Raises:
            RequestError: `apart`.
        """
        return self._peers is None or await self._peers.acquire(match_id)

    async def add(
        self, header: Header, client: str = NO_CLIENT, extra: Sequence[Statement] = ()
    ) -> Match:
        """Store and open a match; return when it is durable.

        Args:
            header: Its settings and seats.
            client: The address of the creator; none for a match of a tournament.
            extra: What else is written in the same transaction.

        Raises:
            RequestError: `engines-busy`, `match-limit`.
        """
        match = Match(header)
        log = decisions.opening_events(match)
        for event in log:
            match.apply(event)
        if match.engine_due:
            self._engines.check_room(client)
        if client != NO_CLIENT:
            self._limits.count_match(client)
        if self._peers is not None:
            await self._peers.acquire(header.id)
        await self._database.create(
            header,
            log,
            engine_due=match.engine_due,
            extra=[*extra, *account_matches.on_events_stored(match, was_over=False)],
        )
        live_match = self._add(match, client=client)
        live_match.chat.start_empty()
        live_match.conditional_moves.start_empty()
        _log.info("match begun", match=header.id, game=header.game)
        return match

    async def close(self) -> None:
        """Stop opening matches."""
        await self._opening.close()
        await self.loader.close()

    def has_running_clocks(self) -> bool:
        """Return whether a clock runs in any match that does not wait for viewers."""
        return any(live_match.has_running_clock for live_match in tuple(self._open.values()))

    async def open(self, match_id: str, client: str = NO_CLIENT) -> LiveMatch:
        """Return a match, opened if necessary.

        Args:
            match_id: The match.
            client: The address that wants it.

        Raises:
            RequestError: As `MatchLoader.load`.
        """
        live_match = self._open.get(match_id)
        if live_match is None:
            live_match = await self._opening.get(match_id, partial(self._load, match_id, client))
        self._touch(live_match)
        return live_match

    async def _load(self, match_id: str, client: str) -> LiveMatch:
        match = await self.loader.load(match_id, client, encoded=True)
        self.loader.forget(match_id)
        # If another process kept it, that has died: they are all to come back first.
        return self._add(match, GRACE_SECONDS if self._peers is not None else 0.0)

    async def read(self, match_id: str, client: str = NO_CLIENT) -> Match:
        """Return a match as it stands, in any process, without opening it; else as `open`."""
        live_match = self._open.get(match_id)
        if live_match is not None:
            return await live_match.match()
        return await self.loader.read(match_id, client)

    def get_open(self, match_id: str) -> LiveMatch | None:
        """Return a match if it is open."""
        return self._open.get(match_id)

    def open_ids(self) -> list[str]:
        """Return the ids of the open matches."""
        return list(self._open)

    async def release(self, match_id: str) -> None:
        """Close a match that another process owns now."""
        live_match = self._open.pop(match_id, None)
        self._recent.pop(match_id, None)
        if live_match is not None:
            await live_match.close()

    async def reload(self, match_id: str) -> None:
        """Reload a match from its log, if it is open."""
        live_match = self._open.get(match_id)
        if live_match is not None:
            await live_match.reload()

    async def record(self, match_id: str) -> str | None:
        """Return a match as a record, in any process; `None` if it cannot be read."""
        try:
            return snapshot.record_text(await self.loader.read(match_id))
        except RequestError:
            return None

    async def erase_account(self, account: str) -> None:
        """Update the seats of a deleted account, here and in all other processes."""
        await self.erase_account_locally(account)
        if self._peers is not None:
            self._peers.broadcast_account_deleted(account)

    async def erase_account_locally(self, account: str) -> None:
        """Update the seats of a deleted account."""
        for live_match in self._matches_of(account):
            await account_changes.erase(live_match, account)

    async def update_blocks(self, account: str) -> None:
        """Apply whom an account blocks to its matches, here and in all other processes."""
        await self.update_blocks_locally(account)
        if self._peers is not None:
            self._peers.broadcast_blocks_changed(account)

    async def update_blocks_locally(self, account: str) -> None:
        """Apply whom an account blocks to the open matches that it plays or watches."""
        blocked = await relations.blocked_by(self._services.database, account)
        for live_match in {*self._matches_of(account), *self._matches_watched_by(account)}:
            try:
                await account_changes.update_blocks(live_match, account, blocked)
            except (LogConflict, RequestError):
                _log.warning("block not applied", match=live_match.id)

    async def rename_account(self, account: str, name: str) -> None:
        """Show the new name of an account at its seats, in this process."""
        for live_match in self._matches_of(account):
            await account_changes.rename(live_match, account, name)

    def _matches_watched_by(self, account: str) -> list[LiveMatch]:
        """Return the open matches that an account views."""
        return [
            live_match
            for live_match in self._open.values()
            if any(viewer.account == account for viewer in live_match.presence.viewers)
        ]

    def _matches_of(self, account: str) -> list[LiveMatch]:
        """Return the open matches in which an account has a seat."""
        return [
            live_match
            for live_match in self._open.values()
            if any(seat.account == account for seat in live_match.header.seats)
        ]

    def with_players_present(self) -> list[LiveMatch]:
        """Return the matches in which a viewer who holds a seat is connected."""
        return [live_match for live_match in self._open.values() if live_match.has_players_present]

    def accounts_present(self) -> frozenset[str]:
        """Return the accounts whose seats connected viewers hold."""
        held = (
            live_match.header.seats[seat].account
            for live_match in self.with_players_present()
            for seat in live_match.presence.present_seats()
        )
        return frozenset(account for account in held if account is not None)

    async def resume(self) -> None:
        """Open every match in which an engine is to act, but for those that others keep.

        Those that cannot be opened hold up no other; unless they are broken they are tried again
        the next time.
        """
        for match_id in await self._database.engines_due():
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
                # For example a database error: the other matches are still opened.
                _log.exception("match not resumed", match=match_id)

    def _add(self, match: Match, wait: float = 0.0, client: str = NO_CLIENT) -> LiveMatch:
        ran = 0.0
        if (
            match.last_event_at is not None
            and match.remaining_time is not None
            and not match.clock_waits_for_viewers
        ):
            ran = max(self._downtime.uptime_since(match.last_event_at) - wait, -GRACE_SECONDS)
        live_match = LiveMatch(match, self._services, ran, client)
        self._open[live_match.id] = live_match
        self._touch(live_match)
        return live_match

    def _touch(self, live_match: LiveMatch) -> None:
        self._recent[live_match.id] = live_match
        self._recent.move_to_end(live_match.id)
        if len(self._recent) > RECENT_MATCHES:
            self._recent.popitem(last=False)
