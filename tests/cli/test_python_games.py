"""The commands with a game in a Python file."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import tavola
from tavola.cli.app import run

pytestmark = pytest.mark.usefixtures("terminal")

EXAMPLE = str(Path(__file__).parents[2] / "docs/examples/einstein.py")
Out = pytest.CaptureFixture[str]


def test_check_reports_breaches_and_fails(tmp_path: Path, capsys: Out) -> None:
    assert run(["check", EXAMPLE, "--games", "4"]) == 0
    assert "einstein: no breach in 4 random games" in capsys.readouterr().out
    file = tmp_path / "unsorted.py"
    text = Path(EXAMPLE).read_text("utf-8").replace('"einstein"', '"unsorted"')
    file.write_text(text.replace("return [step for", "return [step for step in () for"), "utf-8")
    assert run(["check", str(file), "--games", "1"]) == 1
    out = capsys.readouterr().out
    assert "legal_actions: must not be empty before the end of the game" in out
    assert "unsorted: the contract is broken. Breaches: 1, random games: 1" in out


def test_a_file_stands_for_its_game(capsys: Out) -> None:
    assert run(["perft", EXAMPLE, "3"]) == 0
    assert capsys.readouterr().out == "108\n"
    assert run(["rules", EXAMPLE]) == 0
    assert "opposite corner" in capsys.readouterr().out
    assert run(["--game", EXAMPLE, "games"]) == 0
    assert "einstein" in capsys.readouterr().out


def test_a_game_is_played_in_the_terminal(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    assert run(["play", EXAMPLE, "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "[  R1   ]" in out
    assert "Red: b5 to c5" in out


@pytest.mark.long
def test_engines_play_a_match_in_processes(tmp_path: Path, capsys: Out) -> None:
    records = tmp_path / "games.txt"
    command = ["match", "level:1", "tree:nodes=40", "--game", EXAMPLE, "--games", "4"]
    assert run([*command, "--jobs", "2", "--records", str(records)]) == 0
    played = tavola.read_records(records)
    assert len(played) == 4
    assert all(list(record.states())[-1].returns for record in played)


def test_rules_that_fail_are_reported_with_their_traceback(tmp_path: Path, capsys: Out) -> None:
    file = tmp_path / "failing.py"
    text = Path(EXAMPLE).read_text("utf-8").replace('"einstein"', '"failing"')
    file.write_text(text.replace("stones = list(self.stones)", "stones = list(1)"), "utf-8")
    assert run(["perft", str(file), "4"]) == 1
    error = capsys.readouterr().err
    assert "failing.py" in error
    assert "failing: `play(" in error
    assert "raised TypeError: 'int' object is not iterable (failing.py, line" in error
    assert run(["perft", "nowhere.py", "4"]) == 1
    assert "nowhere.py: cannot be read: No such file" in capsys.readouterr().err
