"""Rule books: whole, in every language, with their figures and clauses."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import tavola
from tavola import view as views
from tavola.server import games
from tavola.server.snapshots import rules_page
from tests.server.live_server import LiveServer

BOOKS = [(game, language) for game in tavola.games() for language in ("en", "ja")]


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_every_figure_is_drawn(server: LiveServer, game: str, language: str) -> None:
    book = server.http.get(f"/api/games/{game}/rules/{language}").json()
    figures = games.rules_markdown(game, language).count("```figure")
    assert figures > 0
    pictures = re.findall(
        r"<figure>(<svg.*?</svg>)<figcaption>(.*?)</figcaption>", book["html"], re.S
    )
    assert len(pictures) == figures
    ids = set(re.findall(r'id="([^"]+)"', games.info(game).symbols))
    for picture, caption in pictures:
        root = ET.fromstring(picture)
        used = {use.get("href", "")[1:] for use in root.iter("{http://www.w3.org/2000/svg}use")}
        assert used
        assert used <= ids
        assert caption
    assert book["html"].count("<defs>") <= 1 + games.info(game).symbols.count("<defs>")
    assert " style=" not in book["html"], "the content security policy would drop it"


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_every_heading_and_clause_has_its_anchor(game: str, language: str) -> None:
    book = rules_page.render_page(game, language)
    markdown = games.rules_markdown(game, language)
    clauses = re.findall(r"\{#(clause-\d+)\}", markdown)
    assert clauses
    ids = re.findall(r' id="([^"]+)"', book.html)
    for anchor in clauses + [heading.id for heading in book.contents]:
        assert ids.count(anchor) == 1, anchor
    assert len(book.contents) == len(re.findall(r"^#+ ", markdown, re.M))
    assert "{#" not in book.html
    assert "```" not in book.html
    # Beside Japanese brackets, Markdown does not see the end of an emphasis.
    assert "**" not in book.html


@pytest.mark.parametrize(("game", "language"), BOOKS)
def test_every_table_is_called_as_its_section_is(game: str, language: str) -> None:
    book = rules_page.render_page(game, language)
    boxes = re.findall(r'<div class="wide" role="group" aria-labelledby="([^"]+)"', book.html)
    assert len(boxes) == book.html.count("<table>")
    assert set(boxes) <= {heading.id for heading in book.contents}


def test_clauses_that_refusals_name_are_in_every_book() -> None:
    """A refusal links to its clause: walk some games and touch everything."""
    import random

    for game in tavola.games():
        named = set()
        state = tavola.load(game).start()
        chance = random.Random(3)
        while state.to_act is not None:
            view = views.view(state)
            for cell in (cell.id for area in view.areas for cell in area.cells):
                refusal = views.refusal_of_touch(state, [cell])
                if refusal is not None:
                    named.add(refusal.clause)
            drawn = [outcome for outcome, _ in state.chance_outcomes]
            state = state.play(chance.choice(list(state.legal_actions) or drawn))
        assert named
        for language in ("en", "ja"):
            for clause in named:
                assert f'id="clause-{clause}"' in rules_page.render_page(game, language).html


def test_html_in_a_rule_book_stays_text() -> None:
    parser, tokens = rules_page.parse_markdown("<script>alert(1)</script> [x](javascript:alert(1))")
    html = parser.renderer.render(tokens, parser.options, {})
    assert "<script" not in html
    assert "href" not in html


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ("colour: red", "cannot have the line"),
        ("no colon", "cannot have the line"),
        ("caption: a\ncaption: b", "cannot have the line"),
        ("position: nonsense", "not a position"),
        ("rings: 99,99", "cannot ring"),
        ("play: Pe", "illegal"),
    ],
)
def test_a_wrong_figure_is_found_out(block: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        rules_page.Figure.parse("potlatch", block)


def test_an_arrow_shows_the_way_of_a_move() -> None:
    figure = rules_page.Figure.parse("potlatch", "play: Pse\nrings: 1,0\ncaption: A *walk*.")
    assert figure.arrows == (("0,0", "0,1"),)
    assert figure.rings == ("1,0",)
    assert 'aria-label="A walk."' in figure.svg()
