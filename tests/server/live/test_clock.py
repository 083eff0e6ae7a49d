"""Turn time: only the server's clock counts, and players lose no time they cannot see."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

import tavola
from tavola.server.errors import RequestError
from tavola.server.matches import decisions
from tavola.server.matches.match import Match
from tavola.server.matches.time_control import TurnTime
from tavola.server.matches.undo import granted_undo_event, undo_permission
from tests.server.live_server import (
    ENGINE,
    PERSON,
    Json,
    LiveServer,
    SocketClient,
    error_of,
    serve,
    wait_until,
)
from tests.server.snapshots.test_hidden_information import command, header


def turn(seconds: object) -> Json:
    return {"kind": "turn", "seconds": seconds}


def shows(seconds: int, left: list[float | None], running: int | None) -> Json:
    return {"time": turn(seconds), "remaining": left, "running": running}


def turn_ends(chair: SocketClient, seat: int) -> Json:
    """The picture in which it is no longer this seat's turn."""
    while True:
        snapshot: Json = chair.receive_until("update")["snapshot"]
        if snapshot["acting"] != seat:
            return snapshot


def test_without_a_clock_there_is_none(server: LiveServer) -> None:
    assert server.create_match().snapshot()["clock"] is None


def test_when_the_time_is_up_the_server_plays_the_rest_of_the_turn(server: LiveServer) -> None:
    guest = server.create_match(time=turn(1), confirm=True)
    # The time begins when the first viewer connects.
    guest.play("Pnw")
    with guest.connect() as chair:
        first = chair.receive_until("snapshot")["snapshot"]["clock"]
        assert first["time"] == turn(1)
        assert 0.5 < first["remaining"][0] <= 1
        snapshot = turn_ends(chair, 0)
    assert [(entry["seat"], entry["late"]) for entry in snapshot["log"]] == [(0, False), (0, True)]
    assert (snapshot["status"], snapshot["acting"]) == ("playing", 1)
    # The next turn has its own time.
    assert 0.5 < snapshot["clock"]["remaining"][1] <= 1


def test_an_unconfirmed_complete_turn_is_confirmed(server: LiveServer) -> None:
    guest = server.create_match(time=turn(1), confirm=True)
    assert guest.play("Pnw", "Pw")["status"] == "confirming"
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        snapshot = turn_ends(chair, 0)
    assert [entry["late"] for entry in snapshot["log"]] == [False, False]
    assert (snapshot["status"], snapshot["acting"]) == ("playing", 1)


@pytest.mark.long
@pytest.mark.parametrize("confirm", [False, True])
def test_what_was_played_when_time_was_up_is_taken_back_only_if_the_others_agree(
    server: LiveServer, confirm: bool
) -> None:
    guest = server.create_match(time=turn(3), confirm=confirm)
    red, blue = guest.only(0), guest.only(1)
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        red.play("Pnw")
        turn_ends(chair, 0)
        assert red.snapshot()["can"]["undo"] is False
        for whole in ({}, {"token": "turn"}):
            # There would be no time left for another.
            assert error_of(red.request("undo", **whole)) == (409, "ask-for-undo")
        red.do("ask", token="undo", seat=0)
        granted = blue.do("accept", seat=1)
    assert (granted["log"], granted["acting"]) == ([], 0)
    assert 1.5 < granted["clock"]["remaining"][0] <= 3


@pytest.mark.long
def test_a_turn_is_not_kept_from_ending_by_taking_back(server: LiveServer) -> None:
    guest = server.create_match(time=turn(1))
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        end = time.monotonic() + 6
        while guest.snapshot()["acting"] == 0:
            assert time.monotonic() < end
            guest.request("play", token="Pnw")
            guest.request("undo")
            time.sleep(0.05)  # Without a pause a fast machine asks more than the server allows.


def test_a_turn_that_has_cost_all_its_time_is_not_taken_back() -> None:
    """Repeated undo must not give a player unlimited time."""
    red = frozenset({0})
    limited = replace(header(tavola.load("potlatch"), None, contribute=False), time=TurnTime(1))
    match = Match(limited)
    for token, permission in (("Pnw", "free"), ("Pw", "ask-for-undo")):
        (event,) = decisions.decide(match, command(match, "play", 0, token), red)
        match.apply(structs.replace(event, spent=500))
        assert undo_permission(match, red) == permission
        # With the others' consent, the turn restarts.
        assert granted_undo_event(match, 0, after=0).token == "0"


