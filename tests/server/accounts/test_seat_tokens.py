"""Seat tokens: the first player to open a link takes its seat, and keeps it."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.databases import rows
from tests.server.live_server import ENGINE, PERSON, Json, LiveServer, Player, error_of, serve

LINK = {"kind": "link"}


def fresh() -> str:
    return secrets.token_urlsafe(32)


def offer(
    server: LiveServer, *, seats: list[Any] | None = None, **more: Any
) -> tuple[Player, list[str]]:
    """A match with seats by link: who made it, and the invitations."""
    seats = seats or [PERSON, LINK]
    wanted = {"game": "potlatch", "seats": seats, "confirm": False} | more
    answer = server.http.post("/api/matches", json=wanted)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    tokens = [token for token in made["tokens"] if token]
    invitations = [invitation for invitation in made["invitations"] if invitation]
    assert [seat["kind"] for seat in seats] == [
        "person" if token else "link" if invitation else "engine"
        for token, invitation in zip(made["tokens"], made["invitations"], strict=True)
    ]
    return Player(server, made["match"], tokens), invitations


def take(guest: Player, invitation: str | None, token: str | None = None, **more: Any) -> Any:
    """Take a seat as another player."""
    wanted = {"token": token or fresh(), "invitation": invitation} | more
    return guest.server.http.post(f"{guest.url}/seats", json=wanted)


def seated(answer: httpx.Response) -> int:
    assert answer.status_code == 200, answer.text
    seat: int = answer.json()["seat"]
    return seat


def test_opening_the_link_takes_the_seat(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    assert creator.snapshot()["seats"][1]["open"]
    token = fresh()
    assert seated(take(creator, invitation, token, name="  Aki \u202e\n from Kyoto ")) == 1
    friend = Player(server, creator.match, [token])
    seats = friend.snapshot()["seats"]
    assert [seat["yours"] for seat in seats] == [False, True]
    assert seats[1]["name"] == "Aki from Kyoto"
    assert not seats[1].get("open")
    creator.play("Pnw", "Pw")
    friend.play("Pne", "Pe")
    assert error_of(creator.request("play", seat=1, seq=4, token="Pse")) == (403, "not-your-seat")


def test_the_match_may_be_played_before_the_other_comes(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    creator.play("Pnw", "Pw")
    now = creator.snapshot()
    assert (now["acting"], now["seats"][1]["open"]) == (1, True)
    token = fresh()
    seated(take(creator, invitation, token))
    assert Player(server, creator.match, [token]).play("Pne", "Pe")["acting"] == 0


def test_a_link_is_valid_once(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    seated(take(creator, invitation))
    late = take(creator, invitation)
    assert error_of(late) == (409, "seat-taken")
    assert "watch" in late.json()["message"]
    assert creator.spectator().snapshot()["seats"][1].get("open") is None


def test_claiming_again_after_a_lost_answer_keeps_the_seat(
    server: LiveServer,
) -> None:
    creator, [invitation] = offer(server)
    token = fresh()
    assert [seated(take(creator, invitation, token, name=name)) for name in ("A", "B")] == [1, 1]
    assert creator.snapshot()["seats"][1]["name"] == "A"


def test_of_many_who_open_a_link_at_once_one_gets_the_seat(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: take(creator, invitation), range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7


@pytest.mark.parametrize("invitation", ["", "x" * 22, "Ω" * 22, "x" * 100])
def test_a_link_that_was_made_up_leads_nowhere(server: LiveServer, invitation: str) -> None:
    creator, _ = offer(server)
    assert error_of(take(creator, invitation)) == (401, "unknown-invitation")
    assert creator.snapshot()["seats"][1]["open"]


def test_a_link_leads_to_its_own_seat_of_its_own_match(server: LiveServer) -> None:
    creator, invitations = offer(
        server, game="passtally", seats=[LINK, PERSON, LINK], options={"players": 3}
    )
    assert seated(take(creator, invitations[1])) == 2
    other, [foreign] = offer(server)
    assert error_of(take(creator, foreign)) == (401, "unknown-invitation")
    assert other.snapshot()["seats"][1]["open"]
    assert [seat.get("open", False) for seat in creator.snapshot()["seats"]] == [True, False, False]


def test_one_secret_holds_one_seat(server: LiveServer) -> None:
    creator, invitations = offer(server, seats=[LINK, LINK])
    token = fresh()
    seated(take(creator, invitations[0], token))
    assert error_of(take(creator, invitations[1], token)) == (409, "reused-token")
    assert error_of(take(creator, invitations[0], fresh())) == (409, "seat-taken")


@pytest.mark.parametrize("token", ["", "short", "x" * 42, "x" * 44, "ä" * 43, "x" * 42 + "."])
def test_a_secret_that_is_none_is_refused(server: LiveServer, token: str) -> None:
    creator, [invitation] = offer(server)
    answer = server.http.post(
        f"{creator.url}/seats", json={"token": token, "invitation": invitation}
    )
    assert error_of(answer) == (422, "invalid")
    assert creator.snapshot()["seats"][1]["open"]


def test_a_match_that_is_over_has_no_seats_to_take(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    creator.do("resign")
    assert error_of(take(creator, invitation)) == (409, "over")


def test_viewers_see_who_joins(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    with creator.connect() as chair, creator.spectator().connect() as watcher:
        for seat in (chair, watcher):
            assert seat.receive_until("snapshot")["snapshot"]["seats"][1]["open"]
        seated(take(creator, invitation, name="Aki"))
        for seat in (chair, watcher):
            now: Json = seat.receive_until("snapshot")["snapshot"]
            assert (now["seats"][1]["name"], now["seq"]) == ("Aki", 0)


def test_a_command_sent_while_a_player_joined_counts(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    with creator.connect() as chair:
        seq = chair.receive_until("snapshot")["snapshot"]["seq"]
        seated(take(creator, invitation))
        chair.send(type="command", id="1", seq=seq, seat=0, do="play", token="Pnw")
        assert chair.receive_until("done")["seq"] == 1


def test_the_clock_starts_when_everybody_is_there(server: LiveServer) -> None:
    creator, [invitation] = offer(server, time={"kind": "turn", "seconds": 60})
    with creator.connect() as chair:
        waiting = chair.receive_until("snapshot")["snapshot"]["clock"]
        assert waiting == {
            "time": {"kind": "turn", "seconds": 60},
            "remaining": [60.0, None],
            "running": None,
        }
        assert creator.snapshot()["clock"] == waiting
        seated(take(creator, invitation))
        assert chair.receive_until("snapshot")["snapshot"]["clock"]["remaining"][0] <= 60
        first = creator.snapshot()["clock"]["remaining"][0]
        assert creator.snapshot()["clock"]["remaining"][0] < first < 60


def test_seats_and_links_outlive_the_server(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        creator, invitations = offer(server, seats=[LINK, LINK])
        token = fresh()
        seated(take(creator, invitations[0], token, name="Aki"))
    with serve(tmp_path) as server:
        again = Player(server, creator.match, [token])
        assert [seat["name"] for seat in again.snapshot()["seats"]] == ["Aki", ""]
        assert error_of(take(again, invitations[0])) == (409, "seat-taken")
        assert seated(take(again, invitations[1])) == 1


def test_no_secret_is_stored_or_sent(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        creator, invitations = offer(server, seats=[PERSON, LINK])
        token = fresh()
        seated(take(creator, invitations[0], token))
        told = creator.spectator().snapshot()
        stored = str(rows(server.database, "SELECT * FROM seats"))
    for secret in (token, *invitations, *creator.tokens):
        assert secret not in stored
        assert secret not in str(told)
    assert "hash" not in str(told)


def test_a_match_has_a_summary(server: LiveServer) -> None:
    creator, [invitation] = offer(server)
    url = f"{creator.url}/standing"
    first: Json = server.http.get(url, headers=creator.headers).json()
    assert (first["game"], first["status"], first["acting"], first["winners"]) == (
        "potlatch",
        "playing",
        0,
        None,
    )
    assert [seat["yours"] for seat in first["seats"]] == [True, False]
    creator.play("Pnw")
    second: Json = server.http.get(url).json()
    assert second["since"] >= first["since"]
    assert second["seq"] == 1
    seated(take(creator, invitation))
    creator.do("resign", seat=0)
    assert server.http.get(url).json()["winners"] == [1]
    wrong = server.http.get(url, headers={"authorization": "Bearer nonsense"})
    assert error_of(wrong) == (401, "unknown-token")
    assert error_of(server.http.get("/api/matches/none/standing")) == (404, "unknown-match")


def test_engines_play_on_beside_an_empty_seat(server: LiveServer) -> None:
    creator, _ = offer(
        server, game="passtally", seats=[ENGINE, LINK, PERSON], options={"players": 3}
    )
    with creator.connect() as chair:
        # The engine may have had its turn before.
        seen = chair.receive_until("snapshot")["snapshot"]
        while seen["acting"] == 0:
            seen = chair.receive_until("update")["snapshot"]
        assert creator.snapshot()["acting"] == 1


def test_no_request_waits_for_an_open_seat(server: LiveServer) -> None:
    creator, [invitation] = offer(server, confirm=True)
    creator.play("Pnw", "Pw")
    creator.do("confirm")
    assert creator.snapshot()["can"]["undo"]
    assert creator.do("undo", seat=0)["log"][-1:] == creator.snapshot()["log"][-1:]
    assert len(creator.snapshot()["log"]) == 1
    creator.play("Pw")
    creator.do("confirm")
    seated(take(creator, invitation))
    assert error_of(creator.request("undo", seat=0)) == (409, "ask-for-undo")


def test_a_request_is_granted_by_those_who_are_there(server: LiveServer) -> None:
    creator, _ = offer(server, time={"kind": "main", "seconds": 600, "increment": 0})
    assert creator.do("ask", token="pause", seat=0)["paused"]
