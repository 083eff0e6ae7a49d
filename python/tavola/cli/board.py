"""Draws a view as text in a terminal, from the same data that the browser draws.

A cell is a block of two lines: its name, and below it its pieces from the lowest to the highest. If
the game has levels, the number of the cell shows its level. Glyphs and colours come from the theme
of the game (`terminal`). All symbols remain distinct without colours or Unicode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text as StyledText

from tavola.view import Area, Cell, Counter, Piece, Text, View

WIDTH = 10
"""The columns between neighbouring cells, if the terminal is wide enough."""
HEIGHT = 3
"""The lines between rows of cells."""
GAP = 4
"""The columns between neighbouring areas."""


@dataclass(frozen=True, slots=True)
class Painter:
    """Draws the views of one game.

    Attributes:
        symbols: The `terminal` part of the theme: `glyph`, `ascii` and `colour` of every symbol.
            Cells have the two characters of their `frame`, by default "[]". Pieces that look
            different after rotation have `turned`, the glyphs after each quarter turn.
        say: Translates a text.
        numbers: Whether square cells show their number.
        unicode: Whether the terminal supports Unicode.
    """

    symbols: dict[str, dict[str, Any]]
    say: Callable[[Text], str]
    numbers: bool = False
    unicode: bool = True

    def board(self, view: View, *, rings: tuple[str, ...] = (), hints: bool = True) -> _Areas:
        """Draw all areas, side by side where the terminal is wide enough.

        Overlapping areas with cells of one size are drawn together. Wide areas are drawn closer
        together, and if necessary split into parts.

        Args:
            view: The view.
            rings: The cells to mark.
            hints: Whether to mark the cells that the player can select.
        """
        touchable = {cell for action in view.actions for cell in action.touches} if hints else set()
        pieces: dict[str, list[Piece]] = {}
        for piece in view.pieces:
            pieces.setdefault(piece.cell, []).append(piece)
        marked = touchable | set(rings)
        squares = [cell for area in view.areas if area.shape == "square" for cell in area.cells]
        numbers = {cell.id: cell.value for cell in squares if self.numbers and cell.value}
        draw = partial(self._cells, pieces=pieces, numbers=numbers, marked=marked)
        return _Areas(_together(view.areas), draw)

    def seats(self, view: View, names: tuple[str, ...] = ()) -> Group:
        """Draw one line for each seat, the shared supply, and the active cards."""
        lines = []
        for seat in view.seats:
            acting = view.to_act == seat.seat
            line = StyledText("> " if acting else "  ")
            line.append_text(self.glyph(seat.symbol))
            line.append(f" {self.say(seat.name)}", Style(bold=acting))
            if seat.seat < len(names) and names[seat.seat]:
                line.append(f" ({names[seat.seat]})")
            for counter in seat.counters:
                line.append("   ").append_text(self._counter(counter))
            lines.append(line)
        for counter in view.supply:
            lines.append(StyledText("  ").append_text(self._counter(counter)))
        for card in view.cards:
            line = StyledText("  ").append_text(self.glyph(card.symbol))
            lines.append(line.append(f" {self.say(card.title)}. {self.say(card.text)}"))
        return Group(*lines)

    def legend(self, view: View) -> StyledText:
        """Draw the legend of the marks on cells, except numbers."""
        marks = {
            mark.symbol: mark
            for area in view.areas
            for cell in area.cells
            for mark in cell.marks
            if not self.glyph(mark.symbol).plain.isdigit()
        }
        # Symbols of different sizes may have the same glyph and label.
        legend = {
            (self.glyph(symbol).plain, self.say(mark.label)): symbol
            for symbol, mark in sorted(marks.items())
        }
        drawn = StyledText()
        for (_, label), symbol in legend.items():
            drawn.append("  ").append_text(self.glyph(symbol)).append(f" {label}")
        return drawn

    def glyph(self, symbol: str | None, turn: int = 0) -> StyledText:
        """Return a symbol as text, rotated clockwise by a number of degrees."""
        known = self.symbols.get(symbol or "", {})
        look = known["turned"][turn // 90 - 1] if turn and "turned" in known else known
        glyph = look.get("glyph" if self.unicode else "ascii", "?" if symbol else " ")
        return StyledText(glyph, _style(known.get("colour")))

    def _counter(self, counter: Counter) -> StyledText:
        of = "" if counter.of is None else f"/{counter.of}"
        line = self.glyph(counter.symbol) if counter.symbol else StyledText("")
        return line.append(f" {self.say(counter.label)}: {counter.value}{of}")

    def _cells(
        self,
        cells: Sequence[Cell],
        columns: int,
        *,
        pieces: dict[str, list[Piece]],
        numbers: dict[str, int],
        marked: set[str],
    ) -> Iterator[StyledText]:
        if not cells:
            return
        left = min(cell.x for cell in cells)
        span = max(cell.x for cell in cells) - left
        # Frame, star, marks; a gap, if there is room.
        framed = max(len(cell.id) + len(cell.marks) for cell in cells) + 3
        rows: dict[float, list[Cell]] = {}
        for cell in cells:
            rows.setdefault(round(cell.y, 3), []).append(cell)
        # Even, where rows of hexes stand half a cell apart.
        halves = [all((cell.x - left) % 1 == 0.5 for cell in row) for row in rows.values()]
        even = 2 if any(halves) else 1
        widths = range(max(WIDTH, -(-(framed + 1) // even) * even), framed - 1, -even)
        fitting = (width for width in widths if span * width + framed <= columns)
        width = next(fitting, widths[-1])
        across = max(0, columns - framed) / width
        rest = [cell for cell in cells if cell.x - left > across]
        drawn = StyledText()
        for y in sorted(rows):
            above, below = StyledText(), StyledText()
            row = [cell for cell in rows[y] if cell not in rest]
            for cell in sorted(row, key=lambda cell: cell.x):
                column = round((cell.x - left) * width)
                for line, content in (
                    (above, self._name(cell, cell.id in marked)),
                    (below, self._content(cell, pieces.get(cell.id, []), numbers.get(cell.id))),
                ):
                    line.append(" " * max(0, column - cell_len(line.plain)))
                    line.append_text(self._framed(cell, content, max(framed, width - 1)))
            drawn.append_text(above).append("\n").append_text(below).append("\n" * (HEIGHT - 1))
        yield drawn
        yield from self._cells(rest, columns, pieces=pieces, numbers=numbers, marked=marked)

    def _name(self, cell: Cell, marked: bool) -> StyledText:
        name = StyledText(cell.id, Style(bold=True, underline=True) if marked else Style(dim=True))
        if marked:
            name.append("*", Style(bold=True))
        for mark in cell.marks:
            name.append_text(self.glyph(mark.symbol))
        return name

    def _content(self, cell: Cell, pieces: list[Piece], number: int | None) -> StyledText:
        if not pieces:
            return self.glyph(cell.symbol)
        line = StyledText()
        for piece in sorted(pieces, key=lambda piece: piece.level):
            line.append_text(self.glyph(piece.symbol, piece.turn))
        if number is not None:
            line.append(str(number), Style(bold=True))
        return line

    def _framed(self, cell: Cell, content: StyledText, width: int) -> StyledText:
        known = self.symbols.get(cell.symbol or "", {})
        frame = known.get("frame", "[]")
        style = _style(known.get("colour"))
        room = width - 2 - cell_len(content.plain)
        before = max(0, room // 2)
        line = StyledText(frame[:1], style).append(" " * before).append_text(content)
        return line.append(" " * max(0, room - before)).append(frame[1:], style)


@dataclass(frozen=True, slots=True)
class _Block:
    """A group of cells with a function that draws it."""

    cells: Sequence[Cell]
    drawn: StyledText

    @property
    def width(self) -> int:
        return max(map(cell_len, self.drawn.plain.splitlines()))

    @property
    def left(self) -> float:
        return min(cell.x for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Areas:
    """Groups of cells, drawn for the width of the terminal."""

    groups: Sequence[Sequence[Cell]]
    draw: Callable[[Sequence[Cell], int], Iterator[StyledText]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        rows: list[list[_Block]] = []
        for cells in filter(None, self.groups):
            block = _Block(cells, StyledText("\n").join(self.draw(cells, options.max_width)))
            for row in rows:
                beside = any(_overlap(cells, other.cells, "y") for other in row)
                width = block.width + sum(other.width + GAP for other in row)
                if beside and width <= options.max_width:
                    row.append(block)
                    break
            else:
                rows.append([block])
        for row in rows:
            table = Table.grid(padding=(0, GAP, 0, 0))
            table.add_row(*(block.drawn for block in sorted(row, key=attrgetter("left"))))
            yield table


def _together(areas: Sequence[Area]) -> list[list[Cell]]:
    """Group the cells of areas; overlapping areas with cells of one size form one group.

    The cells of a group are placed in widths of its cells.
    """
    groups: list[tuple[float, list[Cell]]] = []
    for area in areas:
        cells = [
            msgspec.structs.replace(cell, x=cell.x / area.size, y=cell.y / area.size)
            for cell in area.cells
        ]
        for group in list(groups):
            size, others = group
            if size == area.size and _overlap(others, cells, "x", "y"):
                groups.remove(group)
                cells = [*others, *cells]
        groups.append((area.size, cells))
    return [cells for _, cells in groups]


def _overlap(one: Sequence[Cell], other: Sequence[Cell], *axes: str) -> bool:
    """Return whether two groups of cells overlap on all of these axes."""
    if not one or not other:
        return False
    for at in map(attrgetter, axes):
        places = [[at(cell) for cell in cells] for cells in (one, other)]
        if max(map(min, places)) >= min(map(max, places)):
            return False
    return True


def _style(colour: str | None) -> Style:
    return Style.parse(colour) if colour else Style()


def painter(name: str, language: Any, *, unicode: bool) -> Painter:
    """Return the painter of a game in a language."""
    from tavola.server import games

    theme = games.info(name).theme
    return Painter(
        theme.get("terminal", {}),
        lambda text: games.format_text(name, language, text),
        numbers="depth" in theme,
        unicode=unicode,
    )
