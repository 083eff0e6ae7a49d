"""A state and its views: the core holds each viewer's view and encodes it.

A view is tens of kilobytes. Decoding it for every viewer and encoding it again would cost more than
the rest of an action. Only the few members that the log needs are read here.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

import tavola
from tavola._core import LazyView
from tavola.view import OutcomeView

_outcome = msgspec.json.Decoder(OutcomeView)


class CachedState(Struct, gc=False, eq=False):
    """A state with its text, key, views and next state, each made when it is first wanted.

    One remains for every action. It is no part of a reference cycle, so the garbage
    collector need not track it.

    Attributes:
        state: The state.
    """

    state: tavola.State
    _text: str = ""
    _key: str = ""
    _next: tuple[str, CachedState] | None = None
    _views: dict[int | None, LazyView] = {}  # its own for each

    @property
    def text(self) -> str:
        """The position as text."""
        if not self._text:
            self._text = self.state.text
        return self._text

    @property
    def key(self) -> str:
        """The position's key, as it is stored."""
        if not self._key:
            self._key = f"{self.state.key:016x}"
        return self._key

    def after(self, token: str) -> CachedState:
        """Return the position after an action, cached, as it is soon requested again.

        A decision is played, stored with the position to which it leads, and then taken in.

        Raises:
            IllegalAction: It cannot be played.
        """
        if self._next is None or self._next[0] != token:
            self._next = token, CachedState(self.state.play(token))
        return self._next[1]

    def drop_views(self) -> None:
        """Drop the views, which are large; they are computed again on demand."""
        self._views = {}
        self._next = None

    @property
    def outcome(self) -> OutcomeView | None:
        """How the game ended."""
        json = self._view(None).outcome_json()
        return None if json is None else _outcome.decode(json)

    def label(self, token: str) -> Raw | None:
        """Return the public label of an action for the log."""
        json = self._view(None).label_json(token)
        return None if json is None else Raw(json)

    def view(self, viewer: int | None, *, with_actions: bool) -> LazyView:
        """Return the view of a seat, or with `None` of a spectator.

        Args:
            viewer: Who looks.
            with_actions: Whether they are to choose one.
        """
        view = self._view(viewer)
        return view if with_actions else view.without_actions()

    def _view(self, viewer: int | None) -> LazyView:
        view = self._views.get(viewer)
        if view is None:
            view = self._views[viewer] = self.state.lazy_view(viewer)
        return view
