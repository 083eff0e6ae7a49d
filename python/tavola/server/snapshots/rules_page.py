"""Rule books: Markdown made into a page, its figures drawn from positions.

A figure is a fenced block of lines `NAME: VALUE`:

```figure
position: 0,0:0;1,0:0;0,1:0 0,0;1,0 R 0 0,0 0 0 -
options: actions=3
play: Psw Cne
rings: 1,0 0,1
caption: A description of the figure.
```

`position` is drawn under the `options`; each action of `play` is an arrow along the way it goes;
`rings` are cells. An `{#id}` at the end of a heading or paragraph names it, so that a refusal can
point to its clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

import tavola
from tavola import view as views
from tavola.options_text import parse_options
from tavola.page_template import render
from tavola.server import games
from tavola.server.schema.responses import Heading, RulesPage

_ANCHOR = re.compile(r"\s*\{#([a-z][a-z0-9-]*)\}\s*$")
_PAGE, _FIGURE = "server/snapshots/rules_page.html", "server/snapshots/figure.html"
_FIELDS = ("position", "options", "play", "rings", "caption")


@dataclass(frozen=True, slots=True)
class Figure:
    """A position with what is pointed out in it."""

    state: tavola.State
    arrows: tuple[tuple[str, str], ...]
    rings: tuple[str, ...]
    caption: str

    @classmethod
    def parse(cls, game: str, text: str) -> Figure:
        """Read a figure's block.

        Raises:
            ValueError: With what is wrong in it.
        """
        fields = dict.fromkeys(_FIELDS, "")
        for line in text.strip().splitlines():
            name, colon, value = line.partition(":")
            if not colon or name not in fields or fields[name]:
                raise ValueError(f"a figure cannot have the line {line!r}")
            fields[name] = value.strip()
        loaded = games.load(game, parse_options(fields["options"]))
        state = loaded.parse(fields["position"]) if fields["position"] else loaded.start()
        cells = {cell.id for area in views.view(state).areas for cell in area.cells}
        rings = tuple(fields["rings"].split())
        if unknown := [ring for ring in rings if ring not in cells]:
            raise ValueError(f"a figure cannot ring {unknown}: its position has no such cells")
        return cls(state, _arrow_paths(state, fields["play"].split()), rings, fields["caption"])

    def svg(self, language: str = "en") -> str:
        """Return the figure as SVG, in the colours and with the symbols of its page."""
        return self.state.svg(
            colours="page",
            rings=list(self.rings),
            arrows=list(self.arrows),
            title=self.caption.replace("*", ""),
            language=language,
        )


def _arrow_paths(state: tavola.State, tokens: list[str]) -> tuple[tuple[str, str], ...]:
    """Return the paths that pieces take when these actions are played."""
    ways: list[tuple[str, str]] = []
    for token in tokens:
        for event in views.events(state, token):
            if event.change.type == "moved":
                ways.extend(pairwise(event.cells))
        state = state.play(token)
    return tuple(ways)


def parse_markdown(
    markdown: str, renderer: type[RendererHTML] = RendererHTML
) -> tuple[MarkdownIt, list[Token]]:
    """Return a rule book's parser and tokens; a token's attribute `id` is its anchor."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=renderer).enable("table")
    parser.core.ruler.after("block", "anchors", _extract_anchors)
    return parser, parser.parse(markdown)


def _extract_anchors(state: StateCore) -> None:
    for before, token in pairwise(state.tokens):
        if token.type == "inline" and (found := _ANCHOR.search(token.content)):
            token.content = token.content[: found.start()]
            before.attrSet("id", found.group(1))


@cache
def render_page(game: str, language: str) -> RulesPage:
    """Return a game's rule book as HTML, with its contents.

    Raises:
        RequestError: `unknown-game`, `unknown-language`.
    """
    parser, tokens = parse_markdown(games.rules_markdown(game, language))
    contents: list[Heading] = []
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        if "id" not in opening.attrs:
            opening.attrSet("id", f"section-{len(contents) + 1}")
        title = "".join(child.content for child in inline.children or ())
        contents.append(Heading(int(opening.tag[1:]), str(opening.attrs["id"]), title))

    def fence(renderer: RendererHTML, tokens: list[Token], index: int, *others: Any) -> str:
        token = tokens[index]
        if token.info.strip() != "figure":
            return renderer.fence(tokens, index, *others)
        figure = Figure.parse(game, token.content)
        caption = parser.renderInline(figure.caption)
        return render(_FIGURE, svg=figure.svg(language), caption=caption)

    parser.add_render_rule("fence", fence)
    text = parser.renderer.render(list(_boxed_tables(tokens)), parser.options, {})
    html = render(_PAGE, symbols=games.info(game).symbols, text=text)
    return RulesPage(html, tuple(contents))


def _boxed_tables(tokens: list[Token]) -> Iterator[Token]:
    """Put each table into a box that scrolls, also by keyboard, and is called as its section is."""
    heading = ""
    for token in tokens:
        if token.type == "heading_open":
            heading = str(token.attrs["id"])
        if token.type == "table_open":
            attributes = {"role": "group", "aria-labelledby": heading, "tabindex": "0"}
            yield Token("box_open", "div", 1, {"class": "wide", **attributes})
        yield token
        if token.type == "table_close":
            yield Token("box_close", "div", -1)