@pytest.mark.parametrize(
    ("rated", "played", "spent", "why"),
    [
        (True, [], 0, "nothing-to-undo"),
        (True, ["Pnw"], 500, "free"),
        (True, ["Pnw", "Pw"], 500, "time-up"),
        (True, ["Pnw", "Pw", "Pne"], 0, "rated-undo"),
        (False, ["Pnw", "Pw"], 500, "ask-for-undo"),
        (False, ["Pnw", "Pw", "Pne"], 0, "ask-for-undo"),
    ],
)
def test_a_rejected_undo_gives_its_reason(
    rated: bool, played: list[str], spent: int, why: str
) -> None:
    begun = header(tavola.load("potlatch"), None, contribute=False)
    match = Match(replace(begun, time=TurnTime(1), rated=rated))
    for token in played:
        seat = match.seat_to_act()
        asked = command(match, "play", seat, token)
        (event,) = decisions.decide(match, asked, frozenset({seat}))
        match.apply(structs.replace(event, spent=spent))
    red = frozenset({0})
    if why == "free":
        assert decisions.decide(match, command(match, "undo", 0, None), red)
        return
    with pytest.raises(RequestError) as refused:
        decisions.decide(match, command(match, "undo", 0, None), red)
    assert refused.value.code == why


@pytest.mark.long
def test_the_clock_stops_without_viewers(server: LiveServer) -> None:
    guest = server.create_match(time=turn(1))
    time.sleep(1.3)
    snapshot = guest.snapshot()
    assert (snapshot["seq"], snapshot["clock"]) == (0, shows(1, [1.0, None], None))
    guest = server.create_match(time=turn(60))
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        time.sleep(0.3)
    wait_until(lambda: guest.snapshot()["clock"]["running"] is None)
    left = guest.snapshot()["clock"]["remaining"][0]
    assert 0 < left < 60  # stalls of a busy server cost no time
    time.sleep(0.2)
    assert guest.snapshot()["clock"]["remaining"][0] == left


def test_taking_back_gives_no_time_back(server: LiveServer) -> None:
    guest = server.create_match(time=turn(30))
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        time.sleep(0.2)
        guest.play("Pnw")
        assert guest.do("undo")["clock"]["remaining"][0] < 30


def test_an_engine_has_its_own_time(server: LiveServer) -> None:
    guest = server.create_match(time=turn(1), seats=[PERSON, ENGINE | {"seconds": 1.0}])
    guest.play("Pnw")
    snapshot = guest.play("Pw")
    assert (snapshot["acting"], snapshot["clock"]) == (1, shows(1, [None, None], None))
    with guest.connect() as chair:
        snapshot = chair.receive_until("snapshot")["snapshot"]
        if snapshot["acting"] == 1:
            snapshot = turn_ends(chair, 1)
    assert [entry["seat"] for entry in snapshot["log"]] == [0, 0, 1, 1]
    assert not any(entry["late"] for entry in snapshot["log"])


@pytest.mark.long
def test_a_restart_keeps_the_clock_and_costs_no_time(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = server.create_match(time=turn(20))
        with guest.connect() as chair:
            chair.receive_until("snapshot")
            time.sleep(0.1)
            guest.play("Pnw")
            time.sleep(0.5)
            guest.play("Pw", "Pne")
            time.sleep(0.4)
            before = guest.snapshot()
    time.sleep(0.5)
    with serve(tmp_path) as server:
        guest.server = server
        after = guest.snapshot()
    assert after["clock"]["time"] == turn(20)
    # A played action has cost its time; thinking since then has not.
    assert before["clock"]["remaining"][1] + 0.3 < after["clock"]["remaining"][1] <= 20
    assert {**after, "clock": None} == {**before, "clock": None}


def test_a_time_that_is_no_time_is_refused(server: LiveServer) -> None:
    for wrong in (0, -1, 3601, 1.5, "60"):
        wanted = {"game": "potlatch", "seats": [PERSON, PERSON], "time": turn(wrong)}
        assert error_of(server.http.post("/api/matches", json=wanted)) == (422, "invalid")
