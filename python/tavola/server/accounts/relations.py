"""Relations between accounts: following and blocking. Blocking ends following.

A blocked person is not told. Its challenges and chat lines do not arrive, and the open seats of an
account that blocks it are not there for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, get_args

import sqlalchemy as sa

from tavola.server.accounts.accounts import Account, accounts
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

RelationKind = Literal["follow", "block"]

MAX_RELATIONS = 500
"""How many accounts an account can follow, and how many it can block."""

relations = sa.Table(
    "relations",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("other", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    sa.Index("ix_relations_other", "other", "kind"),
)


def relation(connection: sa.Connection, account: str, other: str) -> RelationKind | None:
    """Return the relation of an account to another."""
    found = connection.execute(
        sa.select(relations.c.kind).where(
            relations.c.account == account, relations.c.other == other
        )
    ).scalar()
    return next((kind for kind in get_args(RelationKind) if kind == found), None)


def set_relation(
    connection: sa.Connection, account: str, other: str, kind: RelationKind | None
) -> None:
    """Set the relation of an account to another; `None` ends it.

    Raises:
        RequestError: `too-many-people`.
    """
    here = (relations.c.account == account) & (relations.c.other == other)
    connection.execute(relations.delete().where(here))
    if kind is None:
        return
    count = sa.select(sa.func.count()).select_from(relations)
    same = relations.c.account == account, relations.c.kind == kind
    if connection.execute(count.where(*same)).scalar_one() >= MAX_RELATIONS:
        raise RequestError("too-many-people", most=MAX_RELATIONS)
    row = {"account": account, "other": other, "kind": kind, "at": now()}
    connection.execute(relations.insert().values(row))


def blocking(connection: sa.Connection, account: str, those: Iterable[str]) -> frozenset[str]:
    """Return which of some accounts block an account."""
    found = connection.execute(
        sa.select(relations.c.account).where(
            relations.c.other == account,
            relations.c.kind == "block",
            relations.c.account.in_(tuple(those)),
        )
    )
    return frozenset(found.scalars())


async def all_blocking(database: Database, account: Account | None) -> frozenset[str]:
    """Return the accounts that block an account."""
    own = None if account is None else account.id
    return await _ids(database, own, relations.c.account, relations.c.other)


async def blocked_by(database: Database, account: str | None) -> frozenset[str]:
    """Return the accounts that an account blocks; none for a guest."""
    return await _ids(database, account, relations.c.other, relations.c.account)


async def _ids(
    database: Database, account: str | None, wanted: sa.Column[str], own: sa.Column[str]
) -> frozenset[str]:
    """Return the other accounts of the blocks of an account."""
    if account is None:
        return frozenset()
    query = sa.select(wanted).where(own == account, relations.c.kind == "block")
    return await database.read(lambda connection: frozenset(connection.execute(query).scalars()))


def named(
    connection: sa.Connection, account: str, kind: RelationKind, *, towards: bool = False
) -> Sequence[Any]:
    """Return the ids and names of the accounts that an account follows or blocks, by name.

    Args:
        connection: The database.
        account: The account.
        kind: The relation.
        towards: Return the accounts with the relation to this one instead.
    """
    ends = relations.c.account, relations.c.other
    other, own = ends if towards else ends[::-1]
    found = (
        sa.select(accounts.c.id, accounts.c.name)
        .join(relations, other == accounts.c.id)
        .where(own == account, relations.c.kind == kind)
        .order_by(accounts.c.folded)
        .limit(MAX_RELATIONS)
    )
    return connection.execute(found).all()


def delete_relations(connection: sa.Connection, account: str) -> None:
    """Delete the relations of an account, and those of others to it."""
    own = (relations.c.account == account) | (relations.c.other == account)
    connection.execute(relations.delete().where(own))
