"""Tests of the reference: perft, every example, position texts, and invariants."""

import random
import re
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from tests import references
from tests.profiles import sized

HERE = Path(__file__).parent
GOODS, WORKERS = "cCsSgv", "nkyo"
OPTIONS = [
    {"players": players, "grain": grain, "sites": sites}
    for sites, players, grain in product(("own", "any"), (2, 3, 4), ("shift", "second"))
]
WORK = {"mine": 6, "quarry": 6, "field": 6, "farm": 6, "extra": 4, "bank": 2}
# The preferences of the seats, game by game, so that every event of the rules occurs.
WANTED: tuple[dict[str, int], ...] = (
    {},
    {"build": 30, **WORK},
    {"build": 30, "recruit": 40, **WORK},
    {"build": 30, **WORK},
)

reference = references.load("montana")
PERFT = references.data("montana", "perft.json")
RECORDS = sorted((HERE / "records").glob("*.txt"))


def _choose(state: Any, number: int, rng: random.Random) -> str:
    """Return an action by the preferences of a game."""
    wanted = WANTED[number // len(OPTIONS) % len(WANTED)]
    possible = references.following(state)
    kinds = [re.split(r"[\d:@.]", token)[0] for token in possible]
    weights = [wanted.get(kind, 1) / kinds.count(kind) ** 0.5 for kind in kinds]
    return rng.choices(possible, weights)[0]


@pytest.fixture(scope="module")
def games() -> list[references.Played]:
    count = sized(36, 36, 360)
    return references.random_games(reference, OPTIONS, count, seed=9, choose=_choose)


class TestReference(references.ReferenceTests):
    game = "montana"
    reference = reference
    deepest = 6_000
    clauses = frozenset(map(str, range(1, 58)))
    letters = "0123456789-+,:=/xLrcCsSgvnkyop "
    first_fault = False
    odd_tokens = ("", "x", "*", "hire:", "hire:-", "build@", "bid1")
    finished = 6
    all_differ = False
    skip = sized(5, 1, 1)
    strides = (slice(20), slice(20, None, 7), slice(-1, None))


def test_perft_covers_what_there_is() -> None:
    texts = [(entry["position"] or "- tile").split(" ") for entry in PERFT]
    stages = {fields[-1].partition(":")[0] for fields in texts}
    assert stages == {
        *("tile", "rot", "start", "spin", "hire", "main", "shift", "extra", "build", "end"),
        *("bid", "reward"),
    }
    reasons = "; ".join(entry["why"] for entry in PERFT)
    for what in ("extra turn", "last round", "goods run short", "workers run short", "outbidding"):
        assert what in reasons
    assert {tuple(({"sites": "own"} | entry["options"]).items()) for entry in PERFT} == {
        tuple(({"sites": "own"} | options).items()) for options in OPTIONS
    }


def test_every_fault_is_listed() -> None:
    # Each change to the start is a fault of its own.
    text = (
        "2/second L01r9/-/-/-/-/-/- 0,0 2,2=0x4 c8C5s8S5g8v9/n18k18y17o18/4 "
        "4:-:csgv:1:0/4:-:cgsv:1:0 -,nn,-,-/-,-,-/-,-,-/-,-,-/-,-,- 4.9/- 101 3 over"
    )
    assert references.faults(reference, text) == (
        "map: malformed 'L01r9/-/-/-/-/-/-'",
        "seats: malformed '4:-:csgv:1:0/4:-:cgsv:1:0'",
        "turn: malformed '3'",
        "options: 2/second, but the game has 2/shift",
        "settlements: 4 tiles on 2,2",
        "contractors: no space 4.9",
        "round: over 100",
    )
    text = (
        "2/shift L13r1/L02/L02/-/-/-/- 0,0 - c8C5s8S5g8v9/n18k18y17o18/4 "
        "4:-:csgv:1:0/4:n:csgv:1:0 -,nn,-,-/-,-,-/-,-,-/-,-,-/-,-,- p/- 0 1 tile"
    )
    assert references.faults(reference, text) == (
        "map: no tile L13",
        "map: the tile L02 twice",
        "map: slots not filled in order",
        "map: not so in tile",
        "start: not so in tile",
        "supply: 11 v in all, not 10",
        "supply: 21 n in all, not 18",
        "supply: 17 y in all, not 18",
        "seats: seat 0 has 4 silver in the set-up",
        "seats: seat 1 has 1 workers in the set-up",
        "board: workers at work in the set-up",
        "contractors: not at the store in tile",
        "turn: not 0 in tile",
    )


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_is_what_the_rules_make_of_it(path: Path) -> None:
    head, _, moves = path.read_text(encoding="utf-8").partition("\n\n")
    tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', head))
    options = dict(word.split("=") for word in tags["Options"].split())
    if "Position" in tags:
        state = reference.parse(tags["Position"], **options)
    else:
        state = reference.start(**options)
    for word in moves.split():
        if not re.fullmatch(r"\d+\.", word):
            state = state.play(word)
    winners, reason = state.outcome
    assert (reason, state.text) == (tags["Outcome"], tags["Final"])
    seats = int(options["players"])
    share = (Fraction(seats, len(winners)) - 1) / (seats - 1)
    returns = [share if seat in winners else Fraction(-1, seats - 1) for seat in range(seats)]
    assert [Fraction(word) for word in tags["Result"].split()] == returns


def test_records_tell_every_end_with_every_option() -> None:
    names = {path.stem for path in RECORDS}
    assert {
        f"settled-{one['players']}-{one['grain']}" + ("-any" if one["sites"] == "any" else "")
        for one in OPTIONS
    } <= names
    assert {"limit-2-shift", "limit-3-second", "limit-4-shift"} <= names
    assert {"settled-shared", "limit-shared"} <= names


def test_options() -> None:
    bad = ({"players": 1}, {"players": 5}, {"players": "two"}, {"players": ""}, {"grain": "none"})
    worse = ({"grain": ""}, {"players": 3, "grain": "Shift"}, {"sites": ""}, {"sites": "every"})
    for options in (*bad, *worse):
        with pytest.raises(ValueError, match="option "):
            reference.start(**options)
        with pytest.raises(ValueError, match="option "):
            reference.parse(reference.start().text, **options)


def test_the_data_tell_where_they_are_from() -> None:
    """Every block of the data has a label, and our own data are labelled as ours."""
    blocks = [block for name, block in reference.DATA.items() if name not in ("game", "legend")]
    assert all(block["src"] for block in blocks)
    assert {
        word for block in blocks for word in re.findall("seed|published|ours", block["src"])
    } == {
        "seed",
        "published",
        "ours",
    }


def test_tiles_and_maps_are_those_of_the_rule_book() -> None:
    """The figures at the end of the clauses."""
    hexes = [text for tile in reference.TILES.values() for text in tile]
    assert len(reference.TILES) == 12
    assert hexes.count("mountain") == 16
    assert hexes.count("lake") == 6
    plains = [text for text in hexes if text not in ("mountain", "lake")]
    assert len(plains) == 62
    assert sum(text.endswith("+cow") for text in plains) == 12
    assert sum(text.endswith("+double") for text in plains) == 8
    for (players, number), seed in product(((2, 49), (3, 63), (4, 70)), range(3)):
        state, rng = reference.start(players=players), random.Random(seed)
        while state.stage != "start":
            state = state.play(rng.choice(references.following(state)))
        assert len(state._hexes) == number


def test_chance_is_exact(games: list[references.Played]) -> None:
    """Rules 3, 4, 15: who is to act, how many outcomes there are, all of one weight."""
    numbers = {"rot": 6, "spin": 8}
    for _, states, _ in games:
        for state in states:
            if state.to_act != reference.CHANCE:
                assert state.chance_outcomes == ()
                assert bool(state.legal_actions) == (state.to_act is not None)
                continue
            assert state.legal_actions == ()
            tokens, weights = zip(*state.chance_outcomes, strict=True)
            assert set(weights) == {1}
            assert list(tokens) == sorted(set(tokens))
            assert all(token[0] == "*" for token in tokens)
            if state.stage == "tile":
                assert len(tokens) == 12 - len(state.landscape)
            elif state.stage != "start":
                assert len(tokens) == numbers[state.stage]


def test_every_game_ends_and_every_end_comes_up(games: list[references.Played]) -> None:
    ends = [states[-1].outcome for _, states, _ in games]
    assert all(end is not None for end in ends)
    assert {reason for _, reason in ends} == {"settled", "limit"}
    assert {winners for winners, _ in ends} >= {(0,), (1,), (2,)}
    for _, states, _ in games:
        end = states[-1]
        without = any(end._tiles_left(seat) == 0 for seat in range(end.options.players))
        assert (end.outcome[1] == "settled") == without
        assert without or end.round == 100
        assert end.turn == end.options.players - 1


def test_what_is_not_legal_is_refused(games: list[references.Played]) -> None:
    tokens = sorted({token for _, _, tokens in games for token in tokens})
    rng = random.Random(4)
    for _, states, _ in games[:6]:
        for state in states[::40]:
            possible = set(references.following(state))
            for token in [*rng.sample(tokens, 40), "", "hire:-", "*w8", "*L00", "shift8"]:
                if token not in possible:
                    with pytest.raises(ValueError, match="illegal action"):
                        state.play(token)


def test_legal_actions_are_sorted_and_unique_and_never_alone(
    games: list[references.Played],
) -> None:
    """Rules 53 and 54."""
    for _, states, _ in games:
        for state in states:
            legal = list(state.legal_actions)
            assert legal == sorted(set(legal))
            assert len(legal) != 1


def _counted(text: str) -> dict[str, int]:
    """Count every kind of piece in a text from its letters alone."""
    fields = text.split(" ")
    goods, workers, cows = fields[4].split("/")
    seats = [seat.split(":") for seat in fields[5].split("/")]
    pieces = {
        letter: int(number) for letter, number in re.findall(r"([a-zA-Z])(\d+)", goods + workers)
    }
    for letter in GOODS:
        pieces[letter] += sum(seat[2].count(letter) for seat in seats)
    for letter in WORKERS:
        pieces[letter] += sum(seat[1].count(letter) for seat in seats) + fields[6].count(letter)
    pieces["cows"] = int(cows) + sum(int(seat[3]) for seat in seats)
    pieces["canteens"] = sum(int(seat[4]) for seat in seats)
    return pieces


def test_pieces_are_conserved(games: list[references.Played]) -> None:
    """The number of goods and workers is constant. Cows and canteens come from the map only."""
    for options, states, tokens in games:
        first = _counted(states[0].text)
        small, large, herd = {2: (8, 5, 4), 3: (11, 6, 6), 4: (14, 8, 8)}[options["players"]]
        players = options["players"]
        for letter in "csgv":
            assert first[letter] == small + players
        assert first["C"] == first["S"] == large
        assert {first[letter] for letter in WORKERS} == {18}
        assert first["cows"] == herd + players
        used = 0
        for state, token in zip(states, ["", *tokens], strict=True):
            used += token == "canteen"
            now = _counted(state.text)
            herds = [place for place in state.settlements if state._hexes[place].cow]
            lakes = [
                place
                for place, kind in state._hexes.items()
                if kind.kind == "lake"
                and any(near in state.settlements for near in reference._around(place))
            ]
            assert now.pop("cows") == first["cows"] + len(herds)
            assert now.pop("canteens") == len(lakes) - used
            assert now == {kind: first[kind] for kind in now}
            assert all(state._tiles_left(seat) >= 0 for seat in range(players))


def test_silver_changes_by_known_sums_only(games: list[references.Played]) -> None:
    """Silver changes only by known amounts (rules 10, 22, 23, 33, 39)."""
    for _, states, tokens in games:
        for (before, after), token in zip(pairwise(states), tokens, strict=True):
            gains = [
                new.silver - old.silver for old, new in zip(before.seats, after.seats, strict=True)
            ]
            others = gains[: before.turn] + gains[before.turn + 1 :]
            in_city = before.stage[:3] in ("bid", "rew") or token == "city"
            if in_city:
                assert set(gains) <= {0, 2} or token == "cow:$"
                continue
            assert not any(others)
            own = gains[before.turn]
            if token.startswith("bank"):
                assert own == {"1": 5, "2": 8, "3": 8, "4": 11}[token[4]]
            elif token[:4] in ("mine", "quar", "fiel", "farm"):
                assert own == {"1": -1, "2": -3, "3": -6}[token[token.index(":") - 1]]
            elif token == "cow:$":
                # A forced end may follow and bring the silver for sites that were not built.
                assert own == 3 or (before.stage.startswith("build") and own <= 5)
            elif token in ("end", "canteen") or token.startswith("build@"):
                assert 0 <= own <= 2
            else:
                assert own == 0 or (before.stage.startswith("build") and own <= 2)


def test_limits_hold_at_every_decision(games: list[references.Played]) -> None:
    """Rules 20, 26, 28 and 35, seen from outside."""
    returns = 0
    for _, states, _ in games:
        for state in states:
            for number, seat in enumerate(state.seats):
                if seat.workers > 8:
                    assert number == state.turn
                    assert state.legal_actions[0].startswith("return:")
                    returns += 1
            full = [
                place
                for place, spaces in state.board.items()
                if all(space.left for space in spaces)
            ]
            assert len(full) <= 1
            assert not full or state.stage.partition(":")[0] in ("end", "extra")
            placed = [one for one in state.contractors if "." in one]
            assert len({one[0] for one in placed}) == len(placed)
            if state.stage.partition(":")[0] not in ("bid", "reward"):
                assert set(state.contractors) == {"-"}
    assert returns > 20
