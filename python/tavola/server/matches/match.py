"""A match: its log of events, and what the log comes to.

`Match` is the projection of a log; `Match.apply` takes in an event, and `decisions.py` says which
events a command comes to. A replay applies the same events again, and every event carries the
position that it led to, so a replay that comes to anything else is found out.
"""

from __future__ import annotations

import random
from copy import copy
from typing import Literal

import tavola
from tavola import view as views
from tavola.server.matches import requests
from tavola.server.matches.endings import Ending
from tavola.server.matches.log import Event, EventKind, Header, Seat
from tavola.server.matches.requests import Request
from tavola.server.matches.settled import settled, unsettle
from tavola.server.matches.sitting import Sitting
from tavola.server.matches.steps import Step, play
from tavola.server.matches.times import Times
from tavola.server.matches.urn import Urn
from tavola.server.wire import games
from tavola.server.wire.asked import TurnTime
from tavola.server.wire.errors import Refused
from tavola.server.wire.scenes import NOTHING, Scene
from tavola.server.wire.told import WrittenEvents

_CHANCE = frozenset({tavola.CHANCE})


class Damaged(Exception):
    """A log does not come to the positions that are stored in it.

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
        # The seats in which engines play on for persons who have gone.
        self.replaced: frozenset[int] = frozenset()
        self._sitting = Sitting(header.seats, self.replaced)
        self.ended: Ending | None = None
        self.paused = False
        self.request: Request | None = None
        self.declined: frozenset[tuple[int, str]] = frozenset()
        self.next: str | None = None
        self.latest: str | None = None
        self.times = None if header.time is None else Times(header.time, len(header.seats))
        self._start = Scene(self.game.start())
        if self._start.state.text != header.start:
            raise Damaged(0)
        self.steps: list[Step] = []
        self._confirmed = 0
        self.urn = Urn(
            header.seed,
            (None,) * len(header.seats),
            self.persons if header.contribute else frozenset(),
        )
        # Whose clock has run since the last event, but for what chance did.
        self._ran: tuple[int, int] | None = None
        self._follow_time()

    # What it comes to.

    @settled
    def state(self) -> tavola.State:
        """The position now."""
        return self.scene.state

    @settled
    def scene(self) -> Scene:
        """The position now, as it is shown."""
        return self.steps[-1].scene if self.steps else self._start

    @settled
    def status(self) -> Literal["playing", "confirming", "over"]:
        """Whether somebody acts, confirms, or nobody does."""
        if self.ended is not None:
            return "over"
        if self._awaiting is not None:
            return "confirming"
        return "over" if self.state.to_act is None else "playing"

    @settled
    def acting(self) -> int | None:
        """The seat that is to act or to confirm; `None` while chance decides, and at the end."""
        if self.ended is not None:
            return None
        awaiting = self._awaiting
        seat = self.state.to_act if awaiting is None else awaiting
        return None if seat == tavola.CHANCE else seat

    @settled
    def engine(self) -> str | None:
        """The name of the engine that is to act; `None` if no engine is to act."""
        if self.status != "playing" or self.paused or self.state.to_act == tavola.CHANCE:
            return None
        return self.seats[self.seat_to_act()].engine

    @settled
    def sitting(self) -> Sitting:
        """Who sits where now."""
        if not self._sitting.still(self.header.seats, self.replaced):
            self._sitting = Sitting(self.header.seats, self.replaced)
        return self._sitting

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits in each seat now."""
        return self.sitting.seats

    @property
    def is_open(self) -> bool:
        """Whether somebody is still to come."""
        return bool(self.vacant)

    @property
    def vacant(self) -> frozenset[int]:
        """The seats of persons who have not come yet: they are asked for nothing."""
        return self.sitting.vacant

    @property
    def persons(self) -> frozenset[int]:
        """The seats of persons."""
        return self.sitting.persons

    @settled
    def timed(self) -> tuple[int, int] | None:
        """The person's seat that is to act or to confirm and its turn; `None` if it is nobody's."""
        seat = self.acting
        if seat is None or self.seats[seat].kind == "engine":
            return None
        return seat, self._turn

    @property
    def waits(self) -> bool:
        """Whether its clock waits for somebody to be there."""
        return self.times is not None and isinstance(self.times.time, TurnTime)

    @settled
    def running(self) -> tuple[int, int] | None:
        """The seat whose clock runs and its turn; `None` if none does.

        Time for a turn runs from the first turn on, other time when everybody has had one.
        """
        if self.times is None or self.paused:
            return None
        return self.timed if isinstance(self.times.time, TurnTime) or not self.opening else None

    @settled
    def opening(self) -> bool:
        """Whether somebody has not completed a turn yet."""
        missing = set(range(len(self.seats)))
        for step in self.steps:
            if step.turn >= self._turn:
                break
            missing.discard(step.seat)
            if not missing:
                return False
        return self.status != "over"

    @settled
    def _turn(self) -> int:
        """The number of the turn that goes on or is to be confirmed."""
        if self._awaiting is not None:
            return self.steps[-1].turn
        return self.scene.turn

    def seat_to_act(self) -> int:
        """The seat that is to act, where somebody is."""
        seat = self.state.to_act
        assert seat is not None
        assert seat != tavola.CHANCE, "nobody is asked while chance is to act"
        return seat

    @settled
    def _awaiting(self) -> int | None:
        """The person's seat whose turn is complete and not confirmed."""
        if not self.header.confirm or not self.steps or self._confirmed == len(self.steps):
            return None
        last = self.steps[-1]
        seat = last.seat
        if seat < 0 or self.seats[seat].kind == "engine":
            return None
        if last.state.to_act == tavola.CHANCE:
            return None
        same_turn = last.scene.turn == last.turn and last.state.to_act == seat
        return None if same_turn else seat

    def chance(self, urn: Urn, state: tavola.State, *, after: int) -> list[Event]:
        """What chance does from this state on, `after` other events, if it need not wait."""
        decided = list[Event]()
        if state.to_act != tavola.CHANCE:
            return []
        drawn = sum(step.seat == tavola.CHANCE for step in self.steps)
        while state.to_act == tavola.CHANCE and not urn.awaited:
            token = urn.draw(state.chance_outcomes, drawn + len(decided) + 1)
            state = state.play(token)
            decided.append(
                self.event("chance", tavola.CHANCE, state, token=token, after=after + len(decided))
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
            raise self.illegal(token, error) from None

    def illegal(self, token: str, error: tavola.IllegalAction) -> Refused:
        """The refusal of an action, with all that would be valid."""
        return Refused(
            "illegal",
            refusal=views.refusal(error),
            in_game=self.header.game,
            token=token,
            valid=tuple(self.state.legal_actions),
        )

    def state_after(self, count: int) -> tavola.State:
        """The position after so many of the actions in force."""
        return self.steps[count - 1].state if count else self._start.state

    def undone(
        self, held: frozenset[int], *, whole_turn: bool, granted: bool = False
    ) -> int | None:
        """How many actions stay in force if the holder of these seats takes back.

        The last action is theirs to take back until its turn is confirmed. Later the others have to
        grant it: engines do, and so do seats to which nobody has come yet; so whoever holds every
        other person's seat may always take back, but in a rated match nobody may. What chance has
        answered stays: nobody can forget what was drawn.

        Args:
            held: The seats.
            whole_turn: Whether the whole turn of the last action goes.
            granted: Whether the others grant it.

        Returns:
            `None` if nothing may be taken back.
        """
        last = self.last_of(held)
        if last is None or last < self.drawn:
            return None
        free = last == len(self.steps) - 1 and last >= self._confirmed
        if not free and (self.header.rated or not (granted or self.persons - self.vacant <= held)):
            return None
        if not whole_turn:
            return last
        latest = self.steps[last]
        floor = max(self.drawn, self._confirmed if free else 0)
        while last > floor:
            before = self.steps[last - 1]
            if (before.seat, before.turn) != (latest.seat, latest.turn):
                break
            last -= 1
        return last

    @settled
    def drawn(self) -> int:
        """How many actions stay because chance has answered."""
        last = self.last_of(_CHANCE) if self.game.has_chance else None
        return 0 if last is None else last + 1

    def last_of(self, held: frozenset[int]) -> int | None:
        """The place of the last action of these seats among those in force."""
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].seat in held:
                return index
        return None

    def event(
        self,
        kind: EventKind,
        seat: int,
        state: tavola.State | None = None,
        *,
        token: str | None = None,
        command: str | None = None,
        after: int = 0,
    ) -> Event:
        """An event that could be logged now, `after` others; it leads to `state` if to another."""
        if state is None:
            state = self.state
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

    def take_seats(self, header: Header) -> None:
        """Somebody has come to a seat, or gone for good."""
        self.header = header
        unsettle(self)

    def after(self, event: Event) -> tuple[Match, WrittenEvents]:
        """The match as an event would leave it, and what the event did; this one stays as it is."""
        match = Match.__new__(Match)
        match.__dict__.update(self.__dict__)
        match.commands = dict(self.commands)
        match.steps = list(self.steps)
        match.times = None if self.times is None else self.times.copy()
        return match, match.apply(event)

    def apply(self, event: Event) -> WrittenEvents:
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

    def _apply(self, event: Event) -> WrittenEvents:
        if event.seq != self.seq + 1:
            raise Damaged(event.seq)
        done = NOTHING
        granted = self.request is not None and not self.request.waits
        if event.kind not in ("ask", "accept", "decline", "contribute"):
            self.request, self.declined = None, frozenset()
        match event.kind:
            case "action" | "late" | "chance":
                # A person's own actions are commands; an engine that stands in has no plan.
                planned = event.kind == "action" and event.command is None
                latest = play(event, self.scene, planned=planned and event.seat in self.persons)
                self.steps.append(latest)
                done = latest.done
            case "undo":
                keep = int(event.token or "")
                if not 0 <= keep < len(self.steps):
                    raise Damaged(event.seq)
                del self.steps[keep:]
                self._confirmed = min(self._confirmed, keep)
            case "confirm":
                self._confirmed = len(self.steps)
            case "resign":
                self.ended = Ending("resigned", event.seat)
            case "flag":
                self.ended = Ending("time", event.seat)
            case "draw":
                self.ended = Ending("agreed")
            case "abort":
                self.ended = Ending("aborted")
            case "pause" | "resume":
                self.paused = event.kind == "pause"
            case "replace":
                self.replaced |= {event.seat}
                self.paused = False
                self.urn = self.urn.without(event.seat)
            case "return":
                self.replaced -= {event.seat}
            case "rematch":
                self.next = event.token
            case "contribute":
                self.urn = self.urn.take(event.seat, event.token or "")
            case "ask":
                self.request = requests.made(self, event.token or "", event.seat)
            case "accept" if self.request is not None:
                self.request = self.request.agree(event.seat)
            case "decline" if self.request is not None:
                self.declined |= {(self.request.seat, self.request.what)}
                self.request = None
        self.seq, self.latest = event.seq, event.at
        unsettle(self)
        self._apply_time(event, anew=event.kind == "undo" and granted)
        if event.command is not None:
            self.commands[event.command] = event
        return done

    def _apply_time(self, event: Event, *, anew: bool) -> None:
        if self.times is None:
            return
        if self._ran is not None:
            self.times.spend(self._ran[0], event.spent)
        if self.state.to_act == tavola.CHANCE and self.ended is None:
            return
        by_playing = event.kind in ("action", "late", "chance", "confirm")
        if self._ran is not None and self._ran != self.timed and by_playing:
            self.times.end(*self._ran)
        self._follow_time(anew=anew)

    def _follow_time(self, *, anew: bool = False) -> None:
        timed = self.timed
        if self.times is not None and timed is not None:
            self.times.begin(*timed, anew=anew)
        self._ran = self.running

    def at(self, place: int) -> Match:
        """The match as it was after so many of the actions in force, before anything else ended it.

        Raises:
            Refused: `unknown-place`.
        """
        if not 0 <= place <= len(self.steps):
            raise Refused("unknown-place", place=place, last=len(self.steps))
        match = copy(self)
        match.steps = self.steps[:place]
        match._confirmed = place
        match.ended = None
        unsettle(match)
        return match

    def along(self, line: tuple[str, ...]) -> Match:
        """The match as it would be if these actions were played, to look at.

        What chance would answer at the end of the line is drawn, and has no more to do with the
        draws of the match than any dice.

        Raises:
            Refused: `illegal`.
        """
        match = copy(self)
        match.steps, match.ended = list(self.steps), None
        unsettle(match)
        left = list(line)
        while left or match.state.to_act == tavola.CHANCE:
            if left:
                token = left.pop(0)
            else:
                outcomes, weights = zip(*match.state.chance_outcomes, strict=True)
                (token,) = random.SystemRandom().choices(outcomes, weights)
            seat = -1 if match.state.to_act is None else match.state.to_act
            event = match.event("action", seat, token=token, after=len(match.steps))
            try:
                match.steps.append(play(event, match.scene))
            except tavola.IllegalAction as error:
                raise match.illegal(token, error) from None
            unsettle(match)
        match._confirmed = len(match.steps)
        unsettle(match)
        return match
