"""Engines serve all clients in turn, however many matches one of them has."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola.server.live import engine_player, engine_pool
from tavola.server.ops import rate_limits
from tavola.server.ops.fair_queue import FairQueue
from tests.server.http.test_health import figure
from tests.server.live_server import ENGINE, PERSON, LiveServer, Player, error_of, serve, wait_until

CROWD = "198.51.100.1"
ALONE = "203.0.113.5"

people = st.sets(st.sampled_from("abcde"), min_size=1, max_size=2)
steps = st.lists(
    st.one_of(people, st.just("served"), st.just("over"), st.just("left")), max_size=60
)


class Turns:
    """A queue whose items run, a fixed number at a time."""

    def __init__(self, threads: int) -> None:
        self.queue = FairQueue[int]()
        self.threads = threads
        self.doing: list[int] = []
        self.begun: list[int] = []
        self.waits_for: dict[int, set[str]] = {}

    def go_on(self) -> None:
        while len(self.doing) < self.threads and (one := self.queue.pop()) is not None:
            self.doing.append(one)
            self.begun.append(one)

    def join(self, people: set[str]) -> int:
        one = len(self.waits_for)
        self.waits_for[one] = people
        self.queue.add(one, people)
        self.go_on()
        return one

    def do(self, step: set[str] | str) -> None:
        if isinstance(step, set):
            self.join(step)
        elif step == "left":
            for one in list(self.queue)[:1]:
                self.queue.remove(one)
        elif self.doing and step == "served":
            self.queue.finish(self.doing.pop(0))
        elif self.doing and self.queue.should_yield(self.doing[0]):
            one = self.doing.pop(0)
            self.queue.put_back(one)
            self.go_on()
            assert self.doing[-1] != one
        self.go_on()


class TestQueue:
    @given(
        before=steps,
        after=steps,
        threads=st.integers(1, 3),
        last=st.sampled_from(["served", "over"]),
    )
    def test_whoever_comes_waits_behind_one_turn_of_each_other_at_most(
        self, before: list[set[str] | str], after: list[set[str] | str], threads: int, last: str
    ) -> None:
        turns = Turns(threads)
        for step in before:
            turns.do(step)
        turns.begun.clear()
        mine = turns.join({"new"})
        # The others' actions take nothing from this one's wait.
        for step in [*after, *[last] * 200]:
            if step != "left":
                turns.do(step)
        before_it = [turns.waits_for[one] for one in turns.begun[: turns.begun.index(mine)]]
        assert len(before_it) <= len(set().union(*before_it))

    def test_somebody_for_whom_less_is_being_done_is_next(self) -> None:
        queue = FairQueue[str]()
        for one in ("1", "2"):
            queue.add(one, {"slow"})
        queue.add("3", {"quick"})
        assert [queue.pop(), queue.pop()] == ["1", "3"]
        queue.add("4", {"quick"})
        queue.finish("3")
        # The first of them still is at work for the slow one, who was longer not served.
        assert queue.pop() == "4"
        assert queue.pop() == "2"

    def test_everything_is_done_once_for_whoever_waits(self) -> None:
        queue = FairQueue[str]()
        queue.add("both", {"a", "b"})
        queue.add("mine", {"a"})
        assert (len(queue), queue.waiting_for("a"), queue.waiting_for("b")) == (2, 2, 1)
        assert queue.pop() == "both"
        assert (len(queue), queue.waiting_for("a"), queue.waiting_for("b")) == (1, 1, 0)
        assert queue.remove("mine")
        assert not queue.remove("mine")
        assert queue.pop() is None

    def test_what_is_put_back_is_next_for_its_people_when_others_have_been_served(self) -> None:
        queue = FairQueue[str]()
        for one in ("1", "2"):
            queue.add(one, {"slow"})
        assert queue.pop() == "1"
        # No other client waits.
        assert not queue.should_yield("1")
        queue.add("3", {"quick"})
        assert queue.should_yield("1")
        queue.put_back("1")
        assert (queue.waiting_for("slow"), queue.pop()) == (2, "3")
        # As much is done for the one as for the other.
        assert queue.pop() == "1"
        assert not queue.should_yield("3")

    def test_somebody_who_comes_while_it_is_done_waits_for_it_when_it_is_put_back(self) -> None:
        queue = FairQueue[str]()
        queue.add("long", {"first"})
        assert queue.pop() == "long"
        queue.add("long", {"second"})
        queue.add("other", {"third"})
        queue.put_back("long")
        assert (queue.waiting_for("first"), queue.waiting_for("second")) == (1, 1)

    def test_somebody_who_joins_in_brings_their_turn(self) -> None:
        queue = FairQueue[str]()
        for one in ("1", "2", "3"):
            queue.add(one, {"crowd"})
        queue.add("3", {"friend"})
        assert [queue.pop(), queue.pop()] == ["1", "3"]


class Gate:
    """Hold up the engines' searches here, one after another."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self._free = threading.Semaphore(0)

    def hold(self, thought: engine_pool.SearchTask) -> None:
        self.begun.append(thought.match)
        while not self._free.acquire(timeout=0.01):
            if thought.stopped:
                return

    def free(self, many: int = 1) -> None:
        self._free.release(many)

    def has_begun(self, many: int) -> bool:
        return len(self.begun) == many


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    run = engine_pool.SearchTask.run
    # A search that is held up here does not rest.
    monkeypatch.setattr(engine_pool, "TIME_SLICE", 600.0)

    def held(thought: engine_pool.SearchTask, *given: Any) -> tuple[tavola.Engine, str | None]:
        if not thought.is_urgent:
            gate.hold(thought)
        return run(thought, *given)

    monkeypatch.setattr(engine_pool.SearchTask, "run", held)
    yield gate
    gate.free(10_000)


