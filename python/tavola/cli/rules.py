"""`tavola rules`: prints a rule book, with its figures drawn as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text as StyledText

from tavola import view as views
from tavola.cli.board import Painter, painter
from tavola.cli.line_breaks import BreakingMarkdown
from tavola.cli.locales import Translator
from tavola.server import games
from tavola.server.snapshots.rules_page import Figure

_FIGURE = re.compile(r"^```figure\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ANCHOR = re.compile(r"[ \t]*\{#(?:clause-(\w+)|[a-z][a-z0-9-]*)\}[ \t]*$", re.MULTILINE)
_WIDTH = 100


def show(translate: Translator, game: str) -> None:
    """Print the rule book of a game.

    Raises:
        RequestError: `unknown-game`.
    """
    console = Console()
    book = games.rules_markdown(game, translate.language)
    drawn = painter(game, translate.language, unicode=console.encoding.startswith("utf"))
    for part in _parts(translate, drawn, game, book):
        console.print(part, width=min(console.width, _WIDTH))


def _parts(translate: Translator, drawn: Painter, game: str, book: str) -> Iterator[RenderableType]:
    def number(anchor: re.Match[str]) -> str:
        return " " + translate("play.clause", clause=anchor[1]) if anchor[1] else ""

    text = True
    for part in _FIGURE.split(book):
        if text:
            yield _markdown(_ANCHOR.sub(number, part))
        else:
            yield _figure(translate, drawn, Figure.parse(game, part))
        text = not text


def _figure(translate: Translator, drawn: Painter, figure: Figure) -> RenderableType:
    view = views.view(figure.state)
    lines: list[RenderableType] = [StyledText(), drawn.board(view, rings=figure.rings, hints=False)]
    if figure.arrows:
        ways = ", ".join(f"{start} → {end}" for start, end in figure.arrows)
        lines.append(StyledText(translate("rules.arrows", ways=ways)))
    if figure.rings:
        lines.append(
            StyledText(
                translate("rules.rings", cells="  ".join(f"{cell}*" for cell in figure.rings))
            )
        )
    lines.append(_markdown(f"*{figure.caption}*"))
    return Padding(Group(*lines), (0, 0, 1, 4))


def _markdown(text: str) -> Markdown:
    return BreakingMarkdown(text, hyperlinks=False)
