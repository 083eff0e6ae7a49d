"""The examples of docs/reference/ugi.md, run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ugi.ugi_dialog import Dialog

TEXT = (Path(__file__).parents[2] / "docs/reference/ugi.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?ms)^```ugi\n(.*?)^```", TEXT)


def matches(pattern: str, line: str) -> bool:
    parts = (re.escape(part) for part in pattern.split("..."))
    return re.fullmatch(".*".join(parts), line) is not None


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 5


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_true(example: str) -> None:
    with Dialog() as dialog:
        skipping = False
        for line in example.splitlines():
            kind, _, text = line.partition(" ")
            if kind == "...":
                skipping = True
            elif kind == ">":
                assert dialog.unread() == [] or skipping
                skipping = False
                assert dialog.say(text) is (text != "quit")
            else:
                assert kind == "<"
                heard = dialog.hear()
                while skipping and not matches(text, heard):
                    heard = dialog.hear()
                skipping = False
                assert matches(text, heard), f"{heard!r} instead of {text!r}"
        assert dialog.unread() == []


def test_every_option_and_command_is_documented() -> None:
    with Dialog() as dialog:
        dialog.say("ugi")
        dialog.say("query ?")
        dialog.say("?")
        told = [dialog.hear() for _ in range(200) if dialog.waiting()]
    options = {line.split()[2] for line in told if line.startswith("option")}
    errors = [line for line in told if "error" in line]
    assert len(errors) == 2
    for name in (name for name in options if "." not in name):
        assert f"| `{name}`" in TEXT
    for error in errors:
        for name in re.findall(r"\w+", error.partition("there are ")[2]):
            assert f"`{name}" in TEXT, name
