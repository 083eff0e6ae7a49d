"""Past and tried-out positions of a match: what a viewer may look at."""

from __future__ import annotations

from dataclasses import dataclass

import tavola
from tavola import view as views
from tavola.server.errors import RequestError
from tavola.server.live import conditional_moves
from tavola.server.matches.match import Match


@dataclass(frozen=True, slots=True)
class PositionRef:
    """Another position than the one that there is.

    Attributes:
        ply: The number of actions of the match,
        line: and which others, which were not played.
    """

    ply: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewTarget:
    """A position of a finished match that a viewer analyses.

    Attributes:
        match: The match.
        ply: The number of actions of it,
        line: and which others.
        state: The position.
    """

    match: Match
    ply: int
    line: tuple[str, ...]
    state: tavola.State


def match_at(match: Match, ref: PositionRef | None, held: frozenset[int]) -> Match:
    """Return the match as the holder of these seats may look at it; `None`: as it stands.

    Anyone may look at a finished match. Before the end, only a player who plans ahead may, from the
    current position on.

    Raises:
        RequestError: `not-over`, `unknown-position`, `illegal`, and as `ConditionalMoves.save`.
    """
    if ref is None:
        return match
    if match.status == "over":
        then = match.at_action(ref.ply)
        return then.with_line(ref.line) if ref.line else then
    held &= match.persons
    if not held or ref.ply != len(match.history):
        raise RequestError("not-over")
    for seat in held:
        conditional_moves.check_allowed(match, seat)
    # For a player who plans ahead, a turn that waits for its confirmation is confirmed.
    return match.at_action(ref.ply).with_line(ref.line)


def review_target(match: Match, ref: PositionRef) -> ReviewTarget:
    """Return what to analyse for a viewer of a position of a finished match.

    Raises:
        RequestError: `not-over`, `unknown-position`, `illegal`.
    """
    if match.status != "over":
        raise RequestError("not-over")
    state = match_at(match, ref, frozenset()).state
    return ReviewTarget(match, ref.ply, ref.line, state)


def action_preview(
    match: Match, seq: int, token: str, held: frozenset[int], ref: PositionRef | None
) -> views.Prospect:
    """Return what an action would do, in the current position or in one tried out.

    Raises:
        RequestError: `stale`, and as `Match.prospect`; elsewhere than now as `seen`.
    """
    then = match_at(match, ref, held)
    if seq != then.seq:
        raise RequestError("stale", seq=then.seq)
    # A tried-out line is played for every seat.
    return then.prospect(token, held if ref is None else frozenset(range(len(then.seats))))
