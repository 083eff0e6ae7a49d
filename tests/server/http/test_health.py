"""Health, readiness and metrics."""

from __future__ import annotations

import asyncio
import re
import resource
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tavola.server.live.match_registry import MatchRegistry
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tests.server.databases import on_sqlite
from tests.server.live_server import LiveServer, error_of, serve
from tests.server.server_process import Process


def figure(server: LiveServer, name: str) -> float:
    answer = server.http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    found = re.search(rf"^{re.escape(name)} (\S+)$", answer.text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def test_it_lives_and_is_ready(server: LiveServer) -> None:
    for path in ("/healthz", "/readyz"):
        answer = server.http.get(path)
        assert (answer.status_code, answer.json()["status"]) == (200, "ok")


def test_without_its_database_it_is_neither(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_: Database) -> None:
        raise OSError("gone")

    monkeypatch.setattr(Database, "check", fail)
    for path in ("/healthz", "/readyz"):
        assert error_of(server.http.get(path)) == (503, "database")


class PostgreSQLIsFull(Exception):
    sqlstate = "53100"


def full() -> Exception:
    """Return SQLite's error for a full disk."""
    with sa.create_engine("sqlite://").connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
        with pytest.raises(sa.exc.OperationalError, match="full") as raised:
            connection.exec_driver_sql("CREATE TABLE t (x)")
    return raised.value


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (full(), "disk-full"),
        (sa.exc.OperationalError("UPDATE", {}, PostgreSQLIsFull()), "disk-full"),
        (OSError("gone"), "not-writable"),
    ],
)
def test_where_nothing_can_be_stored_it_is_not_ready(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    async def fail(_: Downtime) -> None:
        raise error

    monkeypatch.setattr(Downtime, "heartbeat", fail)
    assert server.http.get("/healthz").status_code == 200
    for language, said in (("en", "[a-z]"), ("ja", "[ぁ-ん]")):
        answer = server.http.get("/readyz", headers={"accept-language": language})
        assert error_of(answer) == (503, code)
        assert re.search(said, answer.json()["message"])


@on_sqlite
def test_a_nearly_full_disk_is_full(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short entry may still fit."""
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    assert error_of(server.http.get("/readyz")) == (503, "disk-full")


@pytest.mark.long
@on_sqlite
@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of a process's files")
def test_a_disk_that_takes_nothing_more_is_noticed(tmp_path: Path) -> None:
    process = Process(tmp_path / "tavola.db").ready()
    try:
        assert process.server.http.get("/readyz").status_code == 200
        most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        assert error_of(process.server.http.get("/readyz")) == (503, "not-writable")
        assert process.server.http.get("/healthz").status_code == 200
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, most)
        assert process.server.http.get("/readyz").status_code == 200
    finally:
        process.kill()


def test_it_is_ready_when_it_has_taken_up_what_went_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = asyncio.Event()

    async def slowly(_: MatchRegistry) -> None:
        await go_on.wait()

    monkeypatch.setattr(MatchRegistry, "resume", slowly)
    with serve(tmp_path) as server:
        assert server.http.get("/healthz").status_code == 200
        assert error_of(server.http.get("/readyz")) == (503, "starting")


def test_the_metrics_count_what_happens(server: LiveServer) -> None:
    counted: list[tuple[str, int]] = [
        ('tavola_events_total{kind="action"}', 2),
        ('tavola_refusals_total{code="illegal"}', 1),
        ("tavola_sockets", 1),
    ]
    before = [figure(server, name) for name, _ in counted]
    commits = figure(server, "tavola_commit_seconds_count")
    guest = server.create_match()
    with guest.connect() as chair:
        chair.receive()
        guest.play("Pnw", "Pw")
        guest.request("play", token="nonsense")
        after = [figure(server, name) for name, _ in counted]
    assert [now - then for now, then in zip(after, before, strict=True)] == [
        more for _, more in counted
    ]
    assert figure(server, "tavola_commit_seconds_count") >= commits + 3
    assert figure(server, "tavola_matches_open") >= 1
    assert figure(server, "tavola_store_waiting") >= 0


def test_counts_without_an_event_are_zero(server: LiveServer) -> None:
    """A rate of an absent count has no value, so an alert on it would never fire."""
    told = server.http.get("/metrics").text
    for channel in ("push", "webhook", "email"):
        assert f'tavola_deliveries_waiting{{channel="{channel}"}} 0.0' in told
        assert f'tavola_deliveries_oldest_seconds{{channel="{channel}"}} 0.0' in told
        for result in ("delivered", "failed"):
            count = f'tavola_deliveries_total{{channel="{channel}",result="{result}"}} '
            assert count in told
    for part in ("step", "match", "board", "end"):
        assert f'tavola_tournament_failures_total{{part="{part}"}} ' in told


def test_alerts_and_docs_name_real_metrics(server: LiveServer) -> None:
    told = server.http.get("/metrics").text
    real = set(re.findall(r"^# TYPE (tavola_\w+)", told, re.MULTILINE))
    real -= {name for name in real if name.endswith("_created")}
    root = Path(__file__).parents[3]
    documented = (root / "docs/how-to/host-a-server.md").read_text()
    assert set(re.findall(r"`(tavola_\w+)", documented)) == real - {"tavola_version_info"}
    alerts = (root / "deploy/alerts.yaml").read_text()
    named = set(re.findall(r"\btavola_\w+", alerts))
    assert named
    assert named <= real


def test_the_metrics_contain_no_names(server: LiveServer) -> None:
    guest = server.create_match(seats=[{"kind": "person", "name": "Ada"}, {"kind": "person"}])
    guest.play("Pnw")
    told: Any = server.http.get("/metrics").text
    assert "Ada" not in told
    assert guest.match not in told
