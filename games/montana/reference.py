"""The rules of Montana in plain Python, literal and slow.

It follows the numbered clauses of ``rules/clauses.md`` alone and shares only the figures in
``montana.json`` with the engine. So the two can be compared by text: positions, action tokens and
outcomes. Comments cite the clauses.

Every game's reference offers the same interface: ``start(**options)``, ``parse(text, **options)``,
and states with ``to_act``, ``legal_actions``, ``chance_outcomes``, ``play``, ``outcome``, ``text``.

``parse`` reports these faults (rules 57), each after the name of its field, and tests nothing else.
The form comes first, in the order of the line. Then follow the impossible positions, which need
well-formed fields:

- ``text``: other than eleven fields. Then nothing else is tested.
- ``options``: other than the options given.
- ``map``: an unknown tile; a tile twice; slots not filled in order. Also tiles that do not fit the
  stage: ``tile`` needs an empty slot, ``rot`` a tile without rotation, other stages a full map.
- ``start``: given in ``tile``, ``rot``, ``start`` or missing later; not a candidate of rules 4.
- ``settlements``: off the plains; on the start hex; more than 3 on a hex; more than a seat owns;
  any in round 0. Also a seat without tiles whose turn in this round is to come. Also a seat
  without tiles whose turn it is, except in an extra turn, ``build``, ``end`` and ``over``.
- ``supply``: goods, workers, cows that do not add up.
- ``seats``: more canteens than lakes with adjacent settlements, one fewer in an extra turn; too
  many workers; in round 0 other silver, goods or workers than the set-up has.
- ``board``: crews that do not fit; workers at work in round 0; two full places; a full place in a
  stage other than ``end`` and its own ``extra``.
- ``contractors``: any outside ``bid`` and ``reward``; off the spaces; two in a row. In ``bid``: a
  bidder that has placed or passed, a ``-`` before it, or a gap after it. Also no seat placed,
  unless the active seat bids first and has a vegetable. In ``reward``: a ``-`` or a receiver that
  is not placed.
- ``round``: over 100; not 0 before the spins; 0 after them.
- ``turn``: other than 0 before the spins; ``over`` at another seat than the last or with ``+``.
- ``stage``: two segments in the set-up; ``extra`` of a space without left crew or with a right
  one; ``over`` before its time. Without other faults also a decision with fewer than two actions.

Numbers and coordinates have at most four digits, so a seat can have at most 9,999 silver.

Example:
    >>> state = start()
    >>> state.text
    '2/shift -/-/-/-/-/-/- - - c8C5s8S5g8v8/n18k18y18o18/4 3:-:csgv:1:0/4:-:csgv:1:0
    -,-,-,-/-,-,-/-,-,-/-,-,-/-,-,- -/- 0 0 tile'
    >>> state.to_act, state.play("*L07").chance_outcomes[:2]
    (-1, (('*r0', 1), ('*r1', 1)))
"""

import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple, Self

CHANCE = -1
DATA: Mapping[str, Any] = json.loads(
    Path(__file__).with_name("montana.json").read_text(encoding="utf-8")
)
GOODS = "cCsSgv"  # rules 1: in this order
WORKERS = "nkyo"  # rules 1: in this order
WHITE = "w"
WHEEL: Sequence[str] = DATA["wheel"]["clockwise"]
BANK: Sequence[Mapping[str, int]] = DATA["bank"]["spaces"]
PLACES = ("mine", "quarry", "field", "farm")  # rules 55: after the bank
PRODUCTION: Mapping[str, Any] = {place: DATA["production"][place] for place in PLACES}
ROWS: Mapping[int, Any] = {row["row"]: row for row in DATA["city"]["rows"]}
UPGRADES: Mapping[str, str] = DATA["city"]["upgrade"]
DIRECTIONS = [(q, r) for q, r in DATA["directions"]["qr"]]
TILES: Mapping[str, Sequence[str]] = {tile["id"]: tile["hexes"] for tile in DATA["tiles"]["list"]}
MOST_WORKERS: int = DATA["workerLimit"]["perSeat"]
LAST_ROUND: int = DATA["roundLimit"]["rounds"]
MOST_SITES: int = DATA["build"]["maxHexes"]
LINE: int = DATA["build"]["line"]
COW_TRADES = ("cow:$", *[f"cow:{good}" for good in "csgv"], *[f"cow:w{one}" for one in WORKERS])
CONTRACTORLESS = "-"
PASSED = "p"

Hex = tuple[int, int]
Pieces = Mapping[str, int]
"""How many there are of each good and each colour of worker."""


def _around(place: Hex) -> list[Hex]:
    """Return the six neighbours of a hex, on the map or not, clockwise from east (rules 3)."""
    return [(place[0] + q, place[1] + r) for q, r in DIRECTIONS]


def _multiset(pieces: Pieces, letters: str) -> str:
    """Return the pieces of some kinds as text (rules 1)."""
    return "".join([letter * pieces[letter] for letter in letters]) or "-"


def _pieces(multiset: str) -> Pieces:
    """Return the count of every kind in a multiset."""
    return {letter: multiset.count(letter) for letter in GOODS + WORKERS}


def _choices(letters: str, number: int, pieces: Pieces | None = None) -> list[str]:
    """Return the multisets of ``number`` letters, limited to ``pieces`` if given."""
    kinds = [letter for letter in letters if pieces is None or pieces[letter]]
    every = ["".join(chosen) for chosen in combinations_with_replacement(kinds, number)]
    if pieces is None:
        return every
    return [one for one in every if all(one.count(kind) <= pieces[kind] for kind in kinds)]


class Terrain(NamedTuple):
    """The terrain of a hex."""

    kind: str
    """``plain``, ``mountain`` or ``lake``."""
    cost: str = ""
    cow: bool = False
    double: bool = False


def _terrain(text: str) -> Terrain:
    """Parse a hex of a tile from the data file."""
    if text in ("mountain", "lake"):
        return Terrain(text)
    cost, _, icon = text.partition("+")
    return Terrain("plain", cost, icon == "cow", icon == "double")


@dataclass(frozen=True)
class Options:
    """The options of a game."""

    players: int
    grain: str
    sites: str = "own"

    @property
    def text(self) -> str:
        """The options as text (rules 55)."""
        return f"{self.players}/{self.grain}" + ("/any" if self.sites == "any" else "")

    @property
    def slots(self) -> Sequence[Hex]:
        """The centres of the map tiles, in the order of drawing (rules 3)."""
        return [(2 * u - v, u + 3 * v) for u, v in DATA["map"][str(self.players)]]

    @property
    def tiles(self) -> int:
        """Settlement tiles of each seat (rules 2)."""
        return int(DATA["settlementsPerPlayer"][str(self.players)])

    @property
    def supply(self) -> Pieces:
        """Goods and workers in the supply at first (rules 2)."""
        goods = DATA["goodsSupply"][str(self.players)]
        workers = DATA["workerSupplyPerColour"]
        return {kind: (goods | workers)[kind] for kind in GOODS + WORKERS}

    @property
    def cows(self) -> int:
        """Cows in the supply at first (rules 2)."""
        return int(DATA["cowSupply"][str(self.players)])


