"""`tavola serve --game FILE --engine NAME=python:...`: agents play games written in Python."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import tavola
from tests.server.live_server import PERSON, Player, wait_until
from tests.server.server_process import process

FILES = Path(__file__).parents[3]
EXAMPLE = FILES / "docs" / "examples" / "einstein.py"
AGENTS = FILES / "tests" / "engines" / "python_agents.py"

ARGUMENTS = (
    *("--game", str(EXAMPLE)),
    *("--engine", f"Chance=python:{AGENTS}:Random"),
    *("--engine", f"Raising=python:{AGENTS}:Raises"),
)

FAILING = """
from dataclasses import dataclass


@dataclass(frozen=True)
class State:
    count: int = 0

    legal_actions = ("go", "run")

    @property
    def to_act(self):
        return self.count % 2

    @property
    def turn(self):
        return self.count + 1

    @property
    def text(self):
        return str(self.count)

    outcome = None

    def play(self, token):
        if self.count == 1:
            raise ArithmeticError("no second action")
        return State(self.count + 1)


class Failing:
    name, seats, actions = "failing", 2, ("go", "run")

    def start(self):
        return State()

    def parse(self, text):
        return State(int(text))
"""


def is_to_act(guest: Player) -> bool:
    return bool(guest.snapshot()["acting"] == 0)


@pytest.mark.long
def test_an_agent_plays_a_game_in_python_to_its_end_over_a_restart(tmp_path: Path) -> None:
    with process(tmp_path / "tavola.db", *ARGUMENTS) as first:
        seats = [PERSON, {"kind": "engine", "agent": "Chance"}]
        guest = first.server.create_match(game="einstein", seats=seats)
        wait_until(partial(is_to_act, guest))
        guest.play(guest.snapshot()["view"]["actions"][0]["token"])
        wait_until(partial(is_to_act, guest))
        seen = guest.snapshot()
        first.kill()
    with process(tmp_path / "tavola.db", *ARGUMENTS) as second:
        guest.server = second.server
        assert guest.snapshot()["view"]["pieces"] == seen["view"]["pieces"]

        def can_play_or_is_over() -> bool:
            now = guest.snapshot()
            return bool(now["acting"] == 0 or now["status"] == "over")

        while guest.snapshot()["status"] != "over":
            guest.play(guest.snapshot()["view"]["actions"][0]["token"])
            wait_until(can_play_or_is_over)
        text = second.server.http.get(f"{guest.url}/record").text
    (record,) = tavola.read_records(text)
    assert dict(record.tags)["Seat1"] == "Chance"
    assert dict(record.tags)["Result"] in ("1 -1", "-1 1")


@pytest.mark.long
def test_a_failing_agent_of_a_game_in_python_is_named(tmp_path: Path) -> None:
    with process(tmp_path / "tavola.db", *ARGUMENTS) as running:
        seats = [{"kind": "engine", "agent": "Raising"}, PERSON]
        guest = running.server.create_match(game="einstein", seats=seats)
        with guest.connect() as chair:
            while (failure := chair.receive_until("presence")["engine_failure"]) is None:
                pass
        assert failure["text"]["en"].startswith("The engine Raising raised KeyError: 'no idea'")


@pytest.mark.long
@pytest.mark.parametrize("engine", [{"agent": "Chance"}, {"level": 1}])
def test_rules_that_fail_at_the_action_of_an_engine_are_reported(
    tmp_path: Path, engine: dict[str, object]
) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING)
    with process(tmp_path / "tavola.db", "--game", str(file), *ARGUMENTS[2:]) as running:
        seats = [PERSON, {"kind": "engine", **engine}]
        guest = running.server.create_match(game="failing", seats=seats)
        guest.play("go")
        with guest.connect() as chair:
            while (failure := chair.receive_until("presence")["engine_failure"]) is None:
                pass
        assert failure["seat"] == 1
        assert failure["text"]["en"].startswith("The rules of failing failed: `play(")
        assert "raised ArithmeticError: no second action (failing.py, line" in failure["text"]["en"]
        assert failure["text"]["ja"].startswith("Failing のルールでエラーが起きました")
        assert guest.snapshot()["seq"] == 1
