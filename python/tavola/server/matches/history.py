"""The history of a match: the actions in force, as the log shows them."""

from __future__ import annotations

from msgspec import Raw, Struct

import tavola
from tavola._core import LazyEvents
from tavola.server.matches.cached_state import CachedState
from tavola.server.matches.log import Event


class HistoryEntry(Struct, gc=False, eq=False):
    """An action in force.

    Attributes:
        seq: The number of its event.
        seat: The seat that acted; -1 for chance.
        turn: The number of its turn.
        token: The action.
        late: Whether the server acted for the seat, whose time was up.
        planned: Whether the seat had planned it.
        position: The position after it.
        label: Its label in the position before, encoded; `None` for chance.
        events: What it did; `None` once `full` is there, as events are stored only once.
        full: The encoded action with its events, if a viewer has needed it.
        brief: The same without its events.
    """

    seq: int
    seat: int
    turn: int
    token: str
    late: bool
    planned: bool
    position: CachedState
    label: Raw | None
    events: LazyEvents | None
    full: Raw | None = None
    brief: Raw | None = None

    def prepare(self) -> None:
        """Let the core compute its events."""
        if self.events is not None:
            self.events.prepare()

    @property
    def state(self) -> tavola.State:
        """The position that it led to."""
        return self.position.state


def make_entry(event: Event, before: CachedState, *, planned: bool = False) -> HistoryEntry:
    """Play the action of an event.

    Args:
        event: The event.
        before: The position before.
        planned: Whether the seat had planned it.

    Raises:
        IllegalAction: It cannot be played in the position before.
    """
    token = event.token or ""
    after = before.after(token)
    # No view of what chance could do: it has no actions to choose from, whose labels could be read.
    label = None if event.seat == tavola.CHANCE else before.label(token)
    before.drop_views()
    return HistoryEntry(
        seq=event.seq,
        seat=event.seat,
        turn=before.state.turn,
        token=token,
        late=event.kind == "late",
        planned=planned,
        position=after,
        label=label,
        events=before.state.lazy_events(token),
    )
