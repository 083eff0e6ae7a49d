"""Subscribers of a live match: each receives the snapshots of its seats."""

from __future__ import annotations

from collections.abc import Mapping

from tavola.server.matches.match import Match
from tavola.server.schema.responses import ClockState, CommonState, EncodedView, Snapshot
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.presence import Presence, Viewer
from tavola.server.snapshots.snapshot import SnapshotParts
from tavola.server.snapshots.updates import CommonPatch, Update

Views = Mapping[frozenset[int], EncodedView]
"""Views of a match, by the seats that their viewers hold."""

_NONE: Views = {}


class Subscribers:
    """Sends updates to the viewers of a match, one snapshot for all with the same seats.

    Args:
        presence: The viewers.
    """

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        # The last snapshot for each set of held seats.
        self._last_sent: dict[frozenset[int], SnapshotParts] = {}

    def first_snapshot(self, viewer: Viewer, match: Match, clock: ClockState | None) -> Snapshot:
        """Return the first snapshot for a new viewer."""
        parts = snapshot.snapshot_parts(match, viewer.held, snapshot.common_state(match, clock))
        self._last_sent.setdefault(viewer.held, parts)
        return parts.snapshot

    def prepare(self, before: Match, match: Match) -> Views:
        """Let the core prepare the update that leads to this match; return the views of it."""
        if not self._last_sent:
            return _NONE
        for step in match.history[len(before.history) :]:
            step.prepare()
        views = {held: snapshot.position_view(match, held) for held in self._last_sent}
        for held, view in views.items():
            view.prepare(self._last_sent[held].view)
        return views

    def send_update(self, match: Match, clock: ClockState | None, views: Views = _NONE) -> None:
        """Send the latest events to every viewer, with the views that are prepared."""
        common = snapshot.common_state(match, clock)
        common_patch, before = CommonPatch(common), self._last_sent
        self._last_sent = self._build(match, common, views)
        updates = {
            held: Update(common_patch, before.get(held), parts)
            for held, parts in self._last_sent.items()
        }
        for viewer in tuple(self._presence.viewers):
            viewer.send_update(updates[viewer.held])

    def send_snapshot(self, match: Match, clock: ClockState | None) -> None:
        """Send the current snapshot to every viewer."""
        self._last_sent = self._build(match, snapshot.common_state(match, clock))
        for viewer in tuple(self._presence.viewers):
            viewer.send_snapshot(self._last_sent[viewer.held].snapshot)

    def clear(self) -> None:
        """Forget the last snapshots, which are large, when the last viewer leaves."""
        self._last_sent.clear()

    def _build(
        self, match: Match, common: CommonState, views: Views = _NONE
    ) -> dict[frozenset[int], SnapshotParts]:
        kinds = {viewer.held for viewer in self._presence.viewers}
        return {
            held: snapshot.snapshot_parts(match, held, common, views.get(held)) for held in kinds
        }
