"""`tavola.check` reports every breach of the contract, and broken rules are errors everywhere."""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tavola
from tavola.custom import check
from tavola.messages import translated
from tests.custom.toys import Race, counting

BREACHES: list[tuple[dict[str, Any], str]] = [
    ({"legal_actions": ["run", "go"]}, "legal_actions: unsorted: 'run' is before 'go'"),
    ({"legal_actions": ["go", "go"]}, "legal_actions: duplicate: contains 'go' twice"),
    ({"legal_actions": ["fly"]}, "legal_actions: contains 'fly', which is not one of the game's"),
    ({"legal_actions": []}, "legal_actions: must not be empty before the end"),
    ({"outcome": ((0,), "end")}, "outcome: the game is over, but actions are legal: go, run"),
    ({"outcome": ((2,), "end")}, r"outcome: the winners must be different seats, not \[2\]"),
    ({"outcome": 3}, "outcome: must be None, or the winning seats and a reason"),
    ({"chance_outcomes": [("*1", 0)]}, "weight of '.1' must be a positive integer, not 0"),
    ({"chance_outcomes": [("*1", 0.5)]}, "weight of '.1' must be a positive integer, not 0.5"),
    ({"chance_outcomes": [("*2", 1)]}, "contains '.2', which is not one of the game's `chance`"),
    ({"chance_outcomes": [("*1", 1)]}, "legal_actions: must be empty where chance acts"),
    ({"turn": 1}, "turn: decreased from 2 to 1"),
    ({"to_act": 2}, "to_act: must be a seat from 0 to 1, not 2"),
    ({"text": "a\nb"}, "text: must be one line of printable text"),
    ({"text": "0"}, "parse: the parsed state has another"),
    ({"pieces": [("a1", "", 0)]}, 'view: .*is on "a1", which is no cell of the board'),
    ({"decisive": ["a1"]}, "view: `decisive` must be a list of cells of the board, not"),
    ({"play": lambda token: None}, "play: `play.'(go|run)'.` must return a state, not None"),
    ({"play": lambda token: 1 / 0}, r"play: raised ZeroDivisionError: .* \(test_check.py, line"),
    ({"legal_actions": lambda: 1 / 0}, "legal_actions: raised ZeroDivisionError"),
]


@pytest.mark.parametrize(("broken", "message"), BREACHES, ids=range(len(BREACHES)))
def test_every_breach_is_reported(broken: dict[str, Any], message: str) -> None:
    report = check(counting(**broken), games=2)
    assert not report
    assert any(re.search(message, str(breach)) for breach in report.breaches), report.breaches


def test_rules_that_change_the_state_in_place_are_reported() -> None:
    class Mutable:
        count = 0
        to_act, turn, legal_actions = 0, 1, ("go",)

        @property
        def outcome(self) -> tuple[tuple[int, ...], str] | None:
            return ((0,), "end") if self.count > 2 else None

        @property
        def text(self) -> str:
            return str(self.count)

        def play(self, token: str) -> Mutable:
            self.count += 1
            return self

    class Mutating:
        name, seats, actions = "mutating", 2, ("go",)

        def start(self) -> Mutable:
            return Mutable()

        def parse(self, text: str) -> Mutable:
            state = Mutable()
            state.count = int(text)
            return state

    (breach,) = check(Mutating, games=1).breaches
    assert "changed the state itself to '1'; return a new state" in str(breach)


def test_a_game_without_an_end_is_reported_and_stopped() -> None:
    endless = counting(at=0, outcome=None, legal_actions=["go", "run"], to_act=0)
    report = check(endless, games=40)
    assert "had no end after 50 actions" in str(report.breaches[0])
    assert report.games == 1
    with pytest.raises(tavola.GameFailed, match="had no end after 50 actions"):
        tavola.playouts(tavola.load("counting").start(), 10)


def test_the_class_must_describe_a_game() -> None:
    faults: list[tuple[dict[str, Any], str]] = [
        ({"name": "Race Car"}, "`name` must be 2 to 31 lower case letters"),
        ({"name": "potlatch"}, "the name of a game of Tavola"),
        ({"seats": 1}, "`seats` must be a number from 2 to"),
        ({"actions": ("go", "go")}, "`actions` contains 'go' twice"),
        ({"actions": "go"}, "`actions` must be the tokens of all of them"),
        ({"actions": ("a b",)}, "the action 'a b' is not a token"),
        ({"chance": ("1",)}, "the chance outcome '1' is not a token"),
        ({"options": {"size": ()}}, "the option size needs a tuple of values"),
        ({"board": 3}, "'int' object is not iterable|`board` must be"),
        ({"start": None}, "has no method `start`"),
        ({"symbols": ("too long",)}, "a symbol has at most 4 characters"),
        ({"words": {"en": "x"}}, "`words` must be messages by language"),
    ]
    for attributes, message in faults:
        with pytest.raises(tavola.GameFailed, match=message):
            tavola.register(type("Faulty", (Race,), dict(attributes)))


