"""Progress with puzzles: merged from several devices, exported and deleted with the account."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tavola
from tavola.puzzles import puzzle_file
from tavola.server.accounts.accounts import Account
from tavola.server.accounts.puzzle_progress import PuzzleResults
from tavola.server.errors import RequestError
from tavola.server.schema.accounts import NewPuzzleProgress
from tavola.server.storage.database import Database
from tests.profiles import examples
from tests.server.databases import change, rows, url_of
from tests.server.live_server import LiveServer, error_of
from tests.server.players import PASSWORD, AccountPlayer, signed_out_player, signed_up_player

PUZZLES = [f"{game}/{one.id}" for game in tavola.games() for one in puzzle_file(game).puzzles]
FIRST, SECOND, THIRD = PUZZLES[0], PUZZLES[1], PUZZLES[-1]
TODAY = datetime.now(UTC).date()


def day(offset: int) -> str:
    return str(TODAY + timedelta(days=offset))


def add(player: AccountPlayer, **progress: Any) -> httpx.Response:
    return player.http.post("/api/account/puzzles", json=progress)


def progress(player: AccountPlayer) -> Any:
    answer = player.http.get("/api/account/puzzles")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.long
def test_progress_of_two_devices_is_merged(server: LiveServer) -> None:
    with signed_up_player(server) as here, signed_out_player(server, here.name) as there:
        there.sign_in()
        assert progress(there) == {"results": {}, "days": []}
        assert add(here, results={FIRST: 1, SECOND: 0}, days=[day(-1)]).status_code == 200
        whole = {
            "results": {FIRST: 1, SECOND: 1, THIRD: 0},
            "days": [day(-2), day(-1), day(0)],
        }
        # A puzzle solved without mistakes on one device stays so.
        both = {FIRST: 0, SECOND: 1, THIRD: 0}
        assert add(there, results=both, days=[day(0), day(-1), day(-2), day(0)]).json() == whole
        assert progress(here) == progress(there) == whole
        # The same again changes nothing, and a part may be missing.
        assert add(here, results=both, days=[day(0)]).json() == whole
        assert add(here).json() == whole
    with signed_up_player(server) as other:
        assert progress(other) == {"results": {}, "days": []}


def test_results_come_in_the_order_in_which_they_were_sent(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        add(ada, results={THIRD: 1})
        add(ada, results={SECOND: 0, FIRST: 1, THIRD: 0})
        assert list(progress(ada)["results"]) == [THIRD, SECOND, FIRST]


def test_all_puzzles_fit_in_one_request(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        answer = add(ada, results=dict.fromkeys(PUZZLES[:1000], 1))
        assert set(answer.json()["results"]) == set(PUZZLES[:1000])


def test_puzzles_that_the_server_does_not_have_are_left_out(server: LiveServer) -> None:
    game = FIRST.partition("/")[0]
    unknown = {f"{game}/zzzzzz": 1, "chess/26d6b5": 1, "": 1, f"{FIRST} ": 1}
    with signed_up_player(server) as ada:
        assert add(ada, results={**unknown, FIRST: 0}).json()["results"] == {FIRST: 0}


@pytest.mark.parametrize(
    ("body", "code", "part"),
    [
        ({"results": {"x": 2}}, "invalid", "$.results[...]"),
        ({"results": {"x": "1"}}, "invalid", "$.results[...]"),
        ({"results": {"x" * 81: 1}}, "invalid", "$.results"),
        ({"results": {f"x/{n}": 1 for n in range(1001)}}, "invalid", "$.results"),
        ({"results": [FIRST]}, "invalid", "$.results"),
        ({"days": [20261125]}, "invalid", "$.days[0]"),
        ({"days": ["2026-11-25T00:00"]}, "invalid", "$.days[0]"),
        ({"days": [day(0)] * 1001}, "invalid", "$.days"),
        ({"streak": 9}, "invalid", "streak"),
        ({"days": ["2026-02-30"]}, "unknown-day", "2026-02-30"),
        ({"days": ["20261125"]}, "unknown-day", "20261125"),
        ({"days": ["2026-W48-3"]}, "unknown-day", "2026-W48-3"),
        ({"days": ["２０２６-11-25"]}, "unknown-day", "２０２６"),
        ({"days": [""]}, "unknown-day", "2026-01-01"),
        ({"days": ["2025-12-31"]}, "unknown-day", "2026-01-01"),
        ({"days": [day(0), day(3)]}, "unknown-day", day(3)),
    ],
)
def test_wrong_progress_is_rejected_as_a_whole(
    server: LiveServer, body: Any, code: str, part: str
) -> None:
    with signed_up_player(server) as ada:
        answer = ada.http.post("/api/account/puzzles", json={"results": {FIRST: 1}, **body})
        assert error_of(answer) == (422, code)
        assert part in answer.text
        assert progress(ada) == {"results": {}, "days": []}


def test_it_needs_the_account_and_comes_from_our_own_pages(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        ada.http.headers["origin"] = "https://evil.example"
        assert error_of(add(ada, results={FIRST: 1})) == (403, "origin")
        del ada.http.headers["origin"]
        assert progress(ada)["results"] == {}
        ada.http.post("/api/account/sign-out")
        assert error_of(add(ada, results={FIRST: 1})) == (401, "signed-out")
        assert error_of(ada.http.get("/api/account/puzzles")) == (401, "signed-out")


def test_a_large_body_is_rejected(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        answer = ada.http.post("/api/account/puzzles", content=b"[" + b" " * 70_000 + b"]")
        assert answer.status_code == 413


def test_progress_is_exported_and_deleted_with_the_account(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        add(ada, results={FIRST: 1, THIRD: 0}, days=[day(0)])
        exported = ada.http.get("/api/account/export").json()["puzzles"]
        assert exported == progress(ada) == {"results": {FIRST: 1, THIRD: 0}, "days": [day(0)]}
        ((account,),) = rows(
            server.database, "SELECT id FROM accounts WHERE name = :name", name=ada.name
        )
        assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).is_success
    for table in ("puzzle_results", "puzzle_days"):
        left = f"SELECT * FROM {table} WHERE account = :account"
        assert rows(server.database, left, account=account) == []


def test_devices_may_send_at_once(server: LiveServer) -> None:
    with signed_up_player(server) as ada, ThreadPoolExecutor(8) as pool:
        parts = [PUZZLES[place : place + 40] for place in range(0, 200, 20)]
        sent = pool.map(lambda part: add(ada, results=dict.fromkeys(part, 1)), parts)
        assert {answer.status_code for answer in sent} == {200}
        assert set(progress(ada)["results"]) == {one for part in parts for one in part}


def test_an_account_that_is_deleted_meanwhile_is_signed_out(server: LiveServer) -> None:
    gone = Account(id="gone", name="Gone", created="", session="")

    async def late() -> None:
        await PuzzleResults(database).add(gone, NewPuzzleProgress({FIRST: 1}))

    with (
        closing(Database(server.database)) as database,
        pytest.raises(RequestError, match="signed-out"),
    ):
        asyncio.run(late())


PROGRESS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(PUZZLES[:6]), st.sampled_from([0, 1])),
        st.lists(st.sampled_from([day(-offset) for offset in range(5)]), max_size=4),
    ),
    max_size=5,
)


def test_the_order_of_devices_does_not_matter(tmp_path: Path) -> None:
    url = url_of(tmp_path / "order.db")
    with closing(Database(url)) as database:
        stored = PuzzleResults(database)
        names = iter(range(10_000))

        async def after(parts: Sequence[tuple[dict[str, Any], list[str]]]) -> Any:
            account = Account(id=f"a{next(names)}", name="", created="", session="")
            change(
                url,
                "INSERT INTO accounts (id, name, folded, password, created)"
                " VALUES (:id, '', :id, '', '')",
                id=account.id,
            )
            for results, days in parts:
                await stored.add(account, NewPuzzleProgress(results, tuple(days)))
            return await stored.progress(account)

        @settings(max_examples=examples(40), deadline=None)
        @given(parts=PROGRESS)
        def check(parts: list[tuple[dict[str, Any], list[str]]]) -> None:
            merged = asyncio.run(after(parts))
            assert merged == asyncio.run(after(parts[::-1]))
            solved = {one for results, _ in parts for one, clean in results.items() if clean}
            assert {one for one, clean in merged.results.items() if clean} == solved
            assert set(merged.results) == {one for results, _ in parts for one in results}
            assert set(merged.days) == {one for _, days in parts for one in days}

        check()
