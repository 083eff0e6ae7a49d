"""Strength: the engine against simple players, many games at a fixed time a move."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import tavola
from benches.greedy_player import Greedy
from tavola._core import _processors
from tavola.cli.tables import print_table

BARS: Mapping[str, Mapping[str, float]] = {
    "potlatch": {"random": 0.95, "greedy": 0.80},
    "proteus": {"random": 0.95},
}
"""The required win rate of the engine by game and opponent."""

OPTIONS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "potlatch": tuple(
        {"actions": actions, "layout": layout}
        for layout in ("triangle", "rhombus", "row")
        for actions in (2, 3)
    ),
    "proteus": ({"rules": "article"}, {"rules": "kadon"}),
}
"""The tested options of each game."""


class Player(Protocol):
    """Chooses actions."""

    def choose(self, state: tavola.State) -> str:
        """An action that is legal in the state."""


class Random:
    """Plays any legal action, all equally likely."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: tavola.State) -> str:
        """Returns a random legal action."""
        return self._random.choice(state.legal_actions)


class Engine:
    """The tree search in one thread, with the rollout policy of the game."""

    def __init__(self, seed: int, *, seconds: float) -> None:
        self._random = random.Random(seed)
        self._seconds = seconds

    def choose(self, state: tavola.State) -> str:
        """Returns the best action of the search."""
        seed = self._random.getrandbits(32)
        best = tavola.search(state, seconds=self._seconds, threads=1, seed=seed).best
        assert best is not None
        return best


@dataclass(frozen=True, kw_only=True)
class Result:
    """How one game went for the engine.

    Attributes:
        opponent: Whom it played.
        options: The game's options.
        seat: The engine's seat.
        share: 1 if it won, 0.5 for a draw, 0 if it lost.
        reason: How the game ended.
        actions: How many actions it had.
        text: The game's actions.
    """

    opponent: str
    options: Mapping[str, Any]
    seat: int
    share: float
    reason: str
    actions: int
    text: str


def play(game: str, opponent: str, number: int, seconds: float) -> Result:
    """Plays one game; its number decides options, the engine's seat and the seed."""
    options, seat = OPTIONS[game][number // 2 % len(OPTIONS[game])], number % 2
    rival: Player = Greedy(number) if opponent == "greedy" else Random(number)
    engine = Engine(1000 + number, seconds=seconds)
    state = tavola.load(game, **options).start()
    played = []
    while state.outcome is None:
        action = (engine if state.to_act == seat else rival).choose(state)
        played.append(action)
        state = state.play(action)
    assert state.returns is not None
    return Result(
        opponent=opponent,
        options=options,
        seat=seat,
        share=(state.returns[seat] + 1) / 2,
        reason=state.outcome.reason,
        actions=len(played),
        text=" ".join(played),
    )


@dataclass(frozen=True, kw_only=True)
class Strength:
    """All of a game's games against all opponents.

    Attributes:
        game: Its name.
        seconds: The engine's time a move.
        processes: How many games were played at once.
        minutes: How long it took.
        results: One per game.
    """

    game: str
    seconds: float
    processes: int
    minutes: float
    results: tuple[Result, ...]

    def against(self, opponent: str) -> list[Result]:
        """The games against one opponent."""
        return [result for result in self.results if result.opponent == opponent]

    def wins(self, opponent: str) -> float:
        """Returns the win rate; a draw is not a win."""
        games = self.against(opponent)
        return sum(game.share == 1 for game in games) / len(games)

    @property
    def reached(self) -> bool:
        """Whether all results reach their bars."""
        return all(self.wins(opponent) >= bar for opponent, bar in BARS[self.game].items())

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""
        return {
            "title": f"Strength, {self.game}",
            "seconds": self.seconds,
            "processes": self.processes,
            "minutes": self.minutes,
            "reached": self.reached,
            "bars": dict(BARS[self.game]),
            "wins": {opponent: self.wins(opponent) for opponent in BARS[self.game]},
            "games": [vars(result) for result in self.results],
        }

    def show(self, console: Console) -> None:
        """Prints the table."""
        title = (
            f"Strength, {self.game}: {self.seconds:g} s a move, one thread, "
            f"{self.processes} at once, {self.minutes:.0f} min"
        )
        table = Table(title=title, title_justify="left")
        for column in ("engine against", "games", "won", "drawn", "lost", "bar", "ended by"):
            table.add_column(column, justify="left" if column == "ended by" else "right")
        for opponent, bar in BARS[self.game].items():
            games = self.against(opponent)
            shares = Counter(game.share for game in games)
            reasons = Counter(game.reason for game in games).most_common()
            table.add_row(
                opponent,
                f"{len(games)}",
                f"{self.wins(opponent):.1%}",
                f"{shares[0.5]}",
                f"{shares[0.0]}",
                f"{bar:.0%}",
                ", ".join(f"{reason} {count}" for reason, count in reasons),
                style="green" if self.wins(opponent) >= bar else "red",
            )
        print_table(table, console)


def measure(
    game: str, *, games: int, seconds: float, processes: int | None, console: Console
) -> Strength:
    """Plays games against each opponent, with alternating seats and options in turn."""
    processes = processes or _processors()
    began = time.monotonic()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with (
        ProcessPoolExecutor(processes) as pool,
        Progress(*columns, TimeRemainingColumn(), console=console) as progress,
    ):
        bars = {opponent: progress.add_task(opponent, total=games) for opponent in BARS[game]}
        futures = [
            pool.submit(play, game, opponent, number, seconds)
            for number in range(games)
            for opponent in BARS[game]
        ]
        results = []
        for future in as_completed(futures):
            result = future.result()
            results.append(result)
            progress.advance(bars[result.opponent])
    return Strength(
        game=game,
        seconds=seconds,
        processes=processes,
        minutes=(time.monotonic() - began) / 60,
        results=tuple(results),
    )
