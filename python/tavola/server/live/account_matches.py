"""An account's matches: lists, export and deletion.

A match in which an account has a seat also has a stored summary. It is written in the same
transactions as the log, so that a list of matches need not replay them.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
import sqlalchemy as sa

from tavola.server.accounts import (
    api_tokens,
    puzzle_progress,
    ratings,
    relations,
    seat_tokens,
)
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.live.chat import chat, reports
from tavola.server.live.conditional_moves import conditional_moves
from tavola.server.matches.log import Header, format_time, now
from tavola.server.matches.match import Match
from tavola.server.matches.seating import Seating
from tavola.server.outbox import destinations
from tavola.server.outbox import events as outbox
from tavola.server.schema.accounts import (
    OwnChatLine,
    OwnConditionalMoves,
    OwnEvent,
    OwnNotification,
    OwnReport,
)
from tavola.server.schema.responses import MatchSummary
from tavola.server.schema.sanitize import fold
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import (
    Database,
    Statement,
    load_headers,
)
from tavola.server.storage.rows import Row, RowsStatement
from tavola.server.storage.tables import events, matches, metadata, seats

PAGE_SIZE = 50
"""How many matches are listed at a time."""

MAX_STREAMED = 500
"""How many unfinished matches a stream begins with at most."""

summaries = sa.Table(
    "standings",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("acting", sa.Integer, nullable=True),
    sa.Column("since", sa.String(32), nullable=False),
    sa.Column("winners", sa.JSON(none_as_null=True), nullable=True),
    # How it ended; null also where it ended before this was stored, unless it was aborted.
    sa.Column("reason", sa.Text, nullable=True),
    # When this row was written; null: before this was stored.
    sa.Column("changed", sa.String(32), nullable=True, index=True),
)


_SUMMARY = RowsStatement(summaries, summaries.c.keys(), key=("match",))


def upsert_summary(match: Match) -> Row:
    """Return the row that stores a match's summary."""
    summary = snapshot.match_summary(match, frozenset())
    winners = None if summary.winners is None else msgspec.json.encode(summary.winners).decode()
    return Row(
        _SUMMARY,
        (
            summary.match,
            summary.seq,
            summary.status,
            summary.acting,
            summary.since,
            winners,
            summary.reason,
            now(),
        ),
    )


def on_events_stored(match: Match, *, was_over: bool) -> list[Statement]:
    """Return what to write with a match's latest events, for the accounts in it.

    Args:
        match: The match as they leave it.
        was_over: Whether it was over before: then it has been counted.
    """
    if not match.seating.has_accounts:
        return []
    note = upsert_summary(match)
    players = seat_tokens.rated_players(match.header)
    # A match of a tournament that a player loses without a turn is no game.
    acted = all(match.core.has_acted({seat}) for seat in range(len(match.seats)))
    ended = match.status == "over" and match.core.termination != "aborted" and acted
    if not match.header.rated or was_over or not ended or match.replaced or players is None:
        return [note]
    returns = snapshot.match_result(match).returns
    return [note, ratings.record_result(match.header.id, match.header.game, players, returns)]


def claim_seats(match: Match, header: Header, account: Account) -> Statement:
    """Return the statement that gives an account its seats in this header.

    It raises `RequestError`, `claimed`, if another account was first.
    """
    note = upsert_summary(match)

    def claim(connection: sa.Connection) -> None:
        for number in seat_tokens.account_seats(header, account):
            seat = header.seats[number]
            free = seats.c.account.is_(None) | (seats.c.account == account.id)
            here = (seats.c.match == header.id) & (seats.c.seat == number)
            named = {
                "account": seat.account,
                "member": seat.member,
                "bot": seat.bot,
                "name": seat.name,
                "folded": fold(seat.name),
            }
            if connection.execute(seats.update().where(here & free).values(named)).rowcount != 1:
                raise RequestError("claimed", seat=number)
        note(connection)

    return claim