def _options(players: int | str, grain: str, sites: str) -> Options:
    if str(players) not in ("2", "3", "4"):
        raise ValueError(f"option players: {players!r} is none of 2, 3, 4")
    if grain not in ("shift", "second"):
        raise ValueError(f"option grain: {grain!r} is none of shift, second")
    if sites not in ("own", "any"):
        raise ValueError(f"option sites: {sites!r} is none of own, any")
    return Options(int(players), grain, sites)


class Slot(NamedTuple):
    """A tile on the map."""

    tile: str
    turn: int | None = None
    """None before the tile is rotated."""

    @property
    def text(self) -> str:
        """The tile as text (rules 55)."""
        return self.tile if self.turn is None else f"{self.tile}r{self.turn}"


Landscape = tuple[Slot, ...]
"""The slots filled so far."""


@cache
def _map(options: Options, landscape: Landscape) -> Mapping[Hex, Terrain]:
    """Return the hexes of the rotated tiles (rules 3)."""
    hexes = {}
    for centre, slot in zip(options.slots, landscape, strict=False):
        if slot.turn is not None:
            around = _around(centre)
            kinds = [_terrain(text) for text in TILES[slot.tile]]
            hexes[centre] = kinds[0]
            for i in range(1, 7):
                hexes[around[(i - 1 + slot.turn) % 6]] = kinds[i]
    return hexes


@cache
def _candidates(options: Options, landscape: Landscape) -> frozenset[Hex]:
    """Return the candidates for the start hex (rules 4)."""
    hexes = _map(options, landscape)
    neighbours = {
        place: sum(near in hexes and hexes[near].kind == "plain" for near in _around(place))
        for place, kind in hexes.items()
        if kind.kind == "plain" and not kind.cow and not kind.double
    }
    needed = min(5, max(neighbours.values()))
    return frozenset([place for place, number in neighbours.items() if number >= needed])


class Stack(NamedTuple):
    """Settlement tiles on a hex."""

    seat: int
    tiles: int


class Seat(NamedTuple):
    """A player board."""

    silver: int
    pieces: Pieces
    cows: int
    canteens: int = 0

    @property
    def workers(self) -> int:
        """The number of workers."""
        return sum([self.pieces[colour] for colour in WORKERS])

    @property
    def text(self) -> str:
        """The player board as text (rules 55)."""
        workers, goods = _multiset(self.pieces, WORKERS), _multiset(self.pieces, GOODS)
        return f"{self.silver}:{workers}:{goods}:{self.cows}:{self.canteens}"


class Space(NamedTuple):
    """The workers on a space. A bank space uses the left side only."""

    left: str = ""
    right: str = ""

    @property
    def text(self) -> str:
        """The space as text (rules 55)."""
        return (self.left or "-") + (f"+{self.right}" if self.right else "")


Board = Mapping[str, tuple[Space, ...]]
"""The spaces of the bank and of the four places of production."""
EMPTY_BOARD: Board = {
    "bank": (Space(),) * len(BANK),
    **{place: (Space(),) * len(PRODUCTION[place]["left"]) for place in PLACES},
}


def _used(spaces: Iterable[Space]) -> bool:
    """Whether all spaces of a place are used (rules 26)."""
    return all(space.left for space in spaces)


