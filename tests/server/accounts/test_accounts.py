"""Accounts: signing up, in and out; names, passwords, sessions."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import example, given
from hypothesis import strategies as st

from tavola.server.accounts import names, passwords
from tavola.server.errors import RequestError
from tavola.server.ops import rate_limits
from tavola.server.schema.sanitize import fold
from tests.server.databases import change, dump
from tests.server.live_server import LiveServer, error_of, serve
from tests.server.players import PASSWORD, signed_out_player, signed_up_player


def test_who_signs_up_is_signed_in(server: LiveServer) -> None:
    with signed_out_player(server, " Ａda  Lovelace ") as ada:
        assert ada.me() is None
        answer = ada.sign_up()
        assert answer.status_code == 201
        assert set(answer.json()) == {"account"}
        me = ada.me()
        assert me is not None
        assert me["name"] == "Ada Lovelace"
        assert me["ratings"] == []
        assert set(me) == {"name", "created", "ratings", "bot"}
        cookie = answer.headers["set-cookie"]
        for part in ("HttpOnly", "Path=/", "SameSite=lax", "Max-Age="):
            assert part.lower() in cookie.lower()
        # Plain http, as at home: a cookie for https alone would be thrown away.
        assert "secure" not in cookie.lower()


def test_over_https_the_cookie_stays_there(server: LiveServer) -> None:
    with signed_out_player(server, "Secure") as somebody:
        somebody.http.headers["x-forwarded-proto"] = "https"
        assert "; secure" in somebody.sign_up().headers["set-cookie"].lower()


def test_signing_out_and_in(server: LiveServer) -> None:
    with signed_up_player(server) as grace:
        cookie = grace.http.cookies["tavola-session"]
        assert grace.http.post("/api/account/sign-out").status_code == 204
        assert grace.me() is None
        # The session is over, not only forgotten.
        grace.http.cookies.set("tavola-session", cookie)
        assert grace.me() is None
        grace.http.cookies.clear()
        grace.name = grace.name.upper()
        assert grace.sign_in().status_code == 200
        me = grace.me()
        assert me is not None
        assert me["name"] == grace.name.lower()


def test_a_session_may_be_a_bearer(server: LiveServer) -> None:
    with signed_up_player(server) as alan, signed_out_player(server, alan.name) as script:
        told = {"name": alan.name, "password": PASSWORD, "bearer": True}
        answer = script.http.post("/api/account/sign-in", json=told)
        assert "set-cookie" not in answer.headers
        script.http.headers["authorization"] = f"Bearer {answer.json()['token']}"
        assert script.me() == alan.me()


@pytest.mark.parametrize("password", ["wrong horse", "", "x" * 1000])
def test_a_wrong_password_and_a_wrong_name_give_the_same_error(
    server: LiveServer, password: str
) -> None:
    with signed_up_player(server) as ada, signed_out_player(server, f"no {ada.name}") as nobody:
        ada.http.cookies.clear()
        wrong, unknown = ada.sign_in(password), nobody.sign_in(password)
        assert error_of(wrong) == (401, "wrong-sign-in")
        assert wrong.json() == unknown.json()
        assert ada.me() is None


def test_a_wrong_name_costs_as_much_as_a_wrong_password(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: a verification each, of a hash that costs the same."""
    costs = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, stored: str, password: str) -> bool:
        costs.append(stored.split("$")[1:4])
        return verify(self, stored, password)

    with signed_up_player(server) as ada, signed_out_player(server, f"no {ada.name}") as nobody:
        monkeypatch.setattr(PasswordHasher, "verify", counted)
        ada.sign_in("wrong horse")
        nobody.sign_in("wrong horse")
    assert len(costs) == 2
    assert costs[0] == costs[1]
    assert costs[0][0] == "argon2id"


