"""Puzzles: positions from engine games with one best turn, proven or confirmed by search.

`tavola.puzzles.generate` makes them, and `tavola.puzzles.check` confirms them.

>>> import tavola.puzzles
>>> puzzle = tavola.puzzles.puzzle_file("potlatch").puzzles[0]
>>> len(tavola.puzzles.lesson(puzzle, None).steps[0].accept)
1
"""

from tavola.puzzles.lesson import PREFIX, lesson, puzzle_lessons, title
from tavola.puzzles.puzzle import (
    THEMES,
    Goal,
    LaterTurn,
    Puzzle,
    PuzzleError,
    PuzzleFile,
    Try,
    parse,
    puzzle_file,
)

__all__ = [
    "PREFIX",
    "THEMES",
    "Goal",
    "LaterTurn",
    "Puzzle",
    "PuzzleError",
    "PuzzleFile",
    "Try",
    "lesson",
    "parse",
    "puzzle_file",
    "puzzle_lessons",
    "title",
]
