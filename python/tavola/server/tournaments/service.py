"""The tournaments of a server: what viewers see, and what they ask for."""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from weakref import WeakValueDictionary

import structlog
from msgspec import UNSET

from tavola.server import games
from tavola.server.accounts.accounts import Account
from tavola.server.accounts.seat_tokens import hash_secret
from tavola.server.errors import RequestError
from tavola.server.matches.log import format_time
from tavola.server.matches.player_requests import new_id
from tavola.server.matches.time_control import MainTime
from tavola.server.ops.rate_limits import TOURNAMENT_ENTRIES, TOURNAMENTS, RateLimits
from tavola.server.schema.accounts import OwnTournament
from tavola.server.schema.sanitize import sanitize_line
from tavola.server.storage.database import Database, LogConflict
from tavola.server.tournaments import decisions, rounds
from tavola.server.tournaments.decisions import Viewer
from tavola.server.tournaments.log import Change
from tavola.server.tournaments.standings import TIE_BREAKS, standings
from tavola.server.tournaments.store import Found, TournamentStore
from tavola.server.tournaments.tournament import Tournament
from tavola.server.tournaments.wire import (
    AddEngine,
    JoinTournament,
    NewTournament,
    TournamentAction,
    TournamentBoard,
    TournamentList,
    TournamentPlayer,
    TournamentRound,
    TournamentStanding,
    TournamentState,
    TournamentSummary,
    TournamentView,
    TurnTournament,
)

CACHED = 64
"""How many tournaments stay in memory."""

MAX_TRIES = 5
"""How often an action is decided again because another process was first."""

_log = structlog.get_logger("tavola.tournaments")


