"""A match: its log of events, and what the log comes to.

`Match` is the projection of a log; `Match.apply` takes in an event, and `decisions.py` says which
events a command comes to. A replay applies the same events again, and every event carries the
position that it led to, so a replay that comes to anything else is found out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from copy import copy
from itertools import islice
from typing import Literal

import tavola
from tavola import view as views
from tavola.server.matches import requests
from tavola.server.matches.chance import Urn
from tavola.server.matches.history import Step, draws, play, stay
from tavola.server.matches.log import Event, EventKind, Header, Seat
from tavola.server.matches.requests import Request
from tavola.server.matches.seating import Sitting
from tavola.server.matches.terminations import Ending
from tavola.server.matches.time_control import Times
from tavola.server.schema import games
from tavola.server.schema.errors import Refused
from tavola.server.schema.position_view import Scene
from tavola.server.schema.requests import TurnTime

_NOT_BARRED = frozenset[tuple[int, str]]()  # one for all: every action empties it

TakingBack = Literal["free", "ask-for-undo", "rated-undo", "time-up", "nothing-to-undo"]
"""How one may take back: freely, or the reason why not."""


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

    Attributes:
        seq: The number of the latest event.
        scene: The position now, as it is shown.
        state: The position now.
        status: Whether somebody acts, confirms, or nobody does.
        paused: Since when nobody can act by agreement, in ISO format; `None` if one can.
        acting: The seat that is to act or to confirm; `None` while chance decides, and at the end.
        engine: The name of the engine that is to act; `None` if no engine is to act.
        opening: Whether somebody has not completed a turn yet.
        timed: The person's seat that is to act or to confirm and its turn; `None` if there is none.
        running: The same if its clock runs: time for a turn from the first turn on, other time when
            everybody has had one.
        drawn: How many actions stay because chance has answered.

    Raises:
        Refused: `rules-changed`.
        Damaged: The start is not the one stored.
    """

    scene: Scene
    state: tavola.State
    status: Literal["playing", "confirming", "over"]
    acting: int | None
    engine: str | None
    opening: bool
    timed: tuple[int, int] | None
    running: tuple[int, int] | None
    drawn: int

    def __init__(self, header: Header) -> None:
        self.header = header
        self.game = games.load_version(header.game, header.options, header.rules_version)
        self.seq = 0
        self._commands: dict[str, Event] = {}
        self._answered = 0
        # The seats in which engines play on for persons who have gone.
        self.replaced: frozenset[int] = frozenset()
        self.sitting = Sitting(header.seats, self.replaced)
        self.ended: Ending | None = None
        self.paused: str | None = None
        self.request: Request | None = None
        # Which seat cannot ask again for what before the next action.
        self.barred = _NOT_BARRED
        # Whose request was declined last, and by whom, if nothing has happened since.
        self.declined: tuple[int, int] | None = None
        self.next: str | None = None
        self.latest: str | None = None
        self.times = None if header.time is None else Times(header.time, len(header.seats))
        self._start = Scene(self.game.start())
        if self._start.text != header.start:
            raise Damaged(0)
        self._steps: list[Step] = []
        self._played = 0
        self._confirmed = 0
        self.urn = Urn(
            header.seed,
            (None,) * len(header.seats),
            self.persons if header.contribute else frozenset(),
        )
        # Whose clock has run since the last event, but for what chance did.
        self._ran: tuple[int, int] | None = None
        self._settle()
        self._follow_time()

    # What it comes to.

    @property
    def steps(self) -> list[Step]:
        """The actions in force."""
        # What follows from this match adds to the same list: it does not copy hundreds.
        steps = self._steps
        return steps if len(steps) == self._played else steps[: self._played]

    @steps.setter
    def steps(self, steps: list[Step]) -> None:
        self._steps, self._played = steps, len(steps)

    @property
    def commands(self) -> dict[str, Event]:
        """The first event of each command, by its id."""
        commands = self._commands  # as of `steps`
        if len(commands) == self._answered:
            return commands
        return dict(islice(commands.items(), self._answered))

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

    @property
    def engine_due(self) -> bool:
        """Whether an engine is to act whoever looks: not among engines alone."""
        return self.engine is not None and bool(self.persons)

    @property
    def waits(self) -> bool:
        """Whether its clock waits for somebody to be there."""
        return self.times is not None and isinstance(self.times.time, TurnTime)

    def seat_to_act(self) -> int:
        """The seat that is to act, where somebody is."""
        seat = self.state.to_act
        assert seat is not None
        assert seat != tavola.CHANCE, "nobody is asked while chance is to act"
        return seat

    def chance(self, urn: Urn, scene: Scene, *, after: int) -> list[Event]:
        """What chance does from this position on, `after` other events, if it need not wait."""
        decided = list[Event]()
        if scene.state.to_act != tavola.CHANCE:
            return []
        drawn = draws(self.steps)
        while scene.state.to_act == tavola.CHANCE and not urn.awaited:
            token = urn.draw(scene.state.chance_outcomes, drawn + len(decided) + 1)
            scene = scene.after(token)
            decided.append(
                self.event("chance", tavola.CHANCE, scene, token=token, after=after + len(decided))
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

    def scene_after(self, count: int) -> Scene:
        """The position after so many of the actions in force."""
        return self.steps[count - 1].scene if count else self._start

    def taking_back(self, held: frozenset[int]) -> TakingBack:
        """Whether the holder of these seats may take back, have to ask for it, or why they may not.

        The last action is theirs to take back until its turn is confirmed. Later the others have to
        grant it: engines do, and so do seats to which nobody has come yet; so whoever holds every
        other person's seat may always take back, but in a rated match nobody may. Nor is a turn
        freely taken back that has no time left. What chance has answered stays: nobody can forget
        what was drawn.
        """
        last = self.last_of(held)
        if last is None or last < self.drawn:
            return "nothing-to-undo"
        rated = self.header.rated
        alone = self._latest(last) or (not rated and self.persons - self.vacant <= held)
        if alone and not self._timed_out(self.steps[last].seat):
            return "free"
        if not rated:
            return "ask-for-undo"
        return "time-up" if alone else "rated-undo"

    def _latest(self, place: int) -> bool:
        """Whether it is the place of the last action, whose turn is not confirmed."""
        return place == len(self.steps) - 1 and place >= self._confirmed

    def undone(
        self, held: frozenset[int], *, whole_turn: bool, granted: bool = False
    ) -> int | None:
        """How many actions stay in force if the holder of these seats takes back.

        Args:
            held: The seats.
            whole_turn: Whether the whole turn of the last action goes.
            granted: Whether the others grant it.

        Returns:
            `None` if nothing may be taken back.
        """
        allowed = ("free", "ask-for-undo") if granted else ("free",)
        last = self.last_of(held)
        if last is None or self.taking_back(held) not in allowed:
            return None
        if not whole_turn:
            return last
        latest = self.steps[last]
        floor = max(self.drawn, self._confirmed if self._latest(last) else 0)
        while last > floor:
            before = self.steps[last - 1]
            if (before.seat, before.turn) != (latest.seat, latest.turn):
                break
            last -= 1
        return last

    def _timed_out(self, seat: int) -> bool:
        """Whether a seat has used all the time for its turn, which would end again at once."""
        return self.times is not None and self.waits and self.times.left(seat) <= 0

    def has_acted(self, held: frozenset[int]) -> bool:
        """Whether an action in force is one of these seats'."""
        steps = self.steps
        return bool(steps) and not held.isdisjoint(steps[-1].acted)

    def last_of(self, held: frozenset[int]) -> int | None:
        """The place of the last action of these seats among those in force."""
        if not self.has_acted(held):
            return None
        steps = self.steps
        for index in range(len(steps) - 1, -1, -1):
            if steps[index].seat in held:
                return index
        return None

    def event(
        self,
        kind: EventKind,
        seat: int,
        scene: Scene | None = None,
        *,
        token: str | None = None,
        command: str | None = None,
        after: int = 0,
    ) -> Event:
        """An event that could be logged now, `after` others; it leads to `scene` if to another."""
        if scene is None:
            scene = self.scene
        return Event(
            seq=self.seq + 1 + after,
            kind=kind,
            seat=seat,
            token=token,
            command=command,
            position=scene.text,
            key=scene.key,
        )

    # Taking in what is stored.

    def take_seats(self, header: Header) -> None:
        """Somebody has come to a seat, or gone for good."""
        self.header = header
        self._sit(self.replaced)
        self._settle()

    def _settle(self) -> None:
        """Finds out what follows from the match as it stands, whenever that has changed."""
        steps = self.steps
        self.scene = steps[-1].scene if steps else self._start
        self.state = state = self.scene.state
        to_act, awaited = state.to_act, self._completed()
        if awaited is not None and self.seats[awaited].kind == "engine":
            # Engines confirm by themselves: it stays so when somebody takes the seat back.
            self._confirmed, awaited = len(steps), None
        turn = state.turn if awaited is None else steps[-1].turn
        if self.ended is not None:
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
        self.timed = self.running = None
        if self.acting is not None and seat is not None and seat.kind == "person":
            self.timed = self.acting, turn
        if self.times is not None and not self.paused and (self.waits or not self.opening):
            self.running = self.timed
        self.drawn = stay(steps)

    def _completed(self) -> int | None:
        """The seat whose turn is complete and not confirmed."""
        if not self.header.confirm or not self.steps or self._confirmed == len(self.steps):
            return None
        last = self.steps[-1]
        if tavola.CHANCE in (last.seat, last.state.to_act):
            return None
        same_turn = last.state.turn == last.turn and last.state.to_act == last.seat
        return None if same_turn else last.seat

    def _begun(self, steps: list[Step], turn: int) -> bool:
        """Whether everybody has completed a turn before this one."""
        last = len(steps) - 1
        if steps and steps[last].turn == turn:
            last = steps[last].opened - 1
        return last >= 0 and len(steps[last].acted) == len(self.seats)

    def _sit(self, replaced: frozenset[int]) -> None:
        self.replaced = replaced
        self.sitting = Sitting(self.header.seats, replaced)

    def after(self, events: Iterable[Event]) -> Match:
        """The match as these events would leave it; this one stays as it is."""
        match = Match.__new__(Match)
        match.__dict__.update(self.__dict__)
        match.times = None if self.times is None else self.times.copy()
        for event in events:
            match.apply(event)
        return match

    def apply(self, event: Event) -> None:
        """Takes in a stored event.

        Raises:
            Damaged: The event does not fit what came before, or the position stored with it.
        """
        try:
            self._apply(event)
        except (ValueError, IndexError, Refused) as error:
            raise Damaged(event.seq) from error
        if (self.scene.text, self.scene.key) != (event.position, event.key):
            raise Damaged(event.seq)

    def _apply(self, event: Event) -> None:
        if event.seq != self.seq + 1:
            raise Damaged(event.seq)
        granted = self.request is not None and not self.request.waits
        if event.kind not in ("ask", "accept", "decline", "contribute"):
            self.request, self.barred, self.declined = None, _NOT_BARRED, None
        match event.kind:
            case "action" | "late" | "chance":
                # A person's own actions are commands; an engine that stands in has no plan.
                planned = event.kind == "action" and event.command is None
                planned = planned and event.seat in self.persons
                steps = self.steps
                steps.append(play(event, self.scene, steps, planned=planned))
                self.steps = steps
                if event.kind == "late":
                    # What is out of time is not weighed again for nothing.
                    self._confirmed = len(self.steps)
            case "undo":
                keep = int(event.token or "")
                if not 0 <= keep < len(self.steps):
                    raise Damaged(event.seq)
                self.steps = self.steps[:keep]
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
                self.paused = event.at if event.kind == "pause" else None
            case "replace":
                self._sit(self.replaced | {event.seat})
                self.paused = None
                self.urn = self.urn.without(event.seat)
            case "return":
                self._sit(self.replaced - {event.seat})
            case "rematch":
                self.next = event.token
            case "contribute":
                self.urn = self.urn.take(event.seat, event.token or "")
            case "ask":
                self.request = requests.made(self, event.token or "", event.seat, event.at)
                self.declined = None
            case "accept" if self.request is not None:
                self.request = self.request.agree(event.seat)
            case "decline" if self.request is not None:
                self.barred |= {(self.request.seat, self.request.what)}
                self.declined = self.request.seat, event.seat
                self.request = None
        self.seq, self.latest = event.seq, event.at
        self._settle()
        self._apply_time(event, anew=event.kind == "undo" and granted)
        if event.command is not None:
            self._commands = commands = self.commands
            commands[event.command] = event
            self._answered = len(commands)

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
        return self._looked_at(self.steps[:place])

    def along(self, line: tuple[str, ...]) -> Match:
        """The match as it would be if these actions were played, to look at.

        What chance would answer at the end of the line is drawn, and has no more to do with the
        draws of the match than any dice.

        Raises:
            Refused: `illegal`.
        """
        steps, scene, left = list(self.steps), self.scene, list(line)
        while left or scene.state.to_act == tavola.CHANCE:
            if left:
                token = left.pop(0)
            else:
                outcomes, weights = zip(*scene.state.chance_outcomes, strict=True)
                (token,) = random.SystemRandom().choices(outcomes, weights)
            seat = -1 if scene.state.to_act is None else scene.state.to_act
            event = self.event("action", seat, token=token, after=len(steps))
            try:
                steps.append(play(event, scene, steps))
            except tavola.IllegalAction as error:
                raise self._looked_at(steps).illegal(token, error) from None
            scene = steps[-1].scene
        return self._looked_at(steps)

    def _looked_at(self, steps: list[Step]) -> Match:
        """The match with other actions in force, all of them confirmed, and with no other end."""
        match = copy(self)
        match.steps, match._confirmed, match.ended = steps, len(steps), None
        match._settle()
        return match
