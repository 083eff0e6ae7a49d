"""Plays the games of a report. The comments of their records contain the value of each position."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

from tavola._core import CHANCE, Game, State, Stop, _EngineSpec, load, search
from tavola.engines import Choice, engine, levels
from tavola.errors import Message, TavolaError
from tavola.executors import Executor
from tavola.report.plan import Series
from tavola.tournament import GameResult, Pairing, ResultsFile, Schedule
from tavola.tournament.game import Comment, play

__all__ = ["EngineForfeits", "GameFiles", "play_series"]

LEAST_NODES = 20
"""The minimum number of nodes of a search for the luck of an outcome."""


class EngineForfeits(TavolaError):
    """An engine failed during a game, so the game says nothing about the rules.

    Attributes:
        number: The number of the game.
        ending: The seat, and what its engine did.
    """

    def __init__(self, number: int, ending: str) -> None:
        super().__init__(number, ending)
        self.number = number
        self.ending = ending

    def __str__(self) -> str:
        return Message("game {number}: {ending}", number=self.number, ending=self.ending)


class GameFiles:
    """The results files of a report, one for each series.

    Args:
        folder: The folder of the files, which is created.
        series: The series of games.

    Attributes:
        folder: The folder of the files.
        played: The finished games by the name of their series.
    """

    def __init__(self, folder: Path, series: Sequence[Series]) -> None:
        self.folder = folder
        self.series = tuple(series)
        self.played: dict[str, list[GameResult]] = {one.name: [] for one in self.series}

    def path(self, name: str) -> Path:
        """Return the path of the file of a series."""
        return self.folder / f"{name}.txt"

    def exist(self) -> bool:
        """Return whether one of the files has content."""
        paths = (self.path(one.name) for one in self.series)
        return any(path.exists() and path.stat().st_size for path in paths)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Lock all files for this process during the block, and read their games.

        Yields:
            None, while the files are locked.

        Raises:
            ResultsFileError: If another process has locked a file, or its games are of another
                report.
            OSError: If a file cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as claims:
            for one in self.series:
                file = ResultsFile(self.path(one.name))
                claims.enter_context(file.claimed())
                self.played[one.name] = file.read(one.schedule)
            yield

    def add(self, series: Series, played: GameResult) -> None:
        """Append a game to the file of its series.

        Raises:
            OSError: If the file cannot be written.
        """
        self.played[series.name].append(played)
        ResultsFile(self.path(series.name)).append(played)

    def missing(self, series: Series) -> Iterator[Pairing]:
        """Yield the games of a series that are not yet played."""
        done = {played.number for played in self.played[series.name]}
        return (pairing for pairing in series.schedule.pairings() if pairing.number not in done)

    @property
    def done(self) -> int:
        """The number of finished games."""
        return sum(map(len, self.played.values()))

    @property
    def total(self) -> int:
        """The number of all games."""
        return sum(one.schedule.games for one in self.series)


def play_series(files: GameFiles, executor: Executor) -> Generator[tuple[Series, GameResult]]:
    """Play the missing games of all series in the processes of an executor.

    Closing the generator stops the running games.

    Args:
        files: The results files, which know the finished games.
        executor: Runs the games.

    Yields:
        Each series with a result, in the order in which the games end.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
        EngineForfeits: If an engine fails; its game is not a result.
    """
    for one in files.series:
        numbered = ((pairing.number, pairing) for pairing in files.missing(one))
        begin = partial(_engines, one.schedule, one.measured)
        with contextlib.closing(executor.run(begin, numbered)) as playing:
            for played in playing:
                if played.forfeit is not None:
                    raise EngineForfeits(played.number, played.ending)
                yield one, played


@contextmanager
def _engines(
    schedule: Schedule, detailed: bool, stop: Stop
) -> Iterator[Callable[[Pairing], GameResult | None]]:
    """Create the engines of a schedule; yield a function that plays a game."""
    game = schedule.load()
    with ExitStack() as stack:
        engines = [stack.enter_context(engine(text, game)) for text in schedule.engines]

        def play_game(pairing: Pairing) -> GameResult | None:
            comment: Comment | None = None
            if detailed:
                comment = _Luck(schedule, pairing, stop) if _is_sampled(game, pairing) else _values
            return play(schedule, pairing, engines=engines, stop=stop, comment=comment)

        yield play_game


def _is_sampled(game: Game, pairing: Pairing) -> bool:
    """Return whether the luck of a game is measured: in the first game of every second group."""
    return game.has_chance and pairing.lineup[0] == 0 and pairing.group % 2 == 0


def _values(states: Sequence[State], choice: Choice) -> Sequence[str | None]:
    """Return the value of the position before an action as a comment; `None` without a search."""
    worth = choice.info.worth
    return [None if worth is None or not choice.info.nodes else _text("value", worth)]


class _Luck:
    """Writes the values of positions, and the luck of chance outcomes.

    The position after each possible outcome is searched with equal limits. So the errors that these
    searches have in common cancel in the luck of the actual outcome.
    """

    def __init__(self, schedule: Schedule, pairing: Pairing, stop: Stop) -> None:
        nodes = (_nodes(schedule.game, schedule.engines[place]) for place in pairing.lineup)
        self._nodes = max(LEAST_NODES, max(nodes) // 2)
        self._seed = pairing.chance_seed
        self._stop = stop

    def __call__(self, states: Sequence[State], choice: Choice) -> Sequence[str | None]:
        written = list(_values(states, choice))
        for state, after in pairwise(states[1:]):
            self._seed = (self._seed + 1) % 2**63
            outcomes = state.chance_outcomes
            written.append(self._luck(outcomes, state, after) if len(outcomes) > 1 else None)
        return written

    def _luck(self, outcomes: Sequence[tuple[str, int]], state: State, after: State) -> str:
        total = sum(weight for _, weight in outcomes)
        following = [(state.play(token), weight / total) for token, weight in outcomes]
        values = [(one, part, self._value(one)) for one, part in following]
        luck = next(value for one, _, value in values if one == after)
        for _, part, value in values:
            luck = [now - part * share for now, share in zip(luck, value, strict=True)]
        return _text("luck", luck)

    def _value(self, state: State) -> list[float]:
        """Return the value of a state by a short search."""
        if state.outcome is not None:
            return list(state.outcome.shares(state.game.seats))
        result = search(
            state,
            nodes=self._nodes,
            threads=1,
            seed=self._seed,
            method="tree",
            evaluate=state.game.network,
            stop=self._stop,
        )
        if state.to_act != CHANCE:
            return list(result.shares)
        weights = dict(state.chance_outcomes)
        total = sum(weights.values())
        return [
            sum(weights[line.action] * line.shares[seat] for line in result.lines) / total
            for seat in range(state.game.seats)
        ]


def _nodes(game: str, specification: str) -> int:
    """Return the node limit of a level; of one without a limit, that of the level below."""
    number = int(specification.removeprefix("level:"))
    for text in reversed(levels(game)[:number]):
        if (nodes := _EngineSpec(text, load(game)).nodes) is not None:
            return nodes
    return LEAST_NODES


def _text(name: str, numbers: Sequence[float]) -> str:
    return f"{name} " + " ".join(f"{number:.4f}" for number in numbers)
