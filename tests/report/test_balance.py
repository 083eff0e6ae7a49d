"""`tavola report --balance`: the handicap that makes the seats even."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import tavola
from tavola.cli.app import run
from tavola.report.balance import OPTION, next_handicap
from tavola.report.plan import option_values

pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib")

TILTED = str(Path(__file__).parent / "tilted.py")
Out = pytest.CaptureFixture[str]


def command(folder: Path, *more: str) -> list[str]:
    """The command of a small search in a folder."""
    few = ["--games", "60", "--openings", "0", "--level", "1", "--jobs", "1"]
    return ["report", TILTED, "--balance", *few, "--out", f"{folder}/b.html", *more]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished search."""
    folder = tmp_path_factory.mktemp("balance")
    assert run(command(folder)) == 0
    return folder


@pytest.mark.parametrize("even", range(11))
def test_bisection_encloses_the_even_handicap_in_few_steps(even: int) -> None:
    known = range(11)
    measured: dict[int, float] = {}
    while (handicap := next_handicap(known, measured, 0.5)) is not None:
        assert handicap not in measured
        measured[handicap] = 0.5 + 0.03 * (handicap - even)
    assert len(measured) <= 6
    assert min(measured, key=lambda one: abs(measured[one] - 0.5)) == even


def test_a_handicap_that_never_suffices_ends_at_the_largest() -> None:
    measured: dict[int, float] = {}
    while (handicap := next_handicap((0, 2, 5), measured, 0.5)) is not None:
        measured[handicap] = 0.1
    assert sorted(measured) == [0, 2, 5]


def test_the_steps_enclose_the_even_handicap(whole: Path) -> None:
    found = json.loads((whole / "b.json").read_text("utf-8"))
    shares = {one["handicap"]: one["seats"][0]["value"] for one in found["steps"]}
    assert list(shares) == sorted(shares)
    assert 0 in shares
    assert list(shares.values()) == sorted(shares.values())
    assert shares[0] < 0.5 <= max(shares.values())
    for one in found["steps"]:
        assert one["games"] == 60
        first, second = one["seats"]
        assert first["low"] < first["value"] < first["high"]
        assert first["value"] + second["value"] == pytest.approx(1)


def test_the_page_and_the_terminal_show_every_step(
    whole: Path, tmp_path: Path, capsys: Out
) -> None:
    shutil.copytree(whole / "b-records", tmp_path / "b-records")
    assert run(command(tmp_path, "--resume", "--lang", "ja")) == 0
    shown = capsys.readouterr().out
    page = (tmp_path / "b.html").read_text("utf-8")
    assert '<html lang="ja">' in page
    assert "⟨" not in page
    for one in json.loads((tmp_path / "b.json").read_text("utf-8"))["steps"]:
        assert f"Balance: {one['handicap']}" in shown
        assert f"Balance: {one['handicap']}" in page
    assert "--balance" in page


@pytest.mark.long
def test_an_interrupted_search_resumes_to_the_same_result(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "b-records", tmp_path / "b-records")
    steps = sorted((tmp_path / "b-records").iterdir())
    steps[-1].unlink()
    text = steps[0].read_text("utf-8")
    steps[0].write_text(text[: len(text) // 2], "utf-8")
    assert run(command(tmp_path)) == 2
    assert run(command(tmp_path, "--resume")) == 0
    for name in ("b.html", "b.json"):
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()


def test_wrong_commands_say_what_is_right(tmp_path: Path, capsys: Out) -> None:
    without = next(name for name in tavola.games() if OPTION not in option_values(name))
    assert run(["report", without, "--balance", "--out", f"{tmp_path}/b.html"]) == 2
    assert "balance" in capsys.readouterr().err
    for more in (("-o", "balance=1"), ("--against", "balance=1")):
        assert run(command(tmp_path, *more)) == 2
        assert "Leave out" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_its_game_is_no_game_of_later_tests(whole: Path) -> None:
    assert "tilted" not in tavola.games()
