"""`tavola train`: a run from its start to its page, and its errors."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib import util
from pathlib import Path

import msgspec
import pytest

from tavola.cli.app import run
from tavola.cli.locales import Translator
from tavola.cli.training_page import progress_page
from tavola.executors import WorkerProcessDied
from tavola.train.folder import RunFolder
from tavola.train.history import RoundReport, Score
from tavola.train.run import Training
from tests.train.plans import tiny

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The folder of a run that has begun."""
    folder = RunFolder(tmp_path / "run")
    with folder.claimed():
        Training(folder, tiny()).run_round()
    return folder.path


def report(number: int, **changes: object) -> RoundReport:
    plain = RoundReport(
        number=number,
        games=512,
        samples=9000,
        actions=20_000,
        checked=10,
        wrong=0,
        window=9000,
        first=0,
        steps=40 * number,
        policy=1.5 - number / 10,
        shares=0.7 - number / 100,
        seconds=60.0,
    )
    return msgspec.structs.replace(plain, **changes)


def test_a_run_continues_with_its_settings(
    begun: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_round = Training.run_round

    def once(training: Training) -> RoundReport:
        if len(training.history) > 1:
            raise KeyboardInterrupt
        return run_round(training)

    monkeypatch.setattr(Training, "run_round", once)
    assert run(["train", "potlatch", "--out", str(begun), "-j", "1"]) == 130
    said = capsys.readouterr().err
    assert f"Progress: {begun}/index.html" in said
    assert "Round 1: 12 games, loss " in said
    assert len(json.loads((begun / "history.json").read_text())) == 2
    assert "potlatch" not in (begun / "index.html").read_text()
    assert "Potlatch Klone: training of a network" in (begun / "index.html").read_text()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")
def test_a_round_ends_with_the_time(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Training, "run_round", lambda _: time.sleep(60))
    began = time.monotonic()
    assert run(["train", "potlatch", "--out", str(begun), "--hours", "0.0001"]) == 0
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("given", "features", "looks"),
    [
        ([], True, False),
        (["--reads", "observation"], False, False),
        (["--reads", "looks", "--teacher-nodes", "7", "--c-puct", "0.6"], True, True),
    ],
)
def test_a_new_run_reads_the_evaluation(
    given: list[str], features: bool, looks: bool, tmp_path: Path
) -> None:
    out = ["--out", str(tmp_path), "--hours", "0"]
    assert run(["train", "potlatch", *given, *out]) == 0
    plan = RunFolder(tmp_path).plan()
    assert plan is not None
    assert plan.features == (plan.load().weights if features else {})
    assert plan.looks is looks
    assert (plan.teacher_nodes, plan.c_puct) == ((7, 0.6) if looks else (1600, 1.25))


def test_ctrl_c_keeps_the_finished_rounds(
    begun: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "run_round", interrupted)
    assert run(["train", "potlatch", "--out", str(begun)]) == 130
    assert "run the same command again to continue" in capsys.readouterr().err
    assert len(json.loads((begun / "history.json").read_text())) == 1


