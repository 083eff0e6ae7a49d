"""The reference agrees with the clauses: perft, examples, position texts and invariants."""

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import references
from tests.profiles import sized

HERE = Path(__file__).parent
COLUMNS, ROWS = "abcdef", "123456"
CELLS = [column + row for row in reversed(ROWS) for column in COLUMNS]
RING = [
    *("N" + column for column in COLUMNS),
    *("E" + row for row in reversed(ROWS)),
    *("S" + column for column in reversed(COLUMNS)),
    *("W" + row for row in ROWS),
]
TYPES = ["SS", "LL", "RR", "SL", "SR", "RL"]
TOKENS = {
    *RING,
    *(f"{start}-{end}" for start in RING for end in RING if start != end),
    *(
        f"{pile}{kind}@{cell}{way}"
        for pile in "123"
        for kind in TYPES
        for cell in CELLS
        for way in ("es" if kind[0] == kind[1] else "eswn")
    ),
}

reference = references.load("passtally")


def _choose(state: Any, number: int, rng: random.Random) -> str:
    """Players: random, mostly tiles, mostly markers, for points, tiles of the fullest pile."""
    manner, tokens = number // 2 % 5, references.following(state)
    tiles = [token for token in tokens if "@" in token]
    markers = [token for token in tokens if "-" in token]
    if not tiles:
        return rng.choice(tokens)
    if manner == 1:
        return rng.choice(tiles if rng.random() < 0.8 else markers)
    if manner == 2:
        return rng.choice(tiles if rng.random() < 0.04 and state.idle < 50 else markers)
    if manner == 3:
        return max(rng.sample(tokens, min(32, len(tokens))), key=lambda one: _worth(state, one))
    if manner == 4:
        if state.points == (0,) * state.players and not any(state.board) and state.taken < 2:
            return rng.choice(markers if state.seat == 0 else tiles)
        fullest = max(state.piles[int(token[0]) - 1].tiles for token in tiles)
        return rng.choice([t for t in tiles if state.piles[int(t[0]) - 1].tiles == fullest])
    return rng.choice(tokens)


def _worth(state: Any, token: str) -> tuple[int, bool]:
    """The passes of the seat after an action. Among equals, marker moves come first."""
    after = state.play(token)
    return reference.passes_of(after.board, after.markers[state.seat]), "@" not in token


@pytest.fixture(scope="module")
def games() -> list[references.Played]:
    options = [{"players": players} for players in (2, 3)]
    count = sized(60, 60, 600)
    return references.random_games(reference, options, count, seed=4, choose=_choose)


class TestReference(references.ReferenceTests):
    game = "passtally"
    reference = reference
    deepest = 40_000
    clauses = frozenset(map(str, range(1, 24))) - {"6", "20"} | {"18a"}
    letters = "0123456789-,;:/*ufSLRNESWeswnabc "
    odd_tokens = ("Na-Nb", "Na", "1SS@a1e", "*1SS")
    finished = 20
    positions = 30
    skip = sized(7, 1, 1)
    strides = (slice(None, None, 3), slice(-1, None))


def test_every_fault_is_listed() -> None:
    empty = "-,-,-,-,-,-"
    board = "/".join(["R1e,L2w,-,-,-,-", empty, empty, empty, empty, "S1,-,-,-,-,-"])
    assert references.faults(
        reference, f"{board} Nc,E3,Sb;Nc,E4,Sa,W1 65;50 SL13;-13;-12 7,7,7,7,7,7 *2:0 0 f x"
    ) == (
        "idle: malformed 'x'",
        "board: the other half of a6 is missing",
        "board: the other half of b6 is missing",
        "board: levels add up to 4, not to 6 for 3 tiles",
        "markers: Nc twice",
        "markers: 3 of seat 0, not 4",
        "points: 65 of seat 0, above 64",
        "points: 65 of seat 0 before its turn in the last round",
        "points: 50 of seat 1 before its turn in the last round",
        "piles: pile 3 needs a face-up tile here",
        "unseen: 42 copies, not 38",
        "actions: 0 taken",
    )
    rows = "/".join(["R2e,L2w,S1,S1,-,-", *[empty] * 5])
    assert references.faults(
        reference, f"{rows} Nc;Nd,Sa 1;0 SL12;RL12;RL12 6,7,7,6,7,6 1 u3NE f 4"
    ) == (
        "board: level 1 is not made of whole tiles",
        "piles: 13 tiles in pile 1 during the set-up",
        "piles: 13 tiles in pile 2 during the set-up",
        "piles: 13 tiles in pile 3 during the set-up",
        "unseen: 39 copies, not 36",
        "unseen: 9 copies of RL with those face up and on the board",
        "seat: it is not the turn of seat 1 to place a marker",
        "actions: sides 'NE' with 3 markers placed",
        "last: f though no seat has 50 points and no pile is used up",
        "idle: 4 in the set-up",
    )


