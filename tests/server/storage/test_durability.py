"""Promise 1: an acknowledged action is durable. The server is killed while clients play."""

from __future__ import annotations

import json
import random
import threading
import time
import uuid
from pathlib import Path

import httpx
import pytest
import websockets

from tests.profiles import sized
from tests.server.databases import SERVER, rows
from tests.server.live_server import PATIENCE, Json, Player
from tests.server.server_process import Process, process

SLOW_DISK = "tests.server.slow_disk"


class PlayerThread(threading.Thread):
    """Plays at random, and notes every command that it sent and every answer that it got."""

    def __init__(self, guest: Player, seed: int, *, by_socket: bool) -> None:
        super().__init__()
        self.guest = guest
        self.sent: Json | None = None
        self.acknowledged: dict[str, tuple[int, Json]] = {}
        self._random = random.Random(seed)
        self._by_socket = by_socket

    def run(self) -> None:
        try:
            if self._by_socket:
                self._play_by_socket()
            else:
                self._play_by_http()
        except (httpx.HTTPError, OSError, websockets.WebSocketException, EOFError):
            pass  # The server was killed, perhaps while a socket was being opened.
        except RuntimeError:
            # It was killed between two requests, and its client is closed already.
            assert self.guest.server.http.is_closed

    def _next(self, snapshot: Json) -> Json | None:
        if snapshot["status"] == "over":
            return None
        command: Json = {
            "id": str(uuid.uuid4()),
            "seq": snapshot["seq"],
            "seat": snapshot["acting"],
        }
        if snapshot["status"] == "confirming":
            command["do"] = "confirm"
        elif snapshot["can"]["undo"] and self._random.random() < 0.15:
            command["do"] = "undo"
        else:
            command["do"] = "play"
            command["token"] = self._random.choice(snapshot["view"]["actions"])["token"]
        self.sent = command
        return command

    def _acknowledge(self, seq: int) -> None:
        assert self.sent is not None
        self.acknowledged[self.sent["id"]] = (seq, self.sent)

    def _play_by_http(self) -> None:
        snapshot = self.guest.snapshot()
        while command := self._next(snapshot):
            answer = self.guest.request(**command)
            assert answer.status_code == 200, answer.text
            self._acknowledge(answer.json()["seq"])
            snapshot = answer.json()["snapshot"]

    def _play_by_socket(self) -> None:
        with self.guest.connect() as chair:
            snapshot = chair.receive_until("snapshot")["snapshot"]
            while command := self._next(snapshot):
                chair.send(type="command", **command)
                snapshot = chair.receive_until("update")["snapshot"]
                done = chair.receive_until("done")
                assert done["id"] == command["id"]
                self._acknowledge(done["seq"])


def check(player: PlayerThread) -> None:
    """Every acknowledged command is in the log, once, with its number; the last one counts once."""
    again = player.guest
    # Looked at first: a lost command, sent again, would be accepted as a new one.
    before = again.snapshot()["seq"]
    assert before >= max((seq for seq, _ in player.acknowledged.values()), default=0)
    for seq, command in player.acknowledged.values():
        answer = again.request(**command)
        assert answer.status_code == 200, answer.text
        assert answer.json()["seq"] == seq
    assert again.snapshot()["seq"] == before
    if player.sent is not None and player.sent["id"] not in player.acknowledged:
        # Sent, and the server died before it answered: stored or not, sending it again is right.
        answer = again.request(**player.sent)
        assert answer.status_code == 200, answer.text
        assert answer.json()["seq"] in (before, before + 1)
        assert again.snapshot()["seq"] == answer.json()["seq"]


KILLS = sized(2, 4, 200)


@pytest.mark.long
@pytest.mark.sized
@pytest.mark.timeout(7200)
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    database = tmp_path / "tavola.db"
    chance = random.Random(20)
    acknowledged = 0
    process = Process(database, module=SLOW_DISK).ready()
    try:
        for kill in range(KILLS):
            players = [
                PlayerThread(
                    process.server.create_match(confirm=number == 1),
                    kill * 3 + number,
                    by_socket=number > 0,
                )
                for number in range(3)
            ]
            for player in players:
                player.start()
            # After a number of actions, and a moment in which the next ones are on their way.
            enough = chance.randint(1, 40)
            while sum(len(player.acknowledged) for player in players) < enough:
                if not any(player.is_alive() for player in players):
                    break
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.03))
            process.kill()
            for player in players:
                player.join(PATIENCE)
                assert not player.is_alive()
            process = Process(database, module="tavola" if kill % 3 == 0 else SLOW_DISK).ready()
            for player in players:
                player.guest.server = process.server
                check(player)
                acknowledged += len(player.acknowledged)
    finally:
        process.kill()
    assert acknowledged > KILLS * 5, "the players hardly played: this test shows nothing"
    if SERVER is None:
        assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    ids = rows(database, "SELECT match, command FROM events WHERE command IS NOT NULL")
    assert len(ids) == len(set(ids))


@pytest.mark.long
def test_a_restart_gives_the_same_snapshot(tmp_path: Path) -> None:
    database = tmp_path / "tavola.db"
    with process(database) as first:
        guest = first.server.create_match(confirm=True, options={"layout": "row"})
        guest.play("Pnw", "Pw")
        before = guest.snapshot()
        sent = {"id": "mine", "seq": before["seq"], "seat": 0}
        guest.do("confirm", **sent)
        after = guest.snapshot()
        assert first.stop() == 130
    with process(database) as second:
        guest.server = second.server
        assert guest.snapshot() == after
        # The ids of commands are in the log: sent again, it is answered as the first time.
        assert guest.request("confirm", **sent).json() == {"seq": 3, "snapshot": after}
        assert second.stop() == 130
    assert json.dumps(after).count("token_hash") == 0
