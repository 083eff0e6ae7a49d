"""docs/how-to/add-a-game.md, followed to the letter in a copy of the workspace."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_conventions import faults

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs/how-to/add-a-game.md"
FENCE = re.compile(
    r"^```(?P<kind>\w+) (?P<what>[^\n]+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COPIED = ("Cargo.toml", "Cargo.lock", "rustfmt.toml", "crates", "games", "docs")


def copy_of_the_workspace() -> Path:
    """The sources, always in the same place, so that the compiler finds what it did last time."""
    copy = ROOT / "target/adding-a-game"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name)
        else:
            shutil.copy2(source, copy / name)
    return copy


def run(commands: str, *, workspace: Path) -> str:
    """Return the output of commands that must succeed."""
    done = subprocess.run(
        ["bash", "-ec", commands],
        cwd=workspace,
        env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target"), "CARGO_NET_OFFLINE": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout}"
    return done.stdout


def add_line(text: str, *, file: Path, after: str) -> None:
    """Puts a line below the last one that begins with a word."""
    lines = file.read_text("utf-8").splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.lstrip().startswith(after)]
    assert places, f"{file}: no line begins with {after}"
    lines.insert(places[-1] + 1, text)
    file.write_text("".join(lines), "utf-8")


@pytest.mark.long
@pytest.mark.timeout(1200)  # It compiles the workspace.
def test_the_guide_makes_a_game_that_keeps_the_contract() -> None:
    workspace = copy_of_the_workspace()
    said = []
    for fence in FENCE.finditer(GUIDE.read_text("utf-8")):
        match fence["what"].split():
            case ["run"]:
                said.append(run(fence["text"], workspace=workspace))
            case [file, after]:
                add_line(
                    fence["text"],
                    file=workspace / file.removeprefix("add-to="),
                    after=after.removeprefix("after="),
                )
            case other:
                raise AssertionError(f"the guide says {other}")
    suite = "\n".join(said)
    assert "test perft_counts_are_the_well_known_ones ... ok" in suite
    assert "test random_games_keep_the_contract ... ok" in suite
    run("rustfmt --check --edition 2024 games/tictactoe/src/lib.rs", workspace=workspace)
    assert faults(workspace / "games/tictactoe", ("tictactoe",)) == []
