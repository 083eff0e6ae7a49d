"""Public matches: Python and SQL decide alike."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import sqlalchemy as sa

from tavola.server.live.finished_matches import is_listed
from tavola.server.matches.log import Header, Seat
from tavola.server.people.public_matches import is_public_in_progress
from tavola.server.storage.database import Database
from tavola.server.storage.tables import matches
from tests.server.databases import url_of

PERSON = Seat(kind="person", name="", seconds=None, token_hash="hash")
ENGINE = Seat(kind="engine", name="", seconds=0.5, token_hash=None)


def header(*, rated: bool, offered: bool, persons: int) -> Header:
    return Header(
        id=f"{rated} {offered} {persons}",
        game="potlatch",
        options={},
        rules_version=1,
        confirm=False,
        start="start",
        seats=(PERSON,) * persons + (ENGINE,) * (2 - persons),
        rated=rated,
        offered=offered,
    )


def test_python_and_sql_decide_alike(tmp_path: Path) -> None:
    headers = [
        header(rated=rated, offered=offered, persons=persons)
        for rated, offered, persons in itertools.product((False, True), (False, True), (0, 1, 2))
    ]
    database = Database(url_of(tmp_path / "tavola.db"))

    async def public() -> set[str]:
        for one in headers:
            await database.create(one, [], engine_due=False)
        wanted = sa.select(matches.c.id).where(is_public_in_progress)
        return await database.read(lambda connection: set(connection.execute(wanted).scalars()))

    try:
        listed = asyncio.run(public())
    finally:
        database.close()
    assert listed == {one.id for one in headers if is_listed(one)}
    assert {one.id for one in headers} - listed == {"False False 2"}
