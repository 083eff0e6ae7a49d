"""Passtally's rule book, words and art: the figures show what their captions say."""

import json
import re
from itertools import pairwise

import pytest

import tavola
from tests import references, rule_books
from tests.rule_books import LANGUAGES

TYPES = ("SS", "LL", "RR", "SL", "SR", "RL")
CLAIM = {
    "en": re.compile(r"(\d+) pass(?:es)?, (\d+) points?"),
    "ja": re.compile(r"(\d+)パス、(\d+)点"),
}

reference = references.load("passtally")


def _scoring(state: tavola.State) -> tuple[int, int]:
    """Return the passes and points if the turn of the seat to act ended now."""
    (table,) = [card for card in rule_books.view(state)["cards"] if card["id"] == "table"]
    return table["text"]["params"]["passes"], table["text"]["params"]["points"]


def _lines(state: tavola.State, seat: int) -> dict[str, int]:
    """The passes of a seat's lines."""
    lines = [line for line in rule_books.view(state)["lines"] if line["owner"] == seat]
    return {line["id"]: line["label"]["params"]["n"] for line in lines}


def _covered(token: str) -> set[str]:
    """Return the cells that a tile's token covers."""
    column, row, direction = token[4], token[5], token[6]
    right, up = {"e": (1, 0), "s": (0, -1), "w": (-1, 0), "n": (0, 1)}[direction]
    return {column + row, chr(ord(column) + right) + str(int(row) + up)}


def _tiles(state: tavola.State) -> list[str]:
    return [token for token in state.legal_actions if "@" in token]


def test_what_is_played_in_a_figure_is_seen_in_the_next() -> None:
    figures = rule_books.figures("passtally")
    played = [(before, after) for before, after in pairwise(figures) if before.play]
    assert len(played) == 6
    for before, after in played:
        assert before.after().text == after.position


def test_rings_of_tiles_to_lay_are_what_they_cover() -> None:
    for figure in rule_books.figures("passtally"):
        tiles = [token for token in figure.play.split() if "@" in token]
        if tiles:
            assert set(figure.rings.split()) == set().union(*map(_covered, tiles))


@pytest.mark.parametrize("language", LANGUAGES)
def test_passes_and_points_are_as_claimed(language: str) -> None:
    checked = 0
    for before, figure in pairwise(rule_books.figures("passtally", language)):
        for passes, points in CLAIM[language].findall(figure.caption):
            state, claimed = figure.state(), (int(passes), int(points))
            checked += 1
            if before.play and state.to_act != before.state().to_act:  # the turn is over
                seat = before.state().to_act
                assert seat is not None
                then = [json.loads(one.view_json())["seats"] for one in (before.state(), state)]
                was, now = [seats[seat]["counters"][0]["value"] for seats in then]
                assert (sum(_lines(state, seat).values()), now - was) == claimed, figure
            else:
                assert _scoring(state) == claimed, figure
    assert checked == 8


def test_the_seed_s_examples() -> None:
    one, two = (
        rule_books.figure("passtally", "levels 1, 1, 2 and 1"),
        rule_books.figure("passtally", "second line as well"),
    )
    assert _lines(one.state(), 0) == {"Nc-W2": 5}
    assert one.position.split()[0] == two.position.split()[0]
    assert _lines(two.state(), 0) == {"Nb-Sd": 4, "Nc-W2": 5}
    (line,) = [line for line in rule_books.view(one.state())["lines"] if line["owner"] == 0]
    met = [0, *(count["n"] for count in line["counts"])]
    assert [after - before for before, after in pairwise(met)] == [1, 1, 2, 1]


def _table(rows: list[str]) -> dict[str, int]:
    """Points by the passes as they are written: 1, 2-3, 56."""
    passes, points = rows
    ranges = [re.sub(r"\D*$", "", cell).strip() for cell in passes.split("|")]
    ranges = [re.sub(r"[-–〜]", "-", cell) for cell in ranges]
    return dict(zip(ranges, map(int, points.split("|")), strict=True))


def test_the_tables_are_those_of_the_rules() -> None:
    tables = []
    for language in LANGUAGES:
        rows = r"^\| (?:passes|points|パス数|勝利点) \| (.*) \|$"
        found = re.findall(rows, rule_books.book("passtally", language), re.MULTILINE)
        # The table of the rules, and the same one in the summary.
        assert len(found) == 4
        assert found[:2] == found[2:]
        tables.append(_table(found[:2]))
    english, japanese = tables
    assert english == japanese
    for passes, points in english.items():
        least, _, most = passes.partition("-")
        for number in range(int(least), int(most or least) + 1):
            assert reference.points_for(number) == points, number
    assert reference.points_for(55) < reference.points_for(56) == reference.points_for(1000)
    card = re.search(r'<g id="card-table".*?</g>\n</g>', rule_books.symbols("passtally"), re.DOTALL)
    assert card
    drawn = re.findall(r">([^<>\n]+)</text>", card[0])
    assert [cell.replace("–", "-").rstrip("+") for cell in drawn] == [
        *(passes for passes in english if passes != "0"),
        *(str(points) for points in english.values() if points),
    ]


