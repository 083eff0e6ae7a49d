"""Terminals of other encodings, input that is no text, Japanese lines."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len

from tavola.cli.app import run
from tavola.cli.line_breaks import breaks


def tavola(
    *arguments: str, said: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "tavola", *arguments],
        input=said,
        capture_output=True,
        timeout=120,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["euc_jp", "latin-1", "cp1252", "cp932"])
def test_a_rule_book_is_shown_in_any_encoding(encoding: str) -> None:
    shown = tavola("--lang", "en", "rules", "potlatch", PYTHONIOENCODING=encoding)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert "Potlatch Klone" in shown.stdout.decode(encoding)


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_game_is_played_on_a_terminal_of_windows(language: str) -> None:
    played = tavola(
        "--lang",
        language,
        "play",
        "potlatch",
        said=b"?\r\nPne\r\nq\r\n",
        PYTHONUTF8="0",
        PYTHONIOENCODING="cp1252",
    )
    assert (played.returncode, played.stderr) == (0, b"")
    assert "Pne" in played.stdout.decode("cp1252")


@pytest.mark.long
def test_input_that_is_not_utf_8_is_refused() -> None:
    refused = tavola("--lang", "en", "analyse", "-", said=b'[Game "potl\xe9"]\n')
    assert refused.returncode == 2
    assert b"Traceback" not in refused.stderr


def test_japanese_lines_are_full() -> None:
    text = "手番では 2 個の部屋を（壁で）囲みます。" * 8
    places = [0, *breaks(text, 40), len(text)]
    lines = [text[first:last].rstrip() for first, last in pairwise(places)]
    assert "".join(text.split()) == "".join("".join(lines).split())
    for line in lines[:-1]:
        assert 34 <= cell_len(line) <= 40
        assert line[0] not in "。）"
        assert line[-1] != "（"
    assert breaks("ab cd efg", 5) == [6]
    assert breaks("abcdefg", 3) == [3, 6]


def test_an_export_is_named_after_its_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "games.txt", "-o", str(tmp_path / "e.csv")]) == 2
    assert ".parquet" in capsys.readouterr().err
