"""The seats of an open match: players take them, accounts claim them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from tavola.server.accounts import invitations, seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.live import account_matches
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.schema.requests import TakeSeat
from tavola.server.storage.database import Database


class Seats:
    """Changes the seats of a match, one change at a time.

    Args:
        database: The database that stores them.
        lock: The lock of the match.
        load: Returns the match as it stands, while the lock is held.
        update_header: Sets a stored header and sends it to the viewers.
        forget: Makes `load` read the match again from the database.
    """

    def __init__(
        self,
        database: Database,
        lock: asyncio.Lock,
        load: Callable[[], Awaitable[Match]],
        update_header: Callable[[Header], None],
        forget: Callable[[], None],
    ) -> None:
        self._database = database
        self._lock = lock
        self._load = load
        self._update_header = update_header
        self._forget = forget

    async def take(self, taking: TakeSeat, account: Account | None = None) -> int:
        """Give a player a seat by link; return when it is durable.

        Returns:
            The seat; asked again with the same secret, the same.

        Raises:
            RequestError: `over`, and as `invitations.seat_to_take`.
        """
        async with self._lock:
            match = await self._load()
            header = match.header
            number = invitations.seat_to_take(header, taking, account)
            if not header.seats[number].is_open:
                return number
            if match.status == "over":
                raise RequestError("over")
            if number in match.replaced:
                raise RequestError("seat-taken")
            seat = invitations.taken_seat(header, number, taking, account)
            note = None if account is None else account_matches.upsert_summary(match)
            if not await self._database.take_seat(header.id, number, seat, extra=note):
                # Another server on the same database was first.
                self._forget()
                raise RequestError("seat-taken")
            self._update_header(seat_tokens.with_seat(header, number, seat))
            return number

    async def claim(self, tokens: tuple[str, ...], account: Account) -> None:
        """Make the seats that these tokens hold an account's; return when it is durable.

        Raises:
            RequestError: `unknown-token`, `claimed`.
        """
        async with self._lock:
            match = await self._load()
            held = seat_tokens.held_seats(match.header, tokens, None)
            for number in sorted(held):
                if match.header.seats[number].account not in (None, account.id):
                    raise RequestError("claimed", seat=number)
            fresh = sorted(held - seat_tokens.account_seats(match.header, account))
            if not fresh:
                return
            header = seat_tokens.with_account(match.header, fresh, account)
            try:
                await self._database.run(account_matches.claim_seats(match, header, account))
            except RequestError:
                # Another server on the same database was first.
                self._forget()
                raise
            self._update_header(header)

    async def withdraw_challenge(self, held: frozenset[int]) -> None:
        """Withdraw the challenge from the lobby.

        Raises:
            RequestError: `unknown-token`, if the client holds no seat.
        """
        if not held:
            raise RequestError("unknown-token")
        async with self._lock:
            header = (await self._load()).header
            await self._database.withdraw_challenge(header.id)
            self._update_header(replace(header, offered=False))
