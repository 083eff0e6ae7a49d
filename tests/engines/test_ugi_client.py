"""External engines that speak UGI: a correct one, and all kinds of misbehaviour."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import tavola
from tavola.cli.signals import interrupt_on_termination
from tavola.engines.engine_process import EngineProcess, split_command
from tavola.engines.ugi_client import UgiEngine

ROGUE = Path(__file__).parent / "misbehaving_engine.py"
GAME = tavola.load("potlatch")


def named(manner: str, settings: str = "nodes=10,patience=2") -> str:
    return f"ugi:{settings} -- {sys.executable} {ROGUE} {manner}"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\engines\fast.exe --quiet", [r"C:\engines\fast.exe", "--quiet"]),
        (r'"C:\Program Files\e.exe" "" #1', [r"C:\Program Files\e.exe", "", "#1"]),
        (shlex.join([r"C:\python.exe", "it's", '{"a":1}']), [r"C:\python.exe", "it's", '{"a":1}']),
    ],
)
def test_on_windows_a_backslash_separates_folders(command: str, words: list[str]) -> None:
    assert split_command(command, windows=True) == words


@pytest.mark.parametrize("command", [r"./a\ b 'c d' \"e\"", "a#b # c;d|e", ""])
def test_elsewhere_a_command_is_split_as_a_shell_splits_it(command: str) -> None:
    assert split_command(command, windows=False) == shlex.split(command)


def begin(engine: tavola.Engine) -> tavola.Choice:
    engine.new_game()
    return engine.choose(GAME.start())


def open_files() -> int:
    path = Path("/proc/self/fd")
    return len(list(path.iterdir())) if path.exists() else 0


def children() -> set[str]:
    """The processes that this one has started and not reaped."""
    path = Path(f"/proc/self/task/{threading.get_native_id()}/children")
    return set(path.read_text().split()) if path.exists() else set()


def test_a_program_plays() -> None:
    before = children()
    with tavola.engine(named("good"), GAME) as engine:
        engine.new_game(seed=7)
        choice = engine.choose(GAME.start())
        engine.new_game(seed=8)
        assert engine.choose(GAME.start(), moves=()).token == "Pne"
    assert choice.token == "Pne"
    assert choice.analysis is None
    info = choice.info
    assert (info.shares, info.depth, info.nodes) == ((0.25, 0.75), 3, 12)
    assert info.variation == ("Pne", "Pw")
    assert info.seconds is not None
    assert children() == before


@pytest.mark.long
def test_our_own_program_plays_every_game() -> None:
    command = f"{sys.executable} -m tavola ugi"
    for name in tavola.games():
        game = tavola.load(name)
        match = tavola.Match(game, seed=1)
        with tavola.engine(f"ugi:nodes=30,option.Engine=tree -- {command}", game) as engine:
            engine.new_game(seed=1)
            for known in (True, False, True):
                moves = match.actions if known else None
                match.play(engine.choose(match.state, moves=moves).token)


def test_a_game_with_options_is_told_to_the_program() -> None:
    game = tavola.load("passtally", players=3)
    with tavola.engine(f"ugi:nodes=30 -- {sys.executable} -m tavola ugi", game) as engine:
        engine.new_game(seed=1)
        choice = engine.choose(tavola.Match(game, seed=1).state)
    assert choice.info.shares is not None
    assert len(choice.info.shares) == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("deaf", "did not send ugiok within 2"),
        ("dead", "exited with status 1: no such file: weights"),
        ("other", "does not offer potlatch for the option Game, only chess, go"),
        ("crash", "exited with status 1: ZeroDivisionError: a bug"),
        ("killed", "was killed by signal 9"),
        ("silent", "did not answer within 2"),
        ("stubborn", "did not answer within 2"),
        ("parent", "did not answer within 2"),
        ("cheat", "sent 'Pe', which is illegal: "),
        ("none", "sent bestmove without an action"),
    ],
)
def test_a_program_that_misbehaves_is_ended_and_told_of(manner: str, reason: str) -> None:
    before = children()
    engine = tavola.engine(named(manner), GAME)
    for _ in range(2):  # It starts again.
        with pytest.raises(tavola.EngineFailed) as caught:
            begin(engine)
        assert caught.value.reason.startswith(reason)
        assert caught.value.engine == engine.text
        assert children() == before
    engine.close()


@pytest.mark.long
def test_what_a_program_has_started_is_ended_too() -> None:
    before = children()
    engine = tavola.engine(named("parent"), GAME)
    engine.new_game()
    (leader,) = children() - before
    running = Path(f"/proc/{leader}/task/{leader}/children").read_text().split()
    assert len(running) == 1
    with pytest.raises(tavola.EngineFailed):
        engine.choose(GAME.start())
    deadline = time.monotonic() + 60
    while alive(running[0]):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_that_comes_with_the_program_ends_it_too(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    class Struck(subprocess.Popen[bytes]):
        """A program that is started, and not yet known when the signal comes."""

        def __init__(self, *args: Any, **settings: Any) -> None:
            super().__init__(*args, **settings)
            signal.raise_signal(signal.Signals[name])

    monkeypatch.setattr(subprocess, "Popen", Struck)
    before = children()
    engine = tavola.engine(named("stubborn"), GAME)
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    with pytest.raises(KeyboardInterrupt), interrupt_on_termination():
        engine.new_game()
    assert children() == before
    assert handlers == [signal.getsignal(number) for number in signal.valid_signals()]


def test_ctrl_c_while_a_program_is_to_leave_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = subprocess.Popen.wait

    def struck(process: subprocess.Popen[bytes], patience: float | None = None) -> int:
        if patience is not None:
            raise KeyboardInterrupt
        return wait(process)

    before = children()
    engine = tavola.engine(named("stubborn"), GAME)
    engine.new_game()
    monkeypatch.setattr(subprocess.Popen, "wait", struck)
    with pytest.raises(KeyboardInterrupt):
        engine.close()
    assert children() == before


@pytest.mark.long
def test_what_has_left_its_group_is_not_waited_for() -> None:
    engine = tavola.engine(named("haunted"), GAME)
    assert isinstance(engine, UgiEngine)
    engine.new_game()
    closing = threading.Thread(target=engine.close)
    closing.start()
    closing.join(30)
    closed = not closing.is_alive()
    os.kill(int(engine.name), signal.SIGKILL)
    closing.join()
    assert closed
    deadline = time.monotonic() + 60
    while listening():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def listening() -> list[threading.Thread]:
    """The threads that hear programs."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("ugi-")]


