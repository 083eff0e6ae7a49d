"""The engine misses no win in one turn and allows no avoidable loss in one turn.

These tests enumerate all actions of a turn, without a search. A win counts if the seat can force it
by the end of the turn. A loss counts if another seat can force it by the end of the next turn. Both
must hold for all answers and all outcomes of chance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import tavola
from tests.profiles import sized

LAST = 12
"""Positions are taken from this many last decisions of random games."""

PATIENCE = 50_000
"""Positions that need more states than this are skipped."""


class TooWide(Exception):
    """A position takes too many states to judge."""


class Turns:
    """Return the forced results within turns, and how many more states the search may visit."""

    def __init__(self) -> None:
        self.left = PATIENCE
        self._known: dict[tuple[tavola.State, int, int], bool] = {}

    def forcing(self, state: tavola.State, seat: int, last: int) -> set[str]:
        """The actions after which a seat wins for certain by the end of the last turn."""
        after = {token: self._play(state, token) for token in state.legal_actions}
        return {token for token in after if self.forces(after[token], seat, last)}

    def forces(self, state: tavola.State, seat: int, last: int) -> bool:
        """Whether a seat wins alone by the end of the last turn, whatever others and chance do."""
        if state.outcome is not None:
            return state.outcome.winners == (seat,)
        known = self._known.get((state, seat, last))
        if known is None:
            known = state.turn <= last and self._leads_to_it(state, seat, last)
            self._known[state, seat, last] = known
        return known

    def _leads_to_it(self, state: tavola.State, seat: int, last: int) -> bool:
        outcomes = [token for token, _ in state.chance_outcomes]
        tokens = state.legal_actions if state.to_act != tavola.CHANCE else outcomes
        enough = any if state.to_act == seat else all
        return enough(self.forces(self._play(state, token), seat, last) for token in tokens)

    def _play(self, state: tavola.State, token: str) -> tavola.State:
        self.left -= 1
        if self.left < 0:
            raise TooWide
        return state.play(token)


def late_positions(name: str, seed: int) -> Iterator[tavola.State]:
    """Decisions shortly before the ends of random games, without end."""
    rng = random.Random(seed)
    game = tavola.load(name)
    while True:
        state, decisions = game.start(), []
        while state.to_act is not None:
            if state.to_act == tavola.CHANCE:
                tokens, weights = zip(*state.chance_outcomes, strict=True)
                state = state.play(rng.choices(tokens, weights)[0])
            else:
                decisions.append(state)
                state = state.play(rng.choice(state.legal_actions))
        yield from rng.sample(decisions[-LAST:], min(3, len(decisions)))


def judge(state: tavola.State) -> tuple[str, set[str]]:
    """Return the kind of position, and the actions that overlook nothing."""
    turns, seat, now = Turns(), state.to_act, state.turn
    assert seat is not None
    every = set(state.legal_actions)
    if len(every) == 1:
        return "nothing to decide", every
    wins = turns.forcing(state, seat, now)
    if wins:
        return ("won anyhow" if wins == every else "win"), wins
    others = [other for other in range(state.game.seats) if other != seat]
    safe = every.difference(*(turns.forcing(state, other, now + 1) for other in others))
    if not safe:
        return "lost anyhow", every
    return ("quiet" if safe == every else "threat"), safe


def check(name: str, count: int, seed: int) -> None:
    """Judges positions until `count` of them have a win to find or a loss to prevent."""
    engine = tavola.engine("auto:nodes=1000", tavola.load(name))
    seen: Counter[str] = Counter()
    overlooked = []
    for state in late_positions(name, seed):
        try:
            kind, good = judge(state)
        except TooWide:
            kind, good = "too wide", set(state.legal_actions)
        seen[kind] += 1
        if kind in ("win", "threat"):
            best = engine.choose(state).token
            if best not in good:
                overlooked.append(f"{kind} in {state.text}: {best} and not one of {sorted(good)}")
        if seen["win"] + seen["threat"] >= count:
            break
    print(f"{name}: {dict(seen)}")
    assert not overlooked, "\n".join(overlooked)


@pytest.mark.long
@pytest.mark.sized
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", tavola.games())
def test_nothing_is_overlooked(name: str) -> None:
    check(name, sized(4, 10, 1000), seed=sized(1, 1, 2))
