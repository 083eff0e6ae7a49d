"""Commands: which events each one leads to, or why it is rejected.

They change nothing: what is decided is stored first, and only then taken in by the match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import structlog

import tavola
from tavola.server.errors import RequestError, illegal_action
from tavola.server.matches import player_requests
from tavola.server.matches.command import Command
from tavola.server.matches.log import MOST_EVENTS, Event, EventKind
from tavola.server.matches.match import Match
from tavola.server.matches.undo import undo_event

_log = structlog.get_logger("tavola.matches")


def decide(
    match: Match,
    command: Command,
    held: frozenset[int],
    away: Callable[[], frozenset[int]] = frozenset,
) -> list[Event]:
    """Return the events of a command, or reject it.

    Args:
        match: The match.
        command: What is asked for.
        held: The seats that the client holds.
        away: Finds the seats that an engine may take over.

    Raises:
        RequestError: With the reason; nothing has changed.
    """
    gone = held & match.replaced
    held &= match.persons
    if command.seat >= len(match.seats):
        raise RequestError("unknown-seat", seat=command.seat)
    if command.do == "return":
        return [_return_event(match, command, gone)]
    if command.seat not in held and not (held and command.do == "undo"):
        raise RequestError("not-your-seat", seat=command.seat)
    # Seats contribute when they come, whatever they have seen.
    if command.seq != match.seq and command.do != "contribute":
        raise RequestError("stale", seq=match.seq)
    if match.is_full and match.status != "over" and command.do != "resign":
        raise RequestError("match-full", most=MOST_EVENTS)
    if command.do in ("ask", "accept", "decline"):
        return player_requests.decide(match, command, held, away)
    if match.status == "over":
        raise RequestError("over")
    if match.paused and command.do not in ("resign", "contribute"):
        raise RequestError("paused")
    match command.do:
        case "play":
            events = _play_events(match, command)
        case "undo":
            events = [undo_event(match, command, held)]
        case "confirm":
            events = [_confirm_event(match, command)]
        case "resign":
            # A rated match does not count before every seat has had a turn, but in a tournament.
            free = match.header.rated and match.header.tournament is None
            kind: EventKind = "abort" if free and match.opening else "resign"
            events = [match.event(kind, command.seat, command=command.id)]
        case "contribute":
            events = _contribute_events(match, command)
    return events


def repeat_response(command: Command, first: Event, held: frozenset[int]) -> int:
    """Return the answer to a command that has been answered before."""
    if not held:
        raise RequestError("not-your-seat", seat=command.seat)
    seat = command.seat
    kind: str = "action" if command.do == "play" else command.do
    if kind == "undo" and first.seat in held:
        seat = first.seat  # any seat may be named
    if kind == "resign" and first.kind == "abort":
        kind = "abort"  # it counted for nothing
    same_action = command.do not in ("play", "ask") or command.token == first.token
    if (seat, kind) != (first.seat, first.kind) or not same_action:
        raise RequestError("reused-id")
    return first.seq


def opening_events(match: Match) -> list[Event]:
    """Return the chance events before the first action."""
    return match.chance_events(match.draw_source, match.position, after=0)


def engine_events(match: Match, token: str) -> list[Event]:
    """Return the events of an engine's action."""
    return _action_events(match, match.seat_to_act(), token, None)


def timeout_events(match: Match, token: str | None) -> list[Event]:
    """Return the events of a timeout: an action for the seat, or else its confirmation."""
    if token is not None:
        return _action_events(match, match.seat_to_act(), token, None, kind="late")
    assert match.acting is not None, "a seat has to confirm"
    return [match.event("confirm", match.acting)]


def flag_events(match: Match) -> list[Event]:
    """Return the end when the seat whose clock runs has no time left."""
    assert match.running_turn is not None, "a clock runs"
    return [match.event("flag", match.running_turn[0])]


def _play_events(match: Match, command: Command) -> list[Event]:
    if match.acting != command.seat:
        raise RequestError("not-your-turn", acting=match.acting)
    if match.status == "confirming":
        raise RequestError("confirm-first")
    if command.token is None:
        raise RequestError("no-token")
    try:
        return _action_events(match, command.seat, command.token, command.id)
    except tavola.IllegalAction as error:
        raise illegal_action(match.state, error) from None
    except tavola.GameFailed as error:
        _log.exception("rules failed", match=match.header.id, position=match.state.text)
        raise RequestError("game-failed", game=error.game, what=error.what) from error


def _action_events(
    match: Match,
    seat: int,
    token: str,
    command: str | None,
    *,
    kind: Literal["action", "late"] = "action",
) -> list[Event]:
    """Return the events of an action and of the chance events after it."""
    scene = match.position.after(token)
    action = match.event(kind, seat, scene, token=token, command=command)
    return [action, *match.chance_events(match.draw_source, scene, after=1)]


def _return_event(match: Match, command: Command, gone: frozenset[int]) -> Event:
    """Return the event by which a replaced player takes the seat back, at any sequence number."""
    if command.seat not in gone:
        raise RequestError("not-replaced", seat=command.seat)
    if match.status == "over":
        raise RequestError("over")
    return match.event("return", command.seat, command=command.id)


def _contribute_events(match: Match, command: Command) -> list[Event]:
    """Return the events of a contribution and of the chance events that waited for it."""
    draw_source = match.draw_source.with_contribution(command.seat, command.token or "")
    event = match.event("contribute", command.seat, token=command.token, command=command.id)
    return [event, *match.chance_events(draw_source, match.position, after=1)]


def _confirm_event(match: Match, command: Command) -> Event:
    if match.status != "confirming":
        raise RequestError("nothing-to-confirm")
    if match.acting != command.seat:
        raise RequestError("not-your-turn", acting=match.acting)
    return match.event("confirm", command.seat, command=command.id)
