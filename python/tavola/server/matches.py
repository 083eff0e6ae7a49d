"""A match: its log of events, and what the log comes to.

`Match` is the projection of a log. `Match.decide` says which events a command comes to, without
changing anything; `Match.apply` takes in an event. A replay applies the same events again, and
every event carries the position that it led to, so a replay that comes to anything else is found
out.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import msgspec

import tavola
from tavola import view as views
from tavola.server import games, seating
from tavola.server.errors import Refused
from tavola.server.store import Event, EventKind, Header
from tavola.server.urn import Urn
from tavola.server.wire import Can, Command, Played, Result, Snapshot, Standing, TurnClock
from tavola.view import Text, View


class Damaged(Exception):
    """A log does not come to the positions that are stored in it.

    Attributes:
        seq: The first event that does not fit.
    """

    def __init__(self, seq: int) -> None:
        super().__init__(f"event {seq} does not lead to the position stored with it")
        self.seq = seq


@dataclass(frozen=True, slots=True)
class _Step:
    """An action in force, the state it led to, and that state's view for a spectator."""

    played: Played
    state: tavola.State
    view: View


class Match:
    """A match as its log has made it.

    Attributes:
        header: What was fixed at the beginning.
        game: The game.
        seq: How many events its log has.
        commands: The events that commands came to, by the commands' ids.
        resigned: The seat that has resigned, if one has.
        urn: What its draws come from.

    Args:
        header: What was fixed at the beginning.

    Raises:
        Refused: `rules-changed`.
        Damaged: The start is not the one stored.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = games.load(header.game, header.options)
        if self.game.rules_version != header.rules_version:
            raise Refused("rules-changed", began=header.rules_version, now=self.game.rules_version)
        self.seq = 0
        self.commands: dict[str, Event] = {}
        self.resigned: int | None = None
        self._start = self.game.start()
        if self._start.text != header.start:
            raise Damaged(0)
        self._start_view = views.view(self._start)
        self._steps: list[_Step] = []
        self._confirmed = 0
        persons = (number for number, seat in enumerate(header.seats) if seat.kind == "person")
        self.urn = Urn(
            header.seed,
            (None,) * len(header.seats),
            frozenset(persons if header.contribute else ()),
        )
        # The turn that is timed, when it began, and when something last happened.
        self._timed = self.timed
        self._began: str | None = None
        self._latest: str | None = None

    # What it comes to.

    @property
    def state(self) -> tavola.State:
        """The position now."""
        return self._steps[-1].state if self._steps else self._start

    @property
    def line(self) -> tuple[tuple[Played, tavola.State], ...]:
        """The actions in force, each with the position before it."""
        before = [self._start, *(step.state for step in self._steps[:-1])]
        return tuple(zip((step.played for step in self._steps), before, strict=False))

    @property
    def status(self) -> Literal["playing", "confirming", "over"]:
        """Whether somebody acts, confirms, or nobody does."""
        if self.resigned is not None:
            return "over"
        if self._awaiting() is not None:
            return "confirming"
        return "over" if self.state.to_act is None else "playing"

    @property
    def acting(self) -> int | None:
        """The seat that is to act or to confirm; `None` while chance decides, and at the end."""
        if self.resigned is not None:
            return None
        awaiting = self._awaiting()
        seat = self.state.to_act if awaiting is None else awaiting
        return None if seat == tavola.CHANCE else seat

    @property
    def engine(self) -> str | None:
        """The name of the engine that is to act; `None` if no engine is to act."""
        if self.status != "playing" or self.state.to_act == tavola.CHANCE:
            return None
        return self.header.seats[self._seat_to_act()].engine

    @property
    def timed(self) -> tuple[int, int] | None:
        """The person's seat that is to act or to confirm and its turn; `None` if it is nobody's."""
        seat = self.acting
        if seat is None or self.header.seats[seat].kind == "engine":
            return None
        if self.status == "confirming":
            return seat, self._steps[-1].played.turn
        return seat, (self._steps[-1].view if self._steps else self._start_view).turn

    @property
    def used(self) -> float:
        """How many seconds of the timed turn had passed when something last happened in it."""
        if self._began is None or self._latest is None:
            return 0.0
        passed = datetime.fromisoformat(self._latest) - datetime.fromisoformat(self._began)
        return max(passed.total_seconds(), 0.0)

    def _seat_to_act(self) -> int:
        seat = self.state.to_act
        assert seat is not None
        assert seat != tavola.CHANCE, "nobody is asked while chance is to act"
        return seat

    def _awaiting(self) -> int | None:
        """The person's seat whose turn is complete and not confirmed."""
        if not self.header.confirm or not self._steps or self._confirmed == len(self._steps):
            return None
        last = self._steps[-1]
        seat = last.played.seat
        if seat < 0 or self.header.seats[seat].kind == "engine":
            return None
        if last.state.to_act == tavola.CHANCE:
            return None
        same_turn = last.view.turn == last.played.turn and last.state.to_act == seat
        return None if same_turn else seat

    # What a command comes to.

    def decide(self, command: Command, held: frozenset[int]) -> list[Event]:
        """The events that a command comes to.

        Args:
            command: What is asked for.
            held: The seats of whoever asks.

        Raises:
            Refused: With the reason; nothing has changed.
        """
        if command.seat >= len(self.header.seats):
            raise Refused("unknown-seat", seat=command.seat)
        if command.seat not in held and not (held and command.do == "undo"):
            raise Refused("not-your-seat", seat=command.seat)
        # Seats contribute when they come, whatever they have seen.
        if command.seq != self.seq and command.do != "contribute":
            raise Refused("stale", seq=self.seq)
        if self.status == "over":
            raise Refused("over")
        match command.do:
            case "play":
                events = self._decide_play(command)
            case "undo":
                events = [self._decide_undo(command, held)]
            case "confirm":
                events = [self._decide_confirm(command)]
            case "resign":
                events = [self._event("resign", command.seat, self.state, command=command.id)]
            case "contribute":
                events = self._decide_contribute(command)
        return events

    def decide_start(self) -> list[Event]:
        """What chance does before anybody acts."""
        return self._chance(self.urn, self.state, after=0)

    def decide_engine(self, token: str) -> list[Event]:
        """The events that an engine's action comes to."""
        return self._with_chance(self._seat_to_act(), token, None)

    def decide_late(self, token: str | None) -> list[Event]:
        """The events when time is up: an action for the seat, or without one its confirmation."""
        if token is not None:
            return self._with_chance(self._seat_to_act(), token, None, kind="late")
        assert self.acting is not None, "somebody is to confirm"
        return [self._event("confirm", self.acting, self.state)]

    def _decide_play(self, command: Command) -> list[Event]:
        if self.acting != command.seat:
            raise Refused("not-your-turn", acting=self.acting)
        if self.status == "confirming":
            raise Refused("confirm-first")
        if command.token is None:
            raise Refused("no-token")
        try:
            return self._with_chance(command.seat, command.token, command.id)
        except tavola.IllegalAction as error:
            raise self._illegal(command.token, error) from None

    def _with_chance(
        self,
        seat: int,
        token: str,
        command: str | None,
        *,
        kind: Literal["action", "late"] = "action",
    ) -> list[Event]:
        """An action, and what chance answers."""
        state = self.state.play(token)
        action = self._event(kind, seat, state, token=token, command=command)
        return [action, *self._chance(self.urn, state, after=1)]

    def _decide_contribute(self, command: Command) -> list[Event]:
        """A contribution, and what chance does if it has waited for this one."""
        urn = self.urn.take(command.seat, command.token or "")
        event = self._event(
            "contribute", command.seat, self.state, token=command.token, command=command.id
        )
        return [event, *self._chance(urn, self.state, after=1)]

    def _chance(self, urn: Urn, state: tavola.State, *, after: int) -> list[Event]:
        """What chance does from this state on, `after` other events, if it need not wait."""
        decided = list[Event]()
        drawn = sum(step.played.seat == tavola.CHANCE for step in self._steps)
        while state.to_act == tavola.CHANCE and not urn.awaited:
            token = urn.draw(state.chance_outcomes, drawn + len(decided) + 1)
            state = state.play(token)
            decided.append(
                self._event("chance", tavola.CHANCE, state, token=token, after=after + len(decided))
            )
        return decided

    def prospect(self, token: str, held: frozenset[int]) -> views.Prospect:
        """What an action of the seat to act would bring.

        Raises:
            Refused: `not-your-turn`, `confirm-first`, `illegal`.
        """
        if self.acting is None or self.acting not in held:
            raise Refused("not-your-turn", acting=self.acting)
        if self.status == "confirming":
            raise Refused("confirm-first")
        try:
            return views.prospect(self.state, token)
        except tavola.IllegalAction as error:
            raise self._illegal(token, error) from None

    def _illegal(self, token: str, error: tavola.IllegalAction) -> Refused:
        return Refused(
            "illegal",
            refusal=views.refusal(error),
            in_game=self.header.game,
            token=token,
            valid=tuple(self.state.legal_actions),
        )

    def _decide_undo(self, command: Command, held: frozenset[int]) -> Event:
        keep = self._undone(held, whole_turn=command.token == "turn")
        if keep is None:
            raise Refused("nothing-to-undo")
        state = self._steps[keep - 1].state if keep else self._start
        return self._event("undo", command.seat, state, token=str(keep), command=command.id)

    def _undone(self, held: frozenset[int], *, whole_turn: bool) -> int | None:
        """How many actions stay in force if the holder of these seats takes back.

        The last action is theirs to take back until its turn is confirmed. Later the others have to
        grant it: engines do, so whoever holds every person's seat may always take back. What chance
        has answered stays, for nobody can forget what was drawn.

        Returns:
            `None` if nothing may be taken back.
        """
        last = self._last_of(held)
        if last is None or last < self._drawn():
            return None
        free = last == len(self._steps) - 1 and last >= self._confirmed
        persons = {seat for seat, who in enumerate(self.header.seats) if who.kind == "person"}
        if not free and not persons <= held:
            return None
        if not whole_turn:
            return last
        played = self._steps[last].played
        floor = max(self._drawn(), self._confirmed if free else 0)
        while last > floor:
            before = self._steps[last - 1].played
            if (before.seat, before.turn) != (played.seat, played.turn):
                break
            last -= 1
        return last

    def _drawn(self) -> int:
        """How many actions stay because chance has answered."""
        for index in range(len(self._steps) - 1, -1, -1):
            if self._steps[index].played.seat == tavola.CHANCE:
                return index + 1
        return 0

    def _last_of(self, held: frozenset[int]) -> int | None:
        for index in range(len(self._steps) - 1, -1, -1):
            if self._steps[index].played.seat in held:
                return index
        return None

    def _decide_confirm(self, command: Command) -> Event:
        if self.status != "confirming":
            raise Refused("nothing-to-confirm")
        if self.acting != command.seat:
            raise Refused("not-your-turn", acting=self.acting)
        return self._event("confirm", command.seat, self.state, command=command.id)

    def _event(
        self,
        kind: EventKind,
        seat: int,
        state: tavola.State,
        *,
        token: str | None = None,
        command: str | None = None,
        after: int = 0,
    ) -> Event:
        return Event(
            seq=self.seq + 1 + after,
            kind=kind,
            seat=seat,
            token=token,
            command=command,
            position=state.text,
            key=f"{state.key:016x}",
        )

    # Taking in what is stored.

    def after(self, event: Event) -> tuple[Match, tuple[views.Event, ...]]:
        """The match as an event would leave it, and what the event did; this one stays as it is."""
        match = copy(self)
        match.commands = dict(self.commands)
        match._steps = list(self._steps)
        return match, match.apply(event)

    def apply(self, event: Event) -> tuple[views.Event, ...]:
        """Takes in a stored event.

        Returns:
            What an action did, for drawing; empty for other events.

        Raises:
            Damaged: The event does not fit what came before, or the position stored with it.
        """
        try:
            done = self._apply(event)
        except (ValueError, IndexError, Refused) as error:
            raise Damaged(event.seq) from error
        if (self.state.text, f"{self.state.key:016x}") != (event.position, event.key):
            raise Damaged(event.seq)
        return done

    def _apply(self, event: Event) -> tuple[views.Event, ...]:
        if event.seq != self.seq + 1:
            raise Damaged(event.seq)
        done: tuple[views.Event, ...] = ()
        match event.kind:
            case "action" | "late" | "chance":
                done = self._apply_action(event)
            case "undo":
                keep = int(event.token or "")
                if not 0 <= keep < len(self._steps):
                    raise Damaged(event.seq)
                del self._steps[keep:]
                self._confirmed = min(self._confirmed, keep)
            case "confirm":
                self._confirmed = len(self._steps)
            case "resign":
                self.resigned = event.seat
            case "contribute":
                self.urn = self.urn.take(event.seat, event.token or "")
        self.seq = event.seq
        self._latest = event.at
        if (timed := self.timed) != self._timed and self.state.to_act != tavola.CHANCE:
            self._timed, self._began = timed, event.at
        if event.command is not None:
            self.commands[event.command] = event
        return done

    def _apply_action(self, event: Event) -> tuple[views.Event, ...]:
        before = self._steps[-1].view if self._steps else self._start_view
        token = event.token or ""
        done = views.events(self.state, token)
        state = self.state.play(token)
        labels = (action.label for action in before.actions if action.token == token)
        told = (change.text for change in done if change.text is not None)
        # Chance has no actions to choose from: what it did is what is told of it.
        label = next(labels, None) or next(told, Text(f"action.{token}"))
        played = Played(
            event.seq, event.seat, before.turn, token, label, done, event.kind == "late"
        )
        self._steps.append(_Step(played, state, views.view(state)))
        return done

    def at(self, place: int) -> Match:
        """The match as it was after so many of the actions in force.

        Raises:
            Refused: `unknown-place`.
        """
        if place == len(self._steps):
            return self
        if not 0 <= place < len(self._steps):
            raise Refused("unknown-place", place=place, last=len(self._steps))
        match = copy(self)
        match._steps = self._steps[:place]
        match._confirmed = place
        match.resigned = None
        return match

    # What a viewer sees.

    def snapshot(self, held: frozenset[int], clock: TurnClock | None = None) -> Snapshot:
        """The match as the holder of these seats may see it."""
        status, acting = self.status, self.acting
        holds_acting = acting is not None and acting in held
        last = self._last_of(held)
        return Snapshot(
            match=self.header.id,
            game=self.header.game,
            options=self.header.options,
            rules_version=self.header.rules_version,
            seq=self.seq,
            seats=seating.shown(self.header, held),
            confirm=self.header.confirm,
            status=status,
            acting=acting,
            result=self.result() if status == "over" else None,
            view=self._view(held, with_actions=status == "playing" and holds_acting),
            log=self._played(),
            can=Can(
                undo=status != "over" and self._undone(held, whole_turn=False) is not None,
                drawn=status != "over" and last is not None and last < self._drawn(),
                confirm=status == "confirming" and holds_acting,
                resign=status != "over" and bool(held),
            ),
            clock=clock,
            chance=self.urn.told(over=status == "over"),
        )

    def standing(self, held: frozenset[int]) -> Standing:
        """How it stands, in short."""
        return Standing(
            match=self.header.id,
            game=self.header.game,
            seq=self.seq,
            seats=seating.shown(self.header, held),
            status=self.status,
            acting=self.acting,
            since=self._latest or self.header.created,
            winners=self.result().winners if self.status == "over" else None,
        )

    def then(self, place: int, held: frozenset[int]) -> Snapshot:
        """The match as it was after so many actions: to look at, with what could be done then.

        Raises:
            Refused: `unknown-place`; `not-over`, as a match that goes on is nobody's to look into.
        """
        if self.status != "over":
            raise Refused("not-over")
        nothing = Can(undo=False, drawn=False, confirm=False, resign=False)
        match = self.at(place)
        return msgspec.structs.replace(
            match.snapshot(held),
            seq=self.seq,
            view=match._view(held, with_actions=True),
            can=nothing,
        )

    def _view(self, held: frozenset[int], *, with_actions: bool) -> View:
        acting = self.acting
        viewer = acting if acting in held else min(held, default=None)
        seen = views.view(self.state, viewer)
        if with_actions:
            return seen
        return View(
            **{name: getattr(seen, name) for name in View.__struct_fields__} | {"actions": ()}
        )

    def _played(self) -> tuple[Played, ...]:
        """The actions in force; those before the last two turns without their events."""
        since = self._steps[-1].played.turn - 1 if self._steps else 0
        return tuple(
            step.played
            if step.played.turn >= since
            else msgspec.structs.replace(step.played, events=())
            for step in self._steps
        )

    def result(self) -> Result:
        """How the match, which is over, has ended."""
        if self.resigned is not None:
            count = len(self.header.seats)
            winners = tuple(seat for seat in range(count) if seat != self.resigned)
            # The rule books' "Ends": everybody else has won.
            won, lost = 1.0 / (count - 1) ** 2, -1.0 / (count - 1)
            returns = tuple(won if seat in winners else lost for seat in range(count))
            return Result(winners, returns, "resigned", None, self.resigned)
        outcome = self._steps[-1].view.outcome
        assert outcome is not None, "the game is over"
        return Result(outcome.winners, outcome.returns, outcome.reason, outcome.text, None)
