"""Draws by the program in docs/explanation/fairness.md, and records made with it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import tavola

GUIDE = Path(__file__).parent.parent / "docs/explanation/fairness.md"
OF_CHANCE = tuple(name for name in tavola.games() if tavola.load(name).has_chance)


class Documented(NamedTuple):
    """The functions of the documentation."""

    commitment: Callable[[str], str]
    draw: Callable[[Any, str, str, int], str]


def documented() -> Documented:
    found = re.search(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found[1], names)
    return Documented(names["commitment"], names["draw"])


def hexadecimal(rng: random.Random) -> str:
    return rng.randbytes(32).hex()


def fair_record(name: str, seed: int, **options: str | int) -> tavola.Record:
    """A whole random game, all of whose draws are as they have to be."""
    rng = random.Random(seed)
    game = tavola.load(name, **options)
    secret = hexadecimal(rng)
    # The last seat is an engine's.
    contributions = ",".join([*(hexadecimal(rng) for _ in range(game.seats - 1)), ""])
    state, line, number = game.start(), list[tavola.Step](), 0
    while state.to_act is not None:
        if state.to_act == tavola.CHANCE:
            number += 1
            token = documented().draw(state.chance_outcomes, secret, contributions, number)
        else:
            token = rng.choice(state.legal_actions)
        line.append(tavola.Step(token=token))
        state = state.play(token)
    tags = {
        "Game": game.name,
        "Options": " ".join(f"{name}={value}" for name, value in game.options.items()),
        "Rules": str(game.rules_version),
        "Commitment": documented().commitment(secret),
        "Seed": secret,
        "Contributions": contributions,
    }
    return tavola.Record(tags=tuple(tags.items()), line=tuple(line))
