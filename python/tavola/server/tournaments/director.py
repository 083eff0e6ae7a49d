"""The director of tournaments: results, rounds, matches and players who do not come.

Every step is decided from what is stored, so that a killed server continues where it was. Several
processes may direct the same tournament: its log admits one writer, and each match is created and
ended by the process that has it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Literal, get_args

import sqlalchemy as sa
import structlog

from tavola.server import games
from tavola.server.accounts.seat_tokens import hash_secret, new_token, rated_players
from tavola.server.errors import RequestError
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.live.tournament_boards import add_board, ends_only_by_players
from tavola.server.matches.log import Event, Header, Seat, new_header
from tavola.server.matches.match import Match
from tavola.server.ops import metrics
from tavola.server.outbox import match_events
from tavola.server.storage.database import LogConflict
from tavola.server.tournaments import rounds
from tavola.server.tournaments.log import Change, Left, Replayed, Scored
from tavola.server.tournaments.service import Tournaments
from tavola.server.tournaments.store import Found
from tavola.server.tournaments.tournament import Board

STEP_SECONDS = 1.0
"""Seconds between two looks at the running tournaments."""

SECONDS_PER_MINUTE = 60.0
"""Shorter in tests."""

Part = Literal["step", "match", "board", "end"]
"""A part of the work for a tournament."""

# Counters that have not counted yet are zero, not absent.
for _part in get_args(Part):
    metrics.TOURNAMENT_FAILURES.labels(_part)

_log = structlog.get_logger("tavola.tournaments")


class Director:
    """Directs all running tournaments.

    Args:
        tournaments: The tournaments.
        registry: Creates and opens their matches.
    """

    def __init__(self, tournaments: Tournaments, registry: MatchRegistry) -> None:
        self._tournaments = tournaments
        self._registry = registry
        # The matches between engines, which continue while they are here.
        self._unattended: dict[str, LiveMatch] = {}

    async def run(self) -> None:
        """Direct the tournaments until it is cancelled."""
        while True:
            try:
                self._unattended = {
                    match: live for match, live in self._unattended.items() if not live.is_over
                }
                running = await self._tournaments.store.running()
                metrics.TOURNAMENTS_RUNNING.set(len(running))
                for tournament in running:
                    await self._apart("step", tournament, partial(self.step, tournament))
                metrics.TOURNAMENTS_STEPPED.set_to_current_time()
            except sa.exc.SQLAlchemyError:
                # The next time the database may answer again.
                _log.exception("tournaments not read")
            with suppress(TimeoutError):
                async with asyncio.timeout(STEP_SECONDS):
                    await self._tournaments.changed.wait()
            self._tournaments.changed.clear()

    async def _apart(
        self, what: Part, tournament: str, work: Callable[[], Awaitable[None]]
    ) -> None:
        """Do a part of the work; a fault in it stops no other part, and it is tried again."""
        try:
            await work()
        except LogConflict:
            # Another process was first.
            self._tournaments.changed.set()
        except RequestError as error:
            _log.warning("tournament waits", tournament=tournament, part=what, code=error.code)
        except Exception:
            metrics.TOURNAMENT_FAILURES.labels(what).inc()
            _log.exception("tournament failed", tournament=tournament, part=what)

    async def step(self, tournament: str) -> None:
        """Do all that is due in a tournament."""
        service = self._tournaments
        async with service.lock(tournament):
            found = await service.load(tournament)
            await self._score(found)
            if changes := await self._due(found):
                await service.append(found, changes)
            boards = [board for board in found.tournament.open_boards() if board.match]
            stored = await service.store.boards(
                tournament, [board.match for board in boards if board.match is not None]
            )
            headers = {
                board.match: _header(found, board)
                for board in boards
                if board.match is not None and board.match not in stored
            }
        open_matches = {board.match for board in boards}
        for header in headers.values():
            await self._apart("match", tournament, partial(self._create, tournament, header))
        for board in boards:
            await self._apart("board", tournament, partial(self._attend, found, board))
        for match in stored.keys() - open_matches:
            await self._apart("end", tournament, partial(self._abort, match))

    async def _score(self, found: Found) -> None:
        """Append the results of the boards whose matches have ended, and who has left."""
        waiting = {
            board.match: board
            for board in found.tournament.open_boards()
            if board.match is not None
        }
        stored = await self._tournaments.store.boards(found.id, list(waiting))
        changes: list[Change] = []
        gone = {one.number for one in found.tournament.players.values() if one.left is not None}
        for match, board in waiting.items():
            row = stored.get(match)
            if row is None or row.ranking is None:
                continue
            points = rounds.placement_points(tuple(row.ranking))
            absent = None if row.absent is None else board.players[row.absent]
            changes.append(Scored(board.round, board.number, points, absent))
            if absent is not None and absent not in gone:
                changes.append(Left(absent, "no-show"))
                gone.add(absent)
        for person in found.people.values():
            if person.deleted and person.number not in gone:
                changes.append(Left(person.number, "withdrew"))
        if changes:
            await self._tournaments.append(found, changes)

    async def _due(self, found: Found) -> list[Change]:
        tournament, settings = found.tournament, found.tournament.settings
        by_itself = settings.automatic or settings.format == "arena" or not tournament.rounds
        if tournament.status != "running" or not (by_itself or settings.format == "knockout"):
            return []
        changes = await self._tournaments.next_changes(tournament)
        # Where the organizer begins the rounds, drawn boards are still played again.
        return changes if by_itself or all(isinstance(one, Replayed) for one in changes) else []

    async def _create(self, tournament: str, header: Header) -> None:
        if not await self._registry.owns(header.id):
            return
        try:
            notices = match_events.on_round(header)
            await self._registry.add(header, extra=[add_board(header.id, tournament), *notices])
        except sa.exc.IntegrityError:
            # Another process was first.
            return

    async def _attend(self, found: Found, board: Board) -> None:
        """Let engines play each other, and end a match whose player does not come."""
        match = board.match
        assert match is not None, "the board has a match"
        if all(found.tournament.players[one].level is not None for one in board.players):
            if match not in self._unattended and await self._registry.owns(match):
                live_match = await self._registry.open(match)
                live_match.play_unattended()
                self._unattended[match] = live_match
            return
        minutes = found.tournament.settings.forfeit_minutes
        deadline = timedelta(seconds=minutes * SECONDS_PER_MINUTE)
        if datetime.now(UTC) < datetime.fromisoformat(board.at) + deadline:
            return
        if await self._registry.owns(match):
            live_match = await self._registry.open(match)
            await live_match.end(lambda live: forfeit_events(live, deadline, board.at))

    async def _abort(self, match: str) -> None:
        """End a match whose board the organizer has decided."""
        self._unattended.pop(match, None)
        if await self._registry.owns(match):
            live_match = await self._registry.open(match)
            await live_match.end(lambda live: [live.event("abort", max(live.acting or 0, 0))])


def forfeit_events(match: Match, deadline: timedelta, paired: str) -> list[Event]:
    """Return the event by which a player who does not come loses.

    Args:
        match: The match.
        deadline: How long a player may take.
        paired: When the board was paired.
    """
    if match.acting is None or match.paused or match.acting not in match.persons:
        return []
    if not match.opening and not ends_only_by_players(match):
        return []
    since = max(match.last_event_at or paired, paired)
    if datetime.now(UTC) < datetime.fromisoformat(since) + deadline:
        return []
    return [match.event("flag", match.acting)]


def _header(found: Found, board: Board) -> Header:
    """Return the settings and seats of a board's match."""
    assert board.match is not None, "it has a match"
    settings = found.tournament.settings
    game = games.load(settings.game, dict(settings.options))
    header = new_header(
        board.match,
        game,
        tuple(_seat(found, number) for number in board.players),
        confirm=True,
        time=settings.time,
        tournament=found.id,
    )
    return replace(header, rated=settings.rated and rated_players(header) is not None)


def _seat(found: Found, number: int) -> Seat:
    level, person = found.tournament.players[number].level, found.people[number]
    if level is not None:
        return Seat(kind="engine", name="", seconds=None, level=level, token_hash=None)
    return Seat(
        kind="person",
        name=person.name,
        seconds=None,
        # The seat of an account has a secret that no client knows.
        token_hash=person.token_hash or hash_secret(new_token()),
        account=person.account,
        member=person.account is not None,
        deleted=person.deleted,
    )
