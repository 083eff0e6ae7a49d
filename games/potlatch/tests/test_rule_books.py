"""Rule books, words, art: languages alike, figures possible, every word there and used."""

import json
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest

import tavola

GAME = Path(__file__).parent.parent
LANGUAGES = ("en", "ja")
CLAUSES = [f"clause-{number}" for number in range(1, 15)]
# Asked for by whatever shows the game before or beside a position, not by its views.
ASKED_ELSEWHERE = ("game.", "option.", "kind.")
AROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


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
        return tavola.load("potlatch", **options).parse(self.position)


def _book(language: str) -> str:
    return (GAME / "rules" / f"{language}.md").read_text(encoding="utf-8")


def _figures(language: str) -> list[Figure]:
    blocks = re.findall(r"^```figure\n(.*?)^```$", _book(language), re.MULTILINE | re.DOTALL)
    return [Figure.read(block) for block in blocks]


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


def _parameters(entry: str | dict[str, str]) -> set[str]:
    texts = [entry] if isinstance(entry, str) else list(entry.values())
    fields = [field for text in texts for _, field, _, _ in string.Formatter().parse(text)]
    return {field for field in fields if field is not None}


# The rule books


def test_both_books_have_the_same_sections_anchors_and_figures() -> None:
    english, japanese = map(_skeleton, LANGUAGES)
    assert english == japanese
    assert len(_figures("en")) >= 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_can_be_linked_to(language: str) -> None:
    anchors = re.findall(r"\{#([a-z0-9-]+)\}$", _book(language), re.MULTILINE)
    assert sorted(anchors) == sorted(CLAUSES)


@pytest.mark.parametrize("figure", _figures("en"), ids=lambda figure: figure.caption[:40])
def test_figures_show_possible_positions_and_legal_actions(figure: Figure) -> None:
    state = figure.state()
    assert state.text == figure.position
    cells = {
        cell["id"] for area in json.loads(state.view_json())["areas"] for cell in area["cells"]
    }
    assert set(figure.rings.split()) <= cells
    assert (state.play_all(figure.play).text != figure.position) == bool(figure.play)


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_told_in_words(language: str) -> None:
    for figure in _figures(language):
        assert bool(JAPANESE.search(figure.caption)) == (language == "ja"), figure
        assert len(figure.caption) > 10


def test_figures_before_and_after_belong_together() -> None:
    after = {figure.position for figure in _figures("en")}
    reached = [
        figure.state().play_all(figure.play).text for figure in _figures("en") if figure.play
    ]
    assert sum([text in after for text in reached]) == 3  # the swap, the increase, the question


# The words


def test_both_languages_have_the_same_words_and_parameters() -> None:
    english, japanese = map(_words, LANGUAGES)
    assert english.keys() == japanese.keys()
    for key in english:
        assert _parameters(english[key]) == _parameters(japanese[key]), key


def test_plurals_are_complete() -> None:
    for language, forms in (("en", {"one", "other"}), ("ja", {"other"})):
        for key, entry in _words(language).items():
            if isinstance(entry, dict):
                assert entry.keys() == forms, key


def test_japanese_words_are_japanese() -> None:
    for key, entry in _words("ja").items():
        texts = [entry] if isinstance(entry, str) else list(entry.values())
        assert all(JAPANESE.search(text) for text in texts), key


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


def _asked(state: tavola.State) -> Iterator[str]:
    """What is asked for when a state is shown, acted in and touched everywhere."""
    view = json.loads(state.view_json())
    yield from _keys(view)
    for token in state.legal_actions:
        yield from _keys(json.loads(state.events_json(token)))
    cells = [cell["id"] for area in view["areas"] for cell in area["cells"]]
    seat = 0 if state.to_act is None else state.to_act
    own = next(piece["cell"] for piece in view["pieces"] if piece["id"] == f"pawn-{seat}")
    # The hexes around the pawn too: those that are blank are no cells once the tiles are used up.
    q, r = map(int, own.split(","))
    cells += [f"{q + dq},{r + dr}" for dq, dr in AROUND]
    for touched in [[cell] for cell in cells] + [[own, cell] for cell in cells]:
        refusal = state.touch_refusal_json(touched)
        yield from _keys(json.loads(refusal)) if refusal else ()
        if refusal:
            assert f"clause-{json.loads(refusal)['clause']}" in CLAUSES


def _random_states(games: int) -> Iterator[tavola.State]:
    for seed in range(games):
        dice = random.Random(seed)
        layout = dice.choice(["triangle", "rhombus", "row"])
        state = tavola.load("potlatch", actions=dice.choice([2, 3]), layout=layout).start()
        while state.to_act is not None:
            yield state
            state = state.play(dice.choice(list(state.legal_actions)))
        yield state


def _endings() -> Iterator[tavola.State]:
    """The rule book's examples of endings, most of which random games do not come to."""
    examples = json.loads((GAME / "tests" / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        if example["expect"].get("outcome"):
            game = tavola.load("potlatch", **example["options"])
            start = game.parse(example["position"]) if example["position"] else game.start()
            yield start.play_all(example["play"])


def test_every_word_asked_for_exists_and_every_word_is_asked_for() -> None:
    asked: set[str] = set()
    for state in _random_states(60):
        asked.update(_asked(state))
    for state in _endings():
        asked.update(_asked(state))
    known = {key for key in _words("en") if not key.startswith(ASKED_ELSEWHERE)}
    assert asked == known


def test_the_words_asked_for_elsewhere_are_those_of_the_game() -> None:
    described = json.loads(tavola._core.describe("potlatch"))
    wanted = {"game.title", "game.tagline"}
    for option in described["options"]:
        wanted.add(f"option.{option['name']}")
        wanted.update(f"option.{option['name']}.{value}" for value in option["values"])
    for state in _random_states(3):
        actions = json.loads(state.view_json(state.to_act))["actions"]
        wanted.update(f"kind.{action['kind']}" for action in actions)
    assert wanted == {key for key in _words("en") if key.startswith(ASKED_ELSEWHERE)}


# The art


def test_theme_and_symbols_agree() -> None:
    theme = json.loads((GAME / "art" / "theme.json").read_text(encoding="utf-8"))
    symbols = (GAME / "art" / "symbols.svg").read_text(encoding="utf-8")
    used = set(re.findall(r"var\(--([a-z0-9-]+)\)", symbols))
    by_others = {"accent", "seat-0", "seat-1", "table"}
    assert used | by_others == set(theme["colours"])
    drawn = set(re.findall(r'<g id="([a-z-]+)"', symbols))
    assert drawn == set(theme["terminal"])
    assert all(
        len(look["glyph"]) == 1 and look["ascii"].isascii() for look in theme["terminal"].values()
    )
    defined = set(re.findall(r'Gradient id="([^"]+)"', symbols))
    assert defined == set(re.findall(r"url\(#([^)]+)\)", symbols))
    assert all(name.startswith("potlatch-") for name in defined)


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
        ("seat-0", "table", 4.5),
        ("seat-1", "table", 4.5),
        ("accent", "table", 3.0),
        ("accent", "tile", 3.0),
        ("mark", "tile", 3.0),
        ("mark-face", "mark", 4.5),
        ("inlay", "red", 3.0),
        ("inlay", "blue", 3.0),
        ("chip-line", "chip", 3.0),
    ],
)
def test_marks_stand_out(mode: str, mark: str, ground: str, least: float) -> None:
    path = GAME / "art" / "theme.json"
    colours = json.loads(path.read_text(encoding="utf-8"))["colours"]
    assert _contrast(colours[mark][mode], colours[ground][mode]) >= least
