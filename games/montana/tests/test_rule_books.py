"""Rule books: every clause in both languages, figures possible and the same, rulings marked."""

import re
from pathlib import Path

import pytest

import tavola

GAME = Path(__file__).parent.parent
LANGUAGES = ("en", "ja")
CLAUSES = [f"clause-{number}" for number in range(1, 58)]
RULINGS = {"en": "(our ruling)", "ja": "（Tavola の裁定）"}
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def book(language: str) -> str:
    return (GAME / "rules" / f"{language}.md").read_text("utf-8")


def figures(language: str) -> list[dict[str, str]]:
    """The figures of a rule book, each as its lines."""
    blocks = re.findall(r"```figure\n(.*?)```", book(language), re.DOTALL)
    return [dict(line.split(": ", 1) for line in block.strip().splitlines()) for block in blocks]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_has_its_place_in_order(language: str) -> None:
    assert re.findall(r"\{#(clause-\d+)\}", book(language)) == CLAUSES


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_possible(language: str) -> None:
    for figure in figures(language):
        options = dict(pair.split("=") for pair in figure.get("options", "").split())
        state = tavola.load("montana", **options).parse(figure["position"])
        assert state.play_all(figure.get("play", "")).text


def test_both_books_have_the_same_figures() -> None:
    pictures = [
        [{**figure, "caption": ""} for figure in figures(language)] for language in LANGUAGES
    ]
    assert pictures[0] == pictures[1]
    assert len(pictures[0]) > 4


def test_captions_are_in_their_language() -> None:
    assert not any(JAPANESE.search(figure["caption"]) for figure in figures("en"))
    assert all(JAPANESE.search(figure["caption"]) for figure in figures("ja"))


def test_both_books_mark_the_same_rulings() -> None:
    counts = {language: book(language).count(RULINGS[language]) for language in LANGUAGES}
    assert counts["en"] == counts["ja"]
    assert counts["en"] > 15
