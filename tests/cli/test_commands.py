"""The output of the commands, and their errors for wrong names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.cli.app import build, run
from tavola.cli.parameters import JOBS, OLD_SPELLINGS, OUT

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def settings(terminal: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred columns, and no settings of this machine's."""
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setenv("COLUMNS", "100")


def test_games(capsys: Out) -> None:
    assert run(["games"]) == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["name", "game", "seats", "options"]
    named = [row.split()[0] for row in rows if not row.startswith(" ")]
    assert named == list(tavola.games())
    (potlatch,) = [row for row in rows if row.startswith("potlatch ")]
    assert "actions=2|3" in potlatch


@pytest.mark.parametrize(
    "command", ["rules potlatch", "games", "version", "--help", "perft potlatch 3 --divide", "x"]
)
def test_whoever_reads_may_leave(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "tavola", *command.split()],
        stdout=writer,
        stderr=writer if command == "x" else subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in (done.stderr or b"")
    assert b"Error" not in (done.stderr or b"")


@pytest.mark.skipif(sys.platform == "win32", reason="streams are not closed like that there")
@pytest.mark.parametrize(
    ("command", "closed", "status"),
    [("games", 1, 0), ("x", 2, 2), ("ugi", 0, 0), ("analyse -", 0, 2), ("ugi", 1, 0)],
)
def test_a_stream_that_is_closed_is_one_that_nobody_hears(
    command: str, closed: int, status: int
) -> None:
    started = [sys.executable, "-m", "tavola", *command.split()]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *started],
        input=b"isready\n",
        capture_output=True,
        check=False,
    )
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is full")
@pytest.mark.parametrize("command", ["rules potlatch", "games", "version", "--help"])
def test_a_full_disk_is_told_in_a_sentence(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tavola", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    (told,) = done.stderr.split("\n")[:-1]
    assert told.startswith("Cannot write output: ")


def test_version(capsys: Out) -> None:
    for command in (["version"], ["--version"]):
        assert run(command) == 0
        assert capsys.readouterr().out == f"tavola {tavola.__version__}\n"


@pytest.mark.parametrize("language", ["en", "ja"])
def test_rules(capsys: Out, language: str) -> None:
    assert run(["rules", "potlatch", "--lang", language]) == 0
    book = capsys.readouterr().out
    assert ("ポトラッチ" in book) is (language == "ja")
    assert "{#" not in book
    assert "```" not in book
    # A figure: Red's pawn between ringed cells.
    assert re.search(r"\[ 0,-1\* +\] *\[ 1,-1\* +\]|\[ 0,-1 +\] \[ 1,-1\* \]", book)
    assert "→" in book
    # The numbers that rejected actions name.
    assert ("（ルール 7）" if language == "ja" else "Move your pawn (rule 7)") in book


def test_perft(capsys: Out) -> None:
    assert run(["perft", "potlatch", "4"]) == 0
    assert capsys.readouterr().out == "3302\n"
    assert run(["perft", "potlatch", "3", "--option", "actions=3", "-o", "layout=row"]) == 0
    assert capsys.readouterr().out == "475\n"
    assert run(["perft", "potlatch", "0"]) == 0
    assert capsys.readouterr().out == "1\n"


def test_perft_by_first_actions(capsys: Out) -> None:
    assert run(["perft", "potlatch", "3", "--divide"]) == 0
    *firsts, total = capsys.readouterr().out.splitlines()
    counts = dict(line.split(": ") for line in firsts)
    assert list(counts) == ["Pne", "Pnw", "Pse", "Psw", "Pw"]
    assert sum(map(int, counts.values())) == int(total) == 314


def test_perft_from_a_position(capsys: Out) -> None:
    state = tavola.load("potlatch").start().play_all("Pnw Pw")
    assert run(["perft", "potlatch", "2", "--position", state.text]) == 0
    assert capsys.readouterr().out == f"{tavola.perft(state, 2)}\n"


def test_bench(capsys: Out) -> None:
    assert run(["bench", "potlatch", "--seconds", "0.05"]) == 0
    _, row = capsys.readouterr().out.splitlines()
    name, games, actions, length = row.split()
    assert name == "potlatch"
    assert int(actions.replace(",", "")) > int(games.replace(",", "")) > 0
    assert float(length) > 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["srve"], ["srve", "serve, games, rules", "Did you mean “serve”?"]),
        (["frobnicate"], ["frobnicate", "serve, games"]),
        (
            ["rules", "potlach"],
            ["potlach", "Games: montana, passtally, potlatch", "Did you mean “potlatch”?"],
        ),
        (["rules"], ["GAME is missing", "tavola rules --help"]),
        (["rules", "potlatch", "two", "more"], ["Unexpected argument “two more”", "rules"]),
        (["perft", "potlatch", "2", "--option"], ["--option needs a value"]),
        (["perft", "potlatch", "2", "--divide=yes"], ["--divide does not take a value"]),
        (["games", "--lnag", "ja"], ["--lnag", "Did you mean “--lang”?"]),
        (["games", "--lang", "de"], ["--lang", "de", "en and ja"]),
        (["games", "--lang"], ["--lang"]),
        (["perft", "potlatch", "x"], ["DEPTH", "“x”", "0 to 30"]),
        (["perft", "potlatch", "-1"], ["-1"]),
        (["perft", "potlatch", "31"], ["DEPTH", "“31”", "0 to 30"]),
        (["perft", "potlatch", "2", "-o", "layuot=row"], ["layuot", "Did you mean “layout”?"]),
        (["perft", "potlatch", "2", "-o", "layout=rwo"], ["rwo", "row", "Did you mean “row”?"]),
        (["perft", "potlatch", "2", "-o", "layout"], ["“layout” is not NAME=VALUE"]),
        (["perft", "potlatch", "2", "--position", "a b"], ["position"]),
        (["play", "potlatch", "--engine", "2"], ["--engine", "“2”", "0 to 1"]),
        (["play", "potlatch", "--engine", "red"], ["--engine", "“red”", "0 to 1"]),
        (["play", "potlatch", "--seconds", "0"], ["--seconds", "“0”", "greater than 0"]),
        (["play", "potlatch", "--seconds", "nan"], ["--seconds", "“nan”", "greater than 0"]),
        (["play", "potlatch", "--seed", "-1"], ["--seed", "“-1”", "from 0 to 9223372036854775807"]),
        (["bench", "chess"], ["chess", "potlatch"]),
        (["bench", "--threads", "0"], ["--threads", "“0”", "from 1 to 256"]),
        (["serve", "--port", "http"], ["--port", "“http”", "0 to 65535"]),
        (["--port", "65536"], ["--port", "“65536”", "0 to 65535"]),
        (["serve", "--host", "no-such host"], ["no-such host"]),
        (["serve", "--port", "0", "--database", "nonsense"], ["nonsense"]),
        (["serve", "--port", "0", "--database", "mysql://x"], ["mysql://x"]),
        (["serve", "--port", "0", "--database", "sqlite:////proc/x/y.db"], ["/proc/x/y.db"]),
    ],
)
def test_wrong_commands_are_told_what_is_right(
    capsys: Out, command: list[str], said: list[str]
) -> None:
    assert run(command) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Traceback" not in told.err
    for words in said:
        assert words in told.err
    if "--lang" not in command:
        assert run([*command, "--lang", "ja"]) == 2
        japanese = capsys.readouterr().err
        assert re.search("[ぁ-ん]", japanese), japanese
        assert japanese != told.err
        assert not re.search("[。?] ", japanese), japanese
        if "--position" not in command:  # what is wrong with a position, the core says
            assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", japanese.replace("--help", "")), japanese


