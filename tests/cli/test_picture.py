"""`tavola picture`: what it writes, and its errors."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

import tavola
from tavola import raster
from tavola.cli.app import run

Out = pytest.CaptureFixture[str]


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of a short game, in the current folder, and English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    match = tavola.Match(tavola.load("potlatch")).play("Pnw").play("Pw").play("Pne")
    path = tmp_path / "game.record"
    path.write_text(match.record, "utf-8")
    return path


def test_a_record_is_drawn_at_its_end(record: Path, capsys: Out) -> None:
    assert run(["picture", "game.record"]) == 0
    assert capsys.readouterr().out == "game.svg\n"
    match = tavola.Match.from_record(record)
    assert Path("game.svg").read_text("utf-8") == match.replay().picture(3).svg()


def test_a_position_of_a_record_is_drawn_for_a_seat(record: Path) -> None:
    arguments = "--to 1 --seat 1 --width 400 --colours both --lang ja -o a.svg"
    assert run(["picture", "game.record", *arguments.split()]) == 0
    match = tavola.Match.from_record(record)
    picture = match.replay(seat=1, language="ja").picture(1, width=400)
    assert Path("a.svg").read_text("utf-8") == picture.svg("both")


def test_a_position_is_drawn(record: Path, capsys: Out) -> None:
    state = tavola.load("potlatch", actions=3).start().play("Pnw")
    given = ["picture", "potlatch", "--option", "actions=3", "--position", state.text]
    assert run(given) == 0
    assert Path("potlatch.svg").read_text("utf-8") == state.picture().svg()
    assert run([*given, "-o", "a.png", "--width", "300"]) == 0
    with Image.open("a.png") as image:
        assert image.width == 300


def test_standard_input_is_drawn(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(record.read_bytes())))
    assert run(["picture", "-"]) == 0
    assert Path("game.svg").exists()


def test_a_record_becomes_a_page_and_an_animation(record: Path, capsys: Out) -> None:
    assert run(["picture", "game.record", "-o", "a.html"]) == 0
    assert Path("a.html").read_text("utf-8") == tavola.Match.from_record(record).replay().html()
    arguments = "-o a.gif --from 1 --to 3 --width 240 --seconds 0.2"
    assert run(["picture", "game.record", *arguments.split()]) == 0
    with Image.open("a.gif") as image:
        assert (getattr(image, "n_frames", 1), image.width) == (3, 240)
        assert image.info["duration"] == 200
    assert capsys.readouterr().out == "a.html\na.gif\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nothing", "“nothing” is neither a file nor a game."),
        ("game.record -o x.jpg", "the name must end in .svg, .png, .gif, .html"),
        ("game.record -o nowhere/x.svg", "Cannot write nowhere/x.svg: no such file or folder."),
        ("game.record --seat 2", "the seats are 0 to 1"),
        ("game.record --to 4", "--to cannot be “4”: a whole number from 0 to 3."),
        ("game.record --from 3 --to 2 -o x.gif", "--from cannot be “3”"),
        ("game.record --colours both -o x.png", ".png has light, dark"),
        ("game.record --width 9", "a whole number from 240 to 4000"),
        ("game.record --width 500 -o x.html", "a page fits its window"),
        ("game.record --number 2", "game.record has no record 2; it has 1."),
        ("potlatch --position xx", "Not a position of this game"),
        ("potlatch --option actions=9", "9"),
        ("chess --position x", "There is no game “chess”."),
        ("illegal.record", "action 1: 'Pzz' is illegal"),
        ("broken.record", "line 3"),
    ],
)
def test_a_wrong_argument_is_named(record: Path, capsys: Out, arguments: str, message: str) -> None:
    text = record.read_text("utf-8")
    Path("illegal.record").write_text(text.replace("Pnw", "Pzz"), "utf-8")
    Path("broken.record").write_text('[Game "potlatch"]\n\n( 1. Pnw', "utf-8")
    before = sorted(Path().iterdir())
    assert run(["picture", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
    assert sorted(Path().iterdir()) == before


def test_the_record_is_not_overwritten(record: Path, capsys: Out) -> None:
    Path("game.svg").write_text(record.read_text("utf-8"), "utf-8")
    assert run(["picture", "game.svg"]) == 2
    assert "game.svg is the input file." in capsys.readouterr().err


def test_a_missing_package_is_named(
    record: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster, "find_spec", lambda name: None)
    assert run(["picture", "game.record", "-o", "a.png"]) == 1
    assert "pip install 'tavola[picture]'" in capsys.readouterr().err
    assert not Path("a.png").exists()
