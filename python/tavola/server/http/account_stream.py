"""The stream of an account: its games and notifications over HTTP, a line of JSON each, for bots.

A stream begins with the present state. Every process reads what changed from the database, as the
bell does, so it makes no difference which process owns a match. A stream that is opened again with
the `cursor` of its last line contains the ends that were missed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing
from datetime import UTC, datetime

import msgspec

from tavola.server.errors import RequestError
from tavola.server.http.bell import WINDOW, Bell, reader_of
from tavola.server.http.match_stream import KEEPALIVE_SECONDS, counted
from tavola.server.live.account_matches import MAX_STREAMED, AccountMatch, AccountMatches
from tavola.server.matches.log import format_time
from tavola.server.moderation.bans import Bans
from tavola.server.ops.rate_limits import MAX_ACCOUNT_STREAMS, RateLimits
from tavola.server.schema.account_stream import (
    AccountMessage,
    AccountStateMessage,
    GameEndMessage,
    GameMessage,
    GameStartMessage,
    GameTurnMessage,
    NotificationMessage,
)
from tavola.server.schema.responses import MatchSummary
from tavola.server.schema.validation import invalid_request

_encode = msgspec.json.Encoder().encode


class AccountStreams:
    """The open streams of accounts.

    Args:
        bell: Wakes streams when something changes.
        account_matches: The matches of accounts.
        limits: Count the streams of each client.
        bans: The banned addresses.
    """

    def __init__(
        self, bell: Bell, account_matches: AccountMatches, limits: RateLimits, bans: Bans
    ) -> None:
        self._bell = bell
        self._account_matches = account_matches
        self._limits = limits
        self._bans = bans
        self._open: Counter[str] = Counter()

    def listening(self) -> Collection[str]:
        """Return the accounts with an open stream."""
        return self._open.keys()

    def open(
        self,
        account: str,
        client: str,
        check: Callable[[], Awaitable[object]],
        after: str | None = None,
    ) -> AsyncGenerator[bytes]:
        """Return a stream of an account.

        Args:
            account: The id of the account.
            client: The address of the reader.
            check: Raises `RequestError` once the reader may no longer read.
            after: The cursor of the last line that the reader has.

        Raises:
            RequestError: `too-many-viewers`, `invalid`.
        """
        since = None if after is None else _parse_cursor(after)
        if self._open[account] >= MAX_ACCOUNT_STREAMS:
            raise RequestError("too-many-viewers")
        self._limits.check_socket_limit(client)
        return counted(self._lines(account, check, since), self._limits, self._bans, client)

    async def _lines(
        self, account: str, check: Callable[[], Awaitable[object]], since: datetime | None
    ) -> AsyncGenerator[bytes]:
        self._open[account] += 1
        try:
            async with aclosing(self._messages(account, since)) as messages:
                checked_at = time.monotonic()
                async for message in messages:
                    if time.monotonic() >= checked_at + KEEPALIVE_SECONDS:
                        try:
                            await check()
                        except RequestError:
                            return
                        checked_at = time.monotonic()
                    yield b"\n" if message is None else _encode(message) + b"\n"
        finally:
            self._open[account] -= 1
            if not self._open[account]:
                del self._open[account]

    async def _messages(
        self, account: str, since: datetime | None
    ) -> AsyncGenerator[AccountMessage | None]:
        """Yield the messages of a stream, and `None` after some seconds without one."""
        reader = reader_of(account, ())
        feed = _Feed()
        with self._bell.watching(reader, matches=True) as watcher:
            # Later changes of the same moment come again.
            read_at = datetime.now(UTC)
            games = await self._account_matches.unfinished(account)
            notifications = await self._bell.unread(reader, every=True)
            summaries = tuple(game.summary for game in games)
            yield AccountStateMessage(summaries, notifications, format_time(read_at))
            feed.start(games)
            seen = {one.id for one in notifications.notifications}
            await self._bell.mark_streamed(account, seen)
            if since is not None:
                async for game in self._account_matches.changed(account, since - WINDOW):
                    for missed in feed.changes(game, format_time(since)):
                        if isinstance(missed, GameEndMessage):
                            yield missed
            while True:
                if not await watcher.wait(KEEPALIVE_SECONDS):
                    yield None
                    continue
                before, read_at = read_at, datetime.now(UTC)
                # All earlier changes have been sent.
                cursor = format_time(before)
                async for game in self._account_matches.changed(account, before - WINDOW):
                    for message in feed.changes(game, cursor):
                        yield message
                latest = (await self._bell.unread(reader, every=True)).notifications
                fresh = [one for one in reversed(latest) if one.id not in seen]
                for notification in fresh:
                    yield NotificationMessage(notification, cursor)
                await self._bell.mark_streamed(account, [one.id for one in fresh])
                seen = {one.id for one in latest}


class _Feed:
    """The matches as a stream has sent them, to send only what is new."""

    def __init__(self) -> None:
        # The matches that have begun and are not over; the last version of a match that was sent.
        self._begun: set[str] = set()
        self._sent: dict[str, int] = {}

    def start(self, games: list[AccountMatch]) -> None:
        """Note the matches of the state."""
        for game in games:
            self._sent[game.header.id] = game.summary.seq
            if _is_full(game.summary):
                self._begun.add(game.header.id)

    def changes(self, game: AccountMatch, cursor: str) -> list[GameMessage]:
        """Return what is new of a match."""
        summary, match = game.summary, game.header.id
        messages: list[GameMessage] = []
        if _is_full(summary) and match not in self._begun and summary.status != "over":
            self._begun.add(match)
            messages.append(GameStartMessage(summary, cursor))
        if self._sent.get(match) == summary.seq and not messages:
            return []
        self._sent.pop(match, None)
        self._sent[match] = summary.seq
        if len(self._sent) > 2 * MAX_STREAMED:
            del self._sent[next(iter(self._sent))]
        if summary.status == "over":
            self._begun.discard(match)
            messages.append(GameEndMessage(summary, cursor))
        elif summary.acting is not None and summary.seats[summary.acting].yours:
            messages.append(GameTurnMessage(summary, cursor))
        return messages


def _is_full(summary: MatchSummary) -> bool:
    return not any(seat.open for seat in summary.seats)


def _parse_cursor(text: str) -> datetime:
    """Return the time of a cursor.

    Raises:
        RequestError: `invalid`.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise invalid_request("form", "after") from None
    if at.tzinfo is None or at.year < 2000:
        raise invalid_request("form", "after")
    return at
