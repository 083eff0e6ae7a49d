"""`tavola analyse`: its output, its files, and its errors."""

from __future__ import annotations

import io
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.analysis import GameAnalysis, analyse, read_analysis
from tavola.cli.app import run

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]
FEW = ["--nodes", "60", "--threads", "1"]


@pytest.fixture
def match() -> tavola.Match:
    """A few actions, with chance among them."""
    match = tavola.Match(tavola.load("passtally"), seed=2)
    for _ in range(6):
        match.play(match.state.legal_actions[0])
    return match


@pytest.fixture
def file(tmp_path: Path, match: tavola.Match) -> Path:
    """The match as a file."""
    path = tmp_path / "game.txt"
    path.write_text(match.record, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_tables(capsys: Out, file: Path, match: tavola.Match, language: str) -> None:
    assert run(["analyse", str(file), *FEW, "--lang", language]) == 0
    told = capsys.readouterr().out
    for token in match.actions:
        assert token in told
    assert ("Breakdown of win chances" in told) is (language == "en")
    assert bool(re.search("[ぁ-ん]", told)) is (language == "ja")
    assert not re.search(r"\{\w+\}", told)


def test_the_files(capsys: Out, tmp_path: Path, file: Path, match: tavola.Match) -> None:
    study, commented = tmp_path / "study.json", tmp_path / "commented.txt"
    wanted = ["analyse", str(file), *FEW, "--json", str(study), "--record", str(commented)]
    assert run(wanted) == 0
    capsys.readouterr()
    found = read_analysis(study)
    assert tuple(action.token for action in found.actions) == match.actions
    (record,) = tavola.read_records(commented)
    assert record.actions == match.actions
    assert all(step.comments for step in record.line)


def test_of_an_unfinished_game_it_tells_how_best_to_go_on(capsys: Out, tmp_path: Path) -> None:
    match = tavola.Match(tavola.load("potlatch"))
    for token in ["Pnw", "Pw", "Pne", "Pe", "Pse", "Pse"]:
        match.play(token)
    path = tmp_path / "game.txt"
    path.write_text(match.record, encoding="utf-8")
    for language, said in (("en", "next, "), ("ja", "次の")):
        assert run(["analyse", str(path), *FEW, "--lang", language]) == 0
        (line,) = [line for line in capsys.readouterr().out.splitlines() if said in line]
        assert "Pw" in line.replace("：", " ").split()


def test_json_alone_on_standard_output(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, match: tavola.Match
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(match.record.encode())))
    assert run(["analyse", "-", *FEW, "--json", "-"]) == 0
    assert read_analysis(capsys.readouterr().out).complete


