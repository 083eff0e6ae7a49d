"""The actions in force of a match, each as the log of a snapshot tells it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

import tavola
from tavola._core import LazyEvents
from tavola.server.matches.log import Event
from tavola.server.schema.position_view import NOTHING, Scene
from tavola.server.schema.responses import Played

_write = msgspec.json.Encoder().encode


class Step(Struct, gc=False, eq=False):
    """An action in force, an entry of the log, which is written when it is first told.

    Attributes:
        seat: Whose it was; -1: chance's.
        turn: The number of the turn that it belongs to.
        token: The action.
        scene: The position that it led to.
        draws: How many of the actions up to it are chance's.
        stay: How many of them stay because chance has answered.
        acted: The seats that took one of them.
        opened: The place among them of the first one of its turn.
    """

    seat: int
    turn: int
    token: str
    scene: Scene
    draws: int
    stay: int
    acted: frozenset[int]
    opened: int
    _played: Played
    _events: LazyEvents | None
    _full: Raw | None = None
    _brief: Raw | None = None

    def prepare(self) -> None:
        """Has the core find out what it did."""
        if self._events is not None:
            self._events.prepare()

    @property
    def full(self) -> Raw:
        """As it is told, with what it did."""
        if self._full is None:
            assert self._events is not None, "it goes when this has been told"
            self._full, self._brief = self._told(Raw(self._events.events_json())), self.brief
            # What it did is kept once.
            self._events = None
        return self._full

    @property
    def brief(self) -> Raw:
        """The same without."""
        if self._brief is None:
            self._brief = self._told(NOTHING)
        return self._brief

    def _told(self, events: Raw) -> Raw:
        label = self._played.label
        if label is NOTHING:
            assert self._events is not None, "both are told before it goes"
            label = Raw(self._events.text_json() or b'{"key":%b}' % _write(f"action.{self.token}"))
        return Raw(_write(replace(self._played, label=label, events=events)))

    @property
    def state(self) -> tavola.State:
        """The position that it led to."""
        return self.scene.state


def play(event: Event, before: Scene, steps: Sequence[Step], *, planned: bool = False) -> Step:
    """The action of an event, played.

    Args:
        event: The event.
        before: The position before.
        steps: The actions that led there.
        planned: Whether the seat had planned it.

    Raises:
        IllegalAction: It cannot be played in the position before.
    """
    token, turn = event.token or "", before.state.turn
    after = before.after(token)
    drawn = event.seat == tavola.CHANCE
    # No view of what chance could do: it has no actions to choose from, whose labels could be read.
    label = None if drawn else before.label(token)
    before.rest()
    last = steps[-1] if steps else None
    acted = frozenset[int]() if last is None else last.acted
    return Step(
        seat=event.seat,
        turn=turn,
        token=token,
        scene=after,
        draws=draws(steps) + drawn,
        stay=len(steps) + 1 if drawn else stay(steps),
        acted=acted if drawn or event.seat in acted else acted | {event.seat},
        opened=last.opened if last is not None and last.turn == turn else len(steps),
        _played=Played(
            seq=event.seq,
            seat=event.seat,
            turn=turn,
            token=token,
            label=label or NOTHING,
            events=NOTHING,
            late=event.kind == "late",
            planned=planned,
        ),
        _events=before.state.lazy_events(token),
    )


def draws(steps: Sequence[Step]) -> int:
    """How many of these actions are chance's."""
    return steps[-1].draws if steps else 0


def stay(steps: Sequence[Step]) -> int:
    """How many of these actions stay because chance has answered."""
    return steps[-1].stay if steps else 0
