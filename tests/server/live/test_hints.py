"""Hints: who may have one, and the reasons that it gives."""

from __future__ import annotations

import msgspec
import pytest

import tavola
from tavola.lessons import lessons, start
from tavola.server.live.hints import find_hint
from tavola.view import MoveLabel
from tests.server.live_server import ENGINE, PERSON, LiveServer, error_of


def position(game: str, lesson: str, step: int) -> tavola.State:
    """The position of a step of a lesson."""
    (found,) = (one for one in lessons(game) if one.id == lesson)
    return start(game, found, step)


@pytest.mark.parametrize(
    ("game", "lesson", "step", "code"),
    [
        ("potlatch", "first", 3, "wins"),
        ("potlatch", "first", 4, "prevents"),
        ("proteus", "defend", 0, "threatens"),
        ("passtally", "first", 2, "gains"),
        ("montana", "cows", 3, "wins"),
    ],
)
def test_a_hint_names_the_reason(game: str, lesson: str, step: int, code: str) -> None:
    state = position(game, lesson, step)
    hint = find_hint(state, 7)
    assert hint.seq == 7
    assert hint.token in state.legal_actions
    listed = state.lazy_events(hint.token).move_json()
    assert listed is not None
    assert hint.move == msgspec.json.decode(listed, type=MoveLabel)
    (reason,) = (one for one in hint.reasons if one.code == code)
    if code in ("prevents", "threatens"):
        assert reason.n is not None
        assert reason.count is not None
        assert 0 < reason.n <= reason.count
    if code == "gains":
        assert reason.label is not None
        assert reason.n == 4


def test_the_seat_to_act_has_a_hint_where_no_other_person_plays(server: LiveServer) -> None:
    alone = server.create_match(seats=[PERSON, ENGINE])
    hint = server.http.get(f"{alone.url}/hint", headers=alone.headers).json()
    assert hint["seq"] == alone.snapshot()["seq"]
    assert hint["token"] in [action["token"] for action in alone.snapshot()["view"]["actions"]]
    assert hint["reasons"][-1]["code"] in ("chances", "wins")
    assert server.http.get(f"{alone.url}/hint", headers=alone.headers).json() == hint
    # Spectators have none.
    assert error_of(server.http.get(f"{alone.url}/hint")) == (409, "no-hints")


def test_there_is_no_hint_against_other_people_or_after_the_end(server: LiveServer) -> None:
    both = server.create_match()
    only = both.only(0)
    assert error_of(server.http.get(f"{both.url}/hint", headers=only.headers)) == (409, "no-hints")
    assert server.http.get(f"{both.url}/hint", headers=both.headers).status_code == 200
    invited = server.create_match(seats=[PERSON, {"kind": "link"}])
    asked = server.http.get(f"{invited.url}/hint", headers=invited.headers)
    assert error_of(asked) == (409, "no-hints")
    both.do("resign", seat=0)
    over = server.http.get(f"{both.url}/hint", headers=both.headers)
    assert error_of(over) == (409, "no-hints")