def test_one_of_several_records(capsys: Out, tmp_path: Path, match: tavola.Match) -> None:
    path = tmp_path / "games.txt"
    other = tavola.Match(tavola.load("potlatch")).play("Pnw")
    path.write_text(f"{match.record}\n{other.record}", encoding="utf-8")
    assert run(["analyse", str(path), *FEW, "--number", "2", "--json", "-"]) == 0
    assert read_analysis(capsys.readouterr().out).game == "potlatch"
    assert run(["analyse", str(path), "--number", "3"]) == 2
    assert "no record 3; it has 2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no record 1; it has 0"),
        ("nonsense", "a record must begin with tags"),
        ("[Game", "line 1"),
        ('[Event "x"]\n', "no tag Game"),
        ('[Game "chess"]\n', "unknown game 'chess'"),
        ('[Game "potlatch"]\n[Options "actions=9"]\n', "actions"),
        ('[Game "potlatch"]\n[Rules "99"]\n', "version 99 of the rules"),
        ('[Game "potlatch"]\n[Position "nowhere"]\n', "nowhere"),
        ('[Game "potlatch"]\n1. Pnw Pe9\n', "line 2, column 8, action 2: 'Pe9' is illegal"),
    ],
)
def test_what_cannot_be_analysed(capsys: Out, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert run(["analyse", str(path)]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
    assert run(["analyse", str(path), "--lang", "ja"]) == 2
    assert re.search("[ぁ-ん]", capsys.readouterr().err)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="reads what has no end")
@pytest.mark.parametrize("command", ["analyse", "verify"])
def test_what_has_no_end_is_not_read(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, file: Path, command: str
) -> None:
    for language, said in (("en", "more than 64,000,000 characters"), ("ja", "超えています")):
        assert run([command, "/dev/zero", "--lang", language]) == 2
        assert said in capsys.readouterr().err
    # The same of a file and of standard input.
    monkeypatch.setattr("tavola.cli.records.LARGEST", 100)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    for path in (str(file), "-"):
        assert run([command, path]) == 2
        said = capsys.readouterr().err.replace("\n", " ")
        assert f"Cannot read {path}: the text has more than 100 characters" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--seconds", "0"], "--seconds"),
        (["--seconds", "x"], "--seconds"),
        (["--nodes", "0"], "--nodes"),
        (["--threads", "0"], "--threads"),
        (["--seed", "-1"], "--seed"),
        (["--number", "0"], "--number"),
        ([*FEW, "--json", "/proc/nowhere/x"], "Cannot write /proc/nowhere/x"),
        ([*FEW, "--record", "/proc/nowhere/x"], "Cannot write /proc/nowhere/x"),
    ],
)
def test_bad_parameters(capsys: Out, file: Path, arguments: list[str], said: str) -> None:
    assert run(["analyse", str(file), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_no_such_file(capsys: Out, tmp_path: Path) -> None:
    assert run(["analyse", str(tmp_path / "none.txt")]) == 2
    assert "Cannot read" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_study_is_kept_and_gone_on_with(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: Path, name: str
) -> None:
    def interrupted(*given: Any, **more: Any) -> Iterator[GameAnalysis]:
        for study in analyse(*given, **more):
            yield study
            if len(study.actions) == 3:
                signal.raise_signal(getattr(signal, name))

    json = tmp_path / "study.json"
    command = ["analyse", str(file), *FEW, "--json", str(json)]
    with monkeypatch.context() as patch:
        patch.setattr("tavola.cli.analyse.analyse", interrupted)
        assert run(command) == 130
    told = capsys.readouterr()
    assert "Interrupted after 3 actions" in told.err
    assert "Breakdown of win chances" in told.out
    begun = read_analysis(json)
    assert len(begun.actions) == 3
    assert run([*command, "--seed", "1"]) == 2
    assert "made with other limits" in capsys.readouterr().err
    assert read_analysis(json) == begun
    assert run(command) == 0
    assert "Resuming after 3 actions" in capsys.readouterr().err
    whole = read_analysis(json)
    assert whole.complete
    assert whole.actions[:3] == begun.actions


def test_interrupted_at_once_there_is_no_result(
    capsys: Out, monkeypatch: pytest.MonkeyPatch, file: Path
) -> None:
    def interrupted(*given: Any, **more: Any) -> Iterator[GameAnalysis]:
        raise KeyboardInterrupt

    monkeypatch.setattr("tavola.cli.analyse.analyse", interrupted)
    for language, said in (("en", "no result yet"), ("ja", "結果はまだありません")):
        assert run(["analyse", str(file), "--lang", language]) == 130
        told = capsys.readouterr()
        assert said in told.err
        assert told.out == ""


@pytest.mark.parametrize("option", ["--json", "--record"])
def test_the_record_is_not_overwritten(file: Path, capsys: Out, option: str) -> None:
    before = file.read_text()
    assert run(["analyse", str(file), *FEW, option, str(file)]) == 2
    assert "is the input file" in capsys.readouterr().err
    assert file.read_text() == before


def test_another_file_is_not_overwritten_by_a_study(
    file: Path, tmp_path: Path, capsys: Out
) -> None:
    other = tmp_path / "other.txt"
    other.write_text("mine")
    assert run(["analyse", str(file), *FEW, "--json", str(other)]) == 2
    assert "is not an analysis" in capsys.readouterr().err
    assert other.read_text() == "mine"


def test_what_cannot_be_written_takes_nothing_else_with_it(
    capsys: Out, tmp_path: Path, file: Path
) -> None:
    full, commented = Path("/dev/full"), tmp_path / "commented.txt"
    if not full.exists():
        pytest.skip("there is no device that is always full")
    assert run(["analyse", str(file), *FEW, "--json", str(full), "--record", str(commented)]) == 2
    told = capsys.readouterr()
    assert "the disk is full" in told.err
    assert "Breakdown of win chances" in told.out
    assert "%" in commented.read_text(encoding="utf-8")


def test_without_room_for_a_study_the_one_before_is_kept(
    capsys: Out, tmp_path: Path, file: Path
) -> None:
    resource = pytest.importorskip("resource")  # Files have no limit on Windows.
    json = tmp_path / "study.json"
    (record,) = tavola.read_records(file)
    begun = next(analyse(record, nodes=60, threads=1)).json
    json.write_text(begun)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(begun) + 1, limits[1]))
    try:
        assert run(["analyse", str(file), *FEW, "--json", str(json)]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    told = capsys.readouterr()
    assert f"Cannot write {json}" in told.err
    assert "Breakdown of win chances" in told.out
    assert json.read_text() == begun


def test_study_and_record_go_to_two_places(capsys: Out, tmp_path: Path, file: Path) -> None:
    for name in ("-", str(tmp_path / "one")):
        assert run(["analyse", str(file), *FEW, "--json", name, "--record", name]) == 2
        assert "Choose two files" in capsys.readouterr().err
    assert not (tmp_path / "one").exists()
    assert run(["analyse", str(file), *FEW, "--record", "-"]) == 0
    (record,) = tavola.read_records(capsys.readouterr().out)
    assert any("%" in comment for step in record.line for comment in step.comments)


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("net", "there is no network for passtally"),
        ("net:file=nowhere.net", "there is no file 'nowhere.net'"),
        ("net:nodes=3", 'net has no setting "nodes"; settings: file'),
        ("classic:nodes=3", "classic has no settings"),
        ("tree", 'unknown engine "tree"; engines: classic, net'),
    ],
)
def test_an_unknown_engine(capsys: Out, file: Path, engine: str, said: str) -> None:
    assert run(["analyse", str(file), *FEW, "--engine", engine]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("engine", "has_network"),
    [((), True), (("--engine", "net"), True), (("--engine", "classic"), False)],
)
def test_the_network_of_the_game(
    capsys: Out, tmp_path: Path, engine: tuple[str, ...], has_network: bool
) -> None:
    path, study = tmp_path / "game.txt", tmp_path / "study.json"
    path.write_text(tavola.Match(tavola.load("potlatch")).play("Pnw").record, encoding="utf-8")
    assert run(["analyse", str(path), *FEW, *engine, "--json", str(study)]) == 0
    assert (read_analysis(study).network is not None) == has_network
    assert "Breakdown of win chances" in capsys.readouterr().out