def test_options() -> None:
    for players in (1, 4, 0, "2"):
        with pytest.raises(ValueError, match="option "):
            reference.start(players=players)
        with pytest.raises(ValueError, match="option "):
            reference.parse(reference.start().text, players=players)


def test_legal_actions_are_sorted_unique_known_tokens(games: list[references.Played]) -> None:
    for game in games:
        for state in game.states:
            legal = state.legal_actions
            assert list(legal) == sorted(set(legal))
            assert set(legal) <= TOKENS
            assert bool(legal) == (state.to_act in range(state.players))
            assert bool(state.chance_outcomes) == (state.to_act == reference.CHANCE == -1)


def test_all_ends_come_up(games: list[references.Played]) -> None:
    ends = {(game.states[-1].outcome[1], game.options["players"]) for game in games}
    assert ends >= {(reason, n) for reason in ("points", "pile", "idle") for n in (2, 3)}
    assert {reason for reason, _ in ends} == {"points", "pile", "idle", "done"}


def test_chance_has_the_unseen_tiles_as_weights(games: list[references.Played]) -> None:
    """Rules 7, 10, 21: every face-down tile is equally likely, and there are 42 tiles in all."""
    for game in games:
        for state, token in zip(game.states, game.tokens, strict=False):
            down = sum(pile.down for pile in state.piles)
            assert sum(state.unseen) == down
            if state.chance_outcomes:
                assert sum(weight for _, weight in state.chance_outcomes) == down
                assert state.unseen[TYPES.index(token[2:])] == dict(state.chance_outcomes)[token]
            laid = sum(half.level for half in state.board if half) // 2
            assert laid + sum(pile.tiles for pile in state.piles) == 42


