"""The parts of the server that every open match uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.load import MatchLoader
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.storage.database import Database


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the server that every open match uses.

    Attributes:
        database: Stores the logs.
        engines: Searches for engines' seats.
        loader: Loads matches from their logs.
        work: The queue of everything that is not an action.
        create_match: Creates a match for an address: stores and opens it.
    """

    database: Database
    engines: EnginePool
    loader: MatchLoader
    work: WorkQueue
    create_match: Callable[[Header, str], Awaitable[Match]]
