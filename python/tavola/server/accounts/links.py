"""Links that prove something: signed, not stored.

A link is `SUBJECT.END.SIGNATURE`. A link works once where its action changes the key.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import NamedTuple

from tavola.server.errors import RequestError


class Link(NamedTuple):
    """The parts of a link; `end`: in seconds since 1970, 0: never."""

    subject: str
    end: int
    signature: str


def sign(purpose: str, subject: str, key: str, seconds: int = 0) -> str:
    """Return a link.

    Args:
        purpose: Its action.
        subject: The id of the account or destination.
        key: The key of the signature.
        seconds: For how long it is valid; 0: for ever.
    """
    end = int(time.time()) + seconds if seconds else 0
    return f"{subject}.{end}.{_signature(purpose, subject, end, key)}"


def parse(text: str) -> Link:
    """Return the parts of a link, whose signature is not checked.

    Raises:
        RequestError: `link-invalid`.
    """
    subject, _, rest = text.partition(".")
    end, _, signature = rest.partition(".")
    if not (end.isascii() and end.isdigit() and signature.isascii()):
        raise RequestError("link-invalid")
    return Link(subject, int(end), signature)


def check(purpose: str, link: Link, key: str) -> None:
    """Check a link.

    Raises:
        RequestError: `link-invalid`.
    """
    expected = _signature(purpose, link.subject, link.end, key)
    ended = link.end and link.end < time.time()
    if not hmac.compare_digest(link.signature, expected) or ended:
        raise RequestError("link-invalid")


def _signature(purpose: str, subject: str, end: int, key: str) -> str:
    text = f"{purpose}.{subject}.{end}".encode()
    return hmac.new(key.encode(), text, hashlib.sha256).hexdigest()
