"""Conditional moves: replies that a player prepares in advance.

A plan is a few lines: what the others may play, and what the seat answers then. It is for games
without chance. Each answer belongs to one position, by its text and key, and is played from exactly
that position, in the transaction of the action that led there. A plan falls with the position that
it was made in, when that is undone. Other players never see a plan.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import msgspec
import sqlalchemy as sa
from msgspec import Meta, Struct

import tavola
from tavola.server.accounts import seat_tokens
from tavola.server.errors import RequestError
from tavola.server.matches import decisions
from tavola.server.matches.cached_state import CachedState
from tavola.server.matches.history import HistoryEntry
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match
from tavola.server.schema.requests import LINE_LENGTH, Token
from tavola.server.storage.database import Database, Statement
from tavola.server.storage.tables import metadata

MAX_LINES = 32
"""How many lines a plan has at most."""

conditional_moves = sa.Table(
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
ConditionalLine = Annotated[tuple[Token, ...], Meta(min_length=1, max_length=LINE_LENGTH)]


class ConditionalMovesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's conditional moves, from the position of this snapshot on; no lines: none.

    A line is played from that position: what the others do, and what the seat answers. `version`:
    of the plan that it takes the place of, as it was told.
    """

    seat: Annotated[int, Meta(ge=0, le=15)]
    seq: Annotated[int, Meta(ge=0, le=2**53)]
    version: Annotated[str, Meta(max_length=16)]
    lines: Annotated[tuple[ConditionalLine, ...], Meta(max_length=MAX_LINES)]


class ConditionalMovesState(Struct, frozen=True):
    """A seat's remaining conditional moves, from the position of this snapshot on.

    `version`: of the plan as it was saved; empty: there is none. `cancelled`: another seat
    left the planned lines or the position of the plan was undone, and the seat has not acted since.
    """

    seat: int
    seq: int
    version: str
    lines: Lines
    cancelled: bool


Reply = tuple[list[Event], Match]
"""The events of a conditional move, and the match after it."""


@dataclass(frozen=True, slots=True)
class _StoredMoves:
    """The stored moves of a seat; without lines: cancelled by an undo."""

    after: int
    key: str
    lines: Lines
    answers: dict[tuple[str, str], str]

    @property
    def version(self) -> str:
        """Return a hash that identifies this version of the seat's moves."""
        content = msgspec.json.encode((self.after, self.key, self.lines))
        return hashlib.sha256(content).hexdigest()[:16]

    def is_valid(self, match: Match) -> bool:
        """Return whether its position occurs in the match."""
        return self.after <= len(match.history) and match.position_after(self.after).key == self.key


class ConditionalMoves:
    """The plans of a match's seats."""

    def __init__(self, database: Database, match: str) -> None:
        self._database = database
        self._match = match
        self._by_seat: dict[int, _StoredMoves] | None = None

    def start_empty(self) -> None:
        """Mark the plans of a new match as empty."""
        self._by_seat = {}

    async def save(
        self, match: Match, plan: ConditionalMovesRequest, held: frozenset[int]
    ) -> ConditionalMovesState:
        """Store a plan in place of the one before; return when it is durable.

        Args:
            match: The match.
            plan: The plan.
            held: The seats that the client holds.

        Returns:
            The current plan; the same plan again gives the same answer.

        Raises:
            RequestError: `not-your-seat`, `stale`, `conditional-chance`, `conditional-own-turn`,
                `over`, and as `replies_by_position`; `conditional-changed` with the stored moves,
                if the client has not seen them.
        """
        seat_tokens.check_held(plan.seat, held)
        if plan.seq != match.seq:
            raise RequestError("stale", seq=match.seq)
        check_allowed(match, plan.seat)
        answers = replies_by_position(match.position, plan)
        fresh = _StoredMoves(len(match.history), match.position.key, plan.lines, answers)
        wanted = fresh if plan.lines else None

        def write(connection: sa.Connection) -> _StoredMoves | None:
            here = (conditional_moves.c.match == self._match) & (
                conditional_moves.c.seat == plan.seat
            )
            row = connection.execute(
                conditional_moves.select().where(here).with_for_update()
            ).one_or_none()
            found = None if row is None else _from_row(row)
            if found == wanted or _version(found) != plan.version:
                return found
            _write(connection, self._match, plan.seat, wanted)
            return wanted

        plans = await self.load()
        now = await self._database.run(write)
        if now is None:
            plans.pop(plan.seat, None)
        else:
            plans[plan.seat] = now
        planned = await self.state_of(match, plan.seat, held)
        if now != wanted:
            raise RequestError("conditional-changed", planned=planned)
        return planned

    async def load(self) -> dict[int, _StoredMoves]:
        """Return the plans by seat."""
        if self._by_seat is None:
            rows = await self._database.rows(
                conditional_moves.select().where(conditional_moves.c.match == self._match)
            )
            self._by_seat = {row.seat: _from_row(row) for row in rows}
        return self._by_seat

    def invalidate(self) -> None:
        """Update the plans after plans have been deleted."""
        self._by_seat = None

    async def state_of(
        self, match: Match, seat: int, held: frozenset[int]
    ) -> ConditionalMovesState:
        """Return a seat's remaining lines: those that can still happen.

        Raises:
            RequestError: `not-your-seat`.
        """
        seat_tokens.check_held(seat, held)
        plan = (await self.load()).get(seat)
        left: Lines = ()
        cancelled = False
        if plan and plan.is_valid(match):
            since = match.history[plan.after :]
            if plan.lines:
                left, cancelled = _remaining_lines(plan.lines, since, seat)
            else:
                cancelled = all(step.seat != seat for step in since)
        return ConditionalMovesState(seat, match.seq, _version(plan), left, cancelled)

    async def replies(self, match: Match, cause: Event) -> list[Reply]:
        """Return the conditional moves that follow an event, one after another.

        Args:
            match: The match as the last event left it.
            cause: That event. An undone action is not played again.
        """
        if match.game.has_chance or cause.kind not in ("action", "late", "confirm", "undo"):
            return []
        plans = await self.load()
        if cause.kind == "undo" or not plans:
            return []
        return list(_replies(match, cause.seat, plans))

    def discard_invalid(self, match: Match) -> list[Statement]:
        """Return what to write with a match's events: moves from undone positions are discarded.

        Args:
            match: The match as the events leave it, after `replies`.
        """
        plans = self._by_seat or {}
        cancelled = [seat for seat, plan in plans.items() if not plan.is_valid(match)]
        here = _StoredMoves(len(match.history), match.position.key, (), {})
        plans |= dict.fromkeys(cancelled, here)
        return [partial(_write, match=self._match, seat=seat, plan=here) for seat in cancelled]


