"""The explorer and the archive over HTTP: own games, engine games, privacy, errors, fuzz."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola.archive import archive, explore
from tavola.server.archive import archive as archive_module
from tavola.server.live import finished_matches
from tavola.server.live import load as load_module
from tavola.server.ops.work_queue import NICENESS
from tavola.server.storage.database import Database
from tests.server.databases import change, drop_later_tables, rows
from tests.server.live_server import (
    ENGINE,
    PERSON,
    SHORTEST,
    LiveServer,
    Player,
    error_of,
    serve,
    wait_until,
)

GAME = "potlatch"
LINK = {"kind": "link"}
EXPLORER = f"/api/games/{GAME}/explorer"
ARCHIVE = f"/api/games/{GAME}/archive"


@pytest.fixture
def fresh(tmp_path: Path) -> Any:
    with serve(tmp_path) as server:
        yield server


def finish(player: Player) -> Player:
    for turn in SHORTEST:
        player.play(*turn)
    return player


def found(server: LiveServer, **query: Any) -> Any:
    answer = server.http.get(ARCHIVE, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_explorer_shows_engine_games(server: LiveServer) -> None:
    answer = server.http.get(EXPLORER).json()
    known = explore(tavola.load(GAME).start())
    assert answer["engines"] == known.games
    assert answer["seat"] == 0
    assert answer["has_engines"]
    assert [row["token"] for row in answer["actions"]] == [one.token for one in known.actions]
    assert all(row["label"]["key"] for row in answer["actions"])
    position = tavola.load(GAME).start().play(known.actions[0].token).text
    later = server.http.get(EXPLORER, params={"position": position}).json()
    assert 0 < later["engines"] < answer["engines"]


def test_a_list_and_its_count_are_of_one_time(
    fresh: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Every count is slow, and so cached.
    monkeypatch.setattr("tavola.server.archive.archive.SLOW_SECONDS", 0.0)
    for played in range(3):
        page = found(fresh)
        assert page["count"] == len(page["games"]) == played
        match = fresh.create_match(seats=[PERSON, ENGINE])
        match.play("Pnw")
        match.do("resign", seat=0)


def test_the_explorer_counts_finished_games_of_this_server(fresh: LiveServer) -> None:
    options = "actions=2 layout=row"
    query = {"options": options}
    assert fresh.http.get(EXPLORER, params=query).json() == {
        "seat": 0,
        "server": 0,
        "engines": 0,
        "has_engines": False,
        "actions": [],
    }
    default = fresh.http.get(EXPLORER).json()
    match = finish(fresh.create_match())
    after = fresh.http.get(EXPLORER).json()
    assert after["server"] == 1
    before = {row["token"]: row for row in default["actions"]}
    (row,) = [row for row in after["actions"] if row["token"] == SHORTEST[0][0]]
    assert row["count"] == before[row["token"]]["count"] + 1
    assert row["won"][0] == before[row["token"]]["won"][0] + 1
    assert match.snapshot()["result"]["winners"] == [0]
    # Equal options only.
    assert fresh.http.get(EXPLORER, params=query).json()["server"] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process has one priority")
def test_searches_and_replays_have_low_priority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    priorities: dict[str, int] = {}

    def watch(module: ModuleType, name: str) -> None:
        work = getattr(module, name)

        def watched(*given: Any) -> Any:
            priorities[name] = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
            return work(*given)

        monkeypatch.setattr(module, name, watched)

    with serve(tmp_path) as server:
        match = finish(server.create_match()).match
    reads = "_server_page", "_engine_page", "_results", "_explored"
    for name in reads:
        watch(archive_module, name)
    watch(load_module, "_replay")
    with serve(tmp_path) as server:
        found(server)
        found(server, source="engines")
        server.http.get(EXPLORER)
        server.http.get(f"/api/matches/{match}/record")
    assert priorities == dict.fromkeys([*reads, "_replay"], NICENESS)


@pytest.mark.long
def test_names_are_found_in_any_case_and_language(tmp_path: Path) -> None:
    names = ("Ötzi", "Łukasz", "Наталья", "ÉMILE", "Straße", "アダ")
    searched = ("ötzi", "ŁUKASZ", "НАТ", "émile", "STRASSE", "ｱﾀﾞ")
    with serve(tmp_path) as server:
        for name in names:
            match = server.create_match(seats=[{"kind": "person", "name": name}, ENGINE])
            match.play("Pnw")
            match.do("resign", seat=0)
        for name, text in zip(names, searched, strict=True):
            (game,) = found(server, player=text)["games"]
            assert game["seats"][0]["name"] == name
        assert found(server, player="otzi")["count"] == 0
    # A database from before names were folded.
    file = tmp_path / "tavola.db"
    change(file, "ALTER TABLE seats DROP COLUMN folded")
    change(file, "ALTER TABLE standings DROP COLUMN reason")
    change(file, "DROP INDEX ix_finished_counts")
    drop_later_tables(file)
    change(file, "UPDATE alembic_version SET version_num = '0012'")
    with serve(tmp_path) as server:
        assert [found(server, player=text)["count"] for text in searched] == [1] * len(names)


def test_the_archive_lists_this_servers_games(fresh: LiveServer) -> None:
    assert found(fresh) == {"games": [], "count": 0, "next": None}
    going_on = fresh.create_match(seats=[{"kind": "person", "name": "Ada"}, ENGINE])
    assert found(fresh)["count"] == 0
    going_on.do("resign", seat=0)
    assert found(fresh)["count"] == 0, "a match without an action has no positions"
    other = fresh.create_match(
        seats=[{"kind": "person", "name": "Ada%_"}, {"kind": "engine", "level": 1}]
    )
    other.play("Pnw")
    other.do("resign", seat=0)
    page = found(fresh)
    (game,) = page["games"]
    assert (page["count"], page["next"], game["id"]) == (1, None, other.match)
    assert (game["winners"], game["reason"], game["ply"]) == ([1], "resigned", None)
    assert game["seats"][0]["name"] == "Ada%_"
    assert not any(seat["yours"] for seat in game["seats"])
    for query, count in (
        ({"player": "ada%"}, 1),
        ({"player": "a_a"}, 0),
        ({"player": "level:1"}, 1),
        ({"player": "level:2"}, 0),
        ({"winner": "1"}, 1),
        ({"winner": "0"}, 0),
        ({"winner": "draw"}, 0),
        ({"shortest": game["length"]}, 1),
        ({"shortest": game["length"] + 1}, 0),
        ({"longest": game["length"] - 1}, 0),
        ({"options": "actions=3"}, 0),
        ({"position": tavola.load(GAME).start().play("Pnw").text}, 1),
        ({"position": tavola.load(GAME).start().play("Pne").text}, 0),
    ):
        assert found(fresh, **query)["count"] == count, query
    position = tavola.load(GAME).start().play("Pnw").text
    assert found(fresh, position=position)["games"][0]["ply"] == 1


def test_private_games_are_not_listed(fresh: LiveServer) -> None:
    shared = fresh.create_match()
    finish(shared)
    assert found(fresh)["count"] == 0
    assert fresh.http.get(EXPLORER).json()["server"] == 1


def test_members_find_their_own_games(fresh: LiveServer) -> None:
    sign_up = {"name": "Ada", "password": "correct horse battery"}
    assert fresh.http.post("/api/account", json=sign_up).status_code in (200, 201)
    finish(fresh.create_match())
    assert found(fresh)["count"] == 1
    fresh.http.cookies.clear()
    assert found(fresh)["count"] == 0


@pytest.mark.long
def test_pages_follow_one_another(fresh: LiveServer) -> None:
    made = []
    for _ in range(27):
        match = fresh.create_match(seats=[PERSON, ENGINE])
        match.play("Pnw")
        match.do("resign", seat=0)
        made.append(match.match)
    first = found(fresh)
    assert (len(first["games"]), first["count"]) == (25, 27)
    second = found(fresh, after=first["next"])
    assert second["next"] is None
    assert [one["id"] for one in first["games"] + second["games"]] == made[::-1]


def test_engine_games_are_searched(server: LiveServer) -> None:
    games = archive(GAME)
    assert games is not None
    everything = found(server, source="engines")
    assert everything["count"] == len(games)
    assert [one["id"] for one in everything["games"][:2]] == ["1", "2"]
    after = found(server, source="engines", after=everything["next"])
    assert int(after["games"][0]["id"]) > int(everything["games"][-1]["id"])
    won = [found(server, source="engines", winner=who)["count"] for who in ("0", "1", "draw")]
    assert sum(won) == len(games)
    short = found(server, source="engines", longest=12)
    assert all(one["length"] <= 12 for one in short["games"])
    level = found(server, source="engines", player="level:1")
    assert 0 < level["count"] < len(games)
    assert all(1 in [seat.get("level") for seat in one["seats"]] for one in level["games"])
    assert found(server, source="engines", options="layout=row")["count"] == 0
    position = list(games.actions(4))[3][0]
    with_it = found(server, source="engines", position=position.text)
    (one,) = [one for one in with_it["games"] if one["id"] == str(games.numbers[4])] or [None]
    if one is not None:
        assert one["ply"] == 3


def test_an_engine_game_is_a_record(server: LiveServer) -> None:
    games = archive(GAME)
    assert games is not None
    answer = server.http.get(f"{ARCHIVE}/7/record")
    assert answer.text == games.record(6).text
    assert answer.headers["content-type"].startswith("text/plain")
    assert error_of(server.http.get(f"{ARCHIVE}/0/record")) == (404, "unknown-archived")
    assert error_of(server.http.get(f"{ARCHIVE}/{10**30}/record")) == (404, "unknown-archived")


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/api/games/chess/explorer", (404, "unknown-game")),
        ("/api/games/chess/archive", (404, "unknown-game")),
        (f"{EXPLORER}?position=nonsense", (422, "not-a-position")),
        (f"{EXPLORER}?options=nonsense", (422, "unknown-option")),
        (f"{EXPLORER}?options=layout%3Dnone", (422, "unknown-value")),
        (f"{EXPLORER}?options=none%3D1", (422, "unknown-option")),
        (f"{EXPLORER}?position={'x' * 4001}", (422, "invalid")),
        (f"{ARCHIVE}?winner=x", (422, "unknown-winner")),
        (f"{ARCHIVE}?winner=99", (422, "unknown-winner")),
        (f"{ARCHIVE}?source=elsewhere", (422, "invalid")),
        (f"{ARCHIVE}?shortest=-1", (422, "invalid")),
        (f"{ARCHIVE}?after=x", (422, "unknown-page")),
        (f"{ARCHIVE}?source=engines&after=x", (422, "unknown-page")),
    ],
)
def test_errors_are_named(server: LiveServer, path: str, refusal: tuple[int, str]) -> None:
    assert error_of(server.http.get(path)) == refusal


ANY = st.text(max_size=30) | st.integers().map(str) | st.sampled_from(["draw", "0", "1", ""])


@given(
    query=st.dictionaries(
        st.sampled_from(
            ["source", "options", "player", "winner", "shortest", "longest", "position", "after"]
        ),
        ANY | st.just("engines"),
        max_size=4,
    )
)
def test_any_query_is_answered(server: LiveServer, query: dict[str, str]) -> None:
    for path in (ARCHIVE, EXPLORER):
        answer = server.http.get(path, params=query)
        assert answer.status_code in (200, 422), (query, answer.text)
        if answer.status_code == 422:
            error_of(answer)


@pytest.mark.long
def test_matches_from_before_the_archive_are_filled_in(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        over = finish(server.create_match(seats=[PERSON, PERSON]))
        playing = server.create_match()
        playing.play("Pnw")
        url = server.database
        before = rows(url, "SELECT match, ply, key, token, winners FROM played ORDER BY ply")

    def write_known(connection: Any) -> None:
        for table in (finished_matches.played, finished_matches.finished):
            connection.execute(table.delete())
        for match in (over.match, playing.match):
            connection.execute(finished_matches.waiting.insert().values(match=match))

    async def forget() -> None:
        database = Database(url)
        await database.run(write_known)
        database.close()

    asyncio.run(forget())
    with serve(tmp_path) as server:
        wait_until(lambda: not rows(url, "SELECT match FROM archive_queue"))
        again = rows(url, "SELECT match, ply, key, token, winners FROM played ORDER BY ply")
        assert again == before
        assert server.http.get(EXPLORER).json()["server"] == 1
