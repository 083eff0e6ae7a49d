"""`tavola puzzles`: making a few puzzles, continuing, confirming, wrong arguments and files."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import tavola
from tavola.cli.app import run
from tavola.puzzles import PuzzleFile, generate, parse

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]
GAME = next(game for game in tavola.games() if not tavola.load(game).has_chance)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two puzzles."""
    path = tmp_path_factory.mktemp("puzzles") / "two.json"
    assert run(["puzzles", GAME, "-n", "2", "--out", str(path), "-j", "1", "--lang", "en"]) == 0
    return path


@pytest.mark.long
def test_puzzles_are_made_and_a_file_is_continued(made: Path, tmp_path: Path, capsys: Out) -> None:
    two = parse(made.read_bytes())
    assert len(two.puzzles) == 2
    path = tmp_path / "three.json"
    path.write_bytes(made.read_bytes())
    assert run(["puzzles", GAME, "-n", "3", "--out", str(path), "-j", "1"]) == 0
    assert parse(path.read_bytes()).puzzles[:2] == two.puzzles
    assert f"Puzzles in {path}: 3." in capsys.readouterr().out


@pytest.mark.long
def test_only_some_themes_are_made_and_few_puzzles_are_easy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some.json"
    monkeypatch.setattr(generate, "MOST_EASY", 0)
    command = ["puzzles", GAME, "-n", "2", "--out", str(path), "-j", "1", "--theme", "win-2"]
    # The processes of the executor play; this one selects.
    assert run([*command, "--theme", "win-3"]) == 0
    puzzles = parse(path.read_bytes()).puzzles
    assert {puzzle.theme for puzzle in puzzles} <= {"win-2", "win-3"}
    assert all(puzzle.level > 1 for puzzle in puzzles)


def test_puzzles_of_a_file_are_confirmed(made: Path, capsys: Out) -> None:
    assert run(["puzzles", GAME, "--check", str(made), "-j", "1"]) == 0
    assert "Puzzles confirmed: 2 of 2 (100.0%)." in capsys.readouterr().out


def test_a_puzzle_that_is_not_confirmed_is_named(made: Path, tmp_path: Path, capsys: Out) -> None:
    (puzzle, *_) = parse(made.read_bytes()).puzzles
    path = tmp_path / "wrong.json"
    path.write_bytes(PuzzleFile(puzzles=(replace(puzzle, play="nonsense"),)).dump())
    assert run(["puzzles", GAME, "--check", str(path), "-j", "1", "--sample", "5"]) == 1
    told = capsys.readouterr().out
    assert f"{puzzle.id} {puzzle.theme}: 'nonsense' is illegal" in told
    assert "Puzzles confirmed: 0 of 1 (0.0%)." in told


def test_wrong_arguments_and_files_are_explained(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "none.json"
    assert run(["puzzles", GAME, "--check", str(path)]) == 2
    assert "Cannot read" in capsys.readouterr().err
    path.write_text("{}}")
    assert run(["puzzles", GAME, "--out", str(path)]) == 2
    assert "none.json: not a file of puzzles" in capsys.readouterr().err
    assert path.read_text() == "{}}"
    assert run(["puzzles", GAME, "-n", "0"]) == 2
    assert "--count" in capsys.readouterr().err
    assert run(["puzzles", "chess"]) == 2
    capsys.readouterr()
    assert run(["puzzles", GAME, "--theme", "win-9", "--out", str(tmp_path / "x.json")]) == 2
    assert "no theme “win-9”. Themes: win-1, win-2" in " ".join(capsys.readouterr().err.split())
    assert run(["puzzles", GAME, "--out", str(tmp_path / "no" / "file.json")]) == 2


def test_the_levels_of_a_file_are_measured_and_saved(
    made: Path, tmp_path: Path, capsys: Out
) -> None:
    path = tmp_path / "levels.json"
    file = parse(made.read_bytes())
    path.write_bytes(PuzzleFile(puzzles=tuple(replace(p, level=8) for p in file.puzzles)).dump())
    command = ["puzzles", GAME, "--levels", str(path), "--trials", "4", "-j", "1"]
    assert run(command) == 0
    measured = parse(path.read_bytes()).puzzles
    assert [puzzle.id for puzzle in measured] == [puzzle.id for puzzle in file.puzzles]
    assert all(puzzle.trials == 4 for puzzle in measured)
    assert f"Puzzles measured in {path}: 2" in capsys.readouterr().out
    # As many trials exist already.
    assert run(command) == 0
    assert f"Puzzles measured in {path}: 0" in capsys.readouterr().out
