"""UGI lines: formatted lines are parsed again, and invalid ones are ignored."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola import Info, Limits
from tavola.engines.ugi_messages import go_line, info_line, position_line, read_info
from tests.profiles import examples

WORDS = st.sampled_from(
    [
        "info",
        "depth",
        "nodes",
        "time",
        "score",
        "shares",
        "proven",
        "pv",
        "multipv",
        "string",
        "worth",
    ]
)
NUMBERS = st.sampled_from(["1", "0.5", "-1", "nan", "inf", "1e999", "99999999999999999999", "٣"])


@settings(max_examples=examples(50))
@given(st.lists(WORDS | NUMBERS | st.text(max_size=5), max_size=20), st.integers(2, 4))
def test_any_line_is_read_or_passed_over(words: list[str], seats: int) -> None:
    info = read_info(" ".join(["info", *words]), seats=seats)
    if info is not None and info.shares is not None:
        assert len(info.shares) == seats
        assert all(0 <= share <= 1 for share in info.shares)
    if info is not None:
        assert (info.nodes or 0) >= 0
        assert info.shares is not None or not info.proven


@pytest.mark.parametrize(
    "info",
    [
        Info(shares=(0.25, 0.75), nodes=300, seconds=0.5, variation=("Pne", "Pw")),
        Info(shares=(0.25, 0.75), worth=(0.2, 0.8), nodes=300),
        Info(shares=(0.0, 0.0, 1.0), proven=True, depth=7, nodes=0, seconds=0.0),
        Info(shares=(0.0, 1.0), proven=True, worth=(0.0, 1.0)),
        Info(variation=("nodes", "depth")),
    ],
)
def test_thoughts_are_read_as_they_were_written(info: Info) -> None:
    seats = len(info.shares or (0, 0))
    assert read_info(info_line(info), seats=seats) == info
    assert read_info(info_line(info, rank=1), seats=seats) == info
    assert read_info(info_line(info, rank=2), seats=seats) is None


def test_positions_and_limits() -> None:
    assert position_line(None, ()) == "position startpos"
    assert position_line(None, ("a", "b")) == "position startpos moves a b"
    assert position_line("x y", ("a",)) == "position fen x y moves a"
    assert go_line(Limits()) == "go infinite"
    assert go_line(Limits(seconds=0.0001)) == "go movetime 1"
    assert go_line(Limits(seconds=1.5, nodes=3, depth=2)) == "go movetime 1500 nodes 3 depth 2"
