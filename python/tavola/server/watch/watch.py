"""The Live page and the channels: one look at the database serves all who watch.

Every process reads the public matches from the database, so it shows those of all processes. The
work is bounded: a look every two seconds while there are watchers, and a patch of each board that
has changed, computed and encoded once for all watchers.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog
from msgspec import Raw

import tavola
from tavola._core import LazyView
from tavola.server import games
from tavola.server.errors import RequestError
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.log import format_time
from tavola.server.matches.seating import Seating
from tavola.server.schema.patch import Patch, patch_list
from tavola.server.schema.responses import encode
from tavola.server.schema.watch import LiveBoard, LiveChangeMessage, LiveMessage
from tavola.server.snapshots.snapshot import seat_infos
from tavola.server.storage.database import Database
from tavola.server.watch import choice, store
from tavola.server.watch.store import Position, Shown

POLL_SECONDS = 2.0
"""Seconds between two looks at the database while clients watch."""

STAY = timedelta(minutes=3)
"""A match without an event for so long gives its place to an equal one; delayed ones have less."""

PACE_SECONDS = 0.005
"""Seconds between the messages to two watchers: actions are served between them."""

SPREAD_SECONDS = 1.0
"""The longest wait of a watcher for a change that others have."""

KEPT_CHANGES = 4
"""How many changes a watcher can be behind before it receives all boards again."""

PREPARE_SECONDS = 0.05
"""Seconds in which the core computes the patches of views on its own thread."""

_log = structlog.get_logger("tavola.watch")


class Screen:
    """The boards of the page, or of a channel.

    Args:
        game: The game of the channel; `None`: all games.
    """

    def __init__(self, game: str | None) -> None:
        self.game = game
        self.watchers = 0
        self.version = 0
        self.changed = asyncio.Event()
        self.boards: tuple[LiveBoard, ...] = ()
        self._views: dict[str, LazyView] = {}
        self._changes: deque[Raw] = deque(maxlen=KEPT_CHANGES)
        self._whole: Raw | None = None

    @property
    def shown(self) -> str | None:
        """The match that a channel shows."""
        return self.boards[0].match if self.boards else None

    def messages_since(self, version: int) -> list[Raw]:
        """Return the changes after a version; all boards if it is 0, or too long ago."""
        missed = self.version - version
        if version and missed <= len(self._changes):
            return list(self._changes)[len(self._changes) - missed :]
        if self._whole is None:
            self._whole = Raw(encode(LiveMessage(self.boards, self._views)))
        return [self._whole]

    def show(self, boards: tuple[LiveBoard, ...], views: dict[str, LazyView]) -> None:
        """Show boards with these views; a view that has not changed is the same object."""
        if boards == self.boards and self.version:
            return
        changes: dict[str, Any] = {}
        if (change := patch_list(self.boards, boards)) is not None:
            changes["boards"] = change
        if patches := _patch_views(self._views, views):
            changes["views"] = patches
        self.boards, self._views = boards, views
        self.version += 1
        self._changes.append(Raw(encode(LiveChangeMessage(changes))))
        self._whole = None
        self.changed.set()
        self.changed = asyncio.Event()


def _patch_views(before: dict[str, LazyView], after: dict[str, LazyView]) -> dict[str, Patch]:
    """Return the patches of the views that have come or changed, by match."""
    patches: dict[str, Patch] = {}
    for match, view in after.items():
        had = before.get(match)
        if had is None:
            patches[match] = [view]
        elif had is not view and (patch := view.patch(had)) is not None:
            patches[match] = Raw(patch)
    return patches


class Watch:
    """The Live page of a process.

    Args:
        database: The database of the matches.
        registry: The open matches, with their spectators.
    """

    def __init__(self, database: Database, registry: MatchRegistry) -> None:
        self._database = database
        self._registry = registry
        self._screens: dict[str | None, Screen] = {}
        self._strengths: dict[str, float] = {}
        # The latest view of each shown match, with the number of its event.
        self._views: dict[str, tuple[int, LazyView]] = {}
        self._woken = asyncio.Event()

    async def watch(self, game: str | None) -> AsyncIterator[Raw]:
        """Yield the message with all boards, and then each change.

        Args:
            game: The game of the channel; `None`: all games.
        """
        screen = self._screens.setdefault(game, Screen(game))
        pause = screen.watchers * PACE_SECONDS % SPREAD_SECONDS
        screen.watchers += 1
        if not screen.version:
            self._woken.set()
        version = 0
        try:
            while True:
                changed = screen.changed
                if screen.version != version:
                    messages, version = screen.messages_since(version), screen.version
                    for message in messages:
                        yield message
                if screen.version == version:
                    await changed.wait()
                    await asyncio.sleep(pause)
        finally:
            screen.watchers -= 1
            if not screen.watchers and self._screens.get(game) is screen:
                del self._screens[game]

    async def run(self) -> None:
        """Update the screens until it is cancelled."""
        while True:
            self._woken.clear()
            if self._screens:
                try:
                    await self.look()
                except (sa.exc.SQLAlchemyError, RequestError):
                    # The next time the database may answer again.
                    _log.exception("live matches not read")
            else:
                await self._woken.wait()
                continue
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                continue
            # A new screen is filled at once, but many new ones together.
            await asyncio.sleep(0.1)

    async def look(self) -> None:
        """Read the matches once, and update every screen."""
        shown = await self._database.read(
            lambda connection: store.running(connection, self._strengths)
        )
        running = {one.candidate.match: one for one in shown}
        screens = list(self._screens.values())
        chosen = {screen: self._choose(screen, running) for screen in screens}
        wanted = {match: running[match] for matches in chosen.values() for match in matches}
        found = await self._database.read(
            lambda connection: store.positions(connection, wanted.values())
        )
        boards: dict[str, LiveBoard] = {}
        views: dict[str, tuple[int, LazyView]] = {}
        for match, position in found.items():
            state = self._state(position)
            if state is None:
                continue
            boards[match] = self._board(wanted[match], position, state)
            views[match] = self._view(wanted[match], state)
        self._views = views
        # The core computes the patches meanwhile, and actions are served.
        await asyncio.sleep(PREPARE_SECONDS)
        for screen, matches in chosen.items():
            known = [match for match in matches if match in boards]
            screen.show(
                tuple(boards[match] for match in known), {match: views[match][1] for match in known}
            )

    def _choose(self, screen: Screen, running: dict[str, Shown]) -> Sequence[str]:
        candidates = [one.candidate for one in running.values()]
        if screen.game is None:
            shown = [board.match for board in screen.boards]
            since = format_time(datetime.now(UTC) - STAY)
            return [one.match for one in choice.best(candidates, shown=shown, since=since)]
        match = choice.channel(candidates, screen.game, screen.shown)
        return [] if match is None else [match]

    def _state(self, position: Position) -> tavola.State | None:
        """Return the state of a position; `None` if it cannot be shown."""
        header = position.header
        try:
            game = games.load_version(header.game, dict(header.options), header.rules_version)
            return game.parse(position.text)
        except (RequestError, tavola.PositionError):
            _log.warning("match not shown", match=header.id)
            return None

    def _board(self, shown: Shown, position: Position, state: tavola.State) -> LiveBoard:
        header = position.header
        over = shown.candidate.over or state.to_act is None
        acting = state.to_act
        return LiveBoard(
            match=header.id,
            game=header.game,
            seq=shown.seq,
            seats=seat_infos(Seating(header.seats, frozenset(), position.ratings)),
            acting=None if over or acting == tavola.CHANCE else acting,
            over=over,
            watching=self._watching(header.id),
            delay=shown.delay,
        )

    def _view(self, shown: Shown, state: tavola.State) -> tuple[int, LazyView]:
        """Return the view for spectators, with its event: the one before, if it has not changed."""
        before = self._views.get(shown.candidate.match)
        if before is not None and before[0] == shown.seq:
            return before
        view = state.lazy_view(None).without_actions()
        if before is not None:
            view.prepare(before[1])
        return shown.seq, view

    def _watching(self, match: str) -> int:
        """Return the number of spectators of a match, on its page and in the channels."""
        live_match = self._registry.get_open(match)
        viewers = () if live_match is None else live_match.presence.viewers
        return sum(not viewer.held for viewer in viewers) + sum(
            screen.watchers
            for screen in self._screens.values()
            if screen.game is not None and screen.shown == match
        )
