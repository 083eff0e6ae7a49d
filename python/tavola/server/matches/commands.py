"""Decisions: which events a command comes to.

They change nothing: what is decided is stored first, and only then taken in by the match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import tavola
from tavola.server.matches import requests
from tavola.server.matches.log import Event, EventKind
from tavola.server.matches.match import Match
from tavola.server.schema.errors import Refused
from tavola.server.schema.requests import Command


def decide(
    match: Match,
    command: Command,
    held: frozenset[int],
    away: Callable[[], frozenset[int]] = frozenset,
) -> list[Event]:
    """The events that a command comes to.

    Args:
        match: The match.
        command: What is asked for.
        held: The seats of whoever asks.
        away: Finds the seats whose persons have gone.

    Raises:
        Refused: With the reason; nothing has changed.
    """
    gone = held & match.replaced
    held &= match.persons
    if command.seat >= len(match.seats):
        raise Refused("unknown-seat", seat=command.seat)
    if command.do == "return":
        return [_return(match, command, gone)]
    if command.seat not in held and not (held and command.do == "undo"):
        raise Refused("not-your-seat", seat=command.seat)
    # Seats contribute when they come, whatever they have seen.
    if command.seq != match.seq and command.do != "contribute":
        raise Refused("stale", seq=match.seq)
    if command.do in ("ask", "accept", "decline"):
        return requests.decide(match, command, held, away)
    if match.status == "over":
        raise Refused("over")
    if match.paused and command.do not in ("resign", "contribute"):
        raise Refused("paused")
    match command.do:
        case "play":
            events = _play(match, command)
        case "undo":
            events = [_undo(match, command, held)]
        case "confirm":
            events = [_confirm(match, command)]
        case "resign":
            # What counts is not lost before everybody has had a turn.
            kind: EventKind = "abort" if match.header.rated and match.opening else "resign"
            events = [match.event(kind, command.seat, command=command.id)]
        case "contribute":
            events = _contribute(match, command)
    return events


def again(command: Command, first: Event, held: frozenset[int]) -> int:
    """The answer to a command that has been answered before."""
    if not held:
        raise Refused("not-your-seat", seat=command.seat)
    kind: str = "action" if command.do == "play" else command.do
    if kind == "resign" and first.kind == "abort":
        kind = "abort"  # it counted for nothing
    same_action = command.do not in ("play", "ask") or command.token == first.token
    if (command.seat, kind) != (first.seat, first.kind) or not same_action:
        raise Refused("reused-id")
    return first.seq


def start(match: Match) -> list[Event]:
    """What chance does before anybody acts."""
    return match.chance(match.urn, match.scene, after=0)


def engine(match: Match, token: str) -> list[Event]:
    """The events that an engine's action comes to."""
    return _with_chance(match, match.seat_to_act(), token, None)


def late(match: Match, token: str | None) -> list[Event]:
    """The events when time is up: an action for the seat, or without one its confirmation."""
    if token is not None:
        return _with_chance(match, match.seat_to_act(), token, None, kind="late")
    assert match.acting is not None, "somebody is to confirm"
    return [match.event("confirm", match.acting)]


def flag(match: Match) -> list[Event]:
    """The end when the seat whose clock runs has no time left."""
    assert match.running is not None, "a clock runs"
    return [match.event("flag", match.running[0])]


def _play(match: Match, command: Command) -> list[Event]:
    if match.acting != command.seat:
        raise Refused("not-your-turn", acting=match.acting)
    if match.status == "confirming":
        raise Refused("confirm-first")
    if command.token is None:
        raise Refused("no-token")
    try:
        return _with_chance(match, command.seat, command.token, command.id)
    except tavola.IllegalAction as error:
        raise match.illegal(command.token, error) from None


def _with_chance(
    match: Match,
    seat: int,
    token: str,
    command: str | None,
    *,
    kind: Literal["action", "late"] = "action",
) -> list[Event]:
    """An action, and what chance answers."""
    scene = match.scene.after(token)
    action = match.event(kind, seat, scene, token=token, command=command)
    return [action, *match.chance(match.urn, scene, after=1)]


def _return(match: Match, command: Command, gone: frozenset[int]) -> Event:
    """Somebody who had gone takes their seat back, whatever they have seen."""
    if command.seat not in gone:
        raise Refused("not-replaced", seat=command.seat)
    if match.status == "over":
        raise Refused("over")
    return match.event("return", command.seat, command=command.id)


def _contribute(match: Match, command: Command) -> list[Event]:
    """A contribution, and what chance does if it has waited for this one."""
    urn = match.urn.take(command.seat, command.token or "")
    event = match.event("contribute", command.seat, token=command.token, command=command.id)
    return [event, *match.chance(urn, match.scene, after=1)]


def _undo(match: Match, command: Command, held: frozenset[int]) -> Event:
    keep = match.undone(held, whole_turn=command.token == "turn")
    if keep is None:
        raise Refused(match.taking_back(held))
    scene = match.scene_after(keep)
    return match.event("undo", command.seat, scene, token=str(keep), command=command.id)


def _confirm(match: Match, command: Command) -> Event:
    if match.status != "confirming":
        raise Refused("nothing-to-confirm")
    if match.acting != command.seat:
        raise Refused("not-your-turn", acting=match.acting)
    return match.event("confirm", command.seat, command=command.id)
