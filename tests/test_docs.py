"""The documentation: its code runs, its commands exist, its paths and links lead somewhere."""

from __future__ import annotations

import doctest
import json
import pkgutil
import random
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.cli import app
from tavola.server.errors import STATUSES

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    page
    for page in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "benches/README.md",
        *ROOT.glob("games/*/networks/README.md"),
        ROOT / "requirements/README.md",
    )
    if "tictactoe" not in page.parts
)
FENCE = re.compile(r"^ *```(\w*)([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
RUN_ELSEWHERE = {
    "ugi",  # tests/ugi/test_protocol.py
    "rust",  # tests/test_adding_a_game.py
}
NOT_CODE = {"text", "nginx"}
CHEAP = {"analyse", "games", "perft", "rules", "version"}
"""The commands that are run, and not only parsed."""
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(?:#([^)\s]+))?\)")
CODE_PATH = re.compile(
    r"`((?:benches|crates|docs|games|python|requirements|scripts|tests|web)/[\w./-]+)`"
)
SERVER_PATH = re.compile(
    r"`((?:accounts|cluster|http|live|matches|ops|schema|snapshots|storage)/\w+\.py)`"
)
API_NAME = re.compile(r"`(tavola(?!\.db\b)(?:\.[A-Za-z_]\w*)+)[`(]")
REMOVED_MODULES = {"tavola.arena", "tavola.fitting"}
"""Modules that only the change log names."""
Block = tuple[str, str, str]


def name(page: Path) -> str:
    """A page's path from the root."""
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    """The language, the rest of the opening line, and the text of each block of code."""
    return FENCE.findall(page.read_text("utf-8"))


def pages_with(*languages: str) -> list[Path]:
    """The pages that have blocks in these languages."""
    return [page for page in PAGES if any(block[0] in languages for block in blocks(page))]


def test_every_block_names_a_language_that_is_checked() -> None:
    known = RUN_ELSEWHERE | NOT_CODE | {"python", "sh", "json", "toml"}
    found = {(name(page), kind) for page in PAGES for kind, _, _ in blocks(page)}
    assert {(page, kind) for page, kind in found if kind not in known} == set()


@pytest.mark.long
@pytest.mark.parametrize("page", pages_with("python"), ids=name)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pyspiel" in page.read_text("utf-8"):
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": page.stem}
    for _, _, text in (block for block in blocks(page) if block[0] == "python"):
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, name(page), name(page), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names |= test.globs
        else:
            exec(compile(text, name(page), "exec", dont_inherit=True), names)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command of a block, without variables set before it."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
            words.pop(0)
        if words:
            yield words


def command_line() -> Any:
    """The command line as an object that parses without running."""
    return app.build()


@pytest.mark.parametrize("page", pages_with("sh"), ids=name)
def test_shell_commands_are_valid(page: Path) -> None:
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8")))
    for _, _, text in (block for block in blocks(page) if block[0] == "sh"):
        subprocess.run(["bash", "-n", "-c", text], check=True)
        for words in commands(text):
            program = words[0].rpartition("/")[2]
            if program == "make":
                wanted = {word for word in words[1:] if "=" not in word and "." not in word}
                assert wanted <= targets, words
            elif program == "tavola":
                command = command_line().commands[words[1]]
                command.make_context(words[1], words[2:])
            elif (ROOT / words[0]).is_file():
                assert (ROOT / words[0]).stat().st_mode & 0o111, words


def last_action() -> str:
    """The record of a game's last action, which is analysed quickly."""
    game, rng = tavola.load("potlatch"), random.Random(2)
    state = before = game.start()
    token = ""
    while state.outcome is None:
        token = rng.choice(state.legal_actions)
        before, state = state, state.play(token)
    tags = {
        "Game": "potlatch",
        "Options": "actions=2 layout=triangle",
        "Rules": str(game.rules_version),
        "Position": before.text,
    }
    return "".join(f'[{tag} "{value}"]\n' for tag, value in tags.items()) + f"\n1. {token}\n"


@pytest.mark.long
@pytest.mark.parametrize("page", pages_with("sh"), ids=name)
def test_cheap_commands_run(page: Path, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text(last_action(), "utf-8")
    for _, _, text in (block for block in blocks(page) if block[0] == "sh"):
        for words in commands(text):
            if words[0] == "tavola" and words[1] in CHEAP:
                subprocess.run(
                    [sys.executable, "-m", "tavola", *words[1:]],
                    cwd=tmp_path,
                    check=True,
                    capture_output=True,
                )


@pytest.mark.parametrize("page", pages_with("json", "toml"), ids=name)
def test_data_can_be_read(page: Path) -> None:
    for kind, _, text in blocks(page):
        if kind == "json":
            json.loads(text)
        elif kind == "toml":
            tomllib.loads(text)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text("utf-8"))
    generated = re.compile(r"(?:^|/)(?:rules/\w+(?:\.ja)?|reference/command-line|clauses/\w+)\.md$")
    missing = [
        path
        for path, _ in LINK.findall(text)
        if not (page.parent / path).exists() and not generated.search(path)
    ]
    missing += [path for path in CODE_PATH.findall(text) if not (ROOT / path).exists()]
    missing += [
        path
        for path in SERVER_PATH.findall(text)
        if not any(
            (ROOT / root / path).exists() for root in ("python/tavola/server", "tests/server")
        )
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_names_exist(page: Path) -> None:
    names = set(API_NAME.findall(FENCE.sub("", page.read_text("utf-8"))))
    missing = []
    for dotted in sorted(names - REMOVED_MODULES):
        try:
            pkgutil.resolve_name(dotted)
        except (AttributeError, ImportError):
            missing.append(dotted)
    assert missing == []


def test_the_reference_lists_every_name() -> None:
    listed = re.findall(r"^::: (.+)$", Path("docs/reference/python.md").read_text("utf-8"), re.M)
    assert {f"tavola.{name}" for name in tavola.__all__} <= set(listed)


def test_the_site_lists_every_page() -> None:
    listed = set(
        re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    )
    pages = {
        str(page.relative_to(ROOT / "docs")) for page in PAGES if ROOT / "docs" in page.parents
    }
    assert pages - listed == set()


def test_error_codes_and_metrics_exist() -> None:
    metrics = (ROOT / "python/tavola/server/ops/metrics.py").read_text("utf-8")
    texts = [page.read_text("utf-8") for page in PAGES]
    named = {
        code
        for text in texts
        for part in re.findall(r"(?m)^Errors: ((?:.+\n)+)", text)
        for code in re.findall(r"`([a-z-]+)`", re.sub(r"\([^)]*\)", "", part))
    }
    assert named
    assert named - STATUSES.keys() == set()
    found = {name for text in texts for name in re.findall(r"`(tavola_[a-z_]+)", text)}
    assert {name for name in found if name.removesuffix("_total") not in metrics} == set()


@pytest.mark.parametrize("path", sorted(ROOT.glob("games/*/levels.json")), ids=name)
def test_the_page_of_levels_has_every_engine(path: Path) -> None:
    text = (ROOT / "docs/reference/levels.md").read_text("utf-8")
    section = text.partition(f"\n## {path.parent.name}\n")[2].partition("\n## ")[0]
    assert re.findall(r"(?m)^\| \d \| `(.+?)`", section) == list(tavola.levels(path.parent.name))
