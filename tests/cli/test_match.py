"""`tavola match`: matches to their end, interrupted ones, and resumed ones."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavola
from tavola.cli.app import run
from tavola.tournament import ResultsFile

pytestmark = pytest.mark.usefixtures("terminal")

Out = pytest.CaptureFixture[str]
ROGUE = Path(__file__).parents[1] / "engines/misbehaving_engine.py"
FAST = ["tree:nodes=60", "random", "--game", "potlatch"]


def test_a_contest(capsys: Out, tmp_path: Path) -> None:
    records, summary = tmp_path / "new" / "games.txt", tmp_path / "standing.json"
    command = ["match", *FAST, "-n", "19", "-p", "2", "-o", "actions=3"]
    assert run([*command, "--records", str(records), "--json", str(summary)]) == 0
    said = capsys.readouterr().out
    games = tavola.read_records(records)
    assert sorted(int(record.tag("Round") or 0) for record in games) == list(range(1, 21))
    for record in games:
        assert record.game.options["actions"] == 3
        *_, last = record.states()
        assert last.outcome is not None
    told = json.loads(summary.read_text())
    first, second = told["engines"]
    assert told["games"] == first["games"] == second["games"] == 20
    assert first["wins"] == second["losses"] > 15
    assert sum(first["groups"].values()) == 10
    assert first["elo_interval"][0] > 100
    rows = [line for line in said.splitlines() if line.startswith(("tree", "random"))]
    assert rows[0].split()[1:4] == [str(first[name]) for name in ("wins", "draws", "losses")]
    assert "20 games in groups of 2" in said
    seat, lengths = told["first_seat"], told["lengths"]
    assert f"First seat: {100 * seat['value']:.1f} % [" in said
    assert f"{lengths['shortest']} to {lengths['longest']}" in said


def test_an_engine_that_is_no_stronger_is_not_minus_nothing_stronger(capsys: Out) -> None:
    engines = ["random", "random", "random"]
    assert run(["match", *engines, "-g", "montana", "-o", "players=3", "-n", "6"]) == 0
    rows = [row.split() for row in capsys.readouterr().out.splitlines()[1:4]]
    assert [row[6] for row in rows if row[4] == "33.3"] == ["+0"]


def test_a_test_ends_the_contest_when_it_is_decided(capsys: Out, tmp_path: Path) -> None:
    summary = tmp_path / "standing.json"
    command = ["match", *FAST, "--games", "400", "--sprt", "0,100", "--json", str(summary)]
    assert run(command) == 0
    told = json.loads(summary.read_text())
    assert told["sprt"]["accepted"] is True
    assert told["sprt"]["llr"] > told["sprt"]["bounds"][1]
    assert 10 < told["games"] < 100
    line = r"SPRT of Elo 0 against 100: LLR \d.\d\d \(-2.94, 2.94\), accepted"
    assert re.search(line, capsys.readouterr().out)


@pytest.mark.long
def test_four_seats_have_rows_of_their_own(capsys: Out) -> None:
    engines = ["tree:nodes=10", "random", "random:seed=3", "random"]
    command = ["match", *engines, "-g", "montana", "-o", "players=4", "-n", "4", "--json", "-"]
    assert run(command) == 0
    said = capsys.readouterr()
    rows = json.loads(said.out)["engines"]
    assert [row["engine"] for row in rows] == engines
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert "4 games in groups of 4" in said.err
    assert run([*command, "--lang", "ja"]) == 0
    assert "全4局" in capsys.readouterr().err


def test_a_cheating_program_forfeits_and_the_contest_goes_on(capsys: Out, tmp_path: Path) -> None:
    cheat = f"ugi:{sys.executable} {ROGUE} cheat"
    records = tmp_path / "games.txt"
    command = ["match", "random", cheat, "-g", "potlatch", "-n", "4", "--records", str(records)]
    assert run(command) == 0
    told = capsys.readouterr()
    assert "Forfeited because an engine failed: 4" in told.out
    assert told.err.count("forfeits: its engine sent") == 4
    for record in tavola.read_records(records):
        assert (record.tag("Termination") or "").startswith("seat ")
    assert run(["match", "random", cheat, "-g", "potlatch", "-n", "2", "--lang", "ja"]) == 0
    said = capsys.readouterr().err.replace("\n", "")
    # Why, the game says in its own words.
    answered = "反則負けです。合法手でない 'Pe' を返しました。"
    assert len(re.findall(f"{answered}[ァ-ー][^A-Za-z。]*。", said)) == 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["match"], ["ENGINE... is missing"]),
        (["match", "random", "random"], ["--game is missing"]),
        (["match", "random", "-g", "potlatch"], ["1 engines given", "2 seats"]),
        (["match", "random", "random", "random", "-g", "potlatch"], ["3 engines given", "2 seats"]),
        (["match", *FAST[:2], "-g", "chess"], ["chess", "potlatch"]),
        (["match", *FAST, "-o", "actions=9"], ["actions", "9", "2"]),
        (
            ["match", "deep", "random", "-g", "potlatch"],
            ["'deep'", "random, auto, tree, alphabeta, uct"],
        ),
        (["match", "ugi:/no/such", "random", "-g", "potlatch"], ["cannot start '/no/such'"]),
        # Without the dashes, or without a command behind them.
        (["match", "ugi:nodes=1 x", "random", "-g", "potlatch"], ["cannot start 'nodes=1'"]),
        (
            ["match", "ugi:nodes=1 --", "random", "-g", "potlatch"],
            ["the program to run is missing"],
        ),
        (["match", "ugi:it's", "random", "-g", "potlatch"], ["unclosed quotation mark"]),
        (["match", *FAST, "--games", "0"], ["--games", "“0”", "from 1 to 1000000000"]),
        (["match", *FAST, "--openings", "-1"], ["--openings", "“-1”", "from 0 to 1000"]),
        (["match", *FAST, "--jobs", "0"], ["--jobs", "“0”"]),
        (["match", *FAST, "--seed", "x"], ["--seed", "“x”"]),
        (["match", *FAST, "--resume"], ["--resume", "--records"]),
        (["match", *FAST, "--sprt", "10"], ["--sprt", "“10”", "0,10"]),
        (["match", *FAST, "--sprt", "10,0"], ["--sprt", "“10,0”"]),
        (["match", *FAST, "--sprt", "nan,5"], ["--sprt", "“nan,5”"]),
        (["match", *FAST, "--records", "/proc/x/y.txt"], ["/proc/x"]),
        (["match", *FAST, "--records", "/"], ["Cannot write /", "directory"]),
        (["match", *FAST, "--records", "/dev/null"], ["/dev/null", "not a regular file"]),
        (["match", *FAST, "--json", "/proc/x/y.json", "-n", "2"], ["/proc/x/y.json"]),
    ],
)
def test_wrong_commands_are_told_what_is_right(
    capsys: Out, command: list[str], said: list[str]
) -> None:
    assert run(command) == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told
    for words in said:
        assert words in told
    assert run([*command, "--lang", "ja"]) == 2
    assert re.search("[ぁ-ん]", capsys.readouterr().err)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files")
def test_without_room_for_a_record_the_contest_ends_and_can_go_on(tmp_path: Path) -> None:
    records = tmp_path / "games.txt"
    command = [*FAST, "-n", "20", "--records", str(records)]
    limited = f"ulimit -f 4; exec {sys.executable} -m tavola match {' '.join(command)}"
    ended = subprocess.run(["bash", "-c", limited], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert f"Cannot write {records}: " in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Elo" in ended.stdout
    assert run(["match", *command, "--resume"]) == 0
    rounds = {record.tag("Round") for record in tavola.read_records(records)}
    assert rounds == {str(number) for number in range(1, 21)}


def test_records_of_another_contest_are_kept(capsys: Out, tmp_path: Path) -> None:
    records = tmp_path / "games.txt"
    command = ["match", *FAST, "-n", "2", "--records", str(records)]
    assert run(command) == 0
    before = records.read_bytes()
    assert run(command) == 2
    assert "--resume" in capsys.readouterr().err
    assert run([*command, "--resume", "--seed", "3"]) == 2
    assert "has Seed '0', but this match has '3'" in capsys.readouterr().err
    assert run([*command, "--resume"]) == 0
    assert records.read_bytes() == before


def records_of(path: Path) -> list[str]:
    """The records of a file, by round; without the day, which may have changed."""
    found = tavola.read_records(path)
    ordered = sorted(found, key=lambda record: int(record.tag("Round") or 0))
    return [re.sub(r"\[Date .*\]\n", "", record.text) for record in ordered]


@pytest.fixture
def contest() -> Iterator[list[subprocess.Popen[bytes]]]:
    running: list[subprocess.Popen[bytes]] = []
    yield running
    for process in running:
        process.kill()
        process.communicate()


def offspring(process: int) -> set[int]:
    """All processes that descend from one; none of one that has ended."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return set()
    return {int(child) for child in children}.union(*(offspring(int(child)) for child in children))


