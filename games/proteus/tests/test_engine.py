"""The engine takes a win in one, and allows none that it could prevent."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

import tavola


def movement_positions(seed: int) -> Iterator[tavola.State]:
    """Positions of the movement phase of random games, without end."""
    rng = random.Random(seed)
    game = tavola.load("proteus")
    while True:
        state, moving = game.start(), []
        while state.to_act is not None:
            if state.text.split()[2] != "-":
                moving.append(state)
            state = state.play(rng.choice(state.legal_actions))
        if moving:
            yield rng.choice(moving)


def wins_at_once(state: tavola.State) -> set[str]:
    """The actions that win at once for the seat to act."""
    return {token for token in state.legal_actions if winner(state.play(token)) == state.to_act}


def winner(state: tavola.State) -> int | None:
    return state.outcome.winners[0] if state.outcome and state.outcome.winners else None


def is_safe(state: tavola.State, token: str) -> bool:
    """Whether the other seat neither has won by the action nor wins by its next one."""
    after = state.play(token)
    if after.outcome is not None:
        return winner(after) in (None, state.to_act)
    return not wins_at_once(after)


def check(count: int, seed: int) -> None:
    seen = {"win": 0, "threat": 0, "quiet": 0}
    for state in islice(movement_positions(seed), count):
        best = tavola.search(state, nodes=50, threads=1).best
        assert best is not None
        wins = wins_at_once(state)
        safe = {token for token in state.legal_actions if is_safe(state, token)}
        if wins:
            assert best in wins, f"{state.text}: {best} and not one of {wins}"
            seen["win"] += 1
        elif safe and len(safe) < len(state.legal_actions):
            assert best in safe, f"{state.text}: {best} and not one of {safe}"
            seen["threat"] += 1
        else:
            seen["quiet"] += 1
    print(f"{count} positions: {seen}")
    assert min(seen["win"], seen["threat"]) > count // 10, seen


def test_wins_and_losses_in_one_are_seen() -> None:
    check(300, seed=1)


@pytest.mark.nightly
def test_wins_and_losses_in_one_are_seen_in_10000_positions() -> None:
    check(10_000, seed=2)
