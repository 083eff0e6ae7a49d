"""Worker processes leave Ctrl-C to their parent."""

from __future__ import annotations

import subprocess
import sys

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


class TestProcessExecutor(ExecutorContract):
    @pytest.fixture
    def executor(self) -> Executor:
        return ProcessExecutor(2)
