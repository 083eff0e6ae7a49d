"""The steps of the Makefile that two makes can be at, side by side."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("pyproject.toml", "Cargo.toml", "Cargo.lock", ".cargo/config.toml")


@pytest.mark.parametrize("step", [".venv/.wasm", ".venv/.crates"])
def test_a_second_make_may_begin_before_the_first_ends(tmp_path: Path, step: str) -> None:
    """`make play` compiles the core for the browser behind the first game, and may be stopped."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in (*SOURCES, ".venv/.home", ".venv/.build", "scripts/build-wasm", "scripts/step"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\nsleep 1\n")
        path.chmod(0o755)
    command = ["make", "-o", ".venv/.home", "-o", ".venv/.build", step]
    environment = {name: text for name, text in os.environ.items() if name != "MAKEFLAGS"}

    def make(_: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(make, range(2)))
    assert [(one.returncode, one.stderr) for one in ended] == [(0, "")] * 2
    assert (tmp_path / step).exists()
