"""Acts of the host and of moderators: a running server takes them up within seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tavola.server.accounts.speech import SpeechRules, parse_words
from tavola.server.errors import RequestError
from tavola.server.moderation import account_acts, announcements, bans
from tests.server.databases import transaction
from tests.server.live_server import (
    PERSON,
    LiveServer,
    Player,
    SocketClient,
    error_of,
    serve,
    wait_until,
)
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

LINK = {"kind": "link"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with serve(tmp_path_factory.mktemp("server"), words=("darn", "馬鹿")) as running:
        yield running


def do(server: LiveServer, act: Callable[[sa.Connection], object]) -> None:
    """Do an act of the host in the database, as another process."""
    with transaction(server.database) as connection:
        act(connection)


def moderator(server: LiveServer, player: AccountPlayer) -> None:
    do(server, lambda one: account_acts.set_role(one, player.name, "moderator", given=True))


def code_of_say(player: AccountPlayer, match: str, text: str) -> str | None:
    """Say something at seat 0; return the code of the rejection."""
    token = {"cookie": f"tavola-session={player.http.cookies['tavola-session']}"}
    seat = Player(player.server, match, [])
    with seat.open_socket(additional_headers=token) as opened:
        chair = SocketClient(opened)
        chair.send(type="hello", tokens=[])
        chair.receive_until("snapshot")
        chair.send(type="say", seat=0, text=text)
        # The lines before come first, all of them.
        while (message := chair.receive())["type"] not in ("refused", "chat") or message.get(
            "whole"
        ):
            pass
        if message["type"] == "chat":
            return None
        code: str = message["error"]["code"]
        return code


@pytest.mark.long
def test_a_banned_address_reaches_nothing(server: LiveServer) -> None:
    guest = server.from_client("192.0.2.7")
    game = guest.create_match()
    with game.connect() as chair:
        chair.receive_until("snapshot")
        do(server, lambda one: bans.ban(one, "192.0.2.0/24", hours=None, reason="spam"))
        with pytest.raises(ConnectionClosed) as closed:
            chair.receive_until("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4403
    assert error_of(guest.http.get("/api/games")) == (403, "banned")
    assert server.from_client("198.51.100.1").http.get("/api/games").is_success
    do(server, lambda one: bans.unban(one, "192.0.2.0/24"))
    wait_until(lambda: guest.http.get("/api/games").is_success)


@pytest.mark.parametrize("address", ["", "Ada", "0.0.0.0/0", "::/0", "192.0.2.1/x"])
def test_what_is_no_small_network_is_not_banned(address: str) -> None:
    with pytest.raises(RequestError, match="not-an-address"):
        bans.parse_network(address)


def test_a_disabled_account_plays_nothing_until_it_is_restored(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LINK], lobby=True)["match"]
        do(server, lambda one: account_acts.disable(one, ada.name))
        wait_until(lambda: ada.me() is None)
        assert error_of(ada.sign_in()) == (403, "account-disabled")
        assert match not in [one["match"] for one in server.http.get("/api/lobby").json()]
        assert code_of_say(ada, match, "hi") == "not-your-seat"
        do(server, lambda one: account_acts.restore(one, ada.name))
        assert ada.sign_in().is_success


def test_the_secret_of_a_seat_is_no_way_around(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        made = ada.begin(seats=[PERSON, PERSON])
        bearer = {"authorization": f"Bearer {made['tokens'][0]}"}

        def is_held() -> bool:
            seen = server.http.get(f"/api/matches/{made['match']}", headers=bearer).json()
            return bool(seen["seats"][0]["yours"])

        assert is_held()
        do(server, lambda one: account_acts.disable(one, ada.name))
        wait_until(lambda: not is_held())


def test_a_new_name_is_shown_everywhere(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LINK])["match"]
        do(server, lambda one: account_acts.rename(one, ada.name, "Countess"))
        wait_until(lambda: ada.snapshot(match)["seats"][0]["name"] == "Countess")
        with pytest.raises(RequestError, match="unknown-account"):
            do(server, lambda one: account_acts.restore(one, ada.name))
        ada.name = "COUNTESS"
        assert ada.sign_in().is_success
        with signed_up_player(server) as bob, pytest.raises(RequestError, match="name-taken"):
            do(server, lambda one: account_acts.rename(one, bob.name, "countess"))


def test_an_erased_account_leaves_its_open_games(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LINK])["match"]
        do(server, lambda one: account_acts.erase(one, ada.name))
        wait_until(lambda: ada.snapshot(match)["seats"][0].get("deleted", False))
        assert error_of(ada.sign_in()) == (401, "wrong-sign-in")


def test_the_link_of_the_host_sets_a_password_once(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        links: list[str] = []
        do(server, lambda one: links.append(account_acts.password_link(one, ada.name)))
        body = {"link": links[0], "password": "another horse"}
        path = "/api/account/recovery/password"
        assert httpx.post(f"{server.address}{path}", json=body).is_success
        assert httpx.post(f"{server.address}{path}", json=body).json()["code"] == "link-invalid"
        assert ada.sign_in("another horse").is_success
        assert error_of(ada.sign_in(PASSWORD)) == (401, "wrong-sign-in")


@pytest.mark.long
def test_the_announcement_reaches_all(server: LiveServer) -> None:
    def shown() -> object:
        return server.http.get("/api/account").json().get("announcement")

    texts = {"en": "  Closed\non Sunday ", "ja": "日曜日は休みです"}
    do(server, lambda one: announcements.announce(one, texts))
    wait_until(lambda: shown() == {"en": "Closed on Sunday", "ja": "日曜日は休みです"})
    do(server, lambda one: announcements.end(one))
    wait_until(lambda: shown() is None)
    for wrong in ({}, {"en": " "}, {"en": "x" * 301}):
        with pytest.raises(RequestError):
            do(server, lambda one, wrong=wrong: announcements.announce(one, wrong))  # type: ignore[misc]


@pytest.mark.long
def test_an_announcement_reaches_open_pages(server: LiveServer) -> None:
    address = server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/notifications/socket", compression=None) as opened:
        page = SocketClient(opened)
        page.send(tokens=["x" * 43])
        assert "announcement" not in page.receive_any()
        do(server, lambda one: announcements.announce(one, {"en": "Back at six"}))
        assert page.receive_any()["announcement"] == {"en": "Back at six"}
        do(server, lambda one: announcements.end(one))
        assert "announcement" not in page.receive_any()


def test_a_moderator_sees_reports_and_nobody_else_does(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as judge:
        game = server.create_match()
        with game.connect() as chair:
            for text in ("hello", "rude", "really"):
                chair.send(type="say", seat=0, text=text)
                line = chair.receive_until("chat")["lines"][0]["id"]
            chair.send(type="report", seat=1, line=line - 1)
            chair.receive_until("reported")
            path, line = "/api/moderation/reports", line - 1
            assert error_of(server.http.get(path)) == (401, "signed-out")
            assert error_of(ada.http.get(path)) == (403, "not-moderator")
            moderator(server, judge)
            assert judge.me()["roles"] == ["moderator"]  # type: ignore[index]
            (report,) = judge.http.get(path).json()["reports"]
            assert (report["line"], report["match"], report["account"]) == (line, game.match, False)
            assert [one["text"] for one in report["lines"]] == ["hello", "rude", "really"]
            acts = f"/api/moderation/lines/{line}"
            assert error_of(ada.http.post(acts, json={"do": "close"})) == (403, "not-moderator")
            assert judge.http.post(acts, json={"do": "mute", "hours": 1}).status_code == 204
            chair.send(type="say", seat=0, text="again")
            assert chair.receive_until("refused")["error"]["code"] == "muted"
            chair.send(type="say", seat=1, text="at last")
            chair.receive_until("chat")
            assert judge.http.get(path).json()["reports"][0]["muted"] is not None
            assert judge.http.post(acts, json={"do": "close"}).status_code == 204
            assert judge.http.get(path).json() == {"reports": [], "more": None}
            assert judge.http.post(acts, json={"do": "delete"}).status_code == 204
            told = chair.receive_until("chat")
            assert told["whole"]
            assert [one["text"] for one in told["lines"]] == ["hello", "really", "at last"]
            assert error_of(judge.http.post(acts, json={"do": "delete"})) == (404, "unknown-line")
        acted = [one["act"] for one in judge.http.get("/api/account/export").json()["moderation"]]
        assert acted == ["moderator", "mute", "close-report", "delete-line"]


def test_an_act_is_about_one_line_forever(server: LiveServer) -> None:
    """A moderator's page may be older than the deletion of its line."""
    with signed_up_player(server) as judge, server.create_match().connect() as chair:
        moderator(server, judge)
        chair.send(type="say", seat=0, text="rude")
        deleted = chair.receive_until("chat")["lines"][0]["id"]
        acts = f"/api/moderation/lines/{deleted}"
        assert judge.http.post(acts, json={"do": "delete"}).status_code == 204
        with server.create_match().connect() as other:
            other.send(type="say", seat=0, text="hello")
            other.receive_until("chat")
            assert error_of(judge.http.post(acts, json={"do": "mute"})) == (404, "unknown-line")


