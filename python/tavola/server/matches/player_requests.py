"""Deciding requests: which a seat may make, and the events of asking, accepting and declining.

A request is open until every seat concerned has agreed, one declines, it is withdrawn, or something
else happens in the match.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

from tavola.server import games
from tavola.server.errors import RequestError
from tavola.server.matches.chance import new_seed
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event, Header, now
from tavola.server.matches.match import Match
from tavola.server.matches.open_request import Request
from tavola.server.matches.time_control import DaysTime, of_next_seats
from tavola.server.matches.undo import can_ask_for_undo, granted_undo_event


def available(match: Match, held: frozenset[int], *, undo: bool) -> tuple[str, ...]:
    """Return the requests that the holder of these seats may make, except for engines.

    Args:
        match: The match.
        held: The seats.
        undo: Whether they may take back if they ask for it.
    """
    if not held:
        return ()
    if match.status == "over":
        return ("rematch",) if match.next_match is None else ()
    may = []
    if undo:
        may.append("undo")
    if games.info(match.header.game).has_draws and len(match.persons) == len(match.seats):
        may.append("draw")
    if match.opening:
        may.append("abort")
    if match.remaining_time is not None:
        may.append("resume" if match.paused else "pause")
    return tuple(may)


def about_absent(match: Match, held: frozenset[int]) -> tuple[str, ...]:
    """Return the requests that the holder of these seats may make about a player who is away.

    Where there are days to a turn, people come and go.
    """
    if not held or match.status == "over" or isinstance(match.header.time, DaysTime):
        return ()
    others = sorted(match.persons - held)
    # The only opponent loses by leaving instead of acting.
    can_claim = len(match.seats) == 2 and not match.opening and not match.paused
    claims = [f"claim:{seat}" for seat in others if can_claim and seat == match.acting]
    # A game that counts is played to its end.
    engines = [] if match.header.rated else [f"engine:{seat}" for seat in others]
    return (*claims, *engines)


def blocked(match: Match, held: frozenset[int]) -> tuple[str, ...]:
    """Return the declined requests of these seats, which may not be repeated yet."""
    if not match.blocked_requests:
        return ()
    # A resume request is granted after a day even if nothing else happens.
    vain = {what for seat, what in match.blocked_requests if seat in held} - {"resume"}
    return tuple(sorted(vain))


def decide(
    match: Match, command: Command, held: frozenset[int], away: Callable[[], frozenset[int]]
) -> list[Event]:
    """Return the events of asking, accepting or declining.

    Raises:
        RequestError: With the reason.
    """
    match command.do:
        case "ask":
            what = _requested_kind(match, command, held, away)
            first = match.event("ask", command.seat, token=what, command=command.id)
            request = match.new_request(what, command.seat, first.at)
            if request.waiting and (command.seat, what) in match.blocked_requests:
                raise RequestError("declined-before")
        case "accept":
            request = _open_request(match)
            # The absent player may have returned, and wants to play.
            came_back = request.what.startswith("engine:") and _subject(request.what) not in away()
            if command.seat not in request.waiting or came_back:
                raise RequestError("no-pending-request")
            request = request.agree(command.seat)
            first = match.event("accept", command.seat, command=command.id)
        case _:
            request = _open_request(match)
            if command.seat not in request.waiting | {request.seat}:
                raise RequestError("no-pending-request")
            return [match.event("decline", command.seat, command=command.id)]
    decided = [first]
    for seat in sorted(request.waiting & held):
        request = request.agree(seat)
        decided.append(match.event("accept", seat, after=len(decided)))
    if not request.waiting:
        decided.append(_granted_event(match, request, after=len(decided)))
        if decided[-1].kind == "replace":
            draw_source = match.draw_source.without_seat(decided[-1].seat)
            decided += match.chance_events(draw_source, match.position, after=len(decided))
    return decided


def _requested_kind(
    match: Match, command: Command, held: frozenset[int], away: Callable[[], frozenset[int]]
) -> str:
    """Return the requested kind, if it is available now."""
    what = command.token or ""
    valid = available(match, held, undo=can_ask_for_undo(match, held, command.seat))
    if match.status != "over":
        gone = away() - held
        valid += tuple(one for one in about_absent(match, held) if _subject(one) in gone)
        valid += tuple(f"engine:{seat}" for seat in sorted(gone - match.persons))
    if what not in valid:
        raise RequestError("cannot-ask", what=what, valid=valid)
    if match.request is not None and match.request.seat not in held:
        raise RequestError("answer-first")
    return what


def _subject(what: str) -> int:
    """Return the seat that a request is about."""
    return int(what.partition(":")[2])


def _open_request(match: Match) -> Request:
    if match.request is None:
        raise RequestError("no-pending-request")
    return match.request


def _granted_event(match: Match, request: Request, *, after: int) -> Event:
    """Return the event of a request that every seat has agreed to."""
    match request.what.partition(":")[0]:
        case "undo":
            return granted_undo_event(match, request.seat, after=after)
        case "engine":
            return match.event("replace", _subject(request.what), after=after)
        case "claim":
            return match.event("claim", _subject(request.what), after=after)
        case "rematch":
            return match.event("rematch", request.seat, token=new_id(), after=after)
        case "draw" | "abort" | "pause" | "resume" as kind:
            return match.event(kind, request.seat, after=after)
        case _:
            raise AssertionError(f"{request.what} cannot be asked for")


def rematch_header(match: Match, event: Event) -> Header:
    """Return the header of the rematch: the same settings, with every player one seat further.

    The tokens of the seats go with them: who held one holds the one before it.
    """
    assert event.token is not None, "it names the match that follows"
    return replace(
        match.header,
        id=event.token,
        seats=(*match.seats[1:], match.seats[0]),
        time=of_next_seats(match.header.time),
        seed=new_seed() if match.game.has_chance else None,
        offered=False,
        # A player whose account has been deleted cannot be rated.
        rated=match.header.rated and not any(seat.deleted for seat in match.seats),
        created=now(),
    )


def new_id() -> str:
    """Create the id of a match."""
    return secrets.token_urlsafe(9)
