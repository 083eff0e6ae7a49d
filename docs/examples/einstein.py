"""EinStein: two armies and a die, after the game by Ingo Althöfer (2004)."""

from dataclasses import dataclass, replace

from tavola.custom import Grid, Piece

BOARD = Grid(5, 5)
CELLS = tuple(BOARD)  # a5, b5, ... e1: row by row from the top
STONES = ("123456", "abcdef")  # the stones of each seat in a position text
GOALS = (24, 0)  # the corner that each seat wants to reach: e1 and a5


def steps(cell: int, seat: int) -> list[str]:
    """Return the moves from a cell: right, down and both; the other way round for seat 1."""
    way, (y, x) = 1 - 2 * seat, divmod(cell, 5)
    ends = [(x + way, y), (x, y + way), (x + way, y + way)]
    return [f"{CELLS[cell]}-{CELLS[y * 5 + x]}" for x, y in ends if 0 <= x < 5 and 0 <= y < 5]


@dataclass(frozen=True)
class State:
    """A position: the stones on the cells, the seat to act, and the die; 0 before the throw."""

    stones: str
    to_act: int = 0
    die: int = 0
    turn: int = 1

    @property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        for seat in (0, 1):
            if self.stones[GOALS[seat]] in STONES[seat]:
                return (seat,), "corner"
            if not set(self.stones) & set(STONES[1 - seat]):
                return (seat,), "capture"
        return None

    @property
    def chance_outcomes(self) -> list[tuple[str, int]]:
        return [] if self.die or self.outcome else [(f"*{n}", 1) for n in range(1, 7)]

    @property
    def legal_actions(self) -> list[str]:
        if not self.die or self.outcome:
            return []
        own = {stone: n for n, stone in enumerate(STONES[self.to_act], 1) if stone in self.stones}
        lower = max((n for n in own.values() if n <= self.die), default=0)
        higher = min((n for n in own.values() if n >= self.die), default=0)
        moving = [cell for cell in range(25) if own.get(self.stones[cell], -1) in (lower, higher)]
        return [step for cell in moving for step in steps(cell, self.to_act)]

    def play(self, token: str) -> "State":
        if token[0] == "*":
            return replace(self, die=int(token[1]))
        start, end = (CELLS.index(cell) for cell in token.split("-"))
        stones = list(self.stones)
        stones[start], stones[end] = ".", stones[start]
        return State("".join(stones), 1 - self.to_act, 0, self.turn + 1)

    @property
    def text(self) -> str:
        return f"{self.stones} {self.to_act} {self.die} {self.turn}"

    @property
    def pieces(self) -> list[Piece]:
        places = [("123456abcdef".find(stone), cell) for stone, cell in zip(self.stones, CELLS)]
        return [Piece(cell, str(n % 6 + 1), n // 6) for n, cell in places if n >= 0]

    @property
    def supply(self) -> dict[str, int]:
        return {"die": self.die}


class EinStein:
    """The die chooses your stone: the one of its number, or else the next lower or higher one.

    A stone moves one step towards the opposite corner and captures any stone on its way.
    You win with a stone in that corner, or when the other side has no stones left.
    """

    name, title, seats, has_draws = "einstein", "EinStein", 2, False
    board, symbols = BOARD, "123456"
    actions = tuple(step for cell in range(25) for seat in (0, 1) for step in steps(cell, seat))
    chance = tuple(f"*{n}" for n in range(1, 7))
    words = {"en": {"die": "Die"}, "ja": {"die": "サイコロ"}}

    def start(self) -> State:
        return State("123..45...6...f...ed..cba")

    def parse(self, text: str) -> State:
        stones, seat, die, turn = text.split(" ")
        if len(stones) != 25 or seat not in ("0", "1") or not 0 <= int(die) <= 6:
            raise ValueError("expected 25 cells, the seat to act, the die and the turn")
        return State(stones, int(seat), int(die), int(turn))
