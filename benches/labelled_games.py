"""Games whose actions a solution of the endgame labels, and the cases for grading engines in them.

A game begins with the number of its actions: two bytes, little endian. Each action has its id, the
number of labels, and the labels: one for each action that was legal, in the order of the ids. A
label is the number of actions from there to the forced end, or `OPEN`. With an odd number the seat
that acts next wins. Before the endgame there are no labels.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from benches.solved import SolvedCase
from tavola import Game, State

OPEN = 255
"""The label of an action after which neither seat can force an end."""

EACH = 100
"""The number of cases of each kind."""

DRAWS = {"Draw by 1 action": (1, 1), "Draw by 2 to 4 actions": (2, 4)}
"""Kinds of drawn positions: the number of actions that keep the draw. Others lose."""

WINS = {
    "Win in 3 to 5": (3, 5),
    "Win in 7 to 9": (7, 9),
    "Win in 11 to 15": (11, 15),
    "Win in 17 or more": (17, OPEN - 1),
}
"""Kinds of won positions: the number of actions to the forced end."""

SHORT = 250
"""The longest text of a case's position. It grows with the earlier positions, which a solution
without repetitions does not consider."""


class Labelled(NamedTuple):
    """A position in a solved endgame.

    Attributes:
        game: The number of its game.
        state: The position.
        labels: The label of each legal action.
    """

    game: int
    state: State
    labels: bytes

    @property
    def plies(self) -> int:
        """The number of actions to the forced end, or `OPEN`."""
        won = [label for label in self.labels if label != OPEN and label % 2 == 0]
        if won:
            return min(won) + 1
        return OPEN if OPEN in self.labels else max(self.labels) + 1

    @property
    def keeping(self) -> list[str]:
        """The actions that keep the result of the seat to act."""
        won = self.plies % 2 == 1 and self.plies != OPEN
        kept = [label != OPEN and label % 2 == 0 if won else label == OPEN for label in self.labels]
        tokens = self.state.game.actions
        return [tokens[one] for one, keeps in zip(self.state.legal_ids, kept, strict=True) if keeps]


def positions(game: Game, content: bytes) -> Iterator[Labelled]:
    """Yield the positions of a file that have labels."""
    place = number = 0
    while place < len(content):
        number += 1
        actions = int.from_bytes(content[place : place + 2], "little")
        place += 2
        state = game.start()
        for _ in range(actions):
            action, count = content[place], content[place + 1]
            labels = content[place + 2 : place + 2 + count]
            place += 2 + count
            if labels:
                yield Labelled(number, state, labels)
            state = state.play_id(action)


def kind(one: Labelled) -> str | None:
    """Return the kind of case of a position, or `None` if engines are not graded by it."""
    kinds, measure = WINS, one.plies
    if one.plies == OPEN:
        kinds, measure = DRAWS, one.labels.count(OPEN)
        if measure == len(one.labels):
            return None
    elif one.plies % 2 == 0:
        return None
    return next((name for name, (least, most) in kinds.items() if least <= measure <= most), None)


def cases(found: Iterator[Labelled]) -> list[SolvedCase]:
    """Return the first positions of each kind, one of each game."""
    chosen: dict[str, list[SolvedCase]] = {name: [] for name in (*DRAWS, *WINS)}
    used = set()
    for one in found:
        if one.game in used or len(one.state.text) > SHORT:
            continue
        name = kind(one)
        if name is not None and len(chosen[name]) < EACH:
            chosen[name].append(SolvedCase(one.state, name, frozenset(one.keeping)))
            used.add(one.game)
    return [case for named in chosen.values() for case in named]
