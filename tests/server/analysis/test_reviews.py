"""Looking at a finished match again: its positions, and what is thought of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavola
from tavola.server.analysis import worker
from tavola.server.analysis.worker import AnalysePosition, PositionResult, run_task
from tavola.server.analysis.worker_pool import WorkerPool
from tavola.server.errors import RequestError
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import RateLimits
from tests.server.live_server import (
    ENGINE,
    PATIENCE,
    SHORTEST,
    Json,
    LiveServer,
    Player,
    SocketClient,
    error_of,
    serve,
)

ACTIONS = [token for turn in SHORTEST for token in turn]


@pytest.fixture
def finished(server: LiveServer) -> Player:
    guest = server.create_match()
    assert guest.play(*ACTIONS)["status"] == "over"
    return guest


def then(guest: Player, ply: int) -> Json:
    answer = guest.server.http.get(f"{guest.url}/positions/{ply}", headers=guest.headers)
    assert answer.status_code == 200, answer.text
    snapshot: Json = answer.json()
    return snapshot


def worker_processes() -> set[int]:
    """The processes of this test's servers that think."""
    pids: set[int] = set()
    for file in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # The thread has ended.
            pids.update(map(int, file.read_text().split()))
    return {pid for pid in pids if "tavola.server.analysis.worker" in _command(pid)}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def until_final(chair: SocketClient) -> Json:
    while not (message := chair.receive_until("analysis"))["final"]:
        pass
    return message


def test_every_position_is_as_it_was(finished: Player) -> None:
    state = tavola.load("potlatch").start()
    for ply, token in enumerate([*ACTIONS, None]):
        seen = then(finished, ply)
        assert [entry["token"] for entry in seen["log"]] == ACTIONS[:ply]
        assert {action["token"] for action in seen["view"]["actions"]} == set(state.legal_actions)
        assert seen["acting"] == state.to_act
        assert not any(seen["can"].values())
        if token is not None:
            assert seen["result"] is None
            state = state.play(token)
    assert seen["result"]["winners"] == [0]


def test_a_resigned_match_is_looked_at_too(server: LiveServer) -> None:
    guest = server.create_match()
    guest.play("Pnw")
    guest.do("resign", seat=1)
    for ply in (0, 1):
        seen = then(guest, ply)
        assert (seen["result"], seen["acting"]) == (None, 0)
        assert seen["view"]["actions"]


def test_what_was_not_played_is_looked_at_too(finished: Player) -> None:
    state = tavola.load("potlatch").start().play(ACTIONS[0])
    other = next(token for token in state.legal_actions if token != ACTIONS[1])
    for viewer in (finished, finished.spectator()):
        answer = viewer.server.http.get(f"{viewer.url}/positions/1", params={"line": other})
        assert answer.status_code == 200, answer.text
        seen = answer.json()
        assert [entry["token"] for entry in seen["log"]] == [ACTIONS[0], other]
        after = set(state.play(other).legal_actions)
        assert {action["token"] for action in seen["view"]["actions"]} == after
    with finished.spectator().connect() as chair:
        chair.send(type="analyse", ply=1, line=[other])
        message = chair.receive_until("analysis")
        assert (message["ply"], message["line"]) == (1, [other])
        assert {line["action"] for line in message["position"]["lines"]} <= after
        chair.send(type="analyse", ply=1, line=["nonsense"])
        assert chair.receive_until("analysis-refused")["error"]["code"] == "illegal"


def test_chance_answers_in_what_was_not_played(server: LiveServer) -> None:
    """By a draw of its own, that is kept from then on: the line continues from the log."""
    guest = server.create_match(game="passtally")
    begin = drawn(guest)
    guest.play(guest.snapshot()["view"]["actions"][0]["token"])
    guest.do("resign", seat=0)
    line: list[str] = []
    for _ in range(12):
        seen = server.http.get(f"{guest.url}/positions/{begin}", params={"line": line}).json()
        assert [entry["token"] for entry in seen["log"][begin:]][: len(line)] == line
        line = [entry["token"] for entry in seen["log"][begin:]]
        assert seen["acting"] is not None
        line.append(seen["view"]["actions"][0]["token"])
    assert any(entry["seat"] < 0 for entry in seen["log"][begin:])


def drawn(guest: Player) -> int:
    """How many draws begin the match."""
    return sum(entry["seat"] < 0 for entry in guest.snapshot()["log"])


@pytest.mark.parametrize("ply", ["8", "-1", "99999999999999999999"])
def test_there_are_only_so_many_positions(finished: Player, ply: str) -> None:
    answer = finished.server.http.get(f"{finished.url}/positions/{ply}")
    assert error_of(answer) == (422, "unknown-position")


