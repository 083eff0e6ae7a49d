"""The parts of a running server, which route handlers use."""

from __future__ import annotations

import asyncio
from typing import Protocol

from litestar.datastructures import State

from tavola.server.accounts.accounts import Accounts
from tavola.server.accounts.puzzle_progress import PuzzleResults
from tavola.server.accounts.ratings import Ratings
from tavola.server.accounts.speech import SpeechRules
from tavola.server.analysis.reviews import Reviews
from tavola.server.archive.archive import Archive
from tavola.server.http.account_stream import AccountStreams
from tavola.server.http.bell import Bell
from tavola.server.http.lobby import Lobby
from tavola.server.http.static_files import StaticFiles
from tavola.server.live.account_matches import AccountMatches
from tavola.server.live.agents import Agents
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.moderation.bans import Bans
from tavola.server.moderation.feed import Feed
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.outbox.notifier import Notifier
from tavola.server.people.service import People
from tavola.server.quick_pairing.service import QuickPairing
from tavola.server.sharing.drawings import Drawings
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tavola.server.tournaments.service import Tournaments
from tavola.server.watch.watch import Watch


class Cluster(Protocol):
    """The connection to the other processes."""

    @property
    def connected(self) -> bool:
        """Whether it is there."""


class ServerState(State):
    """The parts of a running server.

    Attributes:
        resuming: Opens the matches in which an engine is to act.
        fan_out: The other processes; `None` without.
    """

    account_matches: AccountMatches
    account_streams: AccountStreams
    accounts: Accounts
    agents: Agents
    archive: Archive
    bans: Bans
    bell: Bell
    database: Database
    downtime: Downtime
    drawings: Drawings
    engines: EnginePool
    fan_out: Cluster | None
    feed: Feed
    limits: RateLimits
    lobby: Lobby
    notifier: Notifier
    pairing: QuickPairing
    people: People
    puzzle_results: PuzzleResults
    ratings: Ratings
    registry: MatchRegistry
    resuming: asyncio.Task[None]
    reviews: Reviews
    speech: SpeechRules
    static_files: StaticFiles
    tournaments: Tournaments
    watch: Watch
    work: WorkQueue
