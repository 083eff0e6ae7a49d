"""A table: a match that is open now, its viewers, and the engines that think at it.

A table takes one command at a time. What a command comes to is decided, stored, and only then taken
in and told: so nobody ever sees what could still be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import get_args

import msgspec
import structlog

from tavola.server.accounts import seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.live import account_matches
from tavola.server.live.chat import Chat
from tavola.server.live.clock import Clock
from tavola.server.live.conditional_moves import Plan, Planned, Plans
from tavola.server.live.engine_player import Thinker
from tavola.server.live.engine_pool import Engines, Thought
from tavola.server.live.engine_queue import NOBODY
from tavola.server.live.forced_wins import Certain
from tavola.server.live.load import replay
from tavola.server.matches import commands, requests
from tavola.server.matches.log import Event, EventKind, Header
from tavola.server.matches.match import Match
from tavola.server.ops.metrics import EVENTS
from tavola.server.schema.errors import Refused
from tavola.server.schema.requests import Command, TakeSeat
from tavola.server.schema.responses import Face, Snapshot
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.presence import Company, Viewer
from tavola.server.snapshots.subscribers import Audience
from tavola.server.storage.database import Conflict, Store

_log = structlog.get_logger("tavola.tables")

LATE = "auto:seconds=0.05,memory=64"
"""The engine that acts for a seat whose time is up."""

_COUNTED = {kind: EVENTS.labels(kind) for kind in get_args(EventKind)}

Begin = Callable[[Header, str], Awaitable[Match]]
"""Begins a match for an address: stores it and opens its table."""


class Table:
    """An open match.

    Args:
        match: The match.
        store: Where its log is kept.
        engines: Who thinks for engines' seats.
        begin: Begins the match that follows it.
        ran: How many seconds the clock has run since the last event.
        client: The address of whoever has begun it just now.
    """

    def __init__(
        self,
        match: Match,
        store: Store,
        engines: Engines,
        begin: Begin,
        ran: float = 0.0,
        client: str = NOBODY,
    ) -> None:
        self.id = match.header.id
        self._match: Match | None = match
        self.header = match.header
        self._store = store
        self._engines = engines
        self._lock = asyncio.Lock()
        self._thinker = Thinker(engines, self._act, lambda: self.company.look())
        self._client = client
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._begin = begin
        self.chat = Chat(store, self.id)
        self.plans = Plans(store, self.id)
        self.certain = Certain()
        self.company = Company(
            self._persons, lambda: self._thinker.waits, match.persons if match.seq else ()
        )
        self._audience = Audience(self.company)
        self._clock = None if match.times is None else Clock(self._ring, ran)
        self._wake_engine()
        self._follow_clock()

    def held(
        self, tokens: tuple[str, ...] | list[str], account: Account | None = None
    ) -> frozenset[int]:
        """The seats that these tokens act for, and those of the account.

        Raises:
            Refused: `unknown-token`.
        """
        return seat_tokens.held(self.header, tokens, account)

    async def take_seat(self, taking: TakeSeat, account: Account | None = None) -> int:
        """Gives somebody a seat by link; returns when it is durable.

        Returns:
            The seat; asked again with the same secret, the same.

        Raises:
            Refused: `over`, and as `seating.wanted_seat`.
        """
        async with self._lock:
            match = await self._current()
            number = seat_tokens.wanted_seat(self.header, taking, account)
            if not self.header.seats[number].is_open:
                return number
            if match.status == "over":
                raise Refused("over")
            if number in match.replaced:
                raise Refused("seat-taken")
            seat = seat_tokens.taken(self.header, number, taking, account)
            note = None if account is None else account_matches.noting(match)
            if not await self._store.take_seat(self.id, number, seat, also=note):
                # Another server on the same database was first.
                self._match = None
                raise Refused("seat-taken")
            self._seat(seat_tokens.with_taken(self.header, number, seat))
            return number

    async def claim(self, tokens: tuple[str, ...], account: Account) -> None:
        """Makes the seats that these tokens hold an account's; returns when it is durable.

        Raises:
            Refused: `unknown-token`, `claimed`.
        """
        async with self._lock:
            match = await self._current()
            held = seat_tokens.held(self.header, tokens, None)
            for number in sorted(held):
                if self.header.seats[number].account not in (None, account.id):
                    raise Refused("claimed", seat=number)
            fresh = sorted(held - seat_tokens.own(self.header, account))
            if not fresh:
                return
            header = seat_tokens.with_account(self.header, fresh, account)
            try:
                await self._store.do(account_matches.claiming(match, header, account))
            except Refused:
                # Another server on the same database was first.
                self._match = None
                raise
            self._seat(header)

    async def forget(self, account: str) -> None:
        """Takes in that an account has been deleted."""
        async with self._lock:
            match = await self._current()
            self.chat.read_again()
            self.plans.read_again()
            header = seat_tokens.without_account(self.header, account)
            self._seat(header if match.status == "over" else replace(header, rated=False))
        lines = await self.chat.lines()
        for viewer in tuple(self.company.viewers):
            viewer.tell_lines(lines, whole=True)

    async def look_again(self) -> None:
        """Reads the match again from its log, which may say more, and shows it to everybody."""
        async with self._lock:
            self._match = None
            match = await self._current()
            self._audience.show(match, self._face())

    async def close(self) -> None:
        """Does nothing more here: another process keeps the match now, and everybody goes there."""
        for task in self._tasks:
            task.cancel()
        async with self._lock:
            self._closed, self._match = True, None
            self._thinker.stop()
            if self._clock is not None:
                self._clock.stop()
        for viewer in tuple(self.company.viewers):
            viewer.send_away()

    async def withdraw(self, held: frozenset[int]) -> None:
        """Offers the match in the lobby no longer.

        Raises:
            Refused: `unknown-token`, if whoever asks holds no seat.
        """
        if not held:
            raise Refused("unknown-token")
        async with self._lock:
            await self._current()
            await self._store.withdraw(self.id)
            self._seat(replace(self.header, offered=False))

    def _seat(self, header: Header) -> None:
        """Somebody has come: everybody gets a new picture, of the same position."""
        assert self._match is not None, "the caller has just asked for it"
        self.header = header
        self._match.take_seats(header)
        self._follow_clock()
        self._audience.show(self._match, self._face())

    @property
    def attended(self) -> bool:
        """Whether somebody is here who holds a seat."""
        return any(viewer.held for viewer in self.company.viewers)

    @property
    def over(self) -> bool:
        """Whether the match is known to be over."""
        return self._match is not None and self._match.status == "over"

    async def match(self) -> Match:
        """The match as it stands."""
        async with self._lock:
            return await self._current()

    async def snapshot(self, held: frozenset[int]) -> Snapshot:
        """The match as the holder of these seats may see it."""
        match = await self.match()
        return snapshot.snapshot(match, held, self._face())

    async def watch(self, viewer: Viewer) -> Snapshot:
        """Tells the viewer of everything that happens after the snapshot."""
        async with self._lock:
            match = await self._current()
            self.company.viewers.add(viewer)
            self._wake_engine()
            self._follow_clock()
            return self._audience.welcome(viewer, match, self._face())

    def leave(self, viewer: Viewer) -> None:
        """Tells the viewer nothing more."""
        self.company.viewers.discard(viewer)
        if not self.company.viewers:
            self._audience.go_home()
            if self._match is not None:
                self._match.scene.rest()
        self._follow_clock()
        self.company.look()

    @property
    def ticking(self) -> bool:
        """Whether a clock runs here that runs on when nobody is there."""
        clock, match = self._clock, self._match
        return clock is not None and clock.runs and match is not None and not match.waits

    async def say(self, seat: int, text: str, held: frozenset[int]) -> None:
        """A seat says something; returns when it is durable.

        Raises:
            Refused: `not-your-seat`, and as `Chat.say`.
        """
        self._own(seat, held)
        line = await self.chat.say(seat, text)
        for viewer in tuple(self.company.viewers):
            viewer.tell_lines((line,), whole=False)

    async def plan(self, plan: Plan, held: frozenset[int]) -> Planned:
        """A seat plans its answers; returns when it is durable.

        Raises:
            Refused: `not-your-seat`, `stale`, and as `Plans.make`.
        """
        self._own(plan.seat, held)
        async with self._lock:
            match = await self._current()
            if plan.seq != match.seq:
                raise Refused("stale", seq=match.seq)
            return await self.plans.make(match, plan)

    async def planned(self, seat: int, held: frozenset[int]) -> Planned:
        """What is left of a seat's plan.

        Raises:
            Refused: `not-your-seat`.
        """
        self._own(seat, held)
        async with self._lock:
            return await self.plans.told(await self._current(), seat)

    async def report(self, line: int, seat: int, held: frozenset[int]) -> None:
        """A seat reports a line of the chat; returns when it is durable.

        Raises:
            Refused: `not-your-seat`, and as `Chat.report`.
        """
        self._own(seat, held)
        await self.chat.report(line, seat)
        _log.warning("line reported", match=self.id, line=line, by=seat)

    async def command(
        self,
        command: Command,
        held: frozenset[int],
        client: str = NOBODY,
        lag: float | None = None,
    ) -> int:
        """Does what is asked for; returns when it is durable.

        A command whose id the log has already is answered as the first time and does nothing more.

        Args:
            command: What is asked for.
            held: The seats of whoever asks.
            client: The address that they come from.
            lag: How many seconds the network takes to them and back, as measured here.

        Returns:
            The number of the event that the command made.

        Raises:
            Refused: With the reason; nothing has changed.
        """
        async with self._lock:
            match = await self._current()
            if (first := match.commands.get(command.id)) is not None:
                return commands.again(command, first, held)
            if lag is None or match.timed is None or match.timed[0] not in held:
                lag = 0.0
            try:
                if self._clock is not None and not match.waits and self._clock.over(lag):
                    await self._log(match, commands.flag(match))
                    match = await self._current()
                decided = commands.decide(match, command, held, self.company.away)
                if command.do == "undo" and self._turn_ends(match, held):
                    raise Refused("time-up")
                if decided[-1].kind == "rematch":
                    assert decided[-1].token is not None, "it names the match that follows"
                    await self._begin(requests.successor(match, decided[-1].token), client)
                await self._log(match, decided, lag, client=client)
                self._client = client
            except Conflict:
                match = await self._current()
                if (first := match.commands.get(command.id)) is not None:
                    return commands.again(command, first, held)
                raise Refused("stale", seq=match.seq) from None
            finally:
                self._wake_engine()
            return decided[0].seq

    async def _current(self) -> Match:
        """The match; read again from its log if what was held in memory cannot be trusted."""
        if self._closed:
            raise Refused("apart")
        if self._match is None:
            self._match = await replay(self._store, self.id)
            self.header = self._match.header
            self.plans = Plans(self._store, self.id)
            self._wake_engine()
            self._follow_clock()
        return self._match

    async def _log(
        self, match: Match, decided: list[Event], lag: float = 0.0, client: str = NOBODY
    ) -> None:
        """Stores events, then takes them in and tells the viewers.

        Args:
            match: The match as it stands.
            decided: The events.
            lag: How many seconds the network took of the time that the first of them has cost.
            client: Who makes an engine think by them, if that can be refused.

        Raises:
            Conflict: Another server on the same database was first; nothing was stored.
            Refused: `storage`, `engines-busy`.
        """
        if self._clock is not None:
            first = msgspec.structs.replace(decided[0], spent=self._clock.spent(lag))
            decided = [first, *decided[1:]]
        due_before, was_over = match.engine_due, match.status == "over"
        before, match = match, match.after(decided)
        # What each seat does, with what chance answers, is told at once.
        stages = [match]
        if match.engine_due and not due_before:
            self._engines.check_room(client)
        try:
            for events, match in await self.plans.following(match, decided[-1]):  # noqa: B020
                decided = [*decided, *events]
                stages.append(match)
            # The disk takes a while.
            views = self._audience.prepare(before, stages[0])
            due = match.engine_due
            await self._store.append(
                self.id,
                decided,
                engine_due=None if due == due_before else due,
                also=self.plans.falling(match, account_matches.following(match, was_over=was_over)),
            )
        except Conflict:
            self._match = None
            raise
        except Exception as error:
            # Stored or not: only the log can tell.
            self._match = None
            _log.exception("not stored", match=self.id)
            raise Refused("storage") from error
        for event in decided:
            _COUNTED[event.kind].inc()
        self._match = match
        self._follow_clock()
        self._audience.tell(stages[0], self._face(), views)
        for stage in stages[1:]:
            self._audience.tell(stage, self._face())
        if not self.company.viewers:
            # Somebody may have left while this was stored.
            match.scene.rest()

    def _persons(self) -> frozenset[int]:
        return frozenset() if self._match is None else self._match.persons

    def _own(self, seat: int, held: frozenset[int]) -> None:
        if seat not in held:
            raise Refused("not-your-seat", seat=seat)

    def _follow_clock(self) -> None:
        """The clock shows the time of the match.

        Time for a turn stands still while nobody is there, and until every seat is taken.
        """
        match = self._match
        if self._clock is None or match is None:
            return
        running = match.running
        lag = None if running is None else self.company.lag(running[0])
        runs = not match.waits or (bool(self.company.viewers) and not match.is_open)
        self._clock.follow(match, runs=runs, lag=lag or 0.0)

    def _face(self) -> Face | None:
        if self._clock is None or self._match is None:
            return None
        return snapshot.face(self._match, self._clock.ran, runs=self._clock.runs)

    def _turn_ends(self, match: Match, held: frozenset[int]) -> bool:
        """Whether one of these seats has no time left for its turn, which is being ended."""
        mine = match.running is not None and match.running[0] in held
        return mine and match.waits and self._clock is not None and self._clock.over()

    def _ring(self, timed: tuple[int, int]) -> None:
        late = self._match is not None and self._match.waits
        task = asyncio.create_task(self._end_turn(timed) if late else self._end_time(timed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end_time(self, timed: tuple[int, int]) -> None:
        """Ends the match if the seat still has to act and has no time left."""
        async with self._lock:
            match = await self._current()
            if self._clock is None or match.running != timed:
                return
            if not self._clock.over():
                self._follow_clock()
                return
            try:
                await self._log(match, commands.flag(match))
            except (Conflict, Refused):
                _log.warning("flag not logged", match=self.id)

    async def _end_turn(self, timed: tuple[int, int]) -> None:
        """Plays the rest of a turn whose time is up, as an engine with little time would."""
        while True:
            async with self._lock:
                match = await self._current()
                if match.timed != timed:
                    return
                state = None if match.status == "confirming" else match.state
            token = None
            if state is not None:
                try:
                    thought = Thought(self.id, LATE, state, late=True)
                    token = await self._engines.think(thought, self._awaiting(match))
                except Exception:
                    # The match stands as it is, and the seat may still act.
                    _log.exception("engine failed", match=self.id, position=state.text)
                if token is None:
                    return
            async with self._lock:
                if (await self._current()).seq != match.seq:
                    continue
                try:
                    await self._log(match, commands.late(match, token))
                except (Conflict, Refused):
                    _log.warning("late action not logged", match=self.id)
                    return
                finally:
                    self._wake_engine()

    def _wake_engine(self) -> None:
        """Lets the engine think whose turn it is, if it does not already."""
        match = self._match
        self._thinker.heed(match)
        if match is None or match.engine is None:
            return
        if not match.engine_due and not self.company.viewers:
            # Engines among themselves go on when somebody looks: others want to play against them.
            return
        self._thinker.wake(match, self._awaiting(match))

    def _awaiting(self, match: Match) -> set[str]:
        """The addresses of those who wait for what an engine does here."""
        there = self.company.viewers
        here = {viewer.client for viewer in there if viewer.held or not match.persons}
        return (here | {self._client}) - {NOBODY}

    async def _act(self, thought: Thought, token: str | None) -> None:
        """An engine acts, if it still is to."""
        async with self._lock:
            match = self._match
            if not self._thinker.ends(thought) or token is None or match is None:
                return
            try:
                await self._log(match, commands.engine(match, token))
            except (Conflict, Refused):
                _log.warning("engine's action not logged", match=self.id)
            self._wake_engine()
