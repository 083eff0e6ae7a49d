"""The Live page and the channels: one look at the database serves all who watch.

Every process reads the public matches from the database, so it shows those of all processes. The
work is bounded: a look every two seconds while there are watchers, and a view for each board that
has changed, encoded once for all watchers.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

import sqlalchemy as sa
import structlog
from msgspec import Raw, json

import tavola
from tavola.server import games
from tavola.server.errors import RequestError
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.seating import Seating
from tavola.server.schema.watch import LiveBoard, LiveMessage
from tavola.server.snapshots.snapshot import seat_infos
from tavola.server.storage.database import Database
from tavola.server.watch import choice, store
from tavola.server.watch.store import Position, Shown

POLL_SECONDS = 2.0
"""Seconds between two looks at the database while clients watch."""

PACE_SECONDS = 0.005
"""Seconds between the messages to two watchers: actions are served between them."""

SPREAD_SECONDS = 1.0
"""The longest wait of a watcher for a change that others have."""

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
        self._views: dict[str, Raw] = {}
        self._seqs: dict[str, int] = {}
        self.full = self.update = Raw(json.encode(LiveMessage((), {})))

    @property
    def shown(self) -> str | None:
        """The match that a channel shows."""
        return self.boards[0].match if self.boards else None

    def show(self, boards: tuple[LiveBoard, ...], views: dict[str, Raw]) -> None:
        """Show boards; the views hold at least those that have changed."""
        if boards == self.boards and self.version:
            return
        changed = {
            one.match: views[one.match] for one in boards if self._seqs.get(one.match) != one.seq
        }
        self._views = {one.match: {**self._views, **changed}[one.match] for one in boards}
        self._seqs = {one.match: one.seq for one in boards}
        self.boards = boards
        self.version += 1
        self.update = Raw(json.encode(LiveMessage(boards, changed)))
        self.full = Raw(json.encode(LiveMessage(boards, self._views)))
        self.changed.set()
        self.changed = asyncio.Event()


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
        self._woken = asyncio.Event()

    async def watch(self, game: str | None) -> AsyncIterator[Raw]:
        """Yield the message with all boards, and then each change.

        Args:
            game: The game of the channel; `None`: all games.
        """
        screen = self._screens.setdefault(game, Screen(game))
        pause = screen.watchers * PACE_SECONDS % SPREAD_SECONDS
        screen.watchers += 1
        self._woken.set()
        version = 0
        try:
            while True:
                changed = screen.changed
                if screen.version != version:
                    following = version > 0 and screen.version == version + 1
                    version = screen.version
                    yield screen.update if following else screen.full
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
        boards: dict[str, tuple[LiveBoard, Raw]] = {}
        for match, position in found.items():
            board = self._board(wanted[match], position)
            if board is not None:
                boards[match] = board
        for screen, matches in chosen.items():
            known = [boards[match] for match in matches if match in boards]
            screen.show(
                tuple(board for board, _ in known), {board.match: view for board, view in known}
            )

    def _choose(self, screen: Screen, running: dict[str, Shown]) -> Sequence[str]:
        candidates = [one.candidate for one in running.values()]
        if screen.game is None:
            return [one.match for one in choice.best(candidates)]
        match = choice.channel(candidates, screen.game, screen.shown)
        return [] if match is None else [match]

    def _board(self, shown: Shown, position: Position) -> tuple[LiveBoard, Raw] | None:
        """Return a board with its view for spectators; `None` if it cannot be shown."""
        header = position.header
        try:
            game = games.load_version(header.game, dict(header.options), header.rules_version)
            state = game.parse(position.text)
        except (RequestError, tavola.PositionError):
            _log.warning("match not shown", match=header.id)
            return None
        seating = Seating(header.seats, frozenset(), position.ratings)
        over = shown.candidate.over or state.to_act is None
        acting = state.to_act
        board = LiveBoard(
            match=header.id,
            game=header.game,
            seq=shown.seq,
            seats=seat_infos(seating),
            acting=None if over or acting == tavola.CHANCE else acting,
            over=over,
            watching=self._watching(header.id),
            delay=shown.delay,
        )
        return board, Raw(state.lazy_view(None).without_actions().json())

    def _watching(self, match: str) -> int:
        """Return the number of spectators of a match, on its page and in the channels."""
        live_match = self._registry.get_open(match)
        viewers = () if live_match is None else live_match.presence.viewers
        return sum(not viewer.held for viewer in viewers) + sum(
            screen.watchers
            for screen in self._screens.values()
            if screen.game is not None and screen.shown == match
        )
