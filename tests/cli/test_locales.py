"""The messages of the command line, all used, and of all errors."""

from __future__ import annotations

import ast
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

import tavola
import tavola.cli
from tavola.cli.app import build
from tavola.cli.locales import Translator
from tavola.errors import EngineError, Message
from tavola.messages import catalogue
from tavola.server.moderation import audit

SOURCE = "\n".join(
    file.read_text("utf-8")
    for kind in ("*.py", "*.html")
    for file in Path(tavola.cli.__file__).parent.rglob(kind)
)


def test_every_message_is_used() -> None:
    app = build()
    commands = {f"help.{name}" for name in app.commands}
    admin: Any = app.commands["admin"]
    commands |= {f"help.admin.{name}" for name in admin.commands}
    acts = {f"act.{act}" for act in get_args(audit.Act)}
    keys = catalogue("tavola.cli", "en").keys()
    assert acts <= keys
    for key in keys - commands - acts:
        group, _, name = key.partition(".")
        groups = ("error", "games", "bench", "match", "analyse")
        named = group in groups and f'"{name}"' in SOURCE
        assert named or f'"{key}"' in SOURCE or f"'{key}'" in SOURCE, key


RULES = Path(__file__).parents[2] / "crates" / "py" / "src" / "python_game"
"""The compiled code that calls the rules of games written in Python."""


def compiled_templates() -> set[str]:
    """The templates of all messages of the compiled core about games written in Python."""
    found: set[str] = set()
    for file in RULES.glob("*.rs"):
        source = file.read_text("utf-8")
        literals = re.findall(r'Fault::new\(\s*"((?:[^"\\]|\\\n)*)"', source)
        assert len(literals) == source.count("Fault::new("), f"{file}: a template is no literal"
        # A backslash at the end of a line joins it with the next one.
        found.update(re.sub(r"\\\n\s*", "", literal) for literal in literals)
    return found


def templates() -> set[str]:
    """The templates of all error messages in the package."""
    found = compiled_templates()
    for file in Path(tavola.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name("Message"), args=[ast.Constant(str(template))]):
                    found.add(template)
                case ast.Call(func=ast.Name("Message"), args=[ast.Name("template")]):
                    # In `errors.py` pickle creates them again.
                    assert file.name in ("errors.py", "description.py")
                case ast.Call(func=ast.Name("_fail"), args=[_, ast.Constant(str(template))]) if (
                    file.name == "description.py"
                ):
                    found.add(template)
                case ast.Call(func=ast.Name("_fail")) if file.name == "description.py":
                    raise AssertionError(f"{file}: {ast.unparse(node)} has no literal template")
                case ast.Call(func=ast.Name("Message")):
                    raise AssertionError(f"{file}: {ast.unparse(node)} has no literal template")
    return found


@pytest.mark.long
def test_every_error_message_has_a_japanese_translation() -> None:
    japanese = catalogue("tavola.messages", "ja")
    assert templates() == {key for key in japanese if not key.startswith("language.")}
    for form in templates():
        said = japanese[form]
        wanted, given = (sorted(re.findall(r"\{(\w+)\}", text)) for text in (form, said))
        assert wanted == given, form


def test_an_error_is_translated_with_all_its_parts() -> None:
    fault = Message("there is no file {file}", file="{seconds}")
    error = pickle.loads(pickle.dumps(EngineError("tree:x", fault)))
    assert str(error) == "'tree:x' is not an engine: there is no file {seconds}"
    told = Translator("ja").translate_part(error)
    assert told == "'tree:x'：{seconds} というファイルはありません"
    assert Translator("en").translate_part(error) == str(error)
    assert Translator("ja").translate_part("of a library") == "of a library"


def test_the_game_translates_why_an_action_is_illegal() -> None:
    state = tavola.load("potlatch").start()
    for token, english, japanese in (
        ("Pe", "Occupied by the other pawn", "コマ"),
        ("x", "unknown token for potlatch; legal actions: Pne,", "合法手は Pne,"),
    ):
        with pytest.raises(tavola.IllegalAction) as caught:
            state.play(token)
        error = pickle.loads(pickle.dumps(caught.value))
        assert error.reason.startswith(english), error.reason
        assert str(error) == str(caught.value) == Translator("en").translate_part(error)
        told = Translator("ja").translate_part(error)
        assert japanese in told
        assert error.reason not in told


def test_parse_errors_are_translated() -> None:
    cases: list[tuple[Callable[[], object], str, str]] = [
        (lambda: tavola.load("potlatch").parse("x"), "expected 8 fields", "8個の欄"),
        (lambda: tavola.load("potlatch", actions=4), 'cannot be "4"', '"4"は指定できません'),
        (lambda: tavola.read_records("[Game"), "tag Game needs", "タグGameには"),
    ]
    for call, english, japanese in cases:
        with pytest.raises(tavola.TavolaError) as caught:
            call()
        error = pickle.loads(pickle.dumps(caught.value))
        assert english in str(error)
        assert str(error) == str(caught.value) == Translator("en").translate_part(error)
        told = Translator("ja").translate_part(error)
        assert japanese in told
        assert english not in told


@pytest.mark.parametrize("name", tavola.games())
def test_no_fault_of_a_position_stays_english(name: str) -> None:
    bad = Path(__file__).parents[2] / f"games/{name}/tests/positions_bad.json"
    for case in json.loads(bad.read_text("utf-8")):
        with pytest.raises(tavola.PositionError) as caught:
            tavola.load(name, **case["options"]).parse(case["text"])
        told = Translator("ja").translate_part(caught.value)
        assert "⟨" not in told
        assert not [fault for fault in caught.value.faults if fault in told], told