@dataclass(frozen=True)
class State:
    """A position: everything that the rules need to continue. Immutable."""

    options: Options
    landscape: Landscape = ()
    start: Hex | None = None
    settlements: Mapping[Hex, Stack] = field(default_factory=dict)
    supply: Pieces = field(default_factory=dict)
    cows: int = 0
    """Cows in the supply."""
    seats: tuple[Seat, ...] = ()
    board: Board = field(default_factory=lambda: EMPTY_BOARD)
    contractors: tuple[str, ...] = ()
    """Per seat ``-``, ``p`` or ``row.price``."""
    round: int = 0
    turn: int = 0
    """The seat whose turn it is."""
    extra: bool = False
    """Whether the turn is an extra one (rules 44)."""
    stage: str = "tile"
    """As in a position text (rules 55)."""

    def __hash__(self) -> int:
        """Two positions that differ for the rules have different texts."""
        return hash(self.text)

    @cached_property
    def text(self) -> str:
        """The position in the notation of rules 55."""
        empty = len(self.options.slots) - len(self.landscape)
        settlements = [
            f"{q},{r}={seat}x{tiles}" for (q, r), (seat, tiles) in sorted(self.settlements.items())
        ]
        goods, workers = [
            "".join([f"{kind}{self.supply[kind]}" for kind in kinds]) for kinds in (GOODS, WORKERS)
        ]
        places = [",".join([space.text for space in spaces]) for spaces in self.board.values()]
        return " ".join(
            (
                self.options.text,
                "/".join([*[slot.text for slot in self.landscape], *["-"] * empty]),
                "-" if self.start is None else f"{self.start[0]},{self.start[1]}",
                "/".join(settlements) or "-",
                f"{goods}/{workers}/{self.cows}",
                "/".join([seat.text for seat in self.seats]),
                "/".join(places),
                "/".join(self.contractors),
                str(self.round),
                f"{self.turn}+" if self.extra else str(self.turn),
                self.stage,
            )
        )

    @property
    def _kind(self) -> str:
        """The stage without the text after its colon."""
        return self.stage.partition(":")[0]

    @property
    def _rest(self) -> str:
        """The text after the stage's colon."""
        return self.stage.partition(":")[2]

    @property
    def _actor(self) -> int:
        """The seat that decides in this stage (rules 50)."""
        return int(self._rest) if self._kind in ("bid", "reward") else self.turn

    @property
    def to_act(self) -> int | None:
        """The seat to act, CHANCE for chance, None when the game is over."""
        if self.stage == "over":
            return None
        return CHANCE if self.chance_outcomes else self._actor

    @cached_property
    def chance_outcomes(self) -> tuple[tuple[str, int], ...]:
        """Tokens and weights where chance is to act, all weights equal (rules 3, 4, 15)."""
        tokens: list[str] = []
        if self.stage == "tile":
            drawn = {slot.tile for slot in self.landscape}
            tokens = [f"*{tile}" for tile in TILES if tile not in drawn]
        elif self.stage == "rot":
            tokens = [f"*r{k}" for k in range(6)]
        elif self.stage == "start":
            tokens = [f"*@{q},{r}" for q, r in _candidates(self.options, self.landscape)]
        elif self.stage == "spin":
            tokens = [f"*w{segment}" for segment in range(len(WHEEL))]
        return tuple([(token, 1) for token in sorted(tokens)])

    @cached_property
    def legal_actions(self) -> tuple[str, ...]:
        """Tokens of the legal actions, ascending; none for chance and when it is over."""
        if self.to_act in (None, CHANCE):
            return ()
        return tuple(sorted(self._decisions()))

    @cached_property
    def outcome(self) -> tuple[tuple[int, ...], str] | None:
        """None while the game continues, else the winners and the reason.

        The reasons are ``settled`` (rules 46) and ``limit`` (rules 47).
        """
        if self.stage != "over":
            return None
        seats = range(self.options.players)
        best = max([self._merit(seat) for seat in seats])
        winners = tuple([seat for seat in seats if self._merit(seat) == best])
        settled = any(self._tiles_left(seat) == 0 for seat in seats)
        return winners, "settled" if settled else "limit"

    def _merit(self, number: int) -> tuple[int, int, int]:
        """Return the score that decides who wins, higher is better (rules 48)."""
        seat = self.seats[number]
        return (
            -self._tiles_left(number),
            seat.cows + seat.canteens,
            seat.silver + sum(seat.pieces.values()),
        )

    def play(self, token: str) -> Self:
        """Return the position after an action or chance outcome and all forced actions.

        Raises:
            ValueError: the action is not legal here; the message quotes the token and the position.
        """
        if token not in self.legal_actions and token not in dict(self.chance_outcomes):
            why = f"the game is over ({self.outcome[1]})" if self.outcome else "not legal here"
            raise ValueError(f"illegal action {token!r}: {why}; in {self.text}")
        state = self._after(token)
        while len(state.legal_actions) == 1:  # rules 53
            state = state._after(state.legal_actions[0])
        return state

    # Derived facts.

    @cached_property
    def _hexes(self) -> Mapping[Hex, Terrain]:
        return _map(self.options, self.landscape)

    def _tiles_left(self, seat: int) -> int:
        """Settlement tiles that the seat has not placed."""
        placed = [stack.tiles for stack in self.settlements.values() if stack.seat == seat]
        return self.options.tiles - sum(placed)

    def _is_settled(self, place: Hex) -> bool:
        return place in self.settlements

    def _clockwise(self) -> list[int]:
        """The seats, from the active seat on."""
        players = self.options.players
        return [(self.turn + i) % players for i in range(players)]

    # rules 50: the decisions.

    def _decisions(self) -> Iterator[str]:
        """The legal actions of the seat to act."""
        own = self.seats[self._actor]
        if own.workers > MOST_WORKERS:  # rules 20, 56
            surplus = own.workers - MOST_WORKERS
            yield from [f"return:{given}" for given in _choices(WORKERS, surplus, own.pieces)]
            return
        yield from {
            "hire": self._hires,
            "main": self._mains,
            "shift": self._shifts,
            "extra": self._extras,
            "build": self._further_sites,
            "end": self._ends,
            "bid": self._bids,
            "reward": self._rewards,
        }[self._kind]()
        # rules 10: not in white picks, not in another seat's turn.
        if self._kind != "hire" and self._actor == self.turn and own.cows:
            yield from COW_TRADES

    def _hires(self) -> Iterator[str]:
        whites = "".join([WHEEL[int(segment)] for segment in self._rest.split(",")]).count(WHITE)
        yield from [f"hire:{chosen or '-'}" for chosen in _choices(WORKERS, whites)]

    def _mains(self) -> Iterator[str]:
        own = self.seats[self.turn]
        yield "recruit"
        yield "city"
        free = []
        for number, (space, figures) in enumerate(zip(self.board["bank"], BANK, strict=True), 1):
            if not space.left and figures not in free:  # rules 22: the lower-numbered of equals
                free.append(figures)
                crews = _choices(WORKERS, figures["workers"], own.pieces)
                yield from [f"bank{number}:{crew}" for crew in crews]
        for place, figures in PRODUCTION.items():
            for number, (silver, _) in enumerate(figures["left"], 1):
                if not self.board[place][number - 1].left and own.silver >= silver:  # rules 23
                    yield from [f"{place}{number}:{crew}" for crew in self._crews(place)]
        yield from self._builds()

    def _crews(self, place: str) -> list[str]:
        """The crews that the seat could send to a place (rules 24)."""
        pieces = self.seats[self.turn].pieces
        worker = PRODUCTION[place]["worker"]
        return [*_choices(worker, 1, pieces), *_choices(WORKERS, 2, pieces)]

    def _shifts(self) -> Iterator[str]:
        grain = self.seats[self.turn].pieces["g"]
        yield from [f"shift{paid}" for paid in range(min(7, grain) + 1)]  # rules 17, 18

    def _extras(self) -> Iterator[str]:
        yield from [f"extra:{crew}" for crew in self._crews(self._rest[:-1])]
        yield from self._ends()

    def _further_sites(self) -> Iterator[str]:
        yield from self._builds()
        yield from self._ends()

    def _ends(self) -> Iterator[str]:
        yield "end"
        if self.seats[self.turn].canteens and not self.extra:  # rules 51
            yield "canteen"

    def _builds(self) -> Iterator[str]:
        own = self.seats[self.turn]
        if self._tiles_left(self.turn) == 0:  # rules 36
            return
        for place in self._sites():
            cost = Tally(self._hexes[place].cost)
            if all(own.pieces[good] >= number for good, number in cost.items()):
                yield f"build@{place[0]},{place[1]}"

    def _sites(self) -> set[Hex]:
        """The sites of the active seat, whatever they cost (rules 37, 38)."""
        if self.options.sites == "any":
            start = [] if self.start is None else [self.start]
            return self._free_beside([*self.settlements, *start])
        own = [place for place, stack in self.settlements.items() if stack.seat == self.turn]
        if self.start is not None:
            own.append(self.start)
        return self._free_beside(own) or self._free_beside(self.settlements)

    def _free_beside(self, places: Iterable[Hex]) -> set[Hex]:
        """The free plains next to some hexes (rules 37)."""
        return {
            near
            for place in places
            for near in _around(place)
            if near in self._hexes
            and self._hexes[near].kind == "plain"
            and near != self.start
            and not self._is_settled(near)
        }

    def _bids(self) -> Iterator[str]:
        vegetables = self.seats[self._actor].pieces["v"]
        for row, figures in ROWS.items():
            standing = [int(one[2:]) for one in self.contractors if one.startswith(f"{row}.")]
            for price in figures["prices"]:  # rules 28
                if price <= vegetables and all(price > other for other in standing):
                    yield f"bid{row}.{price}"
        if self._actor != self.turn or any(one != CONTRACTORLESS for one in self.contractors):
            yield "pass"  # rules 29, 30

    def _rewards(self) -> Iterator[str]:
        reward = ROWS[int(self.contractors[self._actor][0])]["reward"]
        if "take" in reward:
            yield from [f"take:{goods}" for goods in _choices(reward["of"], reward["take"])]
            return
        pieces = self.seats[self._actor].pieces
        for number in range(reward["upgrades"] + 1):  # rules 33, 34
            swaps = _choices("".join(UPGRADES), number, pieces)
            yield from [f"swap:{given or '-'}" for given in swaps]

    # Changes.

    def _changed(self, number: int, **changes: Any) -> Self:
        """The position with another player board."""
        seats = list(self.seats)
        seats[number] = seats[number]._replace(**changes)
        return replace(self, seats=tuple(seats))

    def _gain(self, seat: int, kind: str, number: int) -> Self:
        """A seat gains goods or workers of a kind, others return some if need be (rules 11, 12)."""
        supply = self.supply[kind]
        have = [one.pieces[kind] for one in self.seats]
        while supply < number and any(have):
            supply += sum([count > 0 for count in have])
            have = [max(count - 1, 0) for count in have]
        gained = min(number, supply)
        have[seat] += gained
        seats = [
            one._replace(pieces={**one.pieces, kind: count})
            for one, count in zip(self.seats, have, strict=True)
        ]
        return replace(self, supply={**self.supply, kind: supply - gained}, seats=tuple(seats))

    def _gain_all(self, seat: int, kinds: str) -> Self:
        """A seat gains a multiset, one kind after the other (rules 11)."""
        state = self
        for kind in GOODS + WORKERS:
            if kind in kinds:
                state = state._gain(seat, kind, kinds.count(kind))
        return state

    def _give(self, seat: int, kinds: str) -> Self:
        """A seat returns a multiset to the supply (rules 14)."""
        given = _pieces(kinds)
        supply = {kind: self.supply[kind] + given[kind] for kind in given}
        return replace(self._lose(seat, kinds), supply=supply)

    def _lose(self, seat: int, kinds: str) -> Self:
        """Remove a multiset from a seat, not to the supply."""
        own, given = self.seats[seat].pieces, _pieces(kinds)
        return self._changed(seat, pieces={kind: own[kind] - given[kind] for kind in given})

    def _silver(self, seat: int, number: int) -> Self:
        """A seat gains silver, or pays it if the number is negative."""
        return self._changed(seat, silver=self.seats[seat].silver + number)

    def _cows(self, seat: int, number: int) -> Self:
        """A seat gains cows, not from the supply; a negative number is given away."""
        return self._changed(seat, cows=self.seats[seat].cows + number)

    def _to(self, stage: str) -> Self:
        return replace(self, stage=stage)

    def _after(self, token: str) -> Self:
        """The position after a legal action or a chance outcome."""
        if token[0] == "*":
            return self._resolved(token[1:])
        if token in ("end", "canteen"):
            return self._turn_ended(canteen=token == "canteen")
        plain: Mapping[str, Callable[[], Self]] = {
            "recruit": lambda: self._to("spin"),
            "city": self._city,
            "pass": lambda: self._contractor(self._actor, PASSED)._next_bid(),
        }
        if token in plain:
            return plain[token]()
        if token.startswith("shift"):
            return self._shift(int(token.removeprefix("shift")))
        if token.startswith("build@"):
            q, r = token.removeprefix("build@").split(",")
            return self._build((int(q), int(r)))
        if token.startswith("bid"):
            return self._bid(token.removeprefix("bid"))
        what, _, chosen = token.partition(":")
        chosen = chosen.removeprefix("-")
        coloned: Mapping[str, Callable[[str], Self]] = {
            "cow": self._cow_trade,
            "return": lambda given: self._give(self.turn, given),  # rules 20
            "hire": self._hire,
            "extra": self._second_crew,
            "take": lambda goods: self._gain_all(self._actor, goods)._next_reward(),
            "swap": self._swap,
        }
        if what in coloned:
            return coloned[what](chosen)
        return self._first_crew(what, chosen)

    # Chance and set-up.

    def _resolved(self, outcome: str) -> Self:
        if self.stage == "tile":
            return replace(self, landscape=(*self.landscape, Slot(outcome)), stage="rot")
        if self.stage == "rot":
            turned = Slot(self.landscape[-1].tile, int(outcome[1:]))
            landscape = (*self.landscape[:-1], turned)
            full = len(landscape) == len(self.options.slots)
            return replace(self, landscape=landscape, stage="start" if full else "tile")
        if self.stage == "start":
            q, r = outcome[1:].split(",")
            return replace(self, start=(int(q), int(r)), stage="spin")
        segment = outcome[1:]
        return self._to(f"hire:{segment}" if self.round == 0 else f"shift:{segment}")  # rules 7

    def _shift(self, paid: int) -> Self:
        """Rules 17 and 18."""
        spun = int(self._rest)
        further = (spun + paid) % len(WHEEL)
        state = self._give(self.turn, "g" * paid)
        if self.options.grain == "shift":
            return state._to(f"hire:{further}")
        return state._to(f"hire:{spun},{further}" if paid else f"hire:{spun}")

    def _hire(self, whites: str) -> Self:
        """Rules 19; in the set-up rules 7."""
        segments = "".join([WHEEL[int(segment)] for segment in self._rest.split(",")])
        state = self._gain_all(self.turn, segments.replace(WHITE, "") + whites)
        if self.round:
            return state._to("end")
        spins = state.seats[self.turn].workers // 2
        if spins < DATA["startSpins"]["perSeat"]:
            return state._to("spin")
        if self.turn + 1 < self.options.players:
            return replace(state, turn=self.turn + 1, stage="spin")
        return replace(state, round=1, turn=0, stage="main")

    def _cow_trade(self, wanted: str) -> Self:
        """Rules 10."""
        state = replace(self._cows(self.turn, -1), cows=self.cows + 1)
        if wanted == "$":
            return state._silver(self.turn, 3)
        return state._gain(self.turn, wanted.removeprefix("w"), 1)

    # Work.

    def _put(self, place: str, number: int, crew: str, *, right: bool = False) -> Self:
        """A crew goes to work; numbers count from 1."""
        spaces = list(self.board[place])
        left = spaces[number - 1].left
        spaces[number - 1] = Space(left, crew) if right else Space(crew)
        state = self._lose(self.turn, crew)
        return replace(state, board={**self.board, place: tuple(spaces)})

    def _first_crew(self, space: str, crew: str) -> Self:
        """Rules 22 and 23."""
        place, number = space[:-1], int(space[-1])
        state = self._put(place, number, crew)
        if place == "bank":
            return state._silver(self.turn, BANK[number - 1]["silver"])._to("end")
        silver, goods = PRODUCTION[place]["left"][number - 1]
        state = state._silver(self.turn, -silver)
        return state._gain(self.turn, PRODUCTION[place]["good"], goods)._to(f"extra:{space}")

    def _second_crew(self, crew: str) -> Self:
        """Rules 25."""
        place, number = self._rest[:-1], int(self._rest[-1])
        state = self._put(place, number, crew, right=True)
        figures = PRODUCTION[place]
        return state._gain(self.turn, figures["good"], figures["right"])._to("end")

    # The city.

    def _city(self) -> Self:
        state = self
        for good, number in DATA["city"]["free"].items():  # rules 27
            state = state._gain(self.turn, good, number)
        return state._to(f"bid:{self.turn}")

    def _contractor(self, seat: int, where: str) -> Self:
        contractors = list(self.contractors)
        contractors[seat] = where
        return replace(self, contractors=tuple(contractors))

    def _bid(self, space: str) -> Self:
        state = self._contractor(self._actor, space)
        for seat, where in enumerate(self.contractors):
            if where[0] == space[0]:  # rules 30: outbid, it acts at once
                return state._contractor(seat, CONTRACTORLESS)._to(f"bid:{seat}")
        return state._next_bid()

    def _next_bid(self) -> Self:
        """The next seat of rules 29, or the rewards."""
        for seat in self._clockwise():
            if self.contractors[seat] == CONTRACTORLESS:
                return self._to(f"bid:{seat}")
        return self._reward(self._clockwise())

    def _reward(self, seats: Sequence[int]) -> Self:
        """Let the first of these seats that can pay choose its reward (rules 31 to 33)."""
        for seat in seats:
            if self.contractors[seat] == PASSED:
                continue
            row, price = map(int, self.contractors[seat].split("."))
            if self.seats[seat].pieces["v"] < price:  # rules 32
                continue
            state = self._give(seat, "v" * price)
            reward = ROWS[row]["reward"]
            cows = min(reward.get("cows", 0), self.cows)
            state = replace(state._cows(seat, cows), cows=self.cows - cows)
            return state._silver(seat, reward.get("silver", 0))._to(f"reward:{seat}")
        home = (CONTRACTORLESS,) * self.options.players  # rules 35
        return replace(self, contractors=home, stage="end")

    def _next_reward(self) -> Self:
        seats = self._clockwise()
        return self._reward(seats[seats.index(self._actor) + 1 :])

    def _swap(self, small: str) -> Self:
        """Rules 34."""
        large = "".join([UPGRADES[good] for good in small])
        return self._gain_all(self._actor, large)._give(self._actor, small)._next_reward()

    # Building.

    def _build(self, place: Hex) -> Self:
        """Rules 36 to 43."""
        kind = self._hexes[place]
        tiles = 1 + kind.double + self._completes_a_line(place)
        stack = Stack(self.turn, min(tiles, self._tiles_left(self.turn)))  # rules 42
        canteens = [
            near
            for near in _around(place)
            if near in self._hexes
            and self._hexes[near].kind == "lake"
            and not any(map(self._is_settled, _around(near)))
        ]
        state = self._give(self.turn, kind.cost)._cows(self.turn, int(kind.cow))
        own = state.seats[self.turn]
        state = state._changed(self.turn, canteens=own.canteens + len(canteens))
        sites = 1 if self.stage == "main" else int(self._rest) + 1
        return replace(
            state,
            settlements={**self.settlements, place: stack},
            stage="end" if sites == MOST_SITES else f"build:{sites}",
        )

    def _completes_a_line(self, place: Hex) -> bool:
        """Rules 41."""
        for q, r in DIRECTIONS[:3]:
            sides = [self._run(place, (q, r)), self._run(place, (-q, -r))]
            if 1 + sum(sides) >= LINE and max(sides) < LINE:
                return True
        return False

    def _run(self, place: Hex, step: Hex) -> int:
        """How many own settlements follow each other on one side of a hex."""
        length = 0
        while True:
            place = (place[0] + step[0], place[1] + step[1])
            if place not in self.settlements or self.settlements[place].seat != self.turn:
                return length
            length += 1

    # The end of a turn.

    def _turn_ended(self, *, canteen: bool) -> Self:
        """Rules 45."""
        state = self
        if self._kind == "build":  # rules 39
            left = MOST_SITES - int(self._rest)
            state = state._silver(self.turn, left * DATA["build"]["silverPerHexNotBuilt"])
        state = state._cleared()
        if canteen:
            left = self.seats[self.turn].canteens - 1
            return replace(state._changed(self.turn, canteens=left), extra=True, stage="main")
        state = replace(state, extra=False)
        if self.turn + 1 < self.options.players:
            return replace(state, turn=self.turn + 1, stage="main")
        if state._is_last_round():
            return state._to("over")
        return replace(state, round=self.round + 1, turn=0, stage="main")

    def _cleared(self) -> Self:
        """Return the position after full places clear (rules 26)."""
        supply, board = dict(self.supply), dict(self.board)
        for place, spaces in self.board.items():
            if _used(spaces):
                for worker in "".join([space.left + space.right for space in spaces]):
                    supply[worker] += 1
                board[place] = (Space(),) * len(spaces)
        return replace(self, supply=supply, board=board)

    def _is_last_round(self) -> bool:
        """Whether the game ends with this round (rules 46, 47)."""
        seats = range(self.options.players)
        return self.round >= LAST_ROUND or any(self._tiles_left(seat) == 0 for seat in seats)


