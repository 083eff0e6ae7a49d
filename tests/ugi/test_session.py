"""A UGI session: its commands, its errors, and its output during a search."""

from __future__ import annotations

import random
import string
import subprocess
import sys
import time

import pytest

import tavola
from tests.ugi.ugi_dialog import Dialog

COMMAND = [sys.executable, "-m", "tavola", "ugi"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Ugi", "there is no command 'Ugi'; there are ugi, isready, setoption"),
        ("x" * 500, f"there is no command '{'x' * 60}"),
        ("setoption", "setoption is written: setoption name NAME value VALUE"),
        ("setoption name Game", "setoption is written"),
        ("setoption name Gmae value x", "there is no option 'Gmae'; there are Game, "),
        ("setoption name Game value chess", "the option Game has no value 'chess'; valid are "),
        ("setoption name Game value", "setoption is written"),
        (
            "setoption name Threads value 0",
            "the option Threads cannot be '0'; it is a whole number",
        ),
        ("setoption name Seed value -1", "the option Seed cannot be '-1'"),
        (
            "setoption name passtally.players value 4",
            "the option passtally.players has no value '4'; valid are 2, 3",
        ),
        ("position", "position is written: position startpos|fen TEXT [moves ACTION ...]"),
        ("position fen", "position is written"),
        ("position fen moves Pne", "position is written"),
        ("position startpos Pne", "position is written"),
        ("position fen x y z", "'x y z' is not a position"),
        ("position startpos moves Pne Pzz", "'Pzz' is illegal"),
        ("go fast", "go does not understand 'fast' here; it takes movetime, nodes, depth"),
        ("go nodes", "go nodes cannot be ''"),
        ("go nodes 0", "go nodes cannot be '0'; it is a whole number from 1 to"),
        ("go nodes 10 nodes 20", "go does not understand 'nodes' here"),
        ("go infinite nodes 10", "go does not understand 'infinite' here"),
        ("go depth 3", "the engine auto does not support a limit of depth"),
        ("go movetime 1.5", "go movetime cannot be '1.5'"),
        ("go p1time 1000", "go has a clock, but no p2time"),
        ("query", "there is no question ''; there are gameover, result"),
        ("query p3turn", "there is no question 'p3turn'"),
        ("query fen x", "there is no question 'fen x'"),
    ],
)
def test_an_invalid_command_is_reported_and_changes_nothing(line: str, said: str) -> None:
    with Dialog() as dialog:
        dialog.say("setoption name Game value potlatch")
        dialog.say("position startpos moves Pnw Pw")
        before = dialog.ask("query fen")
        assert dialog.ask(line).startswith(f"info string error: {said}")
        assert dialog.unread() == []
        assert dialog.ask("query fen") == before


def test_another_game_or_option_starts_a_new_game() -> None:
    with Dialog() as dialog:
        dialog.say("setoption name game value potlatch")
        dialog.say("position startpos moves Pnw")
        dialog.say("setoption name proteus.rules value kadon")
        dialog.say("setoption name Seed value 5")
        assert dialog.ask("query fen") == f"response {start('potlatch').play('Pnw').text}"
        dialog.say("setoption name POTLATCH.actions value 3")
        assert dialog.ask("query fen") == f"response {start('potlatch', actions=3).text}"
        dialog.say("setoption name Game value proteus")
        assert dialog.ask("query fen") == f"response {start('proteus', rules='kadon').text}"
        dialog.say("position startpos moves Rt@c3")
        dialog.say("uginewgame")
        assert dialog.ask("query fen") == f"response {start('proteus', rules='kadon').text}"


def start(name: str, **options: str | int) -> tavola.State:
    return tavola.load(name, **options).start()


