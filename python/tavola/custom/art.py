"""The default drawing of games written in Python: cells, and discs with a letter.

The shape of a piece shows its seat as well as the colour does: discs, squares, hexes and diamonds.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import cos, pi, sin
from typing import Any

__all__ = ["MOST_SEATS", "symbols", "theme"]

MOST_SEATS = 8

_SEATS = (
    # Text on a light and a dark page, the piece, the letter on it, and the terminal's colour.
    ("#ad2c1f", "#ff9384", "#c93a2a", "#ffffff", "bright_red"),
    ("#1c4a8c", "#8fbaff", "#1f4f93", "#ffffff", "bright_blue"),
    ("#1f6b3a", "#86d6a0", "#6cc08a", "#0c2a16", "bright_green"),
    ("#7a5a00", "#f2cf63", "#f0c33c", "#332600", "bright_yellow"),
    ("#6d2f9c", "#d9b3ff", "#7b3bb0", "#ffffff", "bright_magenta"),
    ("#4a4a4a", "#cfcfcf", "#8d8d8d", "#000000", "white"),
    ("#6b3f1a", "#dcab7c", "#6b3f1a", "#ffffff", "yellow"),
    ("#a0266a", "#ff9fd0", "#f3a3c8", "#3a0524", "magenta"),
)
_NEUTRAL = ("#e8e1d3", "#2a2622")
"""A piece without a seat: its colour and that of its letter."""


def _polygon(corners: int, radius: float, turn: float) -> str:
    angles = [turn + 2 * pi * corner / corners for corner in range(corners)]
    return " ".join(f"{radius * sin(at):.1f},{-radius * cos(at):.1f}" for at in angles)


def _outline(seat: int | None, colours: str) -> str:
    """Return the outline of the pieces of a seat."""
    shape = 0 if seat is None else seat % 4
    if shape == 1:
        return f'<rect x="-32" y="-32" width="64" height="64" rx="9" {colours}/>'
    if shape == 2:
        return f'<polygon points="{_polygon(6, 38, 0)}" stroke-linejoin="round" {colours}/>'
    if shape == 3:
        return f'<polygon points="{_polygon(4, 43, 0)}" stroke-linejoin="round" {colours}/>'
    return f'<circle r="35" {colours}/>'


def _piece(seat: int | None, symbol: str) -> str:
    name = "n" if seat is None else str(seat)
    colours = f'fill="var(--piece-{name})" stroke="var(--piece-line)" stroke-width="3"'
    # The second four seats have a ring too.
    ring = seat is not None and seat >= 4
    inner = f'<circle r="24" fill="none" stroke="var(--letter-{name})" stroke-width="3"/>'
    size = {0: 40, 1: 40, 2: 32}.get(len(symbol), 22)
    letter = (
        f'<text y="{size * 0.35:.0f}" text-anchor="middle" font-size="{size}" font-weight="700" '
        f'font-family="system-ui, sans-serif" fill="var(--letter-{name})">{escape(symbol)}</text>'
    )
    return _outline(seat, colours) + (inner if ring else "") + (letter if symbol else "")


def symbols(pieces: Sequence[str], seats: int) -> str:
    """Return the SVG groups of the cells, the seats, and the pieces of every seat.

    Args:
        pieces: The symbols of pieces.
        seats: The number of seats.
    """
    line = 'stroke="var(--line)" stroke-width="2"'
    square = f'<rect x="-49" y="-49" width="98" height="98" rx="5" {line}'
    hexagon = _polygon(6, 56.5, 0)
    groups = {
        "cell-square": f'{square} fill="var(--cell)"/>',
        "cell-shade": f'{square} fill="var(--cell-shade)"/>',
        "cell-hex": f'<polygon points="{hexagon}" {line} fill="var(--cell)"/>',
        "cell-free": f'<circle r="46" {line} fill="var(--cell)"/>',
    }
    groups |= {f"seat-{seat}": _piece(seat, "") for seat in range(seats)}
    for seat in (None, *range(seats)):
        name = "n" if seat is None else str(seat)
        for number, symbol in enumerate(pieces):
            groups[f"piece-{name}-{number}"] = _piece(seat, symbol)
    return "\n".join(f'<g id="{name}">{drawing}</g>' for name, drawing in groups.items())


def theme(pieces: Sequence[str], initials: Sequence[str]) -> dict[str, Any]:
    """Return geometry, colours, and the letters for the terminal.

    Args:
        pieces: The symbols of pieces.
        initials: One letter for each seat.
    """
    colours = {
        "accent": ("#00664f", "#8ff5d0"),
        "table": ("#f6f3ec", "#1b1a18"),
        "cell": ("#fffdf8", "#3a3733"),
        "cell-shade": ("#e3dccd", "#2b2926"),
        "line": ("#8b8478", "#7d766b"),
        "piece-line": ("#1d1a16", "#f4efe6"),
        "piece-n": (_NEUTRAL[0], _NEUTRAL[0]),
        "letter-n": (_NEUTRAL[1], _NEUTRAL[1]),
    }
    terminal: dict[str, dict[str, str]] = {
        "cell-square": {"glyph": "·", "ascii": ".", "colour": "bright_black"},
        "cell-shade": {"glyph": "·", "ascii": ".", "colour": "bright_black"},
        "cell-hex": {"glyph": "·", "ascii": ".", "colour": "bright_black"},
        "cell-free": {"glyph": "·", "ascii": ".", "colour": "bright_black"},
    }
    for seat, (light, dark, piece, letter, terminal_colour) in enumerate(_SEATS[: len(initials)]):
        colours[f"seat-{seat}"] = (light, dark)
        colours[f"piece-{seat}"] = (piece, piece)
        colours[f"letter-{seat}"] = (letter, letter)
        glyph = {"glyph": initials[seat], "ascii": initials[seat], "colour": terminal_colour}
        terminal[f"seat-{seat}"] = glyph
        for number, symbol in enumerate(pieces):
            text = initials[seat] + symbol
            plain = text if text.isascii() else f"{initials[seat]}{number}"
            terminal[f"piece-{seat}-{number}"] = {**glyph, "glyph": text, "ascii": plain}
    for number, symbol in enumerate(pieces):
        plain = (symbol if symbol.isascii() else str(number)) or "o"
        terminal[f"piece-n-{number}"] = {"glyph": symbol or "o", "ascii": plain, "colour": "white"}
    return {
        "tilt": 1,
        "lift": 8,
        "rise": 50,
        "colours": {
            name: {"light": light, "dark": dark} for name, (light, dark) in colours.items()
        },
        "terminal": terminal,
    }
