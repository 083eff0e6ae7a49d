"""The reference implementation of Potlatch Klone: literal, slow, in plain Python.

It follows the numbered clauses (``rules/clauses.md``) and shares nothing with the engine. Tests
compare the two by text: positions, action tokens and outcomes. Comments cite the clauses.

Every game's reference offers the same interface: ``start(**options)``, ``parse(text, **options)``,
and states with ``to_act``, ``legal_actions``, ``chance_outcomes``, ``play``, ``outcome``, ``text``.

Example:
    >>> state = start(layout="row").play("Pnw")
    >>> state.text
    '-1,-1:0;-1,0:0;0,0:0;1,0:0 -1,-1;1,0 R 1 -1,0;-1,-1 1 0 -'
    >>> state.legal_actions
    ('Ce', 'Cne', 'Cnw', 'Cse', 'Csw', 'Cw', 'Pe', 'Pne', 'Pnw', 'Psw', 'Pw')
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, Self

Hex = tuple[int, int]
"""Axial coordinates q, r (rules 3)."""

# rules 3: the six directions, here in the order of their names, so that tokens come out sorted.
DIRECTIONS: Mapping[str, Hex] = {
    "e": (1, 0),
    "ne": (1, -1),
    "nw": (0, -1),
    "se": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
}
SEAT_NAMES = ("Red", "Blue")  # rules 2: seat 0 is Red and starts
SEAT_LETTERS = ("R", "B")  # rules 13
COLOURS = ("r", "b")  # rules 13: a coloured third chip, by seat
NEUTRAL = ""
TILES_IN_GAME: Mapping[int, int] = {2: 9, 3: 12}  # rules 1: by actions per turn
CHIPS_OF_A_COLOUR = 5  # rules 2
FULL_HEIGHT = 3  # rules 3
STACKS_TO_WIN = 3  # rules 10a
LAST_TURN = 200  # rules 10c
# rules 4: the start tiles, Red's pawn, Blue's pawn.
LAYOUTS: Mapping[str, tuple[tuple[Hex, ...], Hex, Hex]] = {
    "triangle": (((0, 0), (1, 0), (0, 1)), (0, 0), (1, 0)),
    "rhombus": (((0, 0), (1, 0), (0, 1), (1, -1)), (0, 1), (1, -1)),
    "row": (((-1, 0), (0, 0), (1, 0)), (-1, 0), (1, 0)),
}


class Stack(NamedTuple):
    """The chips on a base tile: 0 to 3, and the colour of the third (rules 3)."""

    height: int
    third: str = NEUTRAL
    """``"r"`` or ``"b"``, or ``""`` for a neutral third chip or none."""

    @property
    def text(self) -> str:
        """The stack in the notation of rules 13, without its place."""
        return f"{self.height}{self.third}"


BARE = Stack(0)
Tiles = Mapping[Hex, Stack]


def _neighbour(place: Hex, direction: str) -> Hex:
    step = DIRECTIONS[direction]
    return place[0] + step[0], place[1] + step[1]


def _reading_order(place: Hex) -> Hex:
    """The sorting key of hexes in texts: by r, then by q (rules 13)."""
    return place[1], place[0]


def _places_text(places: Iterable[Hex]) -> str:
    return ";".join([f"{q},{r}" for q, r in places])


def _stacks_text(tiles: Tiles) -> str:
    ordered = sorted(tiles, key=_reading_order)
    return ";".join([f"{place[0]},{place[1]}:{tiles[place].text}" for place in ordered])


def _chips(tiles: Tiles) -> int:
    return sum([stack.height for stack in tiles.values()])


def _increasing(tiles: Tiles, visited: Sequence[Hex], open_run: int) -> list[Hex]:
    """The hexes entered in the open run with less than 3 chips: they get one (rules 9)."""
    entered = visited[len(visited) - open_run :]
    return [place for place in entered if tiles[place].height < FULL_HEIGHT]


def _chips_to_be(tiles: Tiles, visited: Sequence[Hex], open_run: int) -> int:
    """The chips on the board after the open run's increase (rules 13)."""
    return _chips(tiles) + len(_increasing(tiles, visited, open_run))


