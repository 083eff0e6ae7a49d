"""Undo: who may undo an action, who must ask for it, and the event.

The core finds the actions that an undo removes. A game on a device allows every undo that it finds.
"""

from __future__ import annotations

from typing import Literal

from tavola.server.errors import RequestError
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match

UndoPermission = Literal["free", "ask-for-undo", "rated-undo", "time-up", "nothing-to-undo"]
"""Whether undo is allowed, or why not."""


def undo_permission(match: Match, held: frozenset[int]) -> UndoPermission:
    """Return whether the holder of these seats may undo, must ask, or why not.

    The last action can be undone freely until its turn is confirmed. Later the other players
    must grant it. Engines and open seats always grant it, so the holder of all other persons'
    seats may always undo. In a rated match no player may, and no turn that is out of time can
    be undone freely. An action stays once a chance event has followed, because drawn
    information cannot be forgotten.
    """
    last = match.core.undoable(held)
    if last is None:
        return "nothing-to-undo"
    rated = match.header.rated
    alone = match.core.is_unconfirmed(last) or (not rated and match.persons - match.vacant <= held)
    if alone and not _timed_out(match, last):
        return "free"
    if not rated:
        return "ask-for-undo"
    return "time-up" if alone else "rated-undo"


def _timed_out(match: Match, place: int) -> bool:
    """Return whether no time is left in the turn of an action: it would end again at once."""
    entry = match.history[place]
    return (
        match.remaining_time is not None
        and match.clock_waits_for_viewers
        and match.remaining_time.left_in(entry.seat, entry.turn) <= 0
    )


def undo_event(match: Match, command: Command, held: frozenset[int]) -> Event:
    """Return the event of an undo by command.

    Raises:
        RequestError: `ask-for-undo`, `rated-undo`, `time-up`, `nothing-to-undo`.
    """
    permission = undo_permission(match, held)
    if permission != "free":
        raise RequestError(permission)
    keep = match.core.length_after_undo(held, command.token == "turn")
    assert keep is not None, "there is an action to undo"
    # A client may name the seat to act, which is another's when its own turn is complete.
    acted = match.history[keep].seat
    seat = next(seat for seat in (command.seat, acted, min(held)) if seat in held)
    position = match.position_after(keep)
    return match.event("undo", seat, position, token=str(keep), command=command.id)


def can_ask_for_undo(match: Match, held: frozenset[int], seat: int) -> bool:
    """Return whether the holder of these seats may ask for the undo of this seat's last turn."""
    return (
        undo_permission(match, held) == "ask-for-undo"
        and match.core.undoable(frozenset({seat})) is not None
    )


def granted_undo_event(match: Match, seat: int, *, after: int) -> Event:
    """Return the undo of this seat's last turn, which the other players have granted."""
    keep = match.core.length_after_undo(frozenset({seat}), True)
    assert keep is not None, "it was possible when it was asked for; nothing came between"
    return match.event("undo", seat, match.position_after(keep), token=str(keep), after=after)
