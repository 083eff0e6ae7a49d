"""A club evening over HTTP, from its creation to the standings."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest

from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import Limit
from tavola.server.tournaments.director import Director
from tests.server.live_server import Json, LiveServer, error_of, wait_until
from tests.server.players import PASSWORD, AccountPlayer, signed_up_player
from tests.server.server_process import process
from tests.server.tournaments.clubs import Club, open_of


@pytest.fixture(autouse=True)
def many_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Limit(1.0, 10_000.0, "tournament-limit")
    monkeypatch.setattr("tavola.server.tournaments.service.TOURNAMENTS", many)
    monkeypatch.setattr("tavola.server.tournaments.service.TOURNAMENT_ENTRIES", many)


@pytest.mark.long
def test_a_swiss_evening_of_guests(server: LiveServer) -> None:
    club = Club(server, rounds=3)
    for name in ("Ada", "Ben", "Cleo", "Dan", "Eve"):
        club.join(name)
    assert club.view()["status"] == "open"
    club.turn("started")
    view = club.play()
    assert view["status"] == "finished"
    assert len(view["rounds"]) == 3
    for board in view["rounds"][0]["boards"]:
        match = server.http.get(f"/api/matches/{board['match']}").json()
        assert match["tournament"] == club.id
    assert all(len(one["byes"]) == 1 for one in view["rounds"])
    assert sum(one["points"] for one in view["standings"]) == 3 * 3
    assert view["tie_breaks"] == ["buchholz", "sonneborn", "direct", "wins"]
    listed = server.http.get("/api/tournaments").json()["tournaments"]
    assert {"tournament": club.id, "players": 5, "status": "finished"}.items() <= {
        name: value for one in listed if one["tournament"] == club.id for name, value in one.items()
    }.items()


@pytest.mark.long
def test_a_fault_in_one_tournament_stops_no_other(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = Club(server, rounds=1), Club(server, rounds=1)
    step, tried = Director.step, list[str]()

    async def fail(director: Director, tournament: str) -> None:
        if tournament == broken.id:
            tried.append(tournament)
            raise ValueError("a fault")
        await step(director, tournament)

    monkeypatch.setattr(Director, "step", fail)
    for club in (broken, whole):
        club.join("Ada")
        club.join("Ben")
        club.turn("started")
    assert whole.play()["status"] == "finished"
    assert tried, "the fault did not occur"
    # It is tried again.
    monkeypatch.setattr(Director, "step", step)
    assert broken.play()["status"] == "finished"


@pytest.mark.long
def test_its_files(server: LiveServer) -> None:
    club = Club(server, rounds=2)
    for name in ("Ada", "=Ben", "Cleo", "Dan"):
        club.join(name)
    club.turn("started")
    club.play()
    url = f"/api/tournaments/{club.id}"
    text = server.http.get(f"{url}/table.csv").text.removeprefix("\ufeff")
    table = list(csv.reader(io.StringIO(text)))
    assert table[0][:4] == ["rank", "name", "points", "played"]
    assert sorted(row[1] for row in table[1:]) == ["'=Ben", "Ada", "Cleo", "Dan"]
    cross = server.http.get(f"{url}/table.csv", params={"kind": "cross"}).text
    assert len(cross.splitlines()) == 5
    report = server.http.get(f"{url}/report.trf").text
    players = [line for line in report.splitlines() if line.startswith("001")]
    assert len(players) == 4
    assert players[0][14:47].strip() == "Ada"
    assert {line[80:84].strip() for line in players} <= {"0.0", "1.0", "2.0"}
    assert all(len(line) == 91 + 8 + 10 for line in players)
    records = server.http.get(f"{url}/records").text
    assert records.count("[Game") == 4


def test_accounts_play_without_a_secret_and_are_erased(server: LiveServer) -> None:
    with signed_up_player(server) as one, signed_up_player(server) as other:
        settings = {"name": "League", "game": "potlatch", "format": "double-round-robin"}
        url = begun(settings, one, other)
        deadline = time.monotonic() + 30
        while not (rounds := one.http.get(url).json()["view"]["rounds"]):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        match = rounds[0]["boards"][0]["match"]
        while one.http.get(f"/api/matches/{match}").status_code == 404:
            time.sleep(0.1)
        assert {seat["name"] for seat in one.snapshot(match)["seats"]} == {one.name, other.name}
        assert one.matches()[0]["match"] == match
        heard = other.http.get("/api/notifications").json()["notifications"]
        assert "round" in [notice["kind"] for notice in heard]
        exported = one.http.get("/api/account/export").json()["tournaments"]
        assert sorted(str(entry["number"]) for entry in exported) == ["1", "None"]
        gone = other.http.post("/api/account/delete", json={"password": PASSWORD})
        assert gone.status_code == 204
        deadline = time.monotonic() + 30
        while one.http.get(url).json()["view"]["players"][1]["left"] is None:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        shown = one.http.get(url).json()["view"]["players"][1]
        assert (shown["name"], shown["deleted"]) == ("", True)


@pytest.mark.long
def test_games_of_a_rated_tournament_are_rated_but_for_no_shows(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tavola.server.tournaments.director.SECONDS_PER_MINUTE", 0.1)
    settings = {"name": "Cup", "game": "potlatch", "format": "round-robin", "rated": True}
    answer = server.http.post("/api/tournaments", json={"settings": settings, "token": "x" * 43})
    assert error_of(answer) == (422, "rated-seats")
    settings |= {"guests": False, "forfeit_minutes": 100}
    with signed_up_player(server) as ada, signed_up_player(server) as ben:
        assert rating_changes(begun(settings, ada, ben), ada, ben, moves=True) == 2
        settings |= {"forfeit_minutes": 1}
        assert rating_changes(begun(settings, ada, ben), ada, ben, moves=False) == 0


def rating_changes(url: str, ada: AccountPlayer, ben: AccountPlayer, *, moves: bool) -> int:
    """Play the only game of a tournament, or let it pass; return how many ratings it changes."""

    def shown() -> Json:
        view: Json = ada.http.get(url).json()["view"]
        return view

    wait_until(lambda: bool(shown()["rounds"]))
    (board,) = shown()["rounds"][0]["boards"]
    match = board["match"]
    wait_until(lambda: ada.http.get(f"/api/matches/{match}").is_success)
    assert ada.snapshot(match)["rated"]
    if moves:
        first, second = sorted((ada, ben), key=lambda one: one.seat(one.snapshot(match)))
        for player, token in ((first, "Pnw"), (first, "Pw"), (second, "Pne")):
            player.do(match, "play", token)
            if token == "Pw":
                player.do(match, "confirm")
        second.do(match, "resign")
    wait_until(lambda: shown()["status"] == "finished")
    return len(ada.http.get(f"/api/matches/{match}/ratings").json()["changes"])


def begun(settings: Json, *players: AccountPlayer) -> str:
    """Start a tournament of these players, the first of whom organizes it; return its address."""
    answer = players[0].http.post("/api/tournaments", json={"settings": settings})
    url = f"/api/tournaments/{answer.json()['tournament']}"
    for player in players:
        assert player.http.post(f"{url}/actions", json={"do": "join"}).is_success
    started = players[0].http.post(f"{url}/actions", json={"do": "turn", "to": "started"})
    assert started.status_code == 200, started.text
    return url


def test_only_the_organizer_directs(server: LiveServer) -> None:
    club = Club(server)
    number = club.join("Ada")
    own = club.guests[number]
    assert error_of(club.ask(own, "turn", to="started")) == (403, "not-organizer")
    assert error_of(club.ask(club.token, "turn", to="started")) == (409, "too-few-players")
    assert error_of(club.ask(None, "join", name="ADA", token="x" * 43)) == (409, "name-taken")
    assert error_of(club.ask(None, "join", name="", token="y" * 43)) == (422, "guest-name")
    assert error_of(club.ask(None, "leave")) == (403, "not-a-player")
    assert club.view(own)["can"] == ["leave"]
    assert club.view(own)["you"] == number
    assert "started" not in club.view(club.token)["can"]
    club.join("Ben")
    assert "started" in club.view(club.token)["can"]
    # The same player again, after a lost answer.
    again = club.ask(None, "join", name="Ada", token=own)
    assert len(again.json()["view"]["players"]) == 2
    assert club.ask(own, "leave").json()["view"]["you"] is None


@pytest.mark.long
def test_rounds_by_the_organizer_corrections_and_a_pause(server: LiveServer) -> None:
    club = Club(server, rounds=2, automatic=False)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        club.join(name)
    club.turn("started")
    first = club.wait(lambda view: len(open_of(view)) == 2)
    club.resign(open_of(first)[0], 1)
    # A game that was abandoned: the organizer decides it, and its match ends.
    board = open_of(first)[1]
    club.seat(board, 0)
    club.organize("correct", round=1, board=board["number"], places=[2, 1])
    deadline = time.monotonic() + 30
    while server.http.get(f"/api/matches/{board['match']}").json()["status"] != "over":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    view = club.wait(lambda view: not open_of(view))
    assert view["rounds"][0]["boards"][1]["points"] == [0.0, 1.0]
    time.sleep(1.5)
    assert len(club.view()["rounds"]) == 1, "the organizer begins each round"
    club.turn("paused")
    assert error_of(club.ask(club.token, "turn", to="round")) == (409, "not-now")
    club.turn("resumed")
    assert len(club.turn("round")["rounds"]) == 2
    club.wait(lambda view: len(open_of(view)) == 2)
    club.play_round()
    club.wait(lambda view: not open_of(view))
    assert club.turn("finished")["status"] == "finished"


@pytest.mark.long
def test_who_does_not_come_loses(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.server.tournaments.director.SECONDS_PER_MINUTE", 0.02)
    club = Club(server, rounds=2, forfeit_minutes=60, automatic=False)
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        club.join(name)
    club.turn("started")
    view = club.wait(lambda view: bool(view["rounds"]) and not open_of(view))
    boards = view["rounds"][0]["boards"]
    assert all(board["absent"] == board["players"][0] for board in boards)
    assert all(board["points"] == [0.0, 1.0] for board in boards)
    left = {player["number"] for player in view["players"] if player["left"] == "no-show"}
    assert left == {board["players"][0] for board in boards}


@pytest.mark.long
def test_engines_play_a_whole_tournament_alone(server: LiveServer) -> None:
    club = Club(server, format="round-robin", fill=1)
    for _ in range(3):
        club.organize("engine", level=1)
    club.turn("started")
    view = club.wait(lambda view: view["status"] == "finished")
    assert len(view["rounds"]) == 3
    assert sum(one["points"] for one in view["standings"]) == 6
    assert [player["level"] for player in view["players"]] == [1, 1, 1, 1]


def test_tables_of_three_with_engines_in_empty_seats(server: LiveServer) -> None:
    club = Club(server, game="passtally", options={"players": 3}, format="tables", rounds=1, fill=1)
    for name in ("Ada", "Ben"):
        club.join(name)
    club.turn("started")
    (board,) = open_of(club.wait(lambda view: bool(open_of(view))))
    assert len(board["players"]) == 3
    seat = next(place for place, one in enumerate(board["players"]) if one in club.guests)
    club.resign(board, seat)
    view = club.wait(lambda view: view["status"] == "finished")
    assert sorted(view["rounds"][0]["boards"][0]["points"]) == [0.0, 1.5, 1.5]


def test_the_wall_shows_the_boards(server: LiveServer) -> None:
    club = Club(server, time={"kind": "main", "seconds": 300, "increment": 2})
    for name in ("Ada", "Ben", "Cleo", "Dan"):
        club.join(name)
    club.turn("started")
    for board in open_of(club.wait(lambda view: len(open_of(view)) == 2)):
        club.seat(board, 0)
    wall = server.http.get(f"/api/tournaments/{club.id}/wall").json()
    assert wall["total"] == 2
    assert [board["remaining"] for board in wall["boards"]] == [[300.0, 300.0]] * 2


def test_a_viewer_with_this_version_gets_no_view(server: LiveServer) -> None:
    club = Club(server)
    answer = server.http.get(f"/api/tournaments/{club.id}").json()
    same = server.http.get(f"/api/tournaments/{club.id}", params={"after": answer["version"]})
    assert same.json() == {"version": answer["version"], "view": None}
    assert error_of(server.http.get("/api/tournaments/none")) == (404, "unknown-tournament")


def test_a_format_fits_the_seats(server: LiveServer) -> None:
    for settings in (
        {"game": "potlatch", "format": "tables"},
        {"game": "montana", "options": {"players": 4}, "format": "swiss"},
    ):
        answer = server.http.post(
            "/api/tournaments",
            json={"settings": {"name": "x", **settings}, "token": "x" * 43},
        )
        assert error_of(answer) == (422, "tournament-seats")


def test_tournaments_of_an_address_are_limited(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = Limit(1 / 86_400, 2.0, "tournament-limit")
    monkeypatch.setattr("tavola.server.tournaments.service.TOURNAMENTS", few)
    wanted = {"settings": {"name": "x", "game": "potlatch", "format": "swiss"}, "token": "x" * 43}
    codes = [server.http.post("/api/tournaments", json=wanted).status_code for _ in range(3)]
    assert codes == [201, 201, 429]
    assert rate_limits.TOURNAMENTS.burst == 20


@pytest.mark.long
def test_a_killed_server_goes_on_in_every_phase(tmp_path: Path) -> None:
    """Killed after the start, amid a round, and after its last result."""
    database = tmp_path / "club.db"
    with process(database) as running:
        club = Club(running.server, rounds=2)
        for name in ("Ada", "Ben", "Cleo", "Dan"):
            club.join(name)
        club.turn("started")
        running.kill()
    for _ in range(2):
        with process(database) as running:
            club.server = running.server
            boards = open_of(club.wait(lambda view: bool(open_of(view))))
            club.resign(boards[0], 1)
            running.kill()
        with process(database) as running:
            club.server = running.server
            for board in open_of(club.wait(lambda view: bool(open_of(view)))):
                if (
                    running.server.http.get(f"/api/matches/{board['match']}").json().get("status")
                    != "over"
                ):
                    club.resign(board, 1)
            running.kill()
    with process(database) as running:
        club.server = running.server
        view = club.wait(lambda view: view["status"] == "finished")
        assert [len(one["boards"]) for one in view["rounds"]] == [2, 2]
        assert sum(one["points"] for one in view["standings"]) == 4


@pytest.mark.long
def test_an_evening_of_sixteen(server: LiveServer) -> None:
    club = Club(server, rounds=4)
    for number in range(16):
        club.join(f"Player {number}")
    club.turn("started")
    view = club.play()
    assert [len(one["boards"]) for one in view["rounds"]] == [8] * 4
    # The first seat always wins, and every player had each seat twice.
    assert {row["points"] for row in view["standings"]} == {2}
