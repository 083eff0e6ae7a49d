"""The tables of tournaments, and what reads and writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec
import sqlalchemy as sa

from tavola.server.errors import RequestError
from tavola.server.live.tournament_boards import tournament_boards
from tavola.server.matches.log import now
from tavola.server.storage.database import Database, LogConflict, Statement
from tavola.server.storage.tables import metadata
from tavola.server.tournaments.log import Change, Described, Event, Joined, Left, Turned
from tavola.server.tournaments.settings import TournamentSettings
from tavola.server.tournaments.tournament import STATUSES, Tournament

__all__ = ["Found", "Person", "TournamentStore", "erase_account", "tournaments"]

LIST_LENGTH = 100
"""How many tournaments are listed at most."""

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    # Grows with every change, so that a viewer sees whether there is one.
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    # Name, status and number of players follow from the log; the list reads them here.
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("players", sa.Integer, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("created", sa.String(32), nullable=False, index=True),
    # The account of the organizer, and the hash of the secret that shows one without it.
    sa.Column("organizer", sa.String(32), nullable=True, index=True),
    sa.Column("organizer_hash", sa.String(64), nullable=True),
)

players = sa.Table(
    "tournament_players",
    metadata,
    sa.Column("tournament", sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),
    sa.Column("account", sa.String(32), nullable=True, index=True),
    # The hash of a guest's secret, which holds the seats of all of the guest's matches.
    sa.Column("token_hash", sa.String(64), nullable=True),
    sa.Column("deleted", sa.Boolean, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)

events = sa.Table(
    "tournament_events",
    metadata,
    sa.Column("tournament", sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("change", sa.JSON, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)


@dataclass(frozen=True, slots=True)
class Person:
    """A player as a person: an account, a guest, or an engine without either.

    Attributes:
        deleted: Whether it was an account's that has been deleted.
    """

    number: int
    name: str
    account: str | None = None
    token_hash: str | None = None
    deleted: bool = False


@dataclass(slots=True)
class Found:
    """A tournament as it is stored.

    Attributes:
        version: Grows with every change.
        organizer: The account of the organizer.
        organizer_hash: The hash of the organizer's secret.
        people: The players by number.
    """

    id: str
    version: int
    created: str
    organizer: str | None
    organizer_hash: str | None
    tournament: Tournament
    people: dict[int, Person]

    def name(self, number: int) -> str:
        """Return the name of a player; an engine and a deleted account have none."""
        person = self.people.get(number)
        return "" if person is None else person.name


class TournamentStore:
    """The tournaments in the database.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        tournament: str,
        settings: TournamentSettings,
        size: int,
        organizer: str | None,
        organizer_hash: str | None,
    ) -> None:
        """Store a new tournament; return when it is durable."""
        row = {
            "id": tournament,
            "version": 1,
            "settings": msgspec.to_builtins(settings),
            "size": size,
            "name": settings.name,
            "status": "open",
            "players": 0,
            "listed": settings.listed,
            "created": now(),
            "organizer": organizer,
            "organizer_hash": organizer_hash,
        }
        await self._database.run(lambda connection: connection.execute(tournaments.insert(), row))

    async def version(self, tournament: str) -> int:
        """Return the version of a tournament.

        Raises:
            RequestError: `unknown-tournament`.
        """
        found = await self._database.read(
            lambda connection: connection.execute(
                sa.select(tournaments.c.version).where(tournaments.c.id == tournament)
            ).scalar()
        )
        if found is None:
            raise RequestError("unknown-tournament", tournament=tournament)
        return int(found)

    async def load(self, tournament: str) -> Found:
        """Return a tournament as it is stored now.

        Raises:
            RequestError: `unknown-tournament`.
        """

        def read(connection: sa.Connection) -> tuple[Any, Sequence[Any], Sequence[Any]]:
            row = connection.execute(
                tournaments.select().where(tournaments.c.id == tournament)
            ).one_or_none()
            log = connection.execute(
                events.select().where(events.c.tournament == tournament).order_by(events.c.seq)
            ).all()
            people = connection.execute(
                players.select().where(players.c.tournament == tournament)
            ).all()
            return row, log, people

        row, log, people = await self._database.read(read)
        if row is None:
            raise RequestError("unknown-tournament", tournament=tournament)
        settings = msgspec.convert(row.settings, TournamentSettings)
        replayed = Tournament(
            settings,
            row.size,
            (Event(one.seq, msgspec.convert(one.change, Change), one.at) for one in log),
        )
        return Found(
            row.id,
            row.version,
            row.created,
            row.organizer,
            row.organizer_hash,
            replayed,
            {
                one.number: Person(one.number, one.name, one.account, one.token_hash, one.deleted)
                for one in people
            },
        )

    async def append(
        self, found: Found, changes: Sequence[Change], person: Person | None = None
    ) -> None:
        """Append to a tournament's log, then apply; return when it is durable.

        Args:
            found: The tournament, which is changed.
            changes: What happened.
            person: A player who enters.

        Raises:
            LogConflict: Another process has written to the log.
        """
        seq = found.tournament.seq
        entries = [Event(seq + place, change) for place, change in enumerate(changes, start=1)]
        entering = [] if person is None else [person]
        entering += [
            Person(change.player, "")
            for change in changes
            if isinstance(change, Joined) and change.level is not None
        ]
        leaving = [
            change.player
            for change in changes
            if isinstance(change, Left) and found.tournament.status == "open"
        ]
        values = {"version": tournaments.c.version + 1, **_columns(found.tournament, changes)}

        def write(connection: sa.Connection) -> int:
            try:
                connection.execute(
                    events.insert(),
                    [
                        {
                            "tournament": found.id,
                            "seq": entry.seq,
                            "change": msgspec.to_builtins(entry.change),
                            "at": entry.at,
                        }
                        for entry in entries
                    ],
                )
            except sa.exc.IntegrityError as error:
                raise LogConflict from error
            here = players.c.tournament == found.id
            connection.execute(players.delete().where(here, players.c.number.in_(leaving)))
            for one in entering:
                connection.execute(
                    players.insert().values(tournament=found.id, at=now(), **asdict(one))
                )
            connection.execute(
                tournaments.update().where(tournaments.c.id == found.id).values(values)
            )
            return int(
                connection.execute(
                    sa.select(tournaments.c.version).where(tournaments.c.id == found.id)
                ).scalar_one()
            )

        version = await self._database.run(write)
        for entry in entries:
            found.tournament.apply(entry)
        for number in leaving:
            del found.people[number]
        found.people.update((one.number, one) for one in entering)
        found.version = version

    async def running(self) -> list[str]:
        """Return the tournaments that have begun and not ended."""
        wanted = sa.select(tournaments.c.id).where(tournaments.c.status.in_(("running", "paused")))
        return await self._database.read(
            lambda connection: list(connection.execute(wanted).scalars())
        )

    async def listed(self, account: str | None) -> Sequence[Any]:
        """Return the rows of the latest tournaments that are listed, and of an account's own."""
        mine = sa.select(players.c.tournament).where(players.c.account == account)
        own = (tournaments.c.organizer == account) | tournaments.c.id.in_(mine)
        shown = tournaments.c.listed if account is None else tournaments.c.listed | own
        wanted = (sa.select(tournaments).where(shown).order_by(tournaments.c.created.desc())).limit(
            LIST_LENGTH
        )
        return await self._database.read(lambda connection: connection.execute(wanted).all())

    async def boards(self, tournament: str, matches: Sequence[str]) -> dict[str, Any]:
        """Return the rows of these matches, and of all that are not over, by match."""
        table = tournament_boards
        wanted = table.select().where(
            table.c.tournament == tournament,
            table.c.ranking.is_(None) | table.c.match.in_(matches),
        )
        rows = await self._database.read(lambda connection: connection.execute(wanted).all())
        return {row.match: row for row in rows}

    async def of_account(self, account: str) -> Sequence[Any]:
        """Return the tournaments of an account: as organizer, and as player with a number."""
        own = players.c.account == account
        joined = sa.select(
            tournaments.c.id, tournaments.c.name, players.c.number, players.c.at
        ).join(players, (players.c.tournament == tournaments.c.id) & own)
        organized = sa.select(
            tournaments.c.id,
            tournaments.c.name,
            sa.null().label("number"),
            tournaments.c.created.label("at"),
        ).where(tournaments.c.organizer == account)

        def read(connection: sa.Connection) -> Sequence[Any]:
            return [*connection.execute(organized).all(), *connection.execute(joined).all()]

        return await self._database.read(read)

    async def finished_of(self, account: str, limit: int) -> Sequence[Any]:
        """Return the latest finished tournaments that are listed, and an account's number there."""
        wanted = (
            sa.select(tournaments, players.c.number)
            .join(players, players.c.tournament == tournaments.c.id)
            .where(
                players.c.account == account,
                tournaments.c.status == "finished",
                tournaments.c.listed,
            )
            .order_by(tournaments.c.created.desc())
            .limit(limit)
        )
        return await self._database.read(lambda connection: connection.execute(wanted).all())


def erase_account(account: str) -> Statement:
    """Return the statement that removes a deleted account from all tournaments."""

    def forget(connection: sa.Connection) -> None:
        mine = sa.select(players.c.tournament).where(players.c.account == account)
        own = (tournaments.c.organizer == account) | tournaments.c.id.in_(mine)
        connection.execute(
            tournaments.update().where(own).values(version=tournaments.c.version + 1)
        )
        connection.execute(
            tournaments.update().where(tournaments.c.organizer == account).values(organizer=None)
        )
        connection.execute(
            players.update()
            .where(players.c.account == account)
            .values(name="", account=None, token_hash=None, deleted=True)
        )

    return forget


def _columns(tournament: Tournament, changes: Sequence[Change]) -> dict[str, Any]:
    """Return the name, the status and the number of players after changes."""
    name, status, count = tournament.settings.name, tournament.status, len(tournament.players)
    for change in changes:
        match change:
            case Described():
                name = change.name
            case Turned(to):
                status = STATUSES[to]
            case Joined():
                count += 1
            case Left() if tournament.status == "open":
                count -= 1
    return {"name": name, "status": status, "players": count}
