"""The example bots play whole games of every game against a real server process."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavola
from tests.server.live_server import PATIENCE, LiveServer, wait_until
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player
from tests.server.server_process import Process

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SECONDS = 200
"""How long the games may take."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    running = Process(tmp_path_factory.mktemp("bots") / "tavola.db").ready()
    yield running.server
    running.server.close()
    running.stop()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def bot_token(robot: AccountPlayer) -> str:
    assert robot.http.post("/api/account/bot").is_success
    scopes = ["read", "play", "challenge"]
    wanted = {"name": "Bot", "scopes": scopes, "days": 1, "password": PASSWORD}
    token: str = robot.http.post("/api/account/tokens", json=wanted).json()["secret"]
    return token


def begin(player: AccountPlayer, game: str) -> tuple[str, str]:
    """Return a new game and the link to its first seat; engines have the others."""
    loaded = tavola.load(game)
    seats = [{"kind": "link"}, *[{"kind": "engine", "level": 1}] * (loaded.seats - 1)]
    made = player.begin(game=game, seats=seats, confirm=True, contribute=loaded.has_chance)
    return made["match"], f"/match/{made['match']}#take=0.{made['invitations'][0]}"


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("example", ["client_bot.py", "async_client_bot.py"])
def test_the_example_plays_every_game_to_its_end(process: LiveServer, example: str) -> None:
    lines = [line for line in (EXAMPLES / example).read_text().splitlines() if line]
    assert len(lines) <= 40
    with signed_up_player(process) as ada, signed_up_player(process) as robot:
        games = dict(begin(ada, game) for game in tavola.games())
        command = [sys.executable, str(EXAMPLES / example), process.address, bot_token(robot)]
        bot = subprocess.Popen([*command, *games.values()], stderr=subprocess.PIPE, text=True)
        try:
            end = time.monotonic() + SECONDS
            while any(robot.snapshot(match)["status"] != "over" for match in games):
                assert bot.poll() is None, bot.communicate()[1]
                assert time.monotonic() < end, [robot.snapshot(match)["seq"] for match in games]
                time.sleep(1)
        finally:
            bot.terminate()
            bot.communicate(timeout=PATIENCE)
        for match in games:
            snapshot = robot.snapshot(match)
            assert snapshot["result"]["text"] is not None, "the rules ended it"
            assert snapshot["seats"][0]["bot"] is True


@pytest.mark.long
@pytest.mark.timeout(200)
def test_a_bot_continues_after_the_server_was_killed(tmp_path: Path) -> None:
    port = str(free_port())
    running = Process(tmp_path / "tavola.db", "--port", port).ready()
    with signed_up_player(running.server) as ada, signed_up_player(running.server) as robot:
        match, link = begin(ada, "montana")
        token = bot_token(robot)
        command = [sys.executable, str(EXAMPLES / "client_bot.py"), running.server.address, token]
        bot = subprocess.Popen([*command, link], stderr=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: robot.snapshot(match)["seq"] >= 5)
            before = robot.snapshot(match)["seq"]
            running.kill()
            running = Process(tmp_path / "tavola.db", "--port", port).ready()
            wait_until(lambda: robot.snapshot(match)["seq"] > before + 5)
            assert bot.poll() is None
        finally:
            bot.terminate()
            bot.communicate(timeout=PATIENCE)
    running.server.close()
    running.stop()
