"""Time control: computed from the log alone, and no player loses time unseen."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.errors import RequestError
from tavola.server.http.authentication import COOKIE
from tavola.server.live import clock as clock_module
from tavola.server.live.clock import MAX_LAG_COMPENSATION, Clock
from tavola.server.matches import decisions
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event
from tavola.server.matches.match import Match
from tavola.server.matches.time_control import (
    DAY,
    DaysTime,
    MainTime,
    RemainingTime,
    Time,
    TurnTime,
    initial_seconds,
    of_next_seats,
)
from tavola.server.storage import downtime, migrate
from tests.profiles import examples
from tests.server.databases import change, on_sqlite
from tests.server.live.test_load import BOTH, header
from tests.server.live.test_load import command as asked
from tests.server.live_server import (
    ENGINE,
    HOT_SEAT,
    PERSON,
    Json,
    LiveServer,
    Player,
    error_of,
    serve,
    wait_until,
)

OPENING = ("Pnw", "Pw", "Pne", "Pnw")
"""Every seat has had a turn."""


def main(seconds: object, increment: object = 0) -> Json:
    return {"kind": "main", "seconds": seconds, "increment": increment}


class TestMainTime:
    def test_it_runs_when_everybody_has_had_a_turn(self, server: LiveServer) -> None:
        guest = server.create_match(time=main(60))
        with guest.connect() as chair:
            chair.receive()
            time.sleep(0.3)
            assert guest.play(*OPENING[:3])["clock"]["remaining"] == [60, 60]
            assert guest.snapshot()["clock"]["running"] is None
            now = guest.play(OPENING[3])
            assert now["clock"]["running"] == 0
            time.sleep(0.3)
            left = guest.snapshot()["clock"]["remaining"]
            assert left[0] < 60  # stalls of a busy server cost no time
            assert left[1] == 60

    def test_what_is_used_stays_used_and_a_turn_brings_its_increment_once(
        self, server: LiveServer
    ) -> None:
        guest = server.create_match(time=main(60, 10))
        guest.play(*OPENING)
        time.sleep(0.3)
        tokens = [action["token"] for action in guest.snapshot()["view"]["actions"]]
        began = time.monotonic()
        used = guest.play(tokens[0])["clock"]["remaining"][0]
        # Stalls of a busy server, which may be part of the pause, cost no time.
        assert used < 60
        last = guest.snapshot()["view"]["actions"][0]["token"]
        after = guest.play(last)["clock"]
        assert after["running"] == 1
        passed = time.monotonic() - began
        assert used + 10 - passed <= after["remaining"][0] <= used + 10
        # Undone and played again, it brings nothing more.
        for _ in range(3):
            assert guest.do("undo")["clock"]["running"] == 0
            again = guest.play(last)["clock"]["remaining"][0]
        assert again <= after["remaining"][0]

    @pytest.mark.long
    def test_who_has_no_time_left_has_lost(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match(time=main(1))
            with guest.connect() as chair:
                chair.receive()
                guest.play(*OPENING)
                while (now := chair.receive_until("update")["snapshot"])["status"] != "over":
                    pass
            assert now["result"] == {
                "winners": [1],
                "returns": [-1.0, 1.0],
                "reason": "time",
                "text": None,
                "loser": 0,
            }
            assert now["clock"]["remaining"] == [0, 1]
            assert now["clock"]["running"] is None
            assert error_of(guest.request("play", token="Psw", seq=now["seq"], seat=0)) == (
                409,
                "over",
            )
        with serve(tmp_path) as server:
            guest.server = server
            assert guest.snapshot()["result"] == now["result"]

    def test_nobody_needs_to_be_there(self, server: LiveServer) -> None:
        guest = server.create_match(time=main(1))
        guest.play(*OPENING)
        wait_until(lambda: guest.snapshot()["result"] is not None)
        assert guest.snapshot()["result"]["loser"] == 0

    def test_engines_have_no_clock(self, server: LiveServer) -> None:
        guest = server.create_match(time=main(60), seats=[PERSON, ENGINE])
        assert guest.snapshot()["clock"]["remaining"] == [60, None]

    @pytest.mark.parametrize(
        "wrong",
        [
            main(0),
            main(6 * 3600 + 1),
            main(1.5),
            main(60, -1),
            main(60, 601),
            {"kind": "days", "days": 0},
            {"kind": "days", "days": 31},
            {"kind": "never"},
            {"seconds": 60},
            60,
        ],
    )
    def test_a_time_that_is_no_time_is_refused(self, server: LiveServer, wrong: object) -> None:
        wanted = {"game": "potlatch", "seats": [PERSON, PERSON], "time": wrong}
        assert error_of(server.http.post("/api/matches", json=wanted)) == (422, "invalid")


class TestRestart:
    @pytest.mark.long
    def test_a_restart_costs_nobody_time(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match(time=main(60))
            guest.play(*OPENING)
            time.sleep(0.5)
            before = guest.snapshot()["clock"]["remaining"][0]
        time.sleep(0.7)
        with serve(tmp_path) as server:
            guest.server = server
            first = guest.snapshot()["clock"]
            time.sleep(0.3)
            # No clock runs before every player can reconnect.
            assert guest.snapshot()["clock"] == first
            assert before <= first["remaining"][0]
            assert first["running"] == 0

    @pytest.mark.long
    def test_hours_with_a_server_count_though_nobody_played(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two days with the server there, one without: of three days one is left."""
        monkeypatch.setattr(downtime, "GRACE_SECONDS", 0.0)
        with serve(tmp_path) as server:
            guest = server.create_match(time={"kind": "days", "days": 3})
            guest.play(*OPENING)
        now = datetime.now(UTC)
        then = [(now - timedelta(days=days)).isoformat() for days in (3, 2, 1)]
        database = tmp_path / "tavola.db"
        change(database, "UPDATE events SET at = :at", at=then[0])
        change(
            database, "UPDATE runs SET began = :began, alive = :alive", began=then[0], alive=then[1]
        )
        later = "INSERT INTO runs (began, alive) VALUES (:began, :alive)"
        change(database, later, began=then[2], alive=now.isoformat())
        with serve(tmp_path) as server:
            guest.server = server
            left = guest.snapshot()["clock"]["remaining"]
            assert abs(left[0] - DAY) < 60
            assert left[1] == 3 * DAY
        long_ago = (now - timedelta(days=9)).isoformat()
        change(database, "UPDATE events SET at = :at", at=long_ago)
        change(database, "UPDATE runs SET began = :at", at=long_ago)
        with serve(tmp_path) as server:
            guest.server = server
            with guest.connect() as chair:
                now_ = chair.receive()["snapshot"]
                while now_["status"] != "over":
                    now_ = chair.receive_until("update")["snapshot"]
            assert now_["result"]["loser"] == 0

    @on_sqlite
    def test_an_older_database_keeps_its_times(self, tmp_path: Path) -> None:
        """Matches that were begun when there was time for turns only, in a column of its own."""
        file = tmp_path / "tavola.db"
        config = Config()
        folder = Path(migrate.__file__).with_name("migrations")
        config.set_main_option("script_location", str(folder))
        engine = sa.create_engine(f"sqlite:///{file}")
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            with connection.begin():
                command.upgrade(config, "0004")
        engine.dispose()
        began = header(confirm=False)
        options = json.dumps(began.options)
        with closing(sqlite3.connect(file)) as opened:
            for name, seconds in (("timed", 60), ("free", None)):
                opened.execute(
                    "INSERT INTO matches (id, game, options, rules_version, confirm, start,"
                    " created, engine_due, turn_seconds) VALUES (?, ?, ?, 1, 0, ?, '', 0, ?)",
                    (name, began.game, options, began.start, seconds),
                )
                opened.executemany(
                    "INSERT INTO seats (match, seat, kind, name) VALUES (?, ?, 'person', '')",
                    [(name, 0), (name, 1)],
                )
            opened.commit()
        with serve(tmp_path) as server:
            timed, free = (Player(server, name, []).snapshot() for name in ("timed", "free"))
            assert timed["clock"]["time"] == {"kind": "turn", "seconds": 60}
            assert free["clock"] is None


