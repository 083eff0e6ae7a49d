"""API tokens: scopes, revocation, expiry, and what no token can do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from tavola.server.accounts import api_tokens
from tavola.server.matches.log import format_time
from tests.server.databases import change, dump
from tests.server.live_server import ENGINE, PATIENCE, PERSON, Json, LiveServer, Player, error_of
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

ALL = ["read", "play", "challenge", "tournament"]


def new_token(player: AccountPlayer, scopes: list[str], days: int | None = 30) -> httpx.Response:
    wanted = {"name": "Script", "scopes": scopes, "days": days, "password": PASSWORD}
    return player.http.post("/api/account/tokens", json=wanted)


@contextmanager
def program(server: LiveServer, player: AccountPlayer, *scopes: str) -> Iterator[httpx.Client]:
    """A client that sends a new token of the player's account, and no cookie."""
    made = new_token(player, list(scopes))
    assert made.status_code == 201, made.text
    headers = {"authorization": f"Bearer {made.json()['secret']}"}
    with httpx.Client(base_url=server.address, headers=headers, timeout=PATIENCE) as client:
        yield client


def test_a_token_acts_for_its_account(server: LiveServer) -> None:
    with (
        signed_up_player(server) as ada,
        program(server, ada, "read", "play", "challenge") as script,
    ):
        assert script.get("/api/account").json()["account"]["name"] == ada.name
        wanted = {"game": "potlatch", "confirm": False, "seats": [PERSON, ENGINE]}
        match = script.post("/api/matches", json=wanted).json()["match"]
        snapshot = script.get(f"/api/matches/{match}").json()
        assert [seat["yours"] for seat in snapshot["seats"]] == [True, False]
        token = snapshot["view"]["actions"][0]["token"]
        command = {"id": "a" * 8, "seq": snapshot["seq"], "seat": 0, "do": "play", "token": token}
        played = script.post(f"/api/matches/{match}/commands", json=command)
        assert played.status_code == 200, played.text
        assert [one["match"] for one in ada.matches()] == [match]