def test_a_match_that_goes_on_is_not_analysed(server: LiveServer) -> None:
    guest = server.create_match()
    guest.play("Pnw")
    assert error_of(server.http.get(f"{guest.url}/positions/0")) == (409, "not-over")
    with guest.connect() as chair:
        chair.send(type="analyse", ply=0)
        assert chair.receive_until("analysis-refused")["error"]["code"] == "not-over"


def test_the_search_time_of_a_position_grows(finished: Player) -> None:
    with finished.spectator().connect() as chair:
        chair.send(type="analyse", ply=4)
        first = chair.receive_until("analysis")
        assert first["ply"] == 4
        assert not first["final"]
        second = chair.receive_until("analysis")
        assert second["seconds"] > first["seconds"]
        # In the same tree: whatever was looked at stays looked at.
        before, after = (
            {line["action"]: line["visits"] for line in message["position"]["lines"]}
            for message in (first, second)
        )
        assert all(after[action] >= before[action] for action in before.keys() & after)
        assert sum(after.values()) > sum(before.values())
        legal = {action["token"] for action in then(finished, 4)["view"]["actions"]}
        assert {line["action"] for line in second["position"]["lines"]} <= legal
        assert sum(second["position"]["shares"]) == pytest.approx(1, abs=1e-6)


def test_all_nodes_of_a_search_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "TIME_SLICES", (0.1, 0.01))
    order = AnalysePosition("potlatch", {}, tavola.load("potlatch").start().text)
    first, second = run_task(order, tavola.Stop())
    assert isinstance(first, PositionResult)
    assert isinstance(second, PositionResult)
    assert second.position.nodes > first.position.nodes > 0


@pytest.mark.long
def test_a_paused_search_continues_its_tree() -> None:
    order = AnalysePosition("potlatch", {}, tavola.load("potlatch").start().text)
    nodes, seconds = [], 0.0
    for steps in range(3):
        running = run_task(msgspec.structs.replace(order, steps=steps), stop := tavola.Stop())
        found = next(running)
        assert isinstance(found, PositionResult)
        nodes.append(found.position.nodes)
        seconds = found.seconds
        stop.set()
        assert list(running) == []
    assert seconds == round(sum(worker.TIME_SLICES[:3]), 1)
    assert nodes == sorted(nodes)
    # Others have displaced it: a new tree has the seconds of this step alone.
    worker._paused.clear()
    again = next(run_task(msgspec.structs.replace(order, steps=3), tavola.Stop()))
    assert isinstance(again, PositionResult)
    assert again.seconds == worker.TIME_SLICES[3]


@pytest.mark.long
def test_another_client_waits_for_one_step_of_an_analysis() -> None:
    assert max(worker.TIME_SLICES) <= 0.8
    order = AnalysePosition("potlatch", {}, tavola.load("potlatch").start().text)
    outputs: list[str] = []

    async def follow(pool: WorkerPool, client: str, results: int) -> None:
        steps = 0
        while steps < results:
            task = msgspec.structs.replace(order, steps=steps)
            async with contextlib.aclosing(pool.run(task, client)) as found:
                async for _ in found:
                    outputs.append(client)
                    steps += 1
                    if steps == results:
                        break

    async def work() -> None:
        pool = WorkerPool(1, RateLimits())
        crowd = [asyncio.create_task(follow(pool, "crowd", 4)) for _ in range(3)]
        while not outputs:
            await asyncio.sleep(0.01)
        before = len(outputs)
        async with asyncio.timeout(PATIENCE):
            await follow(pool, "alone", 1)
            assert len(outputs) - before <= 3
            await asyncio.gather(*crowd)
        pool.close()

    asyncio.run(work())


def test_a_proven_result_ends_the_search(finished: Player) -> None:
    with finished.connect() as chair:
        chair.send(type="analyse", ply=len(ACTIONS))
        message = until_final(chair)
        assert message["position"]["shares"] == [1, 0]
        assert message["position"]["certain"] == {"winners": [0], "actions": 0, "turns": 0}


