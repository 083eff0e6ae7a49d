"""Worker process: reads jobs and writes results as JSON lines.

It runs at a low priority outside the server's process, so that no job delays an action or an
engine. It ends when its standard input is closed.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator

import msgspec
from msgspec import Struct

import tavola
from tavola import _core
from tavola.analysis import Action, Balance, GameAnalysis, Limits, Position, analyse
from tavola.analysis.analyse import LINES
from tavola.analysis.evaluator import Evaluator
from tavola.raster import missing_characters
from tavola.server.analysis.draw import DrawTask, Image, draw

NICENESS = 10

TIME_SLICES = (0.1, 0.2, 0.4, *[0.8] * 7)
"""Search time of each step of a position's analysis, in seconds; the tree is reused.

After each of them another client may have its turn.
"""

PAUSED_SEARCHES = 4
"""Number of searches that keep their tree while others have their turn."""


class AnalysePosition(Struct, frozen=True, tag_field="job", tag="position"):
    """Analyse a position step by step; the first steps may have been made before."""

    game: str
    options: dict[str, str]
    position: str
    steps: int = 0


class AnalyseRecord(Struct, frozen=True, tag_field="job", tag="record"):
    """Analyse a record, from the beginning or from an interrupted analysis."""

    record: str
    seconds: float
    begun: GameAnalysis | None


class StopAnalysis(Struct, frozen=True, tag_field="job", tag="stop"):
    """Stop the last job."""


class PositionResult(Struct, frozen=True, tag_field="result", tag="position"):
    """The value of a position after this many seconds of search with the same tree."""

    seconds: float
    position: Position
    final: bool


class RecordStep(Struct, frozen=True, tag_field="result", tag="step"):
    """The value of the next position of a record."""

    position: Position
    action: Action | None
    balances: tuple[Balance, ...]
    decisive: tuple[int, ...]


class Drawn(Struct, frozen=True, tag_field="result", tag="drawn"):
    """The bytes of an image or page, and the characters that no font has."""

    body: bytes
    missing: str = ""


class Finished(Struct, frozen=True, tag_field="result", tag="finished"):
    """The job is done, was stopped, or has failed."""

    error: str | None = None


Job = AnalysePosition | AnalyseRecord | DrawTask
Result = PositionResult | RecordStep | Drawn
Task = Job | StopAnalysis
TaskOutput = Result | Finished


def run_task(task: Job, stop: tavola.Stop) -> Iterator[Result]:
    """Do a job until it is done or stopped. A drawing cannot be stopped."""
    match task:
        case AnalysePosition():
            yield from _analyse_position(task, stop)
        case AnalyseRecord():
            yield from _analyse_record(task, stop)
        case Image():
            yield Drawn(draw(task), missing_characters(task.svg))
        case _:
            yield Drawn(draw(task))


class _Search:
    """The search of a position, and what it has used."""

    def __init__(self) -> None:
        self.trees = _core._Trees()
        self.seconds = 0.0
        self.nodes = 0


_paused = OrderedDict[str, _Search]()
"""The latest searches by their position."""


def _analyse_position(task: AnalysePosition, stop: tavola.Stop) -> Iterator[PositionResult]:
    game = tavola.load(task.game, **task.options)
    state = game.parse(task.position)
    key = repr((task.game, task.options, state.text))
    search = _paused.pop(key, None) if task.steps else None
    if search is None:
        search = _Search()
    _paused[key] = search
    if len(_paused) > PAUSED_SEARCHES:
        _paused.popitem(last=False)
    for step, seconds in enumerate(TIME_SLICES[task.steps :], task.steps + 1):
        limits = Limits(seconds=seconds, threads=1)
        value = Evaluator(limits, stop, search.trees, game.network).value(state, 0)
        search.nodes += value.nodes
        if stop.is_set():
            return
        search.seconds += seconds
        final = value.certain is not None or step == len(TIME_SLICES)
        yield PositionResult(
            seconds=round(search.seconds, 1),
            position=Position(
                text=state.text,
                turn=state.turn,
                to_act=state.to_act,
                shares=value.shares,
                margins=value.margins,
                lines=value.lines[:LINES],
                certain=value.certain,
                nodes=search.nodes,
            ),
            final=final,
        )
        if final:
            break
    _paused.pop(key, None)


def _analyse_record(task: AnalyseRecord, stop: tavola.Stop) -> Iterator[RecordStep]:
    (record,) = tavola.read_records(task.record)
    begun = 0 if task.begun is None else len(task.begun.positions)
    for study in analyse(record, seconds=task.seconds, threads=1, resume=task.begun, stop=stop):
        if len(study.positions) > begun:
            yield RecordStep(
                position=study.positions[-1],
                action=study.actions[-1] if study.actions else None,
                balances=study.balances,
                decisive=study.decisive,
            )


def main() -> None:
    """Read jobs from standard input until it is closed."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    tasks: queue.Queue[tuple[Job, tavola.Stop] | None] = queue.Queue()
    threading.Thread(target=_read_tasks, args=(tasks,), daemon=True).start()
    while (given := tasks.get()) is not None:
        task, stop = given
        try:
            for output in run_task(task, stop):
                _send(output)
            _send(Finished())
        except Exception as error:
            _send(Finished(f"{type(error).__name__}: {error}"))


def _read_tasks(
    tasks: queue.Queue[tuple[Job, tavola.Stop] | None],
) -> None:
    decoder = msgspec.json.Decoder(Task)
    stop = tavola.Stop()
    for line in sys.stdin.buffer:
        task = decoder.decode(line)
        if isinstance(task, StopAnalysis):
            stop.set()
        else:
            stop = tavola.Stop()
            tasks.put((task, stop))
    stop.set()
    tasks.put(None)


def _send(output: TaskOutput) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(output) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
