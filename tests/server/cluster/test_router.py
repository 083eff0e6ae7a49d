"""Several processes behind one address: every process shows the same match."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets
from redis import Redis

from tavola.server.cluster import leases, router
from tests.server.databases import rows
from tests.server.live_server import (
    ENGINE,
    PATIENCE,
    PERSON,
    LiveServer,
    Player,
    SocketClient,
    error_of,
)
from tests.server.players import signed_out_player, signed_up_player
from tests.server.redis_server import RedisServer, on_several
from tests.server.server_process import Process
from tests.server.storage.test_durability import PlayerThread, check

pytestmark = on_several

TAKEN_OVER = leases.LEASE_SECONDS + PATIENCE
"""Within how many seconds another process continues, on a busy machine."""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@contextmanager
def several(database: Path, redis: RedisServer, count: int = 2) -> Iterator[list[Process]]:
    running = [Process(database, "--fan-out", redis.url) for _ in range(count)]
    try:
        for process in running:
            wait_until(process.ready().server.http.get, "/readyz")
        yield running
    finally:
        for process in running:
            if process.runs:
                process.kill()


def wait_until(get: Callable[[str], Any], address: str, status: int = 200) -> Any:
    """Ask until the answer has this status, and return it."""
    deadline = time.monotonic() + 60
    while (answer := get(address)).status_code != status:
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.05)
    return answer


@pytest.fixture(scope="module")
def two(redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[LiveServer]]:
    with several(tmp_path_factory.mktemp("several") / "tavola.db", redis) as running:
        yield [process.server for process in running]


def at(server: LiveServer, guest: Player) -> Player:
    return Player(server, guest.match, guest.tokens)


def hear_closed(chair: SocketClient) -> int | None:
    """The code with which the server closes a socket."""
    try:
        while True:
            chair.receive_any(20)
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def until(look: Callable[[], Any]) -> Any:
    """Return the message that comes within the time of a lease."""
    deadline = time.monotonic() + TAKEN_OVER
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return found


def test_an_action_is_sent_to_viewers_at_every_process(two: list[LiveServer]) -> None:
    here, there = two
    blue = here.create_match()
    red = at(there, blue)
    with blue.connect() as near, red.connect() as far:
        assert near.receive()["snapshot"] == far.receive()["snapshot"] == red.snapshot()
        for guest, token in ((blue, "Pnw"), (red, "Pw"), (red, "Pne"), (blue, "Pe")):
            guest.play(token)
            told = near.receive()
            assert (told["type"], told["snapshot"]["log"][-1]["token"]) == ("update", token)
            assert told == far.receive()
        far.send(type="command", id="mine", do="resign", seat=0, seq=told["seq"])
        assert far.receive_until("done")["seq"] == 5
        assert near.receive()["snapshot"]["status"] == "over"


def test_presence_and_chat_are_known_at_every_process(two: list[LiveServer]) -> None:
    here, there = two
    guest = here.create_match()
    with guest.only(0).connect() as near, at(there, guest).only(1).connect() as far:

        def both() -> bool:
            told = near.receive_any()
            return told["type"] == "presence" and all(
                seat["state"] == "online" for seat in told["seats"]
            )

        until(both)
        far.send(type="say", seat=1, text="Hello")
        assert near.receive_until("chat")["lines"][0]["text"] == "Hello"
    with at(there, guest).connect() as later:
        assert later.receive_until("chat")["lines"][0]["text"] == "Hello"


def test_of_two_commands_at_the_same_time_one_counts(two: list[LiveServer]) -> None:
    guests = [guest := two[0].create_match(), at(two[1], guest)]
    with ThreadPoolExecutor(2) as pool:
        for seq in range(10):
            token = guest.snapshot()["view"]["actions"][0]["token"]
            seat = guest.snapshot()["acting"]
            answers = list(
                pool.map(lambda one: one.request("play", seq=seq, seat=seat, token=token), guests)  # noqa: B023
            )
            codes = sorted(answer.status_code for answer in answers)
            assert codes == [200, 409]
            assert error_of(max(answers, key=lambda answer: answer.status_code))[1] == "stale"
        sent = {"id": "same", "seq": 10, "seat": 0}
        answers = list(pool.map(lambda one: one.request("resign", **sent), guests))
    assert [answer.json()["seq"] for answer in answers] == [11, 11]
    assert [one.snapshot()["seq"] for one in guests] == [11, 11]


def test_requests_are_answered_and_refused_as_where_the_match_is(two: list[LiveServer]) -> None:
    here, there = two
    guest = here.create_match()
    for one in (guest, at(there, guest)):
        answer = one.request("play", seq=7, language="ja", token="Pw", seat=0)
        assert error_of(answer) == (409, "stale")
        assert answer.headers["content-language"] == "ja"
        assert "default-src" in answer.headers["content-security-policy"]
        long = one.server.http.post(f"{one.url}/commands", content=b" " * 70_000)
        assert error_of(long) == (413, "too-large")
        foreign = one.server.http.get(one.url, headers={"host": "evil.example"})
        assert error_of(foreign) == (421, "host")
        wrong = one.server.http.get(one.url, headers={"authorization": "Bearer wrong"})
        assert error_of(wrong) == (401, "unknown-token")
        assert error_of(one.server.http.get("/api/matches/abcdefghijkl")) == (404, "unknown-match")
        with one.open_socket() as opened:
            opened.send("{}")
            chair = SocketClient(opened)
            assert chair.receive()["error"]["code"] == "invalid"
            assert hear_closed(chair) == 4422
    record = [one.server.http.get(f"{one.url}/record").text for one in (guest, at(there, guest))]
    assert record[0] == record[1]


def test_a_flood_through_another_process_ends_with_its_socket(two: list[LiveServer]) -> None:
    guest = two[0].create_match()
    with guest.connect() as near:
        near.receive()
        with at(two[1], guest).connect() as far:
            far.receive()
            with suppress(websockets.ConnectionClosed):
                for _ in range(3000):
                    far.send(type="ping")
            # Too fast, or more at once than waits for the keeper, or for the one who sends it.
            assert hear_closed(far) in (4429, 1012, 1013)
        guest.play("Pnw")
        assert near.receive()["seq"] == 1


def test_a_stream_comes_from_any_process(two: list[LiveServer]) -> None:
    guest = two[0].create_match()
    with two[1].http.stream("GET", f"{guest.url}/stream", headers=guest.headers) as stream:
        lines = stream.iter_lines()
        assert '"snapshot"' in next(lines)
        guest.play("Pnw")
        assert '"update"' in next(lines)
        guest.do("resign")
        assert '"over"' in next(lines)
        assert not [line for line in lines if line]


def test_a_seat_by_link_and_an_account_are_the_same_everywhere(two: list[LiveServer]) -> None:
    here, there = two
    with signed_up_player(here) as ada, signed_out_player(there, ada.name) as again:
        assert again.sign_in().status_code == 200
        made = here.http.post(
            "/api/matches", json={"game": "potlatch", "seats": [PERSON, {"kind": "link"}]}
        ).json()
        match, tokens = made["match"], [made["tokens"][0]]
        guest = Player(here, match, tokens)
        with guest.connect() as near:
            near.receive()
            taking = {"invitation": made["invitations"][1], "token": "t" * 43, "name": "Bo"}
            taken = there.http.post(f"{guest.url}/seats", json=taking)
            assert taken.json() == {"seat": 1}
            assert near.receive()["snapshot"]["seats"][1]["name"] == "Bo"
            claimed = again.http.post("/api/account/seats", json={"match": match, "tokens": tokens})
            assert claimed.status_code == 204, claimed.text
            assert near.receive()["snapshot"]["seats"][0]["name"] == ada.name
            gone = again.http.post("/api/account/delete", json={"password": "correct horse"})
            assert gone.status_code == 204, gone.text
            assert near.receive()["snapshot"]["seats"][0]["deleted"]


def test_nothing_acknowledged_is_lost_when_the_keeper_is_killed(
    tmp_path: Path, redis: RedisServer
) -> None:
    with several(tmp_path / "tavola.db", redis, 3) as (first, second, third):
        # All matches are kept by the first; the players are at all three.
        players = list[PlayerThread]()
        for number, process in enumerate((first, second, third, third)):
            guest = at(process.server, first.server.create_match(confirm=number == 1))
            players.append(PlayerThread(guest, number, by_socket=number in (1, 3)))
        watcher = at(second.server, players[3].guest)
        with watcher.connect() as chair:
            for player in players:
                player.start()
            while sum(len(player.acknowledged) for player in players) < 60:
                time.sleep(0.01)
            first.kill()
            assert hear_closed(chair) == 1012
        for player in players:
            # Those by HTTP at the others continue by themselves.
            if player.guest.server is first.server or player._by_socket:
                player.join(PATIENCE)
                assert not player.is_alive()
        for player in players:
            player.join(60)
            player.guest.server = second.server
            check(player)
            assert player.guest.snapshot() == at(third.server, player.guest).snapshot()
        assert players[2].guest.snapshot()["status"] == "over"


@pytest.mark.long
def test_an_engines_turn_is_taken_over_without_viewers(tmp_path: Path, redis: RedisServer) -> None:
    with several(tmp_path / "tavola.db", redis) as (first, second):
        guest = first.server.create_match(seats=[PERSON, ENGINE | {"seconds": 3}])
        guest.play("Pnw", "Pw")
        assert guest.snapshot()["acting"] == 1
        first.kill()
        logged = "SELECT seat FROM events WHERE match = :match AND seq > 2"
        found = until(lambda: rows(second.database, logged, match=guest.match))
        assert found[0] == (1,)


@pytest.mark.long
def test_a_clock_goes_on_at_another_process(tmp_path: Path, redis: RedisServer) -> None:
    with several(tmp_path / "tavola.db", redis) as (first, second):
        time_for = {"kind": "main", "seconds": 6, "increment": 0}
        guest = first.server.create_match(time=time_for)
        guest.play("Pnw", "Pw", "Pne", "Pe")
        time.sleep(1)
        first.kill()
        there = at(second.server, guest)
        # Until it has the lease it says that it cannot reach the other.
        wait_until(second.server.http.get, guest.url)
        clock = there.snapshot()["clock"]
        assert clock["running"] == there.snapshot()["acting"]
        # The time until the players could reconnect is not counted.
        assert clock["remaining"][clock["running"]] > 5
        deadline = time.monotonic() + PATIENCE
        while (snapshot := there.snapshot())["status"] != "over":
            assert time.monotonic() < deadline
            time.sleep(0.2)
        assert snapshot["result"]["reason"] == "time"
        assert snapshot["result"]["loser"] == clock["running"]


def test_who_was_held_up_learns_that_it_has_lost_its_match(
    tmp_path: Path, redis: RedisServer
) -> None:
    with several(tmp_path / "tavola.db", redis) as (first, second):
        guest = first.server.create_match()
        there = at(second.server, guest)
        guest.play("Pnw")
        last = "SELECT max(seq) FROM events WHERE match = :match"
        with guest.connect() as chair:
            chair.receive()
            first.signal(signal.SIGSTOP)
            try:
                # It gets this before it learns anything; it may store it or not.
                chair.send(type="command", id="late", do="play", seat=0, token="Pw", seq=1)
                with there.connect() as far:
                    seen = far.receive()["snapshot"]  # waits until the lease has run out
                    assert seen["seq"] == 1
                    first.signal(signal.SIGCONT)
                    assert hear_closed(chair) == 1012
                    wait_until(first.server.http.get, "/readyz")
                    if rows(first.database, last, match=guest.match) == [(1,)]:
                        guest.play("Pw")
                    while seen["seq"] == 1:
                        seen = far.receive()["snapshot"]
                    assert seen == there.snapshot() == guest.snapshot()
            finally:
                first.signal(signal.SIGCONT)
        logged = "SELECT token FROM events WHERE match = :match ORDER BY seq"
        assert rows(first.database, logged, match=guest.match) == [("Pnw",), ("Pw",)]


def test_a_process_that_is_stopped_leaves_its_matches_at_once(
    tmp_path: Path, redis: RedisServer
) -> None:
    with several(tmp_path / "tavola.db", redis) as (first, second):
        guest = first.server.create_match()
        guest.play("Pnw")
        with Redis.from_url(redis.url) as kept:
            lease = f"tavola:match:{guest.match}"
            assert kept.exists(lease)
            assert first.stop() == 130
            assert not kept.exists(lease)
        assert at(second.server, guest).snapshot()["seq"] == 1


def test_matches_stop_without_redis_and_continue_afterwards(
    tmp_path: Path,
) -> None:
    with RedisServer(tmp_path) as own, several(tmp_path / "tavola.db", own) as (first, second):
        guest = first.server.create_match()
        guest.play("Pnw")
        with at(second.server, guest).connect() as chair:
            own.stop()
            assert hear_closed(chair) == 1012
        # Each process notices by itself.
        answer = wait_until(first.server.http.get, "/readyz", 503)
        assert error_of(answer) == (503, "apart")
        answer = at(second.server, guest).request("play", seq=1, seat=0, token="Pw", language="ja")
        assert error_of(answer) == (503, "apart")
        own.start()
        for process in (first, second):
            wait_until(process.server.http.get, "/readyz")
        at(second.server, guest).play("Pw")
        assert guest.snapshot()["seq"] == 2


def test_any_path_of_a_match_is_its_owner_s() -> None:
    for path in ("", "/socket", "/positions/0\n", "/a/\u2028/b"):
        found = router._MATCH_PATH.fullmatch(f"/api/matches/aaaaaaaaaaaa{path}")
        assert found is not None
        assert found[1] == "a" * 12