def test_a_turn_is_two_actions_of_each_seat_in_turn(games: list[references.Played]) -> None:
    """Rules 8, 9, checked from the tokens alone."""
    for game in games:
        players = game.options["players"]
        forward, back = list(range(players)), list(reversed(range(players)))
        due = iter([*forward, *back, *forward, *back])
        acting = [
            state.to_act
            for state, token in zip(game.states, game.tokens, strict=False)
            if token[0] != "*"
        ]
        assert acting[: 4 * players] == list(due)
        turns = acting[4 * players :]
        assert turns == [number // 2 % players for number in range(len(turns))]
        if game.states[-1].outcome[1] != "done":
            assert len(turns) % 2 == 0


def test_the_end_against_the_whole_game(games: list[references.Played]) -> None:
    """Rules 17, 18a, checked from the tokens and the points after each turn."""
    for game in games:
        players = game.options["players"]
        winners, reason = game.states[-1].outcome
        points = game.states[-1].points
        assert winners == (points.index(max(points)),)
        moves = [token for token in game.tokens[3 + 4 * players :] if token[0] != "*"]
        idle = 0
        for token in reversed(moves):
            if "@" in token:
                break
            idle += 1
        if reason == "idle":
            assert idle in (60, 61)
        elif reason in ("points", "pile"):
            assert idle >= 60 or len(moves) % (2 * players) == 0
            known = next(n for n, state in enumerate(game.states) if state.last)
            later = [token for token in game.tokens[known:] if token[0] != "*"]
            assert len(later) < 2 * players
        for state in game.states[:-1]:
            assert state.outcome is None
            assert state.idle <= 60
            assert any("@" in token for token in state.legal_actions) or (
                state.chance_outcomes or state.placed is not None
            )


def _joints(cell: str, shape: str) -> list[tuple[str, str]]:
    """The two pairs of edges that a cell joins (rules 3)."""
    north, east, south, west = (f"{cell}{edge}" for edge in "nesw")
    return {
        "S": [(north, south), (east, west)],
        "L": [(north, west), (south, east)],
        "R": [(north, east), (south, west)],
    }[shape]


def _edge(cell: str, edge: str) -> str:
    """An edge's one name: the south and the west edge are the neighbour's north and east one."""
    column, row = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    if edge == "s" and row:
        return f"{cell[0]}{ROWS[row - 1]}n"
    if edge == "w" and column:
        return f"{COLUMNS[column - 1]}{cell[1]}e"
    return cell + edge


def _lines(text: str) -> list[tuple[set[str], int]]:
    """Ends and passes of every line (rules 13, 15), another way: as sets of edges that grow.

    A tile's level counts for each of its cells that a line crosses, less the times that it goes
    straight on from one half to the other.
    """
    rows = text.split(" ")[0].split("/")
    halves = dict(zip(CELLS, [half for row in rows for half in row.split(",")], strict=True))
    rim = {
        _edge(c + r, e): "NESW"["nesw".index(e)] + (c if e in "ns" else r)
        for c in COLUMNS
        for r in ROWS
        for e in "nesw"
        if (e, r) in (("n", "6"), ("s", "1")) or (e, c) in (("e", "f"), ("w", "a"))
    }
    groups: list[tuple[set[str], int]] = []
    for cell, half in halves.items():
        level = 0 if half == "-" else int(half[1:].rstrip("eswn"))
        for pair in _joints(cell, "S" if half == "-" else half[0]):
            joined, passes = {_edge(one[:2], one[2]) for one in pair}, level
            for group in [group for group in groups if group[0] & joined]:
                groups.remove(group)
                joined, passes = joined | group[0], passes + group[1]
            groups.append((joined, passes))
    seams = {
        _edge(cell, half[-1]): int(half[1:-1])
        for cell, half in halves.items()
        if half[-1] in "eswn"
    }
    return [
        (
            {rim[edge] for edge in edges if edge in rim},
            passes - sum(level for edge, level in seams.items() if edge in edges),
        )
        for edges, passes in groups
    ]


def test_lines_and_points_against_another_reading(games: list[references.Played]) -> None:
    """Rules 13 to 15: there are always 12 pairs of positions, and each turn scores as it should."""
    table = [0, 1, 2, 2, *[3] * 3, *[4] * 4, *[5] * 5, *[6] * 6, *[7] * 7, *[8] * 8, *[9] * 9]
    table += [10] * 10
    scored = Counter[int]()
    for game in games:
        for before, after in pairwise(game.states):
            if before.seat is None or before.placed is not None or before.seat == after.seat:
                assert after.points == before.points
                continue
            lines = _lines(after.text)
            ends = [end for end, _ in lines if end]
            assert [len(end) for end in ends] == [2] * 12
            assert set().union(*ends) == set(RING)
            own = set(after.markers[before.seat])
            passes = sum(number for end, number in lines if end and end <= own)
            assert passes == reference.passes_of(after.board, after.markers[before.seat])
            gained = table[passes] if passes < len(table) else 15
            assert after.points[before.seat] - before.points[before.seat] == gained
            scored[gained] += 1
    assert min(scored[points] for points in range(7)) > 0


def test_a_line_is_the_same_from_both_ends(games: list[references.Played]) -> None:
    for game in games[:10]:
        for state in game.states[::10]:
            for position in RING:
                end, passes = reference.line(state.board, position)
                assert reference.line(state.board, end) == (position, passes)


def test_figures_of_the_rule_book() -> None:
    """The figures in the last section of the clauses."""
    board = reference.start().board
    for position in RING:
        end, passes = reference.line(board, position)
        assert (end[0], end[1], passes) == (
            {"N": "S", "S": "N", "E": "W", "W": "E"}[position[0]],
            position[1],
            0,
        )
    pairs = sum(reference.may_lie(board, cell, way) for cell in range(36) for way in "es")
    assert pairs == 60
    assert [len(reference.ways(kind)) for kind in TYPES] == [2, 2, 2, 4, 4, 4]
    looks = {
        kind: {
            frozenset(
                (cell, half.text)
                for cell, half in enumerate(reference.place_tile(board, kind, *at))
                if half is not None
            )
            for at in ((14, "e"), (15, "w"), (14, "s"), (20, "n"))
        }
        for kind in TYPES
    }
    assert [len(looks[kind]) for kind in TYPES] == [2, 2, 2, 4, 4, 4]
    assert [reference.points_for(passes) for passes in (0, 9, 55, 56, 500)] == [0, 4, 10, 15, 15]
    assert reference.line(reference.place_tile(board, "RL", 0, "e"), "Na") == ("Nb", 1)


# The board's symmetries: a rotation and a mirror image of cells, positions, directions and types.
Cell = Callable[[str], str]


def _turned(cell: str) -> str:
    """A rotation by 90 degrees clockwise: the upper left corner moves to the upper right."""
    column, row = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    return COLUMNS[row] + ROWS[5 - column]


def _mirrored(cell: str) -> str:
    return COLUMNS[5 - COLUMNS.index(cell[0])] + cell[1]


def _position_image(position: str, image: Cell, sides: str) -> str:
    """A marker position, by the cell inside and the side it is on."""
    side, name = position[0], position[1]
    cell = image({"N": name + "6", "S": name + "1", "E": "f" + name, "W": "a" + name}[side])
    side = sides["NESW".index(side)]
    return side + (cell[0] if side in "NS" else cell[1])


class Symmetry:
    """An image of the board; a mirror image exchanges the shapes L and R (rules 5)."""

    def __init__(self, image: Cell, sides: str, *, mirror: bool) -> None:
        self.cell = image
        self.sides = sides
        self.mirror = mirror

    def kind(self, kind: str) -> str:
        """The image of a type."""
        shapes = "".join({"S": "S", "L": "R", "R": "L"}[shape] for shape in kind)
        if not self.mirror:
            return kind
        return shapes if shapes in TYPES else shapes[::-1]

    def token(self, token: str) -> str:
        """The image of an action."""
        if token[0] == "*":
            return token[:2] + self.kind(token[2:])
        if "@" not in token:
            return "-".join(
                _position_image(part, self.cell, self.sides) for part in token.split("-")
            )
        kind, cell, way = token[1:3], token[4:6], token[6]
        image = self.kind(kind)
        first, turned = self.cell(cell), self.sides["NESW".index(way.upper())].lower()
        other = _step(first, turned)
        # The half that comes first in the type's name may be the other one now.
        if self.mirror and kind == "RL":
            first, turned = other, _opposite(turned)
            other = _step(first, turned)
        if image[0] == image[1] and turned in "wn":
            first, turned = other, _opposite(turned)
        return f"{token[0]}{image}@{first}{turned}"


def _opposite(way: str) -> str:
    return "wnes"["eswn".index(way)]


def _step(cell: str, way: str) -> str:
    column, row = COLUMNS.index(cell[0]), ROWS.index(cell[1])
    return COLUMNS[column + (way == "e") - (way == "w")] + ROWS[row + (way == "n") - (way == "s")]


def _twice(image: Cell) -> Cell:
    return lambda cell: image(image(cell))


SYMMETRIES = {
    "quarter turn": Symmetry(_turned, "ESWN", mirror=False),
    "half turn": Symmetry(_twice(_turned), "SWNE", mirror=False),
    "three quarters": Symmetry(lambda cell: _turned(_twice(_turned)(cell)), "WNES", mirror=False),
    "left to right": Symmetry(_mirrored, "NWSE", mirror=True),
    "bottom to top": Symmetry(
        lambda cell: cell[0] + ROWS[5 - ROWS.index(cell[1])], "SENW", mirror=True
    ),
    "diagonal": Symmetry(lambda cell: _mirrored(_turned(cell)), "WSEN", mirror=True),
    "other diagonal": Symmetry(lambda cell: _turned(_mirrored(cell)), "ENWS", mirror=True),
}


@pytest.mark.parametrize("name", SYMMETRIES)
def test_the_image_of_a_game_is_a_game_with_the_same_points(
    name: str, games: list[references.Played]
) -> None:
    symmetry = SYMMETRIES[name]
    for game in games[:20]:
        other = reference.start(**game.options)
        for state, token in zip(game.states, [*game.tokens, ""], strict=True):
            assert sorted(map(symmetry.token, state.legal_actions)) == list(other.legal_actions)
            assert {(symmetry.token(one), weight) for one, weight in state.chance_outcomes} == set(
                other.chance_outcomes
            )
            assert (other.points, other.seat, other.idle) == (state.points, state.seat, state.idle)
            assert other.outcome == state.outcome
            if token:
                other = other.play(symmetry.token(token))


def test_a_rotation_leaves_every_tile_and_a_mirror_exchanges_types() -> None:
    """Rules 5: the images of the six types."""
    mirror = SYMMETRIES["left to right"]
    assert [mirror.kind(kind) for kind in TYPES] == ["SS", "RR", "LL", "SR", "SL", "RL"]
    assert [SYMMETRIES["quarter turn"].kind(kind) for kind in TYPES] == TYPES
    assert mirror.token("1RL@a1e") == "1RL@e1e"
    assert mirror.token("1SL@a1e") == "1SR@f1w"
    assert SYMMETRIES["quarter turn"].token("1SS@a6e") == "1SS@f6s"
    assert SYMMETRIES["quarter turn"].token("Na-Nb") == "E6-E5"
