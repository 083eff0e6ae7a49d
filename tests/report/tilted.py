"""A game whose first seat wins 3 of 10 games, and one more for each point of its handicap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar


@dataclass(frozen=True)
class TiltedState:
    """A number from 1 to 10 decides the game; then each seat acts once."""

    limit: int
    number: int = 0
    acted: int = 0

    @property
    def to_act(self) -> int:
        return self.acted % 2

    @property
    def turn(self) -> int:
        return self.acted + 1

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        return ((0 if self.number <= self.limit else 1,), "number") if self.acted == 2 else None

    @property
    def chance_outcomes(self) -> list[tuple[str, int]]:
        return [] if self.number else [(f"*{number}", 1) for number in range(1, 11)]

    @property
    def legal_actions(self) -> list[str]:
        return ["go"] if self.number and self.acted < 2 else []

    @property
    def text(self) -> str:
        return f"{self.number} {self.acted}"

    def play(self, token: str) -> TiltedState:
        if token.startswith("*"):
            return replace(self, number=int(token[1:]))
        return replace(self, acted=self.acted + 1)


class Tilted:
    """A game with the option `balance`."""

    name, seats, actions = "tilted", 2, ("go",)
    chance = tuple(f"*{number}" for number in range(1, 11))
    options: ClassVar = {"balance": (0, 1, 2, 3, 4, 5, 6)}

    def __init__(self, balance: int = 0) -> None:
        self.limit = 3 + balance

    def start(self) -> TiltedState:
        return TiltedState(self.limit)

    def parse(self, text: str) -> TiltedState:
        number, acted = map(int, text.split(" "))
        return TiltedState(self.limit, number, acted)
