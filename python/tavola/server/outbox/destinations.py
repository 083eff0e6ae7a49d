"""The destinations of accounts: where their notifications go.

The bell is one of them. It is stored when its account first chooses its kinds; before that, it
shows all. Nothing is sent there: open pages read it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import get_args

import msgspec
import sqlalchemy as sa

from tavola.language import Language
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.schema.notifications import (
    BELL,
    Channel,
    Destination,
    EmailOptions,
    Kind,
)
from tavola.server.storage.tables import metadata

MAX_DESTINATIONS = 20
"""How many destinations an account has at most."""

KINDS: tuple[Kind, ...] = get_args(Kind)

destinations = sa.Table(
    "destinations",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("channel", sa.String(16), nullable=False),
    # A URL, or an e-mail address.
    sa.Column("address", sa.Text, nullable=False),
    # The key of a webhook's signature or of the links in mail, or the keys of a browser.
    sa.Column("secret", sa.Text, nullable=False),
    sa.Column("kinds", sa.JSON, nullable=False),
    sa.Column("language", sa.String(16), nullable=False),
    # The browser, as it calls itself.
    sa.Column("agent", sa.String(200), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    # When a delivery failed for the last time, if none has succeeded since.
    sa.Column("failed", sa.String(32), nullable=True),
    # Of an e-mail address: when it was confirmed, and when it receives mail.
    sa.Column("confirmed", sa.String(32), nullable=True),
    sa.Column("email", sa.JSON(none_as_null=True), nullable=True),
)


RECEIVES_DELIVERIES = sa.and_(
    destinations.c.channel != BELL,
    (destinations.c.channel != "email") | destinations.c.confirmed.is_not(None),
)
"""The condition that notifications are sent to a destination."""


UNCHOSEN_BELL = Destination(
    id=BELL,
    channel=BELL,
    address="",
    agent="",
    kinds=KINDS,
    created="",
    failed=None,
    confirmed=True,
    email=None,
)
"""The bell of an account that has not chosen its kinds."""


def to_destination(row: sa.Row[tuple[object, ...]]) -> Destination:
    """Return a destination as its account sees it."""
    shown = row.channel != "push"
    return Destination(
        id=BELL if row.channel == BELL else row.id,
        channel=row.channel,
        address=row.address if shown else "",
        agent=row.agent,
        kinds=tuple(row.kinds),
        created=row.created,
        failed=row.failed,
        confirmed=row.channel != "email" or row.confirmed is not None,
        email=email_options(row.email),
    )


def email_options(stored: object) -> EmailOptions | None:
    """Return the stored options of an e-mail address."""
    return None if stored is None else msgspec.convert(stored, EmailOptions)


def of_account(connection: sa.Connection, account: str) -> tuple[Destination, ...]:
    """Return an account's stored destinations: the bell, then the oldest first."""
    rows = connection.execute(
        destinations.select()
        .where(destinations.c.account == account)
        .order_by(destinations.c.channel != BELL, destinations.c.created, destinations.c.id)
    )
    return tuple(map(to_destination, rows))


def bell_kinds(connection: sa.Connection, account: str) -> tuple[Kind, ...]:
    """Return the kinds that the bell of an account shows."""
    own = (destinations.c.account == account) & (destinations.c.channel == BELL)
    stored = connection.execute(sa.select(destinations.c.kinds).where(own).limit(1)).scalar()
    return KINDS if stored is None else tuple(stored)


def _choose_bell(connection: sa.Connection, account: str, kinds: Sequence[Kind]) -> None:
    accounts = metadata.tables["accounts"]
    # Two choices at the same moment come one after the other, so that one bell is stored.
    connection.execute(sa.select(accounts.c.id).where(accounts.c.id == account).with_for_update())
    own = (destinations.c.account == account) & (destinations.c.channel == BELL)
    connection.execute(destinations.delete().where(own))
    _insert(connection, account, BELL, kinds=kinds)


def add(
    connection: sa.Connection,
    account: str,
    channel: Channel,
    address: str,
    secret: str,
    *,
    kinds: Sequence[Kind],
    language: Language,
    agent: str,
    email: EmailOptions | None = None,
) -> Destination:
    """Store a destination, in place of one of the same address.

    Raises:
        RequestError: `too-many-destinations`, `signed-out`, if the account was just deleted.
    """
    mine = destinations.c.account == account
    same = (destinations.c.channel == channel) & (destinations.c.address == address)
    # A browser belongs to the account that was signed in there last.
    replaced = same if channel == "push" else same & mine
    connection.execute(destinations.delete().where(replaced))
    count = (
        sa.select(sa.func.count())
        .select_from(destinations)
        .where(mine, destinations.c.channel != BELL)
    )
    if connection.execute(count).scalar_one() >= MAX_DESTINATIONS:
        raise RequestError("too-many-destinations", most=MAX_DESTINATIONS)
    made = _insert(
        connection,
        account,
        channel,
        kinds=kinds,
        address=address,
        secret=secret,
        language=language,
        agent=agent[:200],
        email=msgspec.to_builtins(email),
    )
    found = connection.execute(destinations.select().where(destinations.c.id == made))
    return to_destination(found.one())


def _insert(
    connection: sa.Connection,
    account: str,
    channel: str,
    *,
    kinds: Sequence[Kind],
    address: str = "",
    secret: str = "",
    language: str = "",
    agent: str = "",
    email: object = None,
) -> str:
    """Store a destination, and return its id.

    Raises:
        RequestError: `signed-out`, if the account was just deleted.
    """
    values = {
        "id": secrets.token_urlsafe(9),
        "account": account,
        "channel": channel,
        "address": address,
        "secret": secret,
        "kinds": list(kinds),
        "language": language,
        "agent": agent,
        "created": now(),
        "email": email,
    }
    try:
        connection.execute(destinations.insert().values(values))
    except sa.exc.IntegrityError:
        raise RequestError("signed-out") from None
    return str(values["id"])


def change(
    connection: sa.Connection,
    account: str,
    destination: str,
    kinds: Sequence[Kind],
    email: EmailOptions | None,
) -> None:
    """Choose the kinds that go to a destination, and when an e-mail address receives them.

    Raises:
        RequestError: `unknown-destination`, `signed-out`, if the account was just deleted.
    """
    if destination == BELL:
        _choose_bell(connection, account, kinds)
        return
    own = (destinations.c.account == account) & (destinations.c.id == destination)
    changed = connection.execute(destinations.update().where(own).values(kinds=list(kinds)))
    if changed.rowcount != 1:
        raise RequestError("unknown-destination")
    if email is not None:
        is_email = destinations.c.channel == "email"
        values = {"email": msgspec.to_builtins(email)}
        connection.execute(destinations.update().where(own, is_email).values(values))


def remove(connection: sa.Connection, account: str, destination: str) -> None:
    """Delete a destination.

    Raises:
        RequestError: `unknown-destination`.
    """
    own = (destinations.c.account == account) & (destinations.c.id == destination)
    if connection.execute(destinations.delete().where(own)).rowcount != 1:
        raise RequestError("unknown-destination")


def delete_of(connection: sa.Connection, account: str) -> None:
    """Delete all destinations of an account."""
    connection.execute(destinations.delete().where(destinations.c.account == account))
