"""Worker processes leave Ctrl-C to their parent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tavola.executors import Executor, ProcessExecutor
from tests.executors.contract import ExecutorContract

HELD = """
import signal
from multiprocessing import resource_tracker
from tavola.executors.processes import _interrupts_held

with _interrupts_held():
    resource_tracker.ensure_running()  # as the first process that is started does
    assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signal masks")
def test_interrupts_are_held_while_the_first_process_starts() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HELD], capture_output=True, text=True, check=False, timeout=60
    )
    assert ended.returncode == 0, ended.stderr


UNGUARDED = """
from tavola.report import Plan, make_report

make_report(Plan(game="potlatch", settings=({},), games=2))
"""


@pytest.mark.long
def test_a_script_without_a_main_guard_learns_of_it(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(UNGUARDED)
    ended = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, timeout=60
    )
    assert 'under `if __name__ == "__main__":`' in ended.stderr.splitlines()[-1]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be chosen")
def test_there_is_a_process_for_each_processor_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert ProcessExecutor().processes == 1
    finally:
        os.sched_setaffinity(0, allowed)


class TestProcessExecutor(ExecutorContract):
    @pytest.fixture
    def executor(self) -> Executor:
        return ProcessExecutor(2)
