"""Conditional moves: played only from their exact positions, and hidden from other players."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import tavola
from tavola.server.storage.database import Database
from tests.server.live_server import HOT_SEAT, SHORTEST, Json, LiveServer, Player, error_of, serve

# Red's turn, Blue's answer, Red's next turn and Blue's: two actions each.
RED, BLUE = ("Pnw", "Pw"), ("Pne", "Pe")


def plan(guest: Player, seat: int, *lines: tuple[str, ...], **more: Any) -> httpx.Response:
    """Saves over what is there now; `version`: over what was there when that was seen."""
    now = guest.server.http.get(
        f"{guest.url}/conditional-moves?seat={seat}", headers=guest.headers
    ).json()
    seen = {"seq": guest.snapshot()["seq"], "version": now.get("version", "")}
    asked = {"seat": seat, "lines": lines} | seen | more
    return guest.server.http.post(
        f"{guest.url}/conditional-moves", json=asked, headers=guest.headers
    )


def told(guest: Player, seat: int) -> Json:
    answer = guest.server.http.get(
        f"{guest.url}/conditional-moves?seat={seat}", headers=guest.headers
    )
    assert answer.status_code == 200, answer.text
    plan: Json = answer.json()
    return plan


def planned(guest: Player, seat: int) -> list[list[str]]:
    left: list[list[str]] = told(guest, seat)["lines"]
    return left


def cancelled(guest: Player, seat: int) -> bool:
    fell: bool = told(guest, seat)["cancelled"]
    return fell


def along(guest: Player, ply: int, *line: str) -> httpx.Response:
    return guest.server.http.get(
        f"{guest.url}/positions/{ply}", params={"line": line}, headers=guest.headers
    )


def tokens(snapshot: Json) -> list[str]:
    return [entry["token"] for entry in snapshot["log"]]


@pytest.mark.parametrize("confirm", [False, True])
def test_the_answer_comes_at_once(server: LiveServer, confirm: bool) -> None:
    guest = server.create_match(seats=HOT_SEAT, confirm=confirm)
    red, blue = guest.only(0), guest.only(1)
    assert plan(blue, 1, (*RED, *BLUE)).status_code == 200
    red.play(*RED)
    if confirm:
        assert tokens(red.snapshot()) == [*RED]
        red.do("confirm")
    after = red.snapshot()
    assert tokens(after) == [*RED, *BLUE]
    assert [entry["seat"] for entry in after["log"]] == [0, 0, 1, 1]
    assert [entry["planned"] for entry in after["log"]] == [False, False, True, True]
    assert (after["status"], after["acting"]) == ("playing", 0)
    assert planned(blue, 1) == []
    assert not cancelled(blue, 1)


def test_a_viewer_receives_every_action(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    with guest.spectator().connect() as chair:
        chair.receive_until("snapshot")
        guest.only(0).play(*RED)
        assert [chair.receive_until("update")["seq"] for _ in range(4)] == [1, 2, 3, 4]


def test_another_position_has_no_answer(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    other = guest.only(0).play("Pne", "Pe")
    assert (other["acting"], len(other["log"])) == (1, 2)
    assert planned(guest.only(1), 1) == []
    # It is reported until Blue has acted.
    assert cancelled(guest.only(1), 1)
    guest.only(1).play(BLUE[0] if BLUE[0] != "Pne" else "Pnw")
    assert not cancelled(guest.only(1), 1)


def test_who_takes_back_and_plays_the_same_is_answered(server: LiveServer) -> None:
    """An answer belongs to a position, not to the way that led there."""
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    guest.only(0).play("Pnw")
    guest.only(0).do("undo")
    after = guest.only(0).play(*RED)
    assert len(after["log"]) == 4


def test_a_tree_goes_on(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    red, blue = guest.only(0), guest.only(1)
    first = (*RED, *BLUE)
    deep = tree(server, first)
    assert plan(blue, 1, deep, ("Pne", "Pe", *answer_to(server, ("Pne", "Pe")))).status_code == 200
    red.play(*RED)
    assert planned(blue, 1) == [list(deep[4:])]
    red.play(*deep[4:6])
    assert tokens(red.snapshot()) == list(deep)


def tree(server: LiveServer, line: tuple[str, ...]) -> tuple[str, ...]:
    """A line with a further turn of each, the first actions that there are."""
    return (*line, *answer_to(server, line, 4))


def answer_to(server: LiveServer, line: tuple[str, ...], count: int = 2) -> tuple[str, ...]:
    guest = server.create_match(seats=HOT_SEAT)
    guest.play(*line)
    answer = []
    for _ in range(count):
        token = guest.snapshot()["view"]["actions"][0]["token"]
        guest.play(token)
        answer.append(token)
    return tuple(answer)


def test_what_is_taken_back_is_not_played_again(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    guest.only(0).play(*RED)
    back = guest.only(1).do("undo", seat=1)
    assert tokens(back) == [*RED, BLUE[0]]
    assert back["acting"] == 1


def test_a_plan_is_visible_only_to_its_seat(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    for other in (guest.only(0), guest.spectator()):
        path = f"{guest.url}/conditional-moves?seat=1"
        refused = server.http.get(path, headers=other.headers)
        assert error_of(refused) == (403, "not-your-seat")
        assert error_of(plan(other, 1)) == (403, "not-your-seat")
        assert BLUE[1] not in {action["token"] for action in other.snapshot()["log"]}
        assert "plan" not in str(other.snapshot())


def test_the_old_path_of_conditional_moves_still_works(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT).only(1)
    asked = {"seat": 1, "seq": 0, "version": "", "lines": [[*RED, *BLUE]]}
    saved = server.http.post(f"{guest.url}/plan", json=asked, headers=guest.headers)
    assert saved.status_code == 200
    for path in ("plan", "conditional-moves"):
        found = server.http.get(f"{guest.url}/{path}?seat=1", headers=guest.headers)
        assert found.json() == saved.json()
    assert "/plan" not in server.http.get("/api/schema/openapi.json").text


def test_a_plan_is_replaced_and_withdrawn(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    blue = guest.only(1)
    plan(blue, 1, (*RED, *BLUE))
    assert planned(blue, 1) == [[*RED, *BLUE]]
    assert plan(blue, 1).json()["lines"] == []
    assert len(guest.only(0).play(*RED)["log"]) == 2


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("lines", "code"),
    [
        ([("Pnw", "nonsense")], "conditional-line"),
        ([RED], "conditional-unfinished"),
        ([(*RED, BLUE[0])], "conditional-unfinished"),
        ([(*RED, *BLUE), (*RED, "Pse", "Pe")], "conditional-twice"),
    ],
)
def test_what_is_no_plan(
    server: LiveServer, lines: list[tuple[str, ...]], code: str, language: str
) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    headers = guest.headers | {"accept-language": language}
    asked = {"seat": 1, "seq": 0, "version": "", "lines": lines}
    refused = server.http.post(f"{guest.url}/conditional-moves", json=asked, headers=headers)
    assert error_of(refused) == (422, code)
    assert planned(guest, 1) == []


def test_when_nothing_can_be_planned(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    assert error_of(plan(guest, 0, (*RED, *BLUE))) == (409, "conditional-own-turn")
    assert error_of(plan(guest, 1, (*RED, *BLUE), seq=5)) == (409, "stale")
    guest.do("resign", seat=0)
    assert error_of(plan(guest, 1, (*RED, *BLUE))) == (409, "over")
    chance = server.create_match(game="passtally", seats=HOT_SEAT)
    assert error_of(plan(chance, 1)) == (422, "conditional-chance")


def test_a_plan_outlives_the_server(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = server.create_match(seats=HOT_SEAT)
        plan(guest.only(1), 1, (*RED, *BLUE))
    with serve(tmp_path) as again:
        there = Player(again, guest.match, guest.tokens)
        assert planned(there, 1) == [[*RED, *BLUE]]
        assert tokens(there.only(0).play(*RED)) == [*RED, *BLUE]


def test_both_or_neither_are_stored(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is in the transaction of what it answers."""
    guest = server.create_match(seats=HOT_SEAT)
    plan(guest.only(1), 1, (*RED, *BLUE))
    guest.only(0).play(RED[0])
    stored = []
    append = Database.append

    async def watched(self: Database, match: str, new: Any, **more: Any) -> None:
        stored.append([event.token for event in new])
        await append(self, match, new, **more)

    monkeypatch.setattr(Database, "append", watched)
    guest.only(0).play(RED[1])
    assert stored == [[RED[1], *BLUE]]