def erase_account(account: str) -> Statement:
    """Return the statement that removes a deleted account from all but its own table."""

    def forget(connection: sa.Connection) -> None:
        said = sa.select(chat.c.id).where(_from_seats_of(account))
        connection.execute(reports.delete().where(reports.c.line.in_(said)))
        connection.execute(chat.delete().where(_from_seats_of(account)))
        connection.execute(
            conditional_moves.delete().where(_from_seats_of(account, conditional_moves))
        )
        own = sa.select(seats.c.match).where(seats.c.account == account)
        going_on = sa.select(summaries.c.match).where(
            summaries.c.match.in_(own), summaries.c.status != "over"
        )
        # Such a match can no longer be rated, and the remaining player must be free to end it.
        connection.execute(matches.update().where(matches.c.id.in_(going_on)).values(rated=False))
        # Withdraw the challenges of a deleted account.
        offered = matches.c.id.in_(own) & matches.c.offered.is_not(None)
        connection.execute(matches.update().where(offered).values(offered=None))
        connection.execute(
            seats.update()
            .where(seats.c.account == account)
            .values(account=None, member=False, bot=False, name="", folded="", deleted=True)
        )
        ratings.delete_ratings(connection, account)
        puzzle_progress.delete_progress(connection, account)
        relations.delete_relations(connection, account)
        outbox.delete_of(connection, account)
        destinations.delete_of(connection, account)
        api_tokens.delete_of(connection, account)

    return forget


def _from_seats_of(account: str, those: sa.FromClause = chat) -> sa.ColumnElement[bool]:
    """Return the condition that a row of `those` is from one of an account's seats."""
    seat = (seats.c.match == those.c.match) & (seats.c.seat == those.c.seat)
    return sa.exists().where(seat, seats.c.account == account)


@dataclass(frozen=True, slots=True)
class AccountMatch:
    """A match in which an account has a seat, and how it stands for that account."""

    header: Header
    summary: MatchSummary


class AccountMatches:
    """The matches of accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, account: Account, after: str | None = None
    ) -> tuple[list[AccountMatch], str | None]:
        """Return an account's matches, those in which something happened last first.

        Args:
            account: Whose.
            after: What the last answer said of where it ended.

        Returns:
            As many as are listed at a time; if there are more, where these end.
        """

        def read(connection: sa.Connection) -> list[AccountMatch]:
            latest = summaries.c.since.desc(), summaries.c.match
            listed = _summaries_of(account.id).order_by(*latest).limit(PAGE_SIZE + 1)
            if after is not None:
                since, _, match = after.partition(" ")
                same = (summaries.c.since == since) & (summaries.c.match > match)
                listed = listed.where((summaries.c.since < since) | same)
            return _load_matches(connection, connection.execute(listed).all(), account.id)

        found = await self._database.run(read)
        if len(found) <= PAGE_SIZE:
            return found, None
        last = found[PAGE_SIZE - 1].summary
        return found[:PAGE_SIZE], f"{last.since} {last.match}"

    async def unfinished(self, account: str) -> list[AccountMatch]:
        """Return the unfinished matches of an account, the latest first."""
        wanted = (
            _summaries_of(account)
            .where(summaries.c.status != "over")
            .order_by(summaries.c.since.desc(), summaries.c.match)
            .limit(MAX_STREAMED)
        )
        return await self._database.read(
            lambda connection: _load_matches(connection, connection.execute(wanted).all(), account)
        )

    async def changed(self, account: str, since: datetime) -> AsyncGenerator[AccountMatch]:
        """Yield the matches of an account that changed after a time, the earliest first."""
        after, last = format_time(since), ""
        own = sa.exists().where(seats.c.match == summaries.c.match, seats.c.account == account)
        while True:
            same = (summaries.c.changed == after) & (summaries.c.match > last)
            wanted = (
                summaries.select()
                .where(own, (summaries.c.changed > after) | same)
                .order_by(summaries.c.changed, summaries.c.match)
                .limit(PAGE_SIZE)
            )

            def read(
                connection: sa.Connection, wanted: sa.Select[Any] = wanted
            ) -> tuple[Sequence[sa.Row[Any]], list[AccountMatch]]:
                rows = connection.execute(wanted).all()
                return rows, _load_matches(connection, rows, account)

            rows, found = await self._database.read(read)
            for one in found:
                yield one
            if len(rows) < PAGE_SIZE:
                return
            after, last = rows[-1].changed, rows[-1].match

    async def events(self, account: Account, match: str) -> tuple[OwnEvent, ...]:
        """Return the events of an account's seats in a match."""
        wanted = (events.c[name] for name in OwnEvent.__struct_fields__)
        rows = await self._database.rows(
            sa.select(*wanted)
            .where(events.c.match == match, _from_seats_of(account.id, events))
            .order_by(events.c.seq)
        )
        return tuple(OwnEvent(*tuple(row)) for row in rows)

    async def chat_lines(self, account: Account) -> tuple[OwnChatLine, ...]:
        """Return the chat lines of an account's seats, the oldest first."""
        rows = await self._database.rows(
            chat.select().where(_from_seats_of(account.id)).order_by(chat.c.id)
        )
        return tuple(OwnChatLine(row.match, row.seat, row.at, row.text) for row in rows)

    async def chat_reports(self, account: Account) -> tuple[OwnReport, ...]:
        """Return all chat reports of an account's seats, the oldest first."""
        reported = (
            sa.select(chat.c.match, reports.c.seat, reports.c.line, reports.c.at)
            .join(chat)
            .subquery()
        )
        rows = await self._database.rows(
            reported.select().where(_from_seats_of(account.id, reported)).order_by(reported.c.at)
        )
        return tuple(OwnReport(*tuple(row)) for row in rows)

    async def conditional_moves(self, account: Account) -> tuple[OwnConditionalMoves, ...]:
        """Return all conditional moves of an account's seats."""
        rows = await self._database.rows(
            conditional_moves.select()
            .where(_from_seats_of(account.id, conditional_moves))
            .order_by(conditional_moves.c.match)
        )
        return tuple(
            OwnConditionalMoves(row.match, row.seat, row.after, tuple(map(tuple, row.lines)))
            for row in rows
            if row.lines
        )

    async def notifications(self, account: Account) -> tuple[OwnNotification, ...]:
        """Return all notifications to an account."""
        return await self._database.read(
            lambda connection: outbox.own_events(connection, account.id)
        )

    async def all_matches(self, account: Account) -> list[AccountMatch]:
        """Return all matches of an account, in the same order.

        They are read by their names, which stay, whatever happens in them meanwhile.
        """
        own: list[AccountMatch] = []

        def read(connection: sa.Connection) -> list[AccountMatch]:
            listed = _summaries_of(account.id).order_by(summaries.c.match).limit(PAGE_SIZE)
            if own:
                listed = listed.where(summaries.c.match > own[-1].header.id)
            return _load_matches(connection, connection.execute(listed).all(), account.id)

        while page := await self._database.run(read):
            own += page
        return sorted(own, key=lambda one: one.summary.since, reverse=True)


