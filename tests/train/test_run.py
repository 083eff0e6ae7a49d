from __future__ import annotations

import errno
from pathlib import Path

import msgspec
import numpy as np
import pytest

import tavola.train.run
from tavola.atomic_write import atomic_write
from tavola.executors import Executor, ProcessExecutor
from tavola.train.folder import RunFolder, RunFolderError
from tavola.train.history import RoundReport
from tavola.train.plan import Plan
from tavola.train.run import Training
from tavola.train.samples import LATER
from tests.train.plans import READING, tiny

ROUNDS = 4


def train(
    folder: RunFolder, rounds: int, plan: Plan | None = None, executor: Executor | None = None
) -> list[RoundReport]:
    with folder.claimed():
        training = Training(folder, plan or READING, executor=executor)
        while len(training.history) < rounds:
            training.run_round()
        return training.history


def results(folder: RunFolder) -> dict[str, bytes]:
    """The content of all files that do not contain times."""
    paths = sorted(path for path in folder.path.rglob("*.n*") if path.is_file())
    return {str(path.relative_to(folder.path)): path.read_bytes() for path in paths}


def plain(history: list[RoundReport]) -> list[RoundReport]:
    return [msgspec.structs.replace(report, seconds=0.0) for report in history]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = RunFolder(tmp_path_factory.mktemp("whole"))
    train(folder, ROUNDS)
    return folder


def test_a_run_writes_its_files(whole: RunFolder) -> None:
    history = whole.history()
    assert [report.number for report in history] == list(range(ROUNDS))
    assert history[0].passed
    assert history[0].anchor is not None
    assert history[2].gate is not None
    names = set(results(whole))
    assert {"best.net", "networks/00000.net", "learning/00003.npz"} <= names
    assert {f"samples/0000{number}.npz" for number in range(ROUNDS)} <= names
    network = tavola.Network(whole.best.read_bytes())
    assert network.game == tiny().load()
    assert (network.features, network.looks) == (READING.features, True)
    assert "tavola train potlatch" in network.about


@pytest.mark.long
def test_a_run_in_two_processes_has_the_same_results(whole: RunFolder, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    train(folder, 2)
    train(folder, ROUNDS, executor=ProcessExecutor(2))
    assert results(folder) == results(whole)
    assert plain(folder.history()) == plain(whole.history())


class CutOff(Exception):
    pass


@pytest.mark.long
@pytest.mark.parametrize("write", range(1, 16))
def test_a_run_that_is_cut_off_at_any_write_continues_with_the_same_results(
    write: int, whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = write

    def cut(path: Path, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            # A killed process may leave this behind.
            path.with_name(f".{path.name}.12345678").write_bytes(content[: len(content) // 2])
            raise CutOff
        atomic_write(path, content)

    folder = RunFolder(tmp_path)
    for module in ("run", "folder"):
        monkeypatch.setattr(f"tavola.train.{module}.atomic_write", cut)
    with pytest.raises(CutOff):
        train(folder, ROUNDS)
    monkeypatch.undo()
    train(folder, ROUNDS)
    assert results(folder) == results(whole)
    assert plain(folder.history()) == plain(whole.history())


@pytest.mark.long
def test_a_full_disk_loses_nothing(
    whole: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path)
    train(folder, 2)
    before = results(folder)

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("tavola.train.run.atomic_write", full)
    with pytest.raises(OSError, match="No space left"):
        train(folder, ROUNDS)
    monkeypatch.undo()
    assert results(folder) == before
    train(folder, ROUNDS)
    assert results(folder) == results(whole)


@pytest.mark.long
def test_old_samples_leave_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tavola.train.run, "FEWEST_SAMPLES", 10)
    folder = RunFolder(tmp_path)
    history = train(folder, 5, tiny(window=150))
    assert history[-1].first > 0
    assert history[-1].window < sum(report.samples for report in history)
    kept = {int(path.stem) for path in (tmp_path / "samples").iterdir()}
    assert kept == set(range(history[-1].first, 5))


def test_another_plan_is_refused(whole: RunFolder) -> None:
    with pytest.raises(RunFolderError, match="the run has nodes 8, not 9; choose another folder"):
        train(whole, ROUNDS, msgspec.structs.replace(READING, nodes=9))


def test_a_run_from_before_features_continues(tmp_path: Path) -> None:
    folder, again = RunFolder(tmp_path / "one"), RunFolder(tmp_path / "two")
    train(folder, 2, tiny())
    train(again, 1, tiny())
    path = again.samples(0)
    with np.load(path) as arrays:
        older = {name: arrays[name] for name in arrays.files if name not in LATER}
    np.savez_compressed(path, **older)
    plan = msgspec.json.decode((again.path / "plan.json").read_bytes())
    kept = {name: value for name, value in plan.items() if name not in LATER}
    (again.path / "plan.json").write_bytes(msgspec.json.encode(kept))
    train(again, 2, tiny())
    assert again.learning(1).read_bytes() == folder.learning(1).read_bytes()


def test_an_evaluation_with_other_features_is_named(tmp_path: Path) -> None:
    plan = tiny(features={"age": 1.0})
    with pytest.raises(RunFolderError, match="the game's evaluation has other features now"):
        train(RunFolder(tmp_path), 1, plan)


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with (
        folder.claimed(),
        pytest.raises(RunFolderError, match="another `tavola` command"),
        RunFolder(tmp_path).claimed(),
    ):
        pass


@pytest.mark.parametrize(
    "name",
    ["plan.json", "history.json", "samples/00000.npz", "learning/00000.npz", "networks/00000.net"],
)
def test_a_damaged_file_is_named(name: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    train(folder, 1)
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(RunFolderError, match=f"{path.name}: the file is damaged"):
        train(folder, 2)
