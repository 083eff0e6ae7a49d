"""The engine misses no win in one turn and allows no loss in one turn that it could prevent.

What a turn can bring is found here by playing out all of it, action by action, with no search.
A win counts as far as its seat alone decides; a loss that only some outcomes of chance bring is
none.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import tavola
from tavola.view import view

LAST = 12
"""Positions are taken from so many decisions before the ends of random games."""

PATIENCE = 50_000
"""A position that takes more states than this to judge is left aside."""


class TooWide(Exception):
    """A position takes too many states to judge."""


class Turns:
    """What seats can reach within a turn, and how many more states may be looked at."""

    def __init__(self) -> None:
        self.left = PATIENCE
        self._known: dict[tuple[tavola.State, int], bool] = {}

    def wins(self, state: tavola.State, seat: int) -> set[str]:
        """The actions after which the seat, which is to act, can win within its turn."""
        return {token for token in state.legal_actions if self._wins_by(state, token, seat)}

    def can_win(self, state: tavola.State, seat: int) -> bool:
        """Whether the seat, which is to act, can win within its turn."""
        known = self._known.get((state, seat))
        if known is None:
            known = any(self._wins_by(state, token, seat) for token in state.legal_actions)
            self._known[state, seat] = known
        return known

    def is_safe(self, state: tavola.State, token: str, seat: int) -> bool:
        """Whether the seat does not lose by an action, nor by the turn of who acts next.

        Of what chance answers, one outcome after which it does not is enough: it is no sure loss.
        """
        return self._stands(self._play(state, token), seat)

    def _stands(self, state: tavola.State, seat: int) -> bool:
        if state.outcome is not None:
            return not state.outcome.winners or seat in state.outcome.winners
        if state.to_act == tavola.CHANCE:
            outcomes = [token for token, _ in state.chance_outcomes]
            return any(self._stands(self._play(state, token), seat) for token in outcomes)
        if state.to_act == seat:
            return any(self.is_safe(state, token, seat) for token in state.legal_actions)
        assert state.to_act is not None
        return not self.can_win(state, state.to_act)

    def _wins_by(self, state: tavola.State, token: str, seat: int) -> bool:
        after = self._play(state, token)
        if after.outcome is not None:
            return after.outcome.winners == (seat,)
        return after.to_act == seat and same_turn(state, after) and self.can_win(after, seat)

    def _play(self, state: tavola.State, token: str) -> tavola.State:
        self.left -= 1
        if self.left < 0:
            raise TooWide
        return state.play(token)


def same_turn(before: tavola.State, after: tavola.State) -> bool:
    return view(before).turn == view(after).turn


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
    """What kind of position it is, and what can be played without an oversight."""
    turns, seat = Turns(), state.to_act
    assert seat is not None
    every = set(state.legal_actions)
    if len(every) == 1:
        return "nothing to decide", every
    wins = turns.wins(state, seat)
    if wins:
        return ("won anyhow" if wins == every else "win"), wins
    safe = {token for token in every if turns.is_safe(state, token, seat)}
    if not safe:
        return "lost anyhow", every
    return ("quiet" if safe == every else "threat"), safe


def matters(state: tavola.State, played: str, good: set[str]) -> bool:
    """Whether it was worse: who wins anyhow need not win now, who has lost may lose now.

    By what a search of many more nodes thinks of it.
    """
    seat = state.to_act
    assert seat is not None
    analysis = tavola.search(state, nodes=20_000, threads=1)
    shares = {str(line.action): line.shares[seat] for line in analysis.lines}
    return max(shares[token] for token in good) > shares[played] + 0.02


def check(name: str, count: int, seed: int) -> None:
    """Judges positions until so many had a win to find or a loss to prevent."""
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
            if best not in good and matters(state, best, good):
                overlooked.append(f"{kind} in {state.text}: {best} and not one of {sorted(good)}")
        if seen["win"] + seen["threat"] >= count:
            break
    print(f"{name}: {dict(seen)}")
    assert not overlooked, "\n".join(overlooked)


@pytest.mark.parametrize("name", tavola.games())
def test_nothing_is_overlooked(name: str) -> None:
    check(name, 10, seed=1)


@pytest.mark.nightly
@pytest.mark.parametrize("name", tavola.games())
def test_nothing_is_overlooked_in_1000_positions(name: str) -> None:
    check(name, 1000, seed=2)
