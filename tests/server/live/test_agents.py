"""Agents of the host: chosen at the set-up, played by name, and their failures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import structlog

import tavola
from tavola.server.live import agents
from tests.server.live_server import (
    PERSON,
    LiveServer,
    Player,
    SocketClient,
    error_of,
    serve,
    wait_until,
)

FILE = Path(__file__).parents[2] / "engines" / "python_agents.py"

AGENTS = {
    "Greedy": f"python:{FILE}:Random",
    "Raising": f"python:{FILE}:Raises",
    "Nonsense": f"python:option.answer=42 -- {FILE}:Nonsense",
    "Hanging": f"python:seconds=0.2 -- {FILE}:Hangs",
    "Dying": f"python:{FILE}:Dies",
    "Level": "tree:nodes=20",
}


def against(agent: str) -> list[dict[str, Any]]:
    return [PERSON, {"kind": "engine", "agent": agent}]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with serve(tmp_path_factory.mktemp("agents"), agents=AGENTS) as server:
        yield server


def play_turn(guest: Player) -> None:
    """Plays the person's whole turn."""
    guest.play("Pnw", "Pw")


def is_to_act(guest: Player) -> bool:
    return bool(guest.snapshot()["acting"] == 0)


def next_failure(chair: SocketClient) -> Any:
    """The next failure that the server reports."""
    while (found := chair.receive_until("presence")["engine_failure"]) is None:
        pass
    return found


def test_agents_are_listed_and_play_by_name(host: LiveServer) -> None:
    assert host.http.get("/api/agents").json() == list(AGENTS)
    for agent in ("Greedy", "Level"):
        guest = host.create_match(seats=against(agent))
        play_turn(guest)
        wait_until(partial(is_to_act, guest))
        seat = guest.snapshot()["seats"][1]
        assert (seat["kind"], seat["agent"], seat["name"]) == ("engine", agent, agent)
        assert "level" not in seat
        assert "seconds" not in seat
        (record,) = tavola.read_records(host.http.get(f"{guest.url}/record").text)
        assert dict(record.tags)["Seat1"] == agent


def test_unknown_agents_and_two_engines_in_a_seat_are_rejected(host: LiveServer) -> None:
    wanted: dict[str, Any] = {"game": "potlatch", "seats": against("Nobody")}
    answer = host.http.post("/api/matches", json=wanted)
    assert error_of(answer) == (404, "unknown-agent")
    assert "Greedy, Raising" in answer.json()["message"]
    wanted["seats"][1] = {"kind": "engine", "agent": "Greedy", "level": 3}
    answer = host.http.post("/api/matches", json=wanted)
    assert error_of(answer) == (422, "invalid")
    assert "only one of them" in answer.json()["message"]


@pytest.mark.parametrize(
    ("agent", "english", "japanese"),
    [
        (
            "Raising",
            "The engine Raising raised KeyError: 'no idea' (python_agents.py, line 65)",
            "Raising：例外が起きました（KeyError: 'no idea' (python_agents.py, line 65)）",
        ),
        ("Nonsense", "The engine Nonsense answered 42 (int)", "Nonsense：42 (int) と答えました"),
        ("Hanging", "The engine Hanging did not answer within", "Hanging："),
        ("Dying", "The engine Dying exited with status 3", "Dying："),
    ],
)
def test_a_failing_agent_does_not_end_the_match(
    host: LiveServer, agent: str, english: str, japanese: str
) -> None:
    guest = host.create_match(seats=against(agent))
    with guest.connect() as chair:
        play_turn(guest)
        failure = next_failure(chair)
        assert (failure["seat"], failure["missing"]) == (1, False)
        assert failure["text"]["en"].startswith(english)
        assert failure["text"]["ja"].startswith(japanese)
        assert str(FILE.parent) not in json.dumps(failure)
        # It fails again when a player lets it try again.
        chair.send(type="retry")
        assert chair.receive_until("presence")["engine_failure"] is None
        assert next_failure(chair)["text"]["en"].startswith(english)
        guest.do("ask", token="engine:1", seat=0, seq=2)
        wait_until(lambda: guest.snapshot()["acting"] == 0)
    snapshot = guest.snapshot()
    assert snapshot["seats"][1]["level"] == 5
    assert "agent" not in snapshot["seats"][1]