class TestArrival:
    @pytest.mark.long
    def test_what_counts_is_when_a_command_arrives(
        self, server: LiveServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        authenticate = Accounts.authenticate

        async def slow(self: Accounts, token: str | None) -> Account | None:
            if token is not None:
                await asyncio.sleep(1.5)
            return await authenticate(self, None)

        monkeypatch.setattr(Accounts, "authenticate", slow)
        guest = server.create_match(time=main(1))
        guest.play(*OPENING)
        answer = server.http.post(
            f"{guest.url}/commands",
            json={"id": "late", "seq": 4, "seat": 0, "do": "play", "token": "Psw"},
            headers=guest.headers | {"cookie": f"{COOKIE}=unknown"},
        )
        # The clock would have run out while the server was busy with the account.
        assert answer.status_code == 200, answer.text
        assert answer.json()["snapshot"]["status"] == "playing"
        assert answer.json()["snapshot"]["clock"]["remaining"][0] > 0
        # A command that never arrives is too late.
        wait_until(lambda: guest.snapshot()["status"] == "over")


class TestLag:
    def test_the_network_costs_little_and_who_lies_gains_little(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = 0.0
        monkeypatch.setattr(clock_module, "_now", lambda: now)

        async def play(lag: float, seconds: float) -> tuple[int, int]:
            nonlocal now
            clock = Clock()
            match = Match(header(confirm=False, time=MainTime(seconds=60)))
            for token in OPENING:
                match = played(match, token)
            clock.update(match, lambda _: None, is_running=True, lag=lag)
            now += seconds
            ran = [clock.elapsed]
            first = clock.spent_milliseconds(lag)
            match = played(match, match.state.legal_actions[0], spent=first)
            clock.update(match, lambda _: None, is_running=True, lag=lag)
            now += seconds
            ran.append(clock.elapsed)
            second = clock.spent_milliseconds(lag)
            return round(ran[0] * 1000) - first, round(ran[1] * 1000) - second

        assert asyncio.run(play(0.05, 0.2)) == (50, 50)
        # Ten seconds are claimed: a turn of two actions gets what one may at most, once.
        liar = asyncio.run(play(10.0, 0.2))
        assert sum(liar) == MAX_LAG_COMPENSATION * 1000, liar
        assert liar[0] >= 200

    def test_a_client_that_says_nothing_of_the_network_gets_nothing(
        self, server: LiveServer
    ) -> None:
        guest = server.create_match(time=main(60))
        with guest.connect() as chair:
            chair.receive()
            guest.play(*OPENING)
            time.sleep(0.3)
            assert guest.play("Psw")["clock"]["remaining"][0] < 60


def played(match: Match, token: str, *, spent: int = 0) -> Match:
    from msgspec.structs import replace

    seat = match.acting
    assert seat is not None
    wanted = Command(id=f"c{match.seq}", seq=match.seq, seat=seat, do="play", token=token)
    for event in decisions.decide(match, wanted, BOTH):
        match = match.with_events([replace(event, spent=spent)])
    return match


TIMES = st.sampled_from([TurnTime(seconds=60), MainTime(seconds=90, increment=7), DaysTime(days=2)])
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["play"] * 8
            + ["undo", "confirm", "confirm", "resign", "flag"]
            + ["ask undo", "ask draw", "ask pause", "ask resume", "ask engine:1", "ask rematch"]
            + ["accept"] * 4
            + ["decline"]
        ),
        st.integers(0, 11),
        st.integers(0, 20_000),
        st.sampled_from([frozenset({0}), frozenset({1}), BOTH]),
    ),
    max_size=70,
)


