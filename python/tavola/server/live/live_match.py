"""A live match: a match in memory with its viewers, clock and engines.

A live match executes one command at a time. It applies the resulting events to a copy and stores
them. Only then the copy replaces the match, and the events are sent: no viewer ever sees an event
that could still be lost.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import TypeVar, get_args

import msgspec
import structlog

from tavola.errors import GameFailed
from tavola.server.accounts import ratings
from tavola.server.errors import RequestError
from tavola.server.live import account_matches, blocks, finished_matches, series, tournament_boards
from tavola.server.live.arrivals import Arrivals
from tavola.server.live.chat import Chat
from tavola.server.live.clock import Clock
from tavola.server.live.conditional_moves import ConditionalMoves
from tavola.server.live.engine_player import EnginePlayer
from tavola.server.live.engine_pool import SearchTask
from tavola.server.live.forced_wins import ForcedWins
from tavola.server.live.hints import Hints
from tavola.server.live.seats import SeatChange
from tavola.server.live.services import Services
from tavola.server.live.timeouts import timeout_events
from tavola.server.live.why_not import WhyNotAnswers
from tavola.server.matches import decisions, player_requests
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event, EventKind, Header
from tavola.server.matches.match import Match
from tavola.server.ops.fair_queue import NO_CLIENT
from tavola.server.ops.metrics import EVENTS
from tavola.server.outbox.match_events import MatchEvents
from tavola.server.schema.responses import ClockState, Snapshot
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.presence import Presence, Viewer
from tavola.server.snapshots.subscribers import Subscribers
from tavola.server.storage.database import LogConflict

T = TypeVar("T")

_log = structlog.get_logger("tavola.matches")

_COUNTED = {kind: EVENTS.labels(kind) for kind in get_args(EventKind)}


class LiveMatch:
    """An open match.

    Its parts do not refer to it, so that it is freed when nothing uses it any more.

    Args:
        match: The match.
        services: The parts of the server that it uses.
        ran: Seconds that the clock has run since the last event.
        client: The address of the client that created it just now.
    """

    def __init__(
        self, match: Match, services: Services, ran: float = 0.0, client: str = NO_CLIENT
    ) -> None:
        self.id = match.header.id
        self._match: Match | None = match
        self.header = match.header
        self._services = services
        self._lock = asyncio.Lock()
        self._client = client
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = self._unattended = False
        self.arrivals = Arrivals()
        self.conditional_moves = ConditionalMoves(services.database, self.id)
        self.forced_wins = ForcedWins(services.work)
        self.hints = Hints(services.work)
        self.why_not = WhyNotAnswers(services.work)
        self.presence = Presence(match.persons if match.seq else ())
        self._events = MatchEvents(services.database, self.id, self.presence)
        self._set_persons(match)
        self.chat = Chat(services.database, self.id, self.presence, self._events.on_chat)
        self._engine_player = EnginePlayer(services.engines, self.presence)
        self._subscribers = Subscribers(self.presence)
        self._clock = None if match.remaining_time is None else Clock(ran)
        self._wake_engine()
        self._update_clock()

    async def change_seats(self, decide: Callable[[Match], SeatChange]) -> SeatChange:
        """Change the seats as decided; return when it is durable.

        Raises:
            RequestError: As `decide`, or because another player was first.
        """
        async with self._lock:
            change = decide(await self._load())
            if change.statements:
                notices = []
                if change.seat is not None:
                    notices = self._events.on_seat_taken(change.header, change.seat)
                try:
                    await self._services.database.write([*change.statements, *notices])
                except RequestError:
                    # Another server on the same database was first.
                    self._match = None
                    raise
                await self._update_header(change.header)
            return change

    async def change_header(self, decide: Callable[[Match], Header]) -> None:
        """Show a header that was stored elsewhere, as after the change of an account."""
        async with self._lock:
            await self._update_header(decide(await self._load()))

    async def reload(self) -> None:
        """Reload the match from its log, and send it to every viewer."""
        async with self._lock:
            self._match = None
            match = await self._load()
            self._subscribers.send_snapshot(match, self._clock_state())

    async def close(self) -> None:
        """Stop here: another process owns the match now, and viewers reconnect there."""
        for task in self._tasks:
            task.cancel()
        async with self._lock:
            self._closed, self._match = True, None
            self._engine_player.stop()
            if self._clock is not None:
                self._clock.stop()
        for viewer in tuple(self.presence.viewers):
            viewer.disconnect()

    async def _update_header(self, header: Header) -> None:
        """Set a new header and send every viewer a new snapshot of the same position."""
        assert self._match is not None, "the caller has just asked for it"
        self.header = header
        self._match.update_header(header)
        await self._load_players(self._match)
        self._set_persons(self._match)
        self._update_clock()
        self._subscribers.send_snapshot(self._match, self._clock_state())

    def _set_persons(self, match: Match) -> None:
        self.presence.persons = match.persons
        self._events.set_seats(match.header, match.persons)

    @property
    def has_players_present(self) -> bool:
        """Whether a viewer who holds a seat is connected."""
        return any(viewer.held for viewer in self.presence.viewers)

    @property
    def is_over(self) -> bool:
        """Whether the match is known to be over."""
        return self._match is not None and self._match.status == "over"

    async def match(self) -> Match:
        """Return the match as it stands."""
        async with self._lock:
            return await self._load()

    async def snapshot(self, held: frozenset[int]) -> Snapshot:
        """Return the match as the holder of these seats may see it."""
        match = await self.match()
        return snapshot.full_snapshot(match, held, self._clock_state())

    async def subscribe(self, viewer: Viewer) -> Snapshot:
        """Send the viewer every update after the snapshot."""
        async with self._lock:
            match = await self._load()
            self.presence.viewers.add(viewer)
            # An engine that failed tries again for every viewer who comes.
            self._engine_player.forget_failure()
            self._wake_engine()
            self._update_clock()
            self._spawn(self._events.on_return(viewer.held))
            return self._subscribers.first_snapshot(viewer, match, self._clock_state())

    def unsubscribe(self, viewer: Viewer) -> None:
        """Stop sending updates to the viewer."""
        self.presence.viewers.discard(viewer)
        if not self.presence.viewers:
            self._subscribers.clear()
            if self._match is not None:
                self._match.position.drop_views()
        self._update_clock()
        self.presence.broadcast()

    @property
    def has_running_clock(self) -> bool:
        """Whether a clock runs here that does not wait for viewers."""
        clock, match = self._clock, self._match
        return clock is not None and match is not None and clock.runs_unwatched(match)

    async def retry_engine(self, held: frozenset[int]) -> None:
        """Let the engine that failed try again.

        Raises:
            RequestError: `not-your-seat`, if the client only watches persons play.
        """
        async with self._lock:
            match = await self._load()
            if match.persons and not held & match.persons:
                raise RequestError("not-your-seat", seat=min(match.persons))
            self._engine_player.forget_failure()
            self._wake_engine()

    def play_unattended(self) -> None:
        """Let engines play each other without a viewer, as in a tournament."""
        self._unattended = True
        self._wake_engine()

    async def end(self, decide: Callable[[Match], list[Event]]) -> None:
        """End the match for a tournament, unless it is over; return when it is durable.

        Args:
            decide: Returns the events; none: the match continues.

        Raises:
            RequestError: `storage`.
            LogConflict: Another server has written to the log.
        """
        await self.change(lambda match: [] if match.status == "over" else decide(match))

    async def change(self, decide: Callable[[Match], list[Event]]) -> None:
        """Log events that no player has commanded; return when they are durable.

        Args:
            decide: Returns the events; none: the match stays as it is.

        Raises:
            RequestError: `storage`.
            LogConflict: Another server has written to the log.
        """
        async with self._lock:
            match = await self._load()
            if events := decide(match):
                await self._commit(match, events)

    async def with_match(self, work: Callable[[Match], Awaitable[T]]) -> T:
        """Return the result of work on the match as it stands; commands wait for it."""
        async with self._lock:
            return await work(await self._load())

    async def execute(
        self,
        command: Command,
        held: frozenset[int],
        client: str = NO_CLIENT,
        lag: float | None = None,
        arrived: float | None = None,
    ) -> int:
        """Execute a command; return when it is durable.

        A command whose id the log has already is answered as the first time and does nothing more.

        Args:
            command: What is asked for.
            held: The seats that the client holds.
            client: The address that they come from.
            lag: How many seconds the network takes to them and back, as measured here.
            arrived: When the command arrived, by `time.monotonic`, as in `arrivals`; `None`: now.

        Returns:
            The number of the event that the command made.

        Raises:
            RequestError: With the reason; nothing has changed.
        """
        if arrived is not None and self._clock is not None and self._clock.is_expired():
            await self.arrivals.wait(arrived)
        async with self._lock:
            match = await self._load()
            if (first := match.commands.get(command.id)) is not None:
                return decisions.repeat_response(command, first, held)
            if lag is None or match.timed_turn is None or match.timed_turn[0] not in held:
                lag = 0.0
            try:
                if self._clock is not None and self._clock.ends_match(match, lag, arrived):
                    await self._commit(match, decisions.flag_events(match))
                    match = await self._load()
                decided = decisions.decide(match, command, held, self._replaceable_seats)
                if command.do == "undo" and self._clock and self._clock.ends_turn(match, held):
                    raise RequestError("time-up")
                if decided[0].kind == "ask":
                    await blocks.check_request(self._services.database, match, decided[0])
                if decided[-1].kind == "rematch":
                    header = player_requests.rematch_header(match, decided[-1])
                    await self._services.create_match(header, client)
                await self._commit(match, decided, lag, arrived, client)
                self._client = client
            except LogConflict:
                match = await self._load()
                if (first := match.commands.get(command.id)) is not None:
                    return decisions.repeat_response(command, first, held)
                raise RequestError("stale", seq=match.seq) from None
            finally:
                self._wake_engine()
            return decided[0].seq

    async def _load(self) -> Match:
        """Return the match, read again from its log if the one in memory may be wrong."""
        if self._closed:
            raise RequestError("apart")
        if self._match is None:
            self._match = await self._services.loader.reload(self.id)
            self.header = self._match.header
            self._set_persons(self._match)
            self.conditional_moves = ConditionalMoves(self._services.database, self.id)
            self._wake_engine()
            self._update_clock()
        await self._load_players(self._match)
        return self._match

    async def _load_players(self, match: Match) -> None:
        """Look up the ratings of the players, and the score of their series."""
        if match.ratings is not None and match.score_before is not None:
            return
        players, match.score_before = await self._services.database.read(
            lambda connection: (
                ratings.seat_ratings(connection, match.header),
                series.score_before(connection, self.id, len(match.seats)),
            )
        )
        match.set_ratings(players)

    async def _commit(
        self,
        match: Match,
        events: list[Event],
        lag: float = 0.0,
        arrived: float | None = None,
        client: str = NO_CLIENT,
    ) -> None:
        """Store events, then replace the match and update the viewers.

        Args:
            match: The match as it stands.
            events: The events.
            lag: How many seconds the network took of the time that the first of them has cost.
            arrived: When the command arrived that leads to them.
            client: Who makes an engine think by them, if that can be refused.

        Raises:
            LogConflict: Another server on the same database was first; nothing was stored.
            RequestError: `storage`, `engines-busy`.
        """
        if self._clock is not None:
            spent = self._clock.spent_milliseconds(lag, arrived)
            events = [msgspec.structs.replace(events[0], spent=spent), *events[1:]]
        due_before, was_over = match.engine_due, match.status == "over"
        before, match = match, match.with_events(events)
        # Each seat's action, with the chance events after it, is sent as one update.
        stages = [match]
        if match.engine_due and not due_before:
            self._services.engines.check_room(client)
        try:
            for reply, match in await self.conditional_moves.replies(match, events[-1]):  # noqa: B020
                events = [*events, *reply]
                stages.append(match)
            # The disk takes a while.
            views = self._subscribers.prepare(before, stages[0])
            due = match.engine_due
            await self._services.database.append(
                self.id,
                events,
                engine_due=None if due == due_before else due,
                extra=[
                    *self.conditional_moves.discard_invalid(match),
                    *finished_matches.on_over(match, was_over=was_over),
                    *tournament_boards.on_over(match, was_over=was_over),
                    *account_matches.on_events_stored(match, was_over=was_over),
                    *self._events.on_events_stored(before, match, events),
                ],
            )
        except LogConflict:
            self._match = None
            raise
        except Exception as error:
            # Stored or not: only the log knows.
            self._match = None
            _log.exception("not stored", match=self.id)
            raise RequestError("storage") from error
        for event in events:
            _COUNTED[event.kind].inc()
        self._match = match
        self._set_persons(match)
        if match.status == "over":
            self._services.engines.forget(self.id)
        self._update_clock()
        self._subscribers.send_update(stages[0], self._clock_state(), views)
        for stage in stages[1:]:
            self._subscribers.send_update(stage, self._clock_state())
        if not self.presence.viewers:
            # The last viewer may have left during the write.
            match.position.drop_views()

    def _replaceable_seats(self) -> frozenset[int]:
        """Return the seats that an engine may take over: players have gone, or an agent failed."""
        failed, match = self._engine_player.failure, self._match
        agents = frozenset[int]()
        if failed is not None and match is not None and match.seats[failed.seat].agent is not None:
            agents = frozenset({failed.seat})
        return self.presence.absent_seats() | agents

    def _update_clock(self) -> None:
        """Set the clock to the time of the match.

        A turn clock stops while no viewer is connected, and until every seat is taken.
        """
        match = self._match
        if self._clock is None or match is None:
            return
        running = match.running_turn
        lag = None if running is None else self.presence.lag(running[0])
        runs = not match.clock_waits_for_viewers or (
            bool(self.presence.viewers) and not match.has_open_seats
        )
        self._clock.update(match, self._on_clock_expired, is_running=runs, lag=lag or 0.0)

    def _clock_state(self) -> ClockState | None:
        clock, match = self._clock, self._match
        return None if clock is None or match is None else clock.state(match)

    def _on_clock_expired(self, timed: tuple[int, int]) -> None:
        self._spawn(self._end_turn(timed, time.monotonic()))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _end_turn(self, timed: tuple[int, int], at: float) -> None:
        """End the turn of a seat whose time was over at a time, unless it had acted before."""
        await self.arrivals.wait(at)
        while self._clock is not None:
            match, engines = await self.match(), self._services.engines
            clients = self.presence.waiting_clients(self._client)
            events = await timeout_events(match, timed, self._clock, engines, clients)
            async with self._lock:
                if (await self._load()).seq != match.seq:
                    continue
                if not events:
                    if not self._clock.is_expired():
                        self._update_clock()
                    return
                try:
                    await self._commit(match, events)
                except (LogConflict, RequestError):
                    _log.warning("timeout not logged", match=self.id)
                    return
                finally:
                    self._wake_engine()

    def _wake_engine(self) -> None:
        """Start the engine whose turn it is, unless it is running."""
        match = self._match
        self._engine_player.stop_if_outdated(match)
        if match is None or match.engine is None or match.is_full:
            return
        if not (match.engine_due or self.presence.viewers or self._unattended):
            # Engines play each other only while a viewer watches: other players wait for the
            # engines.
            return
        self._engine_player.start(
            match, self.presence.waiting_clients(self._client), self._play_engine_action
        )

    async def _play_engine_action(self, task: SearchTask, token: str | None) -> None:
        """Play an engine's action, if the engine is still to act."""
        async with self._lock:
            match = self._match
            if not self._engine_player.finish(task) or token is None or match is None:
                return
            try:
                await self._commit(match, decisions.engine_events(match, token))
            except (LogConflict, RequestError):
                _log.warning("engine's action not logged", match=self.id)
            except GameFailed as error:
                self._engine_player.fail(match, task, error)
            self._wake_engine()
