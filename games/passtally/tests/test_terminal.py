"""The board in the terminal: lines, joints, levels and the rim, with and without Unicode."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

import tavola
from tavola.cli.board import painter
from tavola.view import View

THEME = Path(__file__).parent.parent / "art" / "theme.json"
POSITION = (
    "-,-,-,-,-,-/-,-,-,-,-,-/-,S2e,L2w,R1,-,-/-,R1,R1,R2e,R2w,-/-,-,R1e,S1w,L1,-/-,-,-,-,-,- "
    "Nb,Nc,Sd,W2;Ne,E1,Sc,W5 9;0 RR10;LL10;SS12 6,4,4,6,6,6 1 0 - 0"
)


def drawn(*, unicode: bool) -> list[str]:
    """The lines of the position's board."""
    state = tavola.load("passtally").parse(POSITION)
    view = msgspec.json.decode(state.view_json(), type=View)
    console = Console(width=120, color_system=None)
    with console.capture() as captured:
        console.print(painter("passtally", "en", unicode=unicode).board(view, hints=False))
    return captured.get().splitlines()


@pytest.mark.parametrize(
    ("unicode", "upper", "lower"),
    [
        (True, ["┼→2", "╯╭←2", "╰╮1"], ["╰╮1", "╰╮1", "╰╮→2", "╰╮←2"]),
        (False, ["+>2", "/<2", "\\1"], ["\\1", "\\1", "\\>2", "\\<2"]),
    ],
)
def test_halves_show_shape_joint_and_level(
    unicode: bool, upper: list[str], lower: list[str]
) -> None:
    lines = drawn(unicode=unicode)
    for name, halves in (("b4", upper), ("b3", lower)):
        (row,) = [number for number, line in enumerate(lines) if f" {name} " in line]
        found = [part for part in lines[row + 1].split() if part.strip("[]") and part[-1] in "12"]
        assert found == halves


def test_the_rim_stands_around_the_board() -> None:
    lines = drawn(unicode=True)
    (row,) = [line for line in lines if " W5 " in line]
    assert row.split(" E5")[0].count("5") == 7  # W5, a5 to f5
    (above,) = [number for number, line in enumerate(lines) if " Nb " in line]
    assert lines[above + 1].split() == ["○", "●", "●", "○", "■", "○"]


@pytest.mark.parametrize("kind", ["glyph", "ascii"])
def test_every_half_looks_different_in_every_shape_and_direction(kind: str) -> None:
    looks: dict[str, dict[str, Any]] = json.loads(THEME.read_text(encoding="utf-8"))["terminal"]
    told = set()
    for kinds in ("SS", "LL", "RR", "SL", "SR", "RL"):
        for half in (0, 1):
            look = looks[f"half-{kinds}-{half}"]
            for quarter, turned in enumerate([look, *look["turned"]]):
                swapped = {"S": "S", "L": "R", "R": "L"}[kinds[half]]
                shape = swapped if quarter % 2 else kinds[half]
                told.add((shape, "eswn"[(quarter + 2 * half) % 4], turned[kind]))
            lone = looks[f"lone-{kinds}-{half}"]
            for quarter, turned in enumerate([lone, *lone.get("turned", [lone] * 3)]):
                shape = swapped if quarter % 2 else kinds[half]
                told.add((shape, "", turned[kind]))
    told |= {(shape, "", looks[f"lone-{shape}"][kind]) for shape in "SLR"}
    # One look for each shape and joint, and no two alike.
    assert len(told) == len({look for *_, look in told}) == 3 * 5
