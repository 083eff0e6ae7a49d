"""Promise 10 at the table: a commitment, contributions, then draws that can be checked."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

import pytest

import tavola
from tests.fairness_records import documented
from tests.server.databases import change
from tests.server.live_server import (
    ENGINE,
    PERSON,
    Json,
    LiveServer,
    Player,
    error_of,
    serve,
    wait_until,
)
from tests.server.matches.test_chance import SET, a_tile


def begin(server: LiveServer, *, seats: list[Json], contribute: bool = True) -> Player:
    return server.create_match(game="passtally", seats=seats, contribute=contribute)


def contribute(guest: Player, seat: int, contribution: str | None = None) -> Json:
    given = secrets.token_hex(32) if contribution is None else contribution
    return guest.do("contribute", seat=seat, seq=0, token=given)


def verified(guest: Player, **noted: str) -> tavola.Verification:
    text = guest.server.http.get(f"{guest.url}/record").text
    (record,) = tavola.read_records(text)
    return tavola.verify(record, **noted)


def test_chance_waits_until_everybody_has_contributed(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    before = guest.snapshot()
    assert (before["seq"], before["log"]) == (0, [])
    assert (before["status"], before["acting"]) == ("playing", None)
    assert before["chance"]["awaited"] == [0, 1]
    assert before["view"]["actions"] == []
    assert error_of(guest.request("play", token="Na", seat=0, seq=0)) == (409, "not-your-turn")
    one = contribute(guest, 1)
    assert (one["seq"], one["log"], one["chance"]["awaited"]) == (1, [], [0])
    both = contribute(guest, 0)
    assert (both["seq"], both["acting"], both["chance"]["awaited"]) == (5, 0, [])
    assert [entry["seat"] for entry in both["log"]] == [-1, -1, -1]


def test_the_commitment_is_sent_first_and_stays(server: LiveServer) -> None:
    wanted = {"game": "passtally", "seats": [PERSON, PERSON], "contribute": True}
    made = server.http.post("/api/matches", json=wanted).json()
    guest = Player(server, made["match"], made["tokens"])
    assert guest.spectator().snapshot()["chance"] == {
        "commitment": made["commitment"],
        "awaited": [0, 1],
        "seed": None,
        "contributions": None,
    }
    given = [secrets.token_hex(32), secrets.token_hex(32)]
    for seat, contribution in enumerate(given):
        contribute(guest, seat, contribution)
    over = guest.do("resign")
    assert over["chance"]["commitment"] == made["commitment"]
    assert over["chance"]["contributions"] == given
    assert documented().commitment(over["chance"]["seed"]) == made["commitment"]


def test_engines_contribute_nothing_and_people_alone_are_waited_for(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, ENGINE])
    assert guest.snapshot()["chance"]["awaited"] == [0]
    after = contribute(guest, 0)
    assert (after["acting"], len(after["log"])) == (0, 3)
    assert guest.do("resign")["chance"]["contributions"][1] is None


def test_without_contributions_the_draw_does_not_wait(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON], contribute=False)
    assert (guest.snapshot()["seq"], guest.snapshot()["chance"]["awaited"]) == (3, [])
    answer = guest.request("contribute", seat=0, token="ab" * 32)
    assert error_of(answer) == (409, "not-awaited")
    over = guest.do("resign")
    assert over["chance"]["contributions"] == [None, None]
    assert verified(guest).verdict == "fair"


def test_games_without_chance_have_no_commitment(server: LiveServer) -> None:
    guest = server.create_match(contribute=True)
    assert guest.snapshot()["chance"] is None
    assert error_of(guest.request("contribute", seat=0, token="ab" * 32)) == (409, "not-awaited")
    guest.do("resign")
    assert "Commitment" not in server.http.get(f"{guest.url}/record").text
    assert error_of(server.http.get(f"{guest.url}/draws")) == (409, "no-commitment")


@pytest.mark.parametrize("token", [None, "", "ab", "AB" * 32, "xy" * 32, "ab" * 33])
def test_a_contribution_is_64_digits(server: LiveServer, token: str | None) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    assert error_of(guest.request("contribute", seat=0, token=token)) == (422, "contribution")
    assert guest.snapshot()["chance"]["awaited"] == [0, 1]


def test_a_seat_contributes_once_and_for_itself(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    asked: Json = {"id": "mine", "seat": 0, "seq": 0, "token": "ab" * 32}
    assert guest.request("contribute", **asked).json()["seq"] == 1
    assert guest.request("contribute", **asked).json()["seq"] == 1
    again = guest.request("contribute", seat=0, token="cd" * 32)
    assert error_of(again) == (409, "not-awaited")
    for other in (guest.only(0), guest.spectator()):
        answer = other.request("contribute", seat=1, token="cd" * 32)
        assert error_of(answer) == (403, "not-your-seat")
    assert guest.snapshot()["chance"]["awaited"] == [1]


def test_a_finished_match_accepts_no_contributions(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    guest.do("resign")
    assert error_of(guest.request("contribute", seat=0, token="ab" * 32)) == (409, "over")
    found = verified(guest)
    assert (found.verdict, found.draws) == ("fair", ())


def test_viewers_receive_contributions_and_the_draw_after_them(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    contribute(guest, 0)
    with guest.connect() as chair:
        assert chair.receive_until("snapshot")["snapshot"]["chance"]["awaited"] == [1]
        command = {"id": "c", "seq": 0, "seat": 1, "do": "contribute", "token": "ab" * 32}
        chair.send(type="command", **command)
        update = chair.receive_until("update")
        assert chair.receive()["type"] == "done"
    assert update["seq"] == 5
    assert update["snapshot"]["chance"]["awaited"] == []
    drawn = update["snapshot"]["log"]
    assert [entry["seq"] for entry in drawn] == [3, 4, 5]
    assert all(entry["events"] for entry in drawn)


def test_a_finished_match_can_be_verified_by_any_client(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    noted = guest.snapshot()["chance"]["commitment"]
    for seat in (0, 1):
        contribute(guest, seat)
    guest.play(*SET)
    for _ in range(4):
        guest.play(a_tile(guest.snapshot()))
    assert error_of(server.http.get(f"{guest.url}/draws")) == (409, "not-revealed")
    assert verified(guest).verdict == "not-revealed"
    log = guest.do("resign")["log"]
    told = server.http.get(f"{guest.url}/draws").json()
    drawn = [(ply, entry["token"]) for ply, entry in enumerate(log) if entry["seat"] == -1]
    assert len(drawn) == 7
    assert [(draw["ply"], draw["token"]) for draw in told["draws"]] == drawn
    given = ",".join(told["contributions"])
    for number, draw in enumerate(told["draws"], 1):
        outcomes = [(token, int(weight)) for token, weight in draw["outcomes"]]
        assert documented().draw(outcomes, told["seed"], given, number) == draw["token"]
    found = verified(guest, commitment=noted)
    assert (found.verdict, len(found.draws)) == ("fair", 7)


def is_first_to_act(guest: Player) -> bool:
    return bool(guest.snapshot()["acting"] == 0)


@pytest.mark.long
def test_waiting_and_draws_outlive_a_restart(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = begin(server, seats=[PERSON, ENGINE])
        early = begin(server, seats=[PERSON, PERSON])
        contribute(early, 0)
        noted = guest.snapshot()["chance"]["commitment"]
    with serve(tmp_path) as server:
        guest, early = (Player(server, one.match, one.tokens) for one in (guest, early))
        assert guest.snapshot()["chance"]["commitment"] == noted
        assert early.snapshot()["chance"]["awaited"] == [1]
        assert contribute(early, 1)["acting"] == 0
        contribute(guest, 0)
        guest.play(guest.snapshot()["view"]["actions"][0]["token"])
    with serve(tmp_path) as server:
        for one in (guest, early):
            again = Player(server, one.match, one.tokens)
            # Until the engine has acted, its action could come between a look and a command.
            wait_until(partial(is_first_to_act, again), "the engine does not act")
            again.do("resign", seat=0)
            assert verified(again).verdict == "fair"


@pytest.mark.long
def test_a_match_from_before_there_were_seeds_goes_on(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = begin(server, seats=[PERSON, PERSON], contribute=False)
    change(tmp_path / "tavola.db", "UPDATE matches SET seed = NULL")
    with serve(tmp_path) as server:
        guest = Player(server, guest.match, guest.tokens)
        assert guest.snapshot()["chance"] is None
        guest.play(*SET)
        assert guest.play(a_tile(guest.snapshot()))["log"][-1]["seat"] == -1
        guest.do("resign")
        assert error_of(server.http.get(f"{guest.url}/draws")) == (409, "no-commitment")
        assert verified(guest).verdict == "no-commitment"


def test_no_request_waits_for_an_absent_player(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    contribute(guest, 0)
    red = guest.only(0)
    with red.connect() as chair:
        assert chair.receive_until("snapshot")["snapshot"]["chance"]["awaited"] == [1]
        after = red.do("ask", seat=0, token="engine:1")
    assert after["chance"]["awaited"] == []
    assert [entry["seat"] for entry in after["log"]][:3] == [-1, -1, -1]
    over = red.do("resign", seat=0, seq=red.snapshot()["seq"])
    assert over["chance"]["contributions"][1] is None
    assert verified(red).verdict == "fair"


def test_a_rematch_has_a_seed_of_its_own_and_waits_again(server: LiveServer) -> None:
    guest = begin(server, seats=[PERSON, PERSON])
    for seat in (0, 1):
        contribute(guest, seat)
    first = guest.do("resign")["chance"]
    again = Player(server, guest.do("ask", seat=0, token="rematch")["next"], guest.tokens)
    second = again.snapshot()["chance"]
    assert second["awaited"] == [0, 1]
    assert second["commitment"] != first["commitment"]
    assert second["seed"] is None
