"""The reference agrees with the clauses: perft, examples, position texts and invariants."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests import references
from tests.profiles import sized

HERE = Path(__file__).parent
TOKENS = {kind + direction for kind in "CP" for direction in ("e", "ne", "nw", "w", "sw", "se")}
OPTIONS = [
    {"actions": actions, "layout": layout}
    for actions in (2, 3)
    for layout in ("triangle", "rhombus", "row")
]

reference = references.load("potlatch")


@pytest.fixture(scope="module")
def games() -> list[references.Played]:
    def choose(state: Any, _: int, rng: random.Random) -> str:
        token: str = rng.choice(state.legal_actions)
        return token

    count = sized(180, 180, 1800)
    return references.random_games(reference, OPTIONS, count, seed=13, choose=choose)


class TestReference(references.ReferenceTests):
    game = "potlatch"
    reference = reference
    deepest = 40_000
    clauses = frozenset(map(str, range(1, 15))) - {"10"} | {"10a", "10b", "10c"}
    letters = "0123-,;:@|rbRB "
    odd_tokens = TOKENS
    skip = sized(7, 1, 1)


def test_every_fault_is_listed() -> None:
    text = "1,0:0;3,0:0 0,0 X 2 1,0;1,0 x 201 0,0:1@1,0;1,0"
    assert references.faults(reference, text) == (
        "pawns: malformed '0,0'",
        "seat to act: malformed 'X'",
        "open run: malformed 'x'",
        "base tiles: 0,0 missing",
        "base tiles: not connected",
        "actions taken: 2, in a turn of 2",
        "visited hexes: one twice",
        "visited hexes: two in succession not neighbours",
        "turns completed: above 200",
        "repetition data: a stack off the base tiles in 0,0:1@1,0;1,0",
        "repetition data: both pawns on one hex in 0,0:1@1,0;1,0",
    )


def test_options() -> None:
    for options in ({"actions": 1}, {"actions": 4}, {"layout": "ring"}, {"layout": ""}):
        with pytest.raises(ValueError, match="option "):
            reference.start(**options)
        with pytest.raises(ValueError, match="option "):
            reference.parse("0,0:0;1,0:0 0,0;1,0 R 0 0,0 0 0 -", **options)


def test_legal_actions_are_sorted_unique_known_tokens(games: list[references.Played]) -> None:
    for _, states, _ in games:
        for state in states:
            legal = state.legal_actions
            assert list(legal) == sorted(set(legal))
            assert set(legal) <= TOKENS
            assert bool(legal) == (state.outcome is None)
            assert state.chance_outcomes == ()


def test_a_turn_has_exactly_its_actions(games: list[references.Played]) -> None:
    """Rules 6: exactly 2 or 3, and the seats alternate, Red first."""
    for options, states, _ in games:
        for number, state in enumerate(states):
            assert (state.turns, state.taken) == divmod(number, options["actions"])
            assert state.seat == state.turns % 2


def test_chips_and_tiles_never_get_fewer_nor_too_many(games: list[references.Played]) -> None:
    """Rules 1, 3, 5, 13."""
    for options, states, _ in games:
        tiles = chips = 0
        for state in states:
            now = sum(stack.height for stack in state.tiles.values())
            assert tiles <= len(state.tiles) <= {2: 9, 3: 12}[options["actions"]]
            assert chips <= now <= 36
            tiles, chips = len(state.tiles), now


def test_five_coloured_chips_are_enough() -> None:
    """Rules 5: at most 2 own stacks at the start of a turn if the game continues, 5 at any time.

    Positions rich in stacks are rare in random play, so this drives towards them: every pawn
    move that a two-stack makes possible is taken with preference.
    """
    rng = random.Random(5)
    most = 0
    for number in range(60):
        state = reference.start(**OPTIONS[number % len(OPTIONS)])
        while state.legal_actions:
            for seat, colour in enumerate("rb"):
                own = sum(stack.third == colour for stack in state.tiles.values())
                most = max(most, own)
                assert own <= 5
                if state.taken == 0 and seat == state.seat:
                    assert own <= 2
            walks = [token for token in state.legal_actions if token[0] == "P"]
            state = state.play(rng.choice(walks or state.legal_actions))
    assert most >= 3


def test_starts_kept_are_consecutive_turns_with_the_present_chips(
    games: list[references.Played],
) -> None:
    """Rules 13, against a plain list of all starts of the game."""
    for _, states, _ in games:
        starts: list[str] = []
        for state, after in pairwise(states):
            if state.taken == 0:
                starts.append(_start_text(state))
            entered = after.visited[len(after.visited) - after.open_run :]
            coming = sum(after.tiles[place].height < 3 for place in entered)
            chips = sum(stack.height for stack in after.tiles.values()) + coming
            kept = [text for text in starts if _chips(text) >= chips]
            assert after.text.split(" ")[7] == ("|".join(kept) or "-")
            assert starts[len(starts) - len(kept) :] == kept


def test_ends_at_the_start_of_a_turn_against_the_whole_game(games: list[references.Played]) -> None:
    """Rules 10, checked from a plain list of all starts instead of the repetition data."""
    for _, states, _ in games:
        starts: list[str] = []
        for state in states:
            if state.taken:
                continue
            starts.append(_start_text(state))
            stacks = [start.partition("@")[0] for start in starts]
            own = sum(stack.third == "rb"[state.seat] for stack in state.tiles.values())
            if own >= 3:
                expected = {"stacks"}
            elif stacks[-1] in stacks[-3:-2]:
                expected = {"standstill"}
            elif starts[::-2].count(starts[-1]) >= 3:
                expected = {"repetition"}
            elif state.turns == 200:
                expected = {"limit"}
            else:
                expected = {"blocked", "none"}
            assert (state.outcome[1] if state.outcome else "none") in expected


def _start_text(state: Any) -> str:
    """The start of a turn as rules 13 write it."""
    places = [place for place, stack in state.tiles.items() if stack.height]
    places.sort(key=lambda place: (place[1], place[0]))
    stacks = ";".join(f"{q},{r}:{state.tiles[q, r].text}" for q, r in places)
    pawns = ";".join(f"{q},{r}" for q, r in state.pawns)
    return f"{stacks}@{pawns}"


def _chips(start: str) -> int:
    stacks, _, _ = start.partition("@")
    return sum(int(stack.partition(":")[2][0]) for stack in stacks.split(";") if stack)


def test_mirrored_layouts_play_alike() -> None:
    """The plane has no preferred direction (rules 3): the row rotated by 180 degrees is the row.

    Red and Blue change places too, so play a mirrored game with the seats exchanged by text.
    """
    half_turn = {"e": "w", "w": "e", "ne": "sw", "sw": "ne", "nw": "se", "se": "nw"}
    red = reference.parse("-1,0:0;0,0:0;1,0:0 -1,0;1,0 R 0 -1,0 0 0 -")
    blue = reference.parse("-1,0:0;0,0:0;1,0:0 -1,0;1,0 B 0 1,0 0 1 -")
    rng = random.Random(3)
    for _ in range(40):
        one, other = red, blue
        while one.legal_actions:
            turned = {token[0] + half_turn[token[1:]] for token in other.legal_actions}
            assert turned == set(one.legal_actions)
            token = rng.choice(one.legal_actions)
            one, other = one.play(token), other.play(token[0] + half_turn[token[1:]])
        assert other.outcome is not None
        assert one.outcome[1] == other.outcome[1]
        assert one.outcome[0] == tuple(1 - seat for seat in other.outcome[0])
