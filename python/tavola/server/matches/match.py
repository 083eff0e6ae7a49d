"""A match: the state that follows from its log of events.

`Match` is the projection of a log. `Match.apply` applies one event, and `decisions.py` decides
which events a command produces. Every event stores the position after it, so a replay of the log
detects any difference. The core decides about actions, turns, undo, confirmation and the end; this
file adds people, requests, clocks and random draws.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import copy
from typing import Literal

import tavola
from tavola import view as views
from tavola._core import MatchCore
from tavola.server import games
from tavola.server.errors import RequestError, illegal_action
from tavola.server.matches.cached_state import CachedState
from tavola.server.matches.chance import DrawSource
from tavola.server.matches.history import HistoryEntry, make_entry
from tavola.server.matches.log import (
    LOST_BY,
    LOST_BY_NOBODY,
    MOST_EVENTS,
    Event,
    EventKind,
    Header,
    Seat,
)
from tavola.server.matches.open_request import Request, new_request
from tavola.server.matches.seating import Seating, SeatRating
from tavola.server.matches.series import SeriesScore
from tavola.server.matches.time_control import RemainingTime, TurnTime

_NOT_BLOCKED = frozenset[tuple[int, str]]()  # one for all: every action empties it


class CorruptLog(Exception):
    """A log does not lead to the positions that are stored in it.

    Attributes:
        seq: The first event that does not fit.
    """

    def __init__(self, seq: int) -> None:
        super().__init__(f"event {seq} does not lead to the position stored with it")
        self.seq = seq


class Match:
    """A match as its log has made it.

    Args:
        header: What was fixed at the beginning.

    Attributes:
        core: The game being played.
        history: The actions in force, as the log shows them.
        seq: The number of the latest event.
        position: The current position, with its encoded views.
        state: The current state.
        status: Whether a seat must act or confirm, or the match is over.
        paused: When the match was paused, in ISO format; `None` if it is not.
        acting: The seat to act or to confirm; `None` while chance decides, and at the end.
        engine: The name of the engine to act; `None` if no engine is to act.
        opening: Whether a seat has not completed a turn yet.
        timed_turn: The person's seat to act or to confirm, and its turn; `None` without.
        running_turn: The same if its clock runs. Time per turn runs from the first turn, other
            time after every seat has had a turn.

    Raises:
        RequestError: `rules-changed`.
        CorruptLog: The start is not the one stored.
    """

    position: CachedState
    state: tavola.State
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    engine: str | None
    opening: bool
    timed_turn: tuple[int, int] | None
    running_turn: tuple[int, int] | None

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = games.load_version(header.game, header.options, header.rules_version)
        self.seq = 0
        # The first event of each command, by its id.
        self.commands: dict[str, Event] = {}
        # The seats in which engines play on for players who have left.
        self.replaced: frozenset[int] = frozenset()
        # By seat; `None`: not looked up since the seats changed.
        self.ratings: tuple[SeatRating | None, ...] | None = None
        self.seating = Seating(header.seats, self.replaced)
        # The score of the series before this match; `None`: not looked up yet.
        self.score_before: SeriesScore | None = None
        self.paused: str | None = None
        self.request: Request | None = None
        # Declined requests by seat, which may not be repeated before the next action.
        self.blocked_requests = _NOT_BLOCKED
        # The seat whose request was declined last, and by whom, if nothing has happened since.
        self.declined_request: tuple[int, int] | None = None
        self.next_match: str | None = None
        self.last_event_at: str | None = None
        self.remaining_time = (
            None if header.time is None else RemainingTime(header.time, len(header.seats))
        )
        self._start = CachedState(self.game.start())
        if self._start.text != header.start:
            raise CorruptLog(0)
        self.history: list[HistoryEntry] = []
        self.core = MatchCore(self._start.state, self.persons if header.confirm else None)
        self.draw_source = DrawSource(
            header.seed,
            (None,) * len(header.seats),
            self.persons if header.contribute else frozenset(),
        )
        # The seat whose clock has run since the last event, apart from chance.
        self._ran: tuple[int, int] | None = None
        self._update_derived()
        self._start_clock()

    # Derived state.

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The current seats."""
        return self.seating.seats

    @property
    def has_open_seats(self) -> bool:
        """Whether a seat is still open."""
        return bool(self.vacant)

    @property
    def vacant(self) -> frozenset[int]:
        """The open seats."""
        return self.seating.vacant

    @property
    def persons(self) -> frozenset[int]:
        """The seats of persons."""
        return self.seating.persons

    @property
    def engine_due(self) -> bool:
        """Whether an engine has to act even without viewers: not among engines alone."""
        return self.engine is not None and bool(self.persons)

    @property
    def is_full(self) -> bool:
        """Whether its log has the greatest number of events: no seat may act any more."""
        return self.seq >= MOST_EVENTS

    @property
    def clock_waits_for_viewers(self) -> bool:
        """Whether its clock waits until the viewers are connected."""
        return self.remaining_time is not None and isinstance(self.remaining_time.time, TurnTime)

    def seat_to_act(self) -> int:
        """Return the seat to act; only valid if there is one."""
        seat = self.state.to_act
        assert seat is not None
        assert seat != tavola.CHANCE, "chance is to act"
        return seat

    def chance_events(
        self, draw_source: DrawSource, position: CachedState, *, after: int
    ) -> list[Event]:
        """Return the chance events from this position on, unless contributions are awaited."""
        decided = list[Event]()
        if position.state.to_act != tavola.CHANCE:
            return []
        drawn = self.core.random_events
        while position.state.to_act == tavola.CHANCE and not draw_source.awaited:
            token = draw_source.draw(position.state.chance_outcomes, drawn + len(decided) + 1)
            position = position.after(token)
            decided.append(
                self.event(
                    "chance", tavola.CHANCE, position, token=token, after=after + len(decided)
                )
            )
        return decided

    def new_request(self, what: str, seat: int, at: str) -> Request:
        """Return a request of a seat, as it would be made at a time."""
        return new_request(
            what,
            seat,
            at,
            persons=self.persons,
            vacant=self.vacant,
            acting=self.acting,
            paused=self.paused,
        )

    def prospect(self, token: str, held: frozenset[int]) -> views.Prospect:
        """Return what an action of the seat to act would do.

        Raises:
            RequestError: `not-your-turn`, `confirm-first`, `illegal`.
        """
        if self.acting is None or self.acting not in held:
            raise RequestError("not-your-turn", acting=self.acting)
        if self.status == "confirming":
            raise RequestError("confirm-first")
        try:
            return views.prospect(self.state, token)
        except tavola.IllegalAction as error:
            raise illegal_action(self.state, error) from None

    def position_after(self, count: int) -> CachedState:
        """Return the position after `count` of the actions in force."""
        return self.history[count - 1].position if count else self._start

    def event(
        self,
        kind: EventKind,
        seat: int,
        position: CachedState | None = None,
        *,
        token: str | None = None,
        command: str | None = None,
        after: int = 0,
    ) -> Event:
        """Return an event to log, `after` others; `position` is the new one, if it changes."""
        if position is None:
            position = self.position
        return Event(
            seq=self.seq + 1 + after,
            kind=kind,
            seat=seat,
            token=token,
            command=command,
            position=position.text,
            key=position.key,
        )

    # Applying events.

    def update_header(self, header: Header) -> None:
        """Set a new header after a seat was taken or given up."""
        self.header = header
        self.ratings = None
        self._update_seating(self.replaced)
        self._update_derived()

    def set_ratings(self, ratings: tuple[SeatRating | None, ...]) -> None:
        """Set the ratings of the accounts by seat."""
        self.ratings = ratings
        self.seating = Seating(self.header.seats, self.replaced, ratings)

    def _update_derived(self) -> None:
        """Compute the derived state again, after every change."""
        core = self.core
        self.position = self.history[-1].position if self.history else self._start
        self.state = self.position.state
        self.status, self.acting = core.status, core.acting
        if self.status == "over":
            self.paused = None
        seat = None if self.acting is None else self.seats[self.acting]
        playing = self.status == "playing" and not self.paused
        self.engine = seat.engine if seat is not None and playing else None
        self.opening = core.is_opening
        self.timed_turn = self.running_turn = None
        if self.acting is not None and seat is not None and seat.kind == "person":
            self.timed_turn = self.acting, core.turn
        if (
            self.remaining_time is not None
            and not self.paused
            and (self.clock_waits_for_viewers or not self.opening)
        ):
            self.running_turn = self.timed_turn

    def _update_seating(self, replaced: frozenset[int]) -> None:
        self.replaced = replaced
        self.seating = Seating(self.header.seats, replaced, self.ratings or ())
        # An engine confirms at once: its turn stays confirmed when the player takes the seat back.
        self.core.set_confirming(self.persons)

    def with_events(self, events: Iterable[Event]) -> Match:
        """Return the match as these events would leave it; this one stays as it is."""
        match = copy(self)
        match.history, match.core = list(self.history), self.core.copy()
        match.commands = dict(self.commands)
        match.remaining_time = None if self.remaining_time is None else self.remaining_time.copy()
        for event in events:
            match.apply(event)
        return match

    def apply(self, event: Event) -> None:
        """Apply a stored event to this match itself.

        Raises:
            CorruptLog: The event does not fit what came before, or the position stored with it.
        """
        try:
            self._apply(event)
        except (ValueError, IndexError, RequestError) as error:
            raise CorruptLog(event.seq) from error
        if (self.position.text, self.position.key) != (event.position, event.key):
            raise CorruptLog(event.seq)

    def _apply(self, event: Event) -> None:
        if event.seq != self.seq + 1:
            raise CorruptLog(event.seq)
        granted = self.request is not None and not self.request.waiting
        if event.kind not in ("ask", "accept", "decline", "contribute"):
            self.request, self.blocked_requests, self.declined_request = None, _NOT_BLOCKED, None
        match event.kind:
            case "action" | "late" | "chance":
                # A person's own actions are commands; an engine that stands in has no plan.
                planned = event.kind == "action" and event.command is None
                planned = planned and event.seat in self.persons
                self._append(make_entry(event, self.position, planned=planned))
                if event.kind == "late":
                    # A turn that is out of time is not undone freely.
                    self.core.confirm()
            case "undo":
                keep = int(event.token or "")
                if not 0 <= keep < len(self.history):
                    raise CorruptLog(event.seq)
                del self.history[keep:]
                self.core.undo(keep)
            case "confirm":
                self.core.confirm()
            case kind if reason := LOST_BY.get(kind):
                self.core.end(reason, event.seat)
            case kind if reason := LOST_BY_NOBODY.get(kind):
                self.core.end(reason)
            case "pause" | "resume":
                self.paused = event.at if event.kind == "pause" else None
            case "replace":
                self._update_seating(self.replaced | {event.seat})
                self.paused = None
                self.draw_source = self.draw_source.without_seat(event.seat)
            case "return":
                self._update_seating(self.replaced - {event.seat})
            case "rematch":
                self.next_match = event.token
            case "contribute":
                self.draw_source = self.draw_source.with_contribution(event.seat, event.token or "")
            case "ask":
                self.request = self.new_request(event.token or "", event.seat, event.at)
                self.declined_request = None
            case "accept" if self.request is not None:
                self.request = self.request.agree(event.seat)
            case "decline" if self.request is not None:
                self.blocked_requests |= {(self.request.seat, self.request.what)}
                self.declined_request = self.request.seat, event.seat
                self.request = None
        self.seq, self.last_event_at = event.seq, event.at
        self._update_derived()
        self._apply_time(event, reset=event.kind == "undo" and granted)
        if event.command is not None:
            self.commands[event.command] = event

    def _append(self, entry: HistoryEntry) -> None:
        self.history.append(entry)
        self.core.append(entry.token, entry.state)

    def _apply_time(self, event: Event, *, reset: bool) -> None:
        if self.remaining_time is None:
            return
        if self._ran is not None:
            self.remaining_time.spend(self._ran[0], event.spent)
        if self.state.to_act == tavola.CHANCE and self.status != "over":
            return
        by_playing = event.kind in ("action", "late", "chance", "confirm")
        if self._ran is not None and self._ran != self.timed_turn and by_playing:
            self.remaining_time.end_turn(*self._ran)
        self._start_clock(reset=reset)

    def _start_clock(self, *, reset: bool = False) -> None:
        timed = self.timed_turn
        if self.remaining_time is not None and timed is not None:
            self.remaining_time.start_turn(*timed, reset=reset)
        self._ran = self.running_turn

    def at_action(self, ply: int) -> Match:
        """Return the match after `ply` of its actions, without any later end.

        Raises:
            RequestError: `unknown-position`.
        """
        if not 0 <= ply <= len(self.history):
            raise RequestError("unknown-position", ply=ply, last=len(self.history))
        match = copy(self)
        match.history, match.core = self.history[:ply], self.core.at(ply)
        match._update_derived()
        return match

    def with_line(self, line: tuple[str, ...]) -> Match:
        """Return the match as it would be after these actions.

        A chance outcome at the end of the line is drawn at random, independently of the seed of
        the match.

        Raises:
            RequestError: `illegal`.
        """
        match = self.at_action(len(self.history))
        left = list(line)
        while left or match.state.to_act == tavola.CHANCE:
            state = match.state
            token = left.pop(0) if left else state.sample_chance(random.SystemRandom())
            seat = -1 if state.to_act is None else state.to_act
            event = match.event("action", seat, token=token, after=len(match.history))
            try:
                match._append(make_entry(event, match.position))
            except tavola.IllegalAction as error:
                raise illegal_action(state, error) from None
            match.core.confirm()
            match._update_derived()
        return match
