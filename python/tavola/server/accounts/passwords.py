"""Passwords: hashed with argon2id, in threads of their own, two at a time."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

from tavola.server.schema.errors import Refused

if TYPE_CHECKING:
    from argon2 import PasswordHasher

FEWEST = 8
MOST = 200

AT_ONCE = 2
"""Each hash takes 64 MiB while it is made."""


def check(password: str, name: str) -> None:
    """Refuses a new password that is no good.

    Raises:
        Refused: `password-length`, `password-name`.
    """
    if not FEWEST <= len(password) <= MOST:
        raise Refused("password-length", fewest=FEWEST, most=MOST)
    if password.casefold() == name.casefold():
        raise Refused("password-name")


class Passwords:
    """Makes and checks the hashes of passwords, off the event loop."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tavola-password")

    async def hashed(self, password: str) -> str:
        """A password as it is stored."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._hash, password)

    async def fits(self, password: str, stored: str | None) -> bool:
        """Whether this is the password; `None` is nobody's, and costs as much to find out."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._fits, password, stored)

    def outdated(self, stored: str) -> bool:
        """Whether it was hashed more cheaply than is done today."""
        return self._hasher.check_needs_rehash(stored)

    def close(self) -> None:
        """Waits for what is being hashed."""
        self._pool.shutdown(cancel_futures=True)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        # Imported here: a server without accounts need not wait for it.
        from argon2 import PasswordHasher

        return PasswordHasher()

    @cached_property
    def _nobodys(self) -> str:
        return self._hash(secrets.token_urlsafe())

    def _hash(self, password: str) -> str:
        return self._hasher.hash(_composed(password))

    def _fits(self, password: str, stored: str | None) -> bool:
        from argon2.exceptions import VerifyMismatchError

        nobodys = self._nobodys
        try:
            return self._hasher.verify(stored or nobodys, _composed(password)) and bool(stored)
        except VerifyMismatchError:
            return False


def _composed(password: str) -> str:
    """The same password, whichever keyboard it was typed on."""
    return unicodedata.normalize("NFC", password)
