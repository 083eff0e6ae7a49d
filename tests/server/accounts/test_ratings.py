"""Rated matches: who may play them, that each counts once, and that the numbers follow."""

from __future__ import annotations

import signal
import uuid
from pathlib import Path
from typing import Any

import pytest

from tavola import ratings
from tavola.server.accounts.ratings import average_by_player, rating_periods
from tavola.server.storage.database import Database
from tests.server.databases import of_json, rows
from tests.server.live.test_account_matches import LEVEL, LINK, join
from tests.server.live_server import ENGINE, PERSON, Json, LiveServer, Player, error_of
from tests.server.players import PASSWORD, AccountPlayer, signed_out_player, signed_up_player
from tests.server.server_process import process


def rated(ada: AccountPlayer, bob: AccountPlayer) -> str:
    """A rated match of two accounts."""
    made = ada.begin(seats=[PERSON, LINK], rated=True)
    assert join(bob, made).status_code == 200
    match: str = made["match"]
    return match


def ranking(server: LiveServer, game: str = "potlatch") -> Json:
    listed: Json = server.http.get(f"/api/games/{game}/ratings").json()
    return listed


def opened(match: str, *members: AccountPlayer) -> str:
    """Return the match after every seat has had a turn: from then on it counts."""
    while "abort" in members[0].snapshot(match)["can"]["ask"]:
        for one in members:
            now = one.snapshot(match)
            if now["can"]["confirm"]:
                one.do(match, "confirm")
            elif now["view"]["actions"]:
                one.do(match, "play", now["view"]["actions"][0]["token"])
    return match


def of(server: LiveServer, name: str) -> Json:
    return next(one for one in ranking(server)["two"] if one.get("name") == name)