def offspring(process: int) -> list[Path]:
    """The folders of the processes that a process has started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [Path("/proc") / child for child in children]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems list no processes")
@pytest.mark.parametrize(
    "blow", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.long)]
)
def test_a_run_in_two_processes_ends_at_once_and_continues(
    blow: signal.Signals, begun: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "tavola", "train", "potlatch", "--out", str(begun), "-j", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith(b"Round 1:"):
                break
        time.sleep(0.5)
        workers = offspring(process.pid)
        if blow is signal.SIGINT:
            os.killpg(process.pid, blow)  # as a terminal does
        else:
            process.send_signal(blow)
        said = process.stderr.read()
    assert process.returncode == (130 if blow is signal.SIGINT else -blow)
    # A worker that was only just starting says that it cannot read its task.
    assert said.count(b"Traceback") == said.count(b"EOFError: Ran out of input")
    assert (blow is signal.SIGINT) == (b"run the same command again to continue" in said)
    deadline = time.monotonic() + 60
    while any(folder.exists() for folder in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    rounds = len(RunFolder(begun).history()) + 1
    whole = RunFolder(tmp_path / "whole")
    for folder in (RunFolder(begun), whole):
        with folder.claimed():
            training = Training(folder, tiny())
            while len(training.history) < rounds:
                training.run_round()
    found, expected = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.n*")}
        for folder in (begun, whole.path)
    )
    assert found == expected


def test_processes_that_die_leave_the_finished_rounds(
    begun: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    def died(*_: object) -> None:
        raise WorkerProcessDied(33, -9)

    monkeypatch.setattr(Training, "run_round", died)
    assert run(["train", "potlatch", "--out", str(begun)]) == 1
    said = capsys.readouterr().err
    assert "3 processes exited during game 33, the last one with status -9. All finished " in said


@pytest.mark.long
def test_a_full_disk_is_named(begun: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tavola.train.run.atomic_write", full)
    assert run(["train", "potlatch", "--out", str(begun), "--hours", "1"]) == 1
    said = capsys.readouterr().err
    assert "No space left on device. All finished rounds are saved" in said


def test_calibration(begun: Path, capsys: Out) -> None:
    assert run(["train", "potlatch", "--out", str(begun), "--calibrate", "4"]) == 0
    head, *rows = capsys.readouterr().out.strip().splitlines()
    assert head.split() == ["predicted", "actual", "95", "%", "interval", "games"]
    assert rows


def no_network(folder: Path) -> None:
    (folder / "best.net").unlink()


def damaged_network(folder: Path) -> None:
    (folder / "best.net").write_bytes(b"TAV")


def damaged_history(folder: Path) -> None:
    (folder / "history.json").write_bytes(b"[{")


def nothing(folder: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("damage", "arguments", "said"),
    [
        (nothing, ["potlatch", "--nodes", "9"], "the run has nodes 8, not 9"),
        (nothing, ["potlatch", "-o", "actions=3"], "the run has options "),
        (nothing, ["potlatch", "--reads", "looks"], "the run has features {}"),
        (nothing, ["potlatch", "--reads", "all"], "--reads cannot be all. Known: observation, "),
        (nothing, ["proteus"], "the run has game potlatch, not proteus"),
        (nothing, ["potlatch", "--hours", "-1"], "a number of hours from 0 to 10000"),
        (nothing, ["potlatch", "--nodes", "1"], "--nodes"),
        (nothing, ["potlatch", "-j", "0"], "--jobs"),
        (nothing, ["potlatch", "--cluster", "there"], "HOST:PORT or ray://HOST:PORT"),
        (nothing, ["potlatch", "--c-puct", "x"], "--c-puct cannot be “x”: a number from 0 to 100"),
        (nothing, ["chess"], "chess"),
        (no_network, ["potlatch", "--calibrate", "2"], "has no network yet"),
        (damaged_network, ["potlatch", "--calibrate", "2"], "Cannot read"),
        (damaged_history, ["potlatch"], "history.json: the file is damaged"),
    ],
)
def test_errors(
    damage: Callable[[Path], None], arguments: list[str], said: str, begun: Path, capsys: Out
) -> None:
    damage(begun)
    given = ["train", *arguments, "--out", str(begun)]
    assert run(given if "--hours" in given else [*given, "--hours", "0"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["proteus"], "Cannot learn from the solution: there is no solution {file}; tavola solve "),
        (["potlatch"], "no method of Tavola solves this game with these options"),
        (["proteus", "--lang", "ja"], "解から学習できません（解のファイル {file} がありません"),
    ],
)
def test_a_solution_that_cannot_be_used(
    arguments: list[str], said: str, tmp_path: Path, capsys: Out
) -> None:
    file, out = tmp_path / "file", tmp_path / "run"
    given = ["--solution", str(file), "--out", str(out), "--hours", "0"]
    assert run(["train", *arguments, *given]) == 2
    assert said.format(file=file) in capsys.readouterr().err.replace("\n", " ")
    assert not out.exists()


def test_a_run_with_a_solution_continues_with_it(
    tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavola.cli.train.solution_file", lambda game: tmp_path / game.name)
    plan = tiny(game="proteus", options={}, solution=True)
    (tmp_path / "plan.json").write_bytes(msgspec.json.encode(plan))
    given = ["train", "proteus", "--out", str(tmp_path), "--hours", "0"]
    assert run(given) == 2
    assert f"there is no solution {tmp_path}/proteus" in capsys.readouterr().err
    assert run([*given, "--solution", str(tmp_path / "other")]) == 2
    assert f"there is no solution {tmp_path}/other" in capsys.readouterr().err


def test_the_missing_package_is_named(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.cli.train.find_spec", lambda name: None)
    assert util.find_spec("jax") is not None
    assert run(["train", "potlatch"]) == 2
    assert "pip install 'tavola[train]'" in capsys.readouterr().err


def test_the_page_shows_losses_games_and_elo() -> None:
    score = Score(games=64, mean=0.6, low=0.5, high=0.7)
    history = [
        report(0, passed=True, anchor=Score(games=64, mean=0.0, low=0.0, high=0.1)),
        report(1),
        report(2, gate=score, passed=True, anchor=score),
        report(3, gate=score),
    ]
    page = progress_page(tiny(), history, Translator("en"), "<Game>")
    head, body = page.index("<body>"), page.index("</body>")
    root = ET.fromstring(page[head:body] + "</body>")
    plots = root.findall(".//svg")
    assert len(plots) == 4
    assert all(plot.findall(".//path") for plot in plots)
    rows = ["".join(row.itertext()) for row in root.findall(".//tr")]
    assert rows[1].endswith("not better")
    assert rows[2].startswith("20.600 [0.500, 0.700], 64")
    assert "&lt;Game&gt;: training of a network" in page
    assert "4 rounds, 2,048 games, 36,000 samples, 0.07 hours" in page


def test_the_page_of_a_run_without_rounds() -> None:
    page = progress_page(tiny(), [], Translator("ja"), "ゲーム")
    assert page.count("まだデータがありません") == 4
    assert "<svg" not in page
