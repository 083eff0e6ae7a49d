"""Every lesson of every game, played to its end, with all its wrong tries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

import tavola
from tavola import view as views
from tavola.language import LANGUAGES
from tavola.lessons import Attempt, Lesson, LessonStep, Words, attempt, lessons, start
from tests.profiles import PROFILE

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
PLACE = re.compile(r"\{|\}|-?\d+,-?\d+|⟨")
"""Parameters, and coordinates that a player would have to look up."""


class Case(NamedTuple):
    """A step of a lesson of a game."""

    game: str
    lesson: Lesson
    number: int

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.number]

    def attempt(self, line: Sequence[str]) -> Attempt:
        return attempt(self.game, self.lesson, self.number, line)


LESSONS = [(game, lesson) for game in tavola.games() for lesson in lessons(game)]
CASES = [Case(game, lesson, n) for game, lesson in LESSONS for n in range(len(lesson.steps))]
each_step = pytest.mark.parametrize(
    "case", CASES, ids=[f"{case.game}-{case.lesson.id}-{case.number + 1}" for case in CASES]
)


def lines(case: Case, pattern: Sequence[str], line: Sequence[str] = ()) -> Iterator[list[str]]:
    """The sequences of legal actions that follow a pattern of tokens and kinds."""
    if not pattern:
        yield list(line)
        return
    tried = case.attempt(line)
    if tried.status != "playing":
        return
    for action in views.view(tried.state, case.step.seat).actions:
        if pattern[0] in (action.token, f"kind:{action.kind}"):
            yield from lines(case, pattern[1:], [*line, action.token])


def own_end(case: Case, tried: Attempt) -> tavola.State:
    """The state after the player's actions and chance, before the replies."""
    replies = [
        played.before
        for played in tried.played
        if played.seat not in (case.step.seat, tavola.CHANCE)
    ]
    return replies[0] if replies else tried.state


def replies(case: Case, tried: Attempt) -> str:
    """The actions of the other seats."""
    own = (case.step.seat, tavola.CHANCE)
    return " ".join(played.token for played in tried.played if played.seat not in own)


def wins(state: tavola.State, seat: int, plies: int) -> bool:
    """Whether the seat has won or has a proven win."""
    if state.outcome is not None:
        return state.outcome.winners == (seat,)
    proof = tavola.prove(state, plies)
    return proof is not None and proof.winner == seat


def texts(lesson: Lesson) -> Iterator[Words]:
    """All texts of a lesson."""
    yield from (lesson.title, lesson.about)
    for step in lesson.steps:
        yield from (step.task, step.done, *(wrong.why for wrong in step.wrong))
        if step.otherwise is not None:
            yield step.otherwise


@pytest.mark.parametrize("game", tavola.games())
def test_a_game_has_a_first_lesson_and_four_short_ones(game: str) -> None:
    known = lessons(game)
    assert len({lesson.id for lesson in known}) == len(known)
    assert known == () or (known[0].minutes == 5 and len(known) >= 5)
    assert all(lesson.minutes <= 3 for lesson in known[1:])


@pytest.mark.parametrize(
    ("game", "lesson"), LESSONS, ids=[f"{game}-{lesson.id}" for game, lesson in LESSONS]
)
def test_texts_exist_in_both_languages_and_name_no_coordinates(game: str, lesson: Lesson) -> None:
    for words in texts(lesson):
        assert words.keys() == set(LANGUAGES)
        assert not JAPANESE.search(words["en"]), words["en"]
        assert JAPANESE.search(words["ja"]), words["ja"]
        for text in (words["en"], words["ja"]):
            assert text == text.strip()
            assert not PLACE.search(text), text


@each_step
def test_solutions_solve_the_task(case: Case) -> None:
    first = case.step.accept[0].split()
    assert not any(item.startswith("kind:") for item in first), "the first solution is concrete"
    for count in range(len(first)):
        begun = case.attempt(first[:count])
        assert (begun.status, begun.hint) == ("playing", first[count])
    solved = case.attempt(first)
    assert (solved.status, solved.text) == ("done", case.step.done)
    assert replies(case, solved) == case.step.reply, "the whole reply is legal"
    for pattern in case.step.accept[1:]:
        line = next(lines(case, pattern.split()), None)
        assert line is not None, f"nothing legal follows {pattern}"
        assert case.attempt(line).status == "done", line


@each_step
def test_wrong_tries_are_legal_and_answered(case: Case) -> None:
    for wrong in case.step.wrong:
        line = next(lines(case, wrong.play.split()), None)
        assert line is not None, f"nothing legal follows {wrong.play}"
        tried = case.attempt(line)
        assert (tried.status, tried.text) == ("wrong", wrong.why), line
        assert replies(case, tried) == wrong.reply
        if wrong.loses is not None:
            end = tried.state
            assert end.outcome is None or case.step.seat not in end.outcome.winners
            others = [seat for seat in range(end.game.seats) if seat != case.step.seat]
            assert any(wins(end, seat, wrong.loses) for seat in others), line
        if case.step.wins is not None:
            assert not wins(own_end(case, tried), case.step.seat, case.step.wins), line


@each_step
def test_illegal_tries_are_rejected_with_the_reason_that_the_lesson_names(case: Case) -> None:
    for rejected in case.step.rejected:
        state = case.attempt(rejected.after.split()).state
        refusal = views.refusal_of_touch(state, list(rejected.touch), rejected.turn)
        assert refusal is not None, f"{rejected.touch} is legal"
        assert refusal.text.key == rejected.reason


@each_step
def test_solutions_win_as_claimed_and_nothing_else_does(case: Case) -> None:
    if case.step.wins is None:
        return
    seat, plies = case.step.seat, case.step.wins
    for solution in case.step.accept:
        end = own_end(case, case.attempt(next(lines(case, solution.split()))))
        assert wins(end, seat, plies), solution
    won = [
        line
        for line in whole_turns(case)
        if wins(own_end(case, case.attempt(line)), seat, plies)
        and case.attempt(line).status == "wrong"
    ]
    assert won == [], "the lesson calls winning tries wrong"


def whole_turns(case: Case, line: Sequence[str] = ()) -> Iterator[list[str]]:
    """All tries, each up to the answer."""
    tried = case.attempt(line)
    if tried.status != "playing":
        yield list(line)
        return
    for token in tried.state.legal_actions:
        yield from whole_turns(case, [*line, token])


@pytest.mark.long
@each_step
def test_the_search_plays_the_first_solution_where_it_is_called_best(case: Case) -> None:
    if not case.step.best:
        return
    state = start(case.game, case.lesson, case.number)
    allowed = {solution.split()[0] for solution in case.step.accept}
    nodes = 60_000 if PROFILE == "ci" else 400_000
    assert tavola.search(state, nodes=nodes, seed=1, threads=1).best in allowed
