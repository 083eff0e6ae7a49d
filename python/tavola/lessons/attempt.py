"""A try at a step of a lesson: what is played, and whether it solves the task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import tavola
from tavola import view as views
from tavola.lessons.lesson import Lesson, LessonError, Step, Words, load_game

KIND = "kind:"
"""The prefix of an item that stands for every action of a kind."""


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


@lru_cache(256)
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
    step = lesson.steps[number]
    if step.position is not None:
        try:
            state = load_game(game, lesson).parse(step.position)
        except tavola.PositionError as error:
            raise LessonError(f"{lesson.id}, step {number}: {error}") from error
    elif number == 0:
        state = load_game(game, lesson).start()
    else:
        state = attempt(game, lesson, number - 1, lesson.steps[number - 1].accept[0].split()).state
    for played in _chance(state, list(step.chance)):
        state = played.before.play(played.token)
    if state.to_act != step.seat:
        raise LessonError(f"{lesson.id}, step {number}: seat {step.seat} is not to act")
    return state


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
    step = lesson.steps[number]
    first = state = start(game, lesson, number)
    outcomes = list(step.chance)
    played: list[Played] = []
    judged: tuple[Literal["playing", "wrong", "done"], str, Words | None] = ("playing", "", None)
    kinds: list[str] = []
    for count, token in enumerate(line, 1):
        kinds.append(_kind(state, token) if _has_kinds(step) else "")
        state = _play(state, token, outcomes, played)
        judged = _judge(step, first, state, line[:count], kinds)
        if judged[0] != "playing":
            break
    status, reply, text = judged
    for token in reply.split():
        if state.outcome is not None or token not in state.legal_actions:
            break
        state = _play(state, token, outcomes, played)
    hint = _hint(step, line, state) if status == "playing" else None
    return Attempt(status, state, tuple(played), text, hint)


def _play(
    state: tavola.State, token: str, outcomes: list[str], played: list[Played]
) -> tavola.State:
    """Play an action and the chance outcomes that follow it, and add them to `played`."""
    seat = state.to_act
    after = state.play(token)
    assert seat is not None
    played.append(Played(state, seat, token))
    for drawn in _chance(after, outcomes):
        played.append(drawn)
        after = drawn.before.play(drawn.token)
    return after


def _chance(state: tavola.State, outcomes: list[str]) -> Iterator[Played]:
    """Yield the chance outcomes up to the next decision; `outcomes` loses those that are used."""
    while state.to_act == tavola.CHANCE:
        possible = [token for token, _ in state.chance_outcomes]
        token = next((wanted for wanted in outcomes if wanted in possible), possible[0])
        if token in outcomes:
            outcomes.remove(token)
        yield Played(state, tavola.CHANCE, token)
        state = state.play(token)


def _judge(
    step: Step, first: tavola.State, state: tavola.State, line: Sequence[str], kinds: Sequence[str]
) -> tuple[Literal["playing", "wrong", "done"], str, Words | None]:
    """Return the status of a try, the reply to it, and the text about it."""
    turn_lasts = state.outcome is None and (state.to_act, state.turn) == (step.seat, first.turn)
    if step.whole:
        return ("playing", "", None) if turn_lasts else _judge_turn(step, first, state)
    solutions = [solution.split() for solution in step.accept]
    if any(_matches(solution, line, kinds) for solution in solutions):
        return "done", step.reply, step.done
    for wrong in step.wrong:
        if _matches(wrong.play.split(), line, kinds):
            return "wrong", wrong.reply, wrong.why
    if step.reach is not None:
        if _counter(state, step.seat, step.reach.counter) >= step.reach.at_least:
            return "done", step.reply, step.done
        if turn_lasts:
            return "playing", "", None
    begun = [*solutions, *(wrong.play.split() for wrong in step.wrong)]
    prefixes = (whole[: len(line)] for whole in begun if len(whole) > len(line))
    if turn_lasts and any(_matches(prefix, line, kinds) for prefix in prefixes):
        return "playing", "", None
    return "wrong", "", step.otherwise


def _judge_turn(
    step: Step, first: tavola.State, end: tavola.State
) -> tuple[Literal["wrong", "done"], str, Words | None]:
    """Judge a whole turn by the position in which it ends."""
    if any(_end(step, first, solution) == end for solution in step.accept):
        return "done", step.reply, step.done
    for wrong in step.wrong:
        if _end(step, first, wrong.play) == end:
            return "wrong", wrong.reply, wrong.why
    return "wrong", "", step.otherwise


def _end(step: Step, first: tavola.State, line: str) -> tavola.State:
    """Return the state after the actions of the player and of chance."""
    state, outcomes = first, list(step.chance)
    for token in line.split():
        state = _play(state, token, outcomes, [])
    return state


def _matches(pattern: Sequence[str], line: Sequence[str], kinds: Sequence[str]) -> bool:
    """Return whether the actions follow the pattern, one by one."""
    return len(pattern) == len(line) and all(
        item == token or item == f"{KIND}{kind}"
        for item, token, kind in zip(pattern, line, kinds, strict=True)
    )


def _has_kinds(step: Step) -> bool:
    """Return whether the step has a pattern with a kind of action."""
    return any(KIND in text for text in (*step.accept, *(wrong.play for wrong in step.wrong)))


def _kind(state: tavola.State, token: str) -> str:
    """Return the kind of a legal action; empty for an illegal one."""
    actions: Iterable[views.ActionView] = views.view(state, state.to_act).actions
    return next((action.kind for action in actions if action.token == token), "")


def _counter(state: tavola.State, seat: int, name: str) -> int:
    """Return a counter of a seat.

    Raises:
        LessonError: If the seat has no such counter.
    """
    counters = views.view(state).seats[seat].counters
    for counter in counters:
        if counter.id == name:
            return counter.value
    known = ", ".join(counter.id for counter in counters)
    raise LessonError(f"no counter {name!r}; there are: {known}")


def _hint(step: Step, line: Sequence[str], state: tavola.State) -> str | None:
    """Return the next action of a solution that begins with these actions."""
    for solution in (text.split() for text in step.accept):
        if solution[: len(line)] == list(line) and len(solution) > len(line):
            token = solution[len(line)]
            if token in state.legal_actions:
                return token
    return None
