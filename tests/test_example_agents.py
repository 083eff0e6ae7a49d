"""The agent of the tutorial is the one in `docs/examples/agents.py`, and it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

import tavola

AGENTS = Path(__file__).parents[1] / "docs/examples/agents.py"


@pytest.mark.parametrize("name", tavola.games())
def test_the_greedy_agent_plays_every_game(name: str) -> None:
    game = tavola.load(name)
    match = tavola.Match(game, seed=1)
    with tavola.engine(f"python:option.games=1 -- {AGENTS}:Greedy", game) as engine:
        engine.new_game()
        for _ in range(2):
            match.play(engine.choose(match.state, moves=match.actions).token)
