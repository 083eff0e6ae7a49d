"""`tavola.records_table` and `tavola export`: the same records as `read_records`, as columns."""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola
from tavola import record_table as module
from tavola.cli.app import run

pa = pytest.importorskip("pyarrow")

Out = pytest.CaptureFixture[str]
GOLDEN = sorted(Path(__file__).parent.parent.glob("games/*/tests/records/*.txt"))


def check(table: object, records: tuple[tavola.Record, ...]) -> None:
    """Compare a table with the records."""
    rows = table.to_pylist()  # type: ignore[attr-defined]
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        for tag, value in record.tags:
            assert row[tag.lower()] == value
        assert sum(value is not None for value in row.values()) == len(record.tags) + 3
        assert tuple(row["tokens"]) == record.actions
        assert row["turn_numbers"] == [step.turn for step in record.line]
        assert row["comments"] == [" ".join(step.comments) or None for step in record.line]


@pytest.mark.long
def test_a_table_contains_the_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = tuple(record for path in GOLDEN for record in tavola.read_records(path))
    check(tavola.records_table(GOLDEN), expected)
    # One file, read in pieces that cut records.
    path = tmp_path / "all.txt"
    path.write_text("\n".join(text.read_text("utf-8") for text in GOLDEN), "utf-8")
    for size in (200, 5000, 1 << 30):
        monkeypatch.setattr(module, "PIECE", size)
        check(tavola.records_table(path), expected)


def test_tags_comments_and_variations(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text(
        '﻿[Game "toy"]\n[Tokens "x"]\n\n1. a {good} {very} (b) c 2. d\n\n'
        '[Event "only"]\n[Game "toy"]\n',
        "utf-8",
    )
    table = tavola.records_table(str(path))
    assert table["tokens"].to_pylist() == [["a", "c", "d"], []]
    assert table["turn_numbers"].to_pylist() == [[1, None, 2], []]
    assert table["comments"].to_pylist() == [["good very", None, None], []]
    assert table["event"].to_pylist() == [None, "only"]


def test_nothing_is_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "none.txt"
    path.write_text("")
    assert tavola.records_table(path).num_rows == 0
    assert tavola.records_table([]).column_names == ["tokens", "turn_numbers", "comments"]


@pytest.mark.parametrize("size", [10, 1 << 20])
def test_an_error_names_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(module, "PIECE", size)
    path = tmp_path / "wrong.txt"
    path.write_text('[Game "a"]\n\n1. x\n\n[Game "b"]\n\n1. y {open\n')
    with pytest.raises(tavola.RecordError) as caught:
        tavola.records_table(path)
    assert caught.value.line == 7
    with pytest.raises(OSError, match="nothing"):
        tavola.records_table(tmp_path / "nothing.txt")


def test_export_writes_what_parquet_reads(tmp_path: Path, capsys: Out) -> None:
    import pyarrow.parquet as pq

    out = tmp_path / "games.parquet"
    assert run(["export", *map(str, GOLDEN[:3]), "-o", str(out)]) == 0
    assert f"{out}: 3." in capsys.readouterr().out
    check(
        pq.read_table(out), tuple(one for path in GOLDEN[:3] for one in tavola.read_records(path))
    )


def test_export_says_what_is_wrong(tmp_path: Path, capsys: Out) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("a1")
    out = tmp_path / "games.parquet"
    assert run(["export", str(wrong), "-o", str(out)]) == 2
    assert "line 1" in capsys.readouterr().err
    assert run(["export", str(tmp_path / "missing.txt"), "-o", str(out)]) == 2
    assert "missing.txt" in capsys.readouterr().err
    assert run(["export", str(GOLDEN[0]), "-o", "/proc/x/y"]) == 2
    assert not out.exists()
