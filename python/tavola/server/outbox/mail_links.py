"""The links in mail: signed, not stored.

A link is `DESTINATION.END.SIGNATURE`; the key of its signature ends with what the link may do once.
"""

from __future__ import annotations

import hashlib
import hmac
import time

import sqlalchemy as sa

from tavola.server.errors import RequestError
from tavola.server.outbox.destinations import destinations

CONFIRMATION_SECONDS = 24 * 3600
"""For how long the link that confirms an address is valid."""


def sign(purpose: str, destination: str, key: str, seconds: int = 0) -> str:
    """Return a link's text.

    Args:
        purpose: What it is for.
        destination: The id of a destination.
        key: The key of the signature.
        seconds: For how long it is valid; 0: for ever.
    """
    end = int(time.time()) + seconds if seconds else 0
    return f"{destination}.{end}.{_signature(purpose, destination, end, key)}"


def read(connection: sa.Connection, link: str) -> tuple[sa.Row[tuple[object, ...]], int, str]:
    """Return the destination of a link, its end, and its signature, which is not checked.

    Raises:
        RequestError: `link-invalid`.
    """
    destination, _, rest = link.partition(".")
    end, _, signature = rest.partition(".")
    if not (end.isascii() and end.isdigit() and signature.isascii()):
        raise RequestError("link-invalid")
    wanted = destinations.select().where(
        destinations.c.id == destination, destinations.c.channel == "email"
    )
    found = connection.execute(wanted).one_or_none()
    if found is None:
        raise RequestError("link-invalid")
    return found, int(end), signature


def check(purpose: str, destination: str, key: str, end: int, signature: str) -> None:
    """Check a link.

    Raises:
        RequestError: `link-invalid`.
    """
    expected = _signature(purpose, destination, end, key)
    if not hmac.compare_digest(signature, expected) or (end and end < time.time()):
        raise RequestError("link-invalid")


def _signature(purpose: str, destination: str, end: int, key: str) -> str:
    text = f"{purpose}.{destination}.{end}".encode()
    return hmac.new(key.encode(), text, hashlib.sha256).hexdigest()