def test_rings_for_markers_to_place_are_where_they_may_go() -> None:
    for part in ("Violet must follow there", "Orange chooses the right or the left"):
        figure = rule_books.figure("passtally", part)
        assert set(figure.rings.split()) == set(figure.state().legal_actions)


def test_rings_for_a_marker_are_where_it_may_go() -> None:
    figure = rule_books.figure("passtally", "Orange's marker on E6")
    moves = {token for token in figure.state().legal_actions if token.startswith("E6-")}
    assert moves == {f"E6-{position}" for position in figure.rings.split()}


def test_where_tiles_may_lie_and_where_not() -> None:
    legal, exact = (
        rule_books.figure("passtally", "may go there"),
        rule_books.figure("passtally", "But not on c3 and d3"),
    )
    assert legal.position == exact.position
    covered = [_covered(token) for token in _tiles(legal.state())]
    assert set(legal.rings.split()) == {"c3", "c4"} in covered
    assert set(exact.rings.split()) == {"d3", "d4"} not in covered
    assert {"c3", "d3"} not in covered


def test_a_tower_alone_cannot_be_covered_at_once() -> None:
    figure = rule_books.figure("passtally", "cannot be covered by the next action")
    covered = [_covered(token) for token in _tiles(figure.state())]
    assert len(covered) > 100
    assert not any(cells & set(figure.rings.split()) for cells in covered)
    assert any(cells & {"b3", "b4", "c3", "c4"} for cells in covered)  # the green tiles can


def test_one_tile_takes_the_line_away() -> None:
    assert _lines(rule_books.figure("passtally", "Orange scores from Nc to W2").state(), 0) == {
        "Nc-W2": 5
    }
    assert _lines(rule_books.figure("passtally", "ends at E5").state(), 0) == {}
    assert _lines(rule_books.figure("passtally", "in other pairs").state(), 0) == {
        "Nb-W2": 6,
        "Nc-Sd": 5,
    }
    assert _lines(rule_books.figure("passtally", "over eleven stretches").state(), 0) == {
        "Nb-Sd": 15
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_are_named_by_their_shapes(language: str) -> None:
    names = [rule_books.words("passtally", language)[f"type.{kind}"] for kind in TYPES]
    assert all(kind in name for kind, name in zip(TYPES, names, strict=True))
    assert len(set(names)) == len(TYPES)


def test_lines_go_from_the_middle_of_an_edge_to_the_middle_of_another() -> None:
    """The symbols match the lines of the engine: straight, or curves bent at the centre."""
    paths = dict(
        re.findall(r'<path id="passtally-([SLR])" d="([^"]+)"', rule_books.symbols("passtally"))
    )
    for shape, joined in {
        "S": ("M0 -50V50", "M-50 0H50"),
        "L": ("M0 -50V-50Q0 0 -50 0H-50", "M0 50V50Q0 0 50 0H50"),
        "R": ("M0 -50V-50Q0 0 50 0H50", "M0 50V50Q0 0 -50 0H-50"),
    }.items():
        assert paths[shape].replace("50.3", "50") == "".join(joined)


def test_every_half_is_printed_with_its_shape_in_its_colour() -> None:
    names = ("red", "green", "yellow", "blue", "cyan", "pink")
    symbols = dict(
        re.findall(r'<g id="([^"]+)"[^>]*>\n(.*?)</g>', rule_books.symbols("passtally"), re.DOTALL)
    )
    for kind, colour in zip(TYPES, names, strict=True):
        for half in (0, 1):
            for state in ("half", "lone"):
                drawn = symbols[f"{state}-{kind}-{half}"]
                assert f'href="#passtally-{kind[half]}"' in drawn
                assert f'fill="var(--{colour})"' in drawn
            assert f'href="#half-{kind}-{half}"' in symbols[f"tile-{kind}"]


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_lines_stand_out_on_the_highest_tiles_too(mode: str) -> None:
    theme = rule_books.theme("passtally")
    tint = 6 * theme["depth"]["tint"]
    colours = {name: both[mode] for name, both in theme["colours"].items()}
    for name in ("red", "green", "yellow", "blue", "cyan", "pink", "paper"):
        parts = [
            round((1 - tint) * int(colours[name][at : at + 2], 16))
            + round(tint * int(colours["shade"][at : at + 2], 16))
            for at in (1, 3, 5)
        ]
        deepest = "#" + "".join(f"{part:02x}" for part in parts)
        assert rule_books.contrast(colours["ink"], deepest) >= 3.0, name