@pytest.mark.long
@pytest.mark.parametrize(
    "blow",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGINT, marks=pytest.mark.long),
        pytest.param(signal.SIGTERM, marks=pytest.mark.long),
    ],
)
def test_who_is_broken_off_loses_nothing_and_goes_on(
    contest: list[subprocess.Popen[bytes]], tmp_path: Path, blow: signal.Signals
) -> None:
    program = f"ugi:nodes=40 -- {sys.executable} -m tavola ugi"
    options = ["--game", "potlatch", "--games", "20", "--jobs", "2"]
    command = [sys.executable, "-m", "tavola", "match", "tree:nodes=400", program, *options]
    records = tmp_path / "games.txt"
    process = subprocess.Popen(
        [*command, "--records", str(records)], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    contest.append(process)
    deadline = time.monotonic() + 120
    while not (records.exists() and records.read_bytes().count(b"[Game ") >= 4):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    family = offspring(process.pid)
    assert len(family) >= 4  # Two processes that play, each with its program.
    process.send_signal(blow)
    told, said = process.communicate(timeout=60)
    assert process.returncode == (-blow if blow is signal.SIGKILL else 130)
    assert b"Traceback" not in said
    while any(alive(number) for number in family):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    half = records.read_bytes()
    assert 4 <= half.count(b"[Game ") < 20
    if blow is not signal.SIGKILL:
        assert b"%d games in groups" % half.count(b"[Game ") in told
        assert b"--resume" in said
    else:
        records.write_bytes(half[:-30])  # As if it had been writing.
    subprocess.run(
        [*command, "--records", str(records), "--resume"], check=True, capture_output=True
    )
    whole = tmp_path / "whole.txt"
    subprocess.run([*command, "--records", str(whole)], check=True, capture_output=True)
    assert len(records_of(whole)) == 20
    assert records_of(records) == records_of(whole)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_it_before_the_first_game_leaves_no_program_behind(
    contest: list[subprocess.Popen[bytes]], blow: signal.Signals
) -> None:
    program = f"ugi:{sys.executable} {ROGUE} deaf"
    command = [sys.executable, "-m", "tavola", "match", "random", program, "-g", "potlatch"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    contest.append(process)
    while not (family := offspring(process.pid)):
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)  # It has been started, and is waited for.
    process.send_signal(blow)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert not any(map(alive, family))


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such groups")
@pytest.mark.parametrize("blow", [signal.SIGTERM, signal.SIGHUP])
def test_what_ends_the_whole_group_leaves_no_program_behind(
    contest: list[subprocess.Popen[bytes]], blow: signal.Signals
) -> None:
    program = f"ugi:{sys.executable} {ROGUE} silent"
    command = [sys.executable, "-m", "tavola", "match", "random", program, "-g", "potlatch"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    contest.append(process)
    while not any(map(offspring, family := offspring(process.pid))):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, blow)  # It does not reach the program, whose group is its own.
    process.communicate(timeout=60)
    assert process.returncode == 130
    deadline = time.monotonic() + 60
    while any(map(alive, family)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="files are not kept from others there")
def test_two_contests_do_not_share_a_file(
    capsys: Out, contest: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    records = tmp_path / "games.txt"
    command = ["match", *FAST, "-n", "1000", "--records", str(records)]
    first = subprocess.Popen(
        [sys.executable, "-m", "tavola", *command], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    contest.append(first)
    while not (records.exists() and b"[Game " in records.read_bytes()):
        assert first.poll() is None
        time.sleep(0.02)
    for language, said in (
        ("en", "games.txt: another `tavola` command is writing to it"),
        ("ja", "games.txt：別の `tavola` コマンドが使用中です"),
    ):
        assert run([*command, "--resume", "--lang", language]) == 2
        assert said in capsys.readouterr().err.replace("\n", "")
    assert first.poll() is None
    # It is free when the first has ended, however it did.
    first.kill()
    first.communicate()
    with ResultsFile(records).claimed():
        pass


def test_ctrl_c_is_heard_by_the_one_who_plays_nothing(
    contest: list[subprocess.Popen[bytes]],
) -> None:
    command = [sys.executable, "-m", "tavola", "match", "random", "random", "-g", "potlatch"]
    process = subprocess.Popen(
        [*command, "--games", "1000000", "--jobs", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    contest.append(process)
    while len(offspring(process.pid)) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    # As a terminal does, to the whole group; the others are still at their imports.
    os.killpg(process.pid, signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert b"random" in out


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_who_closes_the_terminal_finds_the_standing_in_its_file(
    contest: list[subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    records, standing = tmp_path / "games.txt", tmp_path / "standing.json"
    command = ["match", *FAST, "-n", "1000000", "--records", str(records), "--json", str(standing)]
    own = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
    run = f"{own}; from tavola.cli.app import run; raise SystemExit(run({command}))"
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", run],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    contest.append(process)
    os.close(theirs)
    while not (records.exists() and b"[Game " in records.read_bytes()):
        os.read(ours, 1 << 16)
    os.close(ours)
    assert process.wait(timeout=60) == 130
    kept = len(tavola.read_records(records))
    assert json.loads(standing.read_bytes())["games"] == kept


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return status != "Z"


def test_a_file_that_cannot_be_written_is_told_before_any_game(capsys: Out, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "standing.json"
    assert run(["match", *FAST, "-n", "2", "--json", str(missing)]) == 2
    said = capsys.readouterr()
    assert f"Cannot write {missing}" in said.err.replace("\n", "")
    assert not said.out


AGENTS = Path(__file__).parents[1] / "engines/python_agents.py"


@pytest.mark.long
def test_an_agent_in_python_plays_and_another_forfeits(capsys: Out) -> None:
    engines = [f"python:{AGENTS}:First", f"python:{AGENTS}:Raises"]
    assert run(["match", *engines, "-g", "potlatch", "-n", "2"]) == 0
    out, err = capsys.readouterr()
    assert "Forfeited because an engine failed: 2" in out
    assert "raised KeyError: 'no idea'" in " ".join(err.split())


@pytest.mark.long
def test_one_command_plays_against_every_level(capsys: Out, tmp_path: Path) -> None:
    records, summary = tmp_path / "games.txt", tmp_path / "all.json"
    command = ["match", f"python:{AGENTS}:First", "levels", "-g", "potlatch", "-n", "2"]
    assert run([*command, "--records", str(records), "--json", str(summary)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert [int(row[0]) for row in rows] == list(range(1, 9))
    assert len(json.loads(summary.read_text())) == 8
    assert len(list(tavola.read_records(tmp_path / "games-level8.txt"))) == 2


def test_levels_need_exactly_one_engine(capsys: Out) -> None:
    assert run(["match", "levels", "-g", "potlatch"]) == 2
    assert "levels needs exactly one other engine" in capsys.readouterr().err
