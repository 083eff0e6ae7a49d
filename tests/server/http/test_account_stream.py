"""The stream of an account: what it begins with, what follows, and what an interruption loses."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tavola.server.http import account_stream
from tavola.server.ops import rate_limits
from tests.server.live_server import ENGINE, PERSON, Json, LiveServer, error_of, wait_until
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player

LINK = {"kind": "link"}


@contextmanager
def stream(player: AccountPlayer, **query: str) -> Iterator[Iterator[Json]]:
    """The lines of a new stream, without the empty ones."""
    with player.http.stream("GET", "/api/account/stream", params=query) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        yield (json.loads(line) for line in answer.iter_lines() if line)


@contextmanager
def token_stream(player: AccountPlayer) -> Iterator[tuple[str, Iterator[str]]]:
    """The id of a new API token, and the lines of a stream by it."""
    wanted = {"name": "Script", "scopes": ["read"], "days": None, "password": PASSWORD}
    made = player.http.post("/api/account/tokens", json=wanted).json()
    headers = {"authorization": f"Bearer {made['secret']}"}
    url = f"{player.server.address}/api/account/stream"
    with httpx.stream("GET", url, headers=headers) as answer:
        yield made["token"]["id"], answer.iter_lines()


def until(lines: Iterator[Json], kind: str) -> Json:
    """Return the next message of a kind."""
    return next(line for line in lines if line["type"] == kind)


def unread_kinds(player: AccountPlayer) -> list[str]:
    return [one["kind"] for one in player.http.get("/api/notifications").json()["notifications"]]


def join(player: AccountPlayer, made: Json) -> None:
    told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
    assert player.http.post(f"/api/matches/{made['match']}/seats", json=told).is_success


def begin(ada: AccountPlayer, bob: AccountPlayer) -> str:
    """Return the id of a new game of two accounts."""
    made = ada.begin(seats=[PERSON, LINK])
    join(bob, made)
    return str(made["match"])


def play_turn(player: AccountPlayer, match: str) -> None:
    """Play the first turn of a game."""
    for token in ("Pnw", "Pw"):
        player.do(match, "play", token)


@pytest.mark.long
def test_games_start_come_to_a_turn_and_end(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob, stream(bob) as lines:
        first = next(lines)
        assert first["type"] == "state"
        assert (first["games"], first["notifications"]["unread"]) == ([], 0)
        match = begin(ada, bob)
        start = next(lines)
        assert (start["type"], start["game"]["match"]) == ("start", match)
        assert [seat["yours"] for seat in start["game"]["seats"]] == [False, True]
        play_turn(ada, match)
        turn = until(lines, "turn")
        assert turn["game"]["acting"] == 1
        ada.do(match, "resign")
        end = until(lines, "end")
        assert end["game"]["status"] == "over"


def test_a_creator_hears_that_a_guest_takes_the_last_seat(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        made = ada.begin(seats=[PERSON, LINK])
        with stream(ada) as lines:
            (waiting,) = next(lines)["games"]
            assert waiting["seats"][1]["open"]
            told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
            url = f"{server.address}/api/matches/{made['match']}/seats"
            assert httpx.post(url, json=told).is_success
            kinds = [next(lines)["type"] for _ in range(3)]
            assert kinds == ["start", "turn", "notification"]


def test_a_stream_continues_after_an_interruption(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        games = []
        for _ in range(3):
            games.append(ada.begin(seats=[PERSON, LINK]))
            join(bob, games[-1])
        with stream(bob) as lines:
            cursor = next(lines)["cursor"]
        # Meanwhile: one ends, one comes to bob's turn, one begins and ends.
        ada.do(games[0]["match"], "resign")
        play_turn(ada, games[1]["match"])
        games.append(ada.begin(seats=[PERSON, LINK]))
        join(bob, games[-1])
        ada.do(games[3]["match"], "resign")
        with stream(bob, after=cursor) as lines:
            state = next(lines)
            open_games = {game["match"]: game["acting"] for game in state["games"]}
            assert open_games == {games[1]["match"]: 1, games[2]["match"]: 0}
            ended = {until(lines, "end")["game"]["match"] for _ in range(2)}
            assert ended == {games[0]["match"], games[3]["match"]}


def test_more_games_than_a_page_end_during_an_interruption(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tavola.server.live import account_matches

    monkeypatch.setattr(account_matches, "PAGE_SIZE", 2)
    with signed_up_player(server) as ada:
        with stream(ada) as lines:
            cursor = next(lines)["cursor"]
        games = {ada.begin(seats=[PERSON, ENGINE])["match"] for _ in range(5)}
        for match in games:
            ada.do(match, "resign")
        with stream(ada, after=cursor) as lines:
            assert {until(lines, "end")["game"]["match"] for _ in range(5)} == games


def test_notifications_come_as_they_are_stored(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob, stream(ada) as lines:
        next(lines)
        begin(ada, bob)
        notification = until(lines, "notification")["notification"]
        assert (notification["kind"], notification["by"]) == ("challenge", bob.name)


def test_a_turn_on_a_stream_is_read_and_other_news_waits(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = begin(ada, bob)
        with stream(bob) as lines:
            next(lines)
            play_turn(ada, match)
            assert until(lines, "notification")["notification"]["kind"] == "turn"
            wait_until(lambda: unread_kinds(bob) == [])
            ada.do(match, "ask", "draw")
            assert until(lines, "notification")["notification"]["kind"] == "request"
        assert unread_kinds(bob) == ["request"]


def test_news_without_a_listener_is_stored_and_its_state_reads_the_turn(
    server: LiveServer,
) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        match = begin(ada, bob)
        with stream(bob) as lines:
            next(lines)
        play_turn(ada, match)
        assert unread_kinds(bob) == ["turn"]
        with stream(bob) as lines:
            state = next(lines)
            assert [one["kind"] for one in state["notifications"]["notifications"]] == ["turn"]
            wait_until(lambda: unread_kinds(bob) == [])


def test_a_stream_sends_what_the_bell_does_not_show(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        assert ada.http.post("/api/account/destinations/bell", json={"kinds": []}).is_success
        with stream(ada) as lines:
            next(lines)
            join(bob, ada.begin(seats=[PERSON, LINK]))
            assert until(lines, "notification")["notification"]["kind"] == "challenge"
        assert unread_kinds(ada) == []


def test_a_stream_ends_with_its_token(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account_stream, "KEEPALIVE_SECONDS", 0.1)
    with signed_up_player(server) as ada, token_stream(ada) as (token, lines):
        assert json.loads(next(lines))["type"] == "state"
        # A sign of life.
        assert next(lines) == ""
        assert ada.http.delete(f"/api/account/tokens/{token}").is_success
        assert set(lines) <= {""}


def test_a_busy_stream_ends_with_its_token_too(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with signed_up_player(server) as ada, token_stream(ada) as (token, lines):
        assert json.loads(next(lines))["type"] == "state"
        ada.begin(seats=[PERSON, ENGINE])
        assert json.loads(next(lines))["type"] == "start"
        monkeypatch.setattr(account_stream, "KEEPALIVE_SECONDS", 0.0)
        assert ada.http.delete(f"/api/account/tokens/{token}").is_success
        ada.begin(seats=[PERSON, ENGINE])
        # The first turn may have been sent before.
        assert len([line for line in lines if line]) <= 1


def test_streams_are_limited_and_need_an_account(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = httpx.get(f"{server.address}/api/account/stream")
    assert error_of(answer) == (401, "signed-out")
    with signed_up_player(server) as ada:
        for wrong in ("yesterday", "2026-11-27", "0001-01-01T00:00:00+00:00"):
            answer = ada.http.get("/api/account/stream", params={"after": wrong})
            assert error_of(answer) == (422, "invalid")
        monkeypatch.setattr(account_stream, "MAX_ACCOUNT_STREAMS", 1)
        with stream(ada) as lines:
            next(lines)
            answer = ada.http.get("/api/account/stream")
            assert error_of(answer) == (429, "too-many-viewers")
        monkeypatch.setattr(rate_limits, "MAX_VIEWERS_PER_CLIENT", 0)
        answer = ada.http.get("/api/account/stream")
        assert error_of(answer) == (429, "too-many-viewers")