def alive(process: str) -> bool:
    """Returns whether a process runs. The system reaps orphans after a while."""
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status != "Z"


@pytest.mark.long
@pytest.mark.parametrize("manner", ["chatter", "long", "twice"])
def test_a_program_that_talks_too_much_is_understood(manner: str) -> None:
    with tavola.engine(named(manner, "nodes=10,patience=300"), GAME) as engine:
        engine.new_game()
        for _ in range(2):
            assert engine.choose(GAME.start()).token == "Pne"


def test_a_program_that_talks_without_end_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    with tavola.engine(named("good", "nodes=10,patience=20"), GAME) as engine:
        engine.new_game()
        assert isinstance(engine, UgiEngine)
        engine._patience = engine._overrun = 0.2
        # There is always one line more.
        monkeypatch.setattr(EngineProcess, "receive", lambda program, deadline: "readyok")
        with pytest.raises(tavola.EngineFailed, match="did not answer within"):
            engine.choose(GAME.start())


def test_an_answer_may_be_a_little_late_but_not_later() -> None:
    with tavola.engine(named("late", "seconds=0.1,patience=5"), GAME) as engine:
        engine.new_game()
        assert engine.choose(GAME.start()).token == "Pne"
    with tavola.engine(named("late", "seconds=0.1,patience=0.3"), GAME) as engine:
        # A slow machine may take longer to start it than it has patience.
        while True:
            with contextlib.suppress(tavola.EngineFailed):
                engine.new_game()
                break
        with pytest.raises(tavola.EngineFailed) as caught:
            engine.choose(GAME.start())
        assert "its limit was 0.1 s" in caught.value.reason


def test_a_program_that_cannot_be_started() -> None:
    engine = tavola.engine("ugi:/no/such/program", GAME)
    said = r"cannot start '/no/such/program': .*No such file"
    with pytest.raises(tavola.EngineFailed, match=said):
        engine.new_game()
    engine.close()


def test_what_a_program_says_in_the_end_is_told_without_control_characters() -> None:
    script = r"import sys; sys.exit('\x1b[31mred\x1b[0m\0\a')"
    engine = tavola.engine(f"ugi:{shlex.join([sys.executable, '-c', script])}", GAME)
    with pytest.raises(tavola.EngineFailed) as caught:
        engine.new_game()
    assert caught.value.reason == "exited with status 1: [31mred [0m"


def test_options_of_a_program() -> None:
    with tavola.engine(named("good", "option.depth=3"), GAME) as engine:
        engine.new_game()
    engine = tavola.engine(named("good", "option.Width=3"), GAME)
    with pytest.raises(tavola.EngineFailed, match="does not offer the option Width"):
        engine.new_game()
    # It knows but one game, without options.
    engine = tavola.engine(named("good"), tavola.load("potlatch", actions=3))
    with pytest.raises(tavola.EngineFailed, match=r"does not offer the option potlatch\.actions"):
        engine.new_game()


def test_a_stop_reaches_the_program() -> None:
    stop = tavola.Stop()
    command = f"{sys.executable} -m tavola ugi"
    with tavola.engine(f"ugi:seconds=60 -- {command}", GAME) as engine:
        engine.new_game()
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        assert engine.choose(GAME.start(), stop=stop).token in GAME.start().legal_actions
        assert time.monotonic() - began < 30  # of the 60 seconds that it was given


@pytest.mark.long
def test_a_stop_ends_the_wait_for_a_program_that_is_silent() -> None:
    stop = tavola.Stop()
    stop.set()
    before = children()
    engine = tavola.engine(named("silent", "patience=600"), GAME)
    engine.new_game()
    with pytest.raises(tavola.EngineFailed, match="did not answer within"):
        engine.choose(GAME.start(), stop=stop)
    assert children() == before


def test_nothing_is_left_open() -> None:
    before = open_files()
    for _ in range(3):
        with tavola.engine(named("good"), GAME) as engine:
            engine.new_game()
    assert open_files() == before
    assert not listening()
