"""The reference implementation of Passtally: literal, slow, in plain Python.

It follows the numbered clauses (``rules/clauses.md``) and shares nothing with the engine. Tests
compare the two by text: positions, action tokens and outcomes. Comments cite the clauses.

Every game's reference offers the same interface: ``start(**options)``, ``parse(text, **options)``,
and states with ``to_act``, ``legal_actions``, ``chance_outcomes``, ``play``, ``outcome``, ``text``.

Reasons of an outcome: ``done`` (rules 18), ``points`` and ``pile`` (rules 17; where both hold,
``points``), ``idle`` (rules 18a). The text of a finished game (rules 22) does not
contain the reason. So it is derived from the board, the piles and the points, in this order. A
game that clause 18a ends during a last round therefore has the reason ``points`` or ``pile``.

Example:
    >>> state = start().play("*1SL").play("*2RL").play("*3SS")
    >>> for token in ["Nc", "Nd", "Sa", "Sb", "E3", "E4", "W1", "W2"]:
    ...     state = state.play(token)
    >>> state = state.play("2RL@b3e")
    >>> state.text.split(" ", 1)[1]
    'Nc,E3,Sb,W2;Nd,E4,Sa,W1 0;0 SL13;-13;SS13 6,7,7,6,7,6 *2:0 1 - 0'
    >>> state.play("*2SS").legal_actions[-4:]
    ('W2-Sc', 'W2-Sd', 'W2-W3', 'W2-W4')
"""

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Self

CHANCE = -1  # the seat that reveals tiles
CELLS = tuple([column + row for row in "654321" for column in "abcdef"])  # rules 1, 22: text order
DIRECTIONS = "eswn"  # rules 21: clockwise by 90 degrees
OPPOSITE: Mapping[str, str] = dict(zip("eswnESWN", "wnesWNES", strict=True))
SIDES = "NESW"
RIM = (  # rules 2: clockwise
    *[f"N{column}" for column in "abcdef"],
    *[f"E{row}" for row in "654321"],
    *[f"S{column}" for column in "fedcba"],
    *[f"W{row}" for row in "123456"],
)
EDGES: Mapping[str, Mapping[str, str]] = {  # rules 3: entering by an edge, leaving by another
    "S": {"n": "s", "s": "n", "e": "w", "w": "e"},
    "L": {"n": "w", "w": "n", "s": "e", "e": "s"},
    "R": {"n": "e", "e": "n", "s": "w", "w": "s"},
}
TYPES = ("SS", "LL", "RR", "SL", "SR", "RL")  # rules 4, 22
ROTATED: Mapping[str, str] = {"S": "S", "L": "R", "R": "L"}  # rules 5
COPIES = 7  # rules 4
PILE = 14  # rules 7
MARKERS = 4  # rules 8: of a seat
LAST_ROUND = 50  # rules 17
IDLE = 60  # rules 18a
LEAST_PASSES = (0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56)  # rules 15
POINTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15)
MOST_POINTS = LAST_ROUND - 1 + max(POINTS)  # no seat has a turn after the round of its 50 points
MOST_TILES = len(TYPES) * COPIES
MOST_BALANCE = 8  # rules 23


class Half(NamedTuple):
    """The topmost half of a tile on a cell."""

    shape: str
    """As it lies (rules 22)."""
    level: int
    other: str = ""
    """The direction of its visible other half, empty if that is covered."""

    @property
    def text(self) -> str:
        """The half as rules 22 write it."""
        return f"{self.shape}{self.level}{self.other}"


Board = tuple[Half | None, ...]
"""The visible half on each cell, in the order of ``CELLS``; None is bare."""


class Pile(NamedTuple):
    """A pile: its face-up type, empty if none, and the number of face-down tiles."""

    up: str
    down: int

    @property
    def text(self) -> str:
        """The pile as rules 22 write it."""
        return f"{self.up or '-'}{self.down}"

    @property
    def tiles(self) -> int:
        """All its tiles; the face-up one still belongs to it (rules 7)."""
        return self.down + bool(self.up)


def _beside(cell: int, direction: str) -> int | None:
    """The neighbouring cell, None over the rim."""
    row, column = divmod(cell, 6)
    row += {"n": -1, "s": 1}.get(direction, 0)
    column += {"w": -1, "e": 1}.get(direction, 0)
    return row * 6 + column if row in range(6) and column in range(6) else None


BESIDE = tuple([{way: _beside(cell, way) for way in DIRECTIONS} for cell in range(36)])


def _inside(position: str) -> tuple[int, str]:
    """The cell at a marker position and the edge at which its line enters (rules 1, 2)."""
    side, name = position[0], position[1]
    cell = {"N": f"{name}6", "S": f"{name}1", "E": f"f{name}", "W": f"a{name}"}[side]
    return CELLS.index(cell), side.lower()