def changed_after(connection: sa.Connection, since: datetime) -> list[tuple[str, str, int]]:
    """Return the accounts in the matches that changed after a time, with the match and its seq."""
    rows = connection.execute(
        sa.select(seats.c.account, summaries.c.match, summaries.c.seq)
        .join_from(summaries, seats, seats.c.match == summaries.c.match)
        .where(summaries.c.changed > format_time(since), seats.c.account.is_not(None))
    )
    return [(row.account, row.match, row.seq) for row in rows]


def _summaries_of(account: str) -> sa.Select[Any]:
    own = sa.select(seats.c.match).where(seats.c.account == account)
    return summaries.select().where(summaries.c.match.in_(own))


def _load_matches(
    connection: sa.Connection, rows: Sequence[sa.Row[Any]], account: str
) -> list[AccountMatch]:
    """Return the summaries of an account's matches from their rows in `standings`."""
    found = matches.select().where(matches.c.id.in_([row.match for row in rows]))
    headers = load_headers(connection, connection.execute(found).all())
    known = {header.id: header for header in headers}
    return [_to_account_match(known[row.match], row, account) for row in rows]


def _to_account_match(header: Header, row: sa.Row[Any], account: str) -> AccountMatch:
    return AccountMatch(
        header,
        MatchSummary(
            match=header.id,
            game=header.game,
            seq=row.seq,
            seats=snapshot.seat_infos(
                Seating(header.seats, frozenset()), seat_tokens.seats_of(header, account)
            ),
            status=row.status,
            acting=row.acting,
            since=row.since,
            winners=None if row.winners is None else tuple(row.winners),
            rated=header.rated,
            reason=row.reason,
        ),
    )
