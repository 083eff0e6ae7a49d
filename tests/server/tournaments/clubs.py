"""A club evening over HTTP: an organizer and guests by their secrets."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx

from tests.server.live_server import PATIENCE, Json, LiveServer, Player


class Club:
    """A tournament and its organizer."""

    def __init__(self, server: LiveServer, **settings: Any) -> None:
        self.server = server
        self.token = secrets.token_urlsafe(32)
        wanted = {"name": "Evening", "game": "potlatch", "format": "swiss"} | settings
        answer = server.http.post(
            "/api/tournaments", json={"settings": wanted, "token": self.token}
        )
        assert answer.status_code == 201, answer.text
        self.id: str = answer.json()["tournament"]
        self.guests: dict[int, str] = {}

    def ask(self, secret: str | None, do: str, **more: Any) -> httpx.Response:
        headers = {} if secret is None else {"authorization": f"Bearer {secret}"}
        return self.server.http.post(
            f"/api/tournaments/{self.id}/actions", json={"do": do, **more}, headers=headers
        )

    def organize(self, do: str, **more: Any) -> Json:
        answer = self.ask(self.token, do, **more)
        assert answer.status_code == 200, answer.text
        view: Json = answer.json()["view"]
        return view

    def turn(self, to: str) -> Json:
        return self.organize("turn", to=to)

    def join(self, name: str) -> int:
        token = secrets.token_urlsafe(32)
        answer = self.ask(None, "join", name=name, token=token)
        assert answer.status_code == 200, answer.text
        number: int = answer.json()["view"]["you"]
        self.guests[number] = token
        return number

    def view(self, token: str | None = None) -> Json:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        answer = self.server.http.get(f"/api/tournaments/{self.id}", headers=headers)
        assert answer.status_code == 200, answer.text
        view: Json = answer.json()["view"]
        return view

    def wait(self, ready: Callable[[Json], bool], seconds: float = PATIENCE) -> Json:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            view = self.view()
            if ready(view):
                return view
            time.sleep(0.1)
        raise AssertionError(f"it did not come to that: {self.view()}")

    def open_boards(self) -> list[Json]:
        return [
            board | {"round": one["number"]}
            for one in self.view()["rounds"]
            for board in one["boards"]
            if board["points"] is None
        ]

    def seat(self, board: Json, seat: int) -> Player:
        """The player in a seat of a board, when its match is there."""
        player = Player(self.server, board["match"], [self.guests[board["players"][seat]]])
        until = time.monotonic() + PATIENCE
        while self.server.http.get(player.url).status_code == 404:
            assert time.monotonic() < until, "the match was not created"
            time.sleep(0.05)
        return player

    def resign(self, board: Json, seat: int) -> None:
        self.seat(board, seat).do("resign", seat=seat)

    def play_round(self) -> None:
        """The second seat of every board resigns."""
        for board in self.open_boards():
            self.resign(board, 1)

    def play(self) -> Json:
        """Plays until the end."""
        while not is_over(view := self.wait(lambda now: is_over(now) or bool(open_of(now)))):
            for board in open_of(view):
                self.resign(board, 1)
            self.wait(partial(is_past, len(view["rounds"])))
        return view


def open_of(view: Json) -> list[Json]:
    return [board for one in view["rounds"] for board in one["boards"] if board["points"] is None]


def is_over(view: Json) -> bool:
    return bool(view["status"] == "finished")


def is_past(number: int, view: Json) -> bool:
    """Whether a round is over and the next one is there, or the end."""
    return len(view["rounds"]) > number or is_over(view)
