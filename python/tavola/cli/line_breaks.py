"""Markdown whose lines also break around wide characters, as rich breaks at spaces only."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.cells import cell_len
from rich.console import Console
from rich.containers import Lines
from rich.markdown import Markdown, MarkdownContext, MarkdownElement, Paragraph
from rich.text import Text

_NOT_FIRST = frozenset(
    "、。，．・：；？！）」』】〕〉》ー々…%％ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)"
)
"""Characters that do not begin a line."""

_NOT_LAST = frozenset("（「『【〔〈《(")
"""Characters that do not end a line."""


class _Text(Text):
    """A text that breaks at spaces and around wide characters."""

    def wrap(self, console: Console, width: int, **_: Any) -> Lines:
        """Return the lines of the text."""
        lines = Lines()
        for paragraph in self.split(allow_blank=True):
            for line in paragraph.divide(breaks(paragraph.plain, width)):
                line.rstrip()
                lines.append(line)
        return lines


class _Paragraph(Paragraph):
    def on_enter(self, context: MarkdownContext) -> None:
        super().on_enter(context)
        self.text = _Text(justify="left")


class BreakingMarkdown(Markdown):
    """Markdown in any language."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "paragraph_open": _Paragraph,
    }


def breaks(text: str, width: int) -> list[int]:
    """Return where the lines of a text begin, but for the first.

    Args:
        text: The text, without line breaks.
        width: The width of a line, in cells.
    """
    places: list[int] = []
    start = possible = used = 0
    for place, sign in enumerate(text):
        cells = cell_len(sign)
        if place > start and _may_break(text[place - 1], sign):
            possible = place
        if used + cells > width and not sign.isspace() and place > start:
            start = possible if possible > start else place
            places.append(start)
            used = cell_len(text[start:place])
        used += cells
    return places


def _may_break(before: str, after: str) -> bool:
    if after.isspace() or after in _NOT_FIRST or before in _NOT_LAST:
        return False
    return before.isspace() or cell_len(before) == 2 or cell_len(after) == 2