def against_an_engine(server: LiveServer, *, many: int = 1) -> list[Player]:
    return [server.create_match(seats=[ENGINE, PERSON]) for _ in range(many)]


def has_come_to(guest: Player, seq: int) -> bool:
    return bool(guest.snapshot()["seq"] == seq)


def waiting(server: LiveServer) -> float:
    return figure(server, "tavola_engines_waiting")


@pytest.mark.long
def test_many_clients_of_one_address_delay_a_person_by_one_search(
    tmp_path: Path, gate: Gate
) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        crowd = {one.match for one in against_an_engine(server.from_client(CROWD), many=30)}
        (mine,) = against_an_engine(server.from_client(ALONE))
        assert (waiting(server), figure(server, "tavola_engines_thinking")) == (30, 1)
        before = figure(server, "tavola_engine_wait_seconds_count")
        for seq in (1, 2):
            # Its whole turn: it thinks twice, and each time it waits for what is being thought.
            gate.free(2)
            wait_until(partial(has_come_to, mine, seq))
            assert gate.begun.count(mine.match) == seq
            assert sum(match in crowd for match in gate.begun) <= seq + 1
        assert figure(server, "tavola_engine_wait_seconds_count") >= before + 3


def test_many_addresses_delay_a_person_by_one_search_each(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=2) as server:
        for number in range(3):
            against_an_engine(server.from_client(f"198.51.100.{number}"), many=10)
        (mine,) = against_an_engine(server.from_client(ALONE))
        wait_until(partial(gate.has_begun, 2))
        for free in range(1, 6):
            gate.free()
            wait_until(partial(gate.has_begun, 2 + free))
            if mine.match in gate.begun:
                break
        # Two were being thought already.
        assert mine.match in gate.begun[: 2 + 3 + 1]


