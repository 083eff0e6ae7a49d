"""The announcement of the host: a line for all visitors, in each language that is given."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.moderation import audit
from tavola.server.schema.sanitize import sanitize_line
from tavola.server.storage.tables import metadata

MAX_LENGTH = 300
"""The longest announcement, in characters."""

announcements = sa.Table(
    "announcements",
    metadata,
    sa.Column("language", sa.String(16), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)


def announce(connection: sa.Connection, texts: Mapping[str, str]) -> None:
    """Show an announcement, instead of the one before.

    Args:
        connection: The database.
        texts: The text by language.

    Raises:
        RequestError: `empty-message`, `too-long`.
    """
    lines = {language: sanitize_line(text) for language, text in texts.items()}
    if not lines or not all(lines.values()):
        raise RequestError("empty-message")
    if any(len(line) > MAX_LENGTH for line in lines.values()):
        raise RequestError("too-long", most=MAX_LENGTH)
    connection.execute(announcements.delete())
    connection.execute(
        announcements.insert(),
        [{"language": language, "text": line, "at": now()} for language, line in lines.items()],
    )
    audit.record(connection, "announce", detail=" / ".join(lines.values()))


def end(connection: sa.Connection) -> bool:
    """End the announcement; return whether there was one."""
    ended = connection.execute(announcements.delete()).rowcount > 0
    if ended:
        audit.record(connection, "end-announcement")
    return ended


def current(connection: sa.Connection) -> dict[str, str]:
    """Return the text of the announcement by language; empty without one."""
    rows = connection.execute(sa.select(announcements.c.language, announcements.c.text))
    return {row.language: row.text for row in rows}
