"""scripts/prerequisites: what is missing is named, with a way to get it, before all else."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NEEDED_BY_THE_SCRIPT = ("bash", "cat", "env", "head", "rm", "sed", "sort")


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder of programs with nothing but what the script itself is made of."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in NEEDED_BY_THE_SCRIPT:
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    (tmp_path / "Cargo.toml").write_text((ROOT / "Cargo.toml").read_text("utf-8"), "utf-8")
    return programs


def install(machine: Path, **versions: str) -> None:
    """Programs that say which version they are."""
    for name, says in versions.items():
        program = machine / name
        program.write_text(f"#!/bin/sh\necho '{says}'\n", "utf-8")
        program.chmod(0o755)


def check(machine: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts/prerequisites"],
        cwd=machine.parent,
        env={"PATH": str(machine)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_bare_machine_is_told_everything_it_lacks(machine: Path) -> None:
    checked = check(machine)
    assert checked.returncode == 1
    missing = [line for line in checked.stderr.splitlines() if line.startswith("Missing: ")]
    assert [line.split()[1:2] for line in missing] == [["Python"], ["Rust"], ["a"]]
    for remedy in ("apt install python3", "rustup.rs", "build-essential"):
        assert remedy in checked.stderr


def test_an_old_version_is_named(machine: Path) -> None:
    (machine / "python3").symlink_to(sys.executable)
    install(machine, cargo="cargo 1.70.0 (abc)", cc="cc 12")
    checked = check(machine)
    assert checked.returncode == 1
    assert "(this is 1.70.0)" in checked.stderr
    assert "Python" not in checked.stderr


def test_a_complete_machine_passes_and_its_python_is_printed(machine: Path) -> None:
    (machine / "python3").symlink_to(sys.executable)
    install(machine, cargo="cargo 1.100.0", cc="cc 12")
    checked = check(machine)
    assert checked.stderr == ""
    assert checked.returncode == 0
    assert checked.stdout == f"{machine / 'python3'}\n"


def test_an_environment_of_another_place_is_made_anew(machine: Path) -> None:
    (machine / "python3").symlink_to(sys.executable)
    install(machine, cargo="cargo 1.100.0", cc="cc 12")
    environment = machine.parent / ".venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin/python").symlink_to(sys.executable)
    (environment / ".home").write_text("/elsewhere", "utf-8")
    checked = check(machine)
    assert checked.returncode == 0
    assert "Creating it again" in checked.stderr
    assert not environment.exists()


def test_a_recent_node_is_used_and_an_old_one_replaced(machine: Path) -> None:
    root = machine.parent
    for name in ("mkdir", "ln", "chmod"):
        (machine / name).symlink_to(shutil.which(name) or "")
    (root / "scripts").mkdir()
    (root / "scripts/step").write_text('#!/bin/sh\necho "$1"\n', "utf-8")
    (root / "scripts/step").chmod(0o755)
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").write_text(f"#!/bin/sh\necho {root}/package\n", "utf-8")
    (root / ".venv/bin/python").chmod(0o755)
    install(machine, npm="10.0.0")
    for status, linked in ((0, []), (1, ["node", "npm"])):
        (machine / "node").write_text(f"#!/bin/sh\nexit {status}\n", "utf-8")
        (machine / "node").chmod(0o755)
        subprocess.run(
            [ROOT / "scripts/get-node"], cwd=root, env={"PATH": str(machine)}, check=True
        )
        assert sorted(path.name for path in (root / ".venv/node").iterdir()) == linked