def start(*, players: int | str = 2, grain: str = "shift", sites: str = "own") -> State:
    """The start position: the map is still to be drawn (rules 2, 6).

    Args:
        players: 2, 3 or 4.
        grain: ``shift`` or ``second``.
        sites: ``own`` or ``any``.

    Raises:
        ValueError: an option has another value.
    """
    options = _options(players, grain, sites)
    own = DATA["startGoods"]
    goods = "".join([good * own.get(good, 0) for good in GOODS])
    silver = DATA["startSilverBySeat"]["silver"][: options.players]
    return State(
        options=options,
        supply=options.supply,
        cows=options.cows,
        seats=tuple([Seat(number, _pieces(goods), own["cows"]) for number in silver]),
        contractors=(CONTRACTORLESS,) * options.players,
    )


class PositionFault(ValueError):
    """A position text is malformed or impossible (rules 57)."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        """Every fault, each beginning with the name of its field."""
        super().__init__("; ".join(self.faults))


def parse(text: str, *, players: int | str = 2, grain: str = "shift", sites: str = "own") -> State:
    """Parse a position text. The ``text`` of the result is the same text.

    Args:
        text: in the notation of rules 55.
        players: 2, 3 or 4.
        grain: ``shift`` or ``second``.
        sites: ``own`` or ``any``.

    Raises:
        PositionFault: the text is malformed or impossible; it lists every fault.
        ValueError: an option has another value.
    """
    return _Reading(text, _options(players, grain, sites)).state()


FIELDS = (
    "options",
    "map",
    "start",
    "settlements",
    "supply",
    "seats",
    "board",
    "contractors",
    "round",
    "turn",
    "stage",
)
_NUMBER = "(0|[1-9][0-9]{0,3})"
_COORDINATE = "(0|-?[1-9][0-9]{0,3})"
_CREW = "(?:-|(?=[nkyo])n*k*y*o*)"
_LOAD = "(?:-|(?=[cCsSgv])c*C*s*S*g*v*)"
_SLOT = re.compile(r"-|(L[0-9][0-9])(?:r([0-5]))?")
_HEX = re.compile(f"{_COORDINATE},{_COORDINATE}")
_STACK = re.compile(f"{_COORDINATE},{_COORDINATE}=([0-3])x([1-9][0-9]{{0,3}})")
_SUPPLY = re.compile(
    "/".join(["".join([kind + _NUMBER for kind in kinds]) for kinds in (GOODS, WORKERS)])
    + f"/{_NUMBER}"
)
_SEAT = re.compile(f"{_NUMBER}:({_CREW}):({_LOAD}):{_NUMBER}:{_NUMBER}")
_BANK_SPACE = re.compile(f"({_CREW})()")
_SPACE = re.compile(rf"({_CREW})(?:(?<!-)\+(?!-)({_CREW}))?")
_CONTRACTOR = re.compile(r"-|p|[1-9]\.[1-9]")
_TURN = re.compile(r"([0-3])(\+?)")
_STAGE = re.compile(
    r"tile|rot|start|spin|main|end|over|shift:[0-7]|hire:([0-7])(?:,([0-7]))?"
    r"|extra:(?:mine|quarry|field|farm)[123]|build:[12]|(?:bid|reward):([0-3])"
)
SET_UP = ("tile", "rot", "start")
"""The stages before the spins."""


class _Reading:
    """A position text's fields and the faults found.

    The fields are those of a ``State``, each missing where its text is malformed.
    """

    def __init__(self, text: str, options: Options) -> None:
        self.options = options
        parts = text.split(" ")
        if len(parts) != len(FIELDS):
            raise PositionFault([f"text: {len(parts)} fields, not {len(FIELDS)}, in {text!r}"])
        self.faults: list[str] = []
        self.read: dict[str, Any] = {}
        for name, part in zip(FIELDS, parts, strict=True):
            value = getattr(self, f"_{name}")(part)
            if value is None:
                self.faults.append(f"{name}: malformed {part!r}")
            else:
                self.read[name] = value

    def state(self) -> State:
        """The state, if nothing is malformed or impossible."""
        self.faults.extend(self._impossible())
        if self.faults:
            raise PositionFault(self.faults)
        read = self.read
        supply, cows = read["supply"]
        turn, extra = read["turn"]
        state = State(
            options=self.options,
            landscape=tuple([slot for slot in read["map"] if slot is not None]),
            start=read["start"] or None,
            settlements=read["settlements"],
            supply=supply,
            cows=cows,
            seats=read["seats"],
            board=read["board"],
            contractors=read["contractors"],
            round=read["round"],
            turn=turn,
            extra=extra,
            stage=read["stage"],
        )
        if state.to_act not in (None, CHANCE) and len(state.legal_actions) < 2:
            raise PositionFault([f"stage: no choice: {' '.join(state.legal_actions)}"])
        return state

    # rules 55: the fields. None: malformed.

    def _options(self, text: str) -> str | None:
        return text if re.fullmatch("[234]/(shift|second)(/any)?", text) else None

    def _map(self, text: str) -> list[Slot | None] | None:
        matches = [_SLOT.fullmatch(part) for part in text.split("/")]
        if None in matches or len(matches) != len(self.options.slots):
            return None
        return [
            Slot(match[1], int(match[2]) if match[2] else None) if match[1] else None
            for match in matches
            if match
        ]

    def _start(self, text: str) -> Hex | tuple[()] | None:
        """The empty tuple stands for none."""
        if text == "-":
            return ()
        match = _HEX.fullmatch(text)
        return (int(match[1]), int(match[2])) if match else None

    def _settlements(self, text: str) -> dict[Hex, Stack] | None:
        if text == "-":
            return {}
        stacks = []
        for part in text.split("/"):
            match = _STACK.fullmatch(part)
            if not match or int(match[3]) >= self.options.players:
                return None
            stacks.append(((int(match[1]), int(match[2])), Stack(int(match[3]), int(match[4]))))
        places = [place for place, _ in stacks]
        return dict(stacks) if places == sorted(set(places)) else None

    def _supply(self, text: str) -> tuple[Pieces, int] | None:
        match = _SUPPLY.fullmatch(text)
        if not match:
            return None
        *numbers, cows = map(int, match.groups())
        return dict(zip(GOODS + WORKERS, numbers, strict=True)), cows

    def _seats(self, text: str) -> tuple[Seat, ...] | None:
        matches = [_SEAT.fullmatch(part) for part in text.split("/")]
        if None in matches or len(matches) != self.options.players:
            return None
        return tuple(
            [
                Seat(int(match[1]), _pieces(match[2] + match[3]), int(match[4]), int(match[5]))
                for match in matches
                if match
            ]
        )

    def _board(self, text: str) -> Board | None:
        places = text.split("/")
        if len(places) != len(EMPTY_BOARD):
            return None
        board = {}
        for (name, empty), part in zip(EMPTY_BOARD.items(), places, strict=True):
            form = _BANK_SPACE if name == "bank" else _SPACE
            matches = [form.fullmatch(space) for space in part.split(",")]
            if None in matches or len(matches) != len(empty):
                return None
            board[name] = tuple(
                [Space(match[1].strip("-"), match[2] or "") for match in matches if match]
            )
        return board

    def _contractors(self, text: str) -> tuple[str, ...] | None:
        parts = tuple(text.split("/"))
        if len(parts) != self.options.players or not all(map(_CONTRACTOR.fullmatch, parts)):
            return None
        return parts

    def _round(self, text: str) -> int | None:
        return int(text) if re.fullmatch(_NUMBER, text) else None

    def _turn(self, text: str) -> tuple[int, bool] | None:
        match = _TURN.fullmatch(text)
        if not match or int(match[1]) >= self.options.players:
            return None
        return int(match[1]), match[2] == "+"

    def _stage(self, text: str) -> str | None:
        match = _STAGE.fullmatch(text)
        if not match:
            return None
        if match[2] and (self.options.grain != "second" or match[1] == match[2]):
            return None
        if match[3] and int(match[3]) >= self.options.players:
            return None
        return text

    # rules 57: impossible positions. A check runs only if the fields that it needs are well-formed.

    def _impossible(self) -> Iterator[str]:
        for name in FIELDS:
            for check, needed in _CHECKS[name]:
                if all(
                    self._whole_map() if one == "whole map" else one in self.read for one in needed
                ):
                    yield from [f"{name}: {fault}" for fault in check(self)]

    def _whole_map(self) -> bool:
        """Whether every slot holds a turned, known tile, none of them twice."""
        slots = self.read.get("map", [None])
        return all(slot and slot.turn is not None for slot in slots) and not list(_map_faults(self))

    @property
    def kind(self) -> str:
        """The stage without the text after its colon."""
        return str(self.read["stage"]).partition(":")[0]

    @property
    def rest(self) -> str:
        """The text after the stage's colon."""
        return str(self.read["stage"]).partition(":")[2]

    @property
    def hexes(self) -> Mapping[Hex, Terrain]:
        """The map, if it is whole."""
        return _map(self.options, tuple(self.read["map"]))

    def placed(self, seat: int) -> int:
        """The settlement tiles of a seat on the map."""
        stacks = self.read["settlements"].values()
        return sum([stack.tiles for stack in stacks if stack.seat == seat])

    def clockwise(self) -> list[int]:
        """The seats, from the active seat on."""
        players = self.options.players
        return [(self.read["turn"][0] + i) % players for i in range(players)]