def test_only_players_let_an_agent_try_again_or_replace_it(host: LiveServer) -> None:
    guest = host.create_match(seats=against("Raising"))
    assert error_of(guest.request("ask", token="engine:1")) == (409, "cannot-ask")
    with guest.connect() as chair, guest.spectator().connect() as spectator:
        play_turn(guest)
        next_failure(chair)
        spectator.send(type="retry")
        assert spectator.receive_until("refused")["error"]["code"] == "not-your-seat"
    answer = guest.spectator().request("ask", token="engine:1", seat=0, seq=2)
    assert error_of(answer) == (403, "not-your-seat")


def test_an_undo_lets_the_agent_play_again(host: LiveServer) -> None:
    guest = host.create_match(seats=against("Raising"))
    with guest.connect() as chair:
        play_turn(guest)
        next_failure(chair)
        guest.do("undo", token="turn", seat=0)
        assert chair.receive_until("presence")["engine_failure"] is None
        assert guest.snapshot()["acting"] == 0


def test_the_log_has_the_traceback(tmp_path: Path) -> None:
    with (
        structlog.testing.capture_logs() as logs,
        serve(tmp_path, agents={"Raising": AGENTS["Raising"]}) as server,
    ):
        guest = server.create_match(seats=against("Raising"))
        play_turn(guest)
        wait_until(lambda: any(line["event"] == "engine failed" for line in logs))
    (line,) = (line for line in logs if line["event"] == "engine failed")
    assert 'raise KeyError("no idea")' in line["exception"]
    assert "Traceback (most recent call last)" in line["exception"]
    assert "legal actions, such as" in line["error"]
    assert (line["match"], line["engine"]) == (guest.match, "agent:Raising")


@pytest.mark.long
def test_a_match_says_which_agent_its_server_lacks(tmp_path: Path) -> None:
    with serve(tmp_path, agents={"Raising": AGENTS["Raising"]}) as server:
        guest = server.create_match(seats=against("Raising"))
        play_turn(guest)
    with serve(tmp_path) as server:
        guest.server = server
        with guest.connect() as chair:
            failure = next_failure(chair)
        assert failure["missing"]
        assert "tavola serve --engine Raising=ENGINE" in failure["text"]["en"]
        assert "このサーバーにエージェント Raising はありません" in failure["text"]["ja"]
    with serve(tmp_path, agents={"Raising": AGENTS["Greedy"]}) as server:
        guest.server = server
        wait_until(lambda: guest.snapshot()["acting"] == 0)


def test_the_process_of_an_agent_ends_with_its_match(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    agent = f"python:option.path={closed} -- {FILE}:Closes"
    with serve(tmp_path, agents={"Closing": agent}) as server:
        guest = server.create_match(seats=against("Closing"))
        play_turn(guest)
        wait_until(lambda: guest.snapshot()["acting"] == 0)
        guest.do("resign")
        wait_until(closed.exists)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (
            "no file: '/home/bob/my notes/key.txt' (agent.py, line 3)",
            "No file: 'key.txt' (agent.py, line 3)",
        ),
        ("cannot read /srv/tavola/secret.txt", "Cannot read secret.txt"),
        ("at C:\\Users\\bob\\x.txt now", "At x.txt now"),
        ("failed (/opt/a/b.py, line 3)", "Failed (b.py, line 3)"),
        ("~/a/b.py is missing", "b.py is missing"),
        ("3/4 of https://example.org/a/b", "3/4 of https://example.org/a/b"),
    ],
)
def test_players_learn_no_folders(told: str, shown: str) -> None:
    assert agents._sentence(told) == shown
