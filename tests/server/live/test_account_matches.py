"""An account's matches: found on every device, listed, claimed, exported and erased."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import httpx
import pytest

import tavola
from tavola.server.live import account_matches
from tavola.server.live.account_matches import PAGE_SIZE
from tavola.server.live.match_registry import MatchRegistry
from tests.server.databases import change, drop_later_tables, dump, rows
from tests.server.live_server import (
    HOT_SEAT,
    PERSON,
    SHORTEST,
    Json,
    LiveServer,
    Player,
    error_of,
    serve,
)
from tests.server.players import PASSWORD, AccountPlayer, signed_out_player, signed_up_player

LINK = {"kind": "link"}
LEVEL = {"kind": "engine", "level": 1}


def join(somebody: AccountPlayer, made: Json, seat: int = 1) -> httpx.Response:
    """Takes a seat by its link."""
    told = {"invitation": made["invitations"][seat], "token": secrets.token_urlsafe(32)}
    return somebody.http.post(f"/api/matches/{made['match']}/seats", json=told)


def test_a_seat_taken_while_signed_in_is_held_on_every_device(server: LiveServer) -> None:
    with signed_up_player(server, "Ada") as here, signed_out_player(server, "Ada") as there:
        match = here.begin(seats=[PERSON, PERSON | {"name": "a friend"}])["match"]
        seats = here.snapshot(match)["seats"]
        assert [seat["yours"] for seat in seats] == [True, True]
        assert [seat["name"] for seat in seats] == ["Ada", "a friend"]
        assert [seat.get("member", False) for seat in seats] == [True, False]
        assert [seat["yours"] for seat in there.snapshot(match)["seats"]] == [False, False]
        assert error_of(there.ask(match, "play", "Pnw")) == (403, "not-your-seat")
        there.sign_in()
        there.do(match, "play", "Pnw")
        assert here.do(match, "play", "Pw")["seq"] == 2


def test_a_session_is_asked_at_everything_that_a_socket_does(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_out_player(server, ada.name) as phone:
        match = ada.begin(seats=HOT_SEAT)["match"]
        phone.sign_in()
        cookie = f"tavola-session={phone.http.cookies['tavola-session']}"
        guest = Player(server, match, [])
        with guest.open_socket(additional_headers={"cookie": cookie}) as opened:
            from tests.server.live_server import SocketClient

            chair = SocketClient(opened)
            chair.send(type="hello")
            assert [seat["yours"] for seat in chair.receive()["snapshot"]["seats"]] == [True, True]
            first = {"type": "command", "id": "1", "seq": 0, "seat": 0, "do": "play"}
            chair.send(**first, token="Pnw")
            assert chair.receive_until("done")["seq"] == 1
            phone.http.post("/api/account/sign-out")
            chair.send(type="say", seat=0, text="still me")
            assert chair.receive_until("refused")["error"]["code"] == "not-your-seat"
            chair.send(**first | {"id": "2", "seq": 1}, token="Pw")
            assert chair.receive_until("refused")["error"]["code"] == "not-your-seat"


def test_a_sockets_hello_may_bring_the_session(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=HOT_SEAT)["match"]
        with Player(server, match, [ada.http.cookies["tavola-session"]]).connect() as chair:
            assert [seat["yours"] for seat in chair.receive()["snapshot"]["seats"]] == [True, True]


def test_a_seat_by_link_is_the_accounts_of_who_takes_it(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        assert join(bob, made).status_code == 200
        seats = bob.snapshot(made["match"])["seats"]
        assert [seat["yours"] for seat in seats] == [False, True]
        assert [seat["name"] for seat in seats] == [ada.name, bob.name]
        assert [one["match"] for one in bob.matches()] == [made["match"]]


def test_matches_are_listed_as_they_stand(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as other:
        assert ada.matches() == []
        first, second = (ada.begin(seats=[PERSON, LEVEL])["match"] for _ in range(2))
        assert [one["match"] for one in ada.matches()] == [second, first]
        ada.do(first, "play", "Pnw")
        latest = ada.matches()[0]
        assert (latest["match"], latest["status"], latest["acting"]) == (first, "playing", 0)
        ada.do(first, "resign")
        latest = ada.matches()[0]
        assert (latest["status"], latest["winners"]) == ("over", [1])
        # A list needs no ratings: a match looks them up.
        ratings = {"rating", "provisional"}
        seats = [
            {key: value for key, value in seat.items() if key not in ratings}
            for seat in ada.snapshot(first)["seats"]
        ]
        assert latest["seats"] == seats
        told = ada.http.get(f"/api/matches/{first}/standing").json()
        assert latest == told
        assert other.matches() == []


@pytest.mark.long
def test_a_long_list_comes_in_parts(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        made = [ada.begin(seats=HOT_SEAT)["match"] for _ in range(PAGE_SIZE + 3)]
        page = ada.http.get("/api/account/matches").json()
        rest = ada.http.get("/api/account/matches", params={"after": page["more"]}).json()
        listed = [one["match"] for one in page["matches"] + rest["matches"]]
        assert sorted(listed) == sorted(made)
        assert len(page["matches"]) == PAGE_SIZE
        assert rest["more"] is None
        exported = ada.http.get("/api/account/export").json()
        assert sorted(one["match"] for one in exported["matches"]) == sorted(made)


def test_seats_taken_before_can_be_claimed(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        guest = server.create_match(seats=HOT_SEAT)
        claim = {"match": guest.match, "tokens": guest.tokens[:1]}
        assert ada.http.post("/api/account/seats", json=claim).status_code == 204
        assert [seat["yours"] for seat in ada.snapshot(guest.match)["seats"]] == [True, False]
        assert guest.snapshot()["seats"][0]["name"] == ada.name
        assert [one["match"] for one in ada.matches()] == [guest.match]
        # Again: nothing more. Another: no.
        assert ada.http.post("/api/account/seats", json=claim).status_code == 204
        refused = bob.http.post("/api/account/seats", json=claim)
        assert error_of(refused) == (409, "claimed")
        wrong = bob.http.post("/api/account/seats", json=claim | {"tokens": ["x"]})
        assert error_of(wrong) == (401, "unknown-token")
        assert bob.matches() == []
        # It is kept, not only held in memory.
        ada.do(guest.match, "play", "Pnw")
        assert ada.matches()[0]["seq"] == 1


def test_an_export_has_all_that_is_stored(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        match = ada.begin(seats=HOT_SEAT, options={"actions": 2})["match"]
        for turn in SHORTEST:
            for token in turn:
                ada.do(match, "play", token)
        answer = ada.http.get("/api/account/export")
        assert "attachment" in answer.headers["content-disposition"]
        exported = answer.json()
        assert exported["account"] == ada.me()
        assert len(exported["sessions"]) == 1
        (one,) = exported["matches"]
        assert one["match"] == match
        assert one["seats"] == [0, 1]
        (record,) = tavola.read_records(one["record"])
        assert [step.token for step in record.line] == [
            token for turn in SHORTEST for token in turn
        ]
        assert ada.http.cookies["tavola-session"] not in answer.text
        assert "argon2" not in answer.text


def test_an_export_has_what_was_planned_and_what_matches_did_to_ratings(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        planned, rated = (ada.begin(seats=[LINK, PERSON], rated=rated) for rated in (False, True))
        for made in (planned, rated):
            join(bob, made, 0)
        lines = [["Pnw", "Pw", "Pne", "Pe"]]
        plan = {"seat": 1, "seq": 0, "version": "", "lines": lines}
        assert ada.http.post(f"/api/matches/{planned['match']}/plan", json=plan).is_success
        for who, token in ((bob, "Pnw"), (bob, "Pw"), (ada, "Pne"), (ada, "Pnw")):
            who.do(rated["match"], "play", token)
        bob.do(rated["match"], "resign")
        hers, his = (who.http.get("/api/account/export").json() for who in (ada, bob))
        plan = {"match": planned["match"], "seat": 1, "after": 0, "lines": lines}
        assert (hers["plans"], his["plans"]) == ([plan], [])
        for exported, seat in ((hers, 1), (his, 0)):
            ((own,), (now,)) = exported["results"], exported["account"]["ratings"]
            assert (own["match"], own["seat"], own["before"]) == (rated["match"], seat, 1500.0)
            assert own["after"] == now["rating"] != 1500.0


def test_an_export_has_what_was_taken_back_and_reported_but_nothing_of_others(
    server: LiveServer,
) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        join(bob, made)
        match = made["match"]
        for do, token in (("play", "Pnw"), ("undo", None), ("play", "Pne"), ("play", "Pe")):
            ada.do(match, do, token)
        bob.do(match, "play", "Pnw")
        with Player(server, match, [bob.http.cookies["tavola-session"]]).connect() as his:
            with Player(server, match, [ada.http.cookies["tavola-session"]]).connect() as hers:
                hers.send(type="say", seat=0, text="Boo")
                hers.receive_until("chat")
            (line,) = his.receive_until("chat")["lines"]
            his.send(type="report", seat=1, line=line["id"])
            his.receive_until("reported")
        hers, his = (who.http.get("/api/account/export").json() for who in (ada, bob))
    events = hers["matches"][0]["events"]
    assert [(one["seq"], one["kind"], one["token"]) for one in events] == [
        (1, "action", "Pnw"),
        (2, "undo", "0"),
        (3, "action", "Pne"),
        (4, "action", "Pe"),
    ]
    assert all(one["seat"] == 0 and hers["account"]["created"] < one["at"] for one in events)
    assert [one["seq"] for one in his["matches"][0]["events"]] == [5]
    (report,) = his["reports"]
    assert (report["match"], report["seat"], report["line"]) == (match, 1, line["id"])
    assert hers["reports"] == []


def test_an_export_misses_no_match_that_is_played_meanwhile(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(account_matches, "PAGE_SIZE", 1)
    record, turns = MatchRegistry.record, iter(("Pnw", "Pw", "Pne"))
    with signed_up_player(server) as ada:
        made = [ada.begin(seats=HOT_SEAT) for _ in range(3)]
        first = Player(server, made[0]["match"], made[0]["tokens"])

        async def meanwhile(tables: MatchRegistry, match: str) -> str | None:
            await asyncio.to_thread(first.play, next(turns))
            return await record(tables, match)

        monkeypatch.setattr(MatchRegistry, "record", meanwhile)
        exported = ada.http.get("/api/account/export").json()["matches"]
        assert {one["match"] for one in exported} == {one["match"] for one in made}


def test_a_deleted_account_vanishes_and_its_matches_stay(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        join(bob, made)
        match = made["match"]
        ada.do(match, "play", "Pnw")
        token = made["tokens"][0]
        wrong = ada.http.post("/api/account/delete", json={"password": "not it at all"})
        assert error_of(wrong) == (403, "wrong-password")
        with Player(server, match, [token]).connect() as chair:
            chair.receive()
            chair.send(type="say", seat=0, text="Good morning")
            chair.receive_until("chat")
        assert ada.http.get("/api/account/export").json()["chat"][0]["text"] == "Good morning"
        with Player(server, match, []).connect() as watching:
            assert watching.receive()["snapshot"]["seats"][0]["name"] == ada.name
            (line,) = watching.receive_until("chat")["lines"]
            assert line["text"] == "Good morning"
            told = {"password": PASSWORD}
            assert ada.http.post("/api/account/delete", json=told).status_code == 204
            seats = watching.receive_until("snapshot")["snapshot"]["seats"]
            # It is gone from the pages that are open, too.
            assert watching.receive_until("chat") == {"type": "chat", "lines": [], "whole": True}
        expected = {"seat": 0, "kind": "person", "name": "", "yours": False, "deleted": True}
        assert seats[0] == expected
        assert ada.me() is None
        assert error_of(ada.sign_in()) == (401, "wrong-sign-in")
        stored = dump(server.database)
        assert ada.name not in stored
        assert "Good morning" not in stored
        # The holder of the seat's own token may continue.
        assert Player(server, match, [token]).play("Pw")["seats"][0]["yours"]
        assert Player(server, match, []).snapshot()["seats"][1]["name"] == bob.name
        with signed_up_player(server, ada.name) as again:
            assert again.matches() == []


def test_a_match_whose_rated_player_is_no_more_can_go_on(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        going_on, over = (ada.begin(seats=[LINK, PERSON], rated=True) for _ in range(2))
        for made in (going_on, over):
            join(bob, made, 0)
            bob.do(made["match"], "play", "Pnw")
        bob.do(over["match"], "resign")
        match = going_on["match"]
        assert error_of(bob.ask(match, "ask", "engine:1")) == (409, "cannot-ask")
        assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).status_code == 204
        assert bob.snapshot(over["match"])["rated"]
        assert not bob.snapshot(match)["rated"]
        bob.do(match, "ask", "engine:1")
        assert bob.snapshot(match)["seats"][1]["kind"] == "engine"
    stored = dict(rows(server.database, "SELECT id, rated FROM matches"))
    assert (stored[match], stored[over["match"]]) == (0, 1)


def test_nothing_that_a_deleted_account_has_planned_is_played(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[LINK, PERSON])
        join(bob, made, 0)
        lines = [["Pnw", "Pw", "Pne", "Pe"]]
        plan = {"seat": 1, "seq": 0, "version": "", "lines": lines}
        answer = ada.http.post(f"/api/matches/{made['match']}/plan", json=plan)
        assert answer.status_code == 200, answer.text
        assert ada.http.post("/api/account/delete", json={"password": PASSWORD}).status_code == 204
        bob.do(made["match"], "play", "Pnw")
        assert bob.do(made["match"], "play", "Pw")["acting"] == 1
    assert made["match"] not in dict(rows(server.database, "SELECT match, seat FROM plans"))


def test_derived_data_agrees_with_the_log(server: LiveServer) -> None:
    """After any end of the server's memory of the match: the list and a replay agree."""
    from tavola.server.live.load import MatchLoader
    from tavola.server.ops.rate_limits import RateLimits
    from tavola.server.ops.work_queue import WorkQueue
    from tavola.server.snapshots import snapshot
    from tavola.server.storage.database import Database

    with signed_up_player(server) as ada:
        match = ada.begin(seats=HOT_SEAT, confirm=True)["match"]
        ada.do(match, "play", "Pnw")
        ada.do(match, "undo")
        ada.do(match, "play", "Pw")
        listed = ada.matches()[0]
        store = Database(server.database)
        try:
            loader = MatchLoader(store, WorkQueue(1, RateLimits()))
            standing = snapshot.match_summary(asyncio.run(loader.load(match)), frozenset())
        finally:
            store.close()
        for name in ("seq", "status", "acting", "since"):
            assert listed[name] == getattr(standing, name), name


