"""Accounts: a name and a password; `sessions.py` has the sessions that are signed in.

Playing needs no account. An account finds its seats on every device and can play rated matches.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog

from tavola.server.accounts import api_tokens, devices, links, names, passwords
from tavola.server.accounts import sessions as session_store
from tavola.server.accounts.api_tokens import ApiTokens
from tavola.server.accounts.passwords import Passwords
from tavola.server.accounts.sessions import SESSION_DAYS, SESSION_PREFIX, Sessions, sessions
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.schema.accounts import Scope
from tavola.server.schema.sanitize import fold
from tavola.server.storage.database import Database, Statement
from tavola.server.storage.tables import metadata, seats

RECOVERY_SECONDS = 3600
"""For how long the link that sets a new password is valid."""

_log = structlog.get_logger("tavola.accounts")

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),
    # The name as `fold` makes it: two accounts never share it.
    sa.Column("folded", sa.String(255), nullable=False, unique=True),
    sa.Column("password", sa.String(255), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    # Whether a program plays for it; never changed back.
    sa.Column("bot", sa.Boolean, nullable=False, server_default=sa.false()),
    # Whether the profile shows nothing but the name.
    sa.Column("private", sa.Boolean, nullable=False, server_default=sa.false()),
    # When a page of the account was last open, if another account follows it.
    sa.Column("seen", sa.String(32), nullable=True),
    # When the host has disabled it; until when it may write no chat.
    sa.Column("disabled", sa.String(32), nullable=True),
    sa.Column("muted", sa.String(32), nullable=True),
    sa.Column("organizer", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("moderator", sa.Boolean, nullable=False, server_default=sa.false()),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account and the session that is signed in to it, or the API token that acts for it.

    Attributes:
        id: Its own, never shown.
        name: As it is shown.
        created: When, in ISO format.
        session: The id of the session, or of the API token.
        scopes: The scopes of the API token; `None`: a session.
        bot: Whether a program plays for it.
        organizer: Whether it may direct every tournament.
        moderator: Whether it sees the reports of players.
    """

    id: str
    name: str
    created: str
    session: str
    scopes: frozenset[Scope] | None = None
    bot: bool = False
    organizer: bool = False
    moderator: bool = False


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """The address and user agent of a client, and its cookie of a known device."""

    address: str
    agent: str
    device: str = ""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that has just begun.

    Attributes:
        account: The account with the session.
        token: The session's token.
        device: The cookie by which the device is known from now on.
    """

    account: Account
    token: str
    device: str


class Accounts:
    """Every account, in the database.

    Args:
        database: The database that stores them.
        limits: Rate limits for sign-up and sign-in.
    """

    def __init__(self, database: Database, limits: RateLimits) -> None:
        self._database = database
        self.limits = limits
        self.sessions = Sessions(database)
        self.tokens = ApiTokens(database)
        self._passwords = Passwords()

    @property
    def database(self) -> Database:
        """The database that stores them."""
        return self._database

    def close(self) -> None:
        """Wait until all passwords are hashed."""
        self._passwords.close()

    async def sign_up(self, name: str, password: str, visitor: ClientInfo) -> NewSession:
        """Create an account and sign it in.

        Raises:
            RequestError: `name-length`, `name-characters`, `name-taken`, `password-length`,
                `password-name`, `too-many-attempts`, `sign-in-busy`.
        """
        name = names.normalize(name)
        passwords.check_password(password, name)
        self.limits.count_sign_up(visitor.address)
        values = {
            "id": secrets.token_urlsafe(16),
            "name": name,
            "folded": fold(name),
            "password": await self._passwords.hash(password, visitor.address),
            "created": now(),
        }

        def write(connection: sa.Connection) -> tuple[Account, str]:
            try:
                connection.execute(accounts.insert().values(values))
            except sa.exc.IntegrityError:
                raise RequestError("name-taken", name=name) from None
            row = connection.execute(accounts.select().where(accounts.c.id == values["id"])).one()
            return _create_session(connection, row, visitor)

        account, token = await self._database.run(write)
        _log.info("account made", account=account.id)
        return NewSession(account, token, devices.new_device(values["password"]))

    async def sign_in(self, name: str, password: str, visitor: ClientInfo) -> NewSession:
        """Sign in. A wrong name takes as long as a wrong password.

        Raises:
            RequestError: `wrong-sign-in`, `account-disabled`, `too-many-attempts`, `sign-in-busy`.
        """
        key = fold(name)
        row = await self._database.row(accounts.select().where(accounts.c.folded == key))
        stored = None if row is None else str(row.password)
        device = devices.known_device(visitor.device, stored)
        if device is None:
            self.limits.count_sign_in(visitor.address, key)
        else:
            self.limits.count_password(device)
        if not await self._passwords.verify(password, stored, visitor.address) or row is None:
            raise RequestError("wrong-sign-in")
        _check_enabled(row)
        renewed = (
            await self._passwords.hash(password, visitor.address)
            if self._passwords.needs_rehash(row.password)
            else row.password
        )

        def write(connection: sa.Connection) -> tuple[Account, str]:
            # The password may have been changed, or the account deleted, while it was checked.
            same = sa.and_(accounts.c.id == row.id, accounts.c.password == row.password)
            changed = connection.execute(accounts.update().where(same).values(password=renewed))
            if changed.rowcount != 1:
                raise RequestError("wrong-sign-in")
            return _create_session(connection, row, visitor)

        return NewSession(*await self._database.run(write), devices.new_device(renewed))

    async def authenticate(self, token: str | None) -> Account | None:
        """Return the account that this session token belongs to, or `None` if it is invalid."""
        if token is None or not token.startswith(SESSION_PREFIX):
            return None
        at = datetime.now(UTC)

        def read(connection: sa.Connection) -> Account | None:
            row = connection.execute(
                sa.select(
                    sessions,
                    accounts.c.name,
                    accounts.c.bot,
                    accounts.c.created.label("since"),
                    accounts.c.organizer,
                    accounts.c.moderator,
                )
                .join(accounts)
                .where(
                    sessions.c.token_hash == api_tokens.hash_token(token),
                    accounts.c.disabled.is_(None),
                )
            ).one_or_none()
            if row is None or datetime.fromisoformat(row.seen) < at - timedelta(days=SESSION_DAYS):
                return None
            if datetime.fromisoformat(row.seen) < at - timedelta(days=1):
                connection.execute(
                    sessions.update().where(sessions.c.id == row.id).values(seen=now())
                )
            return Account(
                id=row.account,
                name=row.name,
                created=row.since,
                session=row.id,
                bot=row.bot,
                organizer=row.organizer,
                moderator=row.moderator,
            )

        return await self._database.run(read)

    async def authenticate_token(self, token: str) -> Account:
        """Return the account that an API token acts for.

        Raises:
            RequestError: `token-invalid`.
        """
        tokens = api_tokens.api_tokens
        wanted = (
            sa.select(tokens, accounts.c.name.label("named"), accounts.c.bot)
            .add_columns(accounts.c.created.label("since"))
            .join(accounts)
            .where(tokens.c.token_hash == api_tokens.hash_token(token))
            .where(accounts.c.disabled.is_(None))
        )
        row = await self._database.read(lambda connection: connection.execute(wanted).one_or_none())
        if row is None or (row.expires is not None and row.expires <= now()):
            raise RequestError("token-invalid")
        await self.tokens.note_use(row.id, row.used)
        return Account(
            id=row.account,
            name=row.named,
            created=row.since,
            session=row.id,
            scopes=frozenset(row.scopes),
            bot=row.bot,
        )

    async def become_bot(self, account: Account) -> None:
        """Make the account a bot, for good.

        Raises:
            RequestError: `bot-too-late`: it has a seat in a match.
        """
        played = sa.exists().where(seats.c.account == account.id)

        def write(connection: sa.Connection) -> None:
            wanted = accounts.update().where(accounts.c.id == account.id, ~played)
            if connection.execute(wanted.values(bot=True)).rowcount != 1:
                raise RequestError("bot-too-late")

        if not account.bot:
            await self._database.run(write)

    async def change_password(
        self, account: Account, old: str, new: str, visitor: ClientInfo
    ) -> str:
        """Change the password, and end every other session.

        Returns:
            The new cookie of the device.

        Raises:
            RequestError: `wrong-password`, `password-length`, `password-name`,
                `too-many-attempts`, `sign-in-busy`.
        """
        passwords.check_password(new, account.name)
        checked = await self._verified_hash(account, old, visitor)
        hashed = await self._passwords.hash(new, visitor.address)

        def write(connection: sa.Connection) -> None:
            same = sa.and_(accounts.c.id == account.id, accounts.c.password == checked)
            if (
                connection.execute(accounts.update().where(same).values(password=hashed)).rowcount
                != 1
            ):
                raise RequestError("wrong-password")
            session_store.delete_of(connection, account.id, but=account.session)

        await self._database.run(write)
        return devices.new_device(hashed)

    async def reset_password(self, text: str, new: str, visitor: ClientInfo) -> NewSession:
        """Set a new password by a link, end every session and API token, and sign in.

        Raises:
            RequestError: `link-invalid`, `account-disabled`, `password-length`, `password-name`,
                `too-many-attempts`, `sign-in-busy`.
        """
        link = links.parse(text)
        self.limits.count_sign_in(visitor.address, link.subject)
        row = await self._database.row(accounts.select().where(accounts.c.id == link.subject))
        if row is None or not link.end:
            raise RequestError("link-invalid")
        links.check("recovery", link, row.password)
        _check_enabled(row)
        passwords.check_password(new, row.name)
        hashed = await self._passwords.hash(new, visitor.address)

        def write(connection: sa.Connection) -> tuple[Account, str]:
            # The link ends with the password that it was made for.
            same = sa.and_(accounts.c.id == row.id, accounts.c.password == row.password)
            changed = connection.execute(accounts.update().where(same).values(password=hashed))
            if changed.rowcount != 1:
                raise RequestError("link-invalid")
            session_store.delete_of(connection, row.id)
            api_tokens.delete_of(connection, row.id)
            return _create_session(connection, row, visitor)

        session = NewSession(*await self._database.run(write), devices.new_device(hashed))
        _log.info("password recovered", account=row.id)
        return session

    async def check_password(self, account: Account, password: str, visitor: ClientInfo) -> None:
        """Check the password of an account that is signed in.

        Raises:
            RequestError: `wrong-password`, `too-many-attempts`, `sign-in-busy`.
        """
        await self._verified_hash(account, password, visitor)

    async def delete(
        self, account: Account, password: str, visitor: ClientInfo, *, extra: Statement
    ) -> None:
        """Delete the account and its sessions.

        Args:
            account: Which.
            password: Its own.
            visitor: Who asks.
            extra: What else is to be forgotten, in the same transaction.

        Raises:
            RequestError: `wrong-password`, `too-many-attempts`, `sign-in-busy`.
        """
        checked = await self._verified_hash(account, password, visitor)

        def write(connection: sa.Connection) -> None:
            extra(connection)
            session_store.delete_of(connection, account.id)
            same = sa.and_(accounts.c.id == account.id, accounts.c.password == checked)
            if connection.execute(accounts.delete().where(same)).rowcount != 1:
                raise RequestError("wrong-password")

        await self._database.run(write)
        _log.info("account deleted", account=account.id)

    async def _verified_hash(self, account: Account, password: str, visitor: ClientInfo) -> str:
        """Return the stored hash of the password, after checking the password.

        Raises:
            RequestError: `wrong-password`, `too-many-attempts`, `sign-in-busy`.
        """
        self.limits.count_password(account.session)
        stored = await self._database.scalar(
            sa.select(accounts.c.password).where(accounts.c.id == account.id)
        )
        if not await self._passwords.verify(password, stored, visitor.address) or stored is None:
            raise RequestError("wrong-password")
        return str(stored)


def recovery_link(account: str, stored: str, seconds: int) -> str:
    """Return the link that sets a new password, once.

    Args:
        account: The id of the account.
        stored: The stored hash of its password.
        seconds: For how long the link is valid.
    """
    return links.sign("recovery", account, stored, seconds)


def _check_enabled(row: sa.Row[Any]) -> None:
    """Check that the host has not disabled an account.

    Raises:
        RequestError: `account-disabled`.
    """
    if row.disabled is not None:
        raise RequestError("account-disabled")


def _create_session(
    connection: sa.Connection, account: sa.Row[Any], visitor: ClientInfo
) -> tuple[Account, str]:
    """Return a new session of the account in a row, and its token."""
    session, token = session_store.create(connection, account.id, visitor.agent)
    signed_in = Account(
        id=account.id,
        name=account.name,
        created=account.created,
        session=session,
        bot=account.bot,
        organizer=account.organizer,
        moderator=account.moderator,
    )
    return signed_in, token