def test_names_are_taken_whatever_their_case(server: LiveServer) -> None:
    with signed_up_player(server, "Straße"), signed_out_player(server, "STRASSE") as other:
        answer = other.sign_up()
        assert error_of(answer) == (409, "name-taken")
        assert "STRASSE" in answer.json()["message"]
        assert other.me() is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", "name-length"),
        ("   a ", "name-length"),
        ("x" * 25, "name-length"),
        ("", "name-length"),
        ("two\nlines\x01", "name-characters"),
        ("zero\u200bwidth", "name-characters"),
        ("right\u202eleft", "name-characters"),
        ("...", "name-characters"),
        ("\u0430dmin", "name-characters"),
        ("admin\u0336", "name-characters"),
        ("\u03bfscar", "name-characters"),
    ],
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_what_is_no_name(server: LiveServer, name: str, code: str, language: str) -> None:
    with signed_out_player(server, name) as somebody:
        somebody.http.headers["accept-language"] = language
        assert error_of(somebody.sign_up()) == (422, code)


@pytest.mark.parametrize(
    "sign", "\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u180b\u200d\ufe0f\U000e0100"
)
def test_names_that_look_the_same_are_the_same(sign: str) -> None:
    for name in (f"Ada{sign}", f"A{sign}da", sign * 2):
        with pytest.raises(RequestError, match="name-characters"):
            names.normalize(name)


@pytest.mark.parametrize(
    "name", ["Computer level 8", "computer", "コンピュータ レベル 8", "コンピューター", "engine 3"]
)
def test_the_names_of_the_computer_are_taken(name: str) -> None:
    with pytest.raises(RequestError, match="name-taken"):
        names.normalize(name)


@pytest.mark.parametrize(
    "name",
    ["Łukasz", "Наталья", "山田タロウ", "Ταμ 3", "김철수", "ada-山", "Ọ̀ṣun", "नेहा", "Computerfan"],
)
def test_names_of_all_languages_are_names(name: str) -> None:
    assert names.normalize(name)


@pytest.mark.long
@given(st.text(max_size=30))
@example("ﷺ" * 5)
@example("ǰǰ")
def test_a_tidy_name_stays_as_it_is(name: str) -> None:
    try:
        tidy = names.normalize(name)
    except RequestError:
        return
    assert names.normalize(tidy) == tidy
    assert fold(tidy) == fold(name)
    assert fold(tidy.swapcase()) == fold(tidy) or not tidy.isascii()
    assert len(fold(tidy)) <= 255


@pytest.mark.parametrize(
    ("password", "code"),
    [("short", "password-length"), ("y" * 201, "password-length"), ("Somebody9", "password-name")],
)
def test_what_is_no_password(server: LiveServer, password: str, code: str) -> None:
    with signed_out_player(server, "somebody9") as somebody:
        assert error_of(somebody.sign_up(password)) == (422, code)


def test_a_changed_password_ends_the_other_sessions(server: LiveServer) -> None:
    with signed_up_player(server) as here, signed_out_player(server, here.name) as there:
        there.sign_in()
        change = {"old": PASSWORD, "new": "battery staple"}
        wrong = here.http.post("/api/account/password", json=change | {"old": "not it at all"})
        assert error_of(wrong) == (403, "wrong-password")
        assert there.me() is not None
        assert here.http.post("/api/account/password", json=change).status_code == 204
        assert here.me() is not None
        assert there.me() is None
        assert error_of(there.sign_in()) == (401, "wrong-sign-in")
        assert there.sign_in("battery staple").status_code == 200


