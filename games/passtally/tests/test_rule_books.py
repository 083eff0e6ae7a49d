"""Rule books, words, art: languages alike, what figures claim is so, every word there and used."""

import json
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import pytest

import tavola
from tests import references

GAME = Path(__file__).parent.parent
LANGUAGES = ("en", "ja")
CLAUSES = [f"clause-{number}" for number in (*range(1, 23), "18a")]
CHAPTERS = ["how-to-score", "how-to-block"]
# Asked for by whatever shows the game before or beside a position, not by its views.
ASKED_ELSEWHERE = ("game.", "option.", "kind.")
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
TYPES = ("SS", "LL", "RR", "SL", "SR", "RL")
CLAIM = {
    "en": re.compile(r"(\d+) pass(?:es)?, (\d+) points?"),
    "ja": re.compile(r"(\d+)パス、(\d+)点"),
}


@dataclass(frozen=True)
class Figure:
    """A position to be drawn, with what is drawn on it."""

    position: str
    options: str = ""
    play: str = ""
    rings: str = ""
    caption: str = ""

    @classmethod
    def read(cls, block: str) -> Self:
        """Reads the lines ``field: value`` of a fenced block."""
        return cls(**dict(line.split(": ", 1) for line in block.strip().splitlines()))

    def state(self) -> tavola.State:
        """The position, by the engine."""
        options = dict(word.split("=") for word in self.options.split())
        return tavola.load("passtally", **options).parse(self.position)

    def after(self) -> tavola.State:
        """The position that its actions lead to."""
        return self.state().play_all(self.play)


def _book(language: str) -> str:
    return (GAME / "rules" / f"{language}.md").read_text(encoding="utf-8")


def _figures(language: str) -> list[Figure]:
    blocks = re.findall(r"^```figure\n(.*?)^```$", _book(language), re.MULTILINE | re.DOTALL)
    return [Figure.read(block) for block in blocks]


def _figure(part: str) -> Figure:
    """The one English figure whose caption says this."""
    (figure,) = [figure for figure in _figures("en") if part in figure.caption]
    return figure


def _skeleton(language: str) -> list[str]:
    """Headings by level, anchors and figures without words, in the book's order."""
    found = []
    pattern = r"^(#+) |\{#([a-z0-9-]+)\}$|^(?:position|options|play|rings): .*$|^```figure$"
    for match in re.finditer(pattern, _book(language), re.MULTILINE):
        found.append(match[1] or match[2] or match[0])
    return found


def _words(language: str) -> dict[str, Any]:
    text = (GAME / "art" / "words" / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text)
    return words


