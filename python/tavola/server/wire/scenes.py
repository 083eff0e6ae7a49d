"""A position as it is shown: the core's own JSON, written once and sent as it is.

A view is tens of kilobytes. To read it into objects for every viewer and write it again would cost
more than everything else that an action comes to, so only the few members that the log needs are
read here. A view's members are still an allow-list: one that is not named in `Members` is refused.
"""

from __future__ import annotations

from functools import cached_property

import msgspec
from msgspec import Raw, Struct

import tavola
from tavola.view import OutcomeView

NOTHING = Raw(b"[]")
"""An empty list."""


class Members(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
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


_members = msgspec.json.Decoder(Members)
_actions = msgspec.json.Decoder(list[_Action])


class Scene:
    """A position's views, each written when it is first wanted.

    Args:
        state: The position.
    """

    def __init__(self, state: tavola.State) -> None:
        self.state = state
        # One view serves all viewers where they all see the same.
        self._alike = state.is_same_for_all
        self._members: dict[int | None, Members] = {}
        self._quiet: dict[int | None, Members] = {}

    def rest(self) -> None:
        """Forgets the views, which are large: they are written again if they are wanted again."""
        self._members.clear()
        self._quiet.clear()

    @cached_property
    def turn(self) -> int:
        """The number of the turn."""
        return self._read(None).turn

    @property
    def outcome(self) -> OutcomeView | None:
        """How the game ended."""
        return self._read(None).outcome

    def label(self, token: str) -> Raw | None:
        """What everybody may read of an action in the log; `None` of what chance does."""
        found = _actions.decode(self._read(None).actions)
        return next((action.label for action in found if action.token == token), None)

    def view(self, viewer: int | None, *, with_actions: bool) -> Members:
        """The view of a seat, or with `None` of a spectator.

        Args:
            viewer: Who looks.
            with_actions: Whether they are to choose one.
        """
        viewer = None if self._alike else viewer
        members = self._read(viewer)
        if with_actions:
            return members
        if viewer not in self._quiet:
            self._quiet[viewer] = msgspec.structs.replace(members, actions=NOTHING)
        return self._quiet[viewer]

    def _read(self, viewer: int | None) -> Members:
        if viewer not in self._members:
            self._members[viewer] = _members.decode(self.state.view_json(viewer))
        return self._members[viewer]