def test_moderators_are_notified_once_until_they_read_it(server: LiveServer) -> None:
    def told(player: AccountPlayer) -> list[str]:
        answer = player.http.get("/api/notifications")
        return [one["kind"] for one in answer.json()["notifications"]]

    with (
        signed_up_player(server) as ada,
        signed_up_player(server) as judge,
        server.create_match().connect() as chair,
    ):
        moderator(server, judge)
        lines = []

        def report() -> None:
            chair.send(type="say", seat=0, text="rude")
            lines.append(chair.receive_until("chat")["lines"][0]["id"])
            chair.send(type="report", seat=1, line=lines[-1])
            chair.receive_until("reported")

        report()
        report()
        assert (told(judge), told(ada)) == (["report"], [])
        assert judge.http.post("/api/notifications/read", json={}).is_success
        assert told(judge) == []
        report()
        assert told(judge) == ["report"]
        while lines:
            path = f"/api/moderation/lines/{lines.pop()}"
            assert judge.http.post(path, json={"do": "close"}).status_code == 204
        assert told(judge) == []


def test_reports_come_in_pages(server: LiveServer) -> None:
    with signed_up_player(server) as judge:
        moderator(server, judge)
        lines = []
        for _ in range(4):
            with server.create_match().connect() as chair:
                for _ in range(6):
                    chair.send(type="say", seat=0, text="rude")
                    lines.append(chair.receive_until("chat")["lines"][0]["id"])
                    chair.send(type="report", seat=1, line=lines[-1])
                    chair.receive_until("reported")
        first = judge.http.get("/api/moderation/reports").json()
        rest = judge.http.get(f"/api/moderation/reports?before={first['more']}").json()
        assert [one["line"] for one in first["reports"] + rest["reports"]] == lines[::-1]
        assert rest["more"] is None


