"""The history of the benchmarks."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from rich.console import Console

from benches import history
from benches.comparison import Candidate, compare
from benches.serving import Figure, Serving


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lets the history write below a folder of its own."""
    monkeypatch.setattr(history, "FILE", tmp_path / "history.csv")
    monkeypatch.setattr(history, "PLOT", tmp_path / "plot.svg")
    history.FILE.write_text(",".join(history.Row._fields) + "\n")
    return tmp_path


def test_a_run_is_recorded_as_its_files_have_it(files: Path) -> None:
    ticks = iter(range(100))
    compared = compare(
        title="Vector steps beside connect_four, batch 8",
        unit="steps",
        candidates=[
            Candidate(name="Tavola potlatch", ours=True, run=lambda: 6),
            Candidate(name="Tavola potlatch, float planes", ours=True, run=lambda: 3),
            Candidate(name="PGX connect_four", ours=False, run=lambda: 2),
        ],
        rounds=2,
        console=Console(quiet=True),
        clock=lambda: float(next(ticks)),
    )
    served = Serving(
        (
            Figure(name="Tavola, proteus", rounds=(4.0, 4.4, 5.0), unit="times boardgame.io"),
            Figure(name="Tavola, proteus", rounds=(5000.0,), unit="actions a second"),
        )
    )
    tables = json.loads(json.dumps([compared.as_json(), served.as_json()]))
    rows = history.record(tables, date(2026, 11, 28), "0a1b2c3d")
    assert {row[:2] for row in rows} == {("2026-11-28", "0a1b2c3d")}
    assert [row[2:] for row in rows] == [
        ("Vector environments", "potlatch", "", 3.0),
        ("Vector environments", "potlatch", "float planes", 1.5),
        ("Serving", "proteus", "", 4.4),
    ]
    assert history.read() == rows
    assert "Potlatch Klone" in history.PLOT.read_text()


def test_a_damaged_row_is_refused() -> None:
    with pytest.raises(ValueError, match="6 cells, but this one 2"):
        history.Row.parse(["2026-11-28", "3.0"])


def test_the_plot_of_the_docs_shows_every_benchmark_of_the_file() -> None:
    drawn = history.PLOT.read_text()
    for row in history.read():
        assert row.benchmark in drawn
        assert row.benchmark in history.BENCHMARKS.values()
