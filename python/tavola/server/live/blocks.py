"""Blocks between the players of a match: what they ask of and write to each other."""

from __future__ import annotations

import sqlalchemy as sa

from tavola.server.accounts import relations
from tavola.server.errors import RequestError
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match
from tavola.server.storage.database import Database


async def check_request(database: Database, match: Match, asked: Event) -> None:
    """Check that no player of whom a seat asks something blocks the player who asks.

    Args:
        database: The database of the relations.
        match: The match before the request.
        asked: The event of the request.

    Raises:
        RequestError: `declined-before`.
    """
    by = match.seats[asked.seat].account
    waiting = match.new_request(asked.token or "", asked.seat, asked.at).waiting
    those = {account for seat in waiting if (account := match.seats[seat].account) is not None}
    if by is None or not those:
        return

    def read(connection: sa.Connection) -> frozenset[str]:
        return relations.blocking(connection, by, those)

    if await database.read(read):
        raise RequestError("declined-before")


def decline_blocked(match: Match, account: str, blocked: frozenset[str]) -> list[Event]:
    """Return the event that declines the open request, if a person asks who is now blocked.

    Args:
        match: The match.
        account: The account.
        blocked: The accounts that it blocks.
    """
    request = match.request
    if request is None or match.seats[request.seat].account not in blocked:
        return []
    asked = (seat for seat in sorted(request.waiting) if match.seats[seat].account == account)
    return [match.event("decline", seat) for seat in asked][:1]
