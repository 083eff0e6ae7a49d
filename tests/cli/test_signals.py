"""Signals that end a long command, and Ctrl-C while a command starts."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tavola.cli.signals import interrupt_on_termination

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_it_ends_the_work_and_later_what_it_did_before(name: str) -> None:
    number = signal.Signals[name]
    before = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt), interrupt_on_termination():
        signal.raise_signal(number)
    assert signal.getsignal(number) is before


def test_who_is_not_to_end_with_the_terminal_goes_on() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # As `nohup` does.
    try:
        with interrupt_on_termination():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


STRUCK = """
import atexit, os, signal, sys
at, *sys.argv = sys.argv[1:]

def strike():
    os.kill(os.getpid(), signal.SIGINT)

class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            strike()

sys.meta_path.insert(0, Importing())
if at == "the end":
    atexit.register(strike)
from tavola.cli import main
sys.exit(main())
"""


@pytest.mark.long
@pytest.mark.parametrize(
    "at", ["tavola.cli.app", "typer", "tavola.cli.match", "tavola.tournament", "the end"]
)
def test_ctrl_c_while_a_command_begins_or_has_ended_is_told_in_no_traceback(at: str) -> None:
    command = ["tavola", "match", "random", "random", "-g", "potlatch", "-n", "2"]
    struck = subprocess.run(
        [sys.executable, "-c", STRUCK, at, *command], capture_output=True, text=True, check=False
    )
    assert struck.returncode == 130
    assert struck.stderr.strip() == ""
    assert bool(struck.stdout) is (at == "the end")


SWALLOWED = """
import os, signal, sys, time
import tavola.cli.app

class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)

def run(_):
    Ends()
    time.sleep(60)
    return 0

tavola.cli.app.run = run
sys.exit(tavola.cli.main())
"""


def test_ctrl_c_in_a_callback_that_swallows_it_is_not_lost() -> None:
    struck = subprocess.run(
        [sys.executable, "-c", SWALLOWED], capture_output=True, text=True, check=False, timeout=50
    )
    assert (struck.returncode, struck.stderr) == (130, "")


@pytest.mark.long
def test_a_command_is_interrupted_only_where_ctrl_c_is_heard() -> None:
    deaf = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{STRUCK}"
    command = [sys.executable, "-c", deaf, "typer", "tavola", "version"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_ctrl_c_while_the_package_is_imported_shows_no_traceback(tmp_path: Path) -> None:
    script = tmp_path / "tavola"
    script.write_text(STRUCK)
    struck = subprocess.run(
        [sys.executable, script, "importlib.metadata", "tavola", "games"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (struck.returncode, struck.stdout, struck.stderr) == (130, "", "")


def test_importing_the_package_elsewhere_leaves_ctrl_c_alone() -> None:
    code = "import signal, tavola; print(signal.getsignal(signal.SIGINT).__name__)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "default_int_handler\n"