def _texts(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def _parameters(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _view(state: tavola.State) -> dict[str, Any]:
    view: dict[str, Any] = json.loads(state.view_json())
    return view


reference = references.load("passtally")


def _scoring(state: tavola.State) -> tuple[int, int]:
    """Passes and points if the turn of the seat to act ended so."""
    (table,) = [card for card in _view(state)["cards"] if card["id"] == "table"]
    return table["text"]["params"]["passes"], table["text"]["params"]["points"]


def _lines(state: tavola.State, seat: int) -> dict[str, int]:
    """The passes of a seat's lines."""
    lines = [line for line in _view(state)["lines"] if line["owner"] == seat]
    return {line["id"]: line["label"]["params"]["n"] for line in lines}


def _covered(token: str) -> set[str]:
    """The cells that a tile's token lays it on."""
    column, row, direction = token[4], token[5], token[6]
    right, up = {"e": (1, 0), "s": (0, -1), "w": (-1, 0), "n": (0, 1)}[direction]
    return {column + row, chr(ord(column) + right) + str(int(row) + up)}


def _tiles(state: tavola.State) -> list[str]:
    return [token for token in state.legal_actions if "@" in token]


# The rule books


def test_both_books_have_the_same_sections_anchors_and_figures() -> None:
    english, japanese = map(_skeleton, LANGUAGES)
    assert english == japanese
    assert len(_figures("en")) >= 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_can_be_linked_to(language: str) -> None:
    anchors = re.findall(r"\{#([a-z0-9-]+)\}$", _book(language), re.MULTILINE)
    assert sorted(anchors) == sorted([*CLAUSES, *CHAPTERS])
    assert "](#how-to-score)" in _book(language)


@pytest.mark.parametrize("figure", _figures("en"), ids=lambda figure: figure.caption[:40])
def test_figures_show_possible_positions_and_legal_actions(figure: Figure) -> None:
    state = figure.state()
    assert state.text == figure.position
    cells = {cell["id"] for area in _view(state)["areas"] for cell in area["cells"]}
    assert set(figure.rings.split()) <= cells
    assert (figure.after().text != figure.position) == bool(figure.play)
    laid = [token for token in figure.play.split() if "@" in token]
    if laid:
        assert set(figure.rings.split()) == set().union(*map(_covered, laid))


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_told_in_words(language: str) -> None:
    for figure in _figures(language):
        assert bool(JAPANESE.search(figure.caption)) == (language == "ja"), figure
        assert len(figure.caption) > 10


def test_what_is_played_in_a_figure_is_seen_in_the_next() -> None:
    figures = _figures("en")
    played = [(before, after) for before, after in pairwise(figures) if before.play]
    assert len(played) == 6
    for before, after in played:
        assert before.after().text == after.position


@pytest.mark.parametrize("language", LANGUAGES)
def test_passes_and_points_are_as_claimed(language: str) -> None:
    checked = 0
    for before, figure in pairwise(_figures(language)):
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
    one, two = _figure("storeys 1, 1, 2 and 1"), _figure("second line as well")
    assert _lines(one.state(), 0) == {"Nc-W2": 5}
    assert one.position.split()[0] == two.position.split()[0]
    assert _lines(two.state(), 0) == {"Nb-Sd": 4, "Nc-W2": 5}
    (line,) = [line for line in _view(one.state())["lines"] if line["owner"] == 0]
    met = [0, *(count["n"] for count in line["counts"])]
    assert [after - before for before, after in pairwise(met)] == [1, 1, 2, 1]


def _table(rows: list[str]) -> dict[str, int]:
    """Points by the passes as they are written: 1, 2-3, 56."""
    passes, points = rows
    ranges = [re.sub(r"\D*$", "", cell).strip() for cell in passes.split("|")]
    ranges = [re.sub(r"[-–～]", "-", cell) for cell in ranges]
    return dict(zip(ranges, map(int, points.split("|")), strict=True))


def test_the_tables_are_those_of_the_rules() -> None:
    tables = []
    for language in LANGUAGES:
        rows = r"^\| (?:passes|points|パス数|勝利点) \| (.*) \|$"
        tables.append(_table(re.findall(rows, _book(language), re.MULTILINE)))
    english, japanese = tables
    assert english == japanese
    for passes, points in english.items():
        least, _, most = passes.partition("-")
        for number in range(int(least), int(most or least) + 1):
            assert reference.points_for(number) == points, number
    assert reference.points_for(55) < reference.points_for(56) == reference.points_for(1000)
    card = re.search(r'<g id="card-table".*?</g>\n</g>', _symbols(), re.DOTALL)
    assert card
    drawn = re.findall(r">([^<>\n]+)</text>", card[0])
    assert [cell.replace("–", "-").rstrip("+") for cell in drawn] == [
        *(passes for passes in english if passes != "0"),
        *(str(points) for points in english.values() if points),
    ]


def test_rings_for_markers_to_place_are_where_they_may_go() -> None:
    for part in ("Violet must follow there", "Orange opens the right or the left"):
        figure = _figure(part)
        assert set(figure.rings.split()) == set(figure.state().legal_actions)


def test_rings_for_a_marker_are_where_it_may_go() -> None:
    figure = _figure("Orange's marker on E6")
    moves = {token for token in figure.state().legal_actions if token.startswith("E6-")}
    assert moves == {f"E6-{position}" for position in figure.rings.split()}


def test_where_tiles_may_lie_and_where_not() -> None:
    legal, exact = _figure("may be laid there"), _figure("But not on c3 and d3")
    assert legal.position == exact.position
    covered = [_covered(token) for token in _tiles(legal.state())]
    assert set(legal.rings.split()) == {"c3", "c4"} in covered
    assert set(exact.rings.split()) == {"d3", "d4"} not in covered
    assert {"c3", "d3"} not in covered


def test_a_tower_alone_cannot_be_covered_at_once() -> None:
    figure = _figure("cannot be covered by the next action")
    covered = [_covered(token) for token in _tiles(figure.state())]
    assert len(covered) > 100
    assert not any(cells & set(figure.rings.split()) for cells in covered)
    assert any(cells & {"b3", "b4", "c3", "c4"} for cells in covered)  # the green tiles can


def test_one_tile_takes_the_line_away() -> None:
    assert _lines(_figure("Orange scores from Nc to W2").state(), 0) == {"Nc-W2": 5}
    assert _lines(_figure("comes out at E5").state(), 0) == {}
    assert _lines(_figure("in other pairs").state(), 0) == {"Nb-W2": 6, "Nc-Sd": 5}
    assert _lines(_figure("over eleven stretches").state(), 0) == {"Nb-Sd": 15}


# The words


def test_both_languages_have_the_same_words_and_parameters() -> None:
    english, japanese = map(_words, LANGUAGES)
    assert english.keys() == japanese.keys()
    for key in english:
        wanted = [
            set().union(*map(_parameters, _texts(words[key]))) for words in (english, japanese)
        ]
        assert wanted[0] == wanted[1], key


def test_plurals_are_complete() -> None:
    for language, forms in (("en", {"one", "other"}), ("ja", {"other"})):
        for key, entry in _words(language).items():
            if isinstance(entry, dict):
                assert entry.keys() == forms, key


def test_japanese_words_are_japanese() -> None:
    for key, entry in _words("ja").items():
        assert all(JAPANESE.search(text) for text in _texts(entry)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_are_named_by_their_shapes(language: str) -> None:
    names = [_words(language)[f"type.{kind}"] for kind in TYPES]
    assert all(kind in name for kind, name in zip(TYPES, names, strict=True))
    assert len(set(names)) == len(TYPES)


def _keys(data: Any) -> Iterator[str]:
    """Every key of the words that a view, an event or a refusal asks for."""
    if isinstance(data, dict):
        if isinstance(data.get("key"), str):
            yield data["key"]
        for value in data.values():
            yield from _keys(value)
    elif isinstance(data, list):
        for item in data:
            yield from _keys(item)


def _asked(state: tavola.State, dice: random.Random) -> Iterator[str]:
    """What is asked for when a state is shown, acted in, looked ahead from and touched."""
    view = _view(state)
    yield from _keys(view)
    actions = list(state.legal_actions) or [token for token, _ in state.chance_outcomes]
    for token in dice.sample(actions, min(12, len(actions))):
        yield from _keys(json.loads(state.events_json(token)))
        yield from _keys(json.loads(state.prospect_json(token)))
    cells = [cell["id"] for area in view["areas"] for cell in area["cells"]]
    touches = [[cell] for cell in dice.sample(cells, 12)]
    touches += [dice.choices(cells, k=2) for _ in range(30)]
    touches += [[f"pile-{dice.randint(1, 3)}", cell] for cell in dice.sample(cells[:36], 12)]
    for touched in touches:
        refusal = state.touch_refusal_json(touched, dice.choice([None, 0, 90, 180, 270]))
        yield from _refused(refusal)


def _refused(refusal: str | None) -> Iterator[str]:
    if refusal:
        yield from _keys(json.loads(refusal))
        assert f"clause-{json.loads(refusal)['clause']}" in CLAUSES


def _random_states(games: int) -> Iterator[tavola.State]:
    for seed in range(games):
        dice = random.Random(seed)
        state = tavola.load("passtally", players=dice.choice([2, 3])).start()
        while state.to_act is not None:
            yield state
            # Tiles rather than markers, so that games come to their ends.
            actions = list(state.legal_actions) or [token for token, _ in state.chance_outcomes]
            choices = _tiles(state) if dice.random() < 0.9 else actions
            state = state.play(dice.choice(choices or actions))
        yield state


def _examples() -> Iterator[tavola.State]:
    """The rule book's examples, with what random games hardly come to, before and after."""
    examples = json.loads((GAME / "tests" / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        game = tavola.load("passtally", **example["options"])
        state = game.parse(example["position"]) if example["position"] else game.start()
        yield state
        yield state.play_all(example["play"])


def test_every_word_asked_for_exists_and_every_word_is_asked_for() -> None:
    dice = random.Random(1)
    asked: set[str] = set()
    for state in (*_random_states(12), *_examples()):
        asked.update(_asked(state, dice))
    for figure in _figures("en"):
        asked.update(_asked(figure.state(), dice))
        asked.update(_asked(figure.after(), dice))
    known = {key for key in _words("en") if not key.startswith(ASKED_ELSEWHERE)}
    assert asked == known


def test_the_words_asked_for_elsewhere_are_those_of_the_game() -> None:
    described = json.loads(tavola._core.describe("passtally"))
    wanted = {"game.title", "game.tagline"}
    for option in described["options"]:
        wanted.add(f"option.{option['name']}")
        wanted.update(f"option.{option['name']}.{value}" for value in option["values"])
    for state in _random_states(1):
        actions = _view(state)["actions"]
        wanted.update(f"kind.{action['kind']}" for action in actions if action["kind"])
    assert wanted == {key for key in _words("en") if key.startswith(ASKED_ELSEWHERE)}


# The art


def _theme() -> dict[str, Any]:
    theme: dict[str, Any] = json.loads((GAME / "art" / "theme.json").read_text(encoding="utf-8"))
    return theme


def _symbols() -> str:
    return (GAME / "art" / "symbols.svg").read_text(encoding="utf-8")


def test_theme_and_symbols_agree() -> None:
    theme, symbols = _theme(), _symbols()
    used = set(re.findall(r"var\(--([a-z0-9-]+)\)", symbols))
    by_others = {"accent", "seat-0", "seat-1", "seat-2", "table", "shade", "number", "number-edge"}
    assert used | by_others == set(theme["colours"])
    drawn = set(re.findall(r'<g id="([^"]+)"', symbols))
    assert drawn == set(theme["terminal"])
    assert all(look["ascii"].isascii() for look in theme["terminal"].values())


def test_shared_parts_of_the_symbols_are_there_and_used() -> None:
    defined = re.findall(r'\bid="([^"]+)"', _symbols())
    assert len(defined) == len(set(defined))
    parts = {name for name in defined if name.startswith("passtally-")}
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', _symbols()))
    assert parts <= used <= set(defined)


def test_lines_go_from_the_middle_of_an_edge_to_the_middle_of_another() -> None:
    """As the engine draws the lines that it follows: straight, or curves bent at the centre."""
    paths = dict(re.findall(r'<path id="passtally-([SLR])" d="([^"]+)"', _symbols()))
    for shape, joined in {
        "S": ("M0 -50V50", "M-50 0H50"),
        "L": ("M0 -50V-50Q0 0 -50 0H-50", "M0 50V50Q0 0 50 0H50"),
        "R": ("M0 -50V-50Q0 0 50 0H50", "M0 50V50Q0 0 -50 0H-50"),
    }.items():
        assert paths[shape].replace("50.3", "50") == "".join(joined)


def test_every_half_is_printed_with_its_shape_in_its_colour() -> None:
    names = ("red", "green", "yellow", "blue", "cyan", "pink")
    symbols = dict(re.findall(r'<g id="([^"]+)"[^>]*>\n(.*?)</g>', _symbols(), re.DOTALL))
    for kind, colour in zip(TYPES, names, strict=True):
        for half in (0, 1):
            for state in ("half", "lone"):
                drawn = symbols[f"{state}-{kind}-{half}"]
                assert f'href="#passtally-{kind[half]}"' in drawn
                assert f'fill="var(--{colour})"' in drawn
            assert f'href="#half-{kind}-{half}"' in symbols[f"tile-{kind}"]


def _lightness(colour: str) -> float:
    """Relative luminance as in WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted([_lightness(one), _lightness(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    ("mark", "ground", "least"),
    [
        *[(f"seat-{seat}", "table", 4.5) for seat in range(3)],
        *[("ink", colour, 4.5) for colour in ("red", "green", "yellow", "blue", "cyan", "pink")],
        ("ink", "paper", 4.5),
        ("accent", "table", 3.0),
        ("board-print", "board", 3.0),
        ("rim-line", "table", 3.0),
        ("tray-line", "tray", 3.0),
        ("number", "number-edge", 7.0),
        ("number", "level", 7.0),
        ("level-line", "level", 4.5),
        ("level-high", "level", 4.5),
        ("sheet-ink", "sheet-band", 7.0),
        ("sign", "orange", 3.0),
        ("sign", "violet", 3.0),
        ("sign", "teal", 3.0),
    ],
)
def test_marks_stand_out(mode: str, mark: str, ground: str, least: float) -> None:
    colours = _theme()["colours"]
    assert _contrast(colours[mark][mode], colours[ground][mode]) >= least


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_lines_stand_out_on_the_highest_tiles_too(mode: str) -> None:
    theme = _theme()
    tint = 6 * theme["depth"]["tint"]
    colours = {name: both[mode] for name, both in theme["colours"].items()}
    for name in ("red", "green", "yellow", "blue", "cyan", "pink", "paper"):
        parts = [
            round((1 - tint) * int(colours[name][at : at + 2], 16))
            + round(tint * int(colours["shade"][at : at + 2], 16))
            for at in (1, 3, 5)
        ]
        deepest = "#" + "".join(f"{part:02x}" for part in parts)
        assert _contrast(colours["ink"], deepest) >= 3.0, name
