"""Reviews: analysis of finished matches for their viewers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
import structlog

from tavola.analysis import GameAnalysis
from tavola.analysis import Limits as StudyLimits
from tavola.server.analysis.worker import (
    AnalysePosition,
    AnalyseRecord,
    PositionResult,
    RecordStep,
)
from tavola.server.analysis.worker_pool import WorkerFailed, WorkerPool
from tavola.server.errors import RequestError
from tavola.server.live.positions import ReviewTarget
from tavola.server.matches.match import Match
from tavola.server.schema.responses import AnalysisMessage, PositionValue, StudyMessage
from tavola.server.snapshots import snapshot

_log = structlog.get_logger("tavola.reviews")

STUDY_SECONDS = 0.3
"""Search time of each position in a match's study, in seconds."""

CACHED_STUDIES = 64
"""How many studies are kept, of the matches that were last looked at."""


class Reviews:
    """Analyses of finished matches; each match is analysed once for all its viewers.

    Args:
        workers: The worker processes that search.
    """

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._studies: OrderedDict[str, _SharedStudy] = OrderedDict()

    async def follow(
        self, target: ReviewTarget, client: str
    ) -> AsyncGenerator[AnalysisMessage | StudyMessage, None]:
        """Yield the analysis of a position, and then of the whole match.

        Args:
            target: The position, and its match.
            client: Whose time is used.

        Raises:
            RequestError: `analysis-limit`, `busy`, `internal`.
        """
        shared = self._study_of(target)
        seen = len(shared.study.positions)
        if seen > 0:
            yield _message(shared.study, 0)
        steps = shared.follow(seen, self._workers, client)
        try:
            async with aclosing(self._analyse_position(target, client)) as messages:
                async for message in messages:
                    yield message
            async with aclosing(steps):
                async for step in steps:
                    yield step
        except WorkerFailed as error:
            _log.error("analysis failed", match=target.match.header.id, error=str(error))
            raise RequestError("internal") from error

    async def _analyse_position(
        self, target: ReviewTarget, client: str
    ) -> AsyncGenerator[AnalysisMessage, None]:
        state = target.state
        options = {name: str(value) for name, value in state.game.options.items()}
        steps, going = 0, True
        while going:
            going, before = False, steps
            task = AnalysePosition(state.game.name, options, state.text, steps)
            async with aclosing(self._workers.run(task, client)) as outputs:
                async for output in outputs:
                    assert isinstance(output, PositionResult), "the job was a position"
                    steps, going = steps + 1, not output.final
                    yield AnalysisMessage(
                        target.ply, target.line, output.seconds, output.final, output.position
                    )
            if going and steps == before:
                raise WorkerFailed("no step was made")

    def _study_of(self, target: ReviewTarget) -> _SharedStudy:
        key = target.match.header.id
        if key not in self._studies:
            self._studies[key] = _SharedStudy(target.match)
        self._studies.move_to_end(key)
        if len(self._studies) > CACHED_STUDIES:
            self._studies.popitem(last=False)
        return self._studies[key]


class _SharedStudy:
    """The study of one match, shared by its viewers: it runs while one of them waits."""

    def __init__(self, match: Match) -> None:
        self._match = match
        header, network = match.header, match.game.network
        self.study = GameAnalysis(
            game=header.game,
            options=header.options,
            rules_version=header.rules_version,
            limits=StudyLimits(seconds=STUDY_SECONDS, threads=1),
            network=None if network is None else network.about,
            length=len(match.history),
            positions=(),
            actions=(),
            balances=(),
            decisive=(),
        )
        self._changed = asyncio.Event()
        self._followers = 0
        self._task: asyncio.Task[None] | None = None

    async def follow(
        self, seen: int, workers: WorkerPool, client: str
    ) -> AsyncGenerator[StudyMessage, None]:
        """Yield the study after the first `seen` positions, until it is complete.

        Raises:
            WorkerFailed: The work was done for this client, and has failed.
            RequestError: `analysis-limit`, `busy`, likewise.
        """
        self._followers += 1
        mine = None
        try:
            while True:
                changed = self._changed
                if len(self.study.positions) > seen:
                    yield _message(self.study, seen)
                    seen = len(self.study.positions)
                elif len(self.study.positions) > self.study.length:
                    return
                elif self._task is None:
                    mine = self._task = asyncio.create_task(self._run(workers, client))
                elif self._task.done():
                    done, self._task = self._task, None
                    if done is mine:
                        done.result()
                else:
                    await changed.wait()
        finally:
            self._followers -= 1
            if self._followers == 0 and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _run(self, workers: WorkerPool, client: str) -> None:
        try:
            while len(self.study.positions) <= self.study.length:
                count = len(self.study.positions)
                record = await asyncio.to_thread(snapshot.record_text, self._match)
                task = AnalyseRecord(record, STUDY_SECONDS, self.study if count else None)
                async with aclosing(workers.run(task, client)) as outputs:
                    async for output in outputs:
                        assert isinstance(output, RecordStep), "the job was a record"
                        self._add_step(output)
                if len(self.study.positions) == count:
                    raise WorkerFailed("no position was analysed")
        finally:
            self._notify()

    def _add_step(self, step: RecordStep) -> None:
        study = self.study
        self.study = msgspec.structs.replace(
            study,
            positions=(*study.positions, step.position),
            actions=study.actions if step.action is None else (*study.actions, step.action),
            balances=step.balances,
            decisive=step.decisive,
        )
        self._notify()

    def _notify(self) -> None:
        """Wake the waiting viewers."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _message(study: GameAnalysis, first: int) -> StudyMessage:
    """Return a study from a position on."""
    return StudyMessage(
        first=first,
        length=study.length,
        positions=tuple(
            PositionValue(position.shares, position.margins, position.certain)
            for position in study.positions[first:]
        ),
        actions=study.actions[max(first - 1, 0) :],
        balances=study.balances,
        decisive=study.decisive,
    )
