"""The schema of the browser's types is that of the server's structs."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = runpy.run_path(str(ROOT / "scripts/wire_schema.py"))


def test_the_schema_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["wire_schema", "--check"])
    assert SCRIPT["main"]() == 0, "run `make types`"


def test_members_of_responses_are_always_there_and_those_of_requests_may_be_left_out() -> None:
    found = cast("dict[str, Any]", SCRIPT["schema"]())["$defs"]
    assert set(found["Hint"]["properties"]) == {"seq", "token", "move", "reasons"}
    assert "n" in found["HintReason"]["required"]
    assert "level" not in found["SeatInfo"]["required"]
    assert "lobby" not in found["NewMatch"]["required"]
    assert found["Hint"]["properties"]["token"]["description"] == "The action."
    assert found["Snapshot"]["properties"]["view"] == {"$ref": "view.schema.json#/$defs/View"}
