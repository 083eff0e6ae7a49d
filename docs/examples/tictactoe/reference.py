"""The reference implementation of tic-tac-toe: literal, slow, in plain Python.

Example:
    >>> state = start().play("b2")
    >>> state.text
    '.../.x./...'
    >>> state.legal_actions
    ('a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3')
"""

from dataclasses import dataclass
from typing import Self

SQUARES = tuple(f"{column}{row}" for row in "123" for column in "abc")  # rules 1
MARKS = "xo"  # rules 1, 6: seat 0 is Crosses and begins
LINES = (  # rules 4
    ("a1", "b1", "c1"),
    ("a2", "b2", "c2"),
    ("a3", "b3", "c3"),
    ("a1", "a2", "a3"),
    ("b1", "b2", "b3"),
    ("c1", "c2", "c3"),
    ("a1", "b2", "c3"),
    ("c1", "b2", "a3"),
)


@dataclass(frozen=True)
class State:
    """A position: what is on each square, in the order of SQUARES."""

    squares: str
    goal: str

    @property
    def text(self) -> str:
        """The position as text (rules 6)."""
        return "/".join(self.squares[row : row + 3] for row in (0, 3, 6))

    @property
    def _turn_of(self) -> int:
        return (9 - self.squares.count(".")) % 2

    @property
    def to_act(self) -> int | None:
        """The seat to act, None when the game is over."""
        return None if self.outcome else self._turn_of

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """Every empty square (rules 3)."""
        if self.outcome:
            return ()
        return tuple(name for name, mark in zip(SQUARES, self.squares, strict=True) if mark == ".")

    @property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """Nothing: there is no chance."""
        return ()

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """The winners and the reason (rules 2, 4, 5)."""
        for seat in (0, 1):
            if _has_line(self.squares, MARKS[seat]):
                return ((seat if self.goal == "make" else 1 - seat,), "line")
        return None if "." in self.squares else ((), "full")

    def play(self, token: str) -> Self:
        """The state after an action."""
        if token not in self.legal_actions:
            raise ValueError(f"{token} is not legal in {self.text}")
        place = SQUARES.index(token)
        marked = self.squares[:place] + MARKS[self._turn_of] + self.squares[place + 1 :]
        return type(self)(marked, self.goal)


def start(*, goal: str = "make") -> State:
    """The position in which the game starts."""
    return State("." * 9, goal)


def parse(text: str, *, goal: str = "make") -> State:
    """The position that a text stands for; ValueError if it is none (rules 6, 7)."""
    rows = text.split("/")
    if [len(row) for row in rows] != [3, 3, 3] or not set(text) <= set("xo./"):
        raise ValueError(f"board: {text}")
    squares = "".join(rows)
    more = squares.count("x") - squares.count("o")
    if more not in (0, 1):
        raise ValueError(f"marks: {text}")
    if _has_line(squares, MARKS[more]):
        raise ValueError(f"lines: {text}")
    return State(squares, goal)


def _has_line(squares: str, mark: str) -> bool:
    return any(all(squares[SQUARES.index(name)] == mark for name in line) for line in LINES)