ENTRY: Mapping[str, tuple[int, str]] = {position: _inside(position) for position in RIM}
EXIT: Mapping[tuple[int, str], str] = {entry: position for position, entry in ENTRY.items()}


def line(board: Board, position: str) -> tuple[str, int]:
    """Where the line from a marker position ends, and its passes (rules 13, 15)."""
    cell, edge = ENTRY[position]
    passes = 0
    on_same_tile = False
    while True:
        half = board[cell]
        if half is not None and not on_same_tile:  # a stretch over a tile begins
            passes += half.level
        out = EDGES[half.shape if half is not None else "S"][edge]  # rules 1: bare ones cross
        beside = BESIDE[cell][out]
        if beside is None:
            return EXIT[cell, out], passes
        on_same_tile = half is not None and half.other == out
        cell, edge = beside, OPPOSITE[out]


def points_for(passes: int) -> int:
    """The conversion table (rules 15)."""
    return max(
        [points for least, points in zip(LEAST_PASSES, POINTS, strict=True) if passes >= least]
    )


def passes_of(board: Board, markers: Sequence[str]) -> int:
    """The passes of all lines with a marker of these at both ends (rules 14, 15)."""
    ends = {position: line(board, position) for position in markers}
    return sum([passes for end, passes in ends.values() if end in markers]) // 2  # from both ends


def may_lie(board: Board, cell: int, direction: str) -> bool:
    """Whether a tile may lie on the cell and its neighbour in the direction (rules 10)."""
    other = BESIDE[cell][direction]
    if other is None:  # over the rim
        return False
    one, two = board[cell], board[other]
    if one is None or two is None:
        return one is two
    return one.level == two.level and one.other != direction


def any_place(board: Board) -> bool:
    """Whether a cell pair is legal for any tile (rules 18)."""
    return any(may_lie(board, cell, direction) for cell in range(36) for direction in "es")


def ways(kind: str) -> str:
    """The directions in which a type is written: doubles look the same after 180 degrees (21)."""
    return "es" if kind[0] == kind[1] else DIRECTIONS


def as_it_lies(kind: str, direction: str) -> str:
    """The shapes of a tile's first and second half after rotation (rules 5, 21)."""
    if direction in "ew":
        return kind
    return ROTATED[kind[0]] + ROTATED[kind[1]]


def place_tile(board: Board, kind: str, cell: int, direction: str) -> Board:
    """The board after a tile is placed (rules 10)."""
    other = BESIDE[cell][direction]
    assert other is not None
    halves = list(board)
    for place in (cell, other):  # the other halves of covered halves are now single
        below = board[place]
        if below is not None and below.other:
            partner = BESIDE[place][below.other]
            assert partner is not None
            halves[partner] = _half(board, partner)._replace(other="")
    level = 1 if board[cell] is None else _half(board, cell).level + 1
    shapes = as_it_lies(kind, direction)
    halves[cell] = Half(shapes[0], level, direction)
    halves[other] = Half(shapes[1], level, OPPOSITE[direction])
    return tuple(halves)


def _half(board: Board, cell: int) -> Half:
    """The half on a cell that is not bare."""
    half = board[cell]
    assert half is not None
    return half


def kind_of(one: Half, two: Half) -> str:
    """The type of a tile with both halves visible, ``one`` and ``two`` (rules 4, 5)."""
    shapes = one.shape + two.shape
    if one.other in "sn":
        shapes = ROTATED[one.shape] + ROTATED[two.shape]
    return shapes if shapes in TYPES else shapes[::-1]


def seat_to_place(players: int, placed: int) -> int:
    """The seat that places the next marker of the set-up (rules 8)."""
    side, place = divmod(placed, players)
    return place if side % 2 == 0 else players - 1 - place


def side_to_place(players: int, placed: int, sides: str) -> str:
    """The sides on which the next marker of the set-up may be placed (rules 8)."""
    side, place = divmod(placed, players)
    if side % 2 == 1:
        return OPPOSITE[sides[-1]]
    if place:
        return sides[-1]
    return "".join([one for one in SIDES if one not in sides and OPPOSITE[one] not in sides])


def in_ring_order(positions: Iterable[str]) -> tuple[str, ...]:
    """Positions sorted from ``Na`` on (rules 22)."""
    return tuple(sorted(positions, key=RIM.index))


