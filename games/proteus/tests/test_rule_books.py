"""Rule books, words, art: languages alike, figures possible, every word there and used."""

import json
import random
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, Self

import pytest

import tavola

GAME = Path(__file__).parent.parent
LANGUAGES = ("en", "ja")
CLAUSES = [f"clause-{number}" for number in range(1, 21)]
# Asked for by whatever shows the game before or beside a position, not by its views.
ASKED_ELSEWHERE = ("game.", "option.", "kind.")
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
RED = {"c": "KING", "s": "ROOK", "t": "BISHOP"}
YELLOW = {"c": "LINE", "s": "COLOR", "t": "SHAPE"}
BLUE_WORDS = ("POLARITY", "COLOR", "SHAPE")
YELLOW_WORDS = ("LINE", "GOAL-COLOR", "GOAL-SHAPE")


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
        return tavola.load("proteus", **options).parse(self.position)

    def after(self) -> tavola.State:
        """The position that its actions lead to."""
        return self.state().play_all(self.play)

    def face(self, colour: str) -> str:
        """The shape of the tile of that colour that is up."""
        found = re.search(f"{colour}([cst])\\+", self.position)
        assert found, self
        return found[1]


CELLS = [f"{column}{row}" for column in "abc" for row in "123"]


def _book(language: str) -> str:
    return (GAME / "rules" / f"{language}.md").read_text(encoding="utf-8")


