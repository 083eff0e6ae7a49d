"""What commands come to: playing, undo, confirm, resign, refusals. Over HTTP, as clients do it."""

from __future__ import annotations

import httpx
import msgspec
import pytest

from tavola.server.schema import games
from tests.server.live_server import ENGINE, PERSON, SHORTEST, Guest, House, Json, refusal_of

NOTHING: Json = dict.fromkeys(("undo", "drawn", "confirm", "resign"), False)
NOTHING |= {"ask": [], "barred": [], "back": []}


def test_a_snapshot_says_everything(house: House) -> None:
    guest = house.begin(options={"actions": 3}, seats=[PERSON | {"name": " Ada  L "}, PERSON])
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
        "barred": [],
        "back": [],
    }
    assert [action["token"] for action in snapshot["view"]["actions"]] == [
        "Pne",
        "Pnw",
        "Pse",
        "Psw",
        "Pw",
    ]


def test_only_the_holder_of_the_seat_to_act_gets_its_actions(house: House) -> None:
    guest = house.begin()
    assert guest.only(0).snapshot()["view"]["actions"]
    assert guest.only(1).snapshot()["view"]["actions"] == []
    assert guest.spectator().snapshot()["view"]["actions"] == []
    assert guest.spectator().snapshot()["can"] == NOTHING
    assert guest.snapshot()["view"]["actions"]


def test_an_action_is_played_and_logged(house: House) -> None:
    guest = house.begin()
    snapshot = guest.play("Pnw", "Pw")
    assert snapshot["seq"] == 2
    assert snapshot["acting"] == 1
    first, second = snapshot["log"]
    assert (first["seq"], first["seat"], first["turn"], first["token"]) == (1, 0, 1, "Pnw")
    assert first["label"] == {"key": "action.move-pawn.new", "params": {"cell": "0,-1"}}
    assert [event["change"]["type"] for event in second["events"]][:2] == ["laid", "moved"]


def test_older_turns_keep_their_actions_without_their_events(house: House) -> None:
    guest = house.begin()
    snapshot = guest.play("Pnw", "Pw", "Pne", "Pnw", "Psw", "Pse")
    assert [entry["turn"] for entry in snapshot["log"]] == [1, 1, 2, 2, 3, 3]
    assert [bool(entry["events"]) for entry in snapshot["log"]] == [False] * 2 + [True] * 4


def test_undo_takes_back_one_action_or_the_turn_and_is_itself_logged(house: House) -> None:
    guest = house.begin(options={"actions": 3})
    before = guest.snapshot()
    guest.play("Pnw", "Pw")
    one = guest.do("undo")
    assert [entry["token"] for entry in one["log"]] == ["Pnw"]
    assert one["seq"] == 3
    guest.play("Pw")
    none = guest.do("undo", token="turn")
    assert none["log"] == []
    assert none["seq"] == 5
    assert none["view"] == before["view"]
    assert refusal_of(guest.ask("undo")) == (409, "nothing-to-undo")


def test_undo_after_the_turn_is_free_until_another_seat_has_answered(house: House) -> None:
    both = house.begin()
    red, blue = both.only(0), both.only(1)
    both.play("Pnw", "Pw")
    assert red.snapshot()["can"]["undo"]
    assert not blue.snapshot()["can"]["undo"]
    assert red.do("undo", seat=0)["acting"] == 0
    both.play("Pw", "Pne")
    assert not red.snapshot()["can"]["undo"]
    assert refusal_of(red.ask("undo", seat=0)) == (409, "ask-for-undo")
    assert blue.do("undo", seat=1)["acting"] == 1


def test_who_holds_every_persons_seat_may_take_back_any_time(house: House) -> None:
    both = house.begin()
    both.play("Pnw", "Pw", "Pne")
    assert [entry["token"] for entry in both.do("undo")["log"]] == ["Pnw", "Pw"]
    assert [entry["token"] for entry in both.do("undo", token="turn")["log"]] == []


def test_an_engines_answer_is_taken_back_with_the_action_before_it(house: House) -> None:
    guest = house.begin(seats=[PERSON, ENGINE])
    with guest.sit() as chair:
        chair.hear_until("snapshot")
        guest.play("Pnw", "Pw")
        while (snapshot := chair.hear_until("update")["snapshot"])["seq"] < 4:
            pass
    assert len(snapshot["log"]) == 4
    assert snapshot["can"]["undo"]
    # The seat that it names does not matter: the client may not know whose action is the last.
    taken = guest.do("undo", token="turn", seat=1)
    assert taken["log"] == []
    assert taken["acting"] == 0


