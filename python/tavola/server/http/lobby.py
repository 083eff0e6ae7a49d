"""The lobby: matches that wait for players.

The list comes from the database, so several servers on one database share one lobby. A match is
listed while a seat is open and its creator is present, or has left only recently.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import structlog
from litestar import WebSocket

from tavola.server.accounts import relations
from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.errors import RequestError
from tavola.server.http.authentication import current_account
from tavola.server.http.one_way_socket import send_until_closed
from tavola.server.http.socket_limit import serve_socket
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.log import Header, format_time
from tavola.server.matches.seating import Seating
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.schema.responses import Challenge, ChallengesMessage, MatchCreated
from tavola.server.snapshots.snapshot import seat_infos
from tavola.server.storage.database import Database

_log = structlog.get_logger("tavola.lobby")

POLL_SECONDS = 3.0
"""Seconds between database polls while clients watch: another server may have changed it."""
MIN_UPDATE_SECONDS = 0.2
"""Minimum seconds between two updates to the watchers."""
TOUCH_SECONDS = 60.0
"""Seconds between two writes of which creators are present."""
OFFER_TIMEOUT = timedelta(minutes=10)
"""How long the creator of a challenge may be absent."""


class _Offer(NamedTuple):
    """A challenge with the accounts that sit in it."""

    challenge: Challenge
    accounts: frozenset[str]


class Lobby:
    """The list of open challenges.

    Args:
        database: The database.
        registry: The open matches, with their viewers.
        offer_timeout: How long the creator of a challenge may be absent.
    """

    def __init__(
        self,
        database: Database,
        registry: MatchRegistry,
        *,
        offer_timeout: timedelta = OFFER_TIMEOUT,
    ) -> None:
        self._database = database
        self._registry = registry
        self._gone = offer_timeout
        self._watchers: set[asyncio.Queue[tuple[_Offer, ...]]] = set()
        self._changed = asyncio.Event()
        # The addresses whose challenges this process has created.
        self._creators: dict[str, str] = {}
        self._offering = asyncio.Lock()

    def notify(self) -> None:
        """Wake the watchers: a challenge was offered, taken or withdrawn."""
        self._changed.set()

    async def offer(
        self,
        client: str,
        create: Callable[[], Awaitable[MatchCreated]],
        most: int = rate_limits.MAX_OFFERS,
    ) -> MatchCreated:
        """Create a challenge.

        Args:
            client: The address of its creator.
            create: Creates the match.
            most: How many open challenges the address may have.

        Raises:
            RequestError: `too-many-offers`, and as `create`.
        """
        async with self._offering:
            listed = {challenge.match for challenge in await self.challenges()}
            self._creators = {
                match: creator for match, creator in self._creators.items() if match in listed
            }
            if list(self._creators.values()).count(client) >= most:
                raise RequestError("too-many-offers", most=most)
            created = await create()
            self._creators[created.match] = client
        self.notify()
        return created

    async def challenges(self, account: Account | None = None) -> tuple[Challenge, ...]:
        """Return the open challenges, but for those of accounts that block this one."""
        blocking = await relations.all_blocking(self._database, account)
        return _visible(await self._offers(), blocking)

    async def _offers(self) -> tuple[_Offer, ...]:
        """Return the open challenges, the oldest first."""
        since = format_time(datetime.now(UTC) - self._gone)
        offers = await self._database.open_challenges(since)
        return tuple(map(_offer, filter(self._is_open, offers)))

    async def watch(self, account: Account | None = None) -> AsyncIterator[tuple[Challenge, ...]]:
        """Yield the list for an account now, and again after every change."""
        news: asyncio.Queue[tuple[_Offer, ...]] = asyncio.Queue()
        self._watchers.add(news)
        try:
            last = await self.challenges(account)
            yield last
            while True:
                offers = await news.get()
                # A slow watcher only needs the latest list.
                while not news.empty():
                    offers = news.get_nowait()
                latest = _visible(offers, await relations.all_blocking(self._database, account))
                if latest != last:
                    last = latest
                    yield last
        finally:
            self._watchers.discard(news)

    async def run(self) -> None:
        """Keep the list as things are, until it is cancelled."""
        loop = asyncio.get_running_loop()
        seen_at = loop.time()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._changed.wait()
            self._changed.clear()
            try:
                if loop.time() >= seen_at + TOUCH_SECONDS:
                    seen_at = loop.time()
                    await self.touch_offers()
                if self._watchers:
                    latest = await self._offers()
                    for news in self._watchers:
                        news.put_nowait(latest)
                    # Frequent changes must not slow down the players.
                    await asyncio.sleep(MIN_UPDATE_SECONDS)
            except Exception:
                # The list stays as it is until the database answers again.
                _log.exception("lobby not read")

    async def touch_offers(self) -> None:
        """Write down whose offers stand because they are there."""
        here = [
            live_match.id
            for live_match in self._registry.with_players_present()
            if _is_offered(live_match.header)
        ]
        if here:
            await self._database.touch_challenges(here)

    def _is_open(self, header: Header) -> bool:
        live_match = self._registry.get_open(header.id)
        return header.is_open and (live_match is None or not live_match.is_over)


def _is_offered(header: Header) -> bool:
    return header.offered and header.is_open


def _offer(header: Header) -> _Offer:
    challenge = Challenge(
        match=header.id,
        game=header.game,
        options=header.options,
        seats=seat_infos(Seating(header.seats, frozenset())),
        time=header.time,
        since=header.created,
        rated=header.rated,
    )
    sitting = frozenset(seat.account for seat in header.seats if seat.account is not None)
    return _Offer(challenge, sitting)


def _visible(offers: tuple[_Offer, ...], blocking: frozenset[str]) -> tuple[Challenge, ...]:
    """Return the challenges without those in which one of these accounts sits."""
    return tuple(offer.challenge for offer in offers if not offer.accounts & blocking)


async def serve(
    socket: WebSocket[Any, Any, Any], lobby: Lobby, accounts: Accounts, limits: RateLimits
) -> None:
    """Send the lobby to a client and every change of it; the client sends nothing."""
    await serve_socket(socket, limits, _serve(socket, lobby, accounts))


async def _serve(socket: WebSocket[Any, Any, Any], lobby: Lobby, accounts: Accounts) -> None:
    account = await current_account(socket, accounts)
    await send_until_closed(socket, _messages(lobby, account))


async def _messages(lobby: Lobby, account: Account | None) -> AsyncIterator[ChallengesMessage]:
    async for challenges in lobby.watch(account):
        yield ChallengesMessage(challenges)
