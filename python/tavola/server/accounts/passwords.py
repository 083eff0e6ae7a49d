"""Passwords: hashed with argon2id, in threads of their own, two at a time."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from tavola.server.errors import RequestError
from tavola.server.ops.rate_limits import MAX_HASHES, MAX_HASHES_PER_CLIENT

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

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
        # Hashes that are not ready, by address.
        self._pending: Counter[str] = Counter()

    async def hash(self, password: str, client: str) -> str:
        """Return a password as it is stored.

        Args:
            password: The password.
            client: The address that it comes from.

        Raises:
            RequestError: `sign-in-busy`.
        """
        return await self._run(client, lambda: self._hash(password))

    async def verify(self, password: str, stored: str | None, client: str) -> bool:
        """Check a password.

        Args:
            password: The password.
            stored: The stored hash; `None` fails after the same amount of work.
            client: The address that it comes from.

        Raises:
            RequestError: `sign-in-busy`.
        """
        return await self._run(client, lambda: self._verify(password, stored))

    async def _run(self, client: str, work: Callable[[], T]) -> T:
        pending = self._pending
        if pending[client] >= MAX_HASHES_PER_CLIENT or pending.total() >= MAX_HASHES:
            raise RequestError("sign-in-busy")
        pending[client] += 1
        running = asyncio.get_running_loop().run_in_executor(self._pool, work)

        def end(done: asyncio.Future[T]) -> None:
            pending[client] -= 1
            if not pending[client]:
                del pending[client]
            if not done.cancelled():
                # The caller may have left.
                done.exception()

        # The thread continues if the caller leaves.
        running.add_done_callback(end)
        return await asyncio.shield(running)

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
