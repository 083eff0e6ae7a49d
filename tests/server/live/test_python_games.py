"""Matches of a game written in Python, and the same database without the game."""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola
from tavola.custom import unregister
from tests.custom.toys import Hexes, counting
from tests.server.live_server import error_of, serve


@pytest.mark.long
def test_a_match_is_played_stored_and_needs_its_game(tmp_path: Path) -> None:
    tavola.register(Hexes)
    with serve(tmp_path) as server:
        guest = server.create_match(game="hexes", options={"size": 3})
        guest.play("b2", "a1", "b1")
        assert error_of(guest.request("play", token="b2", seq=3, seat=1)) == (422, "illegal")
        before = guest.snapshot()
        assert before["view"]["pieces"][0]["owner"] == 1
    unregister("hexes")
    with serve(tmp_path) as server:
        guest.server = server
        answer = server.http.get(guest.url, headers=guest.headers)
        assert error_of(answer) == (409, "game-missing")
        assert "“hexes”" in answer.json()["message"]
        assert server.create_match().snapshot()["seq"] == 0
    tavola.register(Hexes)
    with serve(tmp_path) as server:
        guest.server = server
        assert guest.snapshot() == before
        guest.play("a2", "b3")
        assert guest.snapshot()["status"] == "over"


def test_an_action_whose_rules_fail_does_not_count(tmp_path: Path) -> None:
    tavola.register(counting(at=1, play=lambda token: 1 / 0))
    with serve(tmp_path) as server:
        guest = server.create_match(game="counting")
        guest.play("go")
        answer = guest.request("play", token="go", seq=1, seat=1)
        assert error_of(answer) == (500, "game-failed")
        assert "ZeroDivisionError" in answer.json()["message"]
        answer = guest.request("play", token="go", seq=1, seat=1, language="ja")
        assert "で例外が起きました（ZeroDivisionError" in answer.json()["message"]
        assert guest.snapshot()["seq"] == 1
