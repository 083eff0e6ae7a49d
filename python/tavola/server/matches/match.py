"""A match: the state that follows from its log of events.

`Match` is the projection of a log. `Match.apply` applies one event, and `commands.py` decides which
events a command produces. Every event stores the position after it, so a replay of the log detects
any difference.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import copy
from typing import Literal

import tavola
from tavola import view as views
from tavola.server.matches.chance import DrawSource
from tavola.server.matches.history import HistoryEntry, count_fixed, count_random_events, make_entry
from tavola.server.matches.log import MOST_EVENTS, Event, EventKind, Header, Seat
from tavola.server.matches.open_request import Request, new_request
from tavola.server.matches.seating import Seating
from tavola.server.matches.terminations import Termination
from tavola.server.matches.time_control import RemainingTime
from tavola.server.schema import games
from tavola.server.schema.errors import RequestError
from tavola.server.schema.position_view import Position
from tavola.server.schema.requests import TurnTime

_NOT_BLOCKED = frozenset[tuple[int, str]]()  # one for all: every action empties it

UndoPermission = Literal["free", "ask-for-undo", "rated-undo", "time-up", "nothing-to-undo"]
"""Whether undo is allowed, or why not."""


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
        fixed_count: The number of actions that cannot be undone, because chance followed them.

    Raises:
        RequestError: `rules-changed`.
        CorruptLog: The start is not the one stored.
    """

    position: Position
    state: tavola.State
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    engine: str | None
    opening: bool
    timed_turn: tuple[int, int] | None
    running_turn: tuple[int, int] | None
    fixed_count: int

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = games.load_version(header.game, header.options, header.rules_version)
        self.seq = 0
        # The first event of each command, by its id; shared and replaced as `history` is.
        self.commands: dict[str, Event] = {}
        # The seats in which engines play on for players who have left.
        self.replaced: frozenset[int] = frozenset()
        self.seating = Seating(header.seats, self.replaced)
        self.termination: Termination | None = None
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
        self._start = Position(self.game.start())
        if self._start.text != header.start:
            raise CorruptLog(0)
        # The actions in force. Matches share the list, so a new action makes a new list.
        self.history: list[HistoryEntry] = []
        self._confirmed = 0
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
        self, draw_source: DrawSource, position: Position, *, after: int
    ) -> list[Event]:
        """Return the chance events from this position on, unless contributions are awaited."""
        decided = list[Event]()
        if position.state.to_act != tavola.CHANCE:
            return []
        drawn = count_random_events(self.history)
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
            raise self.illegal(token, error) from None

    def illegal(self, token: str, error: tavola.IllegalAction) -> RequestError:
        """Return the error for an illegal action, with all legal ones."""
        return RequestError(
            "illegal",
            refusal=views.refusal(error),
            in_game=self.header.game,
            token=token,
            valid=tuple(self.state.legal_actions),
        )

    def position_after(self, count: int) -> Position:
        """Return the position after `count` of the actions in force."""
        return self.history[count - 1].position if count else self._start

    def undo_permission(self, held: frozenset[int]) -> UndoPermission:
        """Return whether the holder of these seats may undo, must ask, or why not.

        The last action can be undone freely until its turn is confirmed. Later the other players
        must grant it. Engines and open seats always grant it, so the holder of all other persons'
        seats may always undo. In a rated match no player may, and no turn that is out of time can
        be undone freely. An action stays once a chance event has followed, because drawn
        information cannot be forgotten.
        """
        last = self.last_action_of(held)
        if last is None or last < self.fixed_count:
            return "nothing-to-undo"
        rated = self.header.rated
        alone = self._is_unconfirmed(last) or (not rated and self.persons - self.vacant <= held)
        if alone and not self._timed_out(self.history[last].seat):
            return "free"
        if not rated:
            return "ask-for-undo"
        return "time-up" if alone else "rated-undo"

    def _is_unconfirmed(self, place: int) -> bool:
        """Return whether it is the last action, and its turn is not confirmed."""
        return place == len(self.history) - 1 and place >= self._confirmed

    def length_after_undo(
        self, held: frozenset[int], *, whole_turn: bool, granted: bool = False
    ) -> int | None:
        """Return the number of actions that stay if the holder of these seats undoes.

        Args:
            held: The seats.
            whole_turn: Whether the whole turn of the last action goes.
            granted: Whether the others grant it.

        Returns:
            `None` if nothing may be undone.
        """
        allowed = ("free", "ask-for-undo") if granted else ("free",)
        last = self.last_action_of(held)
        if last is None or self.undo_permission(held) not in allowed:
            return None
        if not whole_turn:
            return last
        latest = self.history[last]
        floor = max(self.fixed_count, self._confirmed if self._is_unconfirmed(last) else 0)
        while last > floor:
            before = self.history[last - 1]
            if (before.seat, before.turn) != (latest.seat, latest.turn):
                break
            last -= 1
        return last

    def _timed_out(self, seat: int) -> bool:
        """Return whether a seat has no time left, so that its turn would end again at once."""
        return (
            self.remaining_time is not None
            and self.clock_waits_for_viewers
            and self.remaining_time.left(seat) <= 0
        )

    def has_acted(self, held: frozenset[int]) -> bool:
        """Return whether one of these seats has acted."""
        steps = self.history
        return bool(steps) and not held.isdisjoint(steps[-1].seats_acted)

    def last_action_of(self, held: frozenset[int]) -> int | None:
        """Return the place of the last action of these seats among those in force."""
        if not self.has_acted(held):
            return None
        steps = self.history
        for index in range(len(steps) - 1, -1, -1):
            if steps[index].seat in held:
                return index
        return None

    def event(
        self,
        kind: EventKind,
        seat: int,
        position: Position | None = None,
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
        self._update_seating(self.replaced)
        self._update_derived()

    def _update_derived(self) -> None:
        """Compute the derived state again, after every change."""
        steps = self.history
        self.position = steps[-1].position if steps else self._start
        self.state = state = self.position.state
        to_act, awaited = state.to_act, self._seat_with_full_turn()
        if awaited is not None and self.seats[awaited].kind == "engine":
            # Engines confirm at once: this remains when the player takes the seat back.
            self._confirmed, awaited = len(steps), None
        turn = state.turn if awaited is None else steps[-1].turn
        if self.termination is not None:
            self.status, self.acting, self.paused = "over", None, None
        elif awaited is not None:
            self.status, self.acting = "confirming", awaited
        else:
            self.status = "over" if to_act is None else "playing"
            self.acting = None if to_act == tavola.CHANCE else to_act
        seat = None if self.acting is None else self.seats[self.acting]
        playing = self.status == "playing" and not self.paused
        self.engine = seat.engine if seat is not None and playing else None
        self.opening = self.status != "over" and not self._begun(steps, turn)
        self.timed_turn = self.running_turn = None
        if self.acting is not None and seat is not None and seat.kind == "person":
            self.timed_turn = self.acting, turn
        if (
            self.remaining_time is not None
            and not self.paused
            and (self.clock_waits_for_viewers or not self.opening)
        ):
            self.running_turn = self.timed_turn
        self.fixed_count = count_fixed(steps)

    def _seat_with_full_turn(self) -> int | None:
        """Return the seat whose turn is complete and not confirmed."""
        if not self.header.confirm or not self.history or self._confirmed == len(self.history):
            return None
        last = self.history[-1]
        if tavola.CHANCE in (last.seat, last.state.to_act):
            return None
        same_turn = last.state.turn == last.turn and last.state.to_act == last.seat
        return None if same_turn else last.seat

    def _begun(self, steps: list[HistoryEntry], turn: int) -> bool:
        """Return whether every seat has completed a turn before this one."""
        last = len(steps) - 1
        if steps and steps[last].turn == turn:
            last = steps[last].turn_start - 1
        return last >= 0 and len(steps[last].seats_acted) == len(self.seats)

    def _update_seating(self, replaced: frozenset[int]) -> None:
        self.replaced = replaced
        self.seating = Seating(self.header.seats, replaced)

    def with_events(self, events: Iterable[Event]) -> Match:
        """Return the match as these events would leave it; this one stays as it is."""
        match = Match.__new__(Match)
        match.__dict__.update(self.__dict__)
        match.remaining_time = None if self.remaining_time is None else self.remaining_time.copy()
        for event in events:
            match.apply(event)
        return match

    def apply(self, event: Event) -> None:
        """Apply a stored event.

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
                entry = make_entry(event, self.position, self.history, planned=planned)
                self.history = [*self.history, entry]
                if event.kind == "late":
                    # A turn that is out of time is not undone freely.
                    self._confirmed = len(self.history)
            case "undo":
                keep = int(event.token or "")
                if not 0 <= keep < len(self.history):
                    raise CorruptLog(event.seq)
                self.history = self.history[:keep]
                self._confirmed = min(self._confirmed, keep)
            case "confirm":
                self._confirmed = len(self.history)
            case "resign":
                self.termination = Termination("resigned", event.seat)
            case "flag":
                self.termination = Termination("time", event.seat)
            case "draw":
                self.termination = Termination("agreed")
            case "abort":
                self.termination = Termination("aborted")
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
            self.commands = {**self.commands, event.command: event}

    def _apply_time(self, event: Event, *, reset: bool) -> None:
        if self.remaining_time is None:
            return
        if self._ran is not None:
            self.remaining_time.spend(self._ran[0], event.spent)
        if self.state.to_act == tavola.CHANCE and self.termination is None:
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
        return self._with_history(self.history[:ply])

    def with_line(self, line: tuple[str, ...]) -> Match:
        """Return the match as it would be after these actions.

        A chance outcome at the end of the line is drawn at random, independently of the seed of
        the match.

        Raises:
            RequestError: `illegal`.
        """
        steps, position, left = list(self.history), self.position, list(line)
        while left or position.state.to_act == tavola.CHANCE:
            if left:
                token = left.pop(0)
            else:
                outcomes, weights = zip(*position.state.chance_outcomes, strict=True)
                (token,) = random.SystemRandom().choices(outcomes, weights)
            seat = -1 if position.state.to_act is None else position.state.to_act
            event = self.event("action", seat, token=token, after=len(steps))
            try:
                steps.append(make_entry(event, position, steps))
            except tavola.IllegalAction as error:
                raise self._with_history(steps).illegal(token, error) from None
            position = steps[-1].position
        return self._with_history(steps)

    def _with_history(self, steps: list[HistoryEntry]) -> Match:
        """Return the match with other actions in force, all confirmed, and its own end."""
        match = copy(self)
        match.history, match._confirmed, match.termination = steps, len(steps), None
        match._update_derived()
        return match
