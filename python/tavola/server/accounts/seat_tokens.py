"""Seat tokens: the secrets that hold a seat, and the seats of accounts.

`invitations.py` exchanges the invitation of a link for a token.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import replace

from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.matches.log import Header, Seat
from tavola.server.schema import requests
from tavola.server.schema.sanitize import sanitize_line

LEVEL_PREFIX = "level:"
"""How the player of an engine's level begins; of an account it is the account's id."""

DEFAULT_ENGINE_SECONDS = 1.0
"""Default search time of an engine, in seconds."""


def new_token() -> str:
    """Create a secret that holds a seat."""
    return secrets.token_urlsafe(32)


def new_invitation() -> str:
    """Create the secret of a link: short enough for a QR code, but not guessable."""
    return secrets.token_urlsafe(16)


def hash_secret(secret: str) -> str:
    """Return a secret as it is stored; see `matches.log.Seat` for why a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_seat(
    wanted: requests.PersonSeat | requests.LinkSeat | requests.EngineSeat,
    token: str | None,
    invitation: str | None,
) -> Seat:
    """Return a seat of a new match as it is stored."""
    held_by = None if token is None else hash_secret(token)
    match wanted:
        case requests.PersonSeat():
            return Seat(
                kind="person", name=sanitize_line(wanted.name), seconds=None, token_hash=held_by
            )
        case requests.LinkSeat():
            invited = None if invitation is None else hash_secret(invitation)
            return Seat(
                kind="person", name="", seconds=None, token_hash=None, invitation_hash=invited
            )
    if wanted.agent is not None:
        return Seat(
            kind="engine",
            name=wanted.agent,
            seconds=None,
            token_hash=held_by,
            agent=wanted.agent,
        )
    seconds = None if wanted.level is not None else wanted.seconds or DEFAULT_ENGINE_SECONDS
    return Seat(
        kind="engine",
        name=sanitize_line(wanted.name),
        seconds=seconds,
        level=wanted.level,
        token_hash=held_by,
    )


def held_seats(
    header: Header, tokens: tuple[str, ...] | list[str], account: Account | None
) -> frozenset[int]:
    """Return the seats that these secrets hold, and those of the account.

    Raises:
        RequestError: `unknown-token`.
    """
    holds = {
        seat.token_hash: number
        for number, seat in enumerate(header.seats)
        if seat.token_hash is not None
    }
    hashes = [hash_secret(token) for token in tokens]
    if any(hashed not in holds for hashed in hashes):
        raise RequestError("unknown-token")
    return frozenset(holds[hashed] for hashed in hashes) | account_seats(header, account)


def check_held(seat: int, held: frozenset[int]) -> None:
    """Check that a client holds a seat.

    Raises:
        RequestError: `not-your-seat`.
    """
    if seat not in held:
        raise RequestError("not-your-seat", seat=seat)


def account_seats(header: Header, account: Account | None) -> frozenset[int]:
    """Return the seats that are an account's."""
    return frozenset() if account is None else seats_of(header, account.id)


def seats_of(header: Header, account: str) -> frozenset[int]:
    """Return the seats of the account with an id."""
    return frozenset(number for number, seat in enumerate(header.seats) if seat.account == account)


def with_seat(header: Header, number: int, seat: Seat) -> Header:
    """Return the match after a seat has become another's."""
    seats = list(header.seats)
    seats[number] = seat
    return replace(header, seats=tuple(seats))


def with_account(header: Header, numbers: Iterable[int], account: Account) -> Header:
    """Return the match after seats have become an account's; its first seat bears its name."""
    for number in numbers:
        named = not account_seats(header, account)
        header = with_seat(
            header, number, seat_of_account(header.seats[number], account, named=named)
        )
    return header


def without_account(header: Header, account: str) -> Header:
    """Return the match after an account that has a seat in it was deleted."""
    return replace(
        header,
        offered=False,
        seats=tuple(
            replace(seat, account=None, member=False, bot=False, name="", deleted=True)
            if seat.account == account
            else seat
            for seat in header.seats
        ),
    )


def with_name(header: Header, account: str, name: str) -> Header:
    """Return the match after an account has been renamed."""
    return replace(
        header,
        seats=tuple(
            replace(seat, name=name) if seat.account == account and seat.member else seat
            for seat in header.seats
        ),
    )


def rated_players(header: Header) -> tuple[str, ...] | None:
    """Return the rated player of each seat: an account or an engine level.

    Returns:
        `None` if a seat cannot be rated, or an account plays against itself.
    """
    players = [
        f"{LEVEL_PREFIX}{seat.level}" if seat.kind == "engine" and seat.level else seat.account
        for seat in header.seats
    ]
    accounts = [seat.account for seat in header.seats if seat.account is not None]
    if len(set(accounts)) != len(accounts):
        return None
    whole = tuple(player for player in players if player is not None)
    return whole if len(whole) == len(players) else None


def check_rated(header: Header, account: Account | None) -> None:
    """Reject a new rated match with seats that cannot be rated.

    Raises:
        RequestError: `signed-out`, `rated-seats`.
    """
    if account is None:
        raise RequestError("signed-out")
    # Each open seat will be taken by another account.
    come = tuple(seat for seat in header.seats if not seat.is_open)
    persons = any(seat.kind == "person" for seat in header.seats)
    if not persons or rated_players(replace(header, seats=come)) is None:
        raise RequestError("rated-seats")


def seat_of_account(seat: Seat, account: Account, *, named: bool) -> Seat:
    """Return a seat as an account's."""
    seat = replace(seat, account=account.id, bot=account.bot)
    return replace(seat, member=True, name=account.name) if named else seat
