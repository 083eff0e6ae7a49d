"""Changes of a match's seats: players take them, accounts claim them, challenges are withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tavola.server.accounts import invitations, seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.live import account_matches
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.schema.requests import TakeSeat
from tavola.server.storage import database
from tavola.server.storage.database import Statement


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A decided change.

    Attributes:
        header: The header with the changed seats.
        statements: What stores them; empty: nothing changes.
        seat: The seat of a player who takes one.
    """

    header: Header
    statements: Sequence[Statement] = ()
    seat: int | None = None


def take(
    match: Match,
    taking: TakeSeat,
    account: Account | None = None,
    blocking: frozenset[str] = frozenset(),
    invited: int | None = None,
) -> SeatChange:
    """Give a player a seat by link; the same secret gives the same seat again.

    Args:
        match: The match.
        taking: What the player asks for.
        account: The player's account.
        blocking: The accounts that block it: at their matches every seat is taken for it.
        invited: The seat to which it is invited by name.

    Raises:
        RequestError: `over`, and as `invitations.seat_to_take`.
    """
    header = match.header
    number = invitations.seat_to_take(header, taking, account, invited)
    if not header.seats[number].is_open:
        return SeatChange(header, seat=number)
    if match.status == "over":
        raise RequestError("over")
    if number in match.replaced or any(seat.account in blocking for seat in header.seats):
        raise RequestError("seat-taken")
    seat = invitations.taken_seat(header, number, taking, account)
    statements = [database.take_seat(header.id, number, seat)]
    if account is not None or match.seating.has_accounts:
        statements.append(account_matches.upsert_summary(match))
    return SeatChange(seat_tokens.with_seat(header, number, seat), statements, number)


def claim(match: Match, tokens: tuple[str, ...], account: Account) -> SeatChange:
    """Make the seats that these tokens hold an account's.

    Raises:
        RequestError: `unknown-token`, `claimed`.
    """
    held = seat_tokens.held_seats(match.header, tokens, None)
    for number in sorted(held):
        if match.header.seats[number].account not in (None, account.id):
            raise RequestError("claimed", seat=number)
    fresh = sorted(held - seat_tokens.account_seats(match.header, account))
    if not fresh:
        return SeatChange(match.header)
    header = seat_tokens.with_account(match.header, fresh, account)
    return SeatChange(header, [account_matches.claim_seats(match, header, account)])


def withdraw_challenge(match: Match, held: frozenset[int]) -> SeatChange:
    """Withdraw the challenge from the lobby.

    Raises:
        RequestError: `unknown-token`, if the client holds no seat.
    """
    if not held:
        raise RequestError("unknown-token")
    header = replace(match.header, offered=False)
    return SeatChange(header, [database.withdraw_challenge(header.id)])