@pytest.mark.long
def test_an_aborted_match_is_not_listed_as_a_draw(tmp_path: Path) -> None:
    with serve(tmp_path) as server, signed_up_player(server, "Ada") as ada:
        ended = [ada.begin(seats=[PERSON, LINK]) for _ in range(2)]
        with signed_up_player(server, "Bob") as bob:
            for made, wanted in zip(ended, ("abort", "draw"), strict=True):
                join(bob, made)
                ada.do(made["match"], "play", "Pnw")
                ada.do(made["match"], "ask", wanted)
                if wanted == "draw":  # Before both have played, a player may abort alone.
                    bob.do(made["match"], "accept")
        listed = {one["match"]: (one["winners"], one["reason"]) for one in ada.matches()}
        assert listed == {
            ended[0]["match"]: ([], "aborted"),
            ended[1]["match"]: ([], "agreed"),
        }
    # A database from before reasons were stored.
    change(tmp_path / "tavola.db", "ALTER TABLE standings DROP COLUMN reason")
    change(tmp_path / "tavola.db", "DROP INDEX ix_finished_counts")
    drop_later_tables(tmp_path / "tavola.db")
    change(tmp_path / "tavola.db", "UPDATE alembic_version SET version_num = '0013'")
    with serve(tmp_path) as server, signed_out_player(server, "Ada") as ada:
        ada.sign_in()
        reasons = {one["match"]: one["reason"] for one in ada.matches()}
        assert reasons == {ended[0]["match"]: "aborted", ended[1]["match"]: None}
