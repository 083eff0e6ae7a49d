"""Conventions: complete and registered games, no game named elsewhere, no host in a lock file."""

import ast
import io
import json
import re
import shutil
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavola

ROOT = Path(__file__).parent.parent
GAME_FILES = [
    "Cargo.toml",
    "src/lib.rs",
    "src/state.rs",
    "src/actions.rs",
    "src/notation.rs",
    "src/encoding.rs",
    "src/evaluation.rs",
    "src/rollout_policy.rs",
    "levels.json",
    "reference.py",
    "rules/clauses.md",
    "rules/en.md",
    "rules/ja.md",
    "art/symbols.svg",
    "art/theme.json",
    "art/words/en.json",
    "art/words/ja.json",
    "tests/conformance.rs",
    "tests/perft.json",
    "tests/rule_book.json",
]
# Modules that are a file, or a folder in a large game.
GAME_MODULES = ["rules", "position", "view"]
LONGEST_FILE = 600
BUILT = {"node_modules", "target", "dist", "messages.ts", "__pycache__", ".venv"}
SOURCES = {".rs", ".py", ".pyi", ".ts", ".js", ".svelte", ".css", ".html", ".json", ".toml", ".svg"}


def sources(*folders: str) -> Iterator[Path]:
    """The source files in these folders of the project, without what is built or downloaded."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            built = BUILT.intersection(path.parts) or ROOT / "python/tavola/web" in path.parents
            if path.suffix in SOURCES and path.is_file() and not built:
                yield path


def faults(folder: Path, registered: tuple[str, ...]) -> list[str]:
    """Return the files that a game's folder lacks."""
    lacking = [
        f"{folder.name}/{name} is missing" for name in GAME_FILES if not (folder / name).is_file()
    ]
    lacking += [
        f"{folder.name}/src/{name}.rs is missing"
        for name in GAME_MODULES
        if not any((folder / f"src/{path}.rs").is_file() for path in (name, f"{name}/mod"))
    ]
    if folder.name not in registered:
        lacking.append(f"{folder.name} is not registered in crates/registry")
    words = [folder / f"art/words/{language}.json" for language in ("en", "ja")]
    if all(path.is_file() for path in words):
        english, japanese = (set(json.loads(path.read_text("utf-8"))) for path in words)
        lacking += [
            f"{folder.name}: {key} is said in one language only"
            for key in sorted(english ^ japanese)
        ]
    return lacking


GAMES = sorted(
    path for path in (ROOT / "games").iterdir() if path.is_dir() and path.name != "__pycache__"
)


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_game_is_complete_and_registered(folder: Path) -> None:
    assert faults(folder, tavola.games()) == []


def test_every_registered_game_has_its_folder() -> None:
    assert list(tavola.games()) == [folder.name for folder in GAMES]


def test_an_incomplete_game_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    shutil.copytree(GAMES[0], folder)
    (folder / "rules/ja.md").unlink()
    words = folder / "art/words/en.json"
    words.write_text(words.read_text("utf-8").replace("{", '{"extra": "Extra",', 1), "utf-8")
    assert faults(folder, tavola.games()) == [
        "chess/rules/ja.md is missing",
        "chess is not registered in crates/registry",
        "chess: extra is said in one language only",
    ]


FAULT = re.compile(r'"((?:edit|fault|field)\.[a-z.-]+)"')
PARAMETER = re.compile(r"\{(\w+)\}")


def faults_named_in(folder: Path) -> set[str]:
    """The keys of faults, and of the position editor, that the code of a folder names."""
    files = (folder / "src").rglob("*.rs")
    return {key for file in files for key in FAULT.findall(file.read_text("utf-8"))}


def faults_said_in(folder: Path) -> set[str]:
    """Those that a folder has words for, of the same parameters in each language."""
    english, japanese = (
        json.loads((folder / f"{language}.json").read_text("utf-8")) for language in ("en", "ja")
    )
    keys = {key for key in english if FAULT.fullmatch(f'"{key}"')}
    for key in keys:
        parameters = [set(PARAMETER.findall(words[key])) for words in (english, japanese)]
        assert parameters[0] == parameters[1], key
    return keys


def test_the_words_of_faults_and_of_the_editor_exist_and_are_used() -> None:
    core = faults_named_in(ROOT / "crates/core")
    shared = faults_said_in(ROOT / "crates/core/locales")
    everywhere = set[str]().union(*map(faults_named_in, (ROOT / "crates").iterdir()))
    for game in GAMES:
        named, said = faults_named_in(game), faults_said_in(game / "art/words")
        assert named - shared == said - core, game.name
        everywhere |= named
    assert core <= shared <= everywhere