def _option_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["options"] != reading.options.text:
        yield f"{reading.read['options']}, but the game has {reading.options.text}"


def _map_faults(reading: _Reading) -> Iterator[str]:
    slots = reading.read["map"]
    tiles = Tally([slot.tile for slot in slots if slot])
    yield from [f"no tile {tile}" for tile in tiles if tile not in TILES]
    yield from [f"the tile {tile} twice" for tile, times in tiles.items() if times > 1]
    for i, slot in enumerate(slots[:-1]):
        if (slot is None or slot.turn is None) and slots[i + 1] is not None:
            yield "slots not filled in order"
            return


def _map_stage_faults(reading: _Reading) -> Iterator[str]:
    slots, kind = reading.read["map"], reading.kind
    empty = None in slots
    unturned = any(slot and slot.turn is None for slot in slots)
    if kind == "tile":
        good = empty and not unturned
    elif kind == "rot":
        good = unturned
    else:
        good = not empty and not unturned
    if not good:
        yield f"not so in {kind}"


def _start_stage_faults(reading: _Reading) -> Iterator[str]:
    if (reading.read["start"] == ()) != (reading.kind in SET_UP):
        yield f"not so in {reading.kind}"


def _start_faults(reading: _Reading) -> Iterator[str]:
    start, slots = reading.read["start"], tuple(reading.read["map"])
    if start and start not in _candidates(reading.options, slots):
        yield "no candidate"