@settings(max_examples=examples(80))
@given(steps=STEPS, confirm=st.booleans(), allowed=TIMES)
def test_times_and_requests_follow_from_the_log(
    steps: list[tuple[str, int, int, frozenset[int]]], confirm: bool, allowed: Time
) -> None:
    """Whatever is done, a replay gives the same; time is only lost by the seat whose clock runs."""
    from msgspec.structs import replace

    from tavola.server.snapshots.snapshot import clock_state, full_snapshot

    began = header(confirm=confirm, time=allowed)
    live, log = Match(began), list[Event]()
    for number, (do, choice, spent, held) in enumerate(steps):
        word, _, token = do.partition(" ")
        seat = live.acting if live.acting in held else min(held)
        if word == "accept" and live.request is not None:
            seat = min(live.request.waiting & held, default=seat)
        legal = live.state.legal_actions
        if word == "play" and legal:
            token = legal[choice % len(legal)]
        before = full_snapshot(live, BOTH)
        try:
            if word == "flag":
                if live.running_turn is None or isinstance(allowed, TurnTime):
                    continue
                decided = decisions.flag_events(live)
            else:
                wanted = asked(live, word, token or None, seat, number)
                decided = decisions.decide(live, wanted, held, lambda: frozenset({1}))
        except RequestError:
            assert full_snapshot(live, BOTH) == before
            continue
        running, turn = live.running_turn, live.timed_turn
        assert live.remaining_time is not None
        lefts = [live.remaining_time.left(each) for each in (0, 1)]
        for place, event in enumerate(decided):
            if place == 0 and running is not None:
                event = replace(event, spent=spent)
            live = live.with_events([event])
            log.append(event)
        assert live.remaining_time is not None
        # A granted takeback restores the times of the turn, and an undo those of an earlier turn.
        undone = decided[-1].kind == "undo"
        restored = undone and (word != "undo" or not isinstance(allowed, MainTime))
        for each in () if restored else (0, 1):
            lost = lefts[each] - live.remaining_time.left(each)
            assert lost <= 1e-9 or (running is not None and running[0] == each)
            if lost > 0:
                assert lost <= spent / 1000 + 1e-9
            if isinstance(allowed, MainTime):
                assert lost >= -allowed.increment - 1e-9
                assert lost >= -1e-9 or (turn is not None and turn[0] == each)
        replayed = Match(began)
        for event in log:
            replayed.apply(event)
        for seats in (BOTH, frozenset({0}), frozenset[int]()):
            shown = full_snapshot(live, seats, clock_state(live, 0.0, is_running=True))
            assert (
                full_snapshot(replayed, seats, clock_state(replayed, 0.0, is_running=True)) == shown
            )
        assert live.request is None or live.request.waiting
        if live.status == "over":
            assert live.running_turn is None


