"""A puzzle as a lesson, so that the judge, the routes and the screen of lessons serve it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from tavola import _core
from tavola.language import LANGUAGES
from tavola.lessons import Lesson, LessonStep, Words, WrongTry
from tavola.messages import Messages, fill
from tavola.puzzles.puzzle import Goal, Puzzle, Try, puzzle_file

__all__ = ["PREFIX", "lesson", "puzzle_lessons", "title"]

PREFIX = "puzzle-"
"""The prefix of the id of a puzzle's lesson, which no other lesson has."""


def _said(key: str, **numbers: int | None) -> Words:
    """Return a message in every language."""
    return {one: Messages("tavola.puzzles", one)(key, **numbers) for one in LANGUAGES}


def _filled(words: Words, **numbers: int | None) -> Words:
    """Return words with numbers in place of parameters."""
    return {
        language: fill(text, numbers, lambda name: str(numbers[name]))
        for language, text in words.items()
    }


def title(theme: str, goal: Goal | None) -> Words:
    """Return the name of a theme.

    Args:
        theme: The theme.
        goal: Its goal, for a theme of one game.
    """
    return _said(f"title.{theme}") if goal is None else goal.title


def lesson(puzzle: Puzzle, goal: Goal | None) -> Lesson:
    """Return a puzzle as a lesson with a step for each turn of the player.

    Args:
        puzzle: The puzzle.
        goal: The goal of its theme, for a theme of one game.

    Returns:
        The lesson.
    """
    name = title(puzzle.theme, goal)
    return Lesson(
        id=f"{PREFIX}{puzzle.id}",
        title=name,
        about=name,
        minutes=1,
        steps=tuple(_steps(puzzle, goal)),
        options=puzzle.options,
    )


def _steps(puzzle: Puzzle, goal: Goal | None) -> Iterator[LessonStep]:
    turns = len(puzzle.later) + 1
    replies = [*(turn.reply for turn in puzzle.later), ""]
    for number in range(turns):
        theme = puzzle.theme
        if number > 0:
            theme = f"win-{int(theme.removeprefix('win-')) - number}"
        if number + 1 < turns:
            done = _said("done.more")
        elif number > 0 and theme == "win-1":
            done = _said("done.won")
        elif goal is not None:
            done = _filled(goal.done, best=puzzle.value)
        else:
            done = _said(f"done.{theme}", best=puzzle.value)
        kind = theme if goal is None else "cost" if goal.cost else "goal"
        yield LessonStep(
            task=_said(f"task.{theme}") if goal is None else _filled(goal.task, aim=puzzle.aim),
            done=done,
            accept=(puzzle.play,) if number == 0 else puzzle.later[number - 1].accept,
            otherwise=_said(f"otherwise.{kind}", best=puzzle.value),
            seat=puzzle.seat,
            position=puzzle.position if number == 0 else None,
            wrong=tuple(_wrong(puzzle, goal, one) for one in puzzle.wrong) if number == 0 else (),
            reply=replies[number],
            whole=True,
        )


def _wrong(puzzle: Puzzle, goal: Goal | None, tried: Try) -> WrongTry:
    if goal is not None:
        why = _filled(goal.wrong, value=tried.value, best=puzzle.value)
    elif tried.loses:
        why = _said("wrong.loses" if tried.reply else "wrong.lost")
    else:
        why = _said(f"wrong.{puzzle.theme}", value=tried.value, best=puzzle.value)
    return WrongTry(play=tried.play, why=why, reply=tried.reply)


def puzzle_lessons(game: str) -> Mapping[str, Lesson]:
    """Return the puzzles of a game as lessons by their ids.

    Args:
        game: The name of the game.

    Raises:
        tavola.UnknownGame: If there is no such game.
    """
    return _lessons(game, _core._registrations())


@cache
def _lessons(game: str, registrations: int) -> Mapping[str, Lesson]:
    file = puzzle_file(game)
    lessons = (lesson(puzzle, file.goal(puzzle.theme)) for puzzle in file.puzzles)
    return {one.id: one for one in lessons}