def _settlement_faults(reading: _Reading) -> Iterator[str]:
    for (q, r), stack in reading.read["settlements"].items():
        if stack.tiles > 3:
            yield f"{stack.tiles} tiles on {q},{r}"
    for seat in range(reading.options.players):
        if reading.placed(seat) > reading.options.tiles:
            yield f"seat {seat} has more than {reading.options.tiles} tiles"


def _site_faults(reading: _Reading) -> Iterator[str]:
    for q, r in reading.read["settlements"]:
        if (q, r) not in reading.hexes or reading.hexes[q, r].kind != "plain":
            yield f"no plain on {q},{r}"


def _start_site_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["start"] in reading.read["settlements"]:
        yield "on the start hex"


def _settlement_time_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] == 0:
        if reading.read["settlements"]:
            yield "in the set-up"
        return
    turn, extra = reading.read["turn"]
    just_placed = extra or reading.kind in ("build", "end", "over")
    for seat in range(reading.options.players):
        if reading.placed(seat) == reading.options.tiles:
            if seat > turn:
                yield f"seat {seat} has placed all before its turn"
            if seat == turn and not just_placed:
                yield f"seat {seat} has placed all and has a turn"


def _sum_faults(reading: _Reading) -> Iterator[str]:
    supply = reading.read["supply"][0]
    for good in GOODS:
        there = supply[good] + sum([seat.pieces[good] for seat in reading.read["seats"]])
        total = reading.options.supply[good]
        total += DATA["startGoods"].get(good, 0) * reading.options.players
        if there != total:
            yield f"{there} {good} in all, not {total}"


