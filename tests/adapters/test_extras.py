"""An adapter whose framework is not installed names the command that installs it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "package"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")],
)
def test_without_its_framework_the_import_names_the_remedy(module: str, package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; import tavola.adapters.{module}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 1
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert last.endswith(f'install it: pip install "tavola[{module}]"')


def test_tavola_itself_needs_none_of_them() -> None:
    program = (
        "import sys, tavola, tavola.adapters; "
        "print({'pettingzoo', 'gymnasium', 'pyspiel'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "set()\n"
