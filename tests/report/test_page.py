"""The page of a report: its words, its colours, and nothing from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tavola
from scripts.report_figures import figure
from tavola.language import LANGUAGES, Language
from tavola.messages import catalogue
from tavola.report import Measures, Plan, measure, page
from tavola.report.course import Part
from tavola.report.page import setting_names
from tavola.report.plots import VARIABLES
from tavola.report.words import Words
from tests.report.games import action, game, line

pytest.importorskip("matplotlib")
FILES = Path(page.__file__).parent
SOURCE = "\n".join(path.read_text("utf-8") for path in (*FILES.glob("*.py"), *FILES.glob("*.html")))
VOID = {"meta", "path", "use", "br", "rect", "circle", "line", "stop"}


class Checker(HTMLParser):
    """Collects identifiers and addresses, and checks that elements are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._attributes(attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._attributes(attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def _attributes(self, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.names.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")


def measured(options: dict[str, str | int], shift: float = 0.0) -> Measures:
    """Measures of hand-made games."""
    games = [
        line(
            [0.5, 0.6 - shift, 0.7 if number % 3 else 0.3],
            (1.0, 0.0) if number % 3 else (0.0, 1.0),
            number=number,
        )
        for number in range(1, 40)
    ]
    return measure(games, options=options, engines=("level:4", "level:4"), opening=2)


def made(language: Language, count: int) -> str:
    """A page of one or more settings of a game of two seats."""
    name = next(name for name in tavola.games() if tavola.load(name).seats == 2)
    game = tavola.load(name)
    option, values = next(
        (option, values) for option, values in _values(name).items() if len(values) >= count
    )
    settings = tuple(tavola.load(name, **{option: value}).options for value in values[:count])
    plan = Plan(game=game.name, settings=settings)
    found = [measured(dict(one), 0.05 * place) for place, one in enumerate(settings)]
    names = ("a.parquet", "b.parquet", "c.json")
    return page.page(plan, found, Words(name, language), names=names, command="tavola report")


def _values(name: str) -> dict[str, tuple[str, ...]]:
    with pytest.raises(tavola.OptionError) as caught:
        tavola.load(name, no_such_option=1)
    return caught.value.valid


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_complete(language: Language, count: int) -> None:
    text = made(language, count)
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert len(checker.names) == len(set(checker.names))
    assert all(link.startswith("#") for link in checker.links)
    assert {link[1:] for link in checker.links} <= set(checker.names)
    assert not re.findall(r"https?:|url\((?!#)|@import|<script", text)
    # Colours are the page's, so that figures are readable in the dark.
    assert not [colour for colour in VARIABLES if colour in text]
    assert set(re.findall(r"#[0-9a-f]{6}", text.partition("</style>")[2])) <= {"#ffffff"}
    for variable in VARIABLES.values():
        assert f"{variable}:" in text.partition("</style>")[0]
    assert not re.findall(r"[{⟨]\w+[}⟩]", text.partition("</style>")[2])
    if language == "ja":
        assert "得点率" in text
        assert "share" not in re.sub(r"<code>.*?</code>|<[^>]*>", "", text.partition("</style>")[2])


def test_what_was_not_measured_is_no_zero() -> None:
    """Agents in Python report no values, and actions of unknown kinds have one name."""
    games = [
        game([action(0, None, token="raw", kind="raw")], (1.0, 0.0), number=number, group=0)
        for number in range(1, 30)
    ]
    found = measure(games, options={}, engines=("a", "b"), opening=0)
    plan = Plan(game="proteus", settings=(tavola.load("proteus").options,))
    text = page.page(plan, [found], Words("proteus", "en"), names=(), command="tavola report")
    numbers = dict(re.findall(r"<small>([^<]+)</small><b>([^<]+)</b>", text))
    for name in ("Lead changes in a game", "Decisiveness", "Drama", "Comebacks"):
        assert numbers[name] == "not measured"
    assert not re.search(r"\braw\s*(<[^>]*>)*\s*raw\b", text)


@pytest.mark.long
def test_a_figure_becomes_a_file_of_its_own() -> None:
    found = figure(made("en", 1), "seats")
    assert found.startswith('<svg xmlns="http://www.w3.org/2000/svg" width=')
    assert "var(" not in found
    ElementTree.fromstring(found)
    with pytest.raises(KeyError, match="nothing"):
        figure(made("en", 1), "nothing")


@pytest.mark.long
def test_equal_measures_make_equal_pages() -> None:
    assert made("en", 2) == made("en", 2)


def test_every_message_is_used() -> None:
    for key in catalogue("tavola.report", "en"):
        group, _, name = key.partition(".")
        dynamic = group in ("measure", "define", "luck", "section", "text") and (
            f'"{name}"' in SOURCE
        )
        assert dynamic or f'"{key}"' in SOURCE or f"'{key}'" in SOURCE, key


def test_settings_are_named_by_what_differs() -> None:
    one: dict[str, str | int] = {"a": 1, "b": "x"}
    plan = Plan(game="g", settings=(one, {"a": 1, "b": "y"}))
    assert setting_names(plan) == ("b=x", "b=y")
    assert setting_names(Plan(game="g", settings=(one,))) == ("a=1 b=x",)


def test_every_part_of_the_variance_has_a_name() -> None:
    for name in ("start", "chance", "choices"):
        assert catalogue("tavola.report", "en")[f"luck.{name}"]
        assert Part.__doc__ is not None
        assert f"`{name}`" in Part.__doc__
