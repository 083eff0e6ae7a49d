"""The history of a match: the actions in force, as the log shows them."""

from __future__ import annotations

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
    """

    seat: int
    turn: int
    token: str
    position: Position
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


def make_entry(event: Event, before: Position, *, planned: bool = False) -> HistoryEntry:
    """Play the action of an event.

    Args:
        event: The event.
        before: The position before.
        planned: Whether the seat had planned it.

    Raises:
        IllegalAction: It cannot be played in the position before.
    """
    token, turn = event.token or "", before.state.turn
    after = before.after(token)
    # No view of what chance could do: it has no actions to choose from, whose labels could be read.
    label = None if event.seat == tavola.CHANCE else before.label(token)
    before.drop_views()
    return HistoryEntry(
        seat=event.seat,
        turn=turn,
        token=token,
        position=after,
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
