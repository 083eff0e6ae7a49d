"""Updates: what one kind of viewer is told of an event, whole or as what it changes."""

from __future__ import annotations

from functools import cached_property

import msgspec

from tavola.server.wire.differences import Differences
from tavola.server.wire.told import ChangeMessage, Snapshot, UpdateMessage, WrittenEvents

SMALL = 16_000
"""Pictures below so many bytes are told whole: they come in a moment, and to look for what is
another takes several times as long as to write it all."""

_encode = msgspec.json.Encoder().encode


class Update:
    """An event as it is told to those who hold the same seats: written once for all of them.

    Args:
        events: What it did.
        before: The picture that they were shown last, if there is one.
        snapshot: The picture that it led to.
        differences: What it changes for others.
    """

    def __init__(
        self,
        events: WrittenEvents,
        before: Snapshot | None,
        snapshot: Snapshot,
        differences: Differences,
    ) -> None:
        self.snapshot = snapshot
        self._events = events
        self._before = before
        self._differences = differences

    @property
    def since(self) -> int | None:
        """The number of the picture that the changes begin with."""
        return None if self._before is None else self._before.seq

    @cached_property
    def is_small(self) -> bool:
        """Whether the whole picture is as good as its changes."""
        view, log = self.snapshot.view, self.snapshot.log
        large = (view.areas, view.pieces, view.actions, *log)
        return sum(len(memoryview(part)) for part in large) < SMALL

    @cached_property
    def whole(self) -> bytes:
        """The message with the whole picture."""
        return _encode(UpdateMessage(self.snapshot.seq, self._events, self.snapshot))

    @cached_property
    def changes(self) -> bytes:
        """The message to those who have the picture before."""
        assert self._before is not None, "the caller has seen `since`"
        changes = self._differences.between(self._before, self.snapshot)
        # Not everybody has seen the same clock: it may have been shown to newcomers since.
        changes["clock"] = [self.snapshot.clock]
        return _encode(ChangeMessage(self.snapshot.seq, self._events, changes))