def test_words_and_links_in_the_chat(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=[PERSON, LINK])["match"]
        assert code_of_say(ada, match, "DARN it") == "forbidden-word"
        assert code_of_say(ada, match, "see https://example.org") == "no-links"
        assert code_of_say(ada, match, "see rules.md, e.g. 3.5") is None
        do(server, lambda one: account_acts.mute(one, ada.name, None))
        assert code_of_say(ada, match, "hi") == "muted"
    rude = {"name": "Darn 7", "password": PASSWORD}
    assert error_of(server.http.post("/api/account", json=rude)) == (422, "forbidden-word")
    seats = [{"kind": "person", "name": "馬鹿者"}, PERSON]
    made = server.http.post("/api/matches", json={"game": "potlatch", "seats": seats})
    assert error_of(made) == (422, "forbidden-word")


@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("Darn", True),
        ("ＤＡＲＮ!", True),
        ("da\u200brn", True),
        ("darning", False),
        ("あdarnあ", True),
    ],
)
def test_words_are_found_whole_in_any_form(text: str, forbidden: bool) -> None:
    rules = SpeechRules.of(parse_words("# no\n Darn \n"), 0)
    try:
        rules.check_words(text)
    except RequestError:
        assert forbidden
    else:
        assert not forbidden


def test_a_new_account_offers_few_games(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        for _ in range(3):
            ada.begin(seats=[PERSON, LINK], lobby=True)
        wanted = {"game": "potlatch", "seats": [PERSON, LINK], "lobby": True}
        assert error_of(ada.http.post("/api/matches", json=wanted)) == (429, "too-many-offers")


def test_an_organizer_directs_every_tournament(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        settings = {"name": "Evening", "game": "potlatch", "format": "swiss"}
        made = ada.http.post("/api/tournaments", json={"settings": settings}).json()["tournament"]
        acts, pause = f"/api/tournaments/{made}/actions", {"do": "engine", "level": 1}
        assert error_of(bob.http.post(acts, json=pause)) == (403, "not-organizer")
        do(server, lambda one: account_acts.set_role(one, bob.name, "organizer", given=True))
        assert bob.http.post(acts, json=pause).is_success


@pytest.mark.long
def test_a_restart_keeps_the_bans(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        do(server, lambda one: bans.ban(one, "192.0.2.7", hours=1, reason=""))
    with serve(tmp_path) as server:
        answer = server.from_client("192.0.2.7").http.get("/api/games")
        assert error_of(answer) == (403, "banned")
