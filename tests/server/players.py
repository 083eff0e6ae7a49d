"""Players with an account: browsers with a session cookie."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tests.server.live_server import PATIENCE, Json, LiveServer

PASSWORD = "correct horse"


class AccountPlayer:
    """A player who is signed in."""

    def __init__(self, server: LiveServer, name: str) -> None:
        self.server = server
        self.name = name
        self.http = httpx.Client(base_url=server.address, timeout=PATIENCE)

    def sign_up(self, password: str = PASSWORD) -> httpx.Response:
        return self.http.post("/api/account", json={"name": self.name, "password": password})

    def sign_in(self, password: str = PASSWORD) -> httpx.Response:
        told = {"name": self.name, "password": password}
        return self.http.post("/api/account/sign-in", json=told)

    def me(self) -> Json | None:
        answer = self.http.get("/api/account")
        assert answer.status_code == 200, answer.text
        me: Json | None = answer.json()["account"]
        return me

    def begin(self, **wanted: object) -> Json:
        answer = self.http.post(
            "/api/matches", json={"game": "potlatch", "confirm": False} | wanted
        )
        assert answer.status_code == 201, answer.text
        made: Json = answer.json()
        return made

    def snapshot(self, match: str) -> Json:
        answer = self.http.get(f"/api/matches/{match}")
        assert answer.status_code == 200, answer.text
        snapshot: Json = answer.json()
        return snapshot

    def ask(self, match: str, do: str, token: str | None = None) -> httpx.Response:
        """Does something at a match by the account alone, without a token of the seat."""
        now = self.snapshot(match)
        seat = now["acting"] if do in ("play", "confirm", "undo") else self.seat(now)
        command = {"id": str(uuid.uuid4()), "seq": now["seq"], "seat": seat, "do": do}
        return self.http.post(
            f"/api/matches/{match}/commands", json=command | ({"token": token} if token else {})
        )

    def do(self, match: str, do: str, token: str | None = None) -> Json:
        answer = self.ask(match, do, token)
        while answer.json().get("code") == "stale":  # an engine was faster
            answer = self.ask(match, do, token)
        assert answer.status_code == 200, answer.text
        snapshot: Json = answer.json()["snapshot"]
        return snapshot

    def matches(self) -> list[Json]:
        answer = self.http.get("/api/account/matches")
        assert answer.status_code == 200, answer.text
        listed: list[Json] = answer.json()["matches"]
        return listed

    @staticmethod
    def seat(snapshot: Json) -> int:
        seat: int = next(seat["seat"] for seat in snapshot["seats"] if seat["yours"])
        return seat


@contextmanager
def signed_up_player(server: LiveServer, name: str | None = None) -> Iterator[AccountPlayer]:
    """Yield a player with a new account."""
    player = AccountPlayer(server, name or f"m{uuid.uuid4().hex[:12]}")
    try:
        answer = player.sign_up()
        assert answer.status_code == 201, answer.text
        yield player
    finally:
        player.http.close()


@contextmanager
def signed_out_player(server: LiveServer, name: str) -> Iterator[AccountPlayer]:
    """Yield a player who is not signed in."""
    player = AccountPlayer(server, name)
    try:
        yield player
    finally:
        player.http.close()