def step_vector(state: tavola.State) -> None:
    environments = tavola.vector(state.game, 4)
    for _ in range(4):
        environments.step(environments.random_ids())


def equal(batch: tavola.LeafBatch) -> tuple[np.ndarray, np.ndarray]:
    return np.ones(batch.masks.shape), np.full((len(batch), 2), 0.5)


FAILING: list[Callable[[tavola.State], object]] = [
    lambda state: tavola.search(state, seconds=20, threads=2),
    lambda state: tavola.search(state, seconds=20, depth=9, threads=1),
    lambda state: tavola.Searcher(state.game).search(state, seconds=20, threads=1),
    lambda state: tavola.playouts(state, 10_000_000, threads=2),
    lambda state: tavola.perft(state, 9),
    lambda state: tavola.prove(state, 9),
    lambda state: state.play_all("go go go"),
    step_vector,
    lambda state: tavola.search(state, nodes=10_000_000, evaluate=equal),
    lambda state: tavola.search_batch([state] * 3, nodes=10_000_000, evaluate=equal),
    lambda state: tavola.search_batch([state] * 3, nodes=10_000_000),
]


@pytest.mark.parametrize("work", FAILING, ids=range(len(FAILING)))
def test_an_exception_of_the_rules_ends_every_call_at_once(
    work: Callable[[tavola.State], object],
) -> None:
    def play(token: str) -> Any:
        raise KeyError(token)

    tavola.register(counting(at=2, play=play))
    began = time.monotonic()
    with pytest.raises(tavola.GameFailed, match=r"raised KeyError: 'go|run'") as caught:
        work(tavola.load("counting").start())
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.position in ("2", "3")
    assert time.monotonic() - began < 10
    assert tavola.load("counting").start().play("go").text == "1"


@pytest.mark.skipif(sys.platform == "win32", reason="the threads of the search have no identifier")
def test_ctrl_c_ends_rules_that_never_return() -> None:
    def play(token: str) -> Any:
        while True:
            time.sleep(0.001)

    tavola.register(counting(at=1, play=play))
    state = tavola.load("counting").start()
    bell = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    bell.start()
    with pytest.raises(KeyboardInterrupt):
        tavola.search(state, seconds=1000, threads=2)
    assert state.play("go").text == "1"


def test_a_failing_view_shows_the_failure() -> None:
    tavola.register(counting(at=1, pieces=[("a1", "", 0)]))
    state = tavola.load("counting").start().play("go")
    with pytest.raises(tavola.GameFailed, match="which is no cell of the board"):
        state.view_json()
    assert b"which is no cell of the board" in bytes(state.lazy_view().json())


def test_threads_search_python_games_beside_each_other() -> None:
    tavola.register(counting())
    state = tavola.load("counting").start()
    found: list[str | None] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(tavola.search(state, nodes=300, threads=2).best)
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(found) == 4


def test_files_must_contain_one_game(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    for text, message in (
        ("x = 1", "contains no game: a class with `name`"),
        ("x = (", "raised SyntaxError"),
        ("1 / 0", "raised ZeroDivisionError: division by zero"),
    ):
        file.write_text(text)
        file.touch()
        with pytest.raises(tavola.GameFailed, match=message):
            tavola.load(str(file))
        file = file.with_name(f"{file.stem}x.py")
    with pytest.raises(tavola.GameFailed, match=r"nowhere\.py: cannot be read"):
        tavola.load("nowhere.py")


@pytest.mark.parametrize(("broken", "message"), BREACHES, ids=range(len(BREACHES)))
def test_every_breach_is_in_japanese_too(broken: dict[str, Any], message: str) -> None:
    for breach in check(counting(**broken), games=2).breaches:
        japanese = translated(breach, "ja")
        assert re.search(r"[ぁ-ん]", japanese), japanese
        assert breach.rule in japanese


CONTRACT: list[tuple[dict[str, Any], str]] = [
    ({"legal_actions": ["fly"]}, "\"go\" の後の局面で、`legal_actions` の 'fly' は、ゲームの"),
    ({"legal_actions": []}, '"go" の後の局面で、席 0 に合法手がなく、`outcome` もありません'),
    ({"turn": "x"}, "\"go\" の後の局面で、`turn` は1 以上の整数にしてください（今は 'x'）"),
    ({"outcome": 3}, '"go" の後の局面で、`outcome` は None か'),
    ({"play": lambda token: 1 / 0}, '`play("go")` で例外が起きました（ZeroDivisionError'),
]


@pytest.mark.parametrize(("broken", "message"), CONTRACT, ids=range(len(CONTRACT)))
def test_the_core_reports_broken_rules_in_japanese_too(
    broken: dict[str, Any], message: str
) -> None:
    tavola.register(counting(at=1 if "play" in broken else 2, **broken))
    state = tavola.load("counting").start()
    with pytest.raises(tavola.GameFailed) as caught:
        state.play("go").play("go")
    copied = pickle.loads(pickle.dumps(caught.value))
    assert message in translated(copied, "ja"), translated(copied, "ja")
    assert not re.search(r"[ぁ-ん]", str(caught.value))
