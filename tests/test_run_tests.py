"""Tests of several kinds run side by side, and each failure is shown and counted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent / "scripts/run_tests.py"
KINDS = """
.PHONY: slow failing broken last
slow:
	@until [ -e done ]; do sleep 0.05; done; echo "12 passed in 3.0s"
failing:
	@echo "first line"; echo "2 failed, 7 passed in 3.0s"; exit 1
broken:
	@touch done; echo "error: does not compile" >&2; exit 1
last:
	@echo "      Tests  278 passed | 3 skipped (281)"
"""


def run_kinds(folder: Path, *lanes: str) -> subprocess.CompletedProcess[str]:
    (folder / "Makefile").write_text(KINDS, encoding="utf-8")
    return subprocess.run(
        [sys.executable, SCRIPT, *lanes],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_lanes_run_side_by_side_and_every_kind_runs(tmp_path: Path) -> None:
    # The first lane waits for the second, which continues after a failure.
    done = run_kinds(tmp_path, "slow last", "failing broken")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[-3:] == ["Failed: failing, broken", "", "297 passed, 3 failed, 3 skipped"]
    assert "error: does not compile" in lines
    assert "failing: 2 failed, 0 s" in lines
    at = lines.index("first line")
    assert lines[at + 1] == "2 failed, 7 passed in 3.0s"


def test_all_passed(tmp_path: Path) -> None:
    done = run_kinds(tmp_path, "last")
    assert done.returncode == 0
    assert done.stdout.endswith("\n278 passed, 0 failed, 3 skipped\n")