class Tournaments:
    """All tournaments.

    Args:
        database: The database that stores them.
        limits: The limits of addresses and accounts.
    """

    def __init__(self, database: Database, limits: RateLimits) -> None:
        self.store = TournamentStore(database)
        self._limits = limits
        self._known: OrderedDict[str, Found] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._standings: dict[str, tuple[int, tuple[TournamentStanding, ...]]] = {}
        self.changed = asyncio.Event()
        self._chance = random.SystemRandom()

    def lock(self, tournament: str) -> asyncio.Lock:
        """Return the lock under which a tournament is read and changed in this process."""
        return self._locks.setdefault(tournament, asyncio.Lock())

    async def load(self, tournament: str) -> Found:
        """Return a tournament as it is stored now; the caller holds its lock.

        Raises:
            RequestError: `unknown-tournament`.
        """
        version = await self.store.version(tournament)
        known = self._known.get(tournament)
        if known is None or known.version != version:
            known = self._known[tournament] = await self.store.load(tournament)
        self._known.move_to_end(tournament)
        if len(self._known) > CACHED:
            self._standings.pop(self._known.popitem(last=False)[0], None)
        return known

    async def append(self, found: Found, changes: Sequence[Change]) -> None:
        """Append to the log; the caller holds the lock.

        Raises:
            LogConflict: Another process was first; what is in memory is read again.
        """
        try:
            await self.store.append(found, changes)
        except BaseException:
            self._known.pop(found.id, None)
            raise

    async def next_changes(self, tournament: Tournament) -> list[Change]:
        """Return what is due in a running tournament; the caller holds its lock."""
        return await asyncio.to_thread(
            rounds.next_changes, tournament, datetime.now(UTC), new_id, self._chance
        )

    async def create(self, new: NewTournament, account: Account | None, client: str) -> str:
        """Create a tournament; return its id when it is durable.

        Raises:
            RequestError: `unknown-game`, `unknown-option`, `unknown-value`, `tournament-seats`,
                `tournament-name`, `rated-seats`, `rated-odds`, `signed-out`, `tournament-limit`.
        """
        settings = new.settings
        game = games.load(settings.game, dict(settings.options))
        if (settings.format == "tables") != (game.seats > 2):
            raise RequestError("tournament-seats", seats=game.seats)
        if not sanitize_line(settings.name):
            raise RequestError("tournament-name")
        if settings.rated and settings.guests:
            raise RequestError("rated-seats")
        if (
            settings.rated
            and isinstance(settings.time, MainTime)
            and settings.time.odds is not UNSET
        ):
            raise RequestError("rated-odds")
        if account is None and new.token is None:
            raise RequestError("signed-out")
        self._limits.bucket(TOURNAMENTS, client).take()
        if account is not None:
            self._limits.bucket(TOURNAMENTS, account.id).take()
        tournament = new_id()
        await self.store.create(
            tournament,
            settings,
            game.seats,
            None if account is None else account.id,
            None if new.token is None else hash_secret(new.token),
        )
        _log.info("tournament created", tournament=tournament, game=settings.game)
        return tournament

    async def act(
        self, tournament: str, action: TournamentAction, viewer: Viewer, client: str
    ) -> TournamentState:
        """Do what a viewer asks for; return when it is durable.

        Raises:
            RequestError: `unknown-tournament`, `busy`, and as `decisions.decide`.
        """
        if isinstance(action, JoinTournament | AddEngine):
            self._limits.bucket(TOURNAMENT_ENTRIES, client).take()
        if isinstance(action, JoinTournament) and action.token and viewer.account is None:
            viewer = Viewer(None, viewer.hashes | {hash_secret(action.token)})
        async with self.lock(tournament):
            for _ in range(MAX_TRIES):
                found = await self.load(tournament)
                decision = decisions.decide(found, action, viewer)
                changes = decision.changes
                if isinstance(action, TurnTournament) and action.to == "round":
                    changes = await self.next_changes(found.tournament)
                try:
                    if changes:
                        await self.store.append(found, changes, decision.person)
                except LogConflict:
                    self._known.pop(tournament, None)
                    continue
                self.changed.set()
                return TournamentState(found.version, self._view(found, viewer))
        raise RequestError("busy")

    async def state(self, tournament: str, viewer: Viewer, after: int) -> TournamentState:
        """Return a tournament for a viewer who has a version of it.

        Raises:
            RequestError: `unknown-tournament`.
        """
        version = await self.store.version(tournament)
        if version == after:
            return TournamentState(version, None)
        async with self.lock(tournament):
            found = await self.load(tournament)
            return TournamentState(found.version, self._view(found, viewer))

    async def found(self, tournament: str) -> Found:
        """Return a tournament to read it at once.

        Raises:
            RequestError: `unknown-tournament`.
        """
        async with self.lock(tournament):
            return await self.load(tournament)

    async def list(self, account: Account | None) -> TournamentList:
        """Return the latest tournaments that are listed, and those of the account."""
        rows = await self.store.listed(None if account is None else account.id)
        return TournamentList(
            tuple(
                TournamentSummary(
                    row.id,
                    row.name,
                    row.settings["game"],
                    row.settings["format"],
                    row.status,
                    row.players,
                    row.created,
                )
                for row in rows
            )
        )

    async def of_account(self, account: Account) -> tuple[OwnTournament, ...]:
        """Return the tournaments of an account."""
        rows = await self.store.of_account(account.id)
        return tuple(OwnTournament(row.id, row.name, row.number, row.at) for row in rows)

    def standings(self, found: Found) -> tuple[TournamentStanding, ...]:
        """Return the standings, computed once for each version."""
        known = self._standings.get(found.id)
        if known is None or known[0] != found.version:
            listed = tuple(
                TournamentStanding(one.player, one.rank, one.points, one.played, one.tie_breaks)
                for one in standings(found.tournament)
            )
            known = self._standings[found.id] = found.version, listed
        return known[1]

    def _view(self, found: Found, viewer: Viewer) -> TournamentView:
        tournament, settings = found.tournament, found.tournament.settings
        return TournamentView(
            tournament=found.id,
            settings=settings,
            seats=tournament.size,
            status=tournament.status,
            created=found.created,
            started=tournament.started,
            last_round=None if tournament.status == "open" else rounds.last_round(tournament),
            ends=_end_of_arena(tournament),
            players=tuple(_player(found, number) for number in sorted(tournament.players)),
            rounds=tuple(
                TournamentRound(
                    one.number,
                    one.at,
                    tuple(
                        TournamentBoard(
                            board.number,
                            board.players,
                            board.match,
                            board.points,
                            board.absent,
                            board.corrected,
                        )
                        for board in one.boards
                    ),
                    one.byes,
                )
                for one in tournament.rounds
            ),
            standings=self.standings(found),
            tie_breaks=TIE_BREAKS[settings.format],
            you=viewer.player(found),
            organizer=viewer.is_organizer(found),
            can=decisions.permissions(found, viewer),
        )


def _player(found: Found, number: int) -> TournamentPlayer:
    player, person = found.tournament.players[number], found.people.get(number)
    return TournamentPlayer(
        number,
        found.name(number),
        player.level,
        person is not None and person.account is not None,
        person is not None and person.deleted,
        player.left,
    )


def _end_of_arena(tournament: Tournament) -> str | None:
    if tournament.settings.format != "arena" or tournament.started is None:
        return None
    began = datetime.fromisoformat(tournament.started)
    return format_time(began + timedelta(minutes=tournament.settings.minutes))