class TestTwoDevices:
    ONE, OTHER = (*RED, *BLUE), ("Pne", "Pe", "Pnw", "Pw")

    def test_what_the_other_saved_is_not_overwritten(self, server: LiveServer) -> None:
        blue = server.create_match(seats=HOT_SEAT).only(1)
        seen = told(blue, 1)["version"]
        saved = plan(blue, 1, self.ONE, version=seen).json()
        refused = plan(blue, 1, self.OTHER, version=seen)
        assert error_of(refused) == (409, "conditional-changed")
        assert refused.json()["params"]["planned"] == saved == told(blue, 1)
        # A device that has seen it may save over it.
        both = plan(blue, 1, self.ONE, self.OTHER, version=saved["version"])
        assert both.json()["lines"] == [[*self.ONE], [*self.OTHER]]
        # And what the first has seen is not there any more either.
        assert error_of(plan(blue, 1, version=saved["version"])) == (409, "conditional-changed")

    def test_of_saves_at_once_one_counts(self, server: LiveServer) -> None:
        blue = server.create_match(seats=HOT_SEAT).only(1)
        with ThreadPoolExecutor(8) as threads:
            lines = [self.ONE, self.OTHER] * 4
            answers = list(threads.map(lambda line: plan(blue, 1, line, version=""), lines))
        counted = {str(answer.json()["lines"]) for answer in answers if answer.is_success}
        assert counted == {str(planned(blue, 1))}
        assert {answer.status_code for answer in answers} == {200, 409}

    def test_who_saves_again_what_was_saved_gets_the_same_answer(self, server: LiveServer) -> None:
        """The answer to the first may have been lost."""
        blue = server.create_match(seats=HOT_SEAT).only(1)
        first, again = (plan(blue, 1, self.ONE, version="") for _ in range(2))
        assert (again.status_code, again.json()) == (200, first.json())

    @pytest.mark.long
    def test_another_server_on_the_database_is_heeded(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match(seats=HOT_SEAT)
            blue = guest.only(1)
            assert planned(blue, 1) == []
            with serve(tmp_path) as beside:
                there = Player(beside, guest.match, blue.tokens)
                saved = plan(there, 1, self.ONE, version="").json()
            refused = plan(blue, 1, self.OTHER, version="")
            assert error_of(refused) == (409, "conditional-changed")
            assert refused.json()["params"]["planned"] == saved

    def test_nothing_planned_has_one_version(self, server: LiveServer) -> None:
        blue = server.create_match(seats=HOT_SEAT).only(1)
        assert told(blue, 1)["version"] == ""
        version = plan(blue, 1, self.ONE).json()["version"]
        assert version
        assert plan(blue, 1, version=version).json()["version"] == ""

    def test_it_is_said_over_what_one_saves(self, server: LiveServer) -> None:
        blue = server.create_match(seats=HOT_SEAT).only(1)
        asked = {"seat": 1, "seq": 0, "lines": []}
        refused = server.http.post(
            f"{blue.url}/conditional-moves", json=asked, headers=blue.headers
        )
        assert error_of(refused) == (422, "invalid")


class TestTakenBack:
    """A plan falls with the position that it was made in: what is not shown is not played."""

    def test_it_is_not_played_when_the_position_comes_back(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT)
        red, blue = guest.only(0), guest.only(1)
        red.play(RED[0])
        plan(blue, 1, (RED[1], *BLUE))
        red.do("undo")
        assert planned(blue, 1) == []
        assert tokens(red.play(*RED)) == [*RED]

    def test_it_is_told(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT)
        red, blue = guest.only(0), guest.only(1)
        red.play(RED[0])
        version = plan(blue, 1, (RED[1], *BLUE)).json()["version"]
        red.do("undo")
        assert (planned(blue, 1), cancelled(blue, 1)) == ([], True)
        # A client with an old version cannot overwrite it.
        assert error_of(plan(blue, 1, (*RED, *BLUE), version=version)) == (
            409,
            "conditional-changed",
        )
        red.play(*RED)
        assert (planned(blue, 1), cancelled(blue, 1)) == ([], True)
        blue.play(*BLUE)
        assert not cancelled(blue, 1)

    def test_a_new_one_is_made(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT)
        red, blue = guest.only(0), guest.only(1)
        red.play(RED[0])
        plan(blue, 1, (RED[1], *BLUE))
        red.do("undo")
        assert plan(blue, 1, (*RED, *BLUE)).json()["cancelled"] is False
        assert tokens(red.play(*RED)) == [*RED, *BLUE]

    @pytest.mark.long
    def test_it_stays_so_after_a_restart(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match(seats=HOT_SEAT)
            guest.only(0).play(RED[0])
            plan(guest.only(1), 1, (RED[1], *BLUE))
        with serve(tmp_path) as again:
            there = Player(again, guest.match, guest.tokens)
            there.only(0).do("undo")
            assert cancelled(there, 1)
        with serve(tmp_path) as third:
            there = Player(third, guest.match, guest.tokens)
            assert cancelled(there, 1)
            assert tokens(there.only(0).play(*RED)) == [*RED]


class TestLookingAhead:
    def test_the_seat_sees_what_would_be(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT, confirm=True, time={"kind": "days", "days": 3})
        blue = guest.only(1)
        for length in range(5):
            line = (*RED, *BLUE)[:length]
            answer = along(blue, 0, *line)
            assert answer.status_code == 200, answer.text
            seen = answer.json()
            state = tavola.load("potlatch").start()
            for token in line:
                state = state.play(token)
            assert tokens(seen) == [*line]
            assert (seen["status"], seen["acting"]) == ("playing", state.to_act)
            tried = {action["token"] for action in seen["view"]["actions"]}
            assert tried == set(state.legal_actions)
            assert not any(seen["can"].values())
        # None of it has happened, and no viewer receives it.
        assert guest.snapshot()["seq"] == 0

    def test_nobody_else_does(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT)
        assert error_of(along(guest.spectator(), 0, "Pnw")) == (409, "not-over")
        assert error_of(along(guest.only(0), 0, "Pnw")) == (409, "conditional-own-turn")
        guest.play("Pnw")
        assert error_of(along(guest.only(1), 0, "Pnw")) == (409, "not-over")
        chance = server.create_match(game="passtally", seats=HOT_SEAT)
        ply = len(chance.snapshot()["log"])
        assert error_of(along(chance.only(1), ply)) == (422, "conditional-chance")

    def test_a_touch_is_explained_there_as_in_play(self, server: LiveServer) -> None:
        guest = server.create_match(seats=HOT_SEAT)

        def ask(asker: Player, what: str, **asked: Any) -> httpx.Response:
            params: dict[str, Any] = {
                "seq": 0,
                "token": "Pne",
                "touched": "1,0",
                "ply": 0,
                "line": RED,
            } | asked
            url = f"{guest.url}/{what}"
            return server.http.get(url, params=params, headers=asker.headers)

        blue = guest.only(1)
        answer = ask(blue, "explain").json()
        assert answer == {"refusal": {"text": {"key": "illegal.no-chip"}, "clause": "8"}}
        assert ask(blue, "explain", line=[]).json()["refusal"]["clause"] == "7"
        assert ask(blue, "prospect").json() == {"pieces": [], "lines": [], "texts": []}
        assert ask(blue, "prospect", line=[], token="Pnw").status_code == 200
        assert error_of(ask(blue, "prospect", token="nonsense")) == (422, "illegal")
        assert error_of(ask(blue, "prospect", seq=1)) == (409, "stale")
        for what in ("explain", "prospect"):
            assert error_of(ask(guest.spectator(), what)) == (409, "not-over")
            assert error_of(ask(guest.only(0), what)) == (409, "conditional-own-turn")
            assert error_of(ask(blue, what, line=["nonsense"])) == (422, "illegal")
            assert error_of(ask(blue, what, line=["Pnw"] * 65)) == (422, "invalid")

    def test_only_what_can_be_played(self, server: LiveServer) -> None:
        blue = server.create_match(seats=HOT_SEAT).only(1)
        assert error_of(along(blue, 0, "Pnw", "nonsense")) == (422, "illegal")
        assert error_of(along(blue, 0, *["Pnw"] * 65)) == (422, "invalid")
        guest = blue.server.create_match(seats=HOT_SEAT)
        guest.play(*[token for turn in SHORTEST for token in turn][:-1])
        won = along(guest.only(1 - guest.snapshot()["acting"]), 6, SHORTEST[-1][-1]).json()
        assert (won["status"], won["result"]["winners"]) == ("over", [0])
        there = along(guest.only(1 - guest.snapshot()["acting"]), 6, SHORTEST[-1][-1], "Pnw")
        assert error_of(there) == (422, "illegal")
