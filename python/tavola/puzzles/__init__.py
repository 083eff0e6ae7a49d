"""Puzzles: positions from engine games with one best turn, proven or confirmed by search.

>>> import tavola.puzzles
>>> puzzle = tavola.puzzles.puzzle_file("potlatch").puzzles[0]
>>> len(tavola.puzzles.lesson(puzzle, None).steps[0].accept)
1
"""

from tavola.puzzles.check import check, check_all
from tavola.puzzles.generate import Plan, generate
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
    "Plan",
    "Puzzle",
    "PuzzleError",
    "PuzzleFile",
    "Try",
    "check",
    "check_all",
    "generate",
    "lesson",
    "parse",
    "puzzle_file",
    "puzzle_lessons",
    "title",
]