def code(path: Path) -> str:
    """A file without its comments and docstrings, which may give examples from a game."""
    text = path.read_text("utf-8")
    if path.suffix in {".py", ".pyi"}:
        lines = text.splitlines()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column]
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Expr(value=ast.Constant(value=str())):
                    for row in range(node.lineno - 1, node.end_lineno or node.lineno):
                        lines[row] = ""
        return "\n".join(lines)
    if path.suffix in {".rs", ".ts", ".js", ".svelte", ".css"}:
        return re.sub(r"(?m)^\s*(//|\*|/\*).*$", "", text)
    return text


@pytest.mark.long
def test_no_game_is_named_outside_its_folder() -> None:
    names = re.compile("|".join(folder.name for folder in GAMES), re.IGNORECASE)
    allowed = {"tests", "docs", "examples", "benches", "registry"}
    named = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sources("crates", "python", "web")
        if not allowed.intersection(path.relative_to(ROOT).parts) and ".test." not in path.name
        for line in code(path).splitlines()
        if names.search(line)
    ]
    assert named == []


def test_no_folder_of_the_server_imports_from_one_above_it() -> None:
    server = ROOT / "python/tavola/server"
    table = (ROOT / "docs/explanation/server.md").read_text("utf-8").partition("## Inside")[2]
    order = re.findall(r"(?m)^\| `(\w+)(?:/|\.py)` \|", table)
    assert sorted(order) == sorted(
        path.stem
        for path in server.iterdir()
        if not path.stem.startswith("_") and (path.suffix == ".py" or any(path.glob("*.py")))
    )
    upward = [
        f"{path.relative_to(server)} imports {name}"
        for path in server.rglob("*.py")
        for name in re.findall(r"(?m)^\s*from tavola\.server(?:\.| import )(\w+)", code(path))
        if path.parent != server or path.stem == "app"
        if order.index(name) < order.index(path.relative_to(server).parts[0].removesuffix(".py"))
    ]
    assert upward == []


def test_no_file_is_too_long() -> None:
    # A reference implements one rule book in one file. Scripts generate view.d.ts and _core.pyi.
    written = {".rs", ".py", ".pyi", ".ts", ".svelte", ".css"}
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in sources("benches", "crates", "games", "python", "scripts", "tests", "web")
        if path.suffix in written and not path.name.endswith((".d.ts", "_core.pyi", "reference.py"))
    }
    assert lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_every_crate_uses_the_workspace_lints() -> None:
    crates = [*ROOT.glob("crates/*/Cargo.toml"), *ROOT.glob("games/*/Cargo.toml")]
    assert [
        str(path) for path in crates if "[lints]\nworkspace = true" not in path.read_text("utf-8")
    ] == []


def test_every_file_of_a_suite_of_tests_is_compiled() -> None:
    suites = list(ROOT.glob("crates/*/tests/suite"))
    assert suites
    for suite in suites:
        modules = re.findall(r"(?m)^mod (\w+);$", (suite / "main.rs").read_text("utf-8"))
        assert {*modules, "main"} == {path.stem for path in suite.iterdir()}, suite


def test_locked_versions_name_no_download_address() -> None:
    requirements = list((ROOT / "requirements").glob("*.txt"))
    assert len(requirements) == 9
    for path in requirements:
        text = path.read_text("utf-8")
        assert "://" not in text, path
        pins = re.findall(r"(?m)^[a-z]\S*==.*$", text)
        assert pins, path
        assert all(pin.endswith("\\") for pin in pins), f"{path}: a version without a hash"
    packages = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    crates = set(re.findall(r'source = "(.*)"', (ROOT / "Cargo.lock").read_text("utf-8")))
    assert crates == {"registry+https://github.com/rust-lang/crates.io-index"}


def test_the_container_is_made_of_all_that_the_wheel_is_made_of() -> None:
    copied = {
        Path(source)
        for line in re.findall(r"(?m)^COPY ([^-].*)$", (ROOT / "Dockerfile").read_text("utf-8"))
        for source in line.split()[:-1]
    }
    assert {path for path in copied if not (ROOT / path).exists()} == set()
    # Cargo reads how to compile from a folder that is easily overlooked.
    wheel = ".cargo Cargo.toml Cargo.lock pyproject.toml crates games python scripts web"
    assert set(map(Path, wheel.split())) <= copied


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    assert "## Unreleased" in (ROOT / "CHANGELOG.md").read_text("utf-8")
