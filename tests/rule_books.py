"""Helpers for the tests of every game's rule book: its text, figures, messages and art.

`tests/rule_book.json` of a game contains the expectations for its book: the number of `clauses`,
the extra link targets (`also`), and the minimum number of `figures`. It also lists the colours that
must differ by a `contrast` (by WCAG 2).
"""

from __future__ import annotations

import functools
import json
import re
import string
from dataclasses import dataclass
from typing import Any, Self

import tavola
from tests.references import GAMES

LANGUAGES = ("en", "ja")
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
RULING = {"en": re.compile(r"our ruling|(?<!\d)°"), "ja": re.compile(r"Tavola の裁定|(?<!\d)°")}
ANCHOR = re.compile(r"\{#([a-z0-9-]+)\}$", re.MULTILINE)
FIGURE = re.compile(r"^```figure\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KEY = re.compile(r'"key":"([^"]+)"')
# Headings by level, anchors, and figures without their captions.
BONES = re.compile(
    r"^(#+) |\{#([a-z0-9-]+)\}$|^(?:position|options|play|rings): .*$|^```figure$", re.MULTILINE
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A position to be drawn, with what is drawn on it."""

    game: str
    position: str
    options: str = ""
    play: str = ""
    rings: str = ""
    caption: str = ""

    @classmethod
    def read(cls, game: str, block: str) -> Self:
        """Reads the lines ``field: value`` of a fenced block."""
        return cls(game=game, **dict(line.split(": ", 1) for line in block.strip().splitlines()))

    def state(self) -> tavola.State:
        """The position, by the engine."""
        options = dict(word.split("=") for word in self.options.split())
        return tavola.load(self.game, **options).parse(self.position)

    def after(self) -> tavola.State:
        """The position that its actions lead to."""
        return self.state().play_all(self.play)


def book(game: str, language: str) -> str:
    """A rule book as it is written."""
    return (GAMES / game / "rules" / f"{language}.md").read_text(encoding="utf-8")


def figures_in(game: str, text: str) -> list[Figure]:
    """The figures of a part of a rule book."""
    return [Figure.read(game, block) for block in FIGURE.findall(text)]


def figures(game: str, language: str = "en") -> list[Figure]:
    """All figures of a rule book."""
    return figures_in(game, book(game, language))


def figure(game: str, part: str) -> Figure:
    """The one English figure whose caption says this."""
    (found,) = [figure for figure in figures(game) if part in figure.caption]
    return found


def skeleton(game: str, language: str) -> list[str]:
    """A rule book without its words, in its order."""
    found = BONES.finditer(book(game, language))
    return [match[1] or match[2] or match[0] for match in found]


def facts(game: str) -> dict[str, Any]:
    """The game's own statement about its rule book and colours."""
    return _json(game, "tests/rule_book.json")


@functools.cache
def clauses(game: str) -> frozenset[str]:
    """The places of the numbered clauses, which refusals cite."""
    also = [place for place in facts(game)["also"] if place.startswith("clause-")]
    numbered = (f"clause-{number}" for number in range(1, facts(game)["clauses"] + 1))
    return frozenset([*numbered, *also])


def words(game: str, language: str) -> dict[str, Any]:
    """Texts, or plural forms of texts, by their keys."""
    return _json(game, f"art/words/{language}.json")


def texts(entry: str | dict[str, str]) -> list[str]:
    """The text of an entry, or all its plural forms."""
    return [entry] if isinstance(entry, str) else list(entry.values())


def parameters(entry: str | dict[str, str]) -> set[str]:
    """The names in braces of an entry's texts."""
    fields = [field for text in texts(entry) for _, field, _, _ in string.Formatter().parse(text)]
    return {field for field in fields if field is not None}


def keys(data: str | bytes) -> set[str]:
    """Every key of the words that a view, an event or a refusal, in JSON, asks for."""
    return set(KEY.findall(data if isinstance(data, str) else data.decode()))


def view(state: tavola.State) -> dict[str, Any]:
    """A position as it is shown."""
    shown: dict[str, Any] = json.loads(state.view_json())
    return shown


def cells(state: tavola.State) -> list[str]:
    """The cells of all areas."""
    return [cell["id"] for area in view(state)["areas"] for cell in area["cells"]]


def theme(game: str) -> dict[str, Any]:
    """Colours, and letters for the terminal."""
    return _json(game, "art/theme.json")


def symbols(game: str) -> str:
    """The pieces as SVG."""
    return (GAMES / game / "art" / "symbols.svg").read_text(encoding="utf-8")


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    light, dark = sorted([_lightness(one), _lightness(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _lightness(colour: str) -> float:
    """Relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@functools.cache
def _json(game: str, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((GAMES / game / name).read_text(encoding="utf-8"))
    return data