def _check_options(actions: int, layout: str) -> None:
    if actions not in TILES_IN_GAME:
        raise ValueError(f"option actions: {actions!r} is none of 2, 3")  # rules 1
    if layout not in LAYOUTS:
        raise ValueError(f"option layout: {layout!r} is none of {', '.join(LAYOUTS)}")  # rules 4


@dataclass(frozen=True)
class Start:
    """The stored start of a turn: its stacks and its pawns (rules 13)."""

    stacks: Tiles
    """Without bare tiles."""
    pawns: tuple[Hex, Hex]

    @cached_property
    def text(self) -> str:
        """The start in the notation of rules 13."""
        return f"{_stacks_text(self.stacks)}@{_places_text(self.pawns)}"

    @cached_property
    def chips(self) -> int:
        """The number of chips on the board."""
        return _chips(self.stacks)


def _that_can_come_back(starts: Iterable[Start], chips: int) -> tuple[Start, ...]:
    """The starts without those with fewer chips than now: chips never get fewer (rules 13)."""
    return tuple([start for start in starts if start.chips >= chips])


@dataclass(frozen=True)
class State:
    """A position: all that the rules need to continue. Immutable."""

    actions: int
    """Actions per turn, 2 or 3 (rules 1)."""
    tiles: Tiles
    """The base tiles in play and their stacks; any other hex is blank."""
    pawns: tuple[Hex, Hex]
    seat: int
    """The seat whose turn it is, also when the game is over (rules 13)."""
    taken: int
    """Actions taken in this turn."""
    visited: tuple[Hex, ...]
    """The hexes that the pawn has been on in this turn, its first included, in order."""
    open_run: int
    """How many of the last visited hexes were entered in the still open run (rules 9)."""
    turns: int
    """Turns completed."""
    starts: tuple[Start, ...]
    """Repetition data, oldest first, of consecutive turns.

    The last is the opponent's previous turn, or in mid-turn this one (rules 13).
    """

    def __hash__(self) -> int:
        """Two positions that differ for the rules have different texts."""
        return hash(self.text)

    @cached_property
    def text(self) -> str:
        """The position in the notation of rules 13."""
        return " ".join(
            (
                _stacks_text(self.tiles),
                _places_text(self.pawns),
                SEAT_LETTERS[self.seat],
                str(self.taken),
                _places_text(self.visited),
                str(self.open_run),
                str(self.turns),
                "|".join([start.text for start in self.starts]) or "-",
            )
        )

    @property
    def to_act(self) -> int | None:
        """The seat to act, None when the game is over."""
        return None if self.outcome else self.seat

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """Tokens of the legal actions, ascending; none when the game is over (rules 12)."""
        return () if self.outcome else self._possible_actions

    @property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """Always empty: there is no chance in this game."""
        return ()

    @cached_property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """None while the game is in progress, else the winners (none: a draw) and the reason.

        The reasons are ``stacks`` (rules 10a), ``standstill`` (10b), ``repetition`` (10c, third
        time), ``limit`` (10c, 200 turns) and ``blocked`` (11).
        """
        if self.taken == 0:  # rules 10: at the start of a turn, in this order
            if self._stacks_of(self.seat) >= STACKS_TO_WIN:
                return (self.seat,), "stacks"
            if self._stands_still():
                return self._with_more_stacks(), "standstill"
            if self._third_time():
                return self._with_more_stacks(), "repetition"
            if self.turns >= LAST_TURN:
                return self._with_more_stacks(), "limit"
        if not self._possible_actions:  # rules 11
            return (1 - self.seat,), "blocked"
        return None

    def play(self, token: str) -> Self:
        """The position after an action.

        Raises:
            ValueError: the action is not legal here; the message quotes the token and the position.
        """
        if token not in self.legal_actions:
            raise ValueError(f"illegal action {token!r}: {self._refusal(token)}; in {self.text}")
        here = self.pawns[self.seat]
        target = _neighbour(here, token[1:])
        pawns, visited = self.pawns, self.visited
        if token[0] == "P":
            tiles = dict(self.tiles)
            tiles.setdefault(target, BARE)  # rules 7: onto a blank hex, a base tile first
            pawns = (target, pawns[1]) if self.seat == 0 else (pawns[0], target)
            visited = (*visited, target)
            open_run = self.open_run + 1
        else:
            tiles = dict(self._increased)  # rules 9: the run ends, before the chip move
            open_run = 0
            # rules 8: a coloured third chip is swapped, so two neutral ones stay and a neutral one
            # arrives, also as a third.
            tiles[here] = Stack(tiles[here].height - 1)
            tiles[target] = Stack(tiles.get(target, BARE).height + 1)
        # rules 13: once this turn has an action, its own start is remembered too.
        starts = self.starts if self.taken else (*self.starts, self._as_start)
        after = type(self)(
            actions=self.actions,
            tiles=tiles,
            pawns=pawns,
            seat=self.seat,
            taken=self.taken + 1,
            visited=visited,
            open_run=open_run,
            turns=self.turns,
            starts=_that_can_come_back(starts, _chips_to_be(tiles, visited, open_run)),
        )
        return after._with_next_turn() if after.taken == self.actions else after

    # The parts of a turn.

    @cached_property
    def _possible_actions(self) -> tuple[str, ...]:
        """The actions of rules 7 and 8, whether or not the game is over."""
        here = self.pawns[self.seat]
        chips, steps = [], []
        for direction in DIRECTIONS:
            target = _neighbour(here, direction)
            if not self._chip_move_refusal(target):
                chips.append("C" + direction)
            if not self._pawn_move_refusal(target):
                steps.append("P" + direction)
        return (*chips, *steps)

    def _pawn_move_refusal(self, target: Hex) -> str:
        """Why the pawn may not go to a neighbouring hex, or nothing (rules 7)."""
        # rules 9: heights during the run are those before its increase: those on the board.
        stack = self.tiles.get(target)
        if stack is None and not self._unused_tiles:
            return "no base tile is left for the blank hex"
        difference = (stack or BARE).height - self.tiles[self.pawns[self.seat]].height
        if abs(difference) > 1:
            return f"the height differs by {difference:+d}"
        if target == self.pawns[1 - self.seat]:
            return "the opponent's pawn is there"
        if target in self.visited:
            return "the pawn has been there in this turn"
        return ""

    def _chip_move_refusal(self, target: Hex) -> str:
        """Why no chip may go from the pawn's hex to a neighbouring one, or nothing (rules 8)."""
        tiles = self._increased  # rules 9: a chip move is judged by the heights after the increase
        if tiles[self.pawns[self.seat]].height == 0:
            return "the pawn's hex has no chip"
        stack = tiles.get(target)
        if stack is None:
            return "" if self._unused_tiles else "no base tile is left for the blank hex"
        return "three chips are there already" if stack.height == FULL_HEIGHT else ""

    def _refusal(self, token: str) -> str:
        """Why a token is not legal here."""
        if token[:1] not in ("P", "C") or token[1:] not in DIRECTIONS:  # rules 12
            return "an action is P or C and a direction"
        if self.outcome:
            return f"the game is over ({self.outcome[1]})"
        target = _neighbour(self.pawns[self.seat], token[1:])
        if token[0] == "P":
            return self._pawn_move_refusal(target)
        return self._chip_move_refusal(target)

    @property
    def _unused_tiles(self) -> int:
        return TILES_IN_GAME[self.actions] - len(self.tiles)

    @cached_property
    def _increased(self) -> Tiles:
        """The base tiles after the increase that ends the open run (rules 9)."""
        if not self.open_run:
            return self.tiles
        tiles = dict(self.tiles)
        for place in _increasing(self.tiles, self.visited, self.open_run):
            height = tiles[place].height + 1
            third = COLOURS[self.seat] if height == FULL_HEIGHT else NEUTRAL
            tiles[place] = Stack(height, third)
        return tiles

    def _with_next_turn(self) -> Self:
        """The start of the opponent's turn; this turn's end ends the run too (rules 6, 9)."""
        seat = 1 - self.seat
        return type(self)(
            actions=self.actions,
            tiles=self._increased,
            pawns=self.pawns,
            seat=seat,
            taken=0,
            visited=(self.pawns[seat],),
            open_run=0,
            turns=self.turns + 1,
            starts=self.starts,
        )

    # The end of the game.

    def _stacks_of(self, seat: int) -> int:
        return sum([stack.third == COLOURS[seat] for stack in self.tiles.values()])  # rules 3

    def _with_more_stacks(self) -> tuple[int, ...]:
        """The winner by stacks of its own; none if equal (rules 10b)."""
        red, blue = self._stacks_of(0), self._stacks_of(1)
        if red == blue:
            return ()
        return (0,) if red > blue else (1,)

    @cached_property
    def _as_start(self) -> Start:
        stacks = {place: stack for place, stack in self.tiles.items() if stack.height}
        return Start(stacks, self.pawns)

    @property
    def _own_earlier_starts(self) -> tuple[Start, ...]:
        """Starts of this seat's earlier turns, latest first; at the start of a turn."""
        return self.starts[-2::-2]  # rules 13: consecutive turns, the last is the opponent's

    def _stands_still(self) -> bool:
        """All stacks as at the start of this seat's previous turn (rules 10b)."""
        previous = self._own_earlier_starts[:1]
        return any(start.stacks == self._as_start.stacks for start in previous)

    def _third_time(self) -> bool:
        """The same stacks, pawns and seat for the third time, this one counted (rules 10c)."""
        return self._own_earlier_starts.count(self._as_start) >= 2