def _figures_in(text: str) -> list[Figure]:
    blocks = re.findall(r"^```figure\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Figure.read(block) for block in blocks]


def _figures(language: str) -> list[Figure]:
    return _figures_in(_book(language))


def _skeleton(language: str) -> list[str]:
    """Headings by level, anchors and figures without words, in the book's order."""
    found = []
    pattern = r"^(#+) |\{#([a-z0-9-]+)\}$|^(?:position|options|play|rings): .*$|^```figure$"
    for match in re.finditer(pattern, _book(language), re.MULTILINE):
        found.append(match[1] or match[2] or match[0])
    return found


def _words(language: str) -> dict[str, str]:
    text = (GAME / "art" / "words" / f"{language}.json").read_text(encoding="utf-8")
    words: dict[str, str] = json.loads(text)
    return words


def _parameters(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def _without_history(state: tavola.State) -> str:
    """A position's text without the repetition data, which figures leave out."""
    return " ".join(state.text.split()[:3])


# The rule books


def test_both_books_have_the_same_sections_anchors_and_figures() -> None:
    english, japanese = map(_skeleton, LANGUAGES)
    assert english == japanese
    assert len(_figures("en")) >= 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_can_be_linked_to(language: str) -> None:
    anchors = re.findall(r"\{#([a-z0-9-]+)\}$", _book(language), re.MULTILINE)
    assert sorted(anchors) == sorted([*CLAUSES, "how-to-win"])
    assert "](#how-to-win)" in _book(language)


@pytest.mark.parametrize("figure", _figures("en"), ids=lambda figure: figure.caption[:40])
def test_figures_show_possible_positions_and_legal_actions(figure: Figure) -> None:
    state = figure.state()
    assert state.text == figure.position
    cells = {
        cell["id"] for area in json.loads(state.view_json())["areas"] for cell in area["cells"]
    }
    assert set(figure.rings.split()) <= cells
    assert (figure.after().text != figure.position) == bool(figure.play)


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_told_in_words(language: str) -> None:
    for figure in _figures(language):
        assert bool(JAPANESE.search(figure.caption)) == (language == "ja"), figure
        assert len(figure.caption) > 10


def test_figures_before_and_after_belong_together() -> None:
    figures = _figures("en")
    after = {_without_history(figure.state()) for figure in figures}
    reached = [_without_history(figure.after()) for figure in figures if figure.play]
    # The match, the flip, the double flip, both goals, two threats, two questions.
    assert sum([text in after for text in reached]) == 7


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_win_for_each_goal_under_each_move_rule(language: str) -> None:
    chapter = _book(language).partition("{#how-to-win}")[2].partition("\n## ")[0]
    wins = [figure for section in chapter.split("\n### ")[1:4] for figure in _figures_in(section)]
    shown = [(YELLOW[figure.face("Y")], RED[figure.face("R")]) for figure in wins]
    assert shown == [(goal, move) for goal in YELLOW.values() for move in RED.values()]
    for figure in wins:
        assert figure.state().outcome is None
        outcome = figure.after().outcome
        assert outcome is not None
        assert (outcome.winners, outcome.reason) == ((0,), "goal")
        winning = [
            token
            for token in figure.state().legal_actions
            if (end := figure.state().play(token).outcome) and 0 in end.winners
        ]
        assert winning == [figure.play]


def test_two_threats_cannot_both_be_met() -> None:
    (figure,) = [figure for figure in _figures("en") if "thirteen answers" in figure.caption]
    state = figure.state()
    assert len(state.legal_actions) == 13
    for answer in state.legal_actions:
        after = state.play(answer)
        ends = [after.play(token).outcome for token in after.legal_actions]
        assert any(end is not None and end.winners == (0,) for end in ends), answer


# The words


def test_both_languages_have_the_same_words_and_parameters() -> None:
    english, japanese = map(_words, LANGUAGES)
    assert english.keys() == japanese.keys()
    for key in english:
        assert _parameters(english[key]) == _parameters(japanese[key]), key


def test_japanese_words_are_japanese() -> None:
    for key, text in _words("ja").items():
        assert JAPANESE.search(text), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_faces_are_told_as_their_code_means(language: str) -> None:
    words = _words(language)
    orders = list(permutations(range(3)))  # rules 4: in lexicographic order
    for code in [f"{blue}{yellow}" for blue in range(6) for yellow in range(6)]:
        named = re.findall(r"[●■▲]([^●■▲;／]+)", words[f"option.faces.{code}"])
        wanted = [BLUE_WORDS[index] for index in orders[int(code[0])]]
        wanted += [YELLOW_WORDS[index] for index in orders[int(code[1])]]
        told = [re.sub(" (yellow|黄) ?$", "", name).strip() for name in named]
        assert told == [words[f"rule.{rule}"] for rule in wanted], code


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
    touches = [[cell] for cell in cells] + [[one, other] for one in cells for other in cells]
    for refusal in map(state.touch_refusal_json, touches):
        yield from _refused(refusal)
    others = [f"{one}-{other}" for one in CELLS for other in CELLS if one != other]
    for token in ("pass", *others):  # what no touch stands for
        try:
            state.play(token)
        except tavola.IllegalAction as error:
            yield from _refused(error.refusal)


def _refused(refusal: str | None) -> Iterator[str]:
    if refusal:
        yield from _keys(json.loads(refusal))
        assert f"clause-{json.loads(refusal)['clause']}" in CLAUSES


def _random_states(games: int, longest: int = 40) -> Iterator[tavola.State]:
    for seed in range(games):
        dice = random.Random(seed)
        rules = dice.choice(["article", "kadon"])
        state = tavola.load("proteus", rules=rules, faces=dice.choice(["standard", "30"])).start()
        for _ in range(longest):
            if state.to_act is None:
                break
            yield state
            state = state.play(dice.choice(list(state.legal_actions)))
        yield state


def _examples() -> Iterator[tavola.State]:
    """The rule book's examples, with what random games hardly come to, before and after."""
    examples = json.loads((GAME / "tests" / "examples.json").read_text(encoding="utf-8"))
    for example in examples:
        game = tavola.load("proteus", **example["options"])
        state = game.parse(example["position"]) if example["position"] else game.start()
        yield state
        yield state.play_all(example["play"])


def test_every_word_asked_for_exists_and_every_word_is_asked_for() -> None:
    asked: set[str] = set()
    for state in _random_states(60):
        asked.update(_asked(state))
    for state in _examples():
        asked.update(_asked(state))
    for figure in _figures("en"):
        asked.update(_asked(figure.state()))
        asked.update(_asked(figure.after()))
    known = {key for key in _words("en") if not key.startswith(ASKED_ELSEWHERE)}
    assert asked == known


def test_the_words_asked_for_elsewhere_are_those_of_the_game() -> None:
    described = json.loads(tavola._core.describe("proteus"))
    wanted = {"game.title", "game.tagline"}
    for option in described["options"]:
        wanted.add(f"option.{option['name']}")
        wanted.update(f"option.{option['name']}.{value}" for value in option["values"])
    for state in _random_states(30):
        actions = json.loads(state.view_json(state.to_act))["actions"]
        wanted.update(f"kind.{action['kind']}" for action in actions)
    # A pass is rare at random: Black has placed everything, White has a counter left.
    position = "Rc+:Bc/Rs:Bs/Rt/Bc/Bs+:Ws/Bt/Yc/Ys:Wc/Yt+:Bt B - -"
    (action,) = json.loads(tavola.load("proteus").parse(position).view_json(0))["actions"]
    assert action["kind"] == "pass"
    wanted.add("kind.pass")
    assert wanted == {key for key in _words("en") if key.startswith(ASKED_ELSEWHERE)}


# The art


def _theme() -> dict[str, Any]:
    theme: dict[str, Any] = json.loads((GAME / "art" / "theme.json").read_text(encoding="utf-8"))
    return theme


def _symbols() -> str:
    return (GAME / "art" / "symbols.svg").read_text(encoding="utf-8")


def test_theme_and_symbols_agree() -> None:
    theme, symbols = _theme(), _symbols()
    used = set(re.findall(r"var\(--([A-Za-z0-9-]+)\)", symbols))
    by_others = {"accent", "seat-0", "seat-1", "table"}
    assert used | by_others == set(theme["colours"])
    drawn = {
        name for name in re.findall(r'<g id="([^"]+)"', symbols) if not name.startswith("proteus-")
    }
    assert drawn == set(theme["terminal"])
    assert all(look["ascii"].isascii() for look in theme["terminal"].values())


def test_shared_parts_of_the_symbols_are_there_and_used() -> None:
    symbols = _symbols()
    defined = re.findall(r'\bid="([^"]+)"', symbols)
    assert len(defined) == len(set(defined))
    parts = {name for name in defined if name.startswith("proteus-")}
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', symbols))
    assert parts <= used <= set(defined)


def test_every_tile_counter_rule_and_card_is_drawn() -> None:
    drawn = set(_theme()["terminal"])
    rules = [*RED.values(), *BLUE_WORDS, *YELLOW_WORDS]
    wanted = {f"card-{rule}" for rule in rules} | {f"emblem-{rule}" for rule in rules}
    wanted |= {f"counter-{seat}-{shape}" for seat in (0, 1) for shape in "cst"}
    for shape in "cst":
        wanted |= {f"tile-{colour}{shape}{side}" for colour in "RBY" for side in ("", "-up")}
        wanted.add(f"tile-R{shape}-up-{RED[shape]}")
        wanted |= {f"tile-B{shape}-up-{rule}" for rule in BLUE_WORDS}
        wanted |= {f"tile-Y{shape}-up-{rule}" for rule in YELLOW_WORDS}
    assert drawn == wanted | {"cell", "tray", "card-none", "seat-black", "seat-white"}


def test_the_terminal_tells_everything_apart_without_colours() -> None:
    terminal = _theme()["terminal"]
    for kind in ("glyph", "ascii"):
        looks = {
            name: terminal[name][kind]
            for name in terminal
            if re.fullmatch(r"tile-..(-up)?|counter-.*", name)
        }
        assert len(set(looks.values())) == len(looks) == 24


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
        ("accent", "well", 3.0),
        ("maroon-glint", "well", 3.0),
        ("turquoise-glint", "well", 3.0),
        ("gold-glint", "well", 3.0),
        ("turquoise-line", "turquoise", 3.0),
        ("gold-line", "gold", 3.0),
        ("inlay", "maroon", 3.0),
        ("inlay", "maroon-line", 4.5),
        ("inlay", "turquoise-line", 4.5),
        ("inlay", "gold-line", 4.5),
        ("ink", "inlay-shade", 4.5),
        ("ink-red", "inlay", 4.5),
        ("ink-blue", "inlay", 4.5),
        ("ink-gold", "inlay", 3.0),
        ("black", "white", 7.0),
        ("black-sign", "black", 7.0),
        ("white-sign", "white", 7.0),
        ("black-rim", "black", 3.0),
        ("white-rim", "white", 3.0),
        ("tray-line", "table", 3.0),
    ],
)
def test_marks_stand_out(mode: str, mark: str, ground: str, least: float) -> None:
    colours = _theme()["colours"]
    assert _contrast(colours[mark][mode], colours[ground][mode]) >= least
