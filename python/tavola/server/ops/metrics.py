"""Prometheus metrics; `docs/how-to/host-a-server.md` describes them.

One process is one server: the meters are the process's.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

import tavola

EVENTS = Counter("tavola_events", "Entries written to the logs of matches.", ("kind",))

ERRORS = Counter("tavola_refusals", "Requests and messages that were refused.", ("code",))

COMMIT = Histogram(
    "tavola_commit_seconds",
    "How long a transaction took, its commit included.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)

COMMIT_SIZE = Histogram(
    "tavola_commit_size",
    "How many pieces of work were committed together.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)

ENGINE_WAIT = Histogram(
    "tavola_engine_wait_seconds",
    "How long an engine waited for its turn to think, if it came to that.",
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300),
)

DELIVERIES = Counter(
    "tavola_deliveries", "Attempts to deliver a notification.", ("channel", "result")
)
DELIVERIES_WAITING = Gauge(
    "tavola_deliveries_waiting", "Notifications that wait for their delivery.", ("channel",)
)
DELIVERIES_OLDEST = Gauge(
    "tavola_deliveries_oldest_seconds", "The age of the oldest of these.", ("channel",)
)

TOURNAMENTS_RUNNING = Gauge("tavola_tournaments_running", "Tournaments that are not over.")
TOURNAMENTS_STEPPED = Gauge(
    "tavola_tournaments_stepped_seconds", "When all running tournaments were last directed."
)
TOURNAMENT_FAILURES = Counter(
    "tavola_tournament_failures", "Steps of tournaments that failed and are tried again.", ("part",)
)

OPEN_MATCHES = Gauge("tavola_matches_open", "Matches that are held in memory.")
SOCKETS = Gauge("tavola_sockets", "Open sockets.")
DATABASE_QUEUE = Gauge("tavola_store_waiting", "Pieces of work that wait for the database.")
ENGINES_RUNNING = Gauge("tavola_engines_thinking", "Engines that think.")
ENGINES_WAITING = Gauge("tavola_engines_waiting", "Engines that wait for their turn to think.")
ENGINE_THREADS = Gauge("tavola_engine_threads", "How many engines can think at the same time.")
VERSION = Gauge("tavola_version_info", "The version of Tavola.", ("version",))
VERSION.labels(tavola.__version__).set(1)


def observe_commit(pieces: int, seconds: float) -> None:
    """Count a transaction."""
    COMMIT.observe(seconds)
    COMMIT_SIZE.observe(pieces)
