"""How an invitation becomes a seat: `POST /api/matches/{match}/seats`.

The link of a seat carries an *invitation*, which works once. The player exchanges it for a token
that holds the seat from then on. The client makes that token, so a repeated request after a lost
answer finds the seat taken by the same player. A seat in the lobby needs no invitation.
"""

from __future__ import annotations

from dataclasses import replace

from tavola.server.accounts.accounts import Account
from tavola.server.accounts.seat_tokens import account_seats, hash_secret, seat_of_account
from tavola.server.errors import RequestError
from tavola.server.matches.log import Header, Seat
from tavola.server.schema import requests
from tavola.server.schema.sanitize import sanitize_line


def seat_to_take(
    header: Header, taking: requests.TakeSeat, account: Account | None, invited: int | None = None
) -> int:
    """Return the seat of an invitation, or an open seat of a challenge in the lobby.

    The seat is open, or the same player has already taken it.

    Args:
        header: The match.
        taking: What the player asks for.
        account: The player's account.
        invited: The seat to which the account is invited by name.

    Raises:
        RequestError: `unknown-invitation`, `not-offered`, `seat-taken`; in a rated match also
            `signed-out`, `seated-already`; in the lobby `bot-forbidden`.
    """
    hashed = hash_secret(taking.token)
    free = [number for number, seat in enumerate(header.seats) if seat.is_open]
    mine = [number for number, seat in enumerate(header.seats) if seat.token_hash == hashed]
    if header.rated and not mine:
        if account is None:
            raise RequestError("signed-out")
        if account_seats(header, account):
            raise RequestError("seated-already")
    if taking.invitation is None:
        if mine:
            return mine[0]
        if invited in free:
            return invited
        if not header.offered and invited is None:
            raise RequestError("not-offered")
        if account is not None and account.bot:
            raise RequestError("bot-forbidden")
        if not free:
            raise RequestError("seat-taken")
        return free[0]
    secret = hash_secret(taking.invitation)
    meant = [number for number, seat in enumerate(header.seats) if seat.invitation_hash == secret]
    if not meant:
        raise RequestError("unknown-invitation")
    # One secret holds one seat.
    if mine and mine != meant:
        raise RequestError("reused-token")
    if meant[0] not in (*mine, *free):
        raise RequestError("seat-taken")
    return meant[0]


def taken_seat(
    header: Header, number: int, taking: requests.TakeSeat, account: Account | None
) -> Seat:
    """Return an open seat after a player has taken it."""
    name = sanitize_line(taking.name)
    seat = replace(header.seats[number], name=name, token_hash=hash_secret(taking.token))
    return (
        seat
        if account is None
        else seat_of_account(seat, account, named=not account_seats(header, account))
    )
