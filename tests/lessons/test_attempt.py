"""The judge of tries, and the errors of lessons that do not follow the format."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tavola
from tavola import view as views
from tavola.lessons import Lesson, LessonError, attempt, parse, start

WORDS = {"en": "Go.", "ja": "進みます。"}
GAME = next(game for game in tavola.games() if not tavola.load(game).has_chance)
FIRST, SECOND, *REST = tavola.load(GAME).start().legal_actions


def lesson(**step: Any) -> Lesson:
    """A lesson of one step from the start of a game."""
    whole = {"task": WORDS, "done": WORDS, "accept": [FIRST], **step}
    document = {"id": "one", "title": WORDS, "about": WORDS, "minutes": 1, "steps": [whole]}
    return parse(json.dumps(document))


def test_an_action_outside_every_solution_is_wrong() -> None:
    one = lesson(otherwise={"en": "No.", "ja": "違います。"})
    tried = attempt(GAME, one, 0, [SECOND])
    assert (tried.status, tried.text) == ("wrong", one.steps[0].otherwise)
    assert [played.token for played in tried.played] == [SECOND]


def test_a_try_that_is_answered_plays_no_further() -> None:
    tried = attempt(GAME, lesson(), 0, [FIRST, "nonsense"])
    assert (tried.status, len(tried.played)) == ("done", 1)


def test_an_illegal_action_is_the_engine_s_error() -> None:
    with pytest.raises(tavola.IllegalAction):
        attempt(GAME, lesson(), 0, ["nonsense"])


def test_a_listed_wrong_try_has_its_own_answer() -> None:
    why = {"en": "Too early.", "ja": "まだ早いです。"}
    tried = attempt(GAME, lesson(wrong=[{"play": SECOND, "why": why}]), 0, [SECOND])
    assert tried.text is not None
    assert tried.text["en"] == "Too early."


def test_a_kind_stands_for_all_its_actions() -> None:
    state = tavola.load(GAME).start()
    kind = views.view(state, state.to_act).actions[-1].kind
    one = lesson(accept=[FIRST, f"kind:{kind}"])
    assert attempt(GAME, one, 0, [state.legal_actions[-1]]).status == "done"


def test_a_step_without_a_position_begins_where_the_one_before_ended() -> None:
    first = lesson(accept=[FIRST, SECOND])
    both = parse(
        json.dumps(
            {
                "id": "two",
                "title": WORDS,
                "about": WORDS,
                "minutes": 1,
                "steps": [
                    {"task": WORDS, "done": WORDS, "accept": [FIRST]},
                    {"task": WORDS, "done": WORDS, "accept": ["kind:any"], "seat": 0},
                ],
            }
        )
    )
    assert start(GAME, first, 0).text == tavola.load(GAME).start().text
    ended = attempt(GAME, both, 0, [FIRST]).state
    if ended.to_act == 0:
        assert start(GAME, both, 1) == ended
    else:
        with pytest.raises(LessonError, match="step 1: seat 0 is not to act"):
            start(GAME, both, 1)


def test_positions_and_counters_that_do_not_exist_are_named() -> None:
    with pytest.raises(LessonError, match="one, step 0"):
        start(GAME, lesson(position="nonsense"), 0)
    with pytest.raises(LessonError, match="seat 1 is not to act"):
        start(GAME, lesson(seat=1), 0)
    with pytest.raises(LessonError, match="no counter 'gold'; there are"):
        attempt(GAME, lesson(reach={"counter": "gold", "at_least": 1}), 0, [SECOND])


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "truncated"),
        ("{}", "missing required field `id`"),
        ('{"id": 1}', "Expected `str`, got `int`"),
        ('{"id": "one", "colour": "red"}', "unknown field `colour`"),
    ],
)
def test_faults_of_the_format_are_named(text: str, fault: str) -> None:
    with pytest.raises(LessonError, match=fault):
        parse(text)
