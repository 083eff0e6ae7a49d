"""Reviews: what is found out about a finished match for those who look at it again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing

import structlog

import tavola
from tavola.analysis import GameAnalysis
from tavola.analysis import Limits as StudyLimits
from tavola.server.analysis.worker import (
    TIME_SLICES,
    AnalysePosition,
    AnalyseRecord,
    PositionResult,
    RecordStep,
)
from tavola.server.analysis.worker_pool import WorkerFailed, WorkerPool
from tavola.server.live.positions import ReviewTarget
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import AnalysisMessage, PositionValue, StudyMessage

_log = structlog.get_logger("tavola.reviews")

STUDY_SECONDS = 0.3
"""How long each position of a match is thought about in its study."""

CACHED_STUDIES = 64
"""How many studies are kept, of the matches that were last looked at."""


class Reviews:
    """Analyses of finished matches; each match is studied once, for all who look at it.

    Args:
        analysts: Who thinks.
        limits: What every client may use.
    """

    def __init__(self, analysts: WorkerPool, limits: RateLimits) -> None:
        self._analysts = analysts
        self._limits = limits
        self._studies: OrderedDict[str, _SharedStudy] = OrderedDict()

    async def follow(
        self, reviewed: ReviewTarget, client: str
    ) -> AsyncGenerator[AnalysisMessage | StudyMessage, None]:
        """What is found out about a position, and then about the whole match.

        Args:
            reviewed: The position, and its match.
            client: Whose time is used.

        Raises:
            RequestError: `thought-enough`, `internal`.
        """
        room = self._study_of(reviewed)
        seen = len(room.study.positions)
        if seen > 0:
            yield _message(room.study, 0)
        steps = room.follow(seen, self._analysts, self._limits, client)
        try:
            async with aclosing(self._analyse_position(reviewed, client)) as thoughts:
                async for thought in thoughts:
                    yield thought
            async with aclosing(steps):
                async for step in steps:
                    yield step
        except WorkerFailed as error:
            _log.error("analysis failed", match=reviewed.match, error=str(error))
            raise RequestError("internal") from error

    async def _analyse_position(
        self, reviewed: ReviewTarget, client: str
    ) -> AsyncGenerator[AnalysisMessage, None]:
        state = reviewed.state
        options = {name: str(value) for name, value in state.game.options.items()}
        order = AnalysePosition(state.game.name, options, state.text)
        charged = TIME_SLICES[0]
        self._limits.count_analysis(client, charged)
        async with aclosing(self._analysts.run(order)) as answers:
            async for answer in answers:
                assert isinstance(answer, PositionResult), "a thought was ordered"
                yield AnalysisMessage(
                    reviewed.place, reviewed.line, answer.seconds, answer.final, answer.position
                )
                self._limits.count_analysis(client, answer.seconds - charged)
                charged = answer.seconds

    def _study_of(self, reviewed: ReviewTarget) -> _SharedStudy:
        if reviewed.match not in self._studies:
            self._studies[reviewed.match] = _SharedStudy(reviewed)
        self._studies.move_to_end(reviewed.match)
        if len(self._studies) > CACHED_STUDIES:
            self._studies.popitem(last=False)
        return self._studies[reviewed.match]


class _SharedStudy:
    """The study of one match, and those who wait for it: it goes on while anybody does."""

    def __init__(self, reviewed: ReviewTarget) -> None:
        self._record = reviewed.record
        (record,) = tavola.read_records(reviewed.record)
        game = record.game
        self.study = GameAnalysis(
            game=game.name,
            options={name: str(value) for name, value in game.options.items()},
            rules_version=game.rules_version,
            limits=StudyLimits(seconds=STUDY_SECONDS, threads=1),
            length=len(record.actions),
            positions=(),
            actions=(),
            balances=(),
            decisive=(),
        )
        self._changed = asyncio.Event()
        self._followers = 0
        self._task: asyncio.Task[None] | None = None

    async def follow(
        self, seen: int, analysts: WorkerPool, limits: RateLimits, client: str
    ) -> AsyncGenerator[StudyMessage, None]:
        """What is found out after the first `seen` positions, until all is.

        Raises:
            WorkerFailed: The work was done for this client, and has failed.
            RequestError: `thought-enough`, likewise.
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
                    mine = self._task = asyncio.create_task(self._run(analysts, limits, client))
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

    async def _run(self, analysts: WorkerPool, limits: RateLimits, client: str) -> None:
        begun = self.study if self.study.positions else None
        try:
            limits.count_analysis(client, STUDY_SECONDS)
            order = AnalyseRecord(self._record, STUDY_SECONDS, begun)
            async with aclosing(analysts.run(order)) as answers:
                async for answer in answers:
                    assert isinstance(answer, RecordStep), "a study was ordered"
                    self._add_step(answer)
                    limits.count_analysis(client, STUDY_SECONDS)
        finally:
            self._notify()

    def _add_step(self, step: RecordStep) -> None:
        study = self.study
        self.study = GameAnalysis(
            game=study.game,
            options=study.options,
            rules_version=study.rules_version,
            limits=study.limits,
            length=study.length,
            positions=(*study.positions, step.position),
            actions=study.actions if step.action is None else (*study.actions, step.action),
            balances=step.balances,
            decisive=step.decisive,
        )
        self._notify()

    def _notify(self) -> None:
        """Wakes those who wait."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()


def _message(study: GameAnalysis, first: int) -> StudyMessage:
    """What a study holds from a position on."""
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
