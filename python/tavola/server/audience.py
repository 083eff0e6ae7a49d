"""The audience of a table: every viewer gets the pictures of what they may see."""

from __future__ import annotations

from tavola.server import pictures
from tavola.server.differences import Differences
from tavola.server.matches import Match
from tavola.server.presence import Company, Viewer
from tavola.server.updates import Update
from tavola.server.wire import Face, Snapshot, WrittenEvents


class Audience:
    """What the viewers of a table are shown, one picture for all who hold the same seats.

    Args:
        company: The viewers.
    """

    def __init__(self, company: Company) -> None:
        self._company = company
        # What they were shown last, by the seats that they hold.
        self._shown: dict[frozenset[int], Snapshot] = {}

    def welcome(self, viewer: Viewer, match: Match, clock: Face | None) -> Snapshot:
        """The picture for somebody who has come."""
        snapshot = pictures.snapshot(match, viewer.held, clock)
        self._shown.setdefault(viewer.held, snapshot)
        return snapshot

    def tell(self, match: Match, done: WrittenEvents, clock: Face | None) -> None:
        """Tells everybody what was logged last."""
        updates: dict[frozenset[int], Update] = {}
        differences = Differences()
        for viewer in tuple(self._company.viewers):
            if (held := viewer.held) not in updates:
                snapshot = pictures.snapshot(match, held, clock)
                updates[held] = Update(done, self._shown.get(held), snapshot, differences)
            viewer.tell(updates[held])
        self._shown = {held: update.snapshot for held, update in updates.items()}

    def show(self, match: Match, clock: Face | None) -> None:
        """Shows everybody the picture as it is now."""
        self._shown = {}
        for viewer in tuple(self._company.viewers):
            if (held := viewer.held) not in self._shown:
                self._shown[held] = pictures.snapshot(match, held, clock)
            viewer.show(self._shown[held])
