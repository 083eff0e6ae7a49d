"""Passwords: hashed with argon2id, in threads of their own, two at a time."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

from tavola.server.schema.errors import RequestError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MIN_LENGTH = 8
MAX_LENGTH = 200

PROFILE = "RFC_9106_LOW_MEMORY"
"""How much work a hash takes: a name in `argon2.profiles`."""

THREADS = 2
"""Each hash takes 64 MiB while it is made."""


def check_password(password: str, name: str) -> None:
    """Reject an invalid new password.

    Raises:
        RequestError: `password-length`, `password-name`.
    """
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise RequestError("password-length", fewest=MIN_LENGTH, most=MAX_LENGTH)
    if password.casefold() == name.casefold():
        raise RequestError("password-name")


class Passwords:
    """Makes and checks the hashes of passwords, off the event loop."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="tavola-password")

    async def hash(self, password: str) -> str:
        """Return a password as it is stored."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._hash, password)

    async def verify(self, password: str, stored: str | None) -> bool:
        """Check a password; `None` as the stored hash fails after the same amount of work."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._verify, password, stored)

    def needs_rehash(self, stored: str) -> bool:
        """Return whether it was hashed with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Wait until all passwords are hashed."""
        self._pool.shutdown(cancel_futures=True)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        # Imported here: a server without accounts need not wait for it.
        from argon2 import PasswordHasher, profiles

        return PasswordHasher.from_parameters(getattr(profiles, PROFILE))

    @cached_property
    def _dummy_hash(self) -> str:
        return self._hash(secrets.token_urlsafe())

    def _hash(self, password: str) -> str:
        return self._hasher.hash(_normalize(password))

    def _verify(self, password: str, stored: str | None) -> bool:
        from argon2.exceptions import VerifyMismatchError

        nobodys = self._dummy_hash
        try:
            return self._hasher.verify(stored or nobodys, _normalize(password)) and bool(stored)
        except VerifyMismatchError:
            return False


def _normalize(password: str) -> str:
    """Return the same password, whichever keyboard it was typed on."""
    return unicodedata.normalize("NFC", password)