def test_sessions_are_listed_and_ended(server: LiveServer) -> None:
    with (
        signed_up_player(server) as here,
        signed_out_player(server, here.name) as there,
        signed_up_player(server) as other,
    ):
        there.http.headers["user-agent"] = "A telephone"
        there.sign_in()
        listed = here.http.get("/api/account/sessions").json()
        assert len(listed) == 2
        (away,) = (one for one in listed if not one["current"])
        assert away["agent"] == "A telephone"
        assert set(away) == {"id", "agent", "created", "last_seen", "current"}
        path = f"/api/account/sessions/{away['id']}"
        assert error_of(other.http.delete(path)) == (404, "unknown-session")
        assert there.me() is not None
        assert here.http.delete(path).status_code == 204
        assert there.me() is None
        assert error_of(here.http.delete(path)) == (404, "unknown-session")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "password"),
        ("GET", "sessions"),
        ("DELETE", "sessions/x"),
        ("GET", "matches"),
        ("POST", "seats"),
        ("GET", "puzzles"),
        ("POST", "puzzles"),
        ("GET", "export"),
        ("POST", "delete"),
    ],
)
def test_routes_that_need_an_account_report_it(server: LiveServer, method: str, path: str) -> None:
    bodies = {
        "password": {"old": "", "new": ""},
        "seats": {"match": "m", "tokens": ["t"]},
        "puzzles": {},
        "delete": {"password": ""},
    }
    answer = server.http.request(method, f"/api/account/{path}", json=bodies.get(path))
    assert error_of(answer) == (401, "signed-out")


def test_pages_of_others_cannot_act_for_the_account(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        ada.http.headers["origin"] = "https://evil.example"
        for path in ("sign-out", "sign-in", "delete", "password"):
            answer = ada.http.post(f"/api/account/{path}", json={})
            assert error_of(answer) == (403, "origin")
        del ada.http.headers["origin"]
        assert ada.me() is not None


def test_nothing_secret_is_stored(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        cookie = ada.http.cookies["tavola-session"]
    stored = dump(server.database)
    assert ada.name in stored
    assert PASSWORD not in stored
    assert cookie not in stored
    assert "$argon2id$" in stored


def test_passwords_cannot_be_tried_on_and_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "SIGN_IN", replace(rate_limits.SIGN_IN, burst=20.0))
    with (
        serve(tmp_path) as server,
        signed_up_player(server) as ada,
        signed_out_player(server, ada.name) as thief,
    ):
        tries = [thief.sign_in("wrong horse").status_code for _ in range(12)]
        assert tries == [401] * 10 + [429] * 2
        # The right one, too: else further attempts would reveal it.
        answer = thief.sign_in()
        assert error_of(answer) == (429, "too-many-attempts")
        # Nor the passwords of many, from one place.
        tried = []
        for number in range(15):
            thief.name = f"unknown {number}"
            tried.append(thief.sign_in().status_code)
        assert set(tried) == {401, 429}
        # The owner is not locked out: signed in, on a known device, or from elsewhere.
        assert ada.me() is not None
        change = {"old": PASSWORD, "new": PASSWORD}
        assert ada.http.post("/api/account/password", json=change).status_code == 204
        ada.http.post("/api/account/sign-out")
        assert ada.me() is None
        assert ada.sign_in().status_code == 200
        ada.http.cookies.clear()
        assert error_of(ada.sign_in()) == (429, "too-many-attempts")
        ada.http.headers["x-forwarded-for"] = "198.51.100.7"
        assert ada.sign_in().status_code == 200
        # A known device has limits, too.
        ada.http.cookies.delete("tavola-session")
        tries = [ada.sign_in("wrong horse").status_code for _ in range(12)]
        assert tries == [401] * 10 + [429] * 2


def test_few_passwords_wait_for_their_hash() -> None:
    async def work() -> None:
        made = passwords.Passwords()
        waiting = [
            asyncio.create_task(made.hash("correct horse", client))
            for client in ("a", "b")
            for _ in range(rate_limits.MAX_HASHES_PER_CLIENT)
        ]
        await asyncio.sleep(0)
        with pytest.raises(RequestError, match="sign-in-busy"):
            await made.verify("correct horse", None, "a")
        (stored, *_) = await asyncio.gather(*waiting)
        assert await made.verify("correct horse", stored, "a")
        assert not await made.verify("correct horse", None, "a")
        made.close()

    asyncio.run(work())


def test_an_unused_session_ends(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        change(
            server.database,
            "UPDATE sessions SET seen = '2020-01-01T00:00:00.000+00:00' WHERE account ="
            " (SELECT id FROM accounts WHERE name = :name)",
            name=ada.name,
        )
        assert ada.me() is None
