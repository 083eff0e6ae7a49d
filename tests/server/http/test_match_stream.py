"""Streams and bots: a match told line by line, and the documented example that plays by it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tavola
from tavola.server.http import match_stream
from tavola.server.live import engine_pool
from tavola.server.ops import rate_limits as limits_module
from tests.server.http.test_health import figure
from tests.server.live_server import (
    ENGINE,
    PERSON,
    SHORTEST,
    Json,
    LiveServer,
    Player,
    error_of,
    wait_until,
)
from tests.server.server_process import Process

BOT = Path(__file__).parents[3] / "docs/examples/bot.py"


def lines_of(guest: Player) -> list[Json]:
    found = []
    with guest.server.http.stream("GET", f"{guest.url}/stream", headers=guest.headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        for line in answer.iter_lines():
            if line:
                found.append(json.loads(line))
                if len(found) == 1:
                    for turn in SHORTEST:
                        guest.play(*turn)
    return found


def test_a_stream_sends_what_a_socket_sends(server: LiveServer) -> None:
    guest = server.create_match()
    with guest.spectator().connect() as chair:
        heard = [chair.receive()]
        told = lines_of(guest)
        heard += [chair.receive_until("update") for _ in told[1:]]
    assert [line["type"] for line in told] == ["snapshot", *["update"] * 7]
    assert [line["snapshot"]["log"] for line in told] == [line["snapshot"]["log"] for line in heard]
    assert [line["snapshot"]["seq"] for line in told] == list(range(8))
    # It has ended with the match.
    assert told[-1]["snapshot"]["status"] == "over"
    assert told[-1]["snapshot"] == guest.snapshot()


def test_a_stream_of_a_finished_match_is_one_line(server: LiveServer) -> None:
    guest = server.create_match()
    guest.do("resign")
    answer = server.http.get(f"{guest.url}/stream", headers=guest.headers)
    (line,) = [json.loads(line) for line in answer.text.splitlines()]
    assert line["snapshot"]["status"] == "over"


def test_a_stream_is_refused_as_everything_is(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    assert error_of(server.http.get("/api/matches/none/stream")) == (404, "unknown-match")
    headers = {"authorization": "Bearer wrong"}
    assert error_of(server.http.get(f"{guest.url}/stream", headers=headers))[0] == 401
    monkeypatch.setattr(limits_module, "MAX_VIEWERS_PER_CLIENT", 0)
    assert error_of(server.http.get(f"{guest.url}/stream")) == (429, "too-many-viewers")


def test_a_still_stream_shows_that_it_lives_and_a_reader_who_left_is_let_go(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_stream, "KEEPALIVE_SECONDS", 0.05)
    guest = server.create_match()
    with guest.server.http.stream("GET", f"{guest.url}/stream") as answer:
        lines = answer.iter_lines()
        assert json.loads(next(lines))["type"] == "snapshot"
        assert [next(lines), next(lines)] == ["", ""]
        assert sockets(server) == 1
    wait_until(lambda: sockets(server) == 0, "the reader is not let go")


def sockets(server: LiveServer) -> int:
    text = server.http.get("/metrics").text
    (line,) = [line for line in text.splitlines() if line.startswith("tavola_sockets ")]
    return round(float(line.split()[1]))


def test_the_example_bot_takes_the_seat_of_a_link_again_and_again(server: LiveServer) -> None:
    wanted = {"game": "potlatch", "seats": [PERSON, {"kind": "link"}], "confirm": False}
    made = server.http.post("/api/matches", json=wanted).json()
    guest = Player(server, made["match"], [token for token in made["tokens"] if token])
    (invitation,) = [secret for secret in made["invitations"] if secret]
    link = f"{server.address}/match/{guest.match}#take=1.{invitation}"
    for _ in range(2):
        while (snapshot := guest.snapshot())["acting"] == 0:
            guest.play(snapshot["view"]["actions"][0]["token"])
        played = len(guest.snapshot()["log"])
        bot = subprocess.Popen([sys.executable, str(BOT), link])
        wait_until(lambda: guest.snapshot()["acting"] == 0, "the bot does not play")
        assert len(guest.snapshot()["log"]) > played
        bot.kill()
        bot.wait()


@pytest.mark.long
@pytest.mark.parametrize("game", tavola.games())
def test_the_example_bots_play_a_match_to_its_end(server: LiveServer, game: str) -> None:
    seats = tavola.load(game).seats
    guests: Json = {"seats": [PERSON] * (seats - 1) + [ENGINE], "contribute": True}
    guest = server.create_match(game=game, confirm=True, **guests)
    bots = [
        subprocess.Popen(
            [sys.executable, str(BOT), server.address, guest.match, token],
            stdout=subprocess.PIPE,
            text=True,
        )
        for token in guest.tokens
    ]
    results = [json.loads(bot.communicate(timeout=240)[0]) for bot in bots]
    snapshot = guest.snapshot()
    assert snapshot["status"] == "over"
    assert results == [snapshot["result"]] * len(bots)
    given = (snapshot["chance"] or {}).get("contributions", [])
    assert [one is None for one in given] == ([False] * len(bots) + [True] if given else [])


@pytest.mark.long
def test_a_bot_plays_an_agent_by_name(server: LiveServer) -> None:
    agents = Path(__file__).parents[2] / "engines" / "python_agents.py"
    for agent, expected in (("Random", None), ("Raises", "no idea"), ("No", "has no class No")):
        guest = server.create_match(game="proteus", seats=[PERSON, {"kind": "engine", "level": 1}])
        command = [sys.executable, str(BOT), server.address, guest.match, *guest.tokens]
        bot = subprocess.run(
            [*command, f"python:{agents}:{agent}"],
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        if expected is None:
            assert json.loads(bot.stdout) == guest.snapshot()["result"]
        else:
            assert expected in bot.stderr
            assert "Traceback" not in bot.stderr
            assert guest.snapshot()["status"] == "playing"


def test_a_bot_goes_on_when_engines_have_caught_up(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = 'tavola_refusals_total{code="engines-busy"}'
    before = figure(server, refused)
    guest = server.create_match(seats=[PERSON, ENGINE])
    with monkeypatch.context() as crowded:
        crowded.setattr(engine_pool, "MAX_WAITING_ENGINES", 0)
        bot = subprocess.Popen(
            [sys.executable, str(BOT), server.address, guest.match, *guest.tokens],
            stdout=subprocess.PIPE,
            text=True,
        )
        wait_until(lambda: figure(server, refused) > before)
    assert json.loads(bot.communicate(timeout=240)[0]) == guest.snapshot()["result"]


@pytest.mark.long
def test_a_bot_comes_back_when_the_server_does(tmp_path: Path) -> None:
    first = Process(tmp_path / "tavola.db").ready()
    address = first.server.address
    guest = first.server.create_match()
    bot = subprocess.Popen(
        [sys.executable, str(BOT), address, guest.match, guest.tokens[0]],
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: guest.snapshot()["acting"] == 1)
    first.kill()
    second = Process(tmp_path / "tavola.db", "--port", address.rpartition(":")[2]).ready()
    assert second.server.address == address
    again = Player(second.server, guest.match, [guest.tokens[1]])
    again.do("resign")
    assert json.loads(bot.communicate(timeout=240)[0])["winners"] == [0]
    second.kill()


def test_a_rejected_bot_reports_the_reason(server: LiveServer) -> None:
    guest = server.create_match()
    command = [sys.executable, str(BOT), server.address, guest.match, "wrong"]
    bot = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False, timeout=240)
    assert (bot.returncode, "Traceback" in bot.stderr) == (1, False)
    assert "does not belong to this match" in bot.stderr
