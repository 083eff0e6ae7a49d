"""The tests of every game's `reference.py`: loading it and checking its data.

The data are those of the engine's tests; `crates/testkit/src/data.rs` describes their format.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import random
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from tavola import _core
from tavola.report.balance import OPTION as HANDICAP

GAMES = Path(__file__).parent.parent / "games"

Case = dict[str, Any]


class Played(NamedTuple):
    """A game: its options, every state from the start to the end, the tokens between them."""

    options: dict[str, Any]
    states: list[Any]
    tokens: list[str]


def load(game: str) -> ModuleType:
    """Loads the reference of a game by its path, because `games` is not a Python package."""
    path = GAMES / game / "reference.py"
    spec = importlib.util.spec_from_file_location(f"{game}_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def data(game: str, name: str) -> list[Case]:
    """The cases of a file in the game's `tests`."""
    cases: list[Case] = json.loads((GAMES / game / "tests" / name).read_text(encoding="utf-8"))
    return cases


def combinations(game: str) -> list[dict[str, Any]]:
    """Every combination of a game's published options, numbers as numbers.

    Where the game has a handicap, the combinations come without it and again with it. Its values
    take turns.
    """
    values = {
        option["name"]: [
            int(value) if value in map(str, range(100)) else value for value in option["values"]
        ]
        for option in json.loads(_core.describe(game))["options"]
    }
    _, *handicaps = values.pop(HANDICAP, [0])
    published = [
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    ]
    turns = range(max(len(published), len(handicaps)) if handicaps else 0)
    return published + [
        published[turn % len(published)] | {HANDICAP: handicaps[turn % len(handicaps)]}
        for turn in turns
    ]


def at(reference: ModuleType, case: Case) -> Any:
    """The state that a case begins with."""
    text, options = case["position"], case["options"]
    return reference.start(**options) if text is None else reference.parse(text, **options)


def following(state: Any) -> list[str]:
    """Returns the legal actions, or the outcomes of chance."""
    return [*state.legal_actions, *(token for token, _ in state.chance_outcomes)]


def random_games(
    reference: ModuleType,
    options: Sequence[dict[str, Any]],
    count: int,
    *,
    seed: int,
    choose: Callable[[Any, int, random.Random], str],
) -> list[Played]:
    """Plays games to the end, with the options in turn.

    Args:
        reference: The rules.
        options: The options of the first games; then they come again.
        count: The number of games.
        seed: The seed of the random numbers.
        choose: Returns the next token, given the state and the number of the game.
    """
    rng = random.Random(seed)
    games = []
    for number in range(count):
        game = Played(options[number % len(options)], [], [])
        game.states.append(reference.start(**game.options))
        while game.states[-1].to_act is not None:
            game.tokens.append(choose(game.states[-1], number, rng))
            game.states.append(game.states[-1].play(game.tokens[-1]))
        games.append(game)
    return games


def outcome(state: Any) -> dict[str, Any] | None:
    """Returns the outcome of a state in the format of the data."""
    if state.outcome is None:
        return None
    winners, reason = state.outcome
    return {"winners": list(winners), "reason": reason}


def perft(state: Any, depth: int) -> int:
    """Returns the number of action sequences of a length."""
    tokens = following(state)
    if depth == 1:
        return len(tokens)
    return sum(perft(state.play(token), depth - 1) for token in tokens)


def check_perft(reference: ModuleType, case: Case, deepest: int) -> None:
    """Checks a perft table up to counts of `deepest`; the engine checks all of it."""
    counts = list(itertools.takewhile(deepest.__ge__, case["counts"]))
    assert len(counts) >= 2
    state = at(reference, case)
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


def check_example(reference: ModuleType, case: Case) -> None:
    """Checks an example of the rule book."""
    state = at(reference, case)
    for token in case["play"].split():
        state = state.play(token)
    expect = case["expect"]
    assert expect, "an example must expect something"
    assert not expect.keys() - {"legal", "allows", "refuses", "text", "outcome", "to_act"}
    legal = state.legal_actions
    if "legal" in expect:
        assert list(legal) == expect["legal"]
    assert set(expect.get("allows", ())) <= set(legal)
    for token in expect.get("refuses", ()):
        assert token not in legal
        with pytest.raises(ValueError, match="illegal action"):
            state.play(token)
    if "text" in expect:
        assert state.text == expect["text"]
    if "outcome" in expect:
        assert outcome(state) == expect["outcome"]
    if "to_act" in expect:
        seat = state.to_act if state.legal_actions else None
        assert seat == expect["to_act"]


def check_good(reference: ModuleType, case: Case) -> None:
    """Checks a valid position."""
    state = reference.parse(case["text"], **case["options"])
    assert state.text == case["text"]
    assert list(state.legal_actions) == case["legal"]
    assert outcome(state) == case["outcome"]
    assert (state.to_act is None) == (case["outcome"] is not None)


