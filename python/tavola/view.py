"""Views: positions as data for drawing. The types match the JSON of `crates/core/src/view.rs`.

Decoding is strict and rejects unknown fields. The server sends views as the core writes them. Tests
decode the views of every game into these types, so that no hidden information reaches a viewer.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, json

from tavola import IllegalAction, State


class Text(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A translatable text.

    Attributes:
        key: The key of the message of the game.
        params: The parameters of the message by name.
    """

    key: str
    params: dict[str, int | str | Text] = {}


class Mark(Struct, frozen=True, forbid_unknown_fields=True):
    """A temporary mark on a cell.

    Attributes:
        symbol: The symbol of the mark.
        label: The meaning of the mark.
        choosing: Whether only the seat to act sees the mark.
    """

    symbol: str
    label: Text
    choosing: bool


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A cell of the board, which can hold pieces and be selected.

    Attributes:
        id: The id of the cell.
        x: The horizontal position of its centre, in widths of a cell of size 1.
        y: The vertical position of its centre, in the same unit.
        symbol: The symbol of the cell, or None.
        label: The description of the cell.
        marks: The temporary marks on the cell.
        value: A number on the cell, such as its level, or None.
        part_of: The id of the cell that it is a part of, or None.
    """

    id: str
    x: float
    y: float
    symbol: str | None
    label: Text
    marks: tuple[Mark, ...]
    value: int | None
    part_of: str | None


class Area(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A group of cells that are drawn together.

    Attributes:
        id: The id of the area.
        shape: The shape of the cells.
        label: The name of the area.
        cells: The cells.
        size: The size of the cells, 1 on the main board of most games.
    """

    id: str
    shape: Literal["hex", "square", "free"]
    label: Text
    cells: tuple[Cell, ...]
    size: float = 1.0


