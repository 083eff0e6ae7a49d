"""The export of all data of an account, for its owner and for the host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.accounts.puzzle_progress import PuzzleResults
from tavola.server.accounts.ratings import Ratings
from tavola.server.live.account_matches import AccountMatches
from tavola.server.moderation import audit
from tavola.server.outbox import destinations
from tavola.server.people import friends
from tavola.server.schema.accounts import (
    AccountExport,
    AccountInfo,
    ExportedMatch,
    OwnModeration,
    OwnTournament,
    Role,
)
from tavola.server.storage.database import Database
from tavola.server.tournaments.store import TournamentStore


async def account_info(account: Account, ratings: Ratings) -> AccountInfo:
    """Return an account as it sees itself."""
    roles: list[Role] = []
    if account.organizer:
        roles.append("organizer")
    if account.moderator:
        roles.append("moderator")
    return AccountInfo(
        account.name, account.created, await ratings.of_account(account), account.bot, tuple(roles)
    )


async def export_account(
    database: Database,
    accounts: Accounts,
    account: Account,
    record: Callable[[str], Awaitable[str | None]],
) -> AccountExport:
    """Return all stored data of an account.

    Args:
        database: The database.
        accounts: The accounts in it.
        account: Whose data.
        record: Returns a match as a record; `None` if it cannot be read.
    """
    account_matches, ratings = AccountMatches(database), Ratings(database)
    matches = []
    for own in await account_matches.all_matches(account):
        header = own.header
        matches.append(
            ExportedMatch(
                header.id,
                header.game,
                header.options,
                header.created,
                header.rated,
                tuple(seat.seat for seat in own.summary.seats if seat.yours),
                await record(header.id),
                await account_matches.events(account, header.id),
            )
        )
    tournaments = await TournamentStore(database).of_account(account.id)
    acts = await database.read(lambda connection: audit.of_account(connection, account.id))
    return AccountExport(
        await account_info(account, ratings),
        await accounts.sessions.of_account(account.id, account.session),
        tuple(matches),
        await ratings.results(account),
        await account_matches.conditional_moves(account),
        await account_matches.chat_lines(account),
        await account_matches.chat_reports(account),
        await PuzzleResults(database).progress(account),
        await account_matches.notifications(account),
        tuple(OwnTournament(row.id, row.name, row.number, row.at) for row in tournaments),
        await database.read(lambda connection: destinations.of_account(connection, account.id)),
        await accounts.tokens.of_account(account.id),
        await database.read(lambda connection: friends.people_of(connection, account.id)),
        tuple(OwnModeration(row.act, row.at, row.detail) for row in acts),
    )
