"""The steps of `make build`: no step compiles what another has compiled."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def compiled(*packages: str) -> set[str]:
    """Return the crates of a build, each with its version and features."""
    tree = ["cargo", "tree", "--locked", "--edges", "no-dev", "--prefix", "none"]
    listed = subprocess.run(
        [*tree, "--format", "{p} {f}", *(word for name in packages for word in ("-p", name))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {line.removesuffix(" (*)").strip() for line in listed.splitlines()} - {""}


def test_the_python_module_compiles_no_game_again() -> None:
    (step,) = re.findall(
        r"cargo build --release --locked (-p .*)$", (ROOT / "Makefile").read_text("utf-8"), re.M
    )
    first = compiled(*step.replace("-p ", "").split())
    again = {one.split()[0] for one in first - compiled("tavola-py")}
    assert again == {"tavola-unify"}