def test_a_game_is_followed_to_its_end() -> None:
    for name, seats in (("potlatch", 2), ("montana", 3)):
        game = tavola.load(name, **({"players": seats} if seats > 2 else {}))
        match, choices = tavola.Match(game, seed=3), random.Random(3)
        with Dialog() as dialog:
            dialog.say(f"setoption name Game value {name}")
            if seats > 2:
                dialog.say(f"setoption name {name}.players value {seats}")
            while match.state.to_act is not None:
                dialog.say(f"position startpos moves {' '.join(match.actions)}")
                assert dialog.ask("query gameover") == "response false"
                turns = [dialog.ask(f"query p{seat + 1}turn") for seat in range(seats)]
                assert turns.index("response true") == match.state.to_act
                match.play(choices.choice(match.state.legal_actions))
            dialog.say(f"position fen {match.state.text}")
            outcome = match.state.outcome
            assert outcome is not None
            won = " ".join(f"p{seat + 1}win" for seat in outcome.winners) or "draw"
            assert dialog.ask("query result") == f"response {won}"
            assert dialog.ask("query turn") == "response none"
            assert dialog.ask("query legal") == "response"
            assert dialog.ask("go nodes 10") == "info string no seat is to act"
            assert dialog.hear() == "bestmove none"


def test_it_answers_while_it_thinks_and_stops_soon() -> None:
    with Dialog() as dialog:
        dialog.say("setoption name Game value proteus")
        dialog.say("go movetime 60000")
        assert dialog.ask("isready") == "readyok"
        assert dialog.ask("query turn") == "response p1"
        for line in ("go nodes 1", "uginewgame", "setoption name Seed value 3"):
            assert "while an engine thinks" in dialog.ask(line)
        began = time.monotonic()
        dialog.say("stop")
        assert time.monotonic() - began < 30  # of the 60 seconds that it was given
        *infos, best = dialog.unread()
        assert all(info.startswith("info ") for info in infos)
        assert best.split()[1] in start("proteus").legal_actions
        dialog.say("stop")
        assert dialog.unread() == []


def test_a_level_thinks_by_its_own_limits() -> None:
    nodes = int(tavola.levels("potlatch")[3].split("nodes=")[1].split(",")[0])
    with Dialog() as dialog:
        dialog.say("setoption name Game value potlatch")
        dialog.say("setoption name Level value 4")
        for go in ("go movetime 60000", "go depth 3"):
            info = dialog.ask(go).split()
            assert 0 < int(info[info.index("nodes") + 1]) <= nodes
            assert dialog.hear().split()[1] in start("potlatch").legal_actions
        dialog.say("go infinite")
        time.sleep(0.3)
        assert not any(told.startswith("bestmove") for told in dialog.unread())
        dialog.say("stop")
        assert dialog.unread()[-1].startswith("bestmove")
        assert "cannot be '9'" in dialog.ask("setoption name Level value 9")


def test_without_a_limit_there_is_no_answer_before_stop() -> None:
    state = tavola.load("potlatch").start().play_all("Pnw Pw Pne Pe Pse Pse")
    for line in ("go", "go infinite"):
        with Dialog() as dialog:
            dialog.say("setoption name Game value potlatch")
            dialog.say(f"position fen {state.text}")
            dialog.say(line)
            time.sleep(0.3)
            assert not any(told.startswith("bestmove") for told in dialog.unread())
            dialog.say("stop")
            assert dialog.unread()[-1] == "bestmove Pw"


def test_the_next_line_may_come_as_soon_as_the_answer() -> None:
    with Dialog() as dialog:
        dialog.say("setoption name Engine value random")
        dialog.say("setoption name Game value proteus")
        for _ in range(200):
            dialog.say("go nodes 1")
            assert dialog.hear().startswith("bestmove ")


def test_the_network_of_a_game_is_an_engine() -> None:
    with Dialog() as dialog:
        dialog.say("setoption name Engine value net")
        dialog.say("setoption name Game value potlatch")
        dialog.say("go nodes 20")
        assert dialog.hear().startswith("info nodes ")
        assert dialog.hear().startswith("bestmove ")
        dialog.say("setoption name potlatch.layout value row")
        dialog.say("go nodes 20")
        assert "there is no network for potlatch actions=2 layout=row" in dialog.hear()