def test_a_rated_match_moves_both(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = rated(ada, bob)
        assert ada.snapshot(match)["rated"] is True
        assert ada.matches()[0]["rated"] is True
        ada.do(match, "play", "Pnw")
        opened(match, ada, bob)
        before = {line.get("name") for line in ranking(server)["two"]}
        assert not before & {ada.name, bob.name}
        proof = f"/api/matches/{match}/proof"
        assert error_of(server.http.get(proof)) == (409, "rated-proofs")
        assert error_of(server.http.get(f"/api/matches/{match}/hint")) == (409, "no-hints")
        bob.do(match, "resign")
        assert server.http.get(proof).status_code == 200
        won, lost = of(server, ada.name), of(server, bob.name)
        assert (won["matches"], lost["matches"]) == (1, 1)
        assert round(won["rating"]), round(lost["rating"]) == (1662, 1338)
        assert won["established"] is False
        me = ada.me()
        assert me is not None
        assert me["ratings"] == [
            {"game": "potlatch", "field": "two", "rating": won["rating"]}
            | {"deviation": won["deviation"], "matches": 1}
        ]
        told = server.http.get(f"/api/matches/{match}/ratings").json()["changes"]
        assert told == [
            {"seat": 0, "before": 1500, "after": won["rating"]},
            {"seat": 1, "before": 1500, "after": lost["rating"]},
        ]
        lines = ada.http.get("/api/games/potlatch/ratings").json()["two"]
        assert [line["name"] for line in lines if line.get("yours")] == [ada.name]


def seat_ratings(player: AccountPlayer, match: str) -> list[tuple[int | None, bool]]:
    seats = player.snapshot(match)["seats"]
    return [(seat.get("rating"), seat.get("provisional", False)) for seat in seats]


def test_a_seat_shows_its_accounts_rating(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        assert seat_ratings(ada, made["match"]) == [(1500, True), (None, False)]
        assert join(bob, made).status_code == 200
        assert seat_ratings(ada, made["match"]) == [(1500, True)] * 2
        match = opened(rated(ada, bob), ada, bob)
        bob.do(match, "resign")
        again = ada.begin(seats=[PERSON, {"kind": "engine", "level": 1}])["match"]
        won = round(of(server, ada.name)["rating"])
        assert seat_ratings(ada, again) == [(won, True), (None, False)]
        # An engine level has a rating where it counts.
        counted = ada.begin(seats=[PERSON, LEVEL], rated=True)["match"]
        assert seat_ratings(ada, counted) == [(won, True), (1500, True)]
        # Another game has ratings of its own.
        other = ada.begin(game="proteus", seats=[PERSON, LINK])["match"]
        assert seat_ratings(ada, other)[0] == (1500, True)


def test_levels_stand_in_the_same_list(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = opened(ada.begin(seats=[LEVEL, PERSON], rated=True)["match"], ada)
        ada.do(match, "resign")
        levels = [line for line in ranking(server)["two"] if line.get("level") == 1]
        assert [line["matches"] for line in levels] == [1]
        assert "name" not in levels[0]


def test_a_match_that_is_not_rated_counts_for_nothing(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LEVEL])["match"]
        ada.do(match, "resign")
        assert server.http.get(f"/api/matches/{match}/ratings").json() == {"changes": []}
        me = ada.me()
        assert me is not None
        assert me["ratings"] == []


@pytest.mark.parametrize(
    "seats", [[PERSON, PERSON], [PERSON, ENGINE], [LEVEL, LEVEL], [ENGINE, LINK]]
)
def test_who_cannot_be_rated(server: LiveServer, seats: list[Any]) -> None:
    wanted = {"game": "potlatch", "seats": seats, "rated": True}
    with signed_up_player(server) as ada:
        assert error_of(ada.http.post("/api/matches", json=wanted)) == (422, "rated-seats")
    assert error_of(server.http.post("/api/matches", json=wanted)) == (401, "signed-out")


def test_with_different_times_a_match_is_not_rated(server: LiveServer) -> None:
    odds = {"kind": "main", "seconds": 60, "odds": [60, 30]}
    wanted = {"game": "potlatch", "seats": [PERSON, LINK], "rated": True, "time": odds}
    with signed_up_player(server) as ada:
        assert error_of(ada.http.post("/api/matches", json=wanted)) == (422, "rated-odds")


def test_who_is_not_signed_in_cannot_come(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_out_player(server, "nobody") as nobody:
        made = ada.begin(seats=[PERSON, LINK], rated=True)
        assert error_of(join(nobody, made)) == (401, "signed-out")
        assert error_of(join(ada, made)) == (409, "seated-already")
        with signed_up_player(server) as bob:
            assert join(bob, made).status_code == 200


def test_a_rated_match_undoes_only_the_own_unconfirmed_turn(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LEVEL], rated=True, confirm=True)["match"]
        ada.do(match, "play", "Pnw")
        ada.do(match, "undo")
        ada.do(match, "play", "Pnw")
        ada.do(match, "play", "Pw")
        ada.do(match, "confirm")
        assert ada.snapshot(match)["can"]["undo"] is False
        assert error_of(ada.ask(match, "undo")) in ((409, "rated-undo"), (409, "stale"))


def test_a_match_whose_account_is_gone_does_not_count(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = rated(ada, bob)
        bob.do(match, "play", "Pnw") if ada.snapshot(match)["acting"] == 1 else None
        bob.http.post("/api/account/delete", json={"password": PASSWORD})
        ada.do(match, "resign")
        assert server.http.get(f"/api/matches/{match}/ratings").json() == {"changes": []}


def test_a_rematch_with_a_deleted_account_is_not_rated(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK], rated=True)
        match, token = made["match"], "t" * 43
        taking = {"invitation": made["invitations"][1], "token": token}
        bob.http.post(f"/api/matches/{match}/seats", json=taking)
        bob.do(opened(match, ada, bob), "resign")
        assert bob.http.post("/api/account/delete", json={"password": PASSWORD}).status_code == 204
        ada.do(match, "ask", "rematch")
        again = Player(server, match, [token]).do("accept", seat=1)["next"]
        assert [ada.snapshot(one)["rated"] for one in (match, again)] == [True, False]


def test_a_deleted_account_is_off_the_list_and_the_others_stay(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        bob.do(opened(rated(ada, bob), ada, bob), "resign")
        won = of(server, ada.name)
        bob.http.post("/api/account/delete", json={"password": PASSWORD})
        assert bob.name not in {line.get("name") for line in ranking(server)["two"]}
        assert all("name" in line or "level" in line for line in ranking(server)["two"])
        assert of(server, ada.name) == won


def test_a_game_that_is_not_there(server: LiveServer) -> None:
    assert error_of(server.http.get("/api/games/chess/ratings")) == (404, "unknown-game")
    assert error_of(server.http.get("/api/matches/nope/ratings")) == (404, "unknown-match")


def test_what_cannot_be_stored_is_not_counted(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a match and its rating are one: both or neither, and once."""
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = opened(rated(ada, bob), ada, bob)
        seq = bob.snapshot(match)["seq"]
        command = {"id": str(uuid.uuid4()), "seq": seq, "seat": 1, "do": "resign"}
        path = f"/api/matches/{match}/commands"
        append = Database.append
        with monkeypatch.context() as broken:

            async def fail(self: Database, *given: Any, extra: Any, **more: Any) -> None:
                def failing(connection: Any) -> None:
                    raise OSError("disk full")

                await append(self, *given, extra=[*extra, failing], **more)

            broken.setattr(Database, "append", fail)
            assert error_of(bob.http.post(path, json=command)) == (503, "storage")
        assert server.http.get(f"/api/matches/{match}/ratings").json() == {"changes": []}
        assert bob.snapshot(match)["status"] == "playing"
        with monkeypatch.context() as broken:

            async def store_and_fail(self: Database, *given: Any, **more: Any) -> None:
                await append(self, *given, **more)
                raise OSError("the answer was lost")

            broken.setattr(Database, "append", store_and_fail)
            assert error_of(bob.http.post(path, json=command)) == (503, "storage")
        assert bob.http.post(path, json=command).status_code == 200
        assert of(server, bob.name)["matches"] == 1


@pytest.mark.long
def test_a_server_that_is_killed_has_counted_what_it_answered(tmp_path: Path) -> None:
    file = tmp_path / "tavola.db"
    with process(file) as first:
        with signed_up_player(first.server, "Ada") as ada:
            match = opened(ada.begin(seats=[PERSON, LEVEL], rated=True)["match"], ada)
            ada.do(match, "resign")
            cookie = ada.http.cookies["tavola-session"]
        first.kill()
    with process(file) as second:
        with signed_out_player(second.server, "Ada") as ada:
            ada.http.cookies.set("tavola-session", cookie)
            me = ada.me()
            assert me is not None
            assert [one["matches"] for one in me["ratings"]] == [1]
            assert ada.matches()[0]["status"] == "over"
        assert second.stop() in (0, 130, -signal.SIGINT)


@pytest.mark.long
def test_rated_again_from_the_matches_the_numbers_are_the_same(server: LiveServer) -> None:
    """The lists follow from the results in their order, and the results from the matches."""
    with (
        signed_up_player(server) as ada,
        signed_up_player(server) as bob,
        signed_up_player(server) as eve,
    ):
        for one, other, loser in [
            (ada, bob, bob),
            (bob, eve, eve),
            (eve, ada, ada),
            (ada, bob, bob),
            (ada, eve, ada),
        ]:
            loser.do(opened(rated(one, other), one, other), "resign")
        for _ in range(2):
            match = bob.begin(seats=[PERSON, LEVEL], rated=True)["match"]
            bob.do(opened(match, bob), "resign")
        for seats in ([PERSON, LEVEL, LEVEL], [PERSON, LEVEL, LEVEL | {"level": 2}]):
            wanted = {"game": "montana", "seats": seats, "options": {"players": 3}}
            eve.do(opened(eve.begin(rated=True, **wanted)["match"], eve), "resign")

    results = rows(server.database, "SELECT match, game, at, seats FROM results ORDER BY number")
    found = {
        row[:3]: row[3:]
        for row in rows(
            server.database,
            "SELECT game, field, player, rating, deviation, volatility, matches, at FROM ratings",
        )
    }
    gone = {
        player for *_, stored in results for player in (seat["player"] for seat in of_json(stored))
    } - {row[2] for row in found}
    again: dict[tuple[str, str, str], tuple[ratings.Rating, int, str]] = {}
    for match, game, at, stored in results:
        seats = of_json(stored)
        record = server.http.get(f"/api/matches/{match}/record").text
        returns = " ".join(f"{seat['returns']:g}" for seat in seats)
        assert f'[Result "{returns}"]' in record
        players = [seat["player"] for seat in seats]
        field = "two" if len(seats) == 2 else "several"
        known = [again.get((game, field, player)) for player in players]
        after = ratings.rate(
            [one[0] if one else ratings.start(len(seats)) for one in known],
            [seat["returns"] for seat in seats],
            [rating_periods(one[2], at) if one else 0.0 for one in known],
        )
        assert [seat["after"] for seat in seats] == [rating.value for rating in after]
        for player, rating in average_by_player(players, after).items():
            _, count, _ = again.get((game, field, player), (None, 0, ""))
            again[game, field, player] = (rating, count + 1, at)
    assert len(again) >= 7
    expected = {
        key: (rating.value, rating.deviation, rating.volatility, count, at)
        for key, (rating, count, at) in again.items()
        if key[2] not in gone
    }
    assert found == expected


def test_a_match_that_is_called_off_does_not_count(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = rated(ada, bob)
        assert ada.do(match, "ask", "abort")["result"]["reason"] == "aborted"
        assert server.http.get(f"/api/matches/{match}/ratings").json() == {"changes": []}


def test_who_resigns_before_both_have_had_a_turn_has_not_lost(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = rated(ada, bob)
        ada.do(match, "play", "Pnw")
        ada.do(match, "play", "Pw")
        command = {"id": "gone", "seq": bob.snapshot(match)["seq"], "seat": 1, "do": "resign"}
        for _ in range(2):  # the second time, as its answer was lost
            answer = bob.http.post(f"/api/matches/{match}/commands", json=command)
            assert answer.status_code == 200
            assert answer.json()["snapshot"]["result"]["reason"] == "aborted"
        assert server.http.get(f"/api/matches/{match}/ratings").json() == {"changes": []}


def test_a_rated_match_allows_no_undo_request(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = rated(ada, bob)
        ada.do(match, "play", "Pnw")
        ada.do(match, "play", "Pw")
        bob.do(match, "play", "Pne")
        assert error_of(ada.ask(match, "ask", "undo")) == (409, "cannot-ask")


def test_a_rematch_counts_too(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = opened(rated(ada, bob), ada, bob)
        bob.do(match, "resign")
        ada.do(match, "ask", "rematch")
        following = bob.do(match, "accept")["next"]
        there = bob.snapshot(following)
        assert (there["rated"], bob.seat(there)) == (True, 0)
        assert {one["match"] for one in ada.matches()} == {following, match}
        bob.do(opened(following, ada, bob), "resign")
        assert of(server, ada.name)["matches"] == 2
