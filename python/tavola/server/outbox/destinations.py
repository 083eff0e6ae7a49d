"""The destinations of accounts: where their notifications go when no page is open."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import get_args

import msgspec
import sqlalchemy as sa

from tavola.language import Language
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.schema.notifications import Channel, Destination, EmailOptions, Kind
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


IS_CONFIRMED = (destinations.c.channel != "email") | destinations.c.confirmed.is_not(None)
"""The condition that a destination receives notifications."""


def to_destination(row: sa.Row[tuple[object, ...]]) -> Destination:
    """Return a destination as its account sees it."""
    shown = row.channel != "push"
    return Destination(
        id=row.id,
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
    """Return an account's destinations, the oldest first."""
    rows = connection.execute(
        destinations.select()
        .where(destinations.c.account == account)
        .order_by(destinations.c.created, destinations.c.id)
    )
    return tuple(map(to_destination, rows))


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
    count = sa.select(sa.func.count()).select_from(destinations).where(mine)
    if connection.execute(count).scalar_one() >= MAX_DESTINATIONS:
        raise RequestError("too-many-destinations", most=MAX_DESTINATIONS)
    values = {
        "id": secrets.token_urlsafe(9),
        "account": account,
        "channel": channel,
        "address": address,
        "secret": secret,
        "kinds": list(kinds),
        "language": language,
        "agent": agent[:200],
        "created": now(),
        "email": msgspec.to_builtins(email),
    }
    try:
        connection.execute(destinations.insert().values(values))
    except sa.exc.IntegrityError:
        raise RequestError("signed-out") from None
    found = connection.execute(destinations.select().where(destinations.c.id == values["id"]))
    return to_destination(found.one())


def change(
    connection: sa.Connection,
    account: str,
    destination: str,
    kinds: Sequence[Kind],
    email: EmailOptions | None,
) -> None:
    """Choose the kinds that go to a destination, and when an e-mail address receives them.

    Raises:
        RequestError: `unknown-destination`.
    """
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