def _worker_sum_faults(reading: _Reading) -> Iterator[str]:
    supply = reading.read["supply"][0]
    spaces = [space for place in reading.read["board"].values() for space in place]
    at_work = "".join([space.left + space.right for space in spaces])
    for colour in WORKERS:
        there = supply[colour] + sum([seat.pieces[colour] for seat in reading.read["seats"]])
        there += at_work.count(colour)
        if there != reading.options.supply[colour]:
            yield f"{there} {colour} in all, not {reading.options.supply[colour]}"


def _cow_sum_faults(reading: _Reading) -> Iterator[str]:
    there = reading.read["supply"][1] + sum([seat.cows for seat in reading.read["seats"]])
    total = reading.options.cows + DATA["startGoods"]["cows"] * reading.options.players
    hexes = reading.hexes
    settled = [place for place in reading.read["settlements"] if place in hexes]
    total += sum([hexes[place].cow for place in settled])
    if there != total:
        yield f"{there} cows in all, not {total}"


def _canteen_faults(reading: _Reading) -> Iterator[str]:
    settlements = reading.read["settlements"]
    lakes = sum(
        kind.kind == "lake" and any(near in settlements for near in _around(place))
        for place, kind in reading.hexes.items()
    )
    most = lakes - reading.read["turn"][1]
    canteens = sum([seat.canteens for seat in reading.read["seats"]])
    if canteens > most:
        yield f"{canteens} canteens where there can be {most}"


def _worker_faults(reading: _Reading) -> Iterator[str]:
    kind, turn = reading.kind, reading.read["turn"][0]
    most = MOST_WORKERS
    own_decision = kind in ("bid", "reward") and reading.rest == str(turn)
    if kind in ("main", "shift", "extra", "build") or own_decision:
        most = 9
    elif kind == "end":
        most = 10 if reading.options.grain == "shift" else 12
    for number, seat in enumerate(reading.read["seats"]):
        if seat.workers > (most if number == turn else MOST_WORKERS):
            yield f"seat {number} has {seat.workers} workers"


def _set_up_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] != 0:
        return
    goods = {good: DATA["startGoods"].get(good, 0) for good in GOODS}
    for number, seat in enumerate(reading.read["seats"]):
        if seat.silver != DATA["startSilverBySeat"]["silver"][number]:
            yield f"seat {number} has {seat.silver} silver in the set-up"
        if any(seat.pieces[good] != count for good, count in goods.items()):
            yield f"seat {number} has other goods in the set-up"


