"""The file of SQLite that the URL of a database names."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from tavola.server.storage.checkpoints import sqlite_file


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite://", None),
        ("sqlite:///:memory:", None),
        ("sqlite:///tavola.db", "tavola.db"),
        ("sqlite:////srv/tavola.db?timeout=5", "/srv/tavola.db"),
        ("sqlite:///file:tavola.db?uri=true", "tavola.db"),
        ("sqlite:///file:/srv/tavola.db?mode=ro&uri=true", "/srv/tavola.db"),
        ("sqlite:///file:///srv/tavola.db?uri=true", "/srv/tavola.db"),
        ("sqlite:///file:one?mode=memory&uri=true", None),
        ("sqlite:///file::memory:?uri=true", None),
        ("sqlite:///file:tavola.db", "file:tavola.db"),
        ("sqlite:////srv/tavola.db?mode=memory", "/srv/tavola.db"),
        ("postgresql://db/tavola", None),
    ],
)
def test_the_file_of_a_url(url: str, file: str | None) -> None:
    assert sqlite_file(sa.make_url(url)) == (None if file is None else Path(file))
