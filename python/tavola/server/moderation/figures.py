"""Figures of use of a server."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from msgspec import Struct

from tavola.server.accounts.accounts import accounts
from tavola.server.accounts.sessions import sessions
from tavola.server.live.account_matches import summaries
from tavola.server.live.chat import chat, reports
from tavola.server.matches.log import format_time
from tavola.server.storage.tables import events, matches
from tavola.server.tournaments.store import tournaments

WEEK = timedelta(days=7)


class Figures(Struct, frozen=True):
    """Figures of use.

    Attributes:
        accounts: All accounts.
        new_accounts: Those of the last 7 days.
        active_accounts: Those that were signed in during the last 7 days, to the day.
        matches: All matches.
        new_matches: Those of the last 7 days.
        by_game: New matches of the last 7 days, by game.
        running: Matches with an account that are not over.
        actions: Entries of all logs.
        chat_lines: Lines of all chats.
        open_reports: Reported lines that wait for a moderator.
        tournaments: All tournaments.
        running_tournaments: Those that are not over.
    """

    accounts: int
    new_accounts: int
    active_accounts: int
    matches: int
    new_matches: int
    by_game: dict[str, int]
    running: int
    actions: int
    chat_lines: int
    open_reports: int
    tournaments: int
    running_tournaments: int


def figures(connection: sa.Connection) -> Figures:
    """Return the figures of use."""
    since = format_time(datetime.now(UTC) - WEEK)

    def count(table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
        wanted = sa.select(sa.func.count()).select_from(table).where(*where)
        return int(connection.execute(wanted).scalar_one())

    def count_different(
        column: sa.Column[object] | sa.ColumnElement[object], where: sa.ColumnElement[bool]
    ) -> int:
        wanted = sa.select(sa.func.count(sa.distinct(column))).where(where)
        return int(connection.execute(wanted).scalar_one())

    by_game = connection.execute(
        sa.select(matches.c.game, sa.func.count())
        .where(matches.c.created >= since)
        .group_by(matches.c.game)
        .order_by(matches.c.game)
    )
    games = {str(game): int(number) for game, number in by_game}
    return Figures(
        accounts=count(accounts),
        new_accounts=count(accounts, accounts.c.created >= since),
        active_accounts=count_different(sessions.c.account, sessions.c.seen >= since),
        matches=count(matches),
        new_matches=sum(games.values()),
        by_game=games,
        running=count(summaries, summaries.c.status != "over"),
        actions=count(events),
        chat_lines=count(chat),
        open_reports=count_different(reports.c.line, reports.c.closed.is_(None)),
        tournaments=count(tournaments),
        running_tournaments=count(tournaments, tournaments.c.status != "finished"),
    )