def test_why_a_file_cannot_be_used_is_said_in_the_readers_language(
    capsys: Out, tmp_path: Path
) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, english, japanese in (
        (tmp_path / "nothing", "no such file", "ファイルまたはフォルダーがありません"),
        (tmp_path, "it is a directory", "フォルダーです"),
        (binary / "below", "not a directory", "パスの途中が"),
        (binary, "not UTF-8 text", "UTF-8 のテキストではありません"),
    ):
        for language, said in (("en", english), ("ja", japanese)):
            assert run(["analyse", str(path), "--lang", language]) == 2
            assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        '[Event "x"]\n',
        '[Game "chess"]\n',
        '[Game "potlatch"]\n[Options "actions"]\n',
        '[Game "potlatch"]\n[Rules "99"]\n',
        '[Game "potlatch"]\n1. Pnw Pse\n',
        '[Game "potlatch"]\n1. Pnw Nonsense\n',
    ],
)
def test_what_is_wrong_with_a_record_is_told_to_its_last_part(
    capsys: Out, tmp_path: Path, text: str
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert run(["analyse", str(path), "--lang", "ja"]) == 2
    told = capsys.readouterr().err
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", told), told


@pytest.mark.parametrize(
    "engine",
    [
        "fool",
        "level:9",
        "ugi:",
        "ugi:/nowhere/at-all",
        f"ugi:{sys.executable} -c pass",
        "tree:nodes",
        "tree:nodes=0",
        "tree:nodes=1,nodes=2",
        "tree:depth=2",
        "alphabeta:depth=2",
    ],
)
def test_what_is_wrong_with_an_engine_is_told_to_its_last_part(capsys: Out, engine: str) -> None:
    command = ["match", engine, "random", "-g", "passtally", "-n", "2", "--lang", "ja"]
    assert run(command) == 2
    told = capsys.readouterr().err.replace(engine, "")
    assert re.search("[ぁ-ん]", told)
    assert not re.search(r"[a-z]+ [a-z]+ [a-z]+", told), told


def test_a_wrong_port_in_the_environment(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "many")
    assert run(["serve"]) == 2
    assert "“many”" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [[], ["serve"], ["games"], ["rules"], ["play"], ["perft"], ["bench"], ["analyse"], ["version"]],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_help_is_in_the_readers_language(capsys: Out, command: list[str], language: str) -> None:
    assert run([*command, "--help", "--lang", language]) == 0
    told = capsys.readouterr().out
    assert "--lang" in told
    assert bool(re.search("[ぁ-ん]", told)) is (language == "ja")
    assert ("オプション" in told) is (language == "ja")


def commands() -> dict[str, Any]:
    """The commands of the command line by name."""
    return dict(build().commands)


@pytest.mark.parametrize("name", sorted(commands()))
def test_no_command_has_a_flag_twice(name: str) -> None:
    flags = [flag for one in commands()[name].params for flag in (*one.opts, *one.secondary_opts)]
    assert sorted(flags) == sorted(set(flags))


@pytest.mark.parametrize("flags", [OUT, JOBS], ids=str)
def test_old_spellings_work_and_help_does_not_show_them(
    flags: tuple[str, ...], capsys: Out
) -> None:
    having = [name for name, one in commands().items() for it in one.params if flags[0] in it.opts]
    assert len(having) > 1
    for name in having:
        parameter = next(one for one in commands()[name].params if flags[0] in one.opts)
        assert set(flags) <= set(parameter.opts)
        assert run([name, "--help", "--lang", "en"]) == 0
        words = re.split(r"[\s,]+", capsys.readouterr().out)
        assert set(flags) & set(words) == set(flags) - OLD_SPELLINGS


def test_the_language_is_the_systems(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    run(["games"])
    assert "ポトラッチ" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    run(["games"])
    assert "Potlatch" in capsys.readouterr().out
    run(["--lang", "ja", "games"])
    assert "ポトラッチ" in capsys.readouterr().out
    run(["--lang=ja", "games"])
    assert "ポトラッチ" in capsys.readouterr().out
