"""A tournament at several processes."""

from __future__ import annotations

from pathlib import Path

from tests.server.cluster.test_router import several
from tests.server.redis_server import RedisServer, on_several
from tests.server.tournaments.clubs import Club

pytestmark = on_several


def test_two_processes_direct_one_tournament_and_one_goes_on_alone(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, several(tmp_path / "tavola.db", redis) as running:
        here, there = (process.server for process in running)
        club = Club(here, rounds=2, automatic=False)
        for name in ("Ada", "Ben", "Cleo", "Dan"):
            club.join(name)
        club.turn("started")
        club.wait(lambda now: bool(now["rounds"]))
        first, second = club.open_boards()
        club.resign(first, 1)
        club.server = there
        club.resign(second, 1)
        view = club.wait(lambda now: all(one["points"] for one in now["rounds"][0]["boards"]))
        assert sum(one["points"] for one in view["standings"]) == 2
        running[0].kill()
        club.turn("round")
        club.play_round()
        club.wait(lambda now: all(one["points"] for one in now["rounds"][1]["boards"]))
        view = club.turn("finished")
        assert sum(one["points"] for one in view["standings"]) == 4