def test_secrets_are_shown_once_and_stored_hashed(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        made = new_token(ada, ["read"]).json()
        assert made["secret"].startswith(api_tokens.TOKEN_PREFIX)
        (listed,) = ada.http.get("/api/account/tokens").json()
        assert listed == made["token"]
        assert made["secret"] not in ada.http.get("/api/account/tokens").text
        exported = ada.http.get("/api/account/export")
        assert exported.json()["tokens"] == [listed]
        assert made["secret"] not in exported.text
        assert made["secret"] not in str(dump(server.database))


def test_the_last_use_is_listed(server: LiveServer) -> None:
    with signed_up_player(server) as ada, program(server, ada, "read") as script:
        assert ada.http.get("/api/account/tokens").json()[0]["used"] is None
        script.get("/api/account")
        assert ada.http.get("/api/account/tokens").json()[0]["used"] is not None


@pytest.mark.parametrize(
    ("method", "path", "needed"),
    [
        ("GET", "/api/account/matches", "read"),
        ("GET", "/api/notifications", "read"),
        ("POST", "/api/matches", "challenge"),
        ("POST", "/api/tournaments", "tournament"),
        ("POST", "/api/notifications/read", "play"),
    ],
)
def test_a_wrong_scope_is_refused(server: LiveServer, method: str, path: str, needed: str) -> None:
    bodies = {
        "/api/matches": {"game": "potlatch", "seats": [PERSON, ENGINE]},
        "/api/tournaments": {
            "settings": {"name": "Evening", "game": "potlatch", "format": "swiss"}
        },
        "/api/notifications/read": {"ids": None, "tokens": []},
    }
    others = [scope for scope in ALL if scope != needed]
    with signed_up_player(server) as ada, program(server, ada, *others) as script:
        answer = script.request(method, path, json=bodies.get(path))
        assert error_of(answer) == (403, "token-scope")
        assert answer.json()["params"] == {"scope": needed}


def test_no_token_changes_password_mail_sessions_or_tokens(server: LiveServer) -> None:
    with signed_up_player(server) as ada, program(server, ada, *ALL) as script:
        (token,) = ada.http.get("/api/account/tokens").json()
        new = {"name": "More", "scopes": ["read"], "days": None, "password": PASSWORD}
        mail = {"channel": "email", "address": "a@example.org", "kinds": [], "password": PASSWORD}
        asked = [
            script.post("/api/account/password", json={"old": PASSWORD, "new": "other horse"}),
            script.post("/api/account/destinations", json=mail),
            script.get("/api/account/destinations"),
            script.get("/api/account/sessions"),
            script.post("/api/account/sign-out"),
            script.get("/api/account/tokens"),
            script.post("/api/account/tokens", json=new),
            script.delete(f"/api/account/tokens/{token['id']}"),
            script.post("/api/account/bot"),
            script.get("/api/account/export"),
            script.post("/api/account/delete", json={"password": PASSWORD}),
        ]
        assert {error_of(answer) for answer in asked} == {(403, "token-forbidden")}
        assert ada.me() is not None


def test_revoked_expired_and_unknown_tokens_are_refused(server: LiveServer) -> None:
    with signed_up_player(server) as ada, program(server, ada, "read") as script:
        (token,) = ada.http.get("/api/account/tokens").json()
        assert script.get("/api/account").is_success
        past = format_time(datetime.now(UTC) - timedelta(seconds=1))
        change(
            server.database, f"UPDATE api_tokens SET expires = '{past}' WHERE id = '{token['id']}'"
        )
        assert error_of(script.get("/api/account")) == (401, "token-invalid")
        change(server.database, f"UPDATE api_tokens SET expires = NULL WHERE id = '{token['id']}'")
        assert script.get("/api/account").is_success
        with signed_up_player(server) as other:
            path = f"/api/account/tokens/{token['id']}"
            assert error_of(other.http.delete(path)) == (404, "unknown-api-token")
            assert ada.http.delete(path).status_code == 204
            assert error_of(ada.http.delete(path)) == (404, "unknown-api-token")
        assert error_of(script.get("/api/account")) == (401, "token-invalid")
        script.headers["authorization"] = f"Bearer {api_tokens.TOKEN_PREFIX}{'x' * 43}"
        assert error_of(script.get("/api/account")) == (401, "token-invalid")


def test_the_tokens_of_an_erased_account_are_gone(server: LiveServer) -> None:
    with signed_up_player(server) as ada, program(server, ada, *ALL) as script:
        assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).is_success
        assert error_of(script.get("/api/account")) == (401, "token-invalid")
        wanted = {"game": "potlatch", "seats": [PERSON, ENGINE]}
        assert error_of(script.post("/api/matches", json=wanted)) == (401, "token-invalid")


def test_a_token_in_a_url_is_refused(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        secret = new_token(ada, ["read"]).json()["secret"]
        for url in (
            f"/api/account?token={secret}",
            f"/api/games?access_token={secret.replace('.', '%2E')}",
            f"/api/matches/{secret}",
        ):
            assert error_of(ada.http.get(url)) == (400, "token-in-url")
            with httpx.Client(base_url=server.address) as anyone:
                assert error_of(anyone.get(url)) == (400, "token-in-url")


def test_an_account_has_a_limited_number_of_tokens(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_tokens, "MAX_TOKENS", 2)
    with signed_up_player(server) as ada:
        assert new_token(ada, ["read"]).status_code == 201
        assert new_token(ada, ["read"], None).status_code == 201
        assert error_of(new_token(ada, ["read"])) == (409, "too-many-tokens")


def test_a_new_token_needs_the_password(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        wanted = {"name": "Script", "scopes": ["read"], "days": 1, "password": "wrong horse"}
        answer = ada.http.post("/api/account/tokens", json=wanted)
        assert error_of(answer) == (403, "wrong-password")
        wrongs: list[Json] = [{"scopes": []}, {"scopes": ["all"]}, {"days": 0}, {"name": "x" * 41}]
        for wrong in wrongs:
            answer = ada.http.post("/api/account/tokens", json=wanted | wrong)
            assert error_of(answer) == (422, "invalid")


def test_a_token_is_no_session_of_a_socket(server: LiveServer) -> None:
    guest = server.create_match()
    with signed_up_player(server) as ada:
        secret = new_token(ada, ALL).json()["secret"]
        with Player(server, guest.match, [secret]).connect() as socket:
            assert socket.receive()["error"]["code"] == "unknown-token"