@pytest.mark.long
def test_the_whole_match_is_studied_once_for_all(tmp_path: Path) -> None:
    with serve(tmp_path, analysis_processes=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as one:
            one.send(type="analyse", ply=len(ACTIONS))
            positions: list[Any] = []
            actions: list[Any] = []
            while len(positions) <= len(ACTIONS):
                message = one.receive_until("study")
                assert message["first"] == len(positions)
                assert message["length"] == len(ACTIONS)
                positions += message["positions"]
                actions += message["actions"]
            assert [action["token"] for action in actions] == ACTIONS
            assert positions[-1]["shares"] == [1, 0]
            assert [balance["end"] for balance in message["balances"]] == [1, 0]
        with guest.spectator().connect() as other:
            other.send(type="analyse", ply=0)
            known = other.receive_until("study")
            assert known["first"] == 0
            assert known["positions"] == positions
            assert known["actions"] == actions


@pytest.mark.long
def test_a_study_goes_on_where_it_was_left(tmp_path: Path) -> None:
    with serve(tmp_path, analysis_processes=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as chair:
            chair.send(type="analyse", ply=len(ACTIONS))
            begun = chair.receive_until("study")
            chair.send(type="analyse", ply=None)
        with guest.connect() as chair:
            chair.send(type="analyse", ply=len(ACTIONS))
            known = chair.receive_until("study")
            assert known["first"] == 0
            assert known["positions"][: len(begun["positions"])] == begun["positions"]
            seen = len(known["positions"])
            while seen <= len(ACTIONS):
                message = chair.receive_until("study")
                assert message["first"] == seen
                seen += len(message["positions"])


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_search_ends_when_its_viewer_leaves(tmp_path: Path) -> None:
    """One analyst: who comes after gets its turn at once."""
    before = worker_processes()
    with serve(tmp_path, analysis_processes=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as chair:
            began = time.monotonic()
            chair.send(type="analyse", ply=0)
            while not chair.receive_until("analysis")["final"]:
                pass
            whole = time.monotonic() - began
        for _ in range(3):
            with guest.connect() as chair:
                chair.send(type="analyse", ply=1)
                chair.receive_until("analysis")
                began = time.monotonic()
                for ply in (2, 3, 4):
                    chair.send(type="analyse", ply=ply)
                while chair.receive_until("analysis")["ply"] != 4:
                    pass
                # Three whole thoughts, if they went on.
                assert time.monotonic() - began < 1.5 * whole
        assert len(worker_processes() - before) == 1


@pytest.mark.long
def test_analysis_does_not_hinder_play(tmp_path: Path) -> None:
    with serve(tmp_path, analysis_processes=1, engine_threads=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as chair:
            chair.send(type="analyse", ply=0)
            chair.receive_until("analysis")
            playing = server.create_match(seats=[ENGINE, ENGINE])
            with playing.connect() as watcher:
                snapshot = watcher.receive()["snapshot"]
                while snapshot["seq"] < 6:
                    snapshot = watcher.receive_until("update")["snapshot"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")
def test_a_killed_worker_is_reported_and_replaced(tmp_path: Path) -> None:
    before = worker_processes()
    with serve(tmp_path, analysis_processes=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as chair:
            chair.send(type="analyse", ply=0)
            chair.receive_until("analysis")
            (pid,) = worker_processes() - before
            os.kill(pid, signal.SIGKILL)
            assert chair.receive_until("analysis-refused")["error"]["code"] == "internal"
            chair.send(type="analyse", ply=1)
            assert chair.receive_until("analysis")["ply"] == 1
    assert worker_processes() == before


def test_a_worker_ends_with_its_server() -> None:
    """A worker ends when its standard input is closed."""
    command = [sys.executable, "-m", "tavola.server.analysis.worker"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    order = b'{"job":"position","game":"potlatch","options":{},"position":"%s"}\n'
    process.stdin.write(order % tavola.load("potlatch").start().text.encode())
    process.stdin.close()
    assert process.wait(10) == 0
    assert process.stdout is not None
    process.stdout.close()


@pytest.mark.long
def test_a_client_over_its_analysis_limit_receives_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "tavola.server.ops.rate_limits.WORK", rate_limits.Limit(0.0, 0.5, "analysis-limit")
    )
    with serve(tmp_path, analysis_processes=1) as server:
        guest = server.create_match()
        guest.play(*ACTIONS)
        with guest.connect() as chair:
            chair.send(type="analyse", ply=0)
            assert chair.receive_until("analysis-refused")["error"]["code"] == "analysis-limit"
            chair.send(type="ping")
            assert chair.receive_until("pong")


def test_time_to_think_comes_back() -> None:
    limits = RateLimits()
    limits.check_work("here")
    limits.spend_work("here", 601)
    with pytest.raises(RequestError, match="analysis-limit"):
        limits.check_work("here")
    limits.check_work("elsewhere")


@pytest.mark.parametrize("ply", [-1, "1", 1.5, 2**60])
def test_a_ply_is_a_number(finished: Player, ply: Any) -> None:
    with finished.connect() as chair:
        chair.send(type="analyse", ply=ply)
        assert chair.receive_until("refused")["error"]["code"] == "invalid"
        chair.send(type="analyse", ply=99)
        assert chair.receive_until("analysis-refused")["error"]["code"] == "unknown-position"