@dataclass(frozen=True)
class State:
    """A position: all that the rules need to continue. Immutable."""

    board: Board
    markers: tuple[tuple[str, ...], ...]
    """By seat, clockwise from ``Na``."""
    points: tuple[int, ...]
    piles: tuple[Pile, ...]
    unseen: tuple[int, ...]
    """Face-down copies, in the order of ``TYPES``."""
    seat: int | None
    """The seat to act, None when the game is over."""
    due: int | None = None
    """The pile whose tile chance must reveal, from 0."""
    placed: int | None = None
    """Markers placed so far, None after the set-up."""
    sides: str = ""
    """In the set-up the sides that seat 0 has named."""
    taken: int = 0
    """Actions taken in the turn (rules 22)."""
    idle: int = 0
    """Marker moves in a row so far (rules 18a)."""

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.markers)

    @cached_property
    def text(self) -> str:
        """The position in the notation of rules 22."""
        cells = [half.text if half else "-" for half in self.board]
        over = self.seat is None
        due = "" if self.due is None else f"*{self.due + 1}:"
        actions = str(self.taken) if self.placed is None else f"u{self.placed}{self.sides}"
        return " ".join(
            (
                "/".join([",".join(cells[row : row + 6]) for row in range(0, 36, 6)]),
                ";".join([",".join(positions) or "-" for positions in self.markers]),
                ";".join(map(str, self.points)),
                ";".join([pile.text for pile in self.piles]),
                ",".join(map(str, self.unseen)),
                "-" if over else f"{due}{self.seat}",
                "-" if over else actions,
                "f" if over or self.last else "-",
                "-" if over else str(self.idle),
            )
        )

    @property
    def used_up(self) -> int:
        """The number of piles that are used up, face-up tile included (rules 17)."""
        return sum([pile.tiles == 0 for pile in self.piles])

    @property
    def last(self) -> bool:
        """Whether this round is known to be the last (rules 17, 22)."""
        return max(self.points) >= LAST_ROUND or self.used_up > 0

    @property
    def to_act(self) -> int | None:
        """The seat to act, ``CHANCE``, or None when the game is over."""
        return self.seat if self.due is None else CHANCE

    @cached_property
    def legal_actions(self) -> tuple[str, ...]:
        """Tokens of the legal actions, ascending; none at chance and when the game is over."""
        if self.seat is None or self.due is not None:
            return ()
        if self.placed is not None:
            return tuple(sorted(self._placements(self.placed)))
        return tuple(sorted([*self._tiles(), *self._moves(self.markers[self.seat])]))  # rules 9

    @cached_property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """The tiles that chance can reveal, with their unseen copies; empty elsewhere (21)."""
        if self.due is None:
            return ()
        unseen = zip(TYPES, self.unseen, strict=True)
        return tuple([(f"*{self.due + 1}{kind}", copies) for kind, copies in unseen if copies])

    @cached_property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """None while the game is in progress, else the winner and the reason (rules 17-19)."""
        if self.seat is not None:
            return None
        winner = self.points.index(max(self.points))
        if self.used_up == len(self.piles) or not any_place(self.board):
            return (winner,), "done"
        if max(self.points) >= LAST_ROUND:
            return (winner,), "points"
        return (winner,), "pile" if self.used_up else "idle"

    def play(self, token: str) -> Self:
        """The position after an action or an outcome of chance.

        Raises:
            ValueError: the action is not legal here; the message quotes the token and the position.
        """
        if token not in self.legal_actions and token not in dict(self.chance_outcomes):
            why = f"the game is over ({self.outcome[1]})" if self.outcome else "not legal here"
            raise ValueError(f"illegal action {token!r}: {why}; in {self.text}")
        if token[0] == "*":
            return self._turn_up(token)
        if self.placed is not None:
            return self._place(self.placed, token)
        if "@" in token:
            return self._place_tile(token)
        return self._move(token)

    # The legal actions.

    def _placements(self, placed: int) -> Iterator[str]:
        sides = side_to_place(self.players, placed, self.sides)
        yield from [position for position in self._free() if position[0] in sides]

    def _tiles(self) -> Iterator[str]:
        places = [
            (cell, direction)
            for cell in range(36)
            for direction in DIRECTIONS
            if may_lie(self.board, cell, direction)
        ]
        for number, pile in enumerate(self.piles, 1):
            if pile.up:
                directions = ways(pile.up)
                for cell, direction in places:
                    if direction in directions:
                        yield f"{number}{pile.up}@{CELLS[cell]}{direction}"

    def _moves(self, own: Sequence[str]) -> Iterator[str]:
        """The first and second free position in each direction (rules 11)."""
        free = self._free()
        for start in own:
            place = RIM.index(start)
            for way in (1, -1):
                ahead = [RIM[(place + way * step) % len(RIM)] for step in range(1, len(RIM))]
                for end in [position for position in ahead if position in free][:2]:
                    yield f"{start}-{end}"

    def _free(self) -> list[str]:
        taken = {position for positions in self.markers for position in positions}
        return [position for position in RIM if position not in taken]

    # The effects of the actions.

    def _turn_up(self, token: str) -> Self:
        assert self.due is not None
        kind = token[2:]
        unseen = list(self.unseen)
        unseen[TYPES.index(kind)] -= 1
        after = replace(
            self._with_pile(self.due, Pile(kind, self.piles[self.due].down - 1)),
            unseen=tuple(unseen),
            due=None,
        )
        if self.placed is None:
            return after._action_done()
        return after if self.due == 2 else replace(after, due=self.due + 1)  # rules 7

    def _place(self, placed: int, token: str) -> Self:
        assert self.seat is not None
        sides = self.sides
        if placed % (2 * self.players) == 0:  # rules 8: seat 0 names a side
            sides += token[0]
        after = self._with_markers(self.seat, [*self.markers[self.seat], token])
        placed += 1
        if placed == MARKERS * self.players:
            return replace(after, seat=0, placed=None, sides="")
        return replace(after, seat=seat_to_place(self.players, placed), placed=placed, sides=sides)

    def _place_tile(self, token: str) -> Self:
        what, _, where = token.partition("@")
        number, kind = int(what[0]) - 1, what[1:]
        board = place_tile(self.board, kind, CELLS.index(where[:2]), where[2])
        after = replace(
            self._with_pile(number, Pile("", self.piles[number].down)),
            board=board,
            taken=self.taken + 1,
            idle=0,
        )
        if after.used_up == len(after.piles) or not any_place(board):  # rules 18: at once
            return after._scored()._over()
        if after.piles[number].down:  # rules 10
            return replace(after, due=number)
        return after._action_done()

    def _move(self, token: str) -> Self:
        assert self.seat is not None
        start, _, end = token.partition("-")
        own = [end if position == start else position for position in self.markers[self.seat]]
        after = replace(
            self._with_markers(self.seat, own), taken=self.taken + 1, idle=self.idle + 1
        )
        return after._action_done()

    def _action_done(self) -> Self:
        """The end of the turn, if this was its second action (rules 9, 14, 17, 18a)."""
        if self.taken < 2:
            return self
        assert self.seat is not None
        after = self._scored()
        next_seat = (self.seat + 1) % self.players
        if (after.last and next_seat == 0) or after.idle >= IDLE:
            return after._over()
        return replace(after, seat=next_seat, taken=0)

    def _scored(self) -> Self:
        assert self.seat is not None
        points = list(self.points)
        points[self.seat] += points_for(passes_of(self.board, self.markers[self.seat]))
        return replace(self, points=tuple(points))

    def _over(self) -> Self:
        return replace(self, seat=None, due=None, taken=0, idle=0)

    def _with_pile(self, number: int, pile: Pile) -> Self:
        piles = list(self.piles)
        piles[number] = pile
        return replace(self, piles=tuple(piles))

    def _with_markers(self, seat: int, positions: Iterable[str]) -> Self:
        markers = list(self.markers)
        markers[seat] = in_ring_order(positions)
        return replace(self, markers=tuple(markers))


