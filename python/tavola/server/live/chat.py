"""Chat of a match, stored apart from its log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import sqlalchemy as sa
import structlog

from tavola.server.accounts import seat_tokens
from tavola.server.accounts.speech import SpeechRules
from tavola.server.errors import RequestError
from tavola.server.matches.log import Seat, now
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import TokenBucket
from tavola.server.outbox import report_events
from tavola.server.schema.responses import ChatLine
from tavola.server.schema.sanitize import sanitize_line
from tavola.server.snapshots.presence import Presence
from tavola.server.storage.database import Database, Statement
from tavola.server.storage.tables import metadata

_log = structlog.get_logger("tavola.matches")

chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("match", sa.ForeignKey("matches.id"), nullable=False, index=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    # Open pages name a line by its number.
    sqlite_autoincrement=True,
)

reports = sa.Table(
    "reports",
    metadata,
    sa.Column("line", sa.ForeignKey("chat.id"), primary_key=True),
    # The reporting seat, of the line's match.
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(32), nullable=False),
    # When a moderator closed the report.
    sa.Column("closed", sa.String(32), nullable=True),
)

NO_RULES = SpeechRules()
"""The rules of a server without rules of its own."""

LINES_SHOWN = 200
"""Number of lines that a new viewer receives."""


def without_persons(
    lines: Sequence[ChatLine], seats: Sequence[Seat], blocked: frozenset[str]
) -> tuple[ChatLine, ...]:
    """Return lines without those of the seats of some accounts."""
    return tuple(line for line in lines if seats[line.seat].account not in blocked)


class Chat:
    """The chat lines of a match, as far as viewers receive them.

    Args:
        database: The database that stores them.
        match: The match.
        presence: Its viewers.
        on_post: Returns what else to write with a line of a seat.
    """

    def __init__(
        self,
        database: Database,
        match: str,
        presence: Presence,
        on_post: Callable[[int], Sequence[Statement]],
    ) -> None:
        self._presence = presence
        self._on_post = on_post
        self._database = database
        self._match = match
        self._lines: list[ChatLine] | None = None
        self._limits: defaultdict[int, TokenBucket] = defaultdict(
            lambda: TokenBucket(rate_limits.CHAT)
        )

    def start_empty(self) -> None:
        """Mark the chat of a new match as empty."""
        self._lines = []

    async def lines(self) -> tuple[ChatLine, ...]:
        """Return the latest lines, oldest first."""
        return tuple(await self._read())

    async def send(self) -> None:
        """Send all lines to the viewers."""
        lines = await self.lines()
        for viewer in tuple(self._presence.viewers):
            viewer.send_chat(lines, whole=True)

    async def post(
        self, seat: int, text: str, held: frozenset[int], rules: SpeechRules = NO_RULES
    ) -> None:
        """Add a line and send it to the viewers, when it is durable.

        Args:
            seat: The seat that writes.
            text: Its text.
            held: The seats that the client holds.
            rules: The rules of the server.

        Raises:
            RequestError: `not-your-seat`, `chat-limit`, `empty-message`, `forbidden-word`,
                `muted`, `no-links`.
        """
        seat_tokens.check_held(seat, held)
        self._limits[seat].take()
        text = sanitize_line(text)
        if not text:
            raise RequestError("empty-message")
        rules.check_words(text)
        lines = await self._read()
        at = now()
        row = {"match": self._match, "seat": seat, "text": text, "at": at}
        notices = self._on_post(seat)

        def write(connection: sa.Connection) -> int:
            rules.check_line(connection, self._match, seat, text)
            key = connection.execute(chat.insert().values(row)).inserted_primary_key
            assert key is not None, "one row was written"
            for notice in notices:
                notice(connection)
            return int(key[0])

        line = ChatLine(await self._database.run(write), seat, text, at)
        lines.append(line)
        del lines[:-LINES_SHOWN]
        for viewer in tuple(self._presence.viewers):
            viewer.send_chat((line,), whole=False)

    def invalidate(self) -> None:
        """Forget the cached lines after a deletion."""
        self._lines = None

    async def report(self, number: int, by: int, held: frozenset[int]) -> None:
        """Report a line to the host, once for each seat; return when it is durable.

        Args:
            number: The number of the line.
            by: The seat that reports it.
            held: The seats that the client holds.

        Raises:
            RequestError: `not-your-seat`, `chat-limit`, `unknown-line`.
        """
        seat_tokens.check_held(by, held)
        self._limits[by].take()
        if all(line.id != number for line in await self._read()):
            raise RequestError("unknown-line", line=number)

        def write(connection: sa.Connection) -> None:
            same = sa.and_(reports.c.line == number, reports.c.seat == by)
            if connection.execute(sa.select(reports.c.line).where(same)).first() is None:
                connection.execute(reports.insert().values(line=number, seat=by, at=now()))
                report_events.on_report(connection)

        await self._database.run(write)
        _log.warning("line reported", match=self._match, line=number, by=by)

    async def _read(self) -> list[ChatLine]:
        if self._lines is None:
            wanted = (
                sa.select(chat).where(chat.c.match == self._match).order_by(chat.c.id.desc())
            ).limit(LINES_SHOWN)

            def read(connection: sa.Connection) -> list[ChatLine]:
                rows = connection.execute(wanted).all()
                return [ChatLine(row.id, row.seat, row.text, row.at) for row in reversed(rows)]

            lines = await self._database.run(read)
            if self._lines is None:
                self._lines = lines
        return self._lines
