"""`tavola report`: every game, interrupted reports, wrong commands."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import tavola
from tavola.cli.app import run
from tavola.report import Plan, round_length
from tavola.report.files import command
from tests.profiles import first_quick

pytest.importorskip("pyarrow")
pytest.importorskip("matplotlib")

Out = pytest.CaptureFixture[str]
SMALL = ["--level", "1", "--games", "4", "--jobs", "1", "--skill-games", "2", "--skill-levels", "2"]
FILES = ("r.html", "r.json", "r-games.parquet", "r-actions.parquet")


def quick_game() -> str:
    """The name of a game without chance, which is played in an instant."""
    return next(name for name in tavola.games() if not tavola.load(name).has_chance)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished report of two settings."""
    folder = tmp_path_factory.mktemp("whole")
    assert run(arguments(folder)) == 0
    return folder


def arguments(folder: Path) -> list[str]:
    """The command of a small report in a folder."""
    name = quick_game()
    return ["report", name, *SMALL, "--against", other_option(name), "--out", f"{folder}/r.html"]


def other_option(name: str) -> str:
    """An option of a game with another value than the default."""
    with pytest.raises(tavola.OptionError) as caught:
        tavola.load(name, no_such_option=1)
    option, values = next(iter(caught.value.valid.items()))
    return f"{option}={values[1]}"


@pytest.mark.parametrize("name", first_quick(sorted(tavola.games(), reverse=True)))
def test_a_small_report_of_every_game(name: str, tmp_path: Path, capsys: Out) -> None:
    import pyarrow.parquet as pq

    out = tmp_path / "new" / "r.html"
    small = ["--level", "1", "--games", "2", "--jobs", "1", "--skill-games", "0"]
    assert run(["report", name, *small, "--out", str(out), "--lang", "ja"]) == 0
    assert [Path(line).name for line in capsys.readouterr().out.split()] == list(FILES)
    (setting,) = json.loads(out.with_suffix(".json").read_text())["settings"]
    games = pq.read_table(out.with_name("r-games.parquet")).to_pylist()
    actions = pq.read_table(out.with_name("r-actions.parquet")).to_pylist()
    assert len(games) == setting["games"] >= 2
    assert len(actions) == sum(game["actions"] for game in games)
    records = tavola.read_records(tmp_path / "new" / "r-records" / "games.txt")
    for game, record in zip(
        games, sorted(records, key=lambda one: int(one.tag("Round") or 0)), strict=True
    ):
        *_, last = record.states()
        assert last.outcome is not None
        assert game["ending"] == last.outcome.reason
        assert sum(game["shares"]) == pytest.approx(1)
        assert game["turns"] <= last.turn
    values = [action["value"] for action in actions if not action["random"]]
    # A forced action needs no search.
    assert sum(value is not None for value in values) > 0.8 * len(values)
    assert all(sum(value) == pytest.approx(1, abs=1e-3) for value in values if value)
    if tavola.load(name).has_chance:
        lucky = [action["luck"] for action in actions if action["luck"]]
        assert any(map(any, lucky))
        assert all(sum(luck) == pytest.approx(0, abs=1e-3) for luck in lucky)
    page = out.read_text("utf-8")
    assert '<html lang="ja">' in page
    assert "⟨" not in page


