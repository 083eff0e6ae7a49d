"""Timeouts: how a turn ends whose time is over."""

from __future__ import annotations

from collections.abc import Collection

import structlog

from tavola.server.live.clock import Clock
from tavola.server.live.engine_pool import EnginePool, SearchTask
from tavola.server.matches import decisions
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match

_log = structlog.get_logger("tavola.matches")

TIMEOUT_ENGINE = "auto:seconds=0.05,memory=64"
"""The engine that acts for a seat whose time is up."""


async def timeout_events(
    match: Match,
    timed: tuple[int, int],
    clock: Clock,
    engines: EnginePool,
    clients: Collection[str],
) -> list[Event]:
    """Return the next events of a timeout: the end, or an action of a short search.

    Args:
        match: The match as it stands.
        timed: The seat whose time is over, and its turn.
        clock: The clock of the match.
        engines: The pool that runs the search.
        clients: The addresses of the clients that wait for it.

    Returns:
        The events; none if that turn is over or its engine failed.
    """
    if not match.clock_waits_for_viewers:
        is_late = match.running_turn == timed and clock.ends_match(match)
        return decisions.flag_events(match) if is_late else []
    if match.timed_turn != timed or match.is_full:
        return []
    if match.status == "confirming":
        return decisions.timeout_events(match, None)
    try:
        task = SearchTask(match.header.id, TIMEOUT_ENGINE, match.state, is_urgent=True)
        token = await engines.choose_action(task, clients)
    except Exception:
        # The match stands as it is, and the seat may still act.
        _log.exception("engine failed", match=match.header.id, position=match.state.text)
        return []
    return [] if token is None else decisions.timeout_events(match, token)
