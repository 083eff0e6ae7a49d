"""Recorded games, replayed: what they led to, they lead to today.

A rule that changes on purpose raises the game's `rules_version` and gets records of its own; these
files are never rewritten to make a test pass.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola

RECORDS = sorted(Path(__file__).parent.parent.glob("games/*/tests/records/*.txt"))


def test_every_game_has_records() -> None:
    assert {path.parts[-4] for path in RECORDS} == set(tavola.games())


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_a_recorded_game_ends_as_it_did(path: Path) -> None:
    for record in tavola.read_records(path):
        final = list(record.states())[-1]
        assert final.outcome is not None
        assert final.outcome.reason == record.tag("Outcome")
        assert final.text == record.tag("Final")
        assert final.returns is not None
        assert final.returns == record.returns
        assert record.text == path.read_text(encoding="utf-8")
