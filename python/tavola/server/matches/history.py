"""The history of a match: the actions in force, as the log shows them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

import tavola
from tavola._core import LazyEvents
from tavola.server.matches.log import Event
from tavola.server.schema.position_view import EMPTY_LIST, Position
from tavola.server.schema.responses import ActionEntry

_write = msgspec.json.Encoder().encode


class HistoryEntry(Struct, gc=False, eq=False):
    """An action in force, encoded when it is first sent.

    Attributes:
        seat: The seat that acted; -1 for chance.
        turn: The number of its turn.
        token: The action.
        position: The position after it.
        random_events: The number of random events among the actions up to it.
        fixed: The number of these actions that cannot be undone, because chance followed them.
        seats_acted: The seats of these actions.
        turn_start: The index among them of the first action of its turn.
    """

    seat: int
    turn: int
    token: str
    position: Position
    random_events: int
    fixed: int
    seats_acted: frozenset[int]
    turn_start: int
    _action: ActionEntry
    _events: LazyEvents | None
    _full: Raw | None = None
    _brief: Raw | None = None

    def prepare(self) -> None:
        """Let the core compute its events."""
        if self._events is not None:
            self._events.prepare()

    @property
    def full(self) -> Raw:
        """The action as it is sent, with its events."""
        if self._full is None:
            assert self._events is not None, "it is dropped after the first encoding"
            self._full, self._brief = self._encode(Raw(self._events.events_json())), self.brief
            # Its events are stored only once.
            self._events = None
        return self._full

    @property
    def brief(self) -> Raw:
        """The same without."""
        if self._brief is None:
            self._brief = self._encode(EMPTY_LIST)
        return self._brief

    def _encode(self, events: Raw) -> Raw:
        label = self._action.label
        if label is EMPTY_LIST:
            assert self._events is not None, "both are encoded before it is dropped"
            label = Raw(self._events.text_json() or b'{"key":%b}' % _write(f"action.{self.token}"))
        assert self._events is not None, "both are encoded before it is dropped"
        shown = Raw(self._events.move_json() or b"null")
        return Raw(_write(replace(self._action, label=label, move=shown, events=events)))

    @property
    def state(self) -> tavola.State:
        """The position that it led to."""
        return self.position.state


def make_entry(
    event: Event, before: Position, history: Sequence[HistoryEntry], *, planned: bool = False
) -> HistoryEntry:
    """Play the action of an event.

    Args:
        event: The event.
        before: The position before.
        history: The actions that led there.
        planned: Whether the seat had planned it.

    Raises:
        IllegalAction: It cannot be played in the position before.
    """
    token, turn = event.token or "", before.state.turn
    after = before.after(token)
    drawn = event.seat == tavola.CHANCE
    # No view of what chance could do: it has no actions to choose from, whose labels could be read.
    label = None if drawn else before.label(token)
    before.drop_views()
    last = history[-1] if history else None
    acted = frozenset[int]() if last is None else last.seats_acted
    return HistoryEntry(
        seat=event.seat,
        turn=turn,
        token=token,
        position=after,
        random_events=count_random_events(history) + drawn,
        fixed=len(history) + 1 if drawn else count_fixed(history),
        seats_acted=acted if drawn or event.seat in acted else acted | {event.seat},
        turn_start=last.turn_start if last is not None and last.turn == turn else len(history),
        _action=ActionEntry(
            seq=event.seq,
            seat=event.seat,
            turn=turn,
            token=token,
            label=label or EMPTY_LIST,
            move=EMPTY_LIST,
            events=EMPTY_LIST,
            late=event.kind == "late",
            planned=planned,
        ),
        _events=before.state.lazy_events(token),
    )


def count_random_events(history: Sequence[HistoryEntry]) -> int:
    """Return the number of chance events among these actions."""
    return history[-1].random_events if history else 0


def count_fixed(history: Sequence[HistoryEntry]) -> int:
    """Return the number of actions that cannot be undone because of a chance event."""
    return history[-1].fixed if history else 0