def test_each_line_reports_the_value_of_the_position() -> None:
    state = start("potlatch")
    analysis = tavola.search(state, nodes=200, threads=1, seed=random.Random(0).getrandbits(63))
    worth = " ".join(f"{share:.4f}" for share in analysis.shares)
    assert analysis.shares != analysis.lines[0].shares
    with Dialog() as dialog:
        dialog.say("setoption name Game value potlatch")
        for lines in (1, 3):
            dialog.say(f"setoption name MultiPV value {lines}")
            dialog.say("go nodes 200")
            assert [f" worth {worth} pv " in dialog.hear() for _ in range(lines)] == [True] * lines
            assert dialog.hear().startswith("bestmove ")
            dialog.say("uginewgame")


def test_several_lines_are_reported() -> None:
    with Dialog() as dialog:
        dialog.say("setoption name Game value potlatch")
        dialog.say("setoption name MultiPV value 3")
        dialog.say("go nodes 200")
        told = [dialog.hear() for _ in range(4)]
        assert ["multipv 1" in told[0], "multipv 2" in told[1], "multipv 3" in told[2]] == [
            True
        ] * 3
        assert told[0].split(" pv ")[1].split()[0] == told[3].removeprefix("bestmove ")


@pytest.mark.long
def test_garbage_never_ends_it_and_never_changes_the_position() -> None:
    choices = random.Random(11)
    words = ["ugi", "position", "startpos", "fen", "moves", "go", "nodes", "5", "Pnw", "setoption"]
    words += ["name", "Game", "value", "query", "stop", "isready", "-1", "", "\0", "é", "¼", "0"]
    with Dialog() as dialog:
        dialog.say("setoption name Game value potlatch")
        before = dialog.ask("query fen")
        for _ in range(3000):
            if choices.random() < 0.5:
                line = " ".join(choices.choices(words, k=choices.randrange(8)))
            else:
                line = "".join(choices.choices(string.printable + "盤", k=choices.randrange(60)))
            changes = {"position", "setoption", "go"} & set(line.split()[:1])
            if line.split()[:1] == ["quit"] or (changes and not broken(line)):
                continue
            assert dialog.say(line)
            dialog.unread()
        assert dialog.ask("query fen") == before


def broken(line: str) -> bool:
    """Whether a fresh session refuses the line."""
    with Dialog() as fresh:
        fresh.say("setoption name Game value potlatch")
        fresh.say(line)
        return any("error" in answer for answer in fresh.unread())


def test_bytes_that_are_no_lines() -> None:
    said = (
        b"\xff\xfe\nisready\n" + b"x" * 3_000_000 + b"\nisready\n\r\n  isready  \r\nquit\nisready\n"
    )
    run = subprocess.run(COMMAND, input=said, capture_output=True, check=True, timeout=60)
    assert run.stdout.decode().splitlines() == [
        "info string error: a line is not UTF-8",
        "readyok",
        "info string error: a line is longer than 1048576 bytes",
        "readyok",
        "readyok",
    ]
    assert run.stderr == b""


def test_the_end_of_input_ends_a_search() -> None:
    began = time.monotonic()
    said = b"setoption name Game value proteus\ngo infinite\n"
    run = subprocess.run(COMMAND, input=said, capture_output=True, check=True, timeout=60)
    assert run.stdout.decode().splitlines()[-1].startswith("bestmove ")
    assert time.monotonic() - began < 30


@pytest.mark.long
def test_a_search_without_listeners_ends_silently() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdin.write(b"setoption name Game value potlatch\ngo infinite\n")
        program.stdin.flush()
        program.stdout.readline()
        program.stdout.close()
        time.sleep(1.0)  # It speaks again, more than once.
        program.stdin.close()
        assert program.stderr.read() == b""
