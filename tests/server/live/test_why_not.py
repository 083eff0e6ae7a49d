"""Why not this action? The players who may ask, and the content of the answer."""

from __future__ import annotations

import random

import httpx
import pytest

import tavola
from tavola.lessons import lessons, start
from tavola.server.live.why_not import explain
from tests.server.live_server import ENGINE, PERSON, LiveServer, error_of


def position(game: str, lesson: str, step: int) -> tavola.State:
    """The position of a step of a lesson."""
    (found,) = (one for one in lessons(game) if one.id == lesson)
    return start(game, found, step)


@pytest.mark.long
def test_the_winning_action_is_good_and_another_one_is_not() -> None:
    state = position("potlatch", "first", 3)
    best = tavola.search(state, nodes=2000, seed=1).best
    assert best is not None
    good = explain(state, best)
    assert (good.seat, good.good, good.line, good.reasons) == (state.to_act, True, (), ())
    assert good.action.token == best
    others = [explain(state, token) for token in state.legal_actions if token != best]
    worse = [one for one in others if not one.good]
    assert worse
    for one in worse:
        assert one.share < one.best == 1
        # The line can be played, and its last actions are the reply.
        after = state.play(one.action.token)
        own = [step.seat == one.seat for step in one.line]
        assert own == sorted(own, reverse=True)
        assert not own[-1]
        for step in one.line:
            assert step.cells
            assert step.token in after.legal_actions
            after = after.play(step.token)


def test_an_action_that_lets_the_other_seat_win_loses_by_force() -> None:
    state = position("potlatch", "first", 4)
    answers = [explain(state, token) for token in state.legal_actions]
    losing = [one for one in answers if one.loses]
    assert 0 < len(losing) < len(answers)
    for one in losing:
        assert [reason.code for reason in one.reasons] == ["wins"] or one.end is not None
        assert not one.good


@pytest.mark.long
def test_a_reply_names_the_counters_that_change() -> None:
    rng, match = random.Random(5), tavola.Match(tavola.load("passtally"), seed=1)
    for _ in range(21):
        match.play(rng.choice(match.state.legal_actions))
    codes = set()
    for token in rng.sample(list(match.state.legal_actions), 4):
        found = explain(match.state, token)
        codes |= {reason.code for reason in found.reasons}
        for reason in found.reasons:
            if reason.code in ("gains", "takes"):
                assert reason.label is not None
                assert reason.n is not None
                assert reason.n > 0
    assert "gains" in codes


def test_an_own_action_of_a_match_is_explained(server: LiveServer) -> None:
    alone = server.create_match(seats=[PERSON, ENGINE])
    token = alone.snapshot()["view"]["actions"][0]["token"]

    def ask(ply: int, token: str) -> httpx.Response:
        params: dict[str, str | int] = {"ply": ply, "token": token}
        return server.http.get(f"{alone.url}/why-not", headers=alone.headers, params=params)

    before = ask(ply=0, token=token).json()
    assert before["action"]["token"] == token
    alone.play(token)
    assert ask(ply=0, token=token).json() == before
    assert error_of(ask(ply=0, token="Pzz")) == (422, "illegal")
    assert error_of(ask(ply=99, token=token)) == (422, "unknown-position")
    assert error_of(ask(ply=-1, token=token))[0] == 422
    nobody = server.http.get(f"{alone.url}/why-not", params={"ply": 0, "token": token})
    assert error_of(nobody) == (409, "no-hints")
    alone.do("resign", seat=0)
    assert ask(ply=0, token=token).json() == before


def test_nothing_is_explained_against_other_people(server: LiveServer) -> None:
    both = server.create_match()
    token = both.snapshot()["view"]["actions"][0]["token"]
    query = f"{both.url}/why-not?ply=0&token={token}"
    only = both.only(0)
    assert error_of(server.http.get(query, headers=only.headers)) == (409, "no-hints")
    assert server.http.get(query, headers=both.headers).status_code == 200
