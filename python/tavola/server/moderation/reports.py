"""Reported chat lines, for moderators."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import sqlalchemy as sa

from tavola.server.accounts.accounts import accounts
from tavola.server.errors import RequestError
from tavola.server.live.chat import chat, reports
from tavola.server.matches.log import now
from tavola.server.moderation import audit
from tavola.server.moderation.account_acts import end_of
from tavola.server.schema.moderation import ContextLine, ReportedLine, ReportList
from tavola.server.storage.tables import matches, seats

PAGE_SIZE = 20
"""How many reports are listed at a time."""

LINES_BEFORE, LINES_AFTER = 6, 3
"""How many lines of the chat are shown around a reported one."""


def open_reports(connection: sa.Connection, before: int | None = None) -> ReportList:
    """Return the open reports, the latest line first.

    Args:
        connection: The database.
        before: Only lines before this one.
    """
    open_lines = sa.select(reports.c.line).where(reports.c.closed.is_(None))
    listed = (
        sa.select(
            chat,
            matches.c.game,
            seats.c.account,
            seats.c.muted.label("seat_muted"),
            accounts.c.muted,
        )
        .join_from(chat, matches)
        .join(seats, (seats.c.match == chat.c.match) & (seats.c.seat == chat.c.seat))
        .join(accounts, accounts.c.id == seats.c.account, isouter=True)
        .where(chat.c.id.in_(open_lines))
        .order_by(chat.c.id.desc())
        .limit(PAGE_SIZE + 1)
    )
    if before is not None:
        listed = listed.where(chat.c.id < before)
    rows = connection.execute(listed).all()
    shown = rows[:PAGE_SIZE]
    names = _names(connection, {row.match for row in shown})
    reporters: defaultdict[int, list[sa.Row[Any]]] = defaultdict(list)
    for report in connection.execute(
        reports.select()
        .where(reports.c.line.in_([row.id for row in shown]), reports.c.closed.is_(None))
        .order_by(reports.c.at)
    ):
        reporters[report.line].append(report)
    return ReportList(
        tuple(_reported(connection, row, names, reporters[row.id]) for row in shown),
        shown[-1].id if len(rows) > PAGE_SIZE else None,
    )


def close(connection: sa.Connection, line: int, actor: str | None = None) -> None:
    """Close the reports of a line.

    Raises:
        RequestError: `unknown-line`.
    """
    here = reports.c.line == line
    closed = connection.execute(
        reports.update().where(here, reports.c.closed.is_(None)).values(closed=now())
    )
    if closed.rowcount == 0:
        raise RequestError("unknown-line", line=line)
    audit.record(connection, "close-report", actor=actor, subject=str(line))


def delete_line(connection: sa.Connection, line: int, actor: str | None = None) -> None:
    """Delete a chat line with its reports.

    Raises:
        RequestError: `unknown-line`.
    """
    row = _line(connection, line)
    connection.execute(reports.delete().where(reports.c.line == line))
    connection.execute(chat.delete().where(chat.c.id == line))
    audit.record(
        connection,
        "delete-line",
        actor=actor,
        account=row.account,
        match=row.match,
        subject=str(line),
    )


def mute_writer(
    connection: sa.Connection, line: int, hours: int | None, actor: str | None = None
) -> None:
    """Let the writer of a line write no chat: the account, or without one the seat of the match.

    Raises:
        RequestError: `unknown-line`.
    """
    row, until = _line(connection, line), end_of(hours)
    if row.account is not None:
        connection.execute(
            accounts.update().where(accounts.c.id == row.account).values(muted=until)
        )
    else:
        here = (seats.c.match == row.match) & (seats.c.seat == row.seat)
        connection.execute(seats.update().where(here).values(muted=until))
    audit.record(
        connection,
        "mute",
        actor=actor,
        account=row.account,
        match=row.match,
        subject=row.name or str(line),
        detail=until,
    )


def _line(connection: sa.Connection, line: int) -> Any:
    found = connection.execute(
        sa.select(chat.c.match, chat.c.seat, seats.c.account, seats.c.name)
        .join_from(chat, seats, (seats.c.match == chat.c.match) & (seats.c.seat == chat.c.seat))
        .where(chat.c.id == line)
    ).one_or_none()
    if found is None:
        raise RequestError("unknown-line", line=line)
    return found


def _names(connection: sa.Connection, those: set[str]) -> dict[tuple[str, int], str]:
    """Return the names at the seats of matches."""
    rows = connection.execute(
        sa.select(seats.c.match, seats.c.seat, seats.c.name).where(seats.c.match.in_(those))
    )
    return {(row.match, row.seat): row.name for row in rows}


def _reported(
    connection: sa.Connection,
    row: sa.Row[Any],
    names: dict[tuple[str, int], str],
    reported: list[sa.Row[Any]],
) -> ReportedLine:
    same = chat.select().where(chat.c.match == row.match)
    earlier = connection.execute(
        same.where(chat.c.id < row.id).order_by(chat.c.id.desc()).limit(LINES_BEFORE)
    ).all()
    later = connection.execute(
        same.where(chat.c.id > row.id).order_by(chat.c.id).limit(LINES_AFTER)
    ).all()
    muted = row.muted if row.account is not None else row.seat_muted
    return ReportedLine(
        line=row.id,
        match=row.match,
        game=row.game,
        seat=row.seat,
        name=names[row.match, row.seat],
        account=row.account is not None,
        muted=muted if muted is not None and muted > now() else None,
        reported=reported[0].at,
        reporters=tuple(names[row.match, one.seat] for one in reported),
        lines=tuple(
            ContextLine(one.id, one.seat, names[row.match, one.seat], one.text, one.at)
            for one in (*reversed(earlier), row, *later)
        ),
    )
