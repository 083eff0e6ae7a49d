"""Files alone add a language: a made-up one, with the English messages and a mark."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tavola

PACKAGE = Path(tavola.__file__).parent
ROOT = Path(__file__).parent.parent

SCRIPT = """
import json
import tavola
from tavola.cli.locales import Translator
from tavola.language import LANGUAGES, negotiate
from tavola.messages import translated
from tavola.puzzles.lesson import title
from tavola.report.words import Words
from tavola.server.games import info, rules_markdown
from tavola.server.schema.errors import message_for
from tavola.server.sharing.previews import of_position
from tests.custom.toys import Race

class Rules(Race):
    words = {"xx": {"game.title": "~Race"}}
    rules = {"en": "# Race", "xx": "# ~Race"}

tavola.register(Rules)
assert LANGUAGES[0] == "en" and "xx" in LANGUAGES, LANGUAGES
assert negotiate("xx, en;q=0.5") == "xx"
try:
    tavola.load("chess")
except tavola.UnknownGame as error:
    unknown = error
words = Words("race", "xx")
print(json.dumps({
    "error": translated(unknown, "xx"),
    "server": message_for("over", {}, "xx"),
    "terminal": Translator("xx")("help.rules"),
    "sentences": Translator("xx").join_sentences("a", "b"),
    "report": words("settings"),
    "title": words.title,
    "rules": rules_markdown("race", "xx"),
    "browser": info("race").words["xx"]["game.title"],
    "lesson": title("win-1", None)["xx"],
    "share": of_position("race", None, None, "xx").title,
}))
"""


def add_language(folder: Path) -> None:
    """Add the file of the made-up language to a folder."""
    messages = json.loads((folder / "en.json").read_text("utf-8"))
    if folder.parent.name == "messages":
        # The English messages of errors are the keys of their translations.
        errors = json.loads((folder / "ja.json").read_text("utf-8")).keys() - messages.keys()
        messages.update({template: template for template in errors})
    marked = {key: f"~{text}" for key, text in messages.items()}
    (folder / "xx.json").write_text(json.dumps(marked), "utf-8")


def run(folder: Path, *command: str) -> str:
    """Return the output of Python with the package of a folder."""
    made = subprocess.run(
        [sys.executable, *command],
        env={"PYTHONPATH": f"{folder}:{ROOT}", "COLUMNS": "100", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


@pytest.mark.long
def test_files_add_a_language(tmp_path: Path) -> None:
    package = shutil.copytree(
        PACKAGE, tmp_path / "tavola", ignore=shutil.ignore_patterns("web", "_core*", "__pycache__")
    )
    for core in PACKAGE.glob("_core*"):
        (package / core.name).symlink_to(core)
    for folder in package.rglob("locales"):
        add_language(folder)
    made = json.loads(run(tmp_path, "-c", SCRIPT))
    assert {key: text for key, text in made.items() if "~" not in text} == {}
    assert "~Show a game's rule book." in run(tmp_path, "-m", "tavola", "--lang", "xx", "--help")
