"""Changes of accounts, applied to an open match in which they play."""

from __future__ import annotations

from dataclasses import replace

from tavola.server.accounts import seat_tokens
from tavola.server.live import blocks
from tavola.server.live.live_match import LiveMatch
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match


async def erase(live_match: LiveMatch, account: str) -> None:
    """Update the seats of a deleted account."""

    def without_account(match: Match) -> Header:
        live_match.chat.invalidate()
        live_match.conditional_moves.invalidate()
        header = seat_tokens.without_account(match.header, account)
        return header if match.status == "over" else replace(header, rated=False)

    await live_match.change_header(without_account)
    await live_match.chat.send()


async def rename(live_match: LiveMatch, account: str, name: str) -> None:
    """Show the new name of an account at its seats."""
    await live_match.change_header(lambda match: seat_tokens.with_name(match.header, account, name))


async def update_blocks(live_match: LiveMatch, account: str, blocked: frozenset[str]) -> None:
    """Hide from an account, at once, what the persons whom it blocks write and ask.

    Args:
        live_match: The match.
        account: The account.
        blocked: The accounts that it blocks now.

    Raises:
        RequestError: `storage`.
        LogConflict: Another server has written to the log.
    """
    lines = await live_match.chat.lines()
    for viewer in tuple(live_match.presence.viewers):
        if viewer.account == account:
            viewer.update_blocks(blocked, lines)
    await live_match.change(lambda match: blocks.decline_blocked(match, account, blocked))
