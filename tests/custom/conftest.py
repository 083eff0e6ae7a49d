"""Each test leaves the list of games as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tavola
from tavola.custom import unregister


@pytest.fixture(autouse=True)
def games_as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TAVOLA_GAMES", "")
    before = tavola.games()
    yield
    for name in set(tavola.games()) - set(before):
        unregister(name)