def _set_up_worker_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] != 0:
        return
    turn = reading.read["turn"][0]
    for number, seat in enumerate(reading.read["seats"]):
        possible = [0]
        if reading.kind in ("spin", "hire"):
            possible = [4] if number < turn else [0, 2] if number == turn else [0]
        if seat.workers not in possible:
            yield f"seat {number} has {seat.workers} workers in the set-up"


def _crew_faults(reading: _Reading) -> Iterator[str]:
    for place, spaces in reading.read["board"].items():
        for number, space in enumerate(spaces, 1):
            if place == "bank":
                fits = len(space.left) in (0, BANK[number - 1]["workers"])
            else:
                own = PRODUCTION[place]["worker"]
                fits = all(one in ("", own) or len(one) == 2 for one in space)
            if not fits:
                yield f"{space.text} in {place}{number}"


def _set_up_board_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] == 0 and reading.read["board"] != EMPTY_BOARD:
        yield "workers at work in the set-up"


def _full_place_faults(reading: _Reading) -> Iterator[str]:
    full = [place for place, spaces in reading.read["board"].items() if _used(spaces)]
    if len(full) > 1:
        yield f"{len(full)} full places"
    for place in full:
        if reading.kind != "end" and not (reading.kind == "extra" and reading.rest[:-1] == place):
            yield f"{place} full in {reading.kind}"


def _contractor_faults(reading: _Reading) -> Iterator[str]:
    contractors = reading.read["contractors"]
    spaces = [one for one in contractors if "." in one]
    for space in spaces:
        row, price = map(int, space.split("."))
        if row not in ROWS or price not in ROWS[row]["prices"]:
            yield f"no space {space}"
    if len({space[0] for space in spaces}) < len(spaces):
        yield "two in a row"


def _auction_faults(reading: _Reading) -> Iterator[str]:
    contractors = reading.read["contractors"]
    if reading.kind not in ("bid", "reward"):
        if any(one != CONTRACTORLESS for one in contractors):
            yield f"not at the store in {reading.kind}"
        return
    seats = reading.clockwise()
    actor = int(reading.rest)
    waiting = [contractors[seat] == CONTRACTORLESS for seat in seats]
    if reading.kind == "reward":
        if any(waiting):
            yield "neither placed nor passed in reward"
        if "." not in contractors[actor]:
            yield f"seat {actor} gets a reward without a place"
        return
    place = seats.index(actor)
    if not waiting[place]:
        yield f"seat {actor} bids and has placed or passed"
    if any(waiting[:place]):
        yield f"a seat before seat {actor} has not bid"
    after = waiting[place + 1 :]
    if after != sorted(after):
        yield f"a seat after seat {actor} has bid out of order"


def _first_bid_faults(reading: _Reading) -> Iterator[str]:
    contractors, seats = reading.read["contractors"], reading.read["seats"]
    if reading.kind != "bid" or any("." in one for one in contractors):
        return
    actor = int(reading.rest)
    first = actor == reading.read["turn"][0] and set(contractors) == {CONTRACTORLESS}
    if not first or seats[actor].pieces["v"] == 0:
        yield "no seat is placed"


def _round_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] > LAST_ROUND:
        yield f"over {LAST_ROUND}"


def _round_stage_faults(reading: _Reading) -> Iterator[str]:
    number, kind = reading.read["round"], reading.kind
    if (kind in SET_UP and number != 0) or (kind not in (*SET_UP, "spin", "hire") and number == 0):
        yield f"{number} in {kind}"


def _turn_faults(reading: _Reading) -> Iterator[str]:
    turn = reading.read["turn"]
    if reading.kind in SET_UP and turn != (0, False):
        yield f"not 0 in {reading.kind}"
    if reading.kind == "over" and turn != (reading.options.players - 1, False):
        yield "not the last seat's in over"


def _spin_faults(reading: _Reading) -> Iterator[str]:
    if reading.read["round"] == 0 and reading.kind == "hire" and "," in reading.rest:
        yield "two segments in the set-up"


def _extra_faults(reading: _Reading) -> Iterator[str]:
    if reading.kind == "extra":
        space = reading.read["board"][reading.rest[:-1]][int(reading.rest[-1]) - 1]
        if not space.left or space.right:
            yield f"extra where {space.text} stands"


def _over_faults(reading: _Reading) -> Iterator[str]:
    seats = range(reading.options.players)
    settled = any(reading.placed(seat) == reading.options.tiles for seat in seats)
    if reading.kind == "over" and not settled and reading.read["round"] < LAST_ROUND:
        yield "over before its time"


_Check = tuple[Callable[[_Reading], Iterator[str]], tuple[str, ...]]
_CHECKS: Mapping[str, tuple[_Check, ...]] = {
    "options": ((_option_faults, ("options",)),),
    "map": ((_map_faults, ("map",)), (_map_stage_faults, ("map", "stage"))),
    "start": (
        (_start_stage_faults, ("start", "stage")),
        (_start_faults, ("start", "whole map")),
    ),
    "settlements": (
        (_settlement_faults, ("settlements",)),
        (_site_faults, ("settlements", "whole map")),
        (_start_site_faults, ("settlements", "start")),
        (_settlement_time_faults, ("settlements", "round", "turn", "stage")),
    ),
    "supply": (
        (_sum_faults, ("supply", "seats")),
        (_worker_sum_faults, ("supply", "seats", "board")),
        (_cow_sum_faults, ("supply", "seats", "settlements", "whole map")),
    ),
    "seats": (
        (_canteen_faults, ("seats", "settlements", "turn", "whole map")),
        (_worker_faults, ("seats", "turn", "stage")),
        (_set_up_faults, ("seats", "round")),
        (_set_up_worker_faults, ("seats", "round", "turn", "stage")),
    ),
    "board": (
        (_crew_faults, ("board",)),
        (_set_up_board_faults, ("board", "round")),
        (_full_place_faults, ("board", "stage")),
    ),
    "contractors": (
        (_contractor_faults, ("contractors",)),
        (_auction_faults, ("contractors", "turn", "stage")),
        (_first_bid_faults, ("contractors", "seats", "turn", "stage")),
    ),
    "round": ((_round_faults, ("round",)), (_round_stage_faults, ("round", "stage"))),
    "turn": ((_turn_faults, ("turn", "stage")),),
    "stage": (
        (_spin_faults, ("round", "stage")),
        (_extra_faults, ("board", "stage")),
        (_over_faults, ("settlements", "round", "stage")),
    ),
}
"""The checks of each field, with the fields that each check needs."""
