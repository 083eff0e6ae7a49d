"""A greedy player of Potlatch Klone: it looks at every end of its own turn, and no further."""

from __future__ import annotations

import random

import tavola

Worth = tuple[int, int, int]


class Greedy:
    """Plays the turn after which it stands best by what can be seen on the board.

    In this order: the game is won, or at least not lost; own stacks less the opponent's; own
    actions, if it were to move again, less the opponent's. Among equals it draws lots.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._schedule: list[str] = []

    def choose(self, state: tavola.State) -> str:
        """The next action of the turn."""
        if not self._schedule:
            self._schedule = self._best_turn(state)
        return self._schedule.pop(0)

    def _best_turn(self, state: tavola.State) -> list[str]:
        seat = state.to_act
        assert seat is not None
        ends: dict[tavola.State, list[str]] = {}
        _turns(state, seat, [], ends)
        worth = {end: _worth(end, seat) for end in ends}
        best = max(worth.values())
        return list(ends[self._random.choice([end for end in ends if worth[end] == best])])


def _turns(
    state: tavola.State, seat: int, turn: list[str], ends: dict[tavola.State, list[str]]
) -> None:
    """Collects the positions in which the seat's turn can end, each with one way there."""
    if state.to_act != seat:
        ends.setdefault(state, turn)
        return
    for action in state.legal_actions:
        _turns(state.play(action), seat, [*turn, action], ends)


def _worth(state: tavola.State, seat: int) -> Worth:
    if state.outcome is not None:
        winners = state.outcome.winners
        return (1 if seat in winners else -1 if winners else 0), 0, 0
    own, other = ("r", "b") if seat == 0 else ("b", "r")
    tiles = state.text.split()[0]
    mobility = _actions_if_to_move(state, seat) - len(state.legal_actions)
    return 0, tiles.count(own) - tiles.count(other), mobility


def _actions_if_to_move(state: tavola.State, seat: int) -> int:
    """How many actions the seat would have if it were to move again after its turn."""
    tiles, pawns, _, _, _, _, turns, _ = state.text.split()
    text = f"{tiles} {pawns} {'RB'[seat]} 0 {pawns.split(';')[seat]} 0 {int(turns) - 1} -"
    return len(state.game.parse(text).legal_actions)
