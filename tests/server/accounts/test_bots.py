"""Bot accounts: one way, before the first game, with a mark and without a place in rankings."""

from __future__ import annotations

import secrets

from tests.server.live_server import ENGINE, PERSON, LiveServer, error_of
from tests.server.players import AccountPlayer, signed_up_player


def become_bot(player: AccountPlayer) -> None:
    answer = player.http.post("/api/account/bot")
    assert answer.status_code == 204, answer.text


def test_an_account_without_games_becomes_a_bot(server: LiveServer) -> None:
    with signed_up_player(server) as robot:
        me = robot.me()
        assert me is not None
        assert me["bot"] is False
        become_bot(robot)
        become_bot(robot)
        me = robot.me()
        assert me is not None
        assert me["bot"] is True
        match = robot.begin(seats=[PERSON, ENGINE])["match"]
        first, second = robot.snapshot(match)["seats"]
        assert first["bot"] is True
        assert "bot" not in second
        assert robot.matches()[0]["seats"][0]["bot"] is True


def test_an_account_with_a_game_stays_a_persons(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        ada.begin(seats=[PERSON, ENGINE])
        assert error_of(ada.http.post("/api/account/bot")) == (409, "bot-too-late")


def test_bots_have_ratings_but_no_rank(server: LiveServer) -> None:
    with signed_up_player(server) as robot, signed_up_player(server) as ada:
        become_bot(robot)
        made = robot.begin(seats=[PERSON, {"kind": "link"}], rated=True)
        told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
        assert ada.http.post(f"/api/matches/{made['match']}/seats", json=told).is_success
        assert robot.snapshot(made["match"])["seats"][0]["bot"] is True
        for who, token in ((robot, "Pnw"), (robot, "Pw"), (ada, "Pne"), (ada, "Pnw")):
            who.do(made["match"], "play", token)
        ada.do(made["match"], "resign")
        me = robot.me()
        assert me is not None
        assert me["ratings"][0]["matches"] == 1
        names = [
            row.get("name") for row in ada.http.get("/api/games/potlatch/ratings").json()["two"]
        ]
        assert ada.name in names
        assert robot.name not in names


def test_bots_offer_games_but_take_none_from_the_lobby_and_enter_no_tournament(
    server: LiveServer,
) -> None:
    with signed_up_player(server) as robot, signed_up_player(server) as ada:
        become_bot(robot)
        seats = [PERSON, {"kind": "link"}]
        offered = ada.begin(seats=seats, lobby=True)["match"]
        told = {"token": secrets.token_urlsafe(32)}
        answer = robot.http.post(f"/api/matches/{offered}/seats", json=told)
        assert error_of(answer) == (403, "bot-forbidden")
        own = robot.begin(seats=seats, lobby=True)["match"]
        listed = {one["match"]: one for one in ada.http.get("/api/lobby").json()}
        assert listed[own]["seats"][0]["bot"] is True
        assert ada.http.post(f"/api/matches/{own}/seats", json=told).is_success
        settings = {"name": "Evening", "game": "potlatch", "format": "swiss"}
        evening = ada.http.post("/api/tournaments", json={"settings": settings}).json()
        path = f"/api/tournaments/{evening['tournament']}/actions"
        answer = robot.http.post(path, json={"do": "join"})
        assert error_of(answer) == (403, "bot-forbidden")
        for match in (own, offered):
            ada.http.delete(f"/api/lobby/{match}")
