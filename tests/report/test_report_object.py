"""A report as an object: its games, measures and page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavola.executors import ProcessExecutor
from tavola.report import Plan, Report, make_report

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def report() -> Report:
    row: dict[str, str | int] = {"layout": "row"}
    settings = ({"actions": 2, **row}, {"actions": 3, **row})
    plan = Plan(game="potlatch", settings=settings, levels=(1,), games=4, skill_games=0)
    told: list[tuple[int, int]] = []
    made = make_report(
        plan,
        language="ja",
        executor=ProcessExecutor(1),
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(number, 8) for number in range(1, 9)]
    return made


def test_a_report_has_measures_and_tables(report: Report) -> None:
    assert [found.games for found in report.measures] == [4, 4]
    assert report.games.num_rows == 8
    assert report.actions.num_rows > 8
    assert repr(report) == "<Report on potlatch, 8 games>"


@pytest.mark.long
def test_a_report_shows_and_saves_its_page(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "a.html")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert '<html lang="ja">' in page
    assert "tavola report potlatch" in page
    assert ".parquet" not in page, "there are no files"
    assert "srcdoc=" in report._repr_html_()
