"""The audience of a table: every viewer gets the pictures of what they may see."""

from __future__ import annotations

from tavola.server.matches.match import Match
from tavola.server.pictures import pictures
from tavola.server.pictures.pictures import Picture
from tavola.server.pictures.presence import Company, Viewer
from tavola.server.pictures.updates import News, Update
from tavola.server.wire.told import Common, Face, Snapshot


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
        picture = pictures.picture(match, viewer.held, pictures.common(match, clock))
        self._shown.setdefault(viewer.held, picture)
        return picture.snapshot

    def prepare(self, before: Match, match: Match) -> None:
        """Has the core prepare what is told if a match comes to this."""
        if self._shown:
            for step in match.steps[len(before.steps) :]:
                step.prepare()
        for held, shown in self._shown.items():
            pictures.view(match, held).prepare(shown.view)

    def tell(self, match: Match, clock: Face | None) -> None:
        """Tells everybody what was logged last."""
        common = pictures.common(match, clock)
        news, before = News(common), self._shown
        self._shown = self._pictures(match, common)
        updates = {
            held: Update(news, before.get(held), picture) for held, picture in self._shown.items()
        }
        for viewer in tuple(self._company.viewers):
            viewer.tell(updates[viewer.held])

    def show(self, match: Match, clock: Face | None) -> None:
        """Shows everybody the picture as it is now."""
        self._shown = self._pictures(match, pictures.common(match, clock))
        for viewer in tuple(self._company.viewers):
            viewer.show(self._shown[viewer.held].snapshot)

    def go_home(self) -> None:
        """Nobody is left: what they were shown, which is large, is forgotten."""
        self._shown.clear()

    def _pictures(self, match: Match, common: Common) -> dict[frozenset[int], Picture]:
        kinds = {viewer.held for viewer in self._company.viewers}
        return {held: pictures.picture(match, held, common) for held in kinds}
