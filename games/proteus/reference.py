"""The rule book of Proteus once more: literal, slow, in plain Python.

Written from the numbered clauses of the rule book alone, sharing nothing with the engine, so that
the two can be compared by text: positions, action tokens and outcomes. Comments cite the clauses.

Every game's reference offers the same interface: ``start(**options)``, ``parse(text, **options)``,
and states with ``to_act``, ``legal_actions``, ``chance_outcomes``, ``play``, ``outcome``, ``text``.

Repetition data (rules 20) is ``-`` or the earlier positions of the movement phase. They are sorted
as texts and joined by ``|``. Each is ``TILES,COUNTERS,SEAT,N``. TILES: the nine tiles in cell
order, written as in the cells but without separators. COUNTERS: nine characters in cell order,
``-`` for no counter, else its shape, ``c`` ``s`` ``t`` for Black's, ``C`` ``S`` ``T`` for White's.
SEAT: ``B`` or ``W``, the seat to act. N: how often the position occurred, 1 or 2. All earlier
positions are kept: trades, moves and flips can be undone in general. (A few positions cannot recur,
since no action leads to them; the search for those is not worth it.) The present position is there
only if it occurred earlier.

Example:
    >>> state = start().play("Rc@a1").play("Bs@b1").play("c@a1").play("Yt@b2").play("t@b1")
    >>> state.text
    'Rc+:Bc/Bs:Bt/-/-/Yt/-/-/-/- W - -'
    >>> state.play("Yc@c3").legal_actions[-4:]
    ('Ys@c1', 'Ys@c2', 's@b2', 's@c3')
"""

import re
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from typing import NamedTuple, Self