def start(*, actions: int = 2, layout: str = "triangle") -> State:
    """The start position (rules 1, 2, 4).

    Args:
        actions: per turn, 2 or 3.
        layout: of the start tiles, ``triangle``, ``rhombus`` or ``row``.

    Raises:
        ValueError: an option has another value.
    """
    _check_options(actions, layout)
    places, red, blue = LAYOUTS[layout]
    return State(
        actions=actions,
        tiles=dict.fromkeys(places, BARE),
        pawns=(red, blue),
        seat=0,
        taken=0,
        visited=(red,),
        open_run=0,
        turns=0,
        starts=(),
    )


class PositionFault(ValueError):
    """A position text is malformed (rules 13) or impossible (rules 14)."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        """All faults, each starting with the name of its field."""
        super().__init__("; ".join(self.faults))


def parse(text: str, *, actions: int = 2, layout: str = "triangle") -> State:
    """The position that a text stands for; its ``text`` is the same text again.

    Args:
        text: in the notation of rules 13.
        actions: per turn, 2 or 3.
        layout: of the start tiles; checked, but positions do not depend on it.

    Raises:
        PositionFault: the text is malformed or impossible; it lists every fault.
        ValueError: an option has another value.
    """
    _check_options(actions, layout)
    return _Reading(text, actions).state()


# rules 13: no leading zero. A number of ten digits and more would be impossible in any field.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_PLACE_PATTERN = r"(0|-?[1-9][0-9]{0,8}),(0|-?[1-9][0-9]{0,8})"
_PLACE = re.compile(_PLACE_PATTERN)
_STACK = re.compile(_PLACE_PATTERN + r":(?:([012])|(3)([rb]?))")


def _read_places(text: str) -> tuple[Hex, ...] | None:
    matches = [_PLACE.fullmatch(part) for part in text.split(";")]
    places = [(int(match[1]), int(match[2])) for match in matches if match]
    return tuple(places) if len(places) == len(matches) else None


def _read_stacks(text: str) -> list[tuple[Hex, Stack]] | None:
    matches = [_STACK.fullmatch(part) for part in text.split(";")]
    stacks = [
        ((int(match[1]), int(match[2])), Stack(int(match[3] or match[4]), match[5] or NEUTRAL))
        for match in matches
        if match
    ]
    return stacks if len(stacks) == len(matches) else None


def _read_start(text: str) -> Start | None:
    stacks_text, _, pawns_text = text.partition("@")
    stacks = _read_stacks(stacks_text) if stacks_text else []
    pawns = _read_places(pawns_text)
    if stacks is None or pawns is None or len(pawns) != 2:
        return None
    start = Start(dict(stacks), (pawns[0], pawns[1]))
    bare = any(stack == BARE for _, stack in stacks)
    # Its stacks are sorted as in the first field: else the same start would have two texts.
    return None if bare or start.text != text else start


def _neighbours(place: Hex) -> list[Hex]:
    return [_neighbour(place, direction) for direction in DIRECTIONS]


def _connected(tiles: Tiles) -> bool:
    """Whether every tile can be reached from the first over neighbouring tiles."""
    reached = set(list(tiles)[:1])
    edge = list(reached)
    while edge:
        found = {place for place in _neighbours(edge.pop()) if place in tiles} - reached
        reached |= found
        edge.extend(found)
    return len(reached) == len(tiles)


def _too_many_of_a_colour(tiles: Tiles) -> bool:
    thirds = Counter(stack.third for stack in tiles.values())
    return any(thirds[colour] > CHIPS_OF_A_COLOUR for colour in COLOURS)


class _Reading:
    """A position text's fields, each None where malformed, and the faults found."""

    def __init__(self, text: str, actions: int) -> None:
        self.actions = actions
        fields = text.split(" ")
        if len(fields) != 8:
            raise PositionFault([f"position: {len(fields)} fields, not 8, in {text!r}"])
        self.faults: list[str] = []
        self.tiles = self._tiles(fields[0])
        self.pawns = self._pawns(fields[1])
        self.seat = self._seat(fields[2])
        self.taken = self._number("actions taken", fields[3])
        self.visited = self._visited(fields[4])
        self.open_run = self._number("open run", fields[5])
        self.turns = self._number("turns completed", fields[6])
        self.starts = self._starts(fields[7])

    def state(self) -> State:
        """The state, if nothing is malformed or impossible."""
        self.faults.extend(self._impossible())
        # Where a field is malformed there is a fault; the rest of the condition tells the types.
        if (
            self.faults
            or self.tiles is None
            or self.pawns is None
            or self.seat is None
            or self.taken is None
            or self.visited is None
            or self.open_run is None
            or self.turns is None
            or self.starts is None
        ):
            raise PositionFault(self.faults)
        return State(
            actions=self.actions,
            tiles=self.tiles,
            pawns=self.pawns,
            seat=self.seat,
            taken=self.taken,
            visited=self.visited,
            open_run=self.open_run,
            turns=self.turns,
            starts=self.starts,
        )

    # rules 13: the fields.

    def _malformed(self, field: str, text: str) -> None:
        self.faults.append(f"{field}: malformed {text!r}")

    def _number(self, field: str, text: str) -> int | None:
        if _NUMBER.fullmatch(text):
            return int(text)
        self._malformed(field, text)
        return None

    def _tiles(self, text: str) -> Tiles | None:
        stacks = _read_stacks(text)
        places = [place for place, _ in stacks or ()]
        if stacks is None or places != sorted(places, key=_reading_order):
            self._malformed("base tiles", text)
            return None
        if len(set(places)) < len(places):  # rules 14; here, because a mapping would hide it
            self.faults.append("base tiles: a hex twice")
        return dict(stacks)

    def _pawns(self, text: str) -> tuple[Hex, Hex] | None:
        places = _read_places(text)
        if places is None or len(places) != 2:
            self._malformed("pawns", text)
            return None
        return places[0], places[1]

    def _seat(self, text: str) -> int | None:
        if text in SEAT_LETTERS:
            return SEAT_LETTERS.index(text)
        self._malformed("seat to act", text)
        return None

    def _visited(self, text: str) -> tuple[Hex, ...] | None:
        places = _read_places(text)
        if places is None:
            self._malformed("visited hexes", text)
        return places

    def _starts(self, text: str) -> tuple[Start, ...] | None:
        if text == "-":
            return ()
        starts = [_read_start(part) for part in text.split("|")]
        whole = tuple([start for start in starts if start is not None])
        if len(whole) == len(starts):
            return whole
        self._malformed("repetition data", text)
        return None

    # rules 14: impossible is just this. Each check waits for the fields that it needs.

    def _impossible(self) -> Iterator[str]:
        yield from self._impossible_tiles()
        yield from self._impossible_pawns()
        yield from self._impossible_taken()
        yield from self._impossible_visited()
        yield from self._impossible_open_run()
        yield from self._impossible_turns()
        yield from self._impossible_starts()

    def _impossible_tiles(self) -> Iterator[str]:
        if self.tiles is None:
            return
        if (0, 0) not in self.tiles:
            yield "base tiles: 0,0 missing"
        if not _connected(self.tiles):
            yield "base tiles: not connected"
        if len(self.tiles) > TILES_IN_GAME[self.actions]:
            yield f"base tiles: more than {TILES_IN_GAME[self.actions]}"
        if _too_many_of_a_colour(self.tiles):
            yield "base tiles: more than five third chips of one colour"

    def _impossible_pawns(self) -> Iterator[str]:
        if self.pawns is None:
            return
        for name, place in zip(SEAT_NAMES, self.pawns, strict=True):
            if self.tiles is not None and place not in self.tiles:
                yield f"pawns: {name}'s not on a base tile"
        if self.pawns[0] == self.pawns[1]:
            yield "pawns: both on one hex"

    def _impossible_taken(self) -> Iterator[str]:
        if self.taken is not None and self.taken >= self.actions:
            yield f"actions taken: {self.taken}, in a turn of {self.actions}"

    def _impossible_visited(self) -> Iterator[str]:
        if self.visited is None:
            return
        if self.pawns is not None and self.seat is not None:
            if self.visited[-1] != self.pawns[self.seat]:
                yield "visited hexes: the last is not the pawn's"
            if self.pawns[1 - self.seat] in self.visited:
                yield "visited hexes: one with the opponent's pawn"
        if len(set(self.visited)) < len(self.visited):
            yield "visited hexes: one twice"
        if self.tiles is not None and not set(self.visited) <= self.tiles.keys():
            yield "visited hexes: one blank"
        if any(b not in _neighbours(a) for a, b in pairwise(self.visited)):
            yield "visited hexes: two in succession not neighbours"
        if self.taken is not None and len(self.visited) - 1 > self.taken:
            yield "visited hexes: more after the first than actions taken"

    def _impossible_open_run(self) -> Iterator[str]:
        if self.open_run is None or self.visited is None:
            return
        moved_to = len(self.visited) - 1
        if self.open_run > moved_to:
            yield "open run: more than the visited hexes after the first"
        # Every action was a pawn move: no chip move has ended the run.
        if self.open_run < moved_to == self.taken:
            yield "open run: not all visited hexes after the first though no chip was moved"

    def _impossible_turns(self) -> Iterator[str]:
        if self.turns is None:
            return
        # Red's turns follow on an even number of completed ones.
        if self.seat is not None and self.turns % 2 != self.seat:
            parity = "odd" if self.turns % 2 else "even"
            yield f"turns completed: {parity} with {SEAT_LETTERS[self.seat]}"
        if self.turns > LAST_TURN:
            yield f"turns completed: above {LAST_TURN}"
        if self.turns == LAST_TURN and self.taken:
            yield f"turns completed: {LAST_TURN} in mid-turn"

    def _impossible_starts(self) -> Iterator[str]:
        if self.starts is None:
            return
        field = "repetition data"
        chips = self._present_chips()
        for start in self.starts:
            if self.tiles is not None:
                if not start.stacks.keys() <= self.tiles.keys():
                    yield f"{field}: a stack off the base tiles in {start.text}"
                if not set(start.pawns) <= self.tiles.keys():
                    yield f"{field}: a pawn off the base tiles in {start.text}"
            if start.pawns[0] == start.pawns[1]:
                yield f"{field}: both pawns on one hex in {start.text}"
            if _too_many_of_a_colour(start.stacks):
                yield f"{field}: more than five third chips of one colour in {start.text}"
            if chips is not None and start.chips != chips:
                yield f"{field}: {start.chips} chips, not {chips}, in {start.text}"
        if self.taken is None:
            return
        most = None if self.turns is None else self.turns + (self.taken > 0)
        if most is not None and len(self.starts) > most:
            yield f"{field}: {len(self.starts)} starts, more than {most}"
        if self.taken == 0 or self.visited is None:
            return
        if not self.starts and len(self.visited) == 1:
            yield f"{field}: none though no pawn move was made in this turn"
        if self.starts and self.pawns is not None and self.seat is not None:
            first, opponent = self.visited[0], self.pawns[1 - self.seat]
            if self.starts[-1].pawns != (
                (first, opponent) if self.seat == 0 else (opponent, first)
            ):
                yield f"{field}: pawns in the last not as when this turn began"

    def _present_chips(self) -> int | None:
        """The number of chips after the open run's increase (rules 13)."""
        if self.tiles is None or self.visited is None or self.open_run is None:
            return None
        if not set(self.visited) <= self.tiles.keys() or self.open_run >= len(self.visited):
            return None
        return _chips_to_be(self.tiles, self.visited, self.open_run)
