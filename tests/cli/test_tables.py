"""Tables keep every figure, on a narrow terminal and in a file."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.table import Table

from tavola.cli.tables import print_table

FIGURES = ("1,234,567.8", "12.3", "at most 1,000")


@pytest.mark.parametrize("terminal", [True, False])
def test_figures_are_whole_and_labels_wrap(terminal: bool) -> None:
    table = Table("What", title="Figures")
    for name in ("median", "least", "bar"):
        table.add_column(name, justify="right", no_wrap=True)
    label = "Tavola, a long label of a figure in many words, times the peer"
    table.add_row(label, *FIGURES)
    written = io.StringIO()
    print_table(table, Console(file=written, width=40, force_terminal=terminal, color_system=None))
    text = written.getvalue()
    assert all(figure in text for figure in FIGURES)
    assert "…" not in text
    assert (label in text) is not terminal