def check_bad(reference: ModuleType, case: Case, *, first: bool = True) -> None:
    """Checks that an invalid position is rejected with the expected fault."""
    with pytest.raises(reference.PositionFault) as caught:
        reference.parse(case["text"], **case["options"])
    faults = caught.value.faults
    told = faults[:1] if first else faults
    assert any(fault.startswith(case["field"] + ": ") for fault in told)
    assert caught.value.args == ("; ".join(faults),)


def faults(reference: ModuleType, text: str) -> tuple[str, ...]:
    """Returns the faults of a position text."""
    with pytest.raises(reference.PositionFault) as caught:
        reference.parse(text)
    found: tuple[str, ...] = caught.value.faults
    return found


class ReferenceTests:
    """The tests that every reference passes, by the data of its game and by random games.

    A game's test file has a fixture `games`, and a subclass with the game's name and its limits.
    """

    game: str
    deepest: int
    """The most leaves that perft counts here; the engine counts all."""
    clauses: frozenset[str]
    """The clauses that have an example."""
    letters: str
    """The characters of position texts."""
    first_fault = True
    """Whether the first fault of a bad position is the expected one."""
    odd_tokens: Collection[str] = ()
    """Tokens that a finished game refuses, as it refuses all that were played."""
    finished = 40
    """How many finished games are checked."""
    positions = 60
    """How many games have their positions compared."""
    all_differ = True
    """Whether two actions never lead to the same position."""
    skip = 1
    """The reading back of texts takes one game in `skip`."""
    strides: tuple[slice, ...] = (slice(None),)
    """The states of a game whose texts are read back."""
    reference: ModuleType

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Gives each test its cases, with names that say what they show."""
        for name, file, label in (
            ("table", "perft", lambda case: f"{case['why']} {case['options']}"),
            ("example", "examples", lambda case: f"{case['clause']} {case['name']}"),
            ("bad", "positions_bad", lambda case: f"{case['field']}: {case['why']}"),
            ("good", "positions_good", lambda case: f"{case['why']}: {case['text']}"),
        ):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, data(self.game, f"{file}.json"), ids=label)

    def test_perft(self, table: Case) -> None:
        check_perft(self.reference, table, self.deepest)

    def test_example(self, example: Case) -> None:
        check_example(self.reference, example)

    def test_every_clause_has_an_example(self) -> None:
        examples = data(self.game, "examples.json")
        assert {case["clause"] for case in examples} == self.clauses
        assert len({case["name"] for case in examples}) == len(examples)

    def test_bad_position_is_refused_by_its_field(self, bad: Case) -> None:
        check_bad(self.reference, bad, first=self.first_fault)

    def test_good_position(self, good: Case) -> None:
        check_good(self.reference, good)

    def test_one_character_more_or_less_is_another_position_or_none(self, good: Case) -> None:
        """A text reads back to itself or is refused: no position has two texts."""
        text, rng = good["text"], random.Random(good["text"])
        for _ in range(40):
            place = rng.randrange(len(text) + 1)
            changed = text[:place] + rng.choice(self.letters) + text[place + rng.randrange(2) :]
            try:
                state = self.reference.parse(changed, **good["options"])
            except self.reference.PositionFault as fault:
                assert fault.faults  # noqa: PT017
            else:
                assert state.text == changed

    def test_play_leaves_a_finished_game_and_its_state_alone(self, games: list[Played]) -> None:
        tokens = {*self.odd_tokens, *(token for game in games for token in game.tokens)}
        for _, states, _ in games[: self.finished]:
            end = states[-1]
            assert end.to_act is None
            assert following(end) == []
            for token in tokens:
                with pytest.raises(ValueError, match="the game is over"):
                    end.play(token)
            before = states[-2].text
            for token in following(states[-2]):
                states[-2].play(token)
            assert states[-2].text == before

    @pytest.mark.sized
    def test_text_reads_back_to_the_same_position(self, games: list[Played]) -> None:
        for options, states, _ in games[:: self.skip]:
            for state in (state for stride in self.strides for state in states[stride]):
                again = self.reference.parse(state.text, **options)
                assert again == state
                assert hash(again) == hash(state)
                assert again.legal_actions == state.legal_actions
                assert again.chance_outcomes == state.chance_outcomes
                assert again.outcome == state.outcome

    def test_different_positions_have_different_texts(self, games: list[Played]) -> None:
        for options, states, _ in games[: self.positions]:
            for state in states[:: len(states) // 4]:
                after = [state.play(token) for token in following(state)]
                assert len({one.text for one in after}) == len(set(after)), options
                if self.all_differ:
                    assert len(set(after)) == len(after), options