@pytest.mark.long
def test_a_resumed_report_equals_an_uninterrupted_one(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "r-records", tmp_path / "r-records")
    records = sorted((tmp_path / "r-records").iterdir())
    assert len(records) == 4
    begins = re.compile(r"(?<=\n\n)(?=\[Game)")
    first = records[0].read_text()
    games = begins.split(first)
    # The games ended in another order, and the last one was not written completely.
    records[0].write_text(games[2] + games[1] + games[0][: len(games[0]) // 2])
    records[-1].unlink()
    assert run(arguments(tmp_path)) == 2
    assert run([*arguments(tmp_path), "--resume"]) == 0
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.long
def test_two_processes_and_another_seed(whole: Path, tmp_path: Path) -> None:
    assert run([*arguments(tmp_path), "--jobs", "2"]) == 0
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (whole / name).read_bytes()
    other = tmp_path / "other"
    assert run([*arguments(other), "--seed", "1"]) == 0
    assert (other / FILES[2]).read_bytes() != (whole / FILES[2]).read_bytes()


def test_the_summary_has_every_setting_and_step(whole: Path) -> None:
    found = json.loads((whole / "r.json").read_text())
    first, second = found["settings"]
    assert first["options"] != second["options"]
    assert [step["level"] for step in first["skill"]] == [2]
    assert found["plan"]["games"] == 4


def test_a_report_of_another_plan_is_not_resumed(whole: Path, capsys: Out) -> None:
    assert run([*arguments(whole), "--seed", "5", "--resume"]) == 2
    assert "Seed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--level", "9"], ["--level", "“9”", "from 1 to 8"]),
        (["--level", "1,x"], ["--level", "“x”"]),
        (["--level", "1,2,3"], ["3 engines", "2 seats"]),
        (["--games", "0"], ["--games", "“0”"]),
        (["--against", "nothing"], ["nothing"]),
        (["--against", "nothing=1"], ["nothing"]),
        (["--out", "/proc/x/r.html"], ["/proc/x"]),
        (["--skill-levels", "9"], ["--skill-levels"]),
    ],
)
def test_wrong_commands_are_told_what_is_right(
    capsys: Out, given: list[str], said: list[str]
) -> None:
    assert run(["report", quick_game(), *given]) == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told
    for words in said:
        assert words in told


def test_equal_settings_are_refused(capsys: Out, tmp_path: Path) -> None:
    name = quick_game()
    option, value = next(iter(tavola.load(name).options.items()))
    out = ["--out", str(tmp_path / "r.html")]
    assert run(["report", name, "--against", f"{option}={value}", *out]) == 2
    assert "same setting" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_missing_packages_are_named_with_the_command(
    capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("report", "export"):
        monkeypatch.setattr(f"tavola.cli.{module}.find_spec", lambda name: None)
    assert run(["report", quick_game()]) == 2
    assert run(["export", "games.txt"]) == 2
    assert capsys.readouterr().err.count("pip install 'tavola[report]'") == 2


def test_the_command_of_a_plan_names_what_is_not_usual() -> None:
    name = quick_game()
    usual = tavola.load(name).options
    option, value = other_option(name).split("=")
    other = tavola.load(name, **{option: value}).options
    plan = Plan(game=name, settings=(other, usual), levels=(2, 3), games=10, openings=0, seed=4)
    assert command(plan) == (
        f"tavola report {name} -o {option}={value} --level 2,3 --games 10 --openings 0 --seed 4"
        f" --against {option}={usual[option]}"
    )


@pytest.mark.parametrize("name", tavola.games())
def test_a_round_ends_when_the_first_seat_acts_again(name: str) -> None:
    game = tavola.load(name)
    assert game.seats <= round_length(game) <= 16


AGENTS = Path(__file__).parents[1] / "engines" / "python_agents.py"


@pytest.mark.long
def test_agents_play_the_games_of_a_report(tmp_path: Path) -> None:
    agent = f"python:{AGENTS}:Random"
    out = tmp_path / "page.html"
    few = ["--games", "4", "--skill-games", "0", "--jobs", "1", "--out", str(out)]
    assert run(["report", "proteus", "--engine", agent, *few]) == 0
    summary = json.loads(out.with_suffix(".json").read_text())
    assert summary["plan"]["engines"] == [agent]
    assert summary["settings"][0]["games"] == 4
    assert f"--engine {agent} --games 4" in out.read_text()


@pytest.mark.long
def test_an_agent_that_fails_stops_the_report(tmp_path: Path, capsys: Out) -> None:
    out = tmp_path / "page.html"
    few = ["--games", "2", "--skill-games", "0", "--jobs", "1", "--out", str(out)]
    for language, words in (("en", "raised KeyError"), ("ja", "例外が起きました")):
        command = ["report", "proteus", "--engine", f"python:{AGENTS}:Raises", *few]
        assert run([*command, "--lang", language]) == 1
        said = " ".join(capsys.readouterr().err.split())
        assert words in said
        assert "--resume" in said
        assert not out.exists()
    assert run(["report", "proteus", "--engine", "python:none.py:A", *few]) == 2
    assert "none.py" in capsys.readouterr().err
