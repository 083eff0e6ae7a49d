"""Who sits where: a seat is held by a secret, and a seat by link is taken by whoever has its link.

A link carries an *invitation*, which is good once: it is exchanged for the secret that holds the
seat from then on. That secret is made by whoever takes the seat, so that asking again after an
answer was lost finds the seat taken by oneself, and not by a stranger.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import replace

from tavola.server import wire
from tavola.server.errors import Refused
from tavola.server.store import Header, Seat

USUAL_SECONDS = 1.0
"""How long an engine thinks if nothing is said of it."""


def new_token() -> str:
    """A secret that holds a seat."""
    return secrets.token_urlsafe(32)


def new_invitation() -> str:
    """The secret of a link: short, as it stands in a QR code, and still not to be guessed."""
    return secrets.token_urlsafe(16)


def hash_of(secret: str) -> str:
    """A secret as it is stored; see `tavola.server.store.Seat` for why a plain hash is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def stored(
    wanted: wire.Person | wire.Link | wire.Engine, token: str | None, invitation: str | None
) -> Seat:
    """A seat of a new match as it is stored."""
    held_by = None if token is None else hash_of(token)
    match wanted:
        case wire.Person():
            return Seat(kind="person", name=tidy(wanted.name), seconds=None, token_hash=held_by)
        case wire.Link():
            invited = None if invitation is None else hash_of(invitation)
            return Seat(
                kind="person", name="", seconds=None, token_hash=None, invitation_hash=invited
            )
    seconds = None if wanted.level is not None else wanted.seconds or USUAL_SECONDS
    return Seat(
        kind="engine",
        name=tidy(wanted.name),
        seconds=seconds,
        level=wanted.level,
        token_hash=held_by,
    )


def tidy(name: str) -> str:
    """A name without space around it, and with single spaces in it."""
    return " ".join(name.split())


def held(header: Header, tokens: tuple[str, ...] | list[str]) -> frozenset[int]:
    """The seats that these secrets hold.

    Raises:
        Refused: `unknown-token`.
    """
    holds = {
        seat.token_hash: number
        for number, seat in enumerate(header.seats)
        if seat.token_hash is not None
    }
    hashes = [hash_of(token) for token in tokens]
    if any(hashed not in holds for hashed in hashes):
        raise Refused("unknown-token")
    return frozenset(holds[hashed] for hashed in hashes)


def shown(seats: tuple[Seat, ...], mine: frozenset[int]) -> tuple[wire.Seat, ...]:
    """The seats as their viewer may see them, who holds some of them."""
    return tuple(
        wire.Seat(
            number, seat.kind, seat.name, number in mine, seat.seconds, seat.level, seat.is_open
        )
        for number, seat in enumerate(seats)
    )


def wanted_seat(header: Header, taking: wire.TakeSeat) -> int:
    """The seat that somebody takes: the invitation's, or any of a challenge in the lobby.

    It is free, or theirs already.

    Raises:
        Refused: `unknown-invitation`, `not-offered`, `seat-taken`.
    """
    own = hash_of(taking.token)
    free = [number for number, seat in enumerate(header.seats) if seat.is_open]
    mine = [number for number, seat in enumerate(header.seats) if seat.token_hash == own]
    if taking.invitation is None:
        if mine:
            return mine[0]
        if not header.offered:
            raise Refused("not-offered")
        if not free:
            raise Refused("seat-taken")
        return free[0]
    invited = hash_of(taking.invitation)
    meant = [number for number, seat in enumerate(header.seats) if seat.invitation_hash == invited]
    if not meant:
        raise Refused("unknown-invitation")
    # One secret holds one seat.
    if mine and mine != meant:
        raise Refused("reused-token")
    if meant[0] not in (*mine, *free):
        raise Refused("seat-taken")
    return meant[0]


def with_taken(header: Header, number: int, *, name: str, token_hash: str) -> Header:
    """The match after somebody has taken a seat."""
    seats = list(header.seats)
    seats[number] = replace(seats[number], name=name, token_hash=token_hash)
    return replace(header, seats=tuple(seats))