def _check_options(players: int, balance: int) -> None:
    if players not in (2, 3):
        raise ValueError(f"option players: {players!r} is neither 2 nor 3")
    if balance not in range(MOST_BALANCE + 1):
        raise ValueError(f"option balance: {balance!r} is not from 0 to {MOST_BALANCE}")


def head_start(players: int, balance: int) -> tuple[int, ...]:
    """The points of each seat at the start (rules 23)."""
    return (balance, 0) if players == 2 else (balance, balance // 2, 0)


def start(*, players: int = 2, balance: int = 0) -> State:
    """The start position: no tile is revealed, chance is to act (rules 7).

    Args:
        players: 2 or 3.
        balance: the head start of seat 0 (rules 23).

    Raises:
        ValueError: an option has another value.
    """
    _check_options(players, balance)
    return State(
        board=(None,) * 36,
        markers=((),) * players,
        points=head_start(players, balance),
        piles=(Pile("", PILE),) * 3,
        unseen=(COPIES,) * len(TYPES),
        seat=0,
        due=0,
        placed=0,
    )


class PositionFault(ValueError):
    """A position text is malformed or impossible (rules 22)."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        """All faults, each starting with the name of its field."""
        super().__init__("; ".join(self.faults))


def parse(text: str, *, players: int = 2, balance: int = 0) -> State:
    """The position that a text stands for; its ``text`` is the same text again.

    A text is malformed as rules 22 say; it is impossible for just the reasons that ``_Reading``
    lists, each given with its field.

    Args:
        text: in the notation of rules 22.
        players: 2 or 3.
        balance: the head start of seat 0 (rules 23).

    Raises:
        PositionFault: the text is malformed or impossible; it lists every fault.
        ValueError: an option has another value.
    """
    _check_options(players, balance)
    return _Reading(text, players, balance).state()


_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_HALF = re.compile(r"([SLR])([1-9][0-9]{0,8})([eswn]?)")
_PILE = re.compile(r"(SS|LL|RR|SL|SR|RL|-)(0|[1-9][0-9]{0,8})")
_SEAT = re.compile(r"(?:\*([123]):)?([012])")
_SET_UP = re.compile(r"u(0|[1-9][0-9]?)([NESW]{0,2})")


class _Turn(NamedTuple):
    """The field of the seat: whose turn it is, and the pile (from 0) due at chance."""

    seat: int | None
    due: int | None = None


class _Actions(NamedTuple):
    """The field of the actions."""

    phase: str
    """``set-up``, ``play`` or ``over``."""
    number: int = 0
    """Actions taken in the turn, or markers placed."""
    sides: str = ""


_NO_COUNT = -1  # a dash for the number of idle moves


def _read_numbers(text: str, separator: str, count: int) -> tuple[int, ...] | None:
    parts = text.split(separator)
    if len(parts) != count or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    return tuple(map(int, parts))


def _read_board(text: str) -> Board | None:
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [6] * 6:
        return None
    board: list[Half | None] = []
    for cell in [cell for row in rows for cell in row]:
        match = _HALF.fullmatch(cell)
        if not match and cell != "-":
            return None
        board.append(Half(match[1], int(match[2]), match[3]) if match else None)
    return tuple(board)


def _read_markers(text: str, players: int) -> tuple[tuple[str, ...], ...] | None:
    seats = [tuple(part.split(",")) if part != "-" else () for part in text.split(";")]
    if len(seats) != players:
        return None
    for positions in seats:
        if not set(positions) <= set(RIM) or positions != in_ring_order(positions):
            return None
    return tuple(seats)


def _read_piles(text: str) -> tuple[Pile, ...] | None:
    matches = [_PILE.fullmatch(part) for part in text.split(";")]
    piles = tuple([Pile(match[1].strip("-"), int(match[2])) for match in matches if match])
    return piles if len(piles) == len(matches) == 3 else None


def _read_turn(text: str, players: int) -> _Turn | None:
    if text == "-":
        return _Turn(None)
    match = _SEAT.fullmatch(text)
    if not match or int(match[2]) >= players:
        return None
    return _Turn(int(match[2]), int(match[1]) - 1 if match[1] else None)


def _read_actions(text: str) -> _Actions | None:
    if text == "-":
        return _Actions("over")
    if text in ("0", "1", "2"):
        return _Actions("play", int(text))
    match = _SET_UP.fullmatch(text)
    return _Actions("set-up", int(match[1]), match[2]) if match else None


def _read_idle(text: str) -> int | None:
    if text == "-":
        return _NO_COUNT
    return int(text) if _NUMBER.fullmatch(text) else None


def _lost_halves(board: Board) -> Iterator[int]:
    """The cells whose half names another one that is not there (rules 22)."""
    for cell, half in enumerate(board):
        if half is not None and half.other:
            beside = BESIDE[cell][half.other]
            other = None if beside is None else board[beside]
            if other is None or other[1:] != (half.level, OPPOSITE[half.other]):
                yield cell


def _whole(board: Board) -> Tally[str]:
    """The number of tiles of each type with both halves visible, if no half is lost."""
    tally: Tally[str] = Tally()
    for cell, half in enumerate(board):
        if half is not None and half.other and half.other in "es":
            beside = BESIDE[cell][half.other]
            assert beside is not None
            tally[kind_of(half, _half(board, beside))] += 1
    return tally


def _may_be_tile(board: Board, level: int, cell: int, direction: str) -> bool:
    """Whether a tile of the level can lie on a cell and its neighbour (rules 10).

    Both cells reach the level.
    """
    beside = BESIDE[cell][direction]
    assert beside is not None
    one, two = _half(board, cell), _half(board, beside)
    joined = one.other == direction and two.other == OPPOSITE[direction]
    if one.level == two.level == level:  # both halves are visible
        return joined
    if one.level == level:  # the other half is covered
        return not one.other
    if two.level == level:
        return not two.other
    return not (one.level == two.level == level + 1 and joined)  # that tile covers exactly this one


def _made_of_tiles(board: Board, level: int) -> bool:
    """Whether the cells that reach the level pair off into tiles of it (rules 10)."""
    high = {cell for cell, half in enumerate(board) if half is not None and half.level >= level}
    pairs: dict[int, int] = {}

    def finds_partner(cell: int, tried: set[int]) -> bool:
        """Give a cell a partner. A cell that loses its partner looks for another."""
        for direction in DIRECTIONS:
            other = BESIDE[cell][direction]
            if other is None or other not in high - tried:
                continue
            if not _may_be_tile(board, level, cell, direction):
                continue
            tried.add(other)
            if other not in pairs or finds_partner(pairs[other], tried):
                pairs[other] = cell
                return True
        return False

    # As on a chessboard, a tile lies on a cell of each colour.
    light = [cell for cell in sorted(high) if sum(divmod(cell, 6)) % 2 == 0]
    return 2 * len(light) == len(high) and all(finds_partner(cell, set()) for cell in light)


class _Reading:
    """A position text's fields, each None where malformed, and the faults found.

    The following is impossible, and is checked in this order. A check needs its fields, and the
    faults in brackets must be absent. Placed tiles are those in no pile. A used-up pile has no
    tiles, an unturned pile only face-down ones.

    - board: B1 half of a tile without its partner. B2 [B1] a level that is not made of whole
      tiles, or a tile exactly on one below. B3 [P1] levels that do not add up to the tiles placed.
      B4 [B1] no space for any tile though the game is in progress.
    - markers: M1 a position twice. M2 not four of a seat; in the set-up [A1, A2] not the number
      on a side that rules 8 give.
    - points: T1 a seat above 64. T2 a seat with 50 whose turn in this round is not over.
      T3 [P1] points though no tile was placed, beside those of the start. T4 fewer than at the
      start.
    - piles: P1 more than 14 tiles in one. P2 in the set-up fewer. P3 [S1] one unturned that
      should not be, or the reverse. P4 all used up though the game is in progress.
      P5 [S1, A3, I1] more used up than this round has had actions for.
    - unseen: U1 [P1] not the number of face-down tiles. U2 [B1] more than seven of a type, with
      face-up tiles and tiles on the board whose halves are both visible.
    - seat: S1 none though the game is in progress, or one though it is over. S2 [A1] in the
      set-up not the one to place a marker, or chance after the first marker.
    - actions: A1 more markers than the set-up has. A2 [A1] sides that rules 8 do not give.
      A3 [S1] not 0 or 1 in a turn, at chance 1 or 2.
    - last: L1 does not agree with the points and the piles.
    - idle: I1 none though the game is in progress, or a number though it is over.
      I2 [S1, A3, I1] above 0 in the set-up or after a tile. I3 [S1, A3, I1] above 59 at the start
      of a turn, 60 within one.
      I4 [S1, A3, I1, P1] no tile was placed and it is not the number of all actions.
    """

    def __init__(self, text: str, players: int, balance: int) -> None:
        self.players = players
        self.head_start = head_start(players, balance)
        fields = text.split(" ")
        if len(fields) != 9:
            raise PositionFault([f"position: {len(fields)} fields, not 9, in {text!r}"])
        self.board = _read_board(fields[0])
        self.markers = _read_markers(fields[1], players)
        self.points = _read_numbers(fields[2], ";", players)
        self.piles = _read_piles(fields[3])
        self.unseen = _read_numbers(fields[4], ",", len(TYPES))
        self.turn = _read_turn(fields[5], players)
        self.actions = _read_actions(fields[6])
        self.last = fields[7] if fields[7] in ("f", "-") else None
        self.idle = _read_idle(fields[8])
        read = {
            "board": self.board,
            "markers": self.markers,
            "points": self.points,
            "piles": self.piles,
            "unseen": self.unseen,
            "seat": self.turn,
            "actions": self.actions,
            "last": self.last,
            "idle": self.idle,
        }
        self.faults = [
            f"{name}: malformed {field!r}"
            for (name, value), field in zip(read.items(), fields, strict=True)
            if value is None
        ]

    def state(self) -> State:
        """The state, if nothing is malformed or impossible."""
        for name, faults in (
            ("board", self._board_faults()),
            ("markers", self._markers_faults()),
            ("points", self._points_faults()),
            ("piles", self._piles_faults()),
            ("unseen", self._unseen_faults()),
            ("seat", self._seat_faults()),
            ("actions", self._actions_faults()),
            ("last", self._last_faults()),
            ("idle", self._idle_faults()),
        ):
            self.faults.extend([f"{name}: {fault}" for fault in faults])
        # A malformed field has a fault. The rest of the condition is for the type checker.
        if (
            self.faults
            or self.board is None
            or self.markers is None
            or self.points is None
            or self.piles is None
            or self.unseen is None
            or self.turn is None
            or self.actions is None
            or self.idle is None
        ):
            raise PositionFault(self.faults)
        set_up = self.actions.phase == "set-up"
        return State(
            board=self.board,
            markers=self.markers,
            points=self.points,
            piles=self.piles,
            unseen=self.unseen,
            seat=self.turn.seat,
            due=self.turn.due,
            placed=self.actions.number if set_up else None,
            sides=self.actions.sides,
            taken=0 if set_up else self.actions.number,
            idle=max(self.idle, 0),
        )

    # Values that several checks use.

    @property
    def _phase(self) -> str | None:
        return self.actions.phase if self.actions else None

    @cached_property
    def _sound_board(self) -> Board | None:
        """The board, if it has no lost halves."""
        return (
            self.board if self.board and not any(True for _ in _lost_halves(self.board)) else None
        )

    @cached_property
    def _tiles_placed(self) -> int | None:
        """The number of tiles on the board, if no pile has too many (rules 7)."""
        if self.piles is None or any(pile.tiles > PILE for pile in self.piles):
            return None
        return MOST_TILES - sum([pile.tiles for pile in self.piles])

    @property
    def _used_up(self) -> int | None:
        if self.piles is None:
            return None
        return sum([pile.tiles == 0 for pile in self.piles])

    @property
    def _sound_turn(self) -> _Turn | None:
        """The field of the seat, if it agrees with the actions on whether the game is over."""
        if self.turn is None or self.actions is None:
            return None
        return self.turn if (self.turn.seat is None) == (self._phase == "over") else None

    @property
    def _seat_and_taken(self) -> tuple[int, int] | None:
        """The seat to act and the actions taken, in play, if they go together."""
        turn, actions = self._sound_turn, self.actions
        if turn is None or turn.seat is None or actions is None or actions.phase != "play":
            return None
        possible = (0, 1) if turn.due is None else (1, 2)
        return (turn.seat, actions.number) if actions.number in possible else None

    @property
    def _sound_idle(self) -> int | None:
        """The idle moves, if the game is in progress and there is a number."""
        return None if self.idle == _NO_COUNT or self._phase == "over" else self.idle

    @property
    def _markers_placed(self) -> int | None:
        """The markers placed so far in the set-up, if that number is possible."""
        if self.actions is None or self.actions.phase != "set-up":
            return None
        placed = self.actions.number
        return placed if placed < MARKERS * self.players else None

    @property
    def _sound_sides(self) -> str | None:
        """The sides that seat 0 has named in the set-up, if it can have (rules 8)."""
        placed, actions = self._markers_placed, self.actions
        if placed is None or actions is None:
            return None
        sides = actions.sides
        if len(sides) != -(-placed // (2 * self.players)):
            return None
        crossing = len(sides) < 2 or sides[1] not in (sides[0], OPPOSITE[sides[0]])
        return sides if crossing else None

    # The checks, field by field.

    def _board_faults(self) -> Iterator[str]:
        if self.board is None:
            return
        for cell in _lost_halves(self.board):
            yield f"the other half of {CELLS[cell]} is missing"  # B1
        levels = [half.level for half in self.board if half is not None]
        if self._sound_board is not None and max(levels, default=0) > MOST_TILES:
            yield f"level {max(levels)}, above {MOST_TILES}"  # B2
        elif self._sound_board is not None:
            for level in range(1, max(levels, default=0) + 1):
                if not _made_of_tiles(self._sound_board, level):
                    yield f"level {level} is not made of whole tiles"  # B2
        if self._tiles_placed is not None and sum(levels) != 2 * self._tiles_placed:  # B3
            asked = f"{2 * self._tiles_placed} for {self._tiles_placed} tiles"
            yield f"levels add up to {sum(levels)}, not to {asked}"
        playing = self._sound_board is not None and self._phase == "play"
        if playing and not any_place(self._sound_board or ()):
            yield "no space for a tile though the game is still in progress"  # B4

    def _markers_faults(self) -> Iterator[str]:
        if self.markers is None:
            return
        places = Tally([position for positions in self.markers for position in positions])
        for position in in_ring_order(places):
            if places[position] > 1:
                yield f"{position} twice"  # M1
        if self._phase in ("play", "over"):
            for seat, positions in enumerate(self.markers):
                if len(positions) != MARKERS:
                    yield f"{len(positions)} of seat {seat}, not {MARKERS}"  # M2
        elif self._sound_sides is not None and self._markers_placed is not None:
            asked = Tally(self._seats_and_sides(self._markers_placed, self._sound_sides))
            for seat, positions in enumerate(self.markers):
                for side in SIDES:
                    there = sum([position[0] == side for position in positions])
                    if there != asked[seat, side]:  # M2
                        yield f"{there} of seat {seat} on side {side}, not {asked[seat, side]}"

    def _seats_and_sides(self, placed: int, sides: str) -> Iterator[tuple[int, str]]:
        """Of each marker placed in the set-up, its seat and its side (rules 8)."""
        order = [one for side in sides for one in (side, OPPOSITE[side])]
        for number in range(placed):
            yield seat_to_place(self.players, number), order[number // self.players]

    def _points_faults(self) -> Iterator[str]:
        if self.points is None:
            return
        for seat, points in enumerate(self.points):
            if points > MOST_POINTS:
                yield f"{points} of seat {seat}, above {MOST_POINTS}"  # T1
        if self._phase == "play" and self.turn is not None and self.turn.seat is not None:
            for seat in range(self.turn.seat, self.players):
                if self.points[seat] >= LAST_ROUND:  # T2
                    yield f"{self.points[seat]} of seat {seat} before its turn in the last round"
        for seat, (points, least) in enumerate(zip(self.points, self.head_start, strict=True)):
            if points < least:
                yield f"{points} of seat {seat}, below the {least} of the start"  # T4
            elif self._tiles_placed == 0 and points > least:
                yield f"{points} of seat {seat} though no tile is placed"  # T3

    def _piles_faults(self) -> Iterator[str]:
        if self.piles is None:
            return
        for number, pile in enumerate(self.piles, 1):
            if pile.tiles > PILE:
                yield f"{pile.tiles} tiles in pile {number}"  # P1
        if self._phase == "set-up":
            for number, pile in enumerate(self.piles, 1):
                if pile.tiles < PILE:
                    yield f"{pile.tiles} tiles in pile {number} during the set-up"  # P2
        yield from self._wrongly_turned(self.piles)
        if self._phase == "play" and self._used_up == len(self.piles):
            yield "all used up though the game is still in progress"  # P4
        if self._used_up and self._sound_idle is not None and self._seat_and_taken is not None:
            seat, taken = self._seat_and_taken
            chance = self.turn is not None and self.turn.due is not None
            if self._used_up + self._sound_idle + chance > 2 * seat + taken:
                yield f"{self._used_up} used up before this round"  # P5

    def _wrongly_turned(self, piles: tuple[Pile, ...]) -> Iterator[str]:
        """P3: piles without a face-up tile, and the reverse (rules 7, 10, 18)."""
        turn = self._sound_turn
        unturned = {place for place, pile in enumerate(piles) if pile.down and not pile.up}
        if turn is None:
            return
        if self._phase == "over":
            if self._sound_board is None:
                return
            # Chance reveals no next tile only if the last one left no space.
            one_may = len(unturned) == 1 and not any_place(self._sound_board)
            asked = unturned if one_may else set()
        elif turn.due is None:
            asked = set()
        else:
            asked = set(range(turn.due, 3)) if self._phase == "set-up" else {turn.due}
        for place in range(3):
            if place in asked - unturned:
                yield f"pile {place + 1} must not have a face-up tile here"
            if place in unturned - asked:
                yield f"pile {place + 1} needs a face-up tile here"

    def _unseen_faults(self) -> Iterator[str]:
        if self.unseen is None or self.piles is None:
            return
        down = sum([pile.down for pile in self.piles])
        if self._tiles_placed is not None and sum(self.unseen) != down:
            yield f"{sum(self.unseen)} copies, not {down}"  # U1
        if self._sound_board is None:
            return
        seen = _whole(self._sound_board) + Tally([pile.up for pile in self.piles])
        for kind, unseen in zip(TYPES, self.unseen, strict=True):
            if unseen + seen[kind] > COPIES:  # U2
                copies = unseen + seen[kind]
                yield f"{copies} copies of {kind} with those face up and on the board"

    def _seat_faults(self) -> Iterator[str]:
        if self.turn is None or self.actions is None:
            return
        if self._sound_turn is None:  # S1
            over = self._phase == "over"
            yield (
                f"{self.turn.seat} though the game is over"
                if over
                else "- though the game is still in progress"
            )
        if self._markers_placed is None or self.turn.seat is None:
            return
        if self.turn.seat != seat_to_place(self.players, self._markers_placed):
            yield f"it is not the turn of seat {self.turn.seat} to place a marker"  # S2
        if self.turn.due is not None and self._markers_placed:
            yield f"*{self.turn.due + 1}:{self.turn.seat} after the first marker"  # S2

    def _actions_faults(self) -> Iterator[str]:
        if self.actions is None:
            return
        number, sides = self.actions.number, self.actions.sides
        if self._phase == "set-up":
            if self._markers_placed is None:
                yield f"{number} markers placed in the set-up"  # A1
            elif self._sound_sides is None:
                yield f"sides {sides!r} with {number} markers placed"  # A2
        if self._phase == "play" and self._sound_turn and self._seat_and_taken is None:
            yield f"{number} taken"  # A3

    def _last_faults(self) -> Iterator[str]:
        if not (self.last and self.points and self.piles and self.actions):
            return
        known = max(self.points) >= LAST_ROUND or bool(self._used_up) or self._phase == "over"
        if self.last == "f" and not known:
            yield "f though no seat has 50 points and no pile is used up"  # L1
        if self.last == "-" and known:
            yield "- though this round is the last"  # L1

    def _idle_faults(self) -> Iterator[str]:
        if self.idle is None or self.actions is None:
            return
        if self.idle == _NO_COUNT and self._phase != "over":
            yield "- though the game is still in progress"  # I1
        if self.idle != _NO_COUNT and self._phase == "over":
            yield f"{self.idle} though the game is over"  # I1
        idle, turn = self._sound_idle, self._sound_turn
        if idle is None or turn is None:
            return
        if self._phase == "set-up" and idle:
            yield f"{idle} in the set-up"  # I2
        if self._seat_and_taken is None:
            return
        seat, taken = self._seat_and_taken
        if turn.due is not None:
            if idle:
                yield f"{idle} after a tile"  # I2
            return
        if idle > IDLE - 1 + taken:
            yield f"{idle} at the start of a turn" if taken == 0 else f"{idle} within a turn"  # I3
        if self._tiles_placed == 0:  # every action was a marker move
            turns, odd = divmod(idle - taken, 2)
            if turns < 0 or odd or turns % self.players != seat:  # I4
                yield f"{idle} though no tile is placed, with seat {seat} and {taken} taken"
