"""Plays the games of a report. The comments of their records contain the value of each position."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from tavola import executor
from tavola._core import CHANCE, State, Stop, search
from tavola.engines import Choice, engine, levels
from tavola.report.plan import Plan, Series
from tavola.tournament import GameResult, Pairing, ResultsFile, Schedule
from tavola.tournament.game import play

__all__ = ["GameFiles", "play_series"]


class GameFiles:
    """The results files of a report, one for each series.

    Args:
        folder: The folder of the files, which is created.
        plan: The plan of the report.

    Attributes:
        folder: The folder of the files.
        played: The finished games by the name of their series.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.series = plan.series()
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


def play_series(files: GameFiles, processes: int) -> Generator[tuple[Series, GameResult]]:
    """Play the missing games of all series in several processes.

    Closing the generator stops the running games.

    Args:
        files: The results files, which know the finished games.
        processes: The number of processes.

    Yields:
        Each series with a result, in the order in which the games end.

    Raises:
        WorkerProcessDied: If a process dies.
    """
    for one in files.series:
        numbered = ((pairing.number, pairing) for pairing in files.missing(one))
        begin = partial(_engines, one.schedule, one.level is None)
        with contextlib.closing(executor.run_parallel(begin, numbered, processes)) as playing:
            for played in playing:
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
            comment = None
            if detailed:
                comment = _Values(schedule, pairing, stop) if game.has_chance else _values
            return play(schedule, pairing, engines=engines, stop=stop, comment=comment)

        yield play_game


def _values(state: State, choice: Choice) -> Sequence[str | None]:
    """Return the value of the position before an action as a comment; `None` without a search."""
    worth = choice.info.worth
    return [None if worth is None or not choice.info.nodes else _text(worth)]


class _Values:
    """Writes the values of positions, and in the first game of a group also those before chance."""

    def __init__(self, schedule: Schedule, pairing: Pairing, stop: Stop) -> None:
        self._detailed = (pairing.number - 1) % len(schedule.engines) == 0
        self._nodes = [_nodes(schedule.game, schedule.engines[place]) for place in pairing.lineup]
        self._seed = pairing.chance_seed
        self._stop = stop
        self._places = 0

    def __call__(self, state: State, choice: Choice) -> Sequence[str | None]:
        value = _values(state, choice)
        self._places += 1
        after = state.play(choice.token)
        if not self._detailed or after.to_act != CHANCE or len(after.chance_outcomes) < 2:
            return value
        assert state.to_act is not None
        found = search(
            after,
            nodes=self._nodes[state.to_act],
            threads=1,
            seed=(self._seed + self._places) % 2**63,
            method="tree",
            stop=self._stop,
        )
        weights = dict(after.chance_outcomes)
        total = sum(weights.values())
        seats = range(state.game.seats)
        mean = [
            sum(weights[line.action] * line.shares[seat] for line in found.lines) / total
            for seat in seats
        ]
        return [*value, _text(mean)]


def _nodes(game: str, specification: str) -> int:
    """Return the node limit of a level; of one without a limit, that of the level below."""
    number = int(specification.removeprefix("level:"))
    for text in reversed(levels(game)[:number]):
        if found := re.search(r"nodes=(\d+)", text):
            return int(found[1])
    return 1000


def _text(value: Sequence[float]) -> str:
    return "value " + " ".join(f"{share:.4f}" for share in value)
