"""A position as data for drawing: the types of `crates/core/src/view.rs`, read from their JSON.

Read strictly: a field that is not named here is refused. The server sends views as the core writes
them; tests read every game's into these types, so nothing reaches a viewer by accident.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, json

from tavola import IllegalAction, State


class Text(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A key of the game's words, and what to put into it."""

    key: str
    params: dict[str, int | str | Text] = {}


class Mark(Struct, frozen=True, forbid_unknown_fields=True):
    """Something special about a cell now; of those `choosing`, only to whoever is to choose."""

    symbol: str
    label: Text
    choosing: bool


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A place that pieces stand on and that can be touched; `x` and `y` in cell widths."""

    id: str
    x: float
    y: float
    symbol: str | None
    label: Text
    marks: tuple[Mark, ...]
    value: int | None
    part_of: str | None


class Area(Struct, frozen=True, forbid_unknown_fields=True):
    """A group of cells that is drawn together."""

    id: str
    shape: Literal["hex", "square", "free"]
    label: Text
    cells: tuple[Cell, ...]


class Piece(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing on a cell."""

    id: str
    cell: str
    symbol: str
    label: Text
    storey: int
    turn: int
    owner: int | None


class Counter(Struct, frozen=True, forbid_unknown_fields=True):
    """A number with a name."""

    id: str
    label: Text
    value: int
    of: int | None
    symbol: str | None


class SeatView(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as everybody sees it."""

    seat: int
    name: Text
    symbol: str
    counters: tuple[Counter, ...]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that holds now and is shown beside the board in words and a diagram."""

    id: str
    symbol: str
    title: Text
    text: Text
    cells: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """A number at a place on a line."""

    at: tuple[float, float]
    n: int


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line over the board: its first point, then control points and ends of quadratic curves."""

    id: str
    owner: int | None
    label: Text
    path: tuple[tuple[float, float], ...]
    counts: tuple[Count, ...]


class ActionView(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A legal action, and how it is chosen."""

    token: str
    touches: tuple[str, ...]
    label: Text
    kind: str
    any_order: bool = False
    turn: int | None = None
    preview: tuple[Piece, ...] = ()
    warning: Text | None = None


class OutcomeView(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended."""

    winners: tuple[int, ...]
    reason: str
    text: Text
    returns: tuple[float, ...]


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as one seat, or a spectator, may see it."""

    game: str
    to_act: int | None
    turn: int
    prompt: Text
    areas: tuple[Area, ...]
    pieces: tuple[Piece, ...]
    seats: tuple[SeatView, ...]
    supply: tuple[Counter, ...]
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    actions: tuple[ActionView, ...]
    outcome: OutcomeView | None


class Change(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an event does to the pieces; which of the other fields there are depends on `type`."""

    type: Literal["placed", "moved", "changed", "removed", "laid", "told"]
    id: str | None = None
    piece: Piece | None = None
    cell: str | None = None


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that an action did, for animation, sound, log line and narration."""

    step: int
    change: Change
    cells: tuple[str, ...]
    line: Line | None
    text: Text | None
    sound: Literal["step", "place", "lay", "flip", "spin", "end"] | None


class Prospect(Struct, frozen=True, forbid_unknown_fields=True):
    """What an action would bring: looked at before it is played."""

    pieces: tuple[Piece, ...]
    lines: tuple[Line, ...]
    texts: tuple[Text, ...]


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    """Why something cannot be done: words, and the clause of the rule book to read."""

    text: Text
    clause: str


_VIEW = json.Decoder(View)
_EVENTS = json.Decoder(tuple[Event, ...])
_PROSPECT = json.Decoder(Prospect)
_REFUSAL = json.Decoder(Refusal)


def view(state: State, viewer: int | None = None) -> View:
    """The position as a seat, or with `None` a spectator, may see it."""
    return _VIEW.decode(state.view_json(viewer))


def events(state: State, token: str) -> tuple[Event, ...]:
    """What a legal action, played in this state, does."""
    return _EVENTS.decode(state.events_json(token))


def refusal(error: IllegalAction) -> Refusal | None:
    """Why an action is not legal; `None` if its token stands for no action at all."""
    return None if error.refusal is None else _REFUSAL.decode(error.refusal)


def refusal_of_touch(state: State, touched: list[str], turn: int | None = None) -> Refusal | None:
    """Why nothing can be done by touching these cells, in order; `None` if something can.

    Args:
        state: The position.
        touched: The names of cells.
        turn: How the piece in hand is turned, clockwise in degrees; `None` leaves that open.
    """
    found = state.touch_refusal_json(touched, turn)
    return None if found is None else _REFUSAL.decode(found)


def prospect(state: State, token: str) -> Prospect:
    """What a legal action would bring.

    Raises:
        IllegalAction: The action is not legal here.
    """
    return _PROSPECT.decode(state.prospect_json(token))
