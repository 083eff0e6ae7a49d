"""Devices that have signed in to an account before.

Anyone can try passwords for a name. A known device has limits of its own, which no other client can
use up. Its cookie is an HMAC whose key is the stored hash of the password: it is not stored, and
ends with the password.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets


def new_device(password_hash: str) -> str:
    """Return the cookie of a device that has just signed in.

    Args:
        password_hash: The stored hash of the account's password.
    """
    device = secrets.token_urlsafe(16)
    return f"{device}.{_sign(device, password_hash)}"


def known_device(cookie: str, password_hash: str | None) -> str | None:
    """Return the id of a device, or `None` if the cookie is not one of the account's."""
    device, _, signature = cookie.partition(".")
    if password_hash is None or not signature.isascii():
        return None
    known = hmac.compare_digest(signature, _sign(device, password_hash))
    return device if known else None


def _sign(device: str, password_hash: str) -> str:
    return hmac.new(password_hash.encode(), device.encode(), hashlib.sha256).hexdigest()
