"""The destinations of accounts: where their notifications go.

The bell is one of them. It is stored when its account first chooses its kinds; before that, it
shows all. Nothing is sent there: open pages read it.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import msgspec
import sqlalchemy as sa

from tavola.language import Language
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.schema.notifications import (
    BELL,
    Destination,
    EmailOptions,
    Kind,
    NewDestination,
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
    # Of a browser: as it calls itself.
    sa.Column("agent", sa.String(200), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    # When a delivery failed for the last time, if none has succeeded since.
    sa.Column("failed", sa.String(32), nullable=True),
    # When it was confirmed; that of a channel without confirmation, when it was added.
    sa.Column("confirmed", sa.String(32), nullable=True),
    # Of an e-mail address: when it receives mail.
    sa.Column("email", sa.JSON(none_as_null=True), nullable=True),
)


RECEIVES_DELIVERIES = sa.and_(destinations.c.channel != BELL, destinations.c.confirmed.is_not(None))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A new destination that its channel has checked, as it is stored.

    Attributes:
        secret: What the channel needs for its deliveries.
        shown: Whether the account sees the secret, once.
        browser: Of a browser, as it calls itself. It belongs to the account that was signed in
            there last, and its address is not shown.
        confirmed: Whether notifications go there now.
        email: Of an e-mail address, when it receives mail.
    """

    secret: str
    shown: bool = False
    browser: str = ""
    confirmed: bool = True
    email: EmailOptions | None = None


def to_destination(row: sa.Row[tuple[object, ...]]) -> Destination:
    """Return a destination as its account sees it."""
    return Destination(
        id=BELL if row.channel == BELL else row.id,
        channel=row.channel,
        address="" if row.agent else row.address,
        agent=row.agent,
        kinds=tuple(row.kinds),
        created=row.created,
        failed=row.failed,
        confirmed=row.confirmed is not None,
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
    _insert(connection, account, BELL, kinds)


def add(
    connection: sa.Connection,
    account: str,
    new: NewDestination,
    accepted: Accepted,
    language: Language,
) -> Destination:
    """Store a destination, in place of one of the same address.

    Raises:
        RequestError: `too-many-destinations`, `signed-out`, if the account was just deleted.
    """
    mine = destinations.c.account == account
    same = (destinations.c.channel == new.channel) & (destinations.c.address == new.address)
    connection.execute(destinations.delete().where(same if accepted.browser else same & mine))
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
        new.channel,
        new.kinds,
        address=new.address,
        secret=accepted.secret,
        language=language,
        agent=accepted.browser[:200],
        confirmed=now() if accepted.confirmed else None,
        email=msgspec.to_builtins(accepted.email),
    )
    found = connection.execute(destinations.select().where(destinations.c.id == made))
    return to_destination(found.one())


def _insert(
    connection: sa.Connection,
    account: str,
    channel: str,
    kinds: Sequence[Kind],
    **columns: object,
) -> str:
    """Store a destination, and return its id.

    Raises:
        RequestError: `signed-out`, if the account was just deleted.
    """
    values = {
        "id": secrets.token_urlsafe(9),
        "account": account,
        "channel": channel,
        "address": "",
        "secret": "",
        "kinds": list(kinds),
        "language": "",
        "agent": "",
        "created": now(),
        "confirmed": now(),
    } | columns
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
        has_options = destinations.c.email.is_not(None)
        values = {"email": msgspec.to_builtins(email)}
        connection.execute(destinations.update().where(own, has_options).values(values))


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
