"""Results of commands: playing, undo, confirm, resign, refusals. Over HTTP, as clients do it."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from tavola.server import games
from tests.server.databases import rows
from tests.server.live_server import PERSON, SHORTEST, Json, LiveServer, Player, error_of

NOTHING: Json = dict.fromkeys(("undo", "drawn", "confirm", "resign"), False)
NOTHING |= {"ask": [], "if_away": [], "blocked": [], "reclaimable": []}


def test_a_snapshot_is_complete(server: LiveServer) -> None:
    guest = server.create_match(
        options={"actions": 3}, seats=[PERSON | {"name": " Ada  L "}, PERSON]
    )
    snapshot = guest.only(0).snapshot()
    assert snapshot["options"] == {"actions": "3", "layout": "triangle"}
    assert snapshot["seq"] == 0
    assert snapshot["status"] == "playing"
    assert snapshot["acting"] == 0
    assert snapshot["rules_version"] == 1
    assert snapshot["result"] is None
    assert snapshot["log"] == []
    assert snapshot["seats"] == [
        {"seat": 0, "kind": "person", "name": "Ada L", "yours": True},
        {"seat": 1, "kind": "person", "name": "", "yours": False},
    ]
    assert snapshot["can"] == {
        "undo": False,
        "drawn": False,
        "confirm": False,
        "resign": True,
        "ask": ["draw", "abort"],
        "if_away": ["engine:1"],
        "blocked": [],
        "reclaimable": [],
    }
    assert [action["token"] for action in snapshot["view"]["actions"]] == [
        "Pne",
        "Pnw",
        "Pse",
        "Psw",
        "Pw",
    ]


def test_only_the_holder_of_the_seat_to_act_gets_its_actions(server: LiveServer) -> None:
    guest = server.create_match()
    assert guest.only(0).snapshot()["view"]["actions"]
    assert guest.only(1).snapshot()["view"]["actions"] == []
    assert guest.spectator().snapshot()["view"]["actions"] == []
    assert guest.spectator().snapshot()["can"] == NOTHING
    assert guest.snapshot()["view"]["actions"]


def test_an_action_is_played_and_logged(server: LiveServer) -> None:
    guest = server.create_match()
    snapshot = guest.play("Pnw", "Pw")
    assert snapshot["seq"] == 2
    assert snapshot["acting"] == 1
    first, second = snapshot["log"]
    assert (first["seq"], first["seat"], first["turn"], first["token"]) == (1, 0, 1, "Pnw")
    assert first["label"] == {"key": "action.move-pawn.new", "params": {"cell": "0,-1"}}
    assert [event["change"]["type"] for event in second["events"]][:2] == ["laid", "moved"]


def test_older_turns_keep_their_actions_without_their_events(server: LiveServer) -> None:
    guest = server.create_match()
    snapshot = guest.play("Pnw", "Pw", "Pne", "Pnw", "Psw", "Pse")
    assert [entry["turn"] for entry in snapshot["log"]] == [1, 1, 2, 2, 3, 3]
    assert [bool(entry["events"]) for entry in snapshot["log"]] == [False] * 2 + [True] * 4


def test_every_player_sees_the_own_hand_while_a_turn_waits(server: LiveServer) -> None:
    guest = server.create_match(game="montana", confirm=True)
    for _ in range(2):
        while (snapshot := guest.snapshot())["status"] == "playing":
            # Where chance has a part in a turn there is nothing to confirm.
            actions = [one for one in snapshot["view"]["actions"] if one["kind"] != "recruit"]
            if actions:
                guest.play(actions[0]["token"])
        assert snapshot["status"] == "confirming"
        confirming = snapshot["acting"]
        holdings = [
            {one["id"]: one["value"] for one in seat["counters"]}
            for seat in snapshot["view"]["seats"]
        ]
        assert holdings[0] != holdings[1]
        for viewer, seat in ((guest, confirming), (guest.only(0), 0), (guest.only(1), 1)):
            areas = viewer.snapshot()["view"]["areas"]
            cells = {cell["id"]: cell["value"] for area in areas for cell in area["cells"]}
            hand = {name: cells[f"hand-{name}"] for name in holdings[seat] if name != "tiles"}
            assert hand == {name: holdings[seat][name] for name in hand}
        guest.do("confirm")


def test_a_game_ends_with_its_reason(server: LiveServer) -> None:
    guest = server.create_match()
    for turn in SHORTEST:
        snapshot = guest.play(*turn)
    assert snapshot["status"] == "over"
    assert snapshot["result"] == {
        "winners": [0],
        "returns": [1.0, -1.0],
        "reason": "blocked",
        "text": snapshot["view"]["outcome"]["text"],
        "loser": None,
    }
    record = server.http.get(f"{guest.url}/record").text
    assert '[Result "1 -1"]' in record
    assert "1. Pnw Pw 2. Pne Pe 3. Pse Pse 4. Cw" in record


def test_a_record_replays(server: LiveServer) -> None:
    import tavola

    guest = server.create_match(
        options={"layout": "row"}, seats=[PERSON | {"name": 'A "B" \\'}, PERSON]
    )
    guest.play("Pnw", "Pw", "Pne")
    guest.do("undo")
    (record,) = tavola.read_records(server.http.get(f"{guest.url}/record").text)
    assert dict(record.tags)["Seat0"] == 'A "B" \\'
    assert [step.token for step in record.line] == ["Pnw", "Pw"]


def test_resigning_ends_the_match_out_of_turn_too(server: LiveServer) -> None:
    guest = server.create_match()
    snapshot = guest.do("resign", seat=1)
    assert snapshot["status"] == "over"
    assert snapshot["result"] == {
        "winners": [0],
        "returns": [1.0, -1.0],
        "reason": "resigned",
        "text": None,
        "loser": 1,
    }
    assert snapshot["view"]["actions"] == []


def test_the_same_command_counts_once(server: LiveServer) -> None:
    guest = server.create_match()
    command: Json = {"id": "once", "seq": 0, "seat": 0, "token": "Pnw"}
    first = guest.request("play", **command)
    again = guest.request("play", **command)
    assert first.json() == again.json()
    guest.play("Pw")
    later = guest.request("play", **command)
    assert later.json()["seq"] == 1
    assert later.json()["snapshot"]["seq"] == 2
    assert error_of(guest.request("play", **command | {"token": "Pw"})) == (409, "reused-id")
    assert error_of(guest.request("resign", **command)) == (409, "reused-id")
    assert error_of(guest.spectator().request("play", **command)) == (403, "not-your-seat")
    assert guest.snapshot()["seq"] == 2


def test_a_stale_command_is_refused_with_the_current_number(server: LiveServer) -> None:
    guest = server.create_match()
    guest.play("Pnw")
    for language, said in (("en", "moved on"), ("ja", "対局が先に進んでいます")):
        for seq in (0, 2, 99):
            answer = guest.request("play", token="Pw", seq=seq, seat=0, language=language)
            assert error_of(answer) == (409, "stale")
            assert answer.json()["params"] == {"seq": 1}
            assert said in answer.json()["message"]
    assert guest.snapshot()["seq"] == 1


def test_of_many_actions_a_message_names_the_first(server: LiveServer) -> None:
    guest = server.create_match(game="passtally")
    nonsense = guest.request("play", token="<b>")
    assert len(nonsense.json()["params"]["valid"]) == 24
    assert nonsense.json()["message"].endswith("Sa, W1, W2, … (+4).")


def test_an_illegal_action_gives_its_reason_in_both_languages(server: LiveServer) -> None:
    guest = server.create_match()
    english = guest.request("play", token="Pe")
    assert error_of(english) == (422, "illegal")
    assert english.json()["refusal"] == {"text": {"key": "illegal.occupied"}, "clause": "7"}
    assert "pawn" in english.json()["message"]
    japanese = guest.request("play", token="Pe", language="ja-JP")
    assert japanese.json()["message"] != english.json()["message"]
    assert not japanese.json()["message"].isascii()
    nonsense = guest.request("play", token="<b>")
    assert error_of(nonsense) == (422, "illegal")
    assert "refusal" not in nonsense.json()
    assert nonsense.json()["params"] == {
        "token": "<b>",
        "valid": ["Pne", "Pnw", "Pse", "Psw", "Pw"],
    }
    assert nonsense.json()["message"].endswith("Actions: Pne, Pnw, Pse, Psw, Pw.")
    assert error_of(guest.request("play")) == (422, "no-token")
    assert guest.snapshot()["seq"] == 0


def test_who_may_act(server: LiveServer) -> None:
    guest = server.create_match()
    stranger = server.create_match()
    assert error_of(guest.spectator().request("play", token="Pw")) == (403, "not-your-seat")
    assert error_of(guest.only(1).request("play", token="Pw")) == (403, "not-your-seat")
    assert error_of(guest.only(1).request("play", token="Pw", seat=1)) == (409, "not-your-turn")
    assert error_of(guest.request("play", token="Pw", seat=2)) == (422, "unknown-seat")
    stranger.match = guest.match
    refused = server.http.get(guest.url, headers=stranger.headers)
    assert error_of(refused) == (401, "unknown-token")
    assert error_of(server.http.get(guest.url, headers={"authorization": "Basic x"})) == (
        401,
        "unknown-token",
    )


def test_a_forced_result_is_reported(server: LiveServer) -> None:
    guest = server.create_match()
    told = server.http.get(f"{guest.url}/proof").json()
    assert told["seq"] == guest.snapshot()["seq"]
    assert told["plies"] >= 3
    assert told["proof"] is None
    assert server.http.get(f"{guest.url}/proof").json() == told
    guest.play("Pnw")
    assert server.http.get(f"{guest.url}/proof").json()["seq"] == told["seq"] + 1
    assert server.http.get("/api/matches/none/proof").status_code == 404


def test_nothing_is_certain_where_chance_decides(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    known = games.info("potlatch")
    monkeypatch.setattr(games, "info", lambda name: msgspec.structs.replace(known, proofs=False))
    assert error_of(server.http.get(f"{guest.url}/proof")) == (422, "no-proofs")


def test_touching_cells_that_lead_nowhere_is_explained(server: LiveServer) -> None:
    guest = server.create_match()

    def explain(*cells: str) -> object:
        answer = server.http.get(f"{guest.url}/explain", params={"touched": cells})
        assert answer.status_code == 200, answer.text
        return answer.json()["refusal"]

    assert explain("1,0") == {"text": {"key": "illegal.occupied"}, "clause": "7"}
    assert explain("0,1") is None
    assert explain() is None
    answer = server.http.get(f"{guest.url}/explain", params={"touched": "9,9"})
    assert error_of(answer) == (422, "unknown-cell")
    turned = server.http.get(f"{guest.url}/explain", params={"touched": "0,1", "turn": 90})
    assert turned.json() == {"refusal": None}
    for turn in ("-90", "360", "east"):
        answer = server.http.get(f"{guest.url}/explain", params={"touched": "0,1", "turn": turn})
        assert error_of(answer) == (422, "invalid"), turn


def test_touching_a_part_is_touching_the_whole(server: LiveServer) -> None:
    guest = server.create_match(game="passtally")
    for _ in range(8):  # the markers
        guest.play(guest.snapshot()["view"]["actions"][0]["token"])
    for cell in ("pile-1", "pile-1-b"):
        answer = server.http.get(f"{guest.url}/explain", params={"touched": cell})
        assert answer.json() == {"refusal": None}


def test_the_preview_of_an_action_is_sent_to_the_seat_to_act(server: LiveServer) -> None:
    guest = server.create_match(confirm=True)

    def prospect(asker: Player = guest, **asked: object) -> httpx.Response:
        params = {"seq": guest.snapshot()["seq"], "token": "Pne"} | asked
        return server.http.get(f"{guest.url}/prospect", params=params, headers=asker.headers)

    assert prospect().json() == {"pieces": [], "lines": [], "texts": []}
    assert error_of(prospect(guest.spectator())) == (409, "not-your-turn")
    assert error_of(prospect(guest.only(1))) == (409, "not-your-turn")
    assert error_of(prospect(token="Pe")) == (422, "illegal")
    assert error_of(prospect(seq=7)) == (409, "stale")
    assert error_of(prospect(seq="x")) == (422, "invalid")
    guest.play("Pnw", "Pw")
    assert error_of(prospect()) == (409, "confirm-first")
    assert guest.snapshot()["status"] == "confirming"


def test_an_undo_is_logged_as_the_seat_s_own(server: LiveServer) -> None:
    guest = server.create_match()
    red = guest.only(0)
    red.play("Pnw", "Pw")
    # The turn is complete, and the other seat is to act.
    for _ in range(2):
        assert red.request("undo", id="mine", seq=2, seat=1).json()["seq"] == 3
    wanted = "SELECT seat FROM events WHERE match = :match AND kind = 'undo'"
    assert rows(server.database, wanted, match=guest.match) == [(0,)]
