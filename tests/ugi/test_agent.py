"""`tavola.ugi.serve` makes a program of an agent, which our own client runs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import tavola
import tavola.ugi
from tavola.ugi.agent import AgentEngine
from tests.ugi.ugi_dialog import Dialog

PROGRAM = """
import random
import tavola.ugi

class Agent:
    def choose(self, state):
        print("thinking")
        return random.choice(state.legal_actions)

class Wrong:
    def choose(self, state):
        return "wrong"

tavola.ugi.serve({})
"""


def program(tmp_path: Path, served: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM.format(served))
    return f"ugi:nodes=10,patience=10 -- {shlex.quote(sys.executable)} {shlex.quote(str(path))}"


@pytest.mark.parametrize("name", tavola.games())
def test_a_program_plays_a_game(name: str, tmp_path: Path) -> None:
    game = tavola.load(name)
    with tavola.engine(program(tmp_path, "Agent()"), game) as engine:
        engine.new_game(seed=3)
        match = tavola.Match(game, seed=1)
        while match.state.to_act is not None and len(match.actions) < 20:
            match.play(engine.choose(match.state, moves=match.actions).token)


def test_an_engine_is_served_with_its_limits(tmp_path: Path) -> None:
    game = tavola.load(tavola.games()[-1])
    served = f"tavola.engine('tree:nodes=50', tavola.load({game.name!r}))"
    with tavola.engine(program(tmp_path, served), game) as engine:
        engine.new_game(seed=3)
        choice = engine.choose(game.start())
    assert choice.info.nodes is not None
    assert choice.info.nodes <= 11


def test_a_wrong_answer_is_reported_to_the_client(tmp_path: Path) -> None:
    game = tavola.load(tavola.games()[-1])
    with tavola.engine(program(tmp_path, "Wrong()"), game) as engine:
        engine.new_game()
        with pytest.raises(tavola.EngineFailed, match="answered 'wrong'"):
            engine.choose(game.start())


def test_a_session_of_an_agent_offers_only_games_and_the_seed() -> None:
    class Agent:
        def choose(self, state: tavola.State) -> str:
            return state.legal_actions[0]

    with Dialog(AgentEngine(Agent())) as dialog:
        dialog.say("ugi")
        said = dialog.unread()
        assert said[0] == "id name Agent"
        assert not any("name Engine" in line or "name Level" in line for line in said)
        dialog.say("setoption name Level value 3")
        assert "there is no option 'Level'" in dialog.hear()
        dialog.say(f"setoption name Game value {tavola.games()[-1]}")
        dialog.say("go depth 3")
        assert dialog.hear().startswith("bestmove ")


def test_something_else_is_not_served() -> None:
    with pytest.raises(TypeError, match=r"int has no method choose\(state\)"):
        tavola.ugi.serve(3)
    with pytest.raises(TypeError, match=r"an object, not a class: pass dict\(\)"):
        tavola.ugi.serve(dict)