def test_a_turn_waits_for_its_confirmation(house: House) -> None:
    guest = house.begin(confirm=True)
    snapshot = guest.play("Pnw", "Pw")
    assert (snapshot["status"], snapshot["acting"]) == ("confirming", 0)
    assert snapshot["view"]["actions"] == []
    assert snapshot["can"] == {
        "undo": True,
        "drawn": False,
        "confirm": True,
        "resign": True,
        "ask": ["draw", "abort"],
        "barred": [],
        "back": [],
    }
    assert refusal_of(guest.ask("play", token="Pne")) == (409, "confirm-first")
    assert refusal_of(guest.ask("play", token="Pne", seat=1)) == (409, "not-your-turn")
    assert refusal_of(guest.ask("confirm", seat=1)) == (409, "not-your-turn")
    assert guest.do("undo")["status"] == "playing"
    guest.play("Pw")
    confirmed = guest.do("confirm")
    assert (confirmed["status"], confirmed["acting"]) == ("playing", 1)
    assert not guest.only(0).snapshot()["can"]["undo"]
    assert refusal_of(guest.ask("confirm")) == (409, "nothing-to-confirm")


def test_whoever_confirms_has_their_own_hand_before_them(house: House) -> None:
    guest = house.begin(game="montana", confirm=True)
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
        for viewer in (guest, guest.only(0), guest.only(1), guest.spectator()):
            areas = viewer.snapshot()["view"]["areas"]
            cells = {cell["id"]: cell["value"] for area in areas for cell in area["cells"]}
            hand = {name: cells[f"hand-{name}"] for name in holdings[confirming] if name != "tiles"}
            assert hand == {name: holdings[confirming][name] for name in hand}
        guest.do("confirm")


def test_the_last_turn_is_confirmed_too(house: House) -> None:
    guest = house.begin(confirm=True)
    for turn in SHORTEST[:-1]:
        guest.play(*turn)
        guest.do("confirm")
    snapshot = guest.play(*SHORTEST[-1])
    assert snapshot["status"] == "confirming"
    assert snapshot["result"] is None
    over = guest.do("confirm")
    assert over["status"] == "over"
    assert over["acting"] is None
    assert over["result"]["winners"] == [0]
    assert over["result"]["returns"] == [1.0, -1.0]
    assert over["result"]["text"]["key"].startswith("outcome.")
    assert over["can"] == NOTHING | {"ask": ["rematch"]}
    for do in ("play", "undo", "confirm", "resign"):
        assert refusal_of(guest.ask(do, token="Pw")) == (409, "over")


def test_a_game_ends_with_its_reason(house: House) -> None:
    guest = house.begin()
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
    record = house.http.get(f"{guest.url}/record").text
    assert '[Result "1 -1"]' in record
    assert "1. Pnw Pw 2. Pne Pe 3. Pse Pse 4. Cw" in record


def test_a_record_replays(house: House) -> None:
    import tavola

    guest = house.begin(options={"layout": "row"}, seats=[PERSON | {"name": 'A "B" \\'}, PERSON])
    guest.play("Pnw", "Pw", "Pne")
    guest.do("undo")
    (record,) = tavola.read_records(house.http.get(f"{guest.url}/record").text)
    assert dict(record.tags)["Seat0"] == 'A "B" \\'
    assert [step.token for step in record.line] == ["Pnw", "Pw"]


def test_resigning_ends_the_match_out_of_turn_too(house: House) -> None:
    guest = house.begin()
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


def test_the_same_command_counts_once(house: House) -> None:
    guest = house.begin()
    command: Json = {"id": "once", "seq": 0, "seat": 0, "token": "Pnw"}
    first = guest.ask("play", **command)
    again = guest.ask("play", **command)
    assert first.json() == again.json()
    guest.play("Pw")
    later = guest.ask("play", **command)
    assert later.json()["seq"] == 1
    assert later.json()["snapshot"]["seq"] == 2
    assert refusal_of(guest.ask("play", **command | {"token": "Pw"})) == (409, "reused-id")
    assert refusal_of(guest.ask("resign", **command)) == (409, "reused-id")
    assert refusal_of(guest.spectator().ask("play", **command)) == (403, "not-your-seat")
    assert guest.snapshot()["seq"] == 2


def test_a_stale_command_is_refused_with_the_current_number(house: House) -> None:
    guest = house.begin()
    guest.play("Pnw")
    for language, said in (("en", "gone on"), ("ja", "対局が先に進んでいます")):
        for seq in (0, 2, 99):
            answer = guest.ask("play", token="Pw", seq=seq, seat=0, language=language)
            assert refusal_of(answer) == (409, "stale")
            assert answer.json()["params"] == {"seq": 1}
            assert said in answer.json()["message"]
    assert guest.snapshot()["seq"] == 1


def test_of_many_actions_a_message_names_the_first(house: House) -> None:
    guest = house.begin(game="passtally")
    nonsense = guest.ask("play", token="<b>")
    assert len(nonsense.json()["params"]["valid"]) == 24
    assert nonsense.json()["message"].endswith("Sa, W1, W2, … (+4).")


