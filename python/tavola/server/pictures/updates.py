"""Updates: what one kind of viewer is told of an event, whole or as what it changes."""

from __future__ import annotations

from tavola.server.wire.differences import between
from tavola.server.wire.told import (
    ChangeMessage,
    Snapshot,
    UpdateMessage,
    WrittenEvents,
    encode,
)


class Update:
    """An event as it is told to those who hold the same seats: written once for all of them.

    Args:
        events: What it did.
        before: The picture that they were shown last, if there is one.
        snapshot: The picture that it led to.
    """

    def __init__(self, events: WrittenEvents, before: Snapshot | None, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._events = events
        self._before = before
        self._whole: bytes | None = None
        self._changes: bytes | None = None

    @property
    def since(self) -> int | None:
        """The number of the picture that the changes begin with."""
        return None if self._before is None else self._before.seq

    @property
    def whole(self) -> bytes:
        """The message with the whole picture."""
        if self._whole is None:
            self._whole = encode(UpdateMessage(self.snapshot.seq, self._events, self.snapshot))
        return self._whole

    @property
    def changes(self) -> bytes:
        """The message to those who have the picture before."""
        if self._changes is None:
            assert self._before is not None, "the caller has seen `since`"
            changes = between(self._before, self.snapshot)
            # Not everybody has seen the same clock: it may have been shown to newcomers since.
            changes["clock"] = [self.snapshot.clock]
            self._changes = encode(ChangeMessage(self.snapshot.seq, self._events, changes))
        return self._changes
