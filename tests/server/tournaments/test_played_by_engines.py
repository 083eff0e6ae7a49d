"""Whole tournaments whose games weak engines play on a real server."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

import pytest

from tavola import read_records
from tavola.server.ops.rate_limits import Limit
from tavola.server.tournaments import decisions
from tests.profiles import sized
from tests.server.live_server import Json, LiveServer
from tests.server.tournaments.clubs import Club, is_over
from tests.server.tournaments.simulation import avoidable_meetings

SECONDS = sized(60, 120, 7000)
"""How long a tournament may take."""


def played(server: LiveServer, players: int, **settings: Any) -> tuple[Club, Json]:
    """Return a tournament of engines of the weakest level, when it is over."""
    club = Club(server, **settings)
    for _ in range(players):
        club.organize("engine", level=1)
    club.turn("started")
    return club, club.wait(is_over, seconds=SECONDS)


def boards_of(view: Json) -> list[Json]:
    return [board for one in view["rounds"] for board in one["boards"]]


def check(club: Club, view: Json, *, players: int, rounds: int, size: int) -> None:
    """Check the pairings, the results, the standings and the files."""
    boards = boards_of(view)
    assert len(view["rounds"]) == rounds
    assert len(boards) == rounds * players // size
    if size == 2:
        met = Counter(tuple(sorted(board["players"])) for board in boards)
        assert set(met.values()) == {1}
    tables = [[board["players"] for board in one["boards"]] for one in view["rounds"]]
    assert avoidable_meetings(tables) == 0
    for number in range(1, players + 1):
        seats = Counter(
            board["players"].index(number) for board in boards if number in board["players"]
        )
        assert seats.total() == rounds
        assert max(seats.values()) - min(seats[seat] for seat in range(size)) <= 1
    assert {sum(board["points"]) for board in boards} == {size * (size - 1) / 2}
    total = sum(one["points"] for one in view["standings"])
    assert total == len(boards) * size * (size - 1) / 2
    # By the rules each game was played to its end, and its result is that of the board.
    url = f"/api/tournaments/{club.id}"
    records = read_records(club.server.http.get(f"{url}/records").text)
    assert len(records) == len(boards)
    for record, board in zip(records, boards, strict=True):
        *_, last = record.states()
        assert last.returns is not None, record.text
        best = [seat for seat, own in enumerate(last.returns) if own == max(last.returns)]
        first = [seat for seat, own in enumerate(board["points"]) if own == max(board["points"])]
        assert set(first) <= set(best)
    for kind in ("standings", "cross"):
        text = club.server.http.get(f"{url}/table.csv", params={"kind": kind}).text
        assert len(list(csv.reader(io.StringIO(text)))) == players + 1


@pytest.fixture(autouse=True)
def many_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Limit(1.0, 10_000.0, "tournament-limit")
    monkeypatch.setattr("tavola.server.tournaments.service.TOURNAMENT_ENTRIES", many)
    monkeypatch.setattr(decisions, "MAX_ENGINES", 512)


@pytest.mark.sized
@pytest.mark.long
def test_a_swiss_of_engines(server: LiveServer) -> None:
    players, rounds = sized(8, 16, 128), sized(3, 4, 7)
    club, view = played(server, players, game="proteus", format="swiss", rounds=rounds)
    check(club, view, players=players, rounds=rounds, size=2)
    report = server.http.get(f"/api/tournaments/{club.id}/report.trf").text
    assert sum(line.startswith("001") for line in report.splitlines()) == players


@pytest.mark.sized
@pytest.mark.long
def test_tables_of_engines(server: LiveServer) -> None:
    players, rounds = sized(8, 16, 40), sized(1, 1, 6)
    options = {"players": 4}
    club, view = played(
        server, players, game="montana", options=options, format="tables", rounds=rounds
    )
    check(club, view, players=players, rounds=rounds, size=4)
