"""`tavola verify`: fair records, unfair ones, and texts that are not records."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tavola
from tavola.cli.app import run
from tests.fairness_records import OF_CHANCE, fair_record

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]
RECORD = fair_record(OF_CHANCE[-1], 4)
SEED, COMMITMENT = RECORD.tag("Seed") or "", RECORD.tag("Commitment") or ""
OTHER = "0" * 64


def written(folder: Path, text: str) -> str:
    path = folder / "game.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_fair_record(capsys: Out, tmp_path: Path, language: str) -> None:
    file = written(tmp_path, RECORD.text)
    assert run(["verify", file, "--lang", language]) == 0
    told = capsys.readouterr().out
    assert SEED in told
    assert COMMITMENT in told
    assert ("Fair: " in told) is (language == "en")
    assert bool(re.search("[ぁ-ん]", told)) is (language == "ja")
    assert not re.search(r"\{\w+\}", told)
    assert "--commitment" in told
    assert run(["verify", file, "--commitment", COMMITMENT.upper(), "--lang", language]) == 0
    assert "--commitment" not in capsys.readouterr().out


def test_what_was_not_checked_is_told(capsys: Out, tmp_path: Path) -> None:
    whole = written(tmp_path, RECORD.text)
    assert run(["verify", whole]) == 0
    told = capsys.readouterr().out
    assert "the others were not checked" not in told
    assert "ends before the end of the game" not in told
    cut = tavola.Record(tags=RECORD.tags, line=RECORD.line[: len(RECORD.line) // 2])
    file = written(tmp_path, cut.text + RECORD.text)
    assert run(["verify", file]) == 0
    told = capsys.readouterr().out
    assert "This is record 1 of 2 in the file. The others were not checked" in told
    assert "ends before the end of the game" in told
    assert run(["verify", file, "--number", "2"]) == 0
    told = capsys.readouterr().out
    assert "record 2 of 2" in told
    assert "ends before the end of the game" not in told


def test_the_wrong_draws_are_named(capsys: Out, tmp_path: Path) -> None:
    draw = tavola.verify(RECORD).draws[5]
    states = list(RECORD.states())
    token = next(token for token, _ in states[draw.place].chance_outcomes if token != draw.token)
    line = list(RECORD.line)
    line[draw.place] = tavola.Step(token=token)
    changed = tavola.Record(tags=RECORD.tags, line=tuple(line))
    assert run(["verify", written(tmp_path, changed.text)]) == 1
    told = capsys.readouterr().out
    rows = [row.split() for row in told.splitlines()]
    assert ["6", str(draw.place + 1), token, draw.token] in rows
    assert "Not fair: draws that do not match the seed" in told


@pytest.mark.parametrize(
    ("pattern", "put", "flags", "said"),
    [
        (r'\[Seed ".*"\]\n', "", [], "not been revealed yet"),
        (r'\[Commitment ".*"\]\n', "", [], "Nothing to check"),
        (SEED, OTHER, [], "the seed does not match the commitment"),
        ("x^", "", ["--commitment", OTHER], "differs from the one you gave"),
    ],
)
def test_what_is_not_fair(
    capsys: Out, tmp_path: Path, pattern: str, put: str, flags: list[str], said: str
) -> None:
    file = written(tmp_path, re.sub(pattern, put, RECORD.text))
    assert run(["verify", file, *flags]) == 1
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        (RECORD.text, ["--commitment", "abc"], "64 hexadecimal digits"),
        (RECORD.text, ["--number", "2"], "has no record 2"),
        (RECORD.text, ["--number", "0"], "1 or more"),
        (
            RECORD.text.replace('[Contributions "', '[Contributions "x'),
            [],
            "line 6: in the tag Contributions",
        ),
        ("[Game", [], "Cannot replay"),
    ],
)
def test_what_cannot_be_checked(
    capsys: Out, tmp_path: Path, text: str, flags: list[str], said: str
) -> None:
    assert run(["verify", written(tmp_path, text), *flags]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err


def test_a_file_that_is_not_there(capsys: Out, tmp_path: Path) -> None:
    assert run(["verify", str(tmp_path / "none.txt")]) == 2
    assert "Cannot read" in capsys.readouterr().err
