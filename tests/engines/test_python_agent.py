"""Agents in Python run in processes of their own; errors name what they did and were to do."""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola
from tavola.engines.engine import Limits

FILE = Path(__file__).parent / "python_agents.py"
GAME = tavola.load(tavola.games()[-1])


def agent(name: str, settings: str = "", game: tavola.Game = GAME) -> tavola.Engine:
    return tavola.engine(f"python:{settings} -- {FILE}:{name}", game)


def first_action(name: str, settings: str = "") -> str:
    with agent(name, settings) as engine:
        engine.new_game()
        return engine.choose(GAME.start(), moves=()).token


@pytest.mark.parametrize("name", tavola.games())
def test_an_agent_plays_every_game(name: str) -> None:
    game = tavola.load(name)
    tokens = []
    with agent("Random", game=game) as engine:
        for _ in range(2):
            engine.new_game(seed=5)
            match = tavola.Match(game, seed=1)
            while match.state.to_act is not None and len(match.actions) < 30:
                match.play(engine.choose(match.state, moves=match.actions).token)
            tokens.append(match.actions)
    assert tokens[0] == tokens[1], "the seed determines the random numbers of an agent"


def test_options_are_arguments_of_the_class() -> None:
    legal = GAME.start().legal_actions
    assert first_action("First", "option.place=2") == legal[2]
    assert first_action("First") == legal[0]


def test_a_module_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(FILE.parent))
    with tavola.engine("python:python_agents:First", GAME) as engine:
        assert engine.choose(GAME.start()).token == GAME.start().legal_actions[0]


def test_an_agent_that_prints_and_reads_disturbs_nothing() -> None:
    assert first_action("Prints") == GAME.start().legal_actions[0]


def test_the_time_of_an_agent_is_its_own_whatever_limits_a_caller_has() -> None:
    with agent("Hangs", "seconds=0.3") as engine:
        engine.new_game()
        with pytest.raises(tavola.EngineFailed, match=r"its limit was 0\.3 s"):
            engine.choose(GAME.start(), limits=Limits(seconds=0.05))


def test_an_agent_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "closed"
    first_action("Closes", f"option.path={path}")
    assert path.read_text() == "closed"


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("Nonsense", "option.answer=42", "answered 42 (int)"),
        ("Nonsense", "", "answered None (NoneType)"),
        ("Nonsense", "option.answer=a b", "answered 'a b'"),
        ("Raises", "", "raised KeyError: 'no idea'"),
        ("Leaves", "", "raised SystemExit: goodbye"),
        ("Dies", "", "exited with status 3"),
        ("Hangs", "seconds=0.3", "did not answer within 0.3 s (its limit was 0.3 s)"),
    ],
)
def test_an_error_names_the_agent_the_position_and_legal_actions(
    name: str, settings: str, said: str
) -> None:
    state = GAME.start()
    with agent(name, settings) as engine:
        engine.new_game()
        with pytest.raises(tavola.EngineFailed) as failed:
            engine.choose(state)
        message = str(failed.value)
        assert f"{FILE}:{name}" in message
        assert said in message
        assert f"one of the {len(state.legal_actions)} legal actions, such as" in message
        assert state.legal_actions[0] in message
        assert state.text in message
        engine.new_game()  # the next game starts the agent again


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("Broken", "", "Broken() raised RuntimeError: no weights"),
        ("First", "option.depth=3", "First(depth=3) raised TypeError"),
        ("NoAgent", "", "NoAgent has no method choose(state)"),
        ("Fisrt", "", "has no class Fisrt; its agents: First, Random"),
    ],
)
def test_an_agent_that_cannot_be_created(name: str, settings: str, said: str) -> None:
    with agent(name, settings) as engine, pytest.raises(tavola.EngineFailed) as failed:
        engine.new_game()
    assert said in str(failed.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("python:", "the agent is missing: python:MODULE:CLASS"),
        ("python:agents", "'agents' is not MODULE:CLASS or FILE.py:CLASS"),
        ("python:no-module:First", "is not MODULE:CLASS"),
        ("python:absent.py:First", "there is no file 'absent.py'"),
        ("python:nodes=3 -- a:B", 'python has no setting "nodes"; settings: seconds, option.NAME'),
        ("python:option.a-b=3 -- a:B", "'a-b' is not the name of an argument"),
    ],
)
def test_a_wrong_specification(text: str, said: str) -> None:
    with pytest.raises(tavola.EngineError) as wrong:
        tavola.engine(text, GAME)
    assert said in str(wrong.value)


def test_a_state_that_is_over_is_refused() -> None:
    match = tavola.Match(GAME, seed=1)
    while match.state.to_act is not None:
        match.play(match.state.legal_actions[0])
    with agent("First") as engine, pytest.raises(ValueError, match="no seat is to act"):
        engine.choose(match.state)
