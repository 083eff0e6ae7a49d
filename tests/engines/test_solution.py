"""The engine `perfect` and `tavola solve`: what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola
from tavola.cli import solve
from tavola.cli.app import run
from tavola.engines.solution import solution_file

PROTEUS = tavola.load("proteus")


def test_each_setting_of_a_game_has_a_file() -> None:
    kadon = tavola.load("proteus", rules="kadon")
    assert solution_file(PROTEUS) != solution_file(kadon)
    assert solution_file(kadon).name == (
        "proteus,faces=standard,rules=kadon,rules_version=2.solution"
    )


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "there is no solution"),
        (b"", "is not a solution"),
        (b"Proteus solved, 1\nfaces=standard rules=article rules_version=1\n", "for other opt"),
        (b"Proteus solved, 1\nfaces=standard rules=article rules_version=2\n12", "is damaged"),
    ],
)
def test_a_file_that_is_no_solution(content: bytes | None, fault: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(tavola.EngineError, match=fault) as raised:
        tavola.engine(f"perfect:file={file}", PROTEUS)
    assert str(file) in str(raised.value)


def test_a_game_that_nothing_solves(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for unsolvable in ("potlatch", tavola.load("proteus", balance=1)):
        with pytest.raises(tavola.EngineError, match="no method of Tavola solves this game"):
            tavola.engine("perfect", unsolvable)
    for game in (
        ["potlatch"],
        ["proteus", "-o", "rules=literal"],
        ["proteus", "-o", "balance=1"],
    ):
        command = ["solve", *game, "--out", str(tmp_path / "file")]
        assert run([*command, "--lang", "en"]) == 2
        assert "no method of Tavola solves this game" in capsys.readouterr().err
        assert run([*command, "--lang", "ja"]) == 2
        assert "Tavola にはありません" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(solve, "_memory", lambda: 8_000_000_000)
    assert run(["solve", "proteus", "--out", str(tmp_path / "file"), "--lang", "en"]) == 2
    assert "needs 24 GB of memory, and the machine has 8 GB" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
