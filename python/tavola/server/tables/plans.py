"""Planned turns: what a seat wants to answer, before it is asked.

A plan is a few lines: what the others may play, and what the seat answers then. It is for games
without chance. Each answer belongs to one position, by its text and key, and is played from exactly
that position, in the transaction of the action that led there. Nobody else sees a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from msgspec import Meta, Struct

import tavola
from tavola.server.matches import decisions
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match
from tavola.server.matches.steps import Step
from tavola.server.storage.store import Store, metadata
from tavola.server.wire.asked import ACTIONS, Token
from tavola.server.wire.errors import Refused
from tavola.server.wire.scenes import Scene

LINES = 32
"""How many lines a plan has at most."""

plans = sa.Table(
    "plans",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    # How many actions were in force when it was made, and the key of the position then.
    sa.Column("after", sa.Integer, nullable=False),
    sa.Column("key", sa.String(16), nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),
    # [key, text, token]: what is played from which position.
    sa.Column("answers", sa.JSON, nullable=False),
)

Lines = tuple[tuple[str, ...], ...]
Line = Annotated[tuple[Token, ...], Meta(min_length=1, max_length=ACTIONS)]


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's plan, from the position of this picture on; without lines: none.

    A line is played from that position: what the others do, and what the seat answers.
    """

    seat: Annotated[int, Meta(ge=0, le=15)]
    seq: Annotated[int, Meta(ge=0, le=2**53)]
    lines: Annotated[tuple[Line, ...], Meta(max_length=LINES)]


class Planned(Struct, frozen=True):
    """What is left of a seat's plan, from the position of this picture on.

    `fallen`: somebody played what was not foreseen, and the seat has not acted since.
    """

    seat: int
    seq: int
    lines: Lines
    fallen: bool


Follow = tuple[list[Event], Match]
"""What a seat does by its plan, and the match after it."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A plan as it is kept."""

    after: int
    key: str
    lines: Lines
    answers: dict[tuple[str, str], str]


class Plans:
    """The plans of a match's seats."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._plans: dict[int, _Stored] | None = None

    def begin(self) -> None:
        """The match has just begun: there are none."""
        self._plans = {}

    async def make(self, match: Match, plan: Plan) -> None:
        """Plans, instead of what was planned before; returns when it is durable.

        Raises:
            Refused: `plan-chance`, `plan-own-turn`, `over`, and as `answers_of`.
        """
        check(match, plan.seat)
        answers = answers_of(match.scene, plan)
        known = await self.read()
        stored = _Stored(len(match.steps), match.scene.key, plan.lines, answers)

        def write(connection: sa.Connection) -> None:
            here = (plans.c.match == self._match) & (plans.c.seat == plan.seat)
            connection.execute(plans.delete().where(here))
            if plan.lines:
                connection.execute(
                    plans.insert().values(
                        match=self._match,
                        seat=plan.seat,
                        after=stored.after,
                        key=stored.key,
                        lines=plan.lines,
                        answers=[[*where, token] for where, token in answers.items()],
                    )
                )

        await self._store.do(write)
        known[plan.seat] = stored

    async def read(self) -> dict[int, _Stored]:
        """The plans by seat."""
        if self._plans is None:
            rows = await self._store.do(
                lambda connection: connection.execute(
                    plans.select().where(plans.c.match == self._match)
                ).all()
            )
            self._plans = {
                row.seat: _Stored(
                    row.after,
                    row.key,
                    tuple(map(tuple, row.lines)),
                    {(key, text): token for key, text, token in row.answers},
                )
                for row in rows
            }
        return self._plans

    def read_again(self) -> None:
        """Plans have been deleted."""
        self._plans = None

    async def told(self, match: Match, seat: int) -> Planned:
        """What is left of a seat's plan: the lines that can still come true."""
        plan = (await self.read()).get(seat)
        left: tuple[tuple[str, ...], ...] = ()
        fallen = False
        in_force = len(match.steps)
        if plan and plan.after <= in_force and match.scene_after(plan.after).key == plan.key:
            left, fallen = _left(plan.lines, match.steps[plan.after :], seat)
        return Planned(seat, match.seq, left, fallen)

    async def following(self, match: Match, cause: Event) -> list[Follow]:
        """What plans bring about, one action after another.

        Args:
            match: The match as the last event left it.
            cause: That event. What somebody takes back is not played again for them.
        """
        if match.game.has_chance or cause.kind not in ("action", "late", "confirm"):
            return []
        known = await self.read()
        return list(_following(match, cause.seat, known)) if known else []


def _following(match: Match, caused_by: int, known: dict[int, _Stored]) -> Iterator[Follow]:
    while True:
        seat = match.acting
        if seat == caused_by:
            return
        plan = None if seat is None or seat not in match.persons else known.get(seat)
        if seat is None or plan is None or match.status != "playing" or match.paused:
            return
        token = plan.answers.get(_where(match.scene))
        if token is None:
            return
        events = decisions.engine(match, token)
        match = match.after(events)
        caused_by = tavola.CHANCE  # from here on it is the plan that goes on
        if match.status == "confirming" and match.acting == seat:
            events.append(match.event("confirm", seat))
            match = match.after(events[-1:])
        yield events, match


def answers_of(scene: Scene, plan: Plan) -> dict[tuple[str, str], str]:
    """What the seat answers, by position.

    Raises:
        Refused: `plan-line` if a line cannot be played, `plan-unfinished` if it ends within a turn
            of the seat's or before one, `plan-twice` if a position has two answers.
    """
    answers: dict[tuple[str, str], str] = {}
    for number, line in enumerate(plan.lines, start=1):
        at, answered = scene, False
        for token in line:
            own = at.state.to_act == plan.seat
            if own and answers.setdefault(_where(at), token) != token:
                raise Refused("plan-twice", line=number, token=token)
            try:
                at = at.after(token)
            except tavola.IllegalAction:
                raise Refused("plan-line", line=number, token=token) from None
            answered = own
        if not answered or at.state.to_act == plan.seat:
            raise Refused("plan-unfinished", line=number)
    return answers


def check(match: Match, seat: int) -> None:
    """Whether the seat may plan now."""
    if match.game.has_chance:
        raise Refused("plan-chance", game=match.header.game)
    if match.status == "over":
        raise Refused("over")
    if match.acting == seat:
        raise Refused("plan-own-turn")


def _left(lines: Lines, since: list[Step], seat: int) -> tuple[Lines, bool]:
    """What is left of the lines after these actions, and whether the last have spoilt them all."""
    for number, step in enumerate(since):
        going_on = tuple(line for line in lines if line and line[0] == step.token)
        if not going_on:
            waited = any(lines) and step.seat != seat
            return (), waited and all(later.seat != seat for later in since[number:])
        lines = tuple(line[1:] for line in going_on)
    return tuple(line for line in lines if line), False


def _where(scene: Scene) -> tuple[str, str]:
    """What tells a position from every other."""
    return scene.key, scene.text
