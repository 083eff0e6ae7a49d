"""Lessons as the server sends them."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

import tavola
from tavola import _core, lessons, puzzles
from tavola.lessons import Lesson, Words
from tavola.server.errors import RequestError
from tavola.server.schema.event_list import ActionEntry
from tavola.server.schema.responses import EncodedView


class StepInfo(Struct, frozen=True):
    """A step of a lesson.

    Attributes:
        task: The task.
        seat: The seat of the player.
    """

    task: Words
    seat: int


class LessonInfo(Struct, frozen=True):
    """A lesson.

    Attributes:
        id: The id, unique in the game.
        title: The title.
        about: The subject.
        minutes: The time that it takes, in minutes.
        steps: The tasks, in order.
    """

    id: str
    title: Words
    about: Words
    minutes: int
    steps: tuple[StepInfo, ...]


class GameLessons(Struct, frozen=True):
    """The lessons of a game, the first one first."""

    game: str
    lessons: tuple[LessonInfo, ...]


class ThemeInfo(Struct, frozen=True):
    """A theme of puzzles.

    Attributes:
        id: The id, unique in the game.
        title: The name.
    """

    id: str
    title: Words


class PuzzleInfo(Struct, frozen=True):
    """A puzzle in the list.

    Attributes:
        id: The id, unique in the game.
        theme: The id of its theme.
        level: The lowest engine level that solves it, from 1 to 8.
        turns: The number of turns to find.
    """

    id: str
    theme: str
    level: int
    turns: int


class GamePuzzles(Struct, frozen=True):
    """The puzzles of a game, and the themes that they have."""

    game: str
    themes: tuple[ThemeInfo, ...]
    puzzles: tuple[PuzzleInfo, ...]


class LessonPosition(Struct, frozen=True):
    """A position of a lesson, and what came of the player's try.

    Attributes:
        status: `playing`: the player has to act. `done`: the task is solved. `wrong`: it is missed.
        seat: The seat of the player.
        acting: The seat to act; `None` if the game is over.
        view: The position as the player sees it, with actions while playing.
        log: All actions of this step, with chance outcomes and replies.
        text: The lesson learnt, or why the try is wrong; `None`: the common answer.
        hint: The next action of a solution; `None` if the try leads to none.
    """

    status: Literal["playing", "wrong", "done"]
    seat: int
    acting: int | None
    view: EncodedView
    log: tuple[ActionEntry, ...]
    text: Words | None
    hint: str | None


def find_lesson(game: str, lesson: str, step: int) -> Lesson:
    """Return a lesson or puzzle that has this step.

    Raises:
        RequestError: `unknown-game`, `unknown-lesson`, `unknown-puzzle`, `unknown-step`.
    """
    if lesson.startswith(puzzles.PREFIX):
        found = find_puzzle(game, lesson.removeprefix(puzzles.PREFIX))
    else:
        _check_game(game)
        known = {one.id: one for one in lessons.lessons(game)}
        if lesson not in known:
            raise RequestError("unknown-lesson", lesson=lesson, valid=list(known))
        found = known[lesson]
    count = len(found.steps)
    if not 0 <= step < count:
        raise RequestError("unknown-step", step=step, last=count - 1)
    return found


def find_puzzle(game: str, puzzle: str) -> Lesson:
    """Return a puzzle as a lesson.

    Raises:
        RequestError: `unknown-game`, `unknown-puzzle`.
    """
    _check_game(game)
    found = puzzles.puzzle_lessons(game).get(f"{puzzles.PREFIX}{puzzle}")
    if found is None:
        raise RequestError("unknown-puzzle", puzzle=puzzle)
    return found


def _check_game(game: str) -> None:
    if game not in tavola.games():
        raise RequestError("unknown-game", game=game, valid=list(tavola.games()))


def puzzle_info(game: str, puzzle: str) -> LessonInfo:
    """Return a puzzle as the server sends it.

    Raises:
        RequestError: `unknown-game`, `unknown-puzzle`.
    """
    return _info(find_puzzle(game, puzzle))


def _info(lesson: Lesson) -> LessonInfo:
    steps = tuple(StepInfo(step.task, step.seat) for step in lesson.steps)
    return LessonInfo(lesson.id, lesson.title, lesson.about, lesson.minutes, steps)


def game_lessons_json(game: str) -> bytes:
    """Return the complete lessons of a game as JSON, for clients that judge tries themselves.

    Raises:
        RequestError: `unknown-game`.
    """
    _check_game(game)
    return msgspec.json.encode(lessons.lessons(game))


def game_puzzles_json(game: str) -> bytes:
    """Return the puzzles of a game as complete lessons, as JSON.

    Raises:
        RequestError: `unknown-game`.
    """
    _check_game(game)
    return _game_puzzles_json(game, _core._registrations())


@cache
def _game_puzzles_json(game: str, registrations: int) -> bytes:
    return msgspec.json.encode(tuple(puzzles.puzzle_lessons(game).values()))


def lessons_json() -> bytes:
    """Return the lessons of every game, as JSON."""
    return _lessons_json(tavola.games(), _core._registrations())


@cache
def _lessons_json(games: tuple[str, ...], registrations: int) -> bytes:
    return msgspec.json.encode(
        [
            GameLessons(game, tuple(_info(lesson) for lesson in lessons.lessons(game)))
            for game in games
        ]
    )


def puzzles_json() -> bytes:
    """Return the puzzles of every game, as JSON."""
    return _puzzles_json(tavola.games(), _core._registrations())


@cache
def _puzzles_json(games: tuple[str, ...], registrations: int) -> bytes:
    return msgspec.json.encode([_puzzles(game) for game in games])


def _puzzles(game: str) -> GamePuzzles:
    file = puzzles.puzzle_file(game)
    used = {puzzle.theme for puzzle in file.puzzles}
    themes = tuple(
        ThemeInfo(theme, puzzles.title(theme, file.goal(theme)))
        for theme in file.themes
        if theme in used
    )
    listed = tuple(
        PuzzleInfo(one.id, one.theme, one.level, 1 + len(one.later)) for one in file.puzzles
    )
    return GamePuzzles(game, themes, listed)
