"""Chance in a match: it acts first, is reported, and its events stay."""

from __future__ import annotations

import pytest

import tavola
from tests.server.live_server import PERSON, Json, LiveServer, Player, error_of

SET = ["Na", "Nb", "Sb", "Sa", "E1", "E2", "W2", "W1"]
"""All markers of two seats stand."""


def begin(server: LiveServer, *, confirm: bool = False) -> Player:
    return server.create_match(game="passtally", seats=[PERSON, PERSON], confirm=confirm)


def a_tile(snapshot: Json) -> str:
    """The first action that lets chance turn up a tile."""
    token: str = next(
        action["token"] for action in snapshot["view"]["actions"] if "warning" in action
    )
    return token


def test_what_chance_does_first_is_in_the_log_of_a_new_match(server: LiveServer) -> None:
    snapshot = begin(server).snapshot()
    assert snapshot["seq"] == 3
    assert [entry["seat"] for entry in snapshot["log"]] == [-1, -1, -1]
    assert {entry["label"]["key"] for entry in snapshot["log"]} == {"event.reveal"}
    assert (snapshot["status"], snapshot["acting"]) == ("playing", 0)
    assert snapshot["can"] == {
        "undo": False,
        "drawn": False,
        "confirm": False,
        "resign": True,
        "ask": ["abort"],
        "if_away": [],
        "blocked": [],
        "reclaimable": [],
    }


def test_an_action_is_free_until_chance_has_answered(server: LiveServer) -> None:
    guest = begin(server)
    guest.play(*SET)
    before = guest.snapshot()
    marker = before["view"]["actions"][-1]["token"]
    assert guest.play(marker)["can"]["undo"]
    taken_back = guest.do("undo")
    assert taken_back["view"] == before["view"]
    after = guest.play(a_tile(taken_back))
    assert after["can"] == {
        "undo": False,
        "drawn": True,
        "confirm": False,
        "resign": True,
        "ask": [],
        "if_away": [],
        "blocked": [],
        "reclaimable": [],
    }
    assert after["log"][-1]["seat"] == -1
    for whole in ({}, {"token": "turn"}):
        assert error_of(guest.request("undo", **whole)) == (409, "nothing-to-undo")
    # Actions since then can be undone again, but no farther than the last draw.
    again = guest.play(after["view"]["actions"][-1]["token"])
    assert again["can"]["undo"]
    back = guest.do("undo", token="turn")
    assert [entry["token"] for entry in back["log"]] == [entry["token"] for entry in after["log"]]


def test_an_action_and_its_chance_events_are_sent_at_once(server: LiveServer) -> None:
    guest = begin(server, confirm=True)
    for token in SET:
        guest.play(token)
        guest.do("confirm")
    with guest.connect() as chair:
        chair.receive_until("snapshot")
        snapshot = guest.play(a_tile(guest.snapshot()))
        update = chair.receive_until("update")
    # An action and the chance events after it arrive in one update.
    assert update["snapshot"]["seq"] == snapshot["seq"]
    assert update["snapshot"]["can"]["confirm"] is False
    laid, drawn = update["snapshot"]["log"][-2:]
    assert (laid["seat"], drawn["seat"]) == (0, tavola.CHANCE)
    assert drawn["events"][0]["text"]["key"] == "event.reveal"
    # The second action of the turn ends it: by a tile, which stays, so that nothing is confirmed.
    ended = guest.play(a_tile(guest.snapshot()))
    assert (ended["status"], ended["acting"]) == ("playing", 1)


def test_the_preview_of_an_action_covers_every_seat(server: LiveServer) -> None:
    guest = begin(server)
    guest.play(*SET)
    snapshot = guest.snapshot()
    asked = {"seq": snapshot["seq"], "token": a_tile(snapshot)}
    answer = server.http.get(f"{guest.url}/prospect", params=asked, headers=guest.headers)
    prospect = answer.json()
    assert [len(prospect[part]) for part in ("pieces", "texts")] == [2, 2]
    assert {line["owner"] for line in prospect["lines"]} <= {0, 1}


@pytest.mark.parametrize("turn", [0, 90])
def test_a_place_is_refused_for_the_piece_as_it_is_held(server: LiveServer, turn: int) -> None:
    guest = begin(server)
    guest.play(*SET)
    params: dict[str, int | list[str]] = {"touched": ["pile-1", "f4"], "turn": turn}
    answer = server.http.get(f"{guest.url}/explain", params=params).json()
    assert (answer["refusal"] is None) == (turn == 90)


def test_nothing_is_certain_where_chance_decides(server: LiveServer) -> None:
    guest = begin(server)
    assert error_of(server.http.get(f"{guest.url}/proof")) == (422, "no-proofs")
