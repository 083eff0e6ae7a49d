"""The audience of a table: every viewer gets the pictures of what they may see."""

from __future__ import annotations

from collections.abc import Mapping

from tavola.server.matches.match import Match
from tavola.server.schema.responses import Common, Face, Snapshot, WrittenView
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.presence import Company, Viewer
from tavola.server.snapshots.snapshot import Picture
from tavola.server.snapshots.updates import News, Update

Views = Mapping[frozenset[int], WrittenView]
"""Views of a match, by the seats that their viewers hold."""

_NONE: Views = {}


class Audience:
    """What the viewers of a table are shown, one picture for all who hold the same seats.

    Args:
        company: The viewers.
    """

    def __init__(self, company: Company) -> None:
        self._company = company
        # What they were shown last, by the seats that they hold.
        self._shown: dict[frozenset[int], Picture] = {}

    def welcome(self, viewer: Viewer, match: Match, clock: Face | None) -> Snapshot:
        """The picture for somebody who has come."""
        picture = snapshot.picture(match, viewer.held, snapshot.common(match, clock))
        self._shown.setdefault(viewer.held, picture)
        return picture.snapshot

    def prepare(self, before: Match, match: Match) -> Views:
        """Has the core prepare what is told if a match comes to this; returns the views of it."""
        if not self._shown:
            return _NONE
        for step in match.steps[len(before.steps) :]:
            step.prepare()
        views = {held: snapshot.view(match, held) for held in self._shown}
        for held, view in views.items():
            view.prepare(self._shown[held].view)
        return views

    def tell(self, match: Match, clock: Face | None, views: Views = _NONE) -> None:
        """Tells everybody what was logged last, with the views of it that are prepared."""
        common = snapshot.common(match, clock)
        news, before = News(common), self._shown
        self._shown = self._pictures(match, common, views)
        updates = {
            held: Update(news, before.get(held), picture) for held, picture in self._shown.items()
        }
        for viewer in tuple(self._company.viewers):
            viewer.tell(updates[viewer.held])

    def show(self, match: Match, clock: Face | None) -> None:
        """Shows everybody the picture as it is now."""
        self._shown = self._pictures(match, snapshot.common(match, clock))
        for viewer in tuple(self._company.viewers):
            viewer.show(self._shown[viewer.held].snapshot)

    def go_home(self) -> None:
        """Nobody is left: what they were shown, which is large, is forgotten."""
        self._shown.clear()

    def _pictures(
        self, match: Match, common: Common, views: Views = _NONE
    ) -> dict[frozenset[int], Picture]:
        kinds = {viewer.held for viewer in self._company.viewers}
        return {held: snapshot.picture(match, held, common, views.get(held)) for held in kinds}
