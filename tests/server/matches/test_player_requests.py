"""Requests: granted by every seat concerned or by none; always an event in the log."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tavola.server.matches import open_request
from tavola.server.snapshots import presence
from tests.server.databases import rows
from tests.server.live_server import (
    ENGINE,
    PERSON,
    SHORTEST,
    Json,
    LiveServer,
    Player,
    error_of,
    serve,
)
from tests.server.matches.test_chance import SET, a_tile

MAIN = {"kind": "main", "seconds": 600, "increment": 0}


def begun(server: LiveServer, **more: Any) -> tuple[Player, Player, Player]:
    """Return a match in which every seat has completed a turn: both seats, seat 0, seat 1."""
    both = server.create_match(**more)
    both.play("Pnw", "Pw", "Pne", "Pnw")
    return both, both.only(0), both.only(1)


def asks(guest: Player, what: str, seat: int) -> Json:
    return guest.do("ask", token=what, seat=seat, seq=guest.snapshot()["seq"])


def answers(guest: Player, do: str, seat: int) -> Json:
    return guest.do(do, seat=seat, seq=guest.snapshot()["seq"])


def refused(guest: Player, do: str, seat: int, token: str | None = None) -> tuple[int, str]:
    seq = guest.snapshot()["seq"]
    return error_of(guest.request(do, token=token, seat=seat, seq=seq))


def kinds(folder: Path, match: str) -> list[str]:
    asked = "SELECT kind FROM events WHERE match = :match ORDER BY seq"
    return [kind for (kind,) in rows(folder / "tavola.db", asked, match=match)]


class TestUndo:
    def test_what_the_others_have_answered_comes_back_when_they_grant_it(
        self, tmp_path: Path
    ) -> None:
        with serve(tmp_path) as server:
            both, red, blue = begun(server)
            assert refused(red, "undo", 0) == (409, "ask-for-undo")
            assert "undo" in red.snapshot()["can"]["ask"]
            asked = asks(red, "undo", 0)
            assert asked["request"] == {"what": "undo", "seat": 0, "waiting": [1]}
            assert blue.snapshot()["request"] == asked["request"]
            assert len(asked["log"]) == 4
            granted = answers(blue, "accept", 1)
            assert (granted["log"], granted["acting"], granted["request"]) == ([], 0, None)
        assert kinds(tmp_path, both.match) == ["action"] * 4 + ["ask", "accept", "undo"]
        with serve(tmp_path) as server:
            blue.server = server
            assert blue.snapshot() == granted

    def test_what_is_free_is_not_asked_for(self, server: LiveServer) -> None:
        both = server.create_match()
        both.play("Pnw", "Pw")
        assert "undo" not in both.only(0).snapshot()["can"]["ask"]
        assert refused(both.only(0), "ask", 0, "undo") == (409, "cannot-ask")
        # Blue has nothing that could come back.
        assert refused(both.only(1), "ask", 1, "undo") == (409, "cannot-ask")

    def test_what_chance_has_answered_is_not_asked_for(self, server: LiveServer) -> None:
        both = server.create_match(game="passtally")
        both.play(*SET)
        now = both.play(a_tile(both.snapshot()))
        seat = now["log"][-2]["seat"]
        assert both.only(seat).snapshot()["can"]["drawn"]
        assert refused(both.only(seat), "ask", seat, "undo") == (409, "cannot-ask")


class TestAnswers:
    def test_nobody_answers_for_others(self, server: LiveServer) -> None:
        both, red, _ = begun(server)
        asks(red, "draw", 0)
        assert refused(red, "accept", 0) == (409, "no-pending-request")
        assert refused(red, "accept", 1) == (403, "not-your-seat")
        assert refused(both.spectator(), "accept", 1) == (403, "not-your-seat")
        assert red.snapshot()["request"] is not None

    def test_what_was_declined_is_not_asked_for_again_before_the_next_action(
        self, server: LiveServer
    ) -> None:
        _, red, blue = begun(server)
        asks(red, "draw", 0)
        assert answers(blue, "decline", 1)["request"] is None
        assert red.snapshot()["can"]["blocked"] == ["draw"]
        assert blue.snapshot()["can"]["blocked"] == []
        assert refused(red, "ask", 0, "draw") == (409, "declined-before")
        # Another may be.
        asks(red, "undo", 0)
        answers(red, "decline", 0)
        asks(blue, "draw", 1)
        assert refused(red, "ask", 0, "undo") == (409, "answer-first")
        answers(red, "decline", 0)
        red.play(red.snapshot()["view"]["actions"][0]["token"])
        assert red.snapshot()["can"]["blocked"] == []
        assert asks(red, "draw", 0)["request"]["what"] == "draw"

    def test_declining_and_withdrawing_name_the_seat(self, server: LiveServer) -> None:
        _, red, blue = begun(server)
        # Red's match is open on two devices: the other one learns what was done on this one.
        with red.connect(changes=True) as other:
            assert other.receive()["snapshot"]["declined"] is None

            def heard() -> Json:
                changes: Json = other.receive_until("change")["changes"]
                return changes

            asks(red, "draw", 0)
            assert "declined" not in heard()
            answers(red, "decline", 0)
            assert heard()["declined"] == [{"seat": 0, "by": 0}]
            asks(red, "undo", 0)
            assert heard()["declined"] == [None]
            answers(blue, "decline", 1)
            assert heard()["declined"] == [{"seat": 0, "by": 1}]
            blue_sees = blue.snapshot()
            assert blue_sees["request"] is None
            assert blue_sees["declined"] == {"seat": 0, "by": 1}
            red.play(red.snapshot()["view"]["actions"][0]["token"])
            assert heard()["declined"] == [None]

    def test_a_request_lapses_with_the_next_action(self, server: LiveServer) -> None:
        _, red, blue = begun(server)
        asks(blue, "draw", 1)
        assert red.play(red.snapshot()["view"]["actions"][0]["token"])["request"] is None
        assert refused(red, "accept", 0) == (409, "no-pending-request")

    def test_nothing_is_asked_that_nobody_knows(self, server: LiveServer) -> None:
        _, red, _ = begun(server)
        for what in (None, "", "dance", "engine", "engine:x", "engine:7", "engine:-1", "rematch"):
            assert refused(red, "ask", 0, what) == (409, "cannot-ask"), what

    def test_an_unknown_request_lists_the_available_ones(self, server: LiveServer) -> None:
        _, red, _ = begun(server)
        for language, message in (
            ("en", "Not available now. Available: undo, draw, engine:1."),
            ("ja", "いまは申し込めません。いまできる申し込み：undo, draw, engine:1。"),
        ):
            error = red.request("ask", language=language, seat=0).json()
            assert (error["message"], error["params"]["valid"]) == (
                message,
                ["undo", "draw", "engine:1"],
            )

    def test_the_same_request_counts_once(self, server: LiveServer) -> None:
        _, red, _ = begun(server)
        sent: Json = {"id": "one", "seq": 4, "seat": 0}
        first = red.request("ask", token="draw", **sent)
        assert first.json() == red.request("ask", token="draw", **sent).json()
        assert error_of(red.request("ask", token="undo", **sent)) == (409, "reused-id")
        assert red.snapshot()["seq"] == 5

    def test_who_holds_every_seat_agrees_with_themselves(self, server: LiveServer) -> None:
        both, _, _ = begun(server)
        over = asks(both, "draw", 0)
        assert over["status"] == "over"


class TestDraw:
    def test_a_draw_is_agreed_on(self, server: LiveServer) -> None:
        both, red, blue = begun(server)
        asks(red, "draw", 0)
        over = answers(blue, "accept", 1)
        assert over["status"] == "over"
        assert over["result"] == {
            "winners": [],
            "returns": [0.0, 0.0],
            "reason": "agreed",
            "text": None,
            "loser": None,
        }
        assert '[Result "0 0"]' in server.http.get(f"{both.url}/record").text

    def test_not_where_there_are_none_and_not_of_engines(self, server: LiveServer) -> None:
        game = server.create_match(game="passtally")
        assert "draw" not in game.snapshot()["can"]["ask"]
        assert refused(game.only(0), "ask", 0, "draw") == (409, "cannot-ask")
        alone = server.create_match(seats=[PERSON, ENGINE])
        assert refused(alone, "ask", 0, "draw") == (409, "cannot-ask")


class TestAbort:
    def test_before_everybody_has_had_a_turn(self, server: LiveServer) -> None:
        both = server.create_match()
        both.play("Pnw", "Pw", "Pne")
        over = asks(both.only(1), "abort", 1)
        assert (over["status"], over["result"]["reason"]) == ("over", "aborted")
        assert (over["result"]["winners"], over["result"]["loser"]) == ([], None)

    def test_no_more_afterwards(self, server: LiveServer) -> None:
        _, red, blue = begun(server)
        assert "abort" not in red.snapshot()["can"]["ask"]
        assert refused(blue, "ask", 1, "abort") == (409, "cannot-ask")


class TestPause:
    def test_nobody_acts_and_no_time_passes_until_it_goes_on(self, server: LiveServer) -> None:
        _, red, blue = begun(server, time=MAIN)
        asks(blue, "pause", 1)
        paused = answers(red, "accept", 0)
        assert (paused["paused"], paused["clock"]["running"]) == (True, None)
        assert paused["view"]["actions"] == []
        assert refused(red, "play", 0, "Psw") == (409, "paused")
        assert refused(blue, "undo", 1) == (409, "paused")
        left = paused["clock"]["remaining"]
        assert red.snapshot()["clock"]["remaining"] == left
        # Blue, whose clock would not run, asks; Red just continues.
        assert asks(blue, "resume", 1)["request"]["waiting"] == [0]
        assert refused(red, "ask", 0, "resume") == (409, "answer-first")
        going = answers(red, "accept", 0)
        assert (going["paused"], going["clock"]["running"]) == (False, 0)
        assert going["view"]["actions"]
        asks(red, "pause", 0)
        answers(blue, "accept", 1)
        assert asks(red, "resume", 0)["paused"] is False

    def test_after_a_day_anybody_may_go_on(
        self, server: LiveServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _, red, blue = begun(server, time=MAIN)
        asks(blue, "pause", 1)
        answers(red, "accept", 0)
        assert asks(blue, "resume", 1)["paused"] is True
        answers(red, "decline", 0)
        assert refused(blue, "ask", 1, "resume") == (409, "declined-before")
        # It stays on offer: nothing tells a page when the day is over.
        assert "resume" in blue.snapshot()["can"]["ask"]
        assert blue.snapshot()["can"]["blocked"] == []
        # Red, who is to act, has gone for good.
        monkeypatch.setattr(open_request, "MAX_PAUSE", timedelta())
        going = asks(blue, "resume", 1)
        assert (going["paused"], going["request"]) == (False, None)
        assert going["clock"]["running"] == 0

    def test_it_ends_with_the_match(self, server: LiveServer) -> None:
        _, red, blue = begun(server, time=MAIN)
        asks(blue, "pause", 1)
        answers(red, "accept", 0)
        over = red.do("resign", seat=0)
        assert (over["status"], over["paused"]) == ("over", False)

    def test_without_clocks_there_is_nothing_to_stop(self, server: LiveServer) -> None:
        _, red, _ = begun(server)
        assert refused(red, "ask", 0, "pause") == (409, "cannot-ask")


def action_of(guest: Player) -> str:
    token: str = guest.snapshot()["view"]["actions"][0]["token"]
    return token


class TestEngine:
    def test_an_engine_plays_on_for_somebody_who_has_gone(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            _, red, blue = begun(server)
            with blue.connect() as chair:
                chair.receive()
                assert refused(red, "ask", 0, "engine:1") == (409, "cannot-ask")
            # Blue may come back for a while.
            assert refused(red, "ask", 0, "engine:1") == (409, "cannot-ask")
            both = server.create_match()
            red, blue = both.only(0), both.only(1)
            assert refused(red, "ask", 0, "engine:0") == (409, "cannot-ask")
            with red.connect() as chair:
                chair.receive()
                now = asks(red, "engine:1", 0)
                assert now["seats"][1] == {
                    "seat": 1,
                    "kind": "engine",
                    "name": "",
                    "yours": False,
                    "level": 5,
                }
                red.play("Pnw", "Pw")
                while len((now := chair.receive_until("update")["snapshot"])["log"]) < 4:
                    pass
            assert [entry["seat"] for entry in now["log"]] == [0, 0, 1, 1]
            assert not any(seat["yours"] for seat in blue.snapshot()["seats"])
            assert refused(blue, "resign", 1) == (403, "not-your-seat")
        with serve(tmp_path) as server:
            red.server = server
            assert red.snapshot() == now

    def test_an_opponent_who_leaves_instead_of_acting_loses_by_a_claim(
        self, server: LiveServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(presence, "RECONNECT_SECONDS", 0.0)
        both = server.create_match()
        red, blue = both.only(0), both.only(1)
        with red.connect() as chair:
            with blue.connect() as other:
                other.receive()
                red.play("Pnw", "Pw")
                assert refused(red, "ask", 0, "claim:1") == (409, "cannot-ask"), "Blue is there"
            while chair.receive_until("presence")["seats"][1]["state"] != "away":
                pass
            assert refused(red, "ask", 0, "claim:1") == (409, "cannot-ask"), "Blue never acted"
            assert red.snapshot()["can"]["if_away"] == ["engine:1"]
            blue.play(action_of(blue))
            blue.play(action_of(blue))
            assert refused(red, "ask", 0, "claim:1") == (409, "cannot-ask"), "Red has to act"
            red.play(action_of(red))
            red.play(action_of(red))
            assert refused(red, "ask", 0, "claim:0") == (409, "cannot-ask"), "Red is here"
            assert refused(blue, "ask", 1, "claim:0") == (409, "cannot-ask")
            assert red.snapshot()["can"]["if_away"] == ["claim:1", "engine:1"]
            assert blue.snapshot()["can"]["if_away"] == ["engine:0"]
            assert red.spectator().snapshot()["can"]["if_away"] == []
            now = asks(red, "claim:1", 0)
        assert now["status"] == "over"
        assert now["result"] == {
            "winners": [0],
            "returns": [1.0, -1.0],
            "reason": "left",
            "text": None,
            "loser": 1,
        }
        assert blue.snapshot()["result"] == now["result"]

    def test_who_comes_back_before_all_have_agreed_keeps_the_seat(
        self, server: LiveServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(presence, "RECONNECT_SECONDS", 0.0)
        all_three = server.create_match(
            game="passtally", seats=[PERSON, PERSON, PERSON], options={"players": 3}
        )
        with all_three.spectator().connect() as watching:
            while watching.receive_until("presence")["seats"][2]["state"] != "away":
                pass
        asks(all_three.only(0), "engine:2", 0)
        second = all_three.only(1)
        with all_three.only(2).connect() as chair:
            chair.receive()
            assert refused(second, "accept", 1) == (409, "no-pending-request")
        assert {seat["kind"] for seat in second.snapshot()["seats"]} == {"person"}

    def test_whoever_comes_back_takes_the_seat_back(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            both = server.create_match()
            red, blue = both.only(0), both.only(1)
            with red.connect() as chair:
                chair.receive()
                assert refused(blue, "return", 1) == (409, "not-replaced")
                asks(red, "engine:1", 0)
                red.play("Pnw", "Pw")
                while len((now := chair.receive_until("update")["snapshot"])["log"]) < 4:
                    pass
                assert now["can"]["reclaimable"] == []
                # Only who held the seat, and whatever they have seen.
                assert refused(red, "return", 1) == (409, "not-replaced")
                assert refused(both.spectator(), "return", 1) == (409, "not-replaced")
                assert blue.snapshot()["can"]["reclaimable"] == [1]
                back = blue.do("return", seat=1, seq=0, id="back")
                assert chair.receive_until("update")["snapshot"]["seats"][1]["kind"] == "person"
            assert (back["seats"][1]["yours"], back["can"]["reclaimable"]) == (True, [])
            assert blue.do("return", seat=1, seq=0, id="back") == back
            assert refused(blue, "return", 1) == (409, "not-replaced")
            # The engine's action was no plan of Blue's; from here on Blue plays.
            assert not any(entry["planned"] for entry in back["log"])
            while red.snapshot()["acting"] == 0:
                red.play(action_of(red))
            assert blue.play(action_of(blue))["log"][-1]["seat"] == 1
            now = blue.snapshot()
        with serve(tmp_path) as server:
            blue.server = server
            assert blue.snapshot() == now
            blue.do("resign", seat=1)
            assert refused(blue, "return", 1) == (409, "not-replaced")

    def test_whoever_comes_back_takes_nobody_s_turn(self, server: LiveServer) -> None:
        both = server.create_match(confirm=True)
        red, blue = both.only(0), both.only(1)
        with red.connect() as chair:
            chair.receive()
            asks(red, "engine:1", 0)
            red.play("Pnw", "Pw")
            red.do("confirm")
            while red.snapshot()["acting"] != 0:
                chair.receive_until("update")
            # The engine's turn is over, and not Blue's to confirm; nor is that of a person whose
            # place it takes before they have.
            back = blue.do("return", seat=1)
            assert (back["status"], back["acting"]) == ("playing", 0)
            while red.snapshot()["status"] == "playing":
                red.play(action_of(red))
            red.do("confirm")
            while blue.snapshot()["status"] == "playing":
                blue.play(action_of(blue))
            asks(red, "engine:1", 0)
            assert red.snapshot()["acting"] == 0
            back = blue.do("return", seat=1)
            assert (back["status"], back["acting"]) == ("playing", 0)

    def test_who_has_days_for_a_turn_has_not_gone(self, server: LiveServer) -> None:
        red = server.create_match(time={"kind": "days", "days": 3}).only(0)
        with red.connect() as chair:
            chair.receive()
            assert refused(red, "ask", 0, "engine:1") == (409, "cannot-ask")


class TestRematch:
    @pytest.fixture
    def over(self, server: LiveServer) -> Player:
        both = server.create_match(
            seats=[PERSON | {"name": "Ada"}, PERSON | {"name": "Bo"}], time=MAIN
        )
        for turn in SHORTEST:
            both.play(*turn)
        return both

    def test_another_match_with_the_seats_changed_and_the_same_tokens(self, over: Player) -> None:
        red, blue = over.only(0), over.only(1)
        assert red.snapshot()["can"]["ask"] == ["rematch"]
        asks(red, "rematch", 0)
        with red.connect() as chair:
            assert chair.receive()["snapshot"]["request"]["waiting"] == [1]
            following = answers(blue, "accept", 1)["next"]
            while chair.receive_until("update")["snapshot"]["next"] != following:
                pass
        again = [Player(over.server, following, [token]) for token in over.tokens]
        seats = [one.snapshot()["seats"] for one in again]
        assert [seat["name"] for seat in seats[0]] == ["Bo", "Ada"]
        assert [[seat["yours"] for seat in one] for one in seats] == [[False, True], [True, False]]
        assert again[0].snapshot()["clock"]["remaining"] == [600.0, 600.0]
        again[1].play("Pnw", "Pw")
        # One is enough.
        assert red.snapshot()["can"]["ask"] == []
        assert refused(red, "ask", 0, "rematch") == (409, "cannot-ask")

    def test_it_may_be_declined(self, over: Player) -> None:
        red, blue = over.only(0), over.only(1)
        asks(red, "rematch", 0)
        assert answers(blue, "decline", 1)["next"] is None
        assert refused(red, "ask", 0, "rematch") == (409, "declined-before")
        assert asks(blue, "rematch", 1)["request"]["seat"] == 1

    def test_a_series_has_a_score(self, server: LiveServer) -> None:
        guest = server.create_match(time=MAIN)
        scores = []
        for loser in (0, 1, 1, None):
            guest.play("Pnw", "Pw", "Pne", "Pnw")
            if loser is None:
                guest.do("ask", token="draw", seat=0)
            else:
                guest.do("resign", seat=loser)
            over = guest.do("ask", token="rematch", seat=0)
            scores.append(over["series"])
            guest = Player(server, over["next"], [*guest.tokens[1:], guest.tokens[0]])
        # The seats change with every game: one player wins the first two, the other the third.
        assert scores[0] is None
        assert scores[1] == {"games": 2, "points": [2.0, 0.0]}
        assert guest.spectator().snapshot()["series"] == {"games": 4, "points": [1.5, 2.5]}
