"""Small games for the tests: chance with three seats, hexes, and rules that break the contract."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tavola.custom import HexGrid, Piece


@dataclass(frozen=True)
class RaceState:
    """A race of three seats: throw, then keep or double the number. The first to 10 wins."""

    scores: tuple[int, ...] = (0, 0, 0)
    to_act: int = 0
    thrown: int = 0
    turn: int = 1

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        best = max(self.scores)
        return ((self.scores.index(best),), "line") if best >= 10 else None

    @property
    def chance_outcomes(self) -> list[tuple[str, int]]:
        return [] if self.thrown or self.outcome else [("*1", 2), ("*3", 1)]

    @property
    def legal_actions(self) -> list[str]:
        return ["double", "keep"] if self.thrown and not self.outcome else []

    @property
    def text(self) -> str:
        scores = ",".join(map(str, self.scores))
        return f"{scores} {self.to_act} {self.thrown} {self.turn}"

    def play(self, token: str) -> RaceState:
        if token.startswith("*"):
            return replace(self, thrown=int(token[1]))
        gain = self.thrown * (2 if token == "double" else 1)
        scores = list(self.scores)
        scores[self.to_act] += gain
        return RaceState(tuple(scores), (self.to_act + 1) % 3, 0, self.turn + 1)


class Race:
    """A race without a board."""

    name, seats, actions, chance = "race", 3, ("double", "keep"), ("*1", "*3")
    words = {"en": {"keep": "Keep it"}, "ja": {"keep": "そのまま", "outcome.line": "{seat}の勝ち"}}

    def start(self) -> RaceState:
        return RaceState()

    def parse(self, text: str) -> RaceState:
        scores, seat, thrown, turn = text.split(" ")
        return RaceState(tuple(map(int, scores.split(","))), int(seat), int(thrown), int(turn))


@dataclass(frozen=True)
class HexState:
    """Stones on a rhombus of hexes: the first seat joins top and bottom, the second the sides."""

    stones: str
    board: HexGrid

    @property
    def turn(self) -> int:
        return 1 + len(self.stones) - self.stones.count(".")

    @property
    def to_act(self) -> int:
        return (self.turn - 1) % 2

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        return next((((seat,), "chain") for seat in (0, 1) if self._joins(seat)), None)

    def _joins(self, seat: int) -> bool:
        own = {
            cell for cell, stone in zip(self.board, self.stones, strict=True) if stone == "xo"[seat]
        }
        first, last = (
            ("1", str(self.board.rows)) if seat == 0 else ("a", "abcdef"[self.board.columns - 1])
        )
        part = slice(1, None) if seat == 0 else slice(0, 1)
        found = [cell for cell in own if cell[part] == first]
        for cell in found:
            found += [
                near for near in self.board.neighbours(cell) if near in own and near not in found
            ]
        return any(cell[part] == last for cell in found)

    @property
    def legal_actions(self) -> list[str]:
        if self.outcome:
            return []
        return [cell for cell, stone in zip(self.board, self.stones, strict=True) if stone == "."]

    @property
    def text(self) -> str:
        return self.stones

    @property
    def pieces(self) -> list[Piece]:
        stones = zip(self.board, self.stones, strict=True)
        return [Piece(cell, "", "xo".index(stone)) for cell, stone in stones if stone != "."]

    @property
    def decisive(self) -> list[str]:
        """The winner's stones, once there is a winner."""
        winners = self.outcome[0] if self.outcome else ()
        return [cell for cell, _, owner in self.pieces if owner in winners]

    def explain(self, token: str) -> str | None:
        return "taken" if token not in self.legal_actions else None

    def play(self, token: str) -> HexState:
        place = list(self.board).index(token)
        stone = "xo"[self.to_act]
        return replace(self, stones=self.stones[:place] + stone + self.stones[place + 1 :])


class Hexes:
    """Join your two sides."""

    name, seats, has_draws = "hexes", 2, False
    options = {"size": (3, 4)}
    words = {
        "en": {"taken": "This hex is taken."},
        "ja": {"taken": "このヘクスにはもう石があります。"},
    }

    def __init__(self, size: int) -> None:
        self.board = HexGrid(size, size)
        self.actions = tuple(self.board)

    def start(self) -> HexState:
        return HexState("." * len(self.actions), self.board)

    def parse(self, text: str) -> HexState:
        if len(text) != len(self.actions) or not set(text) <= set(".xo"):
            raise ValueError(f"expected {len(self.actions)} of x, o and .")
        return HexState(text, self.board)


@dataclass(frozen=True)
class CountState:
    """Counts to 4, and breaks the contract as its game says."""

    count: int
    game: Any

    def __getattr__(self, name: str) -> Any:
        if name in self.game.broken and self.count >= self.game.at:
            breach = self.game.broken[name]
            return breach() if callable(breach) and name != "play" else breach
        regular = {
            "to_act": self.count % 2,
            "outcome": ((0,), "end") if self.count == 4 else None,
            "legal_actions": [] if self.count == 4 else ["go", "run"],
            "chance_outcomes": [],
            "turn": self.count + 1,
            "text": str(self.count),
            "pieces": [],
            "play": lambda token: CountState(self.count + 1, self.game),
        }
        return regular[name] if name in regular else object.__getattribute__(self, name)


def counting(at: int = 2, **broken: Any) -> type:
    """Return a game of four actions whose attributes are broken from an action on."""

    class Counting:
        name, seats, actions = "counting", 2, ("go", "run")
        chance = ("*1",) if "chance_outcomes" in broken else ()
        most_actions = 50

        def start(self) -> CountState:
            return CountState(0, self)

        def parse(self, text: str) -> CountState:
            return CountState(int(text), self)

    Counting.broken, Counting.at = broken, at  # type: ignore[attr-defined]
    return Counting
