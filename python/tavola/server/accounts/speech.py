"""The rules of names and chat on a server: words that the host forbids, limits of new accounts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from tavola.server.accounts.accounts import Account, accounts
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.ops import rate_limits
from tavola.server.schema.sanitize import fold
from tavola.server.storage.tables import seats

_LINK = re.compile(r"https?:|www\.|[a-z0-9-]{2,}\.(?:[a-z]{2,}/|com\b|net\b|org\b|io\b|jp\b|ru\b)")

_JOINERS = re.compile(r"[\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]")
"""Characters that show nothing, with which a word could be hidden."""


def parse_words(text: str) -> tuple[str, ...]:
    r"""Return the words of a file: one a line, without empty lines and those that begin with #.

    >>> parse_words("# rude\nDarn\n\n")
    ('darn',)
    """
    lines = (line.strip() for line in text.splitlines())
    return tuple(fold(line) for line in lines if line and not line.startswith("#"))


def _pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds any of the words: whole words in Latin letters, parts in others."""
    parts = [
        (r"(?<![a-z0-9])" if word[0].isascii() else "")
        + re.escape(word)
        + (r"(?![a-z0-9])" if word[-1].isascii() else "")
        for word in words
        if word
    ]
    return re.compile("|".join(parts)) if parts else None


@dataclass(frozen=True, slots=True)
class SpeechRules:
    """The rules of names and chat.

    Attributes:
        forbidden: Finds the words that the host forbids, in folded text.
        new_hours: For how long an account is new; 0: never.
    """

    forbidden: re.Pattern[str] | None = None
    new_hours: int = 0

    @classmethod
    def of(cls, words: Iterable[str], new_hours: int) -> SpeechRules:
        """Return the rules of a host with these forbidden words."""
        return cls(_pattern(words), new_hours)

    def check_words(self, *texts: str) -> None:
        """Check that texts have no forbidden words.

        Raises:
            RequestError: `forbidden-word`.
        """
        if self.forbidden is None:
            return
        for text in texts:
            if self.forbidden.search(fold(_JOINERS.sub("", text))):
                raise RequestError("forbidden-word")

    def is_new(self, created: str | None) -> bool:
        """Return whether an account is new; a player without one always is."""
        if self.new_hours == 0:
            return False
        if created is None:
            return True
        age = datetime.now(UTC) - datetime.fromisoformat(created)
        return age < timedelta(hours=self.new_hours)

    def max_offers(self, account: Account | None) -> int:
        """Return how many open challenges an address may have in the lobby."""
        is_new = account is not None and self.is_new(account.created)
        return rate_limits.MAX_NEW_OFFERS if is_new else rate_limits.MAX_OFFERS

    def check_line(self, connection: sa.Connection, match: str, seat: int, text: str) -> None:
        """Check that a seat may write a line of chat.

        Raises:
            RequestError: `muted`, `no-links`.
        """
        row = connection.execute(
            sa.select(seats.c.muted.label("seat"), accounts.c.muted, accounts.c.created)
            .join_from(seats, accounts, accounts.c.id == seats.c.account, isouter=True)
            .where(seats.c.match == match, seats.c.seat == seat)
        ).one()
        at = now()
        if any(until is not None and until > at for until in (row.seat, row.muted)):
            raise RequestError("muted")
        if _LINK.search(fold(text)) and self.is_new(row.created):
            raise RequestError("no-links", hours=self.new_hours)
