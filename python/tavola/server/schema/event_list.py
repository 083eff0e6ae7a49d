"""The log of a match as viewers receive it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Raw, Struct

from tavola._core import LazyEvents
from tavola.server.matches.history import HistoryEntry
from tavola.view import Event, MoveLabel, Text

if TYPE_CHECKING:
    # Encoded by the core and sent as it is: JSON to this program, the declared type to others.
    EncodedText: TypeAlias = Raw
    EncodedMove: TypeAlias = Raw
    EncodedEvents: TypeAlias = Raw
else:
    EncodedText, EncodedMove, EncodedEvents = Text, MoveLabel | None, tuple[Event, ...]

_EMPTY_LIST = Raw(b"[]")
_write = msgspec.json.Encoder().encode


class ActionEntry(Struct, frozen=True):
    """An action in force; `events` of the last two turns only.

    `move`: the action in words without coordinates, or None where `label` has none. `late`: the
    server acted for the seat, whose time was up; `planned`: it was planned before.
    """

    seq: int
    seat: int
    turn: int
    token: str
    label: EncodedText
    move: EncodedMove
    events: EncodedEvents
    late: bool
    planned: bool


class EventList:
    """The actions in force; older ones are sent without their events.

    It is made for every event and seldom sent whole, so it copies nothing.

    Args:
        entries: All of them; more may come, which are not of this log.
        brief: The number of entries that are sent without events.
    """

    __slots__ = ("_brief", "_entries", "_length")

    def __init__(self, entries: Sequence[HistoryEntry], brief: int) -> None:
        self._entries = entries
        self._length = len(entries)
        self._brief = brief

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Raw]:
        return map(self.__getitem__, range(self._length))

    def __getitem__(self, place: int) -> Raw:
        entry = self._entries[place]
        return encode_brief(entry) if place < self._brief else encode_full(entry)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, EventList) else NotImplemented

    def changed_places(self, before: EventList) -> list[int]:
        """Return the places whose entries may differ from the earlier list."""
        same = min(self._length, before._length)
        # The same entry means the same history before it.
        while same and self._entries[same - 1] is not before._entries[same - 1]:
            same -= 1
        first, last = sorted((before._brief, self._brief))
        return [*range(first, min(last, same)), *range(same, self._length)]


def encode_full(entry: HistoryEntry) -> Raw:
    """Return an action as it is sent, with its events."""
    if entry.full is None:
        assert entry.events is not None, "they are dropped after the first encoding"
        encode_brief(entry)
        entry.full = _encode(entry, entry.events, Raw(entry.events.events_json()))
        # Its events are stored only once.
        entry.events = None
    return entry.full


def encode_brief(entry: HistoryEntry) -> Raw:
    """Return an action as it is sent, without its events."""
    if entry.brief is None:
        assert entry.events is not None, "both are encoded before they are dropped"
        entry.brief = _encode(entry, entry.events, _EMPTY_LIST)
    return entry.brief


def _encode(entry: HistoryEntry, done: LazyEvents, events: Raw) -> Raw:
    label = entry.label
    if label is None:
        label = Raw(done.text_json() or b'{"key":%b}' % _write(f"action.{entry.token}"))
    return Raw(
        _write(
            ActionEntry(
                seq=entry.seq,
                seat=entry.seat,
                turn=entry.turn,
                token=entry.token,
                label=label,
                move=Raw(done.move_json() or b"null"),
                events=events,
                late=entry.late,
                planned=entry.planned,
            )
        )
    )