def test_an_illegal_action_says_why_in_both_languages(house: House) -> None:
    guest = house.begin()
    english = guest.ask("play", token="Pe")
    assert refusal_of(english) == (422, "illegal")
    assert english.json()["refusal"] == {"text": {"key": "illegal.occupied"}, "clause": "7"}
    assert "pawn" in english.json()["message"]
    japanese = guest.ask("play", token="Pe", language="ja-JP")
    assert japanese.json()["message"] != english.json()["message"]
    assert not japanese.json()["message"].isascii()
    nonsense = guest.ask("play", token="<b>")
    assert refusal_of(nonsense) == (422, "illegal")
    assert "refusal" not in nonsense.json()
    assert nonsense.json()["params"] == {
        "token": "<b>",
        "valid": ["Pne", "Pnw", "Pse", "Psw", "Pw"],
    }
    assert nonsense.json()["message"].endswith("There are: Pne, Pnw, Pse, Psw, Pw.")
    assert refusal_of(guest.ask("play")) == (422, "no-token")
    assert guest.snapshot()["seq"] == 0


def test_who_may_act(house: House) -> None:
    guest = house.begin()
    stranger = house.begin()
    assert refusal_of(guest.spectator().ask("play", token="Pw")) == (403, "not-your-seat")
    assert refusal_of(guest.only(1).ask("play", token="Pw")) == (403, "not-your-seat")
    assert refusal_of(guest.only(1).ask("play", token="Pw", seat=1)) == (409, "not-your-turn")
    assert refusal_of(guest.ask("play", token="Pw", seat=2)) == (422, "unknown-seat")
    stranger.match = guest.match
    refused = house.http.get(guest.url, headers=stranger.headers)
    assert refusal_of(refused) == (401, "unknown-token")
    assert refusal_of(house.http.get(guest.url, headers={"authorization": "Basic x"})) == (
        401,
        "unknown-token",
    )


def test_what_is_certain_of_a_position_is_told(house: House) -> None:
    guest = house.begin()
    told = house.http.get(f"{guest.url}/proof").json()
    assert told["seq"] == guest.snapshot()["seq"]
    assert told["plies"] >= 3
    assert told["proof"] is None
    assert house.http.get(f"{guest.url}/proof").json() == told
    guest.play("Pnw")
    assert house.http.get(f"{guest.url}/proof").json()["seq"] == told["seq"] + 1
    assert house.http.get("/api/matches/none/proof").status_code == 404


def test_nothing_is_certain_where_chance_decides(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = house.begin()
    known = games.info("potlatch")
    monkeypatch.setattr(games, "info", lambda name: msgspec.structs.replace(known, proofs=False))
    assert refusal_of(house.http.get(f"{guest.url}/proof")) == (422, "no-proofs")


def test_touching_cells_that_lead_nowhere_is_explained(house: House) -> None:
    guest = house.begin()

    def explain(*cells: str) -> object:
        answer = house.http.get(f"{guest.url}/explain", params={"touched": cells})
        assert answer.status_code == 200, answer.text
        return answer.json()["refusal"]

    assert explain("1,0") == {"text": {"key": "illegal.occupied"}, "clause": "7"}
    assert explain("0,1") is None
    assert explain() is None
    answer = house.http.get(f"{guest.url}/explain", params={"touched": "9,9"})
    assert refusal_of(answer) == (422, "unknown-cell")
    turned = house.http.get(f"{guest.url}/explain", params={"touched": "0,1", "turn": 90})
    assert turned.json() == {"refusal": None}
    for turn in ("-90", "360", "east"):
        answer = house.http.get(f"{guest.url}/explain", params={"touched": "0,1", "turn": turn})
        assert refusal_of(answer) == (422, "invalid"), turn


def test_touching_a_part_is_touching_the_whole(house: House) -> None:
    guest = house.begin(game="passtally")
    for _ in range(8):  # the markers
        guest.play(guest.snapshot()["view"]["actions"][0]["token"])
    for cell in ("pile-1", "pile-1-b"):
        answer = house.http.get(f"{guest.url}/explain", params={"touched": cell})
        assert answer.json() == {"refusal": None}


def test_what_an_action_would_bring_is_told_to_the_seat_to_act(house: House) -> None:
    guest = house.begin(confirm=True)

    def prospect(asker: Guest = guest, **asked: object) -> httpx.Response:
        params = {"seq": guest.snapshot()["seq"], "token": "Pne"} | asked
        return house.http.get(f"{guest.url}/prospect", params=params, headers=asker.headers)

    assert prospect().json() == {"pieces": [], "lines": [], "texts": []}
    assert refusal_of(prospect(guest.spectator())) == (409, "not-your-turn")
    assert refusal_of(prospect(guest.only(1))) == (409, "not-your-turn")
    assert refusal_of(prospect(token="Pe")) == (422, "illegal")
    assert refusal_of(prospect(seq=7)) == (409, "stale")
    assert refusal_of(prospect(seq="x")) == (422, "invalid")
    guest.play("Pnw", "Pw")
    assert refusal_of(prospect()) == (409, "confirm-first")
    assert guest.snapshot()["status"] == "confirming"
