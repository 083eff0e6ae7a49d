"""Interned parts of views: the order in which positions are drawn has no effect."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from hashlib import sha256
from typing import Any

import pytest

import tavola
from tests.references import combinations


def drawn(name: str, options: dict[str, Any]) -> str:
    """Returns a hash of the views of the beginning of a random game."""
    state, chance, shown = tavola.load(name, **options).start(), random.Random(7), sha256()
    for _ in range(40):
        if state.to_act is None:
            break
        shown.update(state.view_json(None).encode())
        if state.to_act == tavola.CHANCE:
            token = chance.choice(state.chance_outcomes)[0]
        else:
            token = chance.choice(list(state.legal_actions))
        shown.update(state.events_json(token).encode())
        state = state.play(token)
    return shown.hexdigest()


def drawn_in_turn(name: str, *, last_first: bool) -> list[str]:
    """Returns the hashes for all options, computed one after another in a new process."""
    command = [sys.executable, "-m", "tests.test_interning", name, json.dumps(last_first)]
    told: list[str] = json.loads(subprocess.check_output(command, text=True))
    return told


@pytest.mark.long
@pytest.mark.parametrize("name", tavola.games())
def test_views_do_not_depend_on_what_was_drawn_before(name: str) -> None:
    assert drawn_in_turn(name, last_first=False) == drawn_in_turn(name, last_first=True)[::-1]


if __name__ == "__main__":
    wanted = combinations(sys.argv[1])
    if json.loads(sys.argv[2]):
        wanted.reverse()
    print(json.dumps([drawn(sys.argv[1], options) for options in wanted]))
