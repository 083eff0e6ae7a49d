"""Boards of games written in Python: areas of cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import sqrt
from string import ascii_lowercase
from typing import Literal

__all__ = ["Board", "Cell", "Free", "Grid", "HexGrid"]

Shape = Literal["square", "hex", "free"]
"""The shape of the cells of a board."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place for pieces.

    Attributes:
        id: The id, unique among the cells of all boards of the game.
        x: The horizontal position of the centre, in cell widths.
        y: The vertical position of the centre, downwards.
        shade: Whether the cell is darker, as on a chess board.
        part_of: The id of the cell that a click on this cell selects; the cell itself by default.
    """

    id: str
    x: float
    y: float
    shade: bool = False
    part_of: str | None = None


@dataclass(frozen=True)
class Board:
    """An area of cells.

    Attributes:
        cells: The cells.
        shape: The shape of the cells.
        label: The name of the area, or a key of the game's `words`.
        id: The id of the area.
    """

    cells: tuple[Cell, ...]
    shape: Shape = "free"
    label: str = "area.board"
    id: str = "board"


def _columns(count: int) -> str:
    if not 1 <= count <= len(ascii_lowercase):
        raise ValueError(f"a board has 1 to {len(ascii_lowercase)} columns, not {count}")
    return ascii_lowercase[:count]


@dataclass(frozen=True)
class Regular(Board):
    """A board with columns `a`, `b`, ... and rows 1, 2, ..."""

    cells: tuple[Cell, ...] = field(init=False)
    columns: int = 0
    rows: int = 0

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids of the cells, row by row from the top."""
        return iter([cell.id for cell in self.cells])


@dataclass(frozen=True)
class Grid(Regular):
    """A board of squares: columns `a`, `b`, ... from the left, rows 1, 2, ... from the bottom.

    Attributes:
        columns: The number of columns, at most 26.
        rows: The number of rows.
        chequered: Whether every other square is darker.

    >>> list(Grid(2, 2))
    ['a2', 'b2', 'a1', 'b1']
    """

    chequered: bool = False

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        chequered: bool = False,
        label: str = "area.board",
        name: str = "board",
    ) -> None:
        cells = tuple(
            Cell(f"{letter}{rows - y}", x, y, shade=chequered and (x + rows - y) % 2 == 1)
            for y in range(rows)
            for x, letter in enumerate(_columns(columns))
        )
        _set(self, cells, "square", label, name, columns, rows)
        object.__setattr__(self, "chequered", chequered)


@dataclass(frozen=True)
class HexGrid(Regular):
    """A rhombus of hexes: columns `a`, `b`, ... and rows 1, 2, ... from the top.

    Each row begins half a hex further to the right than the row above. So `b2` has the
    neighbours `b1`, `c1`, `a2`, `c2`, `a3` and `b3`.

    Attributes:
        columns: The number of columns, at most 26.
        rows: The number of rows.

    >>> list(HexGrid(2, 2))
    ['a1', 'b1', 'a2', 'b2']
    """

    def __init__(
        self, columns: int, rows: int, *, label: str = "area.board", name: str = "board"
    ) -> None:
        cells = tuple(
            Cell(f"{letter}{y + 1}", x + y / 2, y * sqrt(3) / 2)
            for y in range(rows)
            for x, letter in enumerate(_columns(columns))
        )
        _set(self, cells, "hex", label, name, columns, rows)

    def neighbours(self, cell: str) -> tuple[str, ...]:
        """Return the ids of the cells beside a cell.

        Args:
            cell: The id of a cell.

        >>> HexGrid(3, 3).neighbours("b2")
        ('b1', 'c1', 'a2', 'c2', 'a3', 'b3')
        """
        x, y = ascii_lowercase.index(cell[0]), int(cell[1:])
        steps = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
        beside = ((x + right, y + down) for right, down in steps)
        return tuple(
            f"{ascii_lowercase[column]}{row}"
            for column, row in beside
            if 0 <= column < self.columns and 1 <= row <= self.rows
        )


def _set(
    board: Regular,
    cells: tuple[Cell, ...],
    shape: Shape,
    label: str,
    name: str,
    columns: int,
    rows: int,
) -> None:
    fields = ("cells", "shape", "label", "id", "columns", "rows")
    for key, value in zip(fields, (cells, shape, label, name, columns, rows), strict=True):
        object.__setattr__(board, key, value)


def Free(  # noqa: N802 - named as the other boards
    places: Mapping[str, tuple[float, float]], *, label: str = "area.board", name: str = "board"
) -> Board:
    """Return a board with cells at any places, such as heaps or a track.

    Args:
        places: The position of each cell: to the right and downwards, in cell widths.
        label: The name of the area, or a key of the game's `words`.
        name: The id of the area.

    >>> [cell.id for cell in Free({"left": (0, 0), "right": (2, 0)}).cells]
    ['left', 'right']
    """
    cells = tuple(Cell(cell, x, y) for cell, (x, y) in places.items())
    return Board(cells, "free", label, name)
