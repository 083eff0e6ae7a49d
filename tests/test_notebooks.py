"""The notebooks run without errors, and are stored without outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = Path(__file__).parent.parent / "docs/notebooks"
NAMES = ("play", "agent", "training", "report", "puzzles")
LONG = ("training", "report")
SECONDS = 200


def read(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def test_every_notebook_is_listed() -> None:
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NAMES)
    page = (FOLDER / "index.md").read_text("utf-8")
    assert [name for name in NAMES if f"({name}.ipynb)" not in page] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    for cell in read(name).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in LONG else []) for name in NAMES],
)
def test_a_notebook_runs(name: str, tmp_path: Path) -> None:
    book = read(name)
    client = nbclient.NotebookClient(
        book, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
    errors = [output for output in outputs if output.output_type == "stream"]
    assert [output.text for output in errors if output.name == "stderr"] == []
    assert any("text/html" in output.get("data", {}) for output in outputs)
