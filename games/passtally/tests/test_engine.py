"""The engine agrees with the reference in games played for points.

Random games never reach 50 points.
"""

from __future__ import annotations

import random
from typing import Any

import tavola
from tests import references

GAMES = 16
LOOKED_AT = 24

reference = references.load("passtally")


def _passes(state: Any, token: str) -> int:
    after = state.play(token)
    passes: int = reference.passes_of(after.board, after.markers[state.seat])
    return passes


def _choose(state: Any, rng: random.Random) -> str:
    """Return a random chance outcome, or the action with the most passes of a random sample."""
    if not state.legal_actions:
        outcome: str = rng.choice([token for token, _ in state.chance_outcomes])
        return outcome
    tokens: list[str] = list(state.legal_actions)
    some = rng.sample(tokens, min(LOOKED_AT, len(tokens)))
    if not any("-" in token for token in some):
        some += [token for token in tokens if "-" in token]
    best: str = max(some, key=lambda token: (_passes(state, token), "@" not in token))
    return best


def test_engine_and_reference_agree_to_fifty_points() -> None:
    rng = random.Random(5)
    ends = []
    for number in range(GAMES):
        options = {"players": 2 + number % 2}
        engine, literal = tavola.load("passtally", **options).start(), reference.start(**options)
        while engine.to_act is not None:
            token = _choose(literal, rng)
            engine, literal = engine.play(token), literal.play(token)
            assert engine.text == literal.text
            assert sorted(engine.legal_actions) == sorted(literal.legal_actions)
        assert engine.outcome is not None
        assert (engine.outcome.winners, engine.outcome.reason) == literal.outcome
        ends.append((engine.outcome.reason, options["players"]))
    assert {("points", 2), ("points", 3)} <= set(ends), ends
