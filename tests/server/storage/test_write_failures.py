"""Database failures: only stored events are sent, and a repeated command counts once."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tavola.server.live.live_match import LiveMatch
from tavola.server.snapshots.updates import Update
from tavola.server.storage.database import Database
from tests.server.live_server import Json, LiveServer, error_of

SENT: Json = {"id": "mine", "seq": 0, "seat": 0, "token": "Pnw"}


def test_what_cannot_be_stored_does_not_count(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    with guest.connect() as chair:
        before = chair.receive()["snapshot"]
        with monkeypatch.context() as broken:

            async def fail(*_: object, **__: object) -> None:
                raise OSError("disk full")

            broken.setattr(Database, "append", fail)
            answer = guest.request("play", language="ja", **SENT)
            assert error_of(answer) == (503, "storage")
            assert "保存" in answer.json()["message"]
            assert "disk" not in answer.text
        assert guest.snapshot() == before
        assert guest.request("play", **SENT).json()["seq"] == 1
        # The first thing that the viewer hears is what was stored.
        assert chair.receive()["seq"] == 1


def test_a_match_that_cannot_be_stored_has_not_begun(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        async def fail(*_: object, **__: object) -> None:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))

        broken.setattr(Database, "create", fail)
        wanted = {"game": "potlatch", "seats": [{"kind": "person"}, {"kind": "person"}]}
        answer = server.http.post("/api/matches", json=wanted)
        assert error_of(answer) == (503, "storage")
        assert "disk" not in answer.text
    server.create_match()


def test_what_was_stored_though_it_seemed_not_counts_once(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    with monkeypatch.context() as broken:
        append = Database.append

        async def store_and_fail(*arguments: Any, **options: Any) -> None:
            await append(*arguments, **options)
            raise OSError("the answer was lost")

        broken.setattr(Database, "append", store_and_fail)
        assert error_of(guest.request("play", **SENT)) == (503, "storage")
    assert guest.snapshot()["seq"] == 1
    assert guest.request("play", **SENT).json()["seq"] == 1
    assert guest.snapshot()["seq"] == 1


def test_nothing_is_sent_before_it_is_stored(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    stored: list[int] = []
    append = Database.append

    async def watched(self: Database, match: str, new: Any, **options: Any) -> None:
        told_early = len(heard)
        await append(self, match, new, **options)
        assert told_early == len(heard)
        stored.extend(event.seq for event in new)

    heard: list[int] = []
    monkeypatch.setattr(Database, "append", watched)
    original = "tavola.server.http.match_socket.SocketViewer.send_update"

    def tell(_: object, update: Update) -> None:
        seq = update.seq
        assert seq in stored, "told before it was stored"
        heard.append(seq)

    monkeypatch.setattr(original, tell)
    with guest.connect() as chair:
        chair.receive()
        guest.play("Pnw", "Pw")
    assert heard == stored == [1, 2]


def test_an_error_of_the_database_is_called_so_on_sockets(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    with server.create_match().connect() as chair:
        chair.receive()
        monkeypatch.setattr(LiveMatch, "execute", fail)
        chair.send(type="command", do="play", **SENT)
        assert chair.receive_until("refused")["error"]["code"] == "storage"
