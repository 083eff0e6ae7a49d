"""The card of a link preview: a position beside a few words, 1200 by 630 pixels."""

from __future__ import annotations

import re
from dataclasses import dataclass

import tavola
from tavola.page_template import render

__all__ = ["HEIGHT", "WIDTH", "Card"]

WIDTH, HEIGHT = 1200, 630
"""The size that link previews have, in pixels."""

MARGIN = 30
LINE_UNITS = 20.0
"""The width of a line of the heading, in letters of Latin script."""

_ROOT = re.compile(r"<svg([^>]*>)")
_SIZE = re.compile(r'\s(?:width|height|style)="[^"]*"')


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of a card.

    Attributes:
        state: The position, as a spectator sees it.
        language: The language of the words on the board.
        heading: The heading.
        text: A sentence below it.
    """

    state: tavola.State
    language: str
    heading: str
    text: str

    def svg(self) -> str:
        """Return the card as SVG, in fixed colours."""
        picture = self.state.picture_svg(None, language=self.language, width=720)
        root = _ROOT.match(picture)
        assert root is not None, "a picture begins with its root"
        return render(
            "server/sharing/card.svg",
            size=(WIDTH, HEIGHT),
            margin=MARGIN,
            heading=_wrapped(self.heading, LINE_UNITS, 4),
            text=_wrapped(self.text, LINE_UNITS * 1.6, 4),
            attributes=_SIZE.sub("", root[1]),
            board=picture[root.end() :],
        )


def _wrapped(text: str, most: float, lines: int) -> list[str]:
    """Break a text into lines; the last one ends with an ellipsis if there is more.

    >>> _wrapped("one two three", 7, 3)
    ['one two', 'three']
    >>> _wrapped("one two three", 7, 1)
    ['one two…']
    """
    rows, line = list[str](), ""
    # Japanese breaks between any letters, other scripts between words.
    for piece in re.findall(r"[⺀-鿿＀-￯]|[^\s⺀-鿿＀-￯]+\s*|\s+", text):
        if line and _units(line + piece.rstrip()) > most:
            rows.append(line.rstrip())
            line = ""
        line += piece
        while _units(line) > 1.5 * most:
            cut = max(1, int(len(line) * most / _units(line)))
            rows.append(line[:cut])
            line = line[cut:]
    if line.strip():
        rows.append(line.rstrip())
    if len(rows) > lines:
        rows = [*rows[: lines - 1], rows[lines - 1] + "…"]
    return rows


def _units(text: str) -> float:
    """Return the width of a text in letters; Japanese letters are twice as wide."""
    return sum(1.75 if ord(letter) > 0x2E7F else 1.0 for letter in text)
