"""Quick pairing at several processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.server.cluster.test_router import several
from tests.server.live_server import LiveServer
from tests.server.quick_pairing.test_pairing_socket import Waiting, looking, waiting
from tests.server.redis_server import RedisServer, on_several

pytestmark = on_several


def test_players_at_two_processes_meet(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, several(tmp_path / "tavola.db", redis) as running:
        here, there = (process.server for process in running)
        with waiting(here) as one, waiting(there) as other:
            assert one.paired()["match"] == other.paired()["match"]
        # The process that dies hands its queue to the other.
        with waiting(here), waiting(there, game="proteus"):
            running[0].kill()
            with waiting_again(there) as one, waiting_again(there) as other:
                assert one.paired()["match"] == other.paired()["match"]


@contextmanager
def waiting_again(server: LiveServer) -> Iterator[Waiting]:
    """Connect as the client does: again while the queue has no owner."""
    for _ in range(20):
        try:
            with looking(server) as player:
                assert player.hear() == {"type": "waiting"}
                yield player
                return
        except ConnectionClosed:
            continue
