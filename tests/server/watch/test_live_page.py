"""The Live page shows public matches as spectators see them, and no others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tavola.server.watch import store, watch
from tests.server.accounts.test_seat_tokens import LINK, offer, seated, take
from tests.server.databases import change, transaction
from tests.server.live_server import (
    PATIENCE,
    SHORTEST,
    Json,
    LiveServer,
    Player,
    apply_patch,
    serve,
)
from tests.server.quick_pairing.test_pairing_socket import waiting


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with serve(tmp_path) as running:
        yield running


class Watching:
    """A client that watches, and applies the changes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.boards: list[Json] = []
        self.views: dict[str, Json] = {}
        self.types: list[str] = []

    def hear(self, timeout: float = PATIENCE) -> list[Json]:
        message = json.loads(self.socket.recv(timeout=timeout))
        self.types.append(message["type"])
        if message["type"] == "change":
            message = apply_patch({"boards": self.boards, "views": self.views}, message["changes"])
        self.boards = message["boards"]
        self.views = {one["match"]: message["views"][one["match"]] for one in self.boards}
        return self.boards

    def until(self, matches: list[str]) -> list[Json]:
        while [one["match"] for one in self.boards] != matches:
            self.hear()
        return self.boards


@contextmanager
def watching(server: LiveServer, path: str = "/api/live/socket") -> Iterator[Watching]:
    address = server.address.replace("http", "ws", 1)
    with connect(f"{address}{path}", compression=None) as opened:
        yield Watching(opened)


def paired(server: LiveServer, game: str = "potlatch") -> Player:
    """A match that quick pairing has created, after its first action."""
    with waiting(server, game=game) as one, waiting(server, game=game) as other:
        seats = [one.paired(), other.paired()]
    by_seat = {seat["seat"]: player.token for seat, player in zip(seats, (one, other), strict=True)}
    match = Player(server, seats[0]["match"], [by_seat[0], by_seat[1]])
    first(match)
    return match


def first(match: Player) -> None:
    match.do("play", token=match.snapshot()["view"]["actions"][0]["token"])


def test_public_matches_are_shown_and_move(server: LiveServer) -> None:
    # On one device, by link, and offered in the lobby without an opponent yet.
    first(server.create_match())
    linked, [invitation] = offer(server)
    seated(take(linked, invitation))
    offer(server, lobby=True)
    with watching(server) as page:
        assert page.hear() == []
        lobby, _ = offer(server, seats=[{"kind": "person", "name": "Aki"}, LINK], lobby=True)
        seated(take(lobby, None))
        first(lobby)
        [board] = page.until([lobby.match])
        assert board["seats"][0]["name"] == "Aki"
        assert not any(seat["yours"] for seat in board["seats"])
        assert (board["over"], board["delay"], board["watching"]) == (False, 0, 0)
        view = page.views[lobby.match]
        assert view == lobby.spectator().snapshot()["view"]
        other = paired(server)
        assert {one["match"] for one in page.hear()} == {lobby.match, other.match}
        with other.spectator().connect() as spectator:
            spectator.receive()
            while not any(one["watching"] for one in page.boards):
                page.hear()


def test_changes_lead_to_what_a_new_viewer_receives(server: LiveServer) -> None:
    one, other = paired(server), paired(server, "proteus")
    with watching(server) as early, watching(server) as viewer:
        for match in (one, other):
            hear_until_current(early, match)
        first(other)
        hear_until_current(early, other)
        # A board leaves, and another comes.
        one.do("resign", seat=one.snapshot()["acting"])
        third = paired(server)
        hear_until_current(early, third)
        while one.match in early.views:
            early.hear()
        # A viewer that joins late begins with all boards.
        with watching(server) as late:
            late.hear()
            while viewer.boards != late.boards:
                viewer.hear()
            assert early.boards == late.boards
            assert early.views == viewer.views == late.views
            assert late.views.keys() == {other.match, third.match}
        assert [early.types[0], viewer.types[0], late.types[0]] == ["live"] * 3
        assert set(early.types[1:]) == set(viewer.types[1:]) == {"change"}


def hear_until_current(viewer: Watching, match: Player) -> None:
    """Listen until a match is shown as it is now."""
    while viewer.views.get(match.match) != match.spectator().snapshot()["view"]:
        viewer.hear()


def test_the_strength_of_a_match_is_read_once(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    read = store._strengths

    def note(connection: sa.Connection, those: list[str]) -> dict[str, float]:
        asked.append(those)
        return read(connection, those)

    monkeypatch.setattr(store, "_strengths", note)
    one = paired(server)
    strengths: dict[str, float] = {"gone": 1.0}
    with transaction(server.database) as connection:
        for _ in range(2):
            assert [shown.candidate.match for shown in store.running(connection, strengths)] == [
                one.match
            ]
    assert asked == [[one.match]]
    assert strengths.keys() == {one.match}


def test_a_channel_shows_the_end_and_goes_on_to_the_next_match(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "END_SECONDS", 2 * PATIENCE)
    here = paired(server)
    with watching(server, "/api/live/potlatch/socket") as channel:
        [board] = channel.until([here.match])
        next_match = paired(server)
        other = paired(server, "proteus")
        acting = here.snapshot()["acting"]
        here.do("resign", seat=acting)
        while not channel.hear()[0]["over"]:
            pass
        assert channel.boards[0]["match"] == here.match
        monkeypatch.setattr(store, "END_SECONDS", 0)
        channel.until([next_match.match])
        with watching(server, "/api/live/proteus/socket") as second:
            assert [one["match"] for one in second.hear() or second.hear()] == [other.match]
        assert board["acting"] in (0, 1)


@pytest.mark.long
def test_a_tournament_is_shown_later(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "TOURNAMENT_DELAY", 3)
    match = server.create_match()
    change(
        server.database,
        "INSERT INTO tournament_boards (match, tournament) VALUES (:match, 't')",
        match=match.match,
    )
    match.play(SHORTEST[0][0])
    with watching(server) as page:
        assert page.hear() == []
        [board] = page.until([match.match])
        assert board["delay"] == 3


def test_a_game_that_does_not_exist_has_no_channel(server: LiveServer) -> None:
    with watching(server, "/api/live/chess/socket") as channel, pytest.raises(ConnectionClosed):
        channel.hear()
