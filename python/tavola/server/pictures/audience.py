"""The audience of a table: every viewer gets the pictures of what they may see."""

from __future__ import annotations

from tavola.server.matches.match import Match
from tavola.server.pictures import pictures
from tavola.server.pictures.presence import Company, Viewer
from tavola.server.pictures.updates import Update
from tavola.server.wire.told import Face, Snapshot, WrittenEvents


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
        now = self._pictures(match, clock)
        updates = {
            held: Update(done, self._shown.get(held), snapshot) for held, snapshot in now.items()
        }
        self._shown = now
        for viewer in tuple(self._company.viewers):
            viewer.tell(updates[viewer.held])

    def show(self, match: Match, clock: Face | None) -> None:
        """Shows everybody the picture as it is now."""
        self._shown = self._pictures(match, clock)
        for viewer in tuple(self._company.viewers):
            viewer.show(self._shown[viewer.held])

    def _pictures(self, match: Match, clock: Face | None) -> dict[frozenset[int], Snapshot]:
        return pictures.snapshots(match, {viewer.held for viewer in self._company.viewers}, clock)