@pytest.mark.parametrize(
    "allowed", [MainTime(seconds=60, increment=5), TurnTime(seconds=60), DaysTime(days=1)]
)
def test_a_granted_takeback_restores_the_times_of_the_turn(allowed: Time) -> None:
    from msgspec.structs import replace

    match = Match(header(confirm=False, time=allowed))
    for token in OPENING:
        match = played(match, token)
    assert match.remaining_time is not None
    before = [match.remaining_time.left(seat) for seat in (0, 1)]
    for _ in range(2):
        match = played(match, match.state.legal_actions[0], spent=1500)
    red, blue = frozenset({0}), frozenset({1})
    match = played(match, match.state.legal_actions[0], spent=4000)
    for number, (do, seat) in enumerate([("ask", 0), ("accept", 1)]):
        wanted = asked(match, do, "undo", seat, number)
        (first, *others) = decisions.decide(match, wanted, red if seat == 0 else blue)
        match = match.with_events([replace(first, spent=2000), *others])
    assert len(match.history) == len(OPENING)
    assert match.remaining_time is not None
    assert [match.remaining_time.left(seat) for seat in (0, 1)] == before


@pytest.mark.parametrize("allowed", [TurnTime(seconds=60), DaysTime(days=1)])
def test_an_undo_into_an_earlier_turn_restores_what_that_turn_had(allowed: Time) -> None:
    match = Match(header(confirm=False, time=allowed))

    def left(seat: int) -> float:
        assert match.remaining_time is not None
        return initial_seconds(allowed, seat) - match.remaining_time.left(seat)

    def undo(keep: int) -> None:
        nonlocal match
        wanted = asked(match, "undo", "turn", 0, 90 + keep)
        match = match.with_events(decisions.decide(match, wanted, BOTH))
        assert len(match.history) == keep

    # With time per turn, the clock runs from the first turn; with days, from the third.
    for token in OPENING:
        match = played(match, token)
    used = [5000, 7000, 11_000, 13_000]
    for number in range(4):
        match = played(match, match.state.legal_actions[0], spent=used[number])
    assert (left(0), left(1)) == (0, 24)
    undo(6)
    assert (left(0), left(1)) == (0, 24)
    undo(4)
    assert left(0) == 12
    for _ in range(2):
        match = played(match, match.state.legal_actions[0], spent=1000)
    assert (match.acting, left(1)) == (1, 24)
    for _ in range(2):
        match = played(match, match.state.legal_actions[0])
    assert (match.acting, left(0)) == (0, 0)


def test_an_increment_is_given_once_for_each_turn() -> None:
    times = RemainingTime(MainTime(seconds=60, increment=5), 2)
    times.spend(0, 1500)
    times.end_turn(0, 1)
    times.end_turn(0, 1)
    assert times.left(0) == 63.5
    same = times.copy()
    same.spend(0, 1000)
    assert (times.left(0), same.left(0)) == (63.5, 62.5)


def test_players_may_begin_with_different_times_which_they_keep_in_a_rematch() -> None:
    allowed = MainTime(seconds=600, increment=5, odds=(600, 180))
    match = Match(header(confirm=False, time=allowed))
    assert match.remaining_time is not None
    assert [match.remaining_time.left(seat) for seat in (0, 1)] == [600, 180]
    swapped = of_next_seats(allowed)
    assert isinstance(swapped, MainTime)
    assert (swapped.seconds, swapped.increment, swapped.odds) == (600, 5, (180, 600))
    assert of_next_seats(DaysTime(days=3)) == DaysTime(days=3)


def test_the_times_of_players_are_as_many_as_the_seats(server: LiveServer) -> None:
    odds: Json = {"kind": "main", "seconds": 60, "increment": 0, "odds": [60, 30]}
    wanted: Json = {"game": "potlatch", "seats": HOT_SEAT, "time": odds}
    assert server.http.post("/api/matches", json=wanted).status_code == 201
    wanted["time"] = {**odds, "odds": [60, 30, 30]}
    assert error_of(server.http.post("/api/matches", json=wanted)) == (422, "seat-count")
    wanted["time"] = {**odds, "odds": [60, 0]}
    assert server.http.post("/api/matches", json=wanted).status_code == 422