def test_an_opponents_many_matches_do_not_delay_a_player(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        many = server.from_client(CROWD)
        against_an_engine(many, many=20)
        shared = many.create_match(
            game="passtally", options={"players": "3"}, seats=[ENGINE, PERSON, PERSON]
        )
        friend = Player(server.from_client(ALONE), shared.match, shared.tokens[1:])
        with friend.connect() as chair:
            chair.receive()
            gate.free(2)
            wait_until(lambda: shared.match in gate.begun)
            assert len(gate.begun) <= 3


def test_engine_matches_run_while_no_person_waits(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        first = against_an_engine(server)[0]
        among = server.from_client(ALONE).create_match(seats=[ENGINE, ENGINE])
        with among.connect() as chair:
            chair.receive()
            wait_until(lambda: waiting(server) == 1)
            others = against_an_engine(server, many=5)
            gate.free(4)
            wait_until(lambda: len(gate.begun) == 5)
            assert among.match not in gate.begun
            gate.free(20)
            wait_until(lambda: among.match in gate.begun)
            assert {one.match for one in (first, *others)} <= set(gate.begun)


@pytest.mark.long
def test_a_turn_whose_time_is_up_waits_for_no_engine(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        against_an_engine(server, many=3)
        timed = server.create_match(time={"kind": "turn", "seconds": 1})
        with timed.connect() as chair:
            update = chair.receive_until("update")
        assert [entry["late"] for entry in update["snapshot"]["log"]] == [True]
        assert len(gate.begun) == 1


def test_a_query_does_not_disturb_a_search(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        slow = server.create_match(
            game="passtally",
            options={"players": "3"},
            seats=[ENGINE, PERSON, PERSON],
            time={"kind": "main", "seconds": 600, "increment": 0},
        )
        begun = len(slow.snapshot()["log"])
        wait_until(lambda: len(gate.begun) == 1)
        slow.only(0).do("ask", token="pause", seat=1)
        assert slow.only(1).snapshot()["request"]["what"] == "pause"
        time.sleep(0.3)
        assert len(gate.begun) == 1
        gate.free()
        wait_until(lambda: len(slow.snapshot()["log"]) > begun)


def test_a_cancelled_search_leaves_the_queue(tmp_path: Path, gate: Gate) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        first, second, third = against_an_engine(server, many=3)
        assert waiting(server) == 2
        second.do("resign", seat=1)
        assert waiting(server) == 1
        gate.free(2)
        wait_until(lambda: third.match in gate.begun)
        assert second.match not in gate.begun
        assert set(gate.begun) == {first.match, third.match}


@pytest.mark.long
def test_so_many_may_wait_and_no_more_and_nothing_is_lost(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_pool, "MAX_WAITING_ENGINES", 3)
    with serve(tmp_path, engine_threads=1) as server:
        crowd = server.from_client(CROWD)
        acts = crowd.create_match(seats=[PERSON, ENGINE])
        seq = acts.play("Pnw")["seq"]
        against_an_engine(crowd, many=4)
        wanted = {"game": "potlatch", "seats": [ENGINE, PERSON], "confirm": False}
        answer = crowd.http.post("/api/matches", json=wanted)
        assert error_of(answer) == (429, "engines-busy")
        assert answer.json()["params"] == {"most": 3}
        # Neither is there room for an action that makes an engine think; others have room.
        assert error_of(acts.request("play", token="Pw")) == (429, "engines-busy")
        assert acts.snapshot()["seq"] == seq
        assert error_of(acts.request("play", token="nonsense")) == (422, "illegal")
        crowd.create_match()
        against_an_engine(server.from_client(ALONE))
        gate.free(20)
        wait_until(lambda: acts.request("play", token="Pw").status_code == 200)
        assert [entry["token"] for entry in acts.snapshot()["log"]][:2] == ["Pnw", "Pw"]


@pytest.mark.long
def test_a_client_that_waits_long_is_notified(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_player, "LONG_WAIT", 0.2)
    with serve(tmp_path, engine_threads=1) as server:
        first, second = against_an_engine(server, many=2)
        with second.connect() as chair:
            while not chair.receive_until("presence")["engine_queued"]:
                pass
            with second.connect() as late:
                assert late.receive_until("presence")["engine_queued"]
            # The next search of the first one has not waited for long.
            monkeypatch.setattr(engine_player, "LONG_WAIT", 600.0)
            gate.free()
            while chair.receive_until("presence")["engine_queued"]:
                pass
        with first.connect() as chair:
            assert not chair.receive_until("presence")["engine_queued"]


@pytest.mark.long
def test_a_match_resumed_at_the_start_has_one_turn_until_a_viewer_joins(
    tmp_path: Path, gate: Gate
) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        begun = against_an_engine(server, many=12)
    gate.begun.clear()
    with serve(tmp_path, engine_threads=1) as server:
        wait_until(lambda: waiting(server) == 11)
        back = next(one for one in reversed(begun) if one.match not in gate.begun)
        back = Player(server.from_client(ALONE), back.match, back.tokens)
        with back.connect() as chair:
            chair.receive()
            gate.free()
            wait_until(lambda: len(gate.begun) == 2)
            assert gate.begun[1] == back.match


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        ("", ""),
    ],
)
def test_an_ipv6_network_counts_as_one_client(address: str, counted: str) -> None:
    assert rate_limits.client_key(address) == counted


def test_limits_count_for_the_whole_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "REQUESTS", rate_limits.Limit(0.0, 2.0))
    with serve(tmp_path) as server:
        codes = [
            server.from_client(address).http.get("/api/lobby").status_code
            for address in ("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")
        ]
    assert codes == [200, 200, 429, 200]