def _version(plan: _StoredMoves | None) -> str:
    return "" if plan is None else plan.version


def _from_row(row: sa.Row[Any]) -> _StoredMoves:
    answers = {(key, text): token for key, text, token in row.answers}
    return _StoredMoves(row.after, row.key, tuple(map(tuple, row.lines)), answers)


def _write(connection: sa.Connection, match: str, seat: int, plan: _StoredMoves | None) -> None:
    """Keep a seat's plan instead of the one there is."""
    connection.execute(
        conditional_moves.delete().where(
            (conditional_moves.c.match == match) & (conditional_moves.c.seat == seat)
        )
    )
    if plan is not None:
        connection.execute(
            conditional_moves.insert().values(
                match=match,
                seat=seat,
                after=plan.after,
                key=plan.key,
                lines=plan.lines,
                answers=[[*where, token] for where, token in plan.answers.items()],
            )
        )


def _replies(match: Match, caused_by: int, plans: dict[int, _StoredMoves]) -> Iterator[Reply]:
    while True:
        seat = match.acting
        if seat == caused_by:
            return
        plan = None if seat is None or seat not in match.persons else plans.get(seat)
        if seat is None or plan is None or match.status != "playing" or match.paused:
            return
        token = plan.answers.get(_position_id(match.position))
        if token is None:
            return
        events = decisions.engine_events(match, token)
        match = match.with_events(events)
        caused_by = tavola.CHANCE  # the moves that follow continue the plan
        if match.status == "confirming" and match.acting == seat:
            events.append(match.event("confirm", seat))
            match = match.with_events(events[-1:])
        yield events, match


def replies_by_position(
    scene: CachedState, plan: ConditionalMovesRequest
) -> dict[tuple[str, str], str]:
    """Return the seat's reply for each position.

    Raises:
        RequestError: `conditional-line` if a line cannot be played, `conditional-unfinished` if it
            ends before or within a turn of the seat, `conditional-twice` if a position has two
            replies.
    """
    answers: dict[tuple[str, str], str] = {}
    for number, line in enumerate(plan.lines, start=1):
        at, answered = scene, False
        for token in line:
            own = at.state.to_act == plan.seat
            if own and answers.setdefault(_position_id(at), token) != token:
                raise RequestError("conditional-twice", line=number, token=token)
            try:
                at = at.after(token)
            except tavola.IllegalAction:
                raise RequestError("conditional-line", line=number, token=token) from None
            answered = own
        if not answered or at.state.to_act == plan.seat:
            raise RequestError("conditional-unfinished", line=number)
    return answers


def check_allowed(match: Match, seat: int) -> None:
    """Check that the seat may plan now."""
    if match.game.has_chance:
        raise RequestError("conditional-chance", game=match.header.game)
    if match.status == "over":
        raise RequestError("over")
    if match.acting == seat:
        raise RequestError("conditional-own-turn")


def _remaining_lines(lines: Lines, since: list[HistoryEntry], seat: int) -> tuple[Lines, bool]:
    """Return the remaining lines after these actions, and whether another seat ended them."""
    for number, step in enumerate(since):
        going_on = tuple(line for line in lines if line and line[0] == step.token)
        if not going_on:
            waited = any(lines) and step.seat != seat
            return (), waited and all(later.seat != seat for later in since[number:])
        lines = tuple(line[1:] for line in going_on)
    return tuple(line for line in lines if line), False


def _position_id(scene: CachedState) -> tuple[str, str]:
    """Return the key and text that identify a position."""
    return scene.key, scene.text