class Piece(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece on a cell.

    Attributes:
        id: The id, which is stable during the game.
        cell: The id of its cell.
        symbol: The symbol of the piece.
        label: The description of the piece.
        level: The level of the piece in a stack, from 0.
        turn: The clockwise rotation in degrees.
        owner: The seat that owns the piece, or None.
    """

    id: str
    cell: str
    symbol: str
    label: Text
    level: int
    turn: int
    owner: int | None


class Counter(Struct, frozen=True, forbid_unknown_fields=True):
    """A named number.

    Attributes:
        id: The id of the counter.
        label: The name.
        value: The number.
        of: The maximum, or None.
        symbol: The symbol, or None.
    """

    id: str
    label: Text
    value: int
    of: int | None
    symbol: str | None


class SeatView(Struct, frozen=True, forbid_unknown_fields=True):
    """The public information about a seat.

    Attributes:
        seat: The number of the seat.
        name: The name of the seat, such as its colour.
        symbol: The symbol of the seat.
        counters: The scores and supplies of the seat.
    """

    seat: int
    name: Text
    symbol: str
    counters: tuple[Counter, ...]


class Card(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule or effect that applies now, with a diagram.

    Attributes:
        id: The id of the card.
        symbol: The symbol of the card.
        title: The title.
        text: The description.
        cells: The ids of the cells that it concerns.
        links: Pairs of ids of linked cells.
    """

    id: str
    symbol: str
    title: Text
    text: Text
    cells: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


class Count(Struct, frozen=True, forbid_unknown_fields=True):
    """A number at a point of a line.

    Attributes:
        at: The point, in cell widths.
        n: The number.
    """

    at: tuple[float, float]
    n: int


class Curve(Struct, frozen=True, forbid_unknown_fields=True):
    """A line over the board.

    Attributes:
        id: The id of the line.
        owner: The seat that owns the line, or None.
        label: The description of the line.
        path: The first point, then the control and end points of quadratic curves.
        counts: The numbers on the line.
    """

    id: str
    owner: int | None
    label: Text
    path: tuple[tuple[float, float], ...]
    counts: tuple[Count, ...]


class ActionView(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A legal action, and how a player selects it.

    Attributes:
        token: The token of the action.
        touches: The ids of the cells that a player selects for the action.
        label: The name of the action.
        kind: The kind of the action, which groups actions.
        any_order: Whether a player can select the cells in any order.
        turn: The clockwise rotation of the piece in degrees, or None.
        preview: The pieces as they would be after the action.
        warning: A warning about the action, or None.
    """

    token: str
    touches: tuple[str, ...]
    label: Text
    kind: str
    any_order: bool = False
    turn: int | None = None
    preview: tuple[Piece, ...] = ()
    warning: Text | None = None


class Decisive(Struct, frozen=True, forbid_unknown_fields=True):
    """The places that decided a game: three stacks, three counters, a line that scores.

    Attributes:
        cells: The cells, in drawing order.
        lines: The ids of lines of the view.
    """

    cells: tuple[str, ...]
    lines: tuple[str, ...]


class OutcomeView(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a game.

    Attributes:
        winners: The winning seats; empty for a draw.
        reason: The code of the reason.
        text: The description of the reason.
        returns: The returns by seat.
        decisive: The places that decided the game.
    """

    winners: tuple[int, ...]
    reason: str
    text: Text
    returns: tuple[float, ...]
    decisive: Decisive


class View(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as a seat or a spectator sees it.

    Attributes:
        game: The name of the game.
        to_act: The seat to act, -1 for chance, None when the game is over.
        turn: The number of the turn.
        prompt: The request to the seat to act.
        areas: The areas of cells.
        pieces: The pieces.
        seats: The seats.
        supply: The counters of the shared supply.
        cards: The rules and effects that apply now.
        lines: The lines over the board.
        actions: The legal actions of the viewer.
        outcome: The outcome, or None.
    """

    game: str
    to_act: int | None
    turn: int
    prompt: Text
    areas: tuple[Area, ...]
    pieces: tuple[Piece, ...]
    seats: tuple[SeatView, ...]
    supply: tuple[Counter, ...]
    cards: tuple[Card, ...]
    lines: tuple[Curve, ...]
    actions: tuple[ActionView, ...]
    outcome: OutcomeView | None


class Change(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The change of a piece by an event.

    Attributes:
        type: The type of the change, which determines the other fields.
        id: The id of the piece.
        piece: The piece after the change.
        cell: The id of the cell.
    """

    type: Literal["placed", "moved", "changed", "removed", "laid", "announced"]
    id: str | None = None
    piece: Piece | None = None
    cell: str | None = None


class Event(Struct, frozen=True, forbid_unknown_fields=True):
    """An effect of an action, for animation, sound, log and narration.

    Attributes:
        step: The number of the step; events of one step happen together.
        change: The change of a piece.
        cells: The ids of the cells that it concerns.
        line: A line that it draws, or None.
        text: The log entry, or None.
        sound: The sound, or None.
    """

    step: int
    change: Change
    cells: tuple[str, ...]
    line: Curve | None
    text: Text | None
    sound: Literal["step", "place", "lay", "flip", "spin", "end"] | None


class MoveLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """An action as the list of moves shows it.

    Attributes:
        symbols: The symbols of its pieces, in order.
        text: The rest in words, without coordinates.
        cells: The cells of the action, in order.
    """

    symbols: tuple[str, ...]
    text: Text
    cells: tuple[str, ...]


class NumberChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The change of a number in a hand.

    Attributes:
        cell: The id of the cell.
        by: How much the number grows; negative if it falls.
    """

    cell: str
    by: int


class Prospect(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The preview of an action.

    Attributes:
        pieces: The pieces as they would be after the action.
        lines: The lines that it would draw.
        texts: The descriptions of its effects.
        numbers: The changes of the numbers in a hand.
    """

    pieces: tuple[Piece, ...]
    lines: tuple[Curve, ...]
    texts: tuple[Text, ...]
    numbers: tuple[NumberChange, ...] = ()


class Refusal(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason why an action is illegal.

    Attributes:
        text: The reason.
        clause: The number of the clause in the rules.
    """

    text: Text
    clause: str


_VIEW = json.Decoder(View)
_EVENTS = json.Decoder(tuple[Event, ...])
_PROSPECT = json.Decoder(Prospect)
_REFUSAL = json.Decoder(Refusal)


def view(state: State, viewer: int | None = None) -> View:
    """Return the view of a state.

    Args:
        state: The state.
        viewer: The seat of the viewer; `None` for a spectator.

    Returns:
        The view, without information that is hidden from the viewer.
    """
    return _VIEW.decode(state.view_json(viewer))


def events(state: State, token: str) -> tuple[Event, ...]:
    """Return the events of a legal action.

    Args:
        state: The state before the action.
        token: The token of the action.

    Returns:
        The events, in their order.

    Raises:
        IllegalAction: If the action is illegal.
    """
    return _EVENTS.decode(state.events_json(token))


def refusal(error: IllegalAction) -> Refusal | None:
    """Return the reason why an action is illegal.

    Args:
        error: The error of `State.play`.

    Returns:
        The reason; `None` if the token stands for no action of the game.
    """
    return None if error.refusal is None else _REFUSAL.decode(error.refusal)


def refusal_of_touch(state: State, touched: list[str], turn: int | None = None) -> Refusal | None:
    """Return the reason why no legal action begins with the selected cells.

    Args:
        state: The state.
        touched: The ids of the selected cells, in their order.
        turn: The clockwise rotation of the piece in degrees; `None` for any.

    Returns:
        The reason; `None` if there is a legal action.
    """
    found = state.touch_refusal_json(touched, turn)
    return None if found is None else _REFUSAL.decode(found)


def prospect(state: State, token: str) -> Prospect:
    """Return the preview of a legal action.

    Args:
        state: The state before the action.
        token: The token of the action.

    Returns:
        The preview.

    Raises:
        IllegalAction: If the action is illegal.
    """
    return _PROSPECT.decode(state.prospect_json(token))
