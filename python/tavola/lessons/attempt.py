"""A try at a step of a lesson: what is played, and whether it solves the task.

The core judges (`crates/coach`), so that the browser can judge without the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import msgspec

import tavola
from tavola import _core
from tavola.lessons.lesson import Lesson, Words, load_game


@dataclass(frozen=True, slots=True)
class Played:
    """An action of a try.

    Attributes:
        before: The state before the action.
        seat: The seat that played it; `tavola.CHANCE` for a chance outcome.
        token: The token of the action.
    """

    before: tavola.State
    seat: int
    token: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of a try.

    Attributes:
        status: `playing` while the player has to act, `done` if the task is solved, else `wrong`.
        state: The state after all actions.
        played: The actions from the start of the step on: the player's, chance's, and the replies.
        text: What the player has learnt, or why the try is wrong; `None` for the common answer and
            while playing.
        hint: The next action of a solution that begins with the actions of the player; `None` if
            there is none.
    """

    status: Literal["playing", "wrong", "done"]
    state: tavola.State
    played: tuple[Played, ...]
    text: Words | None
    hint: str | None


def start(game: str, lesson: Lesson, number: int) -> tavola.State:
    """Return the first state of a step.

    Args:
        game: The name of the game.
        lesson: The lesson.
        number: The index of the step.

    Returns:
        The state, in which the player of the step is to act.

    Raises:
        LessonError: If the position cannot be read, or another seat is to act.
        IndexError: If the lesson has no such step.
    """
    _check_step(lesson, number)
    return _core._lesson_start(load_game(game, lesson), _encode(lesson), number)


def attempt(game: str, lesson: Lesson, number: int, line: Sequence[str]) -> Attempt:
    """Play a try at a step and judge it.

    Args:
        game: The name of the game.
        lesson: The lesson.
        number: The index of the step.
        line: The actions of the player in this step, without chance outcomes and replies.

    Returns:
        The judged try. The first action that solves or misses the task ends it, so that later
        actions are not played.

    Raises:
        tavola.IllegalAction: If an action cannot be played.
        LessonError: As `start`.
        IndexError: If the lesson has no such step.
    """
    _check_step(lesson, number)
    loaded = load_game(game, lesson)
    status, steps, state, text, hint = _core._lesson_attempt(
        loaded, _encode(lesson), number, list(line)
    )
    # Only a seat or chance acts before an action.
    played = tuple(Played(before, cast(int, before.to_act), token) for before, token in steps)
    return Attempt(status, state, played, text, hint)


def _check_step(lesson: Lesson, number: int) -> None:
    if not 0 <= number < len(lesson.steps):
        raise IndexError(f"{lesson.id} has no step {number}")


def _encode(lesson: Lesson) -> str:
    return msgspec.json.encode(lesson).decode()