CELLS = tuple([column + row for row in "123" for column in "abc"])  # rules 1, 20: in text order
COLOURS = "RBY"  # rules 2, 19
SHAPES = "cst"  # rules 2, 19
SEAT_NAMES = ("Black", "White")  # rules 3: seat 0 is Black and starts
SEAT_LETTERS = "BW"  # rules 20
COLOUR_NAMES: Mapping[str, str] = {"R": "red", "B": "blue", "Y": "yellow"}
# rules 4: the rules on circle, square and triangle.
RED: Mapping[str, str] = dict(zip(SHAPES, ("KING", "ROOK", "BISHOP"), strict=True))
BLUE = ("POLARITY", "COLOR", "SHAPE")
YELLOW = ("LINE", "COLOR", "SHAPE")
LAST_ACTION = 300  # rules 18
LINES = frozenset(  # rules 13: rows, columns, diagonals
    [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
)


class Tile(NamedTuple):
    """One of the nine tiles (rules 2)."""

    colour: str
    shape: str
    up: bool = False

    @property
    def text(self) -> str:
        """The tile as rules 20 write it."""
        return f"{self.colour}{self.shape}+" if self.up else f"{self.colour}{self.shape}"


class Counter(NamedTuple):
    """One of the six counters (rules 3)."""

    seat: int
    shape: str


class Cell(NamedTuple):
    """The contents of a cell."""

    tile: Tile | None = None
    counter: Counter | None = None

    @property
    def text(self) -> str:
        """The cell as rules 20 write it."""
        tile = "-" if self.tile is None else self.tile.text
        if self.counter is None:
            return tile
        return f"{tile}:{SEAT_LETTERS[self.counter.seat]}{self.counter.shape}"

    @property
    def matches(self) -> bool:
        """Whether the counter stands on a tile of its own shape (rules 8)."""
        return (
            self.tile is not None
            and self.counter is not None
            and self.tile.shape == self.counter.shape
        )


Board = tuple[Cell, ...]
"""The nine cells in the order of ``CELLS``."""
ALL_TILES = tuple([Tile(colour, shape) for colour in COLOURS for shape in SHAPES])
ALL_COUNTERS = tuple([Counter(seat, shape) for seat in (0, 1) for shape in SHAPES])


def _leads(rule: str, start: int, end: int) -> bool:
    """Whether a red rule leads from cell to cell, both being free for it (rules 12)."""
    columns, rows = abs(start % 3 - end % 3), abs(start // 3 - end // 3)
    if rule == "KING":  # one step in the eight directions
        return max(columns, rows) == 1
    if rule == "ROOK":  # any cell in the same row or column
        return start != end and (columns == 0 or rows == 0)
    return columns != 0 and rows != 0  # any other cell in neither its row nor its column


REACH: Mapping[str, tuple[tuple[int, ...], ...]] = {
    rule: tuple(
        [tuple([end for end in range(9) if _leads(rule, start, end)]) for start in range(9)]
    )
    for rule in RED.values()
}


def _satisfies(board: Board, seat: int, goal: str) -> bool:
    """Whether a seat satisfies a goal (rules 13)."""
    own = [
        place
        for place, cell in enumerate(board)
        if cell.counter is not None and cell.counter.seat == seat
    ]
    if len(own) < 3:  # counters still in hand
        return False
    if goal == "LINE":
        return tuple(own) in LINES
    tiles = [board[place].tile for place in own]
    part = 0 if goal == "COLOR" else 1
    return len({tile[part] for tile in tiles if tile is not None}) == 1


def _shape_up(board: Board, colour: str) -> str | None:
    """The shape of the face-up tile of a colour, if there is one."""
    for tile, _ in board:
        if tile is not None and tile.up and tile.colour == colour:
            return tile.shape
    return None


def _missing(board: Board) -> list[str]:
    """The colours without a face-up tile."""
    return [colour for colour in COLOURS if _shape_up(board, colour) is None]


def _winner(board: Board, yellow: Sequence[str]) -> int | None:
    """The one seat that satisfies the goal, none if both do or there is none yet (rules 13)."""
    shape = _shape_up(board, "Y")
    if shape is None:
        return None
    goal = yellow[SHAPES.index(shape)]
    satisfied = [seat for seat in (0, 1) if _satisfies(board, seat, goal)]
    return satisfied[0] if len(satisfied) == 1 else None


def _matches_by_colour(board: Board) -> tuple[int, ...]:
    tally = Tally([cell.tile.colour for cell in board if cell.tile is not None and cell.matches])
    return tuple([tally[colour] for colour in COLOURS])


def _hand(board: Board, seat: int) -> tuple[str, ...]:
    """The shapes of a seat's counters that are still in hand."""
    down = {cell.counter for cell in board}
    return tuple([shape for shape in SHAPES if Counter(seat, shape) not in down])


def _pool(board: Board) -> tuple[Tile, ...]:
    """The tiles that are not placed yet."""
    down = {cell.tile._replace(up=False) for cell in board if cell.tile is not None}
    return tuple([tile for tile in ALL_TILES if tile not in down])


def _without_counter(board: Board) -> frozenset[tuple[str, str]]:
    """Colour and shape of the tiles that carry no counter, those in the pool included."""
    taken = {(cell.tile[:2]) for cell in board if cell.tile is not None and cell.counter}
    return frozenset([tile[:2] for tile in ALL_TILES if tile[:2] not in taken])


@cache
def _completion_exists(
    rules: str, hand: tuple[str, ...], free: frozenset[tuple[str, str]], matches: tuple[int, ...]
) -> bool:
    """Whether the counters in hand can go to free tiles so that every colour is up (rules 10).

    Args:
        rules: ``article``: at least one match per colour; ``kadon``: exactly one; ``literal``: any.
        hand: shapes of all counters in hand, whosever they are.
        free: the tiles that carry no counter.
        matches: matches so far of each colour; two count for any more.
    """
    if rules == "literal":
        return True
    if not hand:
        return all(number == 1 if rules == "kadon" else number >= 1 for number in matches)
    return any(
        _completion_exists(rules, hand[1:], free - {tile}, _one_more(matches, hand[0], tile))
        for tile in free
    )


def _one_more(matches: tuple[int, ...], shape: str, tile: tuple[str, str]) -> tuple[int, ...]:
    """The matches of each colour after a counter of a shape was put on a tile."""
    if shape != tile[1]:
        return matches
    numbers = list(matches)
    place = COLOURS.index(tile[0])
    numbers[place] = min(numbers[place] + 1, 2)
    return tuple(numbers)


def _hands(board: Board) -> tuple[str, ...]:
    """The shapes of all counters in hand; sorted, so that equal ones are asked for once."""
    return tuple(sorted(_hand(board, 0) + _hand(board, 1)))


def _turned(board: Board, new_pairs: Iterable[int]) -> Board:
    """The board after the flips (rules 14 to 16), given the cells of the new pairs."""
    cells = list(board)
    down = [place for place in new_pairs if not _tile(board, place).up]
    colours = [_tile(board, place).colour for place in down]
    for place, colour in zip(down, colours, strict=True):
        if colours.count(colour) > 1:  # rules 15: they cancel
            continue
        for other, (tile, counter) in enumerate(cells):
            if tile is not None and tile.colour == colour and tile.up:
                cells[other] = Cell(tile._replace(up=False), counter)
        cells[place] = Cell(_tile(board, place)._replace(up=True), board[place].counter)
    return tuple(cells)


def _tile(board: Board, place: int) -> Tile:
    """The tile on a cell that has one."""
    tile = board[place].tile
    assert tile is not None
    return tile


def _letter(counter: Counter | None) -> str:
    if counter is None:
        return "-"
    return counter.shape if counter.seat == 0 else counter.shape.upper()


def _entry(board: Board, seat: int) -> str:
    """A position of the movement phase as it stands in repetition data, without its number."""
    tiles = "".join([cell.tile.text for cell in board if cell.tile is not None])
    counters = "".join([_letter(counter) for _, counter in board])
    return f"{tiles},{counters},{SEAT_LETTERS[seat]}"


@dataclass(frozen=True)
class Options:
    """The options, understood."""

    rules: str
    """``article``, ``literal`` or ``kadon``."""
    blue: tuple[str, ...]
    """The blue rules on circle, square and triangle (rules 4)."""
    yellow: tuple[str, ...]
    """The yellow ones."""
    balance: int
    """1 if the first action of the movement phase cannot win (rules 21), else 0."""


def _options(rules: str, faces: str | int, balance: int) -> Options:
    if rules not in ("article", "literal", "kadon"):
        raise ValueError(f"option rules: {rules!r} is none of article, literal, kadon")
    code = f"{faces:02d}" if isinstance(faces, int) else faces
    if code == "standard":
        code = "00"
    if not re.fullmatch("[0-5][0-5]", code):
        raise ValueError(f"option faces: {faces!r} is neither standard nor two digits 0 to 5")
    if balance not in (0, 1):
        raise ValueError(f"option balance: {balance!r} is neither 0 nor 1")
    orders = list(permutations(range(3)))  # rules 4: in lexicographic order
    blue, yellow = orders[int(code[0])], orders[int(code[1])]
    return Options(
        rules, tuple([BLUE[i] for i in blue]), tuple([YELLOW[i] for i in yellow]), balance
    )


@dataclass(frozen=True)
class State:
    """A position: everything that the rules need to continue. Immutable."""

    options: Options
    board: Board
    seat: int
    """The seat to act; when the game is over, who would have acted next (rules 20)."""
    count: int | None
    """Actions of the movement phase so far, None in the placement."""
    earlier: tuple[tuple[str, int], ...]
    """Repetition data: earlier positions of the movement phase and how often each occurred."""

    def __hash__(self) -> int:
        """Two positions that differ for the rules have different texts."""
        return hash(self.text)

    @cached_property
    def text(self) -> str:
        """The position in the notation of rules 20."""
        return " ".join(
            (
                "/".join([cell.text for cell in self.board]),
                SEAT_LETTERS[self.seat],
                "-" if self.count is None else str(self.count),
                "|".join(sorted([f"{entry},{number}" for entry, number in self.earlier])) or "-",
            )
        )

    @property
    def to_act(self) -> int | None:
        """The seat to act, None when the game is over."""
        return None if self.outcome else self.seat

    @cached_property
    def legal_actions(self) -> tuple[str, ...]:
        """Tokens of the legal actions, ascending; none when the game is over (rules 19)."""
        if self.outcome:
            return ()
        if self.count is None:
            if not _pool(self.board) and not _hand(self.board, self.seat):  # rules 7
                return ("pass",)
            placements = tuple(sorted(self._placements()))
            return self._due(placements) or placements
        actions = tuple(sorted(self._movements(self.seat)))
        return self._turning_up(actions) or actions or ("pass",)  # rules 12

    @property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """Always empty: there is no chance in this game."""
        return ()

    @cached_property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """None while the game continues, else the winners (none: a draw) and the reason.

        The reasons are ``goal`` (rules 13), ``blocked``, ``repetition`` and ``limit`` (rules 18).
        """
        # rules 13: from the first movement action on, kadon in the placement too.
        tested = self.options.rules == "kadon" or self.count
        # rules 21: the first movement action cannot win.
        if tested and not (self.options.balance and self.count == 1):
            winner = _winner(self.board, self.options.yellow)
            # Only the seat that has just acted wins. kadon: whichever seat acted.
            if winner is not None and (self.options.rules == "kadon" or winner == 1 - self.seat):
                return (winner,), "goal"
        if self.count is None:
            return None
        if not any(self._movements(0)) and not any(self._movements(1)):  # rules 18: no action
            return (), "blocked"
        if (self._entry, 2) in self.earlier:  # rules 18: the third time
            return (), "repetition"
        return ((), "limit") if self.count >= LAST_ACTION else None

    def play(self, token: str) -> Self:
        """The position after an action.

        Raises:
            ValueError: the action is not legal here; the message quotes the token and the position.
        """
        if token not in self.legal_actions:
            why = f"the game is over ({self.outcome[1]})" if self.outcome else "not legal here"
            raise ValueError(f"illegal action {token!r}: {why}; in {self.text}")
        if token == "pass":
            return self._after(self.board)
        return self._after(self._placed(token) if "@" in token else self._moved(token))

    def _moved(self, token: str) -> Board:
        """The board after a move or a trade, turned as rules 14 to 16 say."""
        board = list(self.board)
        one, other = CELLS.index(token[:2]), CELLS.index(token[3:])
        if token[2] == "-":
            board[one] = Cell(self.board[one].tile)
            board[other] = Cell(self.board[other].tile, self.board[one].counter)
            touched = [other]
        else:  # rules 12: counters stay on their cells, tiles keep their facing
            board[one] = Cell(self.board[other].tile, self.board[one].counter)
            board[other] = Cell(self.board[one].tile, self.board[other].counter)
            touched = [one, other]
        new_pairs = [place for place in touched if board[place].matches]  # rules 14
        return _turned(tuple(board), new_pairs)

    # The placement.

    def _placements(self) -> Iterator[str]:
        """The tiles and counters that the seat may place (rules 5, 9, 10)."""
        pool = _pool(self.board)
        for cell, (tile, _) in zip(CELLS, self.board, strict=True):
            if tile is None:
                yield from [f"{new.text}@{cell}" for new in pool]
        for shape in _hand(self.board, self.seat):
            for place, cell in enumerate(CELLS):
                if self._counter_may_go(shape, place):
                    yield f"{shape}@{cell}"

    def _due(self, placements: tuple[str, ...]) -> tuple[str, ...]:
        """The placements that must be chosen from because a colour is missing (rules 10).

        There are none under ``kadon``, before the sixth-last placement, if every colour has a tile
        up, and if no placement turns up a tile of a missing colour.
        """
        left = len(_pool(self.board)) + len(_hands(self.board))
        if self.options.rules == "kadon" or left > 6:
            return ()
        return tuple(
            [
                token
                for token in placements
                if any(_shape_up(self._placed(token), colour) for colour in _missing(self.board))
            ]
        )

    def _counter_may_go(self, shape: str, place: int) -> bool:
        tile, counter = self.board[place]
        if tile is None or counter is not None:  # rules 5
            return False
        match_is_legal = self.options.rules != "kadon" or _shape_up(self.board, tile.colour) is None
        if tile.shape == shape and not match_is_legal:  # rules 9
            return False
        board = self._placed(f"{shape}@{CELLS[place]}")  # rules 10
        return _completion_exists(
            self.options.rules, _hands(board), _without_counter(board), _matches_by_colour(board)
        )

    def _placed(self, token: str) -> Board:
        """The board after a placement, turned as rules 8 and 9 say."""
        board = list(self.board)
        what, _, cell = token.partition("@")
        place = CELLS.index(cell)
        if len(what) == 2:
            board[place] = Cell(Tile(what[0], what[1]))  # rules 5: face down
            return tuple(board)
        tile = _tile(self.board, place)
        if tile.shape == what and _shape_up(self.board, tile.colour) is None:
            tile = tile._replace(up=True)
        board[place] = Cell(tile, Counter(self.seat, what))
        return tuple(board)

    # The movement.

    def _movements(self, seat: int) -> Iterator[str]:
        """The moves and trades that the face-up tiles give a seat (rules 11, 12)."""
        yield from self._moves(seat)
        yield from self._trades()

    def _turning_up(self, actions: tuple[str, ...]) -> tuple[str, ...]:
        """The moves and trades by which a tile of a missing colour turns face up (rules 12)."""
        missing = _missing(self.board)
        return tuple(
            [
                token
                for token in (actions if missing else ())
                if any(_shape_up(self._moved(token), colour) for colour in missing)
            ]
        )

    def _moves(self, seat: int) -> Iterator[str]:
        shape = _shape_up(self.board, "R")
        if shape is None:  # rules 11
            return
        for start, (_, counter) in enumerate(self.board):
            if counter is not None and counter.seat == seat:
                for end in REACH[RED[shape]][start]:
                    if self.board[end].counter is None:
                        yield f"{CELLS[start]}-{CELLS[end]}"

    def _trades(self) -> Iterator[str]:
        shape = _shape_up(self.board, "B")
        if shape is None:  # rules 11
            return
        rule = self.options.blue[SHAPES.index(shape)]
        for one, other in combinations(zip(CELLS, self.board, strict=True), 2):
            if _may_trade(rule, one[1], other[1]):
                first, second = sorted((one[0], other[0]))
                yield f"{first}*{second}"

    def _after(self, board: Board) -> Self:
        """The next position, given its board: the seats alternate (rules 5, 11)."""
        count: int | None
        earlier = self.earlier
        if self.count is None:
            done = not _pool(board) and not _hands(board)  # rules 11
            count = 0 if done else None
        else:
            count = self.count + 1
            times = dict(earlier)
            times[self._entry] = times.get(self._entry, 0) + 1
            earlier = tuple(sorted(times.items()))
        return type(self)(
            options=self.options, board=board, seat=1 - self.seat, count=count, earlier=earlier
        )

    @cached_property
    def _entry(self) -> str:
        return _entry(self.board, self.seat)


def _may_trade(rule: str, one: Cell, other: Cell) -> bool:
    """Whether a blue rule lets two tiles trade (rules 12)."""
    if rule == "POLARITY":  # one under an own counter, the other under an opponent's
        return (
            one.counter is not None
            and other.counter is not None
            and one.counter.seat != other.counter.seat
        )
    if one.tile is None or other.tile is None:
        return False
    if rule == "COLOR":
        return one.tile.colour == other.tile.colour
    return one.tile.shape == other.tile.shape


def start(*, rules: str = "article", faces: str | int = "standard", balance: int = 0) -> State:
    """The start position: nothing is placed, Black is to act (rules 3, 5).

    Args:
        rules: ``article``, ``literal`` or ``kadon``.
        faces: ``standard`` or two digits 0 to 5; a number stands for its two digits.
        balance: 1 if the first action of the movement phase cannot win (rules 21), else 0.

    Raises:
        ValueError: an option has another value.
    """
    return State(
        options=_options(rules, faces, balance),
        board=(Cell(),) * 9,
        seat=0,
        count=None,
        earlier=(),
    )


class PositionFault(ValueError):
    """A position text is malformed or impossible (rules 20)."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        """Every fault, each beginning with the name of its field."""
        super().__init__("; ".join(self.faults))


def parse(
    text: str, *, rules: str = "article", faces: str | int = "standard", balance: int = 0
) -> State:
    """The position that a text stands for; its ``text`` is the same text again.

    Args:
        text: in the notation of rules 20.
        rules: ``article``, ``literal`` or ``kadon``.
        faces: ``standard`` or two digits 0 to 5; a number stands for its two digits.
        balance: 1 if the first action of the movement phase cannot win (rules 21), else 0.

    Raises:
        PositionFault: the text is malformed or impossible; it lists every fault.
        ValueError: an option has another value.
    """
    return _Reading(text, _options(rules, faces, balance)).state()


@cache
def _seats_in_placement() -> frozenset[tuple[int, int, int, int]]:
    """Tiles down, Black's counters down, White's, seat to act: all that rules 5 and 7 bring."""
    reached = {(0, 0, 0, 0)}
    edge = list(reached)
    while edge:
        tiles, black, white, seat = edge.pop()
        own, others = (black, white) if seat == 0 else (white, black)
        after = []
        if tiles < 9:  # rules 5: a tile
            after.append((tiles + 1, black, white, 1 - seat))
        if own < 3 and black + white < tiles:  # rules 5: a counter on a tile without one
            after.append((tiles, black + (seat == 0), white + (seat == 1), 1 - seat))
        if tiles == 9 and own == 3 and others < 3:  # rules 7: a pass
            after.append((tiles, black, white, 1 - seat))
        edge.extend([one for one in after if one not in reached])
        reached.update(after)
    return frozenset(reached)


_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_CELL = re.compile(r"(?:-|([RBY])([cst])(\+?))(?::([BW])([cst]))?")
_TILE = re.compile(r"([RBY])([cst])(\+?)")
_ENTRY = re.compile(r"((?:[RBY][cst]\+?){9}),([-cstCST]{9}),([BW]),([12])")


def _read_cell(text: str) -> Cell | None:
    match = _CELL.fullmatch(text)
    if not match:
        return None
    colour, shape, up, owner, counter = match.groups()
    return Cell(
        Tile(colour, shape, bool(up)) if colour else None,
        Counter(SEAT_LETTERS.index(owner), counter) if owner else None,
    )


class _Earlier(NamedTuple):
    """An entry of the repetition data."""

    board: Board
    seat: int
    number: int

    @property
    def text(self) -> str:
        return _entry(self.board, self.seat)


def _read_entry(text: str) -> _Earlier | None:
    match = _ENTRY.fullmatch(text)
    if not match:
        return None
    tiles = [Tile(part[1], part[2], bool(part[3])) for part in _TILE.finditer(match[1])]
    counters = [
        None if letter == "-" else Counter(int(letter.isupper()), letter.lower())
        for letter in match[2]
    ]
    board = tuple([Cell(tile, counter) for tile, counter in zip(tiles, counters, strict=True)])
    return _Earlier(board, SEAT_LETTERS.index(match[3]), int(match[4]))


def _impossible_pieces(board: Board) -> Iterator[str]:
    """The faults of a board in either phase (rules 20)."""
    tiles = Tally([tile[:2] for tile, _ in board if tile is not None])
    for (colour, shape), number in tiles.items():
        if number > 1:
            yield f"the tile {colour}{shape} twice"
    counters = Tally([counter for _, counter in board if counter is not None])
    for counter, number in counters.items():
        if number > 1:
            yield f"the counter {SEAT_LETTERS[counter.seat]}{counter.shape} twice"
    for cell, (tile, piece) in zip(CELLS, board, strict=True):
        if tile is None and piece is not None:
            yield f"a counter without a tile on {cell}"
    ups = Tally([tile.colour for tile, _ in board if tile is not None and tile.up])
    for colour, number in ups.items():
        if number > 1:
            yield f"two {COLOUR_NAMES[colour]} tiles or more face up"


def _none_up(board: Board, rules: str) -> Iterator[str]:
    """The colours of which no tile is up though the placement is over (rules 20)."""
    for colour in _missing(board) if rules != "literal" else ():
        yield f"no {COLOUR_NAMES[colour]} tile face up after the placement"


def _all_down(board: Board) -> bool:
    return all(tile is not None for tile, _ in board) and (
        sum([counter is not None for _, counter in board]) == 6
    )


def _wrong_facings(board: Board, rules: str) -> Iterator[str]:
    """Facings and matches that rules 8 and 9 cannot give (rules 20)."""
    for colour, matches in zip(COLOURS, _matches_by_colour(board), strict=True):
        name = COLOUR_NAMES[colour]
        if matches and _shape_up(board, colour) is None:
            yield f"a match but no {name} tile face up"
        if matches > 1 and rules == "kadon":
            yield f"more than one match with {name} tiles"
    for cell, content in zip(CELLS, board, strict=True):
        if content.tile is not None and content.tile.up and not content.matches:
            yield f"the tile on {cell} face up without a match"


class _Reading:
    """A position text's fields, each None where malformed, and the faults found."""

    def __init__(self, text: str, options: Options) -> None:
        self.options = options
        fields = text.split(" ")
        if len(fields) != 4:
            raise PositionFault([f"position: {len(fields)} fields, not 4, in {text!r}"])
        self.faults: list[str] = []
        self.board = self._board(fields[0])
        self.seat = self._seat(fields[1])
        self.count = self._count(fields[2])
        self.earlier = self._earlier(fields[3])

    def state(self) -> State:
        """The state, if nothing is malformed or impossible."""
        self.faults.extend(self._impossible())
        # Where a field is malformed there is a fault; the rest of the condition tells the types.
        if (
            self.faults
            or self.board is None
            or self.seat is None
            or self.count is None
            or self.earlier is None
        ):
            raise PositionFault(self.faults)
        return State(
            options=self.options,
            board=self.board,
            seat=self.seat,
            count=None if self.count == "-" else int(self.count),
            earlier=tuple([(entry.text, entry.number) for entry in self.earlier]),
        )

    # rules 20: the fields.

    def _malformed(self, field: str, text: str) -> None:
        self.faults.append(f"{field}: malformed {text!r}")

    def _board(self, text: str) -> Board | None:
        cells = [_read_cell(part) for part in text.split("/")]
        board = tuple([cell for cell in cells if cell is not None])
        if len(board) == len(cells) == 9:
            return board
        self._malformed("cells", text)
        return None

    def _seat(self, text: str) -> int | None:
        if len(text) == 1 and text in SEAT_LETTERS:
            return SEAT_LETTERS.index(text)
        self._malformed("seat to act", text)
        return None

    def _count(self, text: str) -> str | None:
        """The count as it is written, ``-`` in the placement."""
        if text == "-" or _NUMBER.fullmatch(text):
            return text
        self._malformed("action count", text)
        return None

    def _earlier(self, text: str) -> list[_Earlier] | None:
        if text == "-":
            return []
        entries = [_read_entry(part) for part in text.split("|")]
        whole = [entry for entry in entries if entry is not None]
        if len(whole) == len(entries) and text.split("|") == sorted(text.split("|")):
            return whole
        self._malformed("repetition data", text)
        return None

    # rules 20: impossible is just this. Each check waits for the fields that it needs.

    def _impossible(self) -> Iterator[str]:
        yield from [f"cells: {fault}" for fault in self._impossible_board()]
        yield from [f"seat to act: {fault}" for fault in self._impossible_seat()]
        yield from [f"action count: {fault}" for fault in self._impossible_count()]
        yield from [f"repetition data: {fault}" for fault in self._impossible_earlier()]

    def _impossible_board(self) -> Iterator[str]:
        if self.board is None:
            return
        faults = list(_impossible_pieces(self.board))
        yield from faults
        if faults:  # what follows would be about pieces that are not there
            return
        if _all_down(self.board):
            yield from _none_up(self.board, self.options.rules)
        if not _all_down(self.board) or self.count in ("-", "0"):
            yield from _wrong_facings(self.board, self.options.rules)
            if not _completion_exists(
                self.options.rules,
                _hands(self.board),
                _without_counter(self.board),
                _matches_by_colour(self.board),
            ):
                yield "no completion"

    def _impossible_seat(self) -> Iterator[str]:
        if self.board is None or self.seat is None or any(_impossible_pieces(self.board)):
            return
        if not _all_down(self.board) or self.count in ("-", "0"):
            tiles = 9 - len(_pool(self.board))
            black, white = [3 - len(_hand(self.board, seat)) for seat in (0, 1)]
            if (tiles, black, white, self.seat) not in _seats_in_placement():
                name = SEAT_NAMES[self.seat]
                yield f"{name} with {tiles} tiles and {black} and {white} counters down"

    def _impossible_count(self) -> Iterator[str]:
        if self.count is None:
            return
        if self.board is not None and not any(_impossible_pieces(self.board)):  # rules 11
            if self.count == "-" and _all_down(self.board):
                yield "none though everything is placed"
            if self.count != "-" and not _all_down(self.board):
                yield f"{self.count} though not everything is placed"
        if self.count != "-" and int(self.count) > LAST_ACTION:
            yield f"over {LAST_ACTION}"

    def _impossible_earlier(self) -> Iterator[str]:
        if self.earlier is None:
            return
        known = sum([entry.number for entry in self.earlier])
        if self.count is not None and known > (0 if self.count == "-" else int(self.count)):
            yield f"{known} positions after {self.count} actions"
        for text, times in Tally([entry.text for entry in self.earlier]).items():
            if times > 1:
                yield f"{text} twice"
        for entry in self.earlier:
            faults = [
                *_impossible_pieces(entry.board),
                *_none_up(entry.board, self.options.rules),
            ]
            if not _all_down(entry.board):
                faults.append("not six counters")
            yield from [f"{fault} in {entry.text}" for fault in faults]
