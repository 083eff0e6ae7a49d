"""Two players at one address, several servers behind it, and the one that keeps the match dies."""

from __future__ import annotations

import random
import threading
import time
import uuid
from pathlib import Path
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.server.cluster.test_router import several
from tests.server.databases import rows
from tests.server.live_server import PATIENCE, Json, LiveServer, Player, SocketClient, wait_until
from tests.server.proxy import proxy
from tests.server.redis_server import RedisServer, on_several

pytestmark = on_several

BROKEN = (ConnectionClosed, InvalidMessage, InvalidStatus, OSError, EOFError)


class Steadfast(threading.Thread):
    """Plays a seat as the page does: when the connection breaks, it comes back and sends again."""

    def __init__(self, guest: Player, seat: int, stop: threading.Event) -> None:
        super().__init__()
        self.guest = guest.only(seat)
        self.seat = seat
        self.came = 0
        self.acknowledged: dict[str, int] = {}
        self.faults: list[Json] = []
        self._unanswered: Json | None = None
        self._end = stop
        self._random = random.Random(seat)

    def run(self) -> None:
        while not self._end.is_set():
            try:
                with self.guest.connect() as chair:
                    self._play(chair)
            except BROKEN:
                time.sleep(0.1)

    def _play(self, chair: SocketClient) -> None:
        picture = chair.receive_until("snapshot")["snapshot"]
        self.came += 1
        if self._unanswered is not None:
            # Whether it had arrived or not: sent again, it counts once.
            chair.send(type="command", **self._unanswered)
        while not self._end.is_set():
            if picture["status"] == "over" and self._unanswered is None:
                self._end.set()
                return
            if picture["acting"] == self.seat and self._unanswered is None:
                self._unanswered = self._next(picture)
                chair.send(type="command", **self._unanswered)
            try:
                said = chair.receive_any(timeout=1)
            except TimeoutError:
                continue  # The other seat thinks, or the end has come.
            match said["type"]:
                case "update" | "snapshot":
                    picture = said["snapshot"]
                case "done":
                    assert self._unanswered is not None
                    self.acknowledged[said["id"]] = said["seq"]
                    self._unanswered = None
                case "refused" if said["error"]["code"] not in ("apart", "storage"):
                    self.faults.append(said)
                    self._end.set()
                case "refused":
                    return  # It comes back, and sends it again.

    def _next(self, picture: Json) -> Json:
        command: Json = {"id": str(uuid.uuid4()), "seq": picture["seq"], "seat": self.seat}
        if picture["status"] == "confirming":
            return command | {"do": "confirm"}
        action = self._random.choice(picture["view"]["actions"])
        return command | {"do": "play", "token": action["token"]}


def test_players_behind_one_address_play_on_when_the_keeper_dies(tmp_path: Path) -> None:
    stop = threading.Event()
    with RedisServer(tmp_path) as redis, several(tmp_path / "tavola.db", redis) as (keeper, other):
        ports = [urlsplit(one.server.address).port or 0 for one in (keeper, other)]
        with proxy(ports) as front:
            # The process that begins a match keeps it.
            begun = keeper.server.create_match(confirm=True)
            server = LiveServer(front.address, "")
            guest = Player(server, begun.match, begun.tokens)
            players = [Steadfast(guest, seat, stop) for seat in (0, 1)]
            try:
                for player in players:
                    player.start()

                def counted() -> int:
                    return sum(len(player.acknowledged) for player in players)

                wait_until(lambda: counted() >= 8, "no actions were played")
                keeper.kill()
                before, came = counted(), [player.came for player in players]
                wait_until(
                    lambda: stop.is_set() or counted() >= before + 12,
                    "no later action was played",
                )
            finally:
                stop.set()
                for player in players:
                    player.join(PATIENCE)
            assert [player.faults for player in players] == [[], []]
            assert counted() > before
            # One of both at least was at the one that died; both were at its match.
            assert [player.came for player in players] > came
            found = rows(
                other.database,
                "SELECT command, seq FROM events WHERE match = :match",
                match=begun.match,
            )
            logged = dict(found)
            for player in players:
                for command, seq in player.acknowledged.items():
                    assert logged[command] == seq
            with server.http:
                snapshot = guest.snapshot()
            assert snapshot["seq"] == len(found) == len(logged)
