"""A position as it is shown: the core's own JSON, written once and sent as it is.

A view is tens of kilobytes. To read it into objects for every viewer and write it again would cost
more than everything else that an action comes to, so only the few members that the log needs are
read here. A view's members are still an allow-list: one that is not named in `_Members` is refused.
"""

from __future__ import annotations

from functools import cached_property

import msgspec
from msgspec import Raw, Struct

import tavola
from tavola.view import OutcomeView

NOTHING = Raw(b"[]")
"""An empty list."""


class _Members(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A view, its members as they were written."""

    game: Raw
    to_act: Raw
    turn: int
    prompt: Raw
    areas: Raw
    pieces: Raw
    seats: Raw
    supply: Raw
    cards: Raw
    lines: Raw
    actions: Raw
    outcome: OutcomeView | None


class _Action(Struct, frozen=True, gc=False):
    """What the log says of an action."""

    token: str
    label: Raw


_members = msgspec.json.Decoder(_Members)
_actions = msgspec.json.Decoder(list[_Action])
_write = msgspec.json.Encoder().encode


class Scene:
    """A position's views, each written when it is first wanted.

    Args:
        state: The position.
    """

    def __init__(self, state: tavola.State) -> None:
        self.state = state
        # One view serves all viewers where they all see the same.
        self._alike = state.is_same_for_all
        self._members: dict[int | None, _Members] = {}
        self._views: dict[tuple[int | None, bool], Raw] = {}

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self._read(None).turn

    @property
    def outcome(self) -> OutcomeView | None:
        """How the game ended."""
        return self._read(None).outcome

    def label(self, token: str) -> Raw | None:
        """What everybody may read of an action in the log; `None` of what chance does."""
        return self._labels.get(token)

    def view(self, viewer: int | None, *, with_actions: bool) -> Raw:
        """The view of a seat, or with `None` of a spectator.

        Args:
            viewer: Who looks.
            with_actions: Whether they are to choose one.
        """
        viewer = None if self._alike else viewer
        wanted = viewer, with_actions
        if wanted not in self._views:
            members = self._read(viewer)
            if not with_actions:
                members = msgspec.structs.replace(members, actions=NOTHING)
            self._views[wanted] = Raw(_write(members))
        return self._views[wanted]

    @cached_property
    def _labels(self) -> dict[str, Raw]:
        return {found.token: found.label for found in _actions.decode(self._read(None).actions)}

    def _read(self, viewer: int | None) -> _Members:
        if viewer not in self._members:
            self._members[viewer] = _members.decode(self.state.view_json(viewer))
        return self._members[viewer]
