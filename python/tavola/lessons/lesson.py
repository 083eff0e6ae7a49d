"""Lessons as data: `games/<game>/lessons/*.json`, in every language."""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct

import tavola
from tavola import _core
from tavola.options_text import parse_options


class LessonError(ValueError):
    """A lesson or one of its positions does not follow the format or the rules."""


Words = dict[str, str]
"""A text by language."""


class WrongTry(Struct, frozen=True, forbid_unknown_fields=True):
    """A legal try that misses the task.

    Attributes:
        play: The actions of the player, separated by spaces.
        why: The answer: why it misses the task.
        reply: The actions of the opponent that show it, separated by spaces.
        loses: The number of actions within which the opponent then has a proven win; `None` without
            such a claim. The tests check it.
    """

    play: str
    why: Words
    reply: str = ""
    loses: int | None = None


class Rejected(Struct, frozen=True, forbid_unknown_fields=True):
    """An illegal try. The game's own rules give the reason.

    Attributes:
        touch: The ids of the selected cells, in order.
        reason: The key of the reason in the game's messages.
        after: The actions of the player before it, separated by spaces.
        turn: The clockwise rotation of the piece in degrees; `None` for any.
    """

    touch: tuple[str, ...]
    reason: str
    after: str = ""
    turn: int | None = None


class Reach(Struct, frozen=True, forbid_unknown_fields=True):
    """A result of the turn that solves a step, whatever the actions.

    Attributes:
        counter: The id of a counter of the player, such as the points.
        at_least: The least value of the counter that solves the step.
    """

    counter: str
    at_least: int


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True):
    """One task of a lesson.

    Attributes:
        task: The task.
        done: What the player has learnt, once the task is solved.
        accept: The solutions. Each is a sequence of actions of the player, separated by spaces. An
            item `kind:K` stands for every action of that kind. The first solution has no such item.
        otherwise: The answer to a wrong try that is not listed; `None` for the common answer.
        seat: The seat of the player.
        position: The position as text. `None`: the start of the game in the first step, and the
            end of the step before in the others.
        reach: Another way to solve the step; `None` without one.
        wrong: The wrong tries with an answer of their own.
        rejected: Illegal tries that the task provokes.
        reply: The actions of the other seats after a solution, separated by spaces.
        chance: The chance outcomes to use, in order. Without a possible one, it is the first one
            of the position.
        wins: The number of actions within which a solution has a proven win; `None` without such a
            claim. The tests check it, and that no wrong try has one.
        best: Whether the engine's search, too, plays the first solution. The tests check it.
        whole: Whether tries are judged at the end of the turn, by their position. All orders of
            actions that lead to the same position are then equal.
    """

    task: Words
    done: Words
    accept: tuple[str, ...]
    otherwise: Words | None = None
    seat: int = 0
    position: str | None = None
    reach: Reach | None = None
    wrong: tuple[WrongTry, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    reply: str = ""
    chance: tuple[str, ...] = ()
    wins: int | None = None
    best: bool = False
    whole: bool = False


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson.

    Attributes:
        id: The id, unique in the game: lower case letters.
        title: The title.
        about: What the player learns, in one sentence.
        minutes: The time that it takes, in minutes.
        steps: The tasks, in order.
        options: The options of the game that differ from the defaults, as in a record: `players=3`.
    """

    id: str
    title: Words
    about: Words
    minutes: int
    steps: tuple[LessonStep, ...]
    options: str = ""


class _Described(Struct, frozen=True):
    lessons: tuple[Lesson, ...]


def lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons of a game, the first lesson first.

    Args:
        game: The name of the game.

    Returns:
        The lessons; empty if the game has none.

    Raises:
        tavola.UnknownGame: If there is no such game.
    """
    return _lessons(game, _core._registrations())


@cache
def _lessons(game: str, registrations: int) -> tuple[Lesson, ...]:
    return msgspec.json.decode(_core.describe(game), type=_Described).lessons


def parse(text: str | bytes) -> Lesson:
    """Parse the file of a lesson.

    Args:
        text: The JSON of the file.

    Returns:
        The lesson.

    Raises:
        LessonError: If it is no JSON, or a field is missing, unknown or of another type.
    """
    try:
        return msgspec.json.decode(text, type=Lesson)
    except msgspec.DecodeError as error:
        raise LessonError(f"not a lesson: {error}") from error


def load_game(name: str, lesson: Lesson) -> tavola.Game:
    """Return the game under the options of a lesson.

    Args:
        name: The name of the game.
        lesson: The lesson.

    Returns:
        The game.

    Raises:
        tavola.OptionError: If the game has no such option or value.
    """
    return tavola.load(name, **parse_options(lesson.options))
