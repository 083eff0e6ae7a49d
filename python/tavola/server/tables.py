"""Tables: the matches that are open now, their viewers, and the engines that think at them.

A table takes one command at a time. What a command comes to is decided, stored, and only then taken
in and told: so nobody ever sees what could still be lost.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

import tavola
from tavola import view as views
from tavola.server import games, proofs, records, seating
from tavola.server.clock import Clock
from tavola.server.engines import Engines, Thought
from tavola.server.errors import Refused
from tavola.server.matches import Damaged, Match
from tavola.server.store import Conflict, Event, Header, Store
from tavola.server.urn import new_seed
from tavola.server.wire import (
    Certainty,
    Command,
    Created,
    Draws,
    Explanation,
    Link,
    NewMatch,
    Person,
    Snapshot,
    Standing,
    TakeSeat,
    TurnClock,
)

_log = structlog.get_logger("tavola.tables")

LATE = "auto:seconds=0.05,memory=64"
"""The engine that acts for a seat whose time is up."""

WARM = 256
"""How many tables stay in memory though nobody is at them."""


class Viewer(Protocol):
    """Whoever is told of what happens at a table."""

    held: frozenset[int]

    def tell(self, seq: int, events: tuple[views.Event, ...], snapshot: Snapshot) -> None:
        """An event was logged; returns at once."""

    def show(self, snapshot: Snapshot) -> None:
        """Nothing was logged, but there is something new to see; returns at once."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A position of a finished match that somebody looks at.

    Attributes:
        match: The match.
        place: After how many actions.
        state: The position.
        record: The whole match.
    """

    match: str
    place: int
    state: tavola.State
    record: str


class Table:
    """An open match."""

    def __init__(self, match: Match, store: Store, engines: Engines) -> None:
        self.id = match.header.id
        self._match: Match | None = match
        self.header = match.header
        self._store = store
        self._engines = engines
        self._lock = asyncio.Lock()
        self._viewers: set[Viewer] = set()
        self._thought: Thought | None = None
        self._certain: Certainty | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        seconds = match.header.turn_seconds
        self._clock = None if seconds is None else Clock(seconds, self._ring)
        self._wake_engine()
        self._follow_clock()

    def held(self, tokens: tuple[str, ...] | list[str]) -> frozenset[int]:
        """The seats that these tokens act for.

        Raises:
            Refused: `unknown-token`.
        """
        return seating.held(self.header, tokens)

    async def take_seat(self, taking: TakeSeat) -> int:
        """Gives somebody a seat by link; returns when it is durable.

        Returns:
            The seat; asked again with the same secret, the same.

        Raises:
            Refused: `over`, and as `seating.wanted_seat`.
        """
        async with self._lock:
            match = await self._current()
            number = seating.wanted_seat(self.header, taking)
            if not self.header.seats[number].is_open:
                return number
            if match.status == "over":
                raise Refused("over")
            name, token_hash = seating.tidy(taking.name), seating.hash_of(taking.token)
            if not await self._store.take_seat(self.id, number, name=name, token_hash=token_hash):
                # Another server on the same database was first.
                self._match = None
                raise Refused("seat-taken")
            self._seat(seating.with_taken(self.header, number, name=name, token_hash=token_hash))
            return number

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
        self.header = self._match.header = header
        self._follow_clock()
        for viewer in tuple(self._viewers):
            viewer.show(self._match.snapshot(viewer.held, self._face()))

    @property
    def attended(self) -> bool:
        """Whether somebody is here who holds a seat."""
        return any(viewer.held for viewer in self._viewers)

    @property
    def over(self) -> bool:
        """Whether the match is known to be over."""
        return self._match is not None and self._match.status == "over"

    async def standing(self, held: frozenset[int]) -> Standing:
        """How the match stands, in short."""
        async with self._lock:
            return (await self._current()).standing(held)

    async def snapshot(self, held: frozenset[int]) -> Snapshot:
        """The match as the holder of these seats may see it."""
        async with self._lock:
            return (await self._current()).snapshot(held, self._face())

    async def prospect(self, seq: int, token: str, held: frozenset[int]) -> views.Prospect:
        """What an action would bring.

        Raises:
            Refused: `stale`, and as `Match.prospect`.
        """
        async with self._lock:
            match = await self._current()
        if seq != match.seq:
            raise Refused("stale", seq=match.seq)
        return match.prospect(token, held)

    async def explain(self, touched: list[str], turn: int | None) -> Explanation:
        """Why nothing can be done by touching these cells, in order, with the piece so turned.

        Raises:
            Refused: `unknown-cell`.
        """
        async with self._lock:
            state = (await self._current()).state
        # Touching a part of something touches the whole.
        wholes = {
            cell.id: cell.part_of or cell.id
            for area in views.view(state).areas
            for cell in area.cells
        }
        for cell in touched:
            if cell not in wholes:
                raise Refused("unknown-cell", cell=cell)
        whole = [wholes[cell] for cell in touched]
        return Explanation(views.refusal_of_touch(state, whole, turn))

    async def certainty(self) -> Certainty:
        """What is certain of the position now.

        Raises:
            Refused: `no-proofs`.
        """
        async with self._lock:
            match = await self._current()
            state, seq = match.state, match.seq
        if not games.info(match.header.game).proofs:
            raise Refused("no-proofs", game=match.header.game)
        if self._certain is None or self._certain.seq != seq:
            self._certain = await proofs.certainty(state, seq)
        return self._certain

    async def then(self, place: int, held: frozenset[int]) -> Snapshot:
        """The finished match as it was after so many actions.

        Raises:
            Refused: As `Match.then`.
        """
        async with self._lock:
            return (await self._current()).then(place, held)

    async def review(self, place: int) -> Reviewed:
        """A position of the finished match, for analysis.

        Raises:
            Refused: `not-over`, `unknown-place`.
        """
        async with self._lock:
            match = await self._current()
        if match.status != "over":
            raise Refused("not-over")
        return Reviewed(self.id, place, match.at(place).state, records.record(match))

    async def record(self) -> str:
        """The match as a record."""
        async with self._lock:
            return records.record(await self._current())

    async def draws(self) -> Draws:
        """All that is needed to check the draws of the finished match.

        Raises:
            Refused: As `records.draws`.
        """
        async with self._lock:
            return records.draws(await self._current())

    async def watch(self, viewer: Viewer) -> Snapshot:
        """Tells the viewer of everything that happens after the snapshot."""
        async with self._lock:
            match = await self._current()
            self._viewers.add(viewer)
            self._wake_engine()
            self._follow_clock()
            return match.snapshot(viewer.held, self._face())

    def leave(self, viewer: Viewer) -> None:
        """Tells the viewer nothing more."""
        self._viewers.discard(viewer)
        self._follow_clock()

    async def command(self, command: Command, held: frozenset[int]) -> int:
        """Does what is asked for; returns when it is durable.

        A command whose id the log has already is answered as the first time and does nothing more.

        Returns:
            The number of the event that the command made.

        Raises:
            Refused: With the reason; nothing has changed.
        """
        async with self._lock:
            match = await self._current()
            if (first := match.commands.get(command.id)) is not None:
                return _again(command, first, held)
            decided = match.decide(command, held)
            self._stop_thinking()
            try:
                await self._log(match, decided)
            except Conflict:
                match = await self._current()
                if (first := match.commands.get(command.id)) is not None:
                    return _again(command, first, held)
                raise Refused("stale", seq=match.seq) from None
            finally:
                self._wake_engine()
            return decided[0].seq

    async def _current(self) -> Match:
        """The match; read again from its log if what was held in memory cannot be trusted."""
        if self._match is None:
            self._match = await replay(self._store, self.id)
            self.header = self._match.header
            self._wake_engine()
            self._follow_clock()
        return self._match

    async def _log(self, match: Match, decided: list[Event]) -> None:
        """Stores events, then takes them in and tells the viewers.

        Raises:
            Conflict: Another server on the same database was first; nothing was stored.
            Refused: `storage`.
        """
        pictures = []
        for event in decided:
            match, done = match.after(event)
            pictures.append((match, done))
        try:
            await self._store.append(self.id, decided, engine_due=match.engine is not None)
        except Conflict:
            self._match = None
            raise
        except Exception as error:
            # Stored or not: only the log can tell.
            self._match = None
            _log.exception("not stored", match=self.id)
            raise Refused("storage") from error
        self._match = match
        self._follow_clock()
        for picture, done in pictures:
            self._tell(picture, done)

    def _tell(self, match: Match, done: tuple[views.Event, ...]) -> None:
        snapshots: dict[frozenset[int], Snapshot] = {}
        for viewer in tuple(self._viewers):
            if viewer.held not in snapshots:
                snapshots[viewer.held] = match.snapshot(viewer.held, self._face())
            viewer.tell(match.seq, done, snapshots[viewer.held])

    def _follow_clock(self) -> None:
        """The clock shows the turn of the match.

        It stands still while nobody is there, and until every seat is taken.
        """
        if self._clock is not None and self._match is not None:
            self._clock.follow(self._match, runs=bool(self._viewers) and not self.header.is_open)

    def _face(self) -> TurnClock | None:
        return None if self._clock is None else self._clock.face

    def _ring(self, timed: tuple[int, int]) -> None:
        task = asyncio.create_task(self._end_turn(timed))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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
                    token = await self._engines.think(Thought(self.id, LATE, state))
                except Exception:
                    # The match stands as it is, and the seat may still act.
                    _log.exception("engine failed", match=self.id, position=state.text)
                if token is None:
                    return
            async with self._lock:
                if (await self._current()).seq != match.seq:
                    continue
                try:
                    await self._log(match, match.decide_late(token))
                except (Conflict, Refused):
                    _log.warning("late action not logged", match=self.id)
                    return
                finally:
                    self._wake_engine()

    def _wake_engine(self) -> None:
        """Lets the engine think whose turn it is, if it does not already."""
        match = self._match
        if match is None or match.engine is None or self._thought is not None:
            return
        self._thought = Thought(self.id, match.engine, match.state)
        task = asyncio.create_task(self._think(match, self._thought))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _stop_thinking(self) -> None:
        if self._thought is not None:
            self._thought.stop()
            self._thought = None

    async def _think(self, match: Match, thought: Thought) -> None:
        try:
            token = await self._engines.think(thought)
        except Exception:
            # The match stands as it is; the engine is asked again when somebody comes.
            _log.exception("engine failed", match=self.id, position=match.state.text)
            token = None
        async with self._lock:
            if self._thought is not thought:
                return
            self._thought = None
            if token is None:
                return
            try:
                await self._log(match, match.decide_engine(token))
            except (Conflict, Refused):
                _log.warning("engine's action not logged", match=self.id)
            self._wake_engine()


def _again(command: Command, first: Event, held: frozenset[int]) -> int:
    """The answer to a command that has been answered before."""
    if not held:
        raise Refused("not-your-seat", seat=command.seat)
    kind = "action" if command.do == "play" else command.do
    same_action = command.do != "play" or command.token == first.token
    if (command.seat, kind) != (first.seat, first.kind) or not same_action:
        raise Refused("reused-id")
    return first.seq


async def replay(store: Store, match_id: str) -> Match:
    """A match from its log.

    Raises:
        Refused: `unknown-match`, `rules-changed`; `damaged` if the log does not come to what was
            stored with it.
    """
    stored = await store.load(match_id)
    if stored is None:
        raise Refused("unknown-match", match=match_id)
    header, log = stored
    try:
        match = Match(header)
        for event in log:
            match.apply(event)
    except Damaged as damage:
        _log.exception("damaged match", match=match_id, seq=damage.seq)
        raise Refused("damaged", seq=damage.seq) from damage
    return match


class Tables:
    """Every table: opens matches, old and new."""

    def __init__(self, store: Store, engines: Engines) -> None:
        self._store = store
        self._engines = engines
        # One table to a match, as long as anybody is at it; the last few stay warm.
        self._open: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._warm: OrderedDict[str, Table] = OrderedDict()
        self._opening = asyncio.Lock()

    async def create(self, wanted: NewMatch) -> Created:
        """Begins a match; returns when it is durable.

        Raises:
            Refused: `unknown-game`, `unknown-option`, `unknown-value`, `seat-count`,
                `nothing-to-offer`.
        """
        game = games.load(wanted.game, dict(wanted.options))
        if len(wanted.seats) != game.seats:
            raise Refused("seat-count", needed=game.seats, given=len(wanted.seats))
        tokens = tuple(
            seating.new_token() if isinstance(seat, Person) else None for seat in wanted.seats
        )
        invitations = tuple(
            seating.new_invitation() if isinstance(seat, Link) else None for seat in wanted.seats
        )
        if wanted.lobby and not any(invitations):
            raise Refused("nothing-to-offer")
        header = Header(
            id=secrets.token_urlsafe(9),
            game=game.name,
            options={name: str(value) for name, value in game.options.items()},
            rules_version=game.rules_version,
            confirm=wanted.confirm,
            turn_seconds=wanted.turn_seconds,
            seed=new_seed() if game.has_chance else None,
            contribute=wanted.contribute and game.has_chance,
            start=game.start().text,
            offered=wanted.lobby,
            seats=tuple(map(seating.stored, wanted.seats, tokens, invitations)),
        )
        match = Match(header)
        log = match.decide_start()
        for event in log:
            match.apply(event)
        await self._store.create(header, log, engine_due=match.engine is not None)
        self._set_up(match)
        _log.info("match begun", match=header.id, game=header.game)
        return Created(header.id, tokens, invitations, match.urn.commitment)

    async def open(self, match_id: str) -> Table:
        """The table of a match.

        Raises:
            Refused: As `replay`.
        """
        table = self._open.get(match_id)
        if table is None:
            async with self._opening:
                table = self._open.get(match_id)
                if table is None:
                    table = self._set_up(await replay(self._store, match_id))
        self._keep_warm(table)
        return table

    def known(self, match_id: str) -> Table | None:
        """The table of a match if it is open already."""
        return self._open.get(match_id)

    def attended(self) -> list[Table]:
        """The tables at which somebody is who holds a seat."""
        return [table for table in self._open.values() if table.attended]

    async def resume(self) -> None:
        """Opens every match in which an engine is to act."""
        for match_id in await self._store.engines_due():
            try:
                await self.open(match_id)
            except Refused as error:
                _log.error("match not resumed", match=match_id, code=error.code, **error.params)

    def _set_up(self, match: Match) -> Table:
        table = Table(match, self._store, self._engines)
        self._open[table.id] = table
        self._keep_warm(table)
        return table

    def _keep_warm(self, table: Table) -> None:
        self._warm[table.id] = table
        self._warm.move_to_end(table.id)
        if len(self._warm) > WARM:
            self._warm.popitem(last=False)
