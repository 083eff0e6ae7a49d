"""Planned turns: what a seat wants to answer, before it is asked.

A plan is a few lines: what the others may play, and what the seat answers then. It is for games
without chance. Each answer belongs to one position, by its text and key, and is played from exactly
that position, in the transaction of the action that led there. A plan falls with the position that
it was made in, when that is taken back. Nobody else sees a plan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from msgspec import Meta, Struct

import tavola
from tavola.server.matches import commands
from tavola.server.matches.history import Step
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match
from tavola.server.schema.errors import Refused
from tavola.server.schema.position_view import Scene
from tavola.server.schema.requests import ACTIONS, Token
from tavola.server.storage.database import Store, Work, metadata

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

    A line is played from that position: what the others do, and what the seat answers. `version`:
    of the plan that it takes the place of, as it was told.
    """

    seat: Annotated[int, Meta(ge=0, le=15)]
    seq: Annotated[int, Meta(ge=0, le=2**53)]
    version: Annotated[str, Meta(max_length=16)]
    lines: Annotated[tuple[Line, ...], Meta(max_length=LINES)]


class Planned(Struct, frozen=True):
    """What is left of a seat's plan, from the position of this picture on.

    `version`: of the plan as it was saved; empty: there is none. `fallen`: somebody played what was
    not foreseen, or the position that it was made in was taken back, and the seat has not acted
    since.
    """

    seat: int
    seq: int
    version: str
    lines: Lines
    fallen: bool


Follow = tuple[list[Event], Match]
"""What a seat does by its plan, and the match after it."""


@dataclass(frozen=True, slots=True)
class _Stored:
    """A plan as it is kept; without lines: one that fell as its position was taken back."""

    after: int
    key: str
    lines: Lines
    answers: dict[tuple[str, str], str]

    @property
    def version(self) -> str:
        """What tells it from every other of the seat's."""
        told = msgspec.json.encode((self.after, self.key, self.lines))
        return hashlib.sha256(told).hexdigest()[:16]

    def stands(self, match: Match) -> bool:
        """Whether the position that it was made in is one of the match's."""
        return self.after <= len(match.steps) and match.scene_after(self.after).key == self.key


class Plans:
    """The plans of a match's seats."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._plans: dict[int, _Stored] | None = None

    def begin(self) -> None:
        """The match has just begun: there are none."""
        self._plans = {}

    async def make(self, match: Match, plan: Plan) -> Planned:
        """Plans, instead of what was planned before; returns when it is durable.

        Returns:
            What is planned now; asked again with the same plan, the same.

        Raises:
            Refused: `plan-chance`, `plan-own-turn`, `over`, as `answers_of`, and `plan-changed`
                with what is planned, if that is not what the sender saw.
        """
        check(match, plan.seat)
        answers = answers_of(match.scene, plan)
        fresh = _Stored(len(match.steps), match.scene.key, plan.lines, answers)
        wanted = fresh if plan.lines else None

        def write(connection: sa.Connection) -> _Stored | None:
            here = (plans.c.match == self._match) & (plans.c.seat == plan.seat)
            row = connection.execute(plans.select().where(here).with_for_update()).one_or_none()
            found = None if row is None else _stored(row)
            if found == wanted or _version(found) != plan.version:
                return found
            _write(connection, self._match, plan.seat, wanted)
            return wanted

        known = await self.read()
        now = await self._store.do(write)
        if now is None:
            known.pop(plan.seat, None)
        else:
            known[plan.seat] = now
        planned = await self.told(match, plan.seat)
        if now != wanted:
            raise Refused("plan-changed", planned=planned)
        return planned

    async def read(self) -> dict[int, _Stored]:
        """The plans by seat."""
        if self._plans is None:
            rows = await self._store.do(
                lambda connection: connection.execute(
                    plans.select().where(plans.c.match == self._match)
                ).all()
            )
            self._plans = {row.seat: _stored(row) for row in rows}
        return self._plans

    def read_again(self) -> None:
        """Plans have been deleted."""
        self._plans = None

    async def told(self, match: Match, seat: int) -> Planned:
        """What is left of a seat's plan: the lines that can still come true."""
        plan = (await self.read()).get(seat)
        left: Lines = ()
        fallen = False
        if plan and plan.stands(match):
            since = match.steps[plan.after :]
            if plan.lines:
                left, fallen = _left(plan.lines, since, seat)
            else:
                fallen = all(step.seat != seat for step in since)
        return Planned(seat, match.seq, _version(plan), left, fallen)

    async def following(self, match: Match, cause: Event) -> list[Follow]:
        """What plans bring about, one action after another.

        Args:
            match: The match as the last event left it.
            cause: That event. What somebody takes back is not played again for them.
        """
        if match.game.has_chance or cause.kind not in ("action", "late", "confirm", "undo"):
            return []
        known = await self.read()
        if cause.kind == "undo" or not known:
            return []
        return list(_following(match, cause.seat, known))

    def falling(self, match: Match, also: Work | None) -> Work | None:
        """What is written with a match's events: the plans fall whose positions were taken back.

        Args:
            match: The match as the events leave it, after `following`.
            also: What else is written with them.
        """
        known = self._plans or {}
        fallen = [seat for seat, plan in known.items() if not plan.stands(match)]
        if not fallen:
            return also
        here = _Stored(len(match.steps), match.scene.key, (), {})
        known |= dict.fromkeys(fallen, here)

        def write(connection: sa.Connection) -> None:
            for seat in fallen:
                _write(connection, self._match, seat, here)
            if also is not None:
                also(connection)

        return write


def _version(plan: _Stored | None) -> str:
    return "" if plan is None else plan.version


def _stored(row: sa.Row[Any]) -> _Stored:
    answers = {(key, text): token for key, text, token in row.answers}
    return _Stored(row.after, row.key, tuple(map(tuple, row.lines)), answers)


def _write(connection: sa.Connection, match: str, seat: int, plan: _Stored | None) -> None:
    """Keeps a seat's plan instead of the one there is."""
    connection.execute(plans.delete().where((plans.c.match == match) & (plans.c.seat == seat)))
    if plan is not None:
        connection.execute(
            plans.insert().values(
                match=match,
                seat=seat,
                after=plan.after,
                key=plan.key,
                lines=plan.lines,
                answers=[[*where, token] for where, token in plan.answers.items()],
            )
        )


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
        events = commands.engine(match, token)
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
