"""Promises 5, 6 and 7: a log replays to what was stored with it, or that is said."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tavola
from tavola.server.errors import RequestError
from tavola.server.live import load
from tavola.server.matches import decisions
from tavola.server.matches.command import Command
from tavola.server.matches.log import Event, Header, Seat
from tavola.server.matches.match import CorruptLog, Match
from tavola.server.matches.time_control import Time
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.snapshots.snapshot import full_snapshot
from tavola.server.storage.database import Database
from tests.profiles import examples
from tests.server.databases import change, url_of
from tests.server.live_server import Json, Player, error_of, serve

BOTH = frozenset({0, 1})
CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
TILES = ("Rc", "Rs", "Rt", "Bc", "Bs", "Bt", "Yc", "Ys", "Yt")


def header(
    *, confirm: bool, options: dict[str, str] | None = None, time: Time | None = None
) -> Header:
    game = tavola.load("potlatch", **(options or {}))
    person = Seat(kind="person", name="", seconds=None, token_hash="hash")
    return Header(
        id="m",
        game="potlatch",
        options={name: str(value) for name, value in game.options.items()},
        rules_version=game.rules_version,
        confirm=confirm,
        start=game.start().text,
        seats=(person, person),
        time=time,
    )


def command(match: Match, do: str, token: str | None, seat: int, number: int) -> Command:
    return Command(id=f"c{number}", seq=match.seq, seat=seat, do=do, token=token)  # type: ignore[arg-type]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["play"] * 8 + ["undo", "undo turn", "confirm", "confirm", "resign"]),
        st.integers(0, 11),
        st.sampled_from([frozenset({0}), frozenset({1}), BOTH, BOTH, BOTH]),
    ),
    max_size=60,
)


@settings(max_examples=examples(60))
@given(steps=STEPS, confirm=st.booleans(), actions=st.sampled_from(["2", "3"]))
def test_replaying_the_log_gives_the_match_after_every_event(
    steps: list[tuple[str, int, frozenset[int]]], confirm: bool, actions: str
) -> None:
    began = header(confirm=confirm, options={"actions": actions})
    live, log = Match(began), list[Event]()
    for number, (do, choice, held) in enumerate(steps):
        word, _, token = do.partition(" ")
        seat = live.acting if live.acting is not None else 0
        legal = live.state.legal_actions
        if word == "play" and legal:
            token = legal[choice % len(legal)]
        before = full_snapshot(live, BOTH)
        try:
            decided = decisions.decide(live, command(live, word, token or None, seat, number), held)
        except RequestError:
            assert full_snapshot(live, BOTH) == before
            continue
        for event in decided:
            live = live.with_events([event])
            log.append(event)
            assert live.seq == len(log) == event.seq
        replayed = Match(began)
        for event in log:
            replayed.apply(event)
        for seats in (BOTH, frozenset({0}), frozenset({1}), frozenset[int]()):
            assert full_snapshot(replayed, seats) == full_snapshot(live, seats)
        # The valid actions, played from the start, give the position.
        tokens = " ".join(step.token for step in live.history)
        assert live.game.start().play_all(tokens) == live.state


def test_a_replay_copies_nothing() -> None:
    """Thousands of events are replayed in place: their number does not count twice."""
    match = Match(header(confirm=False))
    parts = match.history, match.commands, match.core
    for number in range(4):
        seat = match.seat_to_act()
        token = match.state.legal_actions[0]
        for event in decisions.decide(match, command(match, "play", token, seat, number), BOTH):
            match.apply(event)
    assert len(match.history) == len(match.commands) == len(match.core) == 4
    kept = match.history, match.commands, match.core
    assert all(one is other for one, other in zip(parts, kept, strict=True))


def test_deciding_changes_nothing() -> None:
    match = Match(header(confirm=False))
    before = full_snapshot(match, BOTH)
    (event,) = decisions.decide(match, command(match, "play", "Pw", 0, 1), BOTH)
    after = match.with_events([event])
    assert full_snapshot(match, BOTH) == before
    assert full_snapshot(after, BOTH) != before


@pytest.mark.parametrize(
    "spoil",
    [
        {"position": "other"},
        {"key": "0" * 16},
        {"seq": 3},
        {"token": "Pe"},
        {"token": "nonsense"},
        {"kind": "undo", "token": "7"},
        {"kind": "undo", "token": None},
        {"kind": "undo", "token": "0"},
    ],
)
def test_an_event_that_does_not_fit_is_found_out(spoil: dict[str, object]) -> None:
    match = Match(header(confirm=False))
    (event,) = decisions.decide(match, command(match, "play", "Pw", 0, 1), BOTH)
    fields = {name: getattr(event, name) for name in Event.__struct_fields__}
    with pytest.raises(CorruptLog):
        match.apply(Event(**fields | spoil))


class TestRestart:
    """The same through a database, with the server gone in between."""

    @pytest.mark.long
    def test_every_point_of_a_match_comes_back_as_it_was(self, tmp_path: Path) -> None:
        options = {"actions": 3, "layout": "triangle"}
        commands = [("play", "Pnw"), ("play", "Pw"), ("undo", None), ("play", "Pne")]
        commands += [("play", "Pse"), ("confirm", None), ("resign", None)]
        pictures = []
        with serve(tmp_path) as server:
            for count in range(len(commands) + 1):
                guest = server.create_match(confirm=True, options=options)
                for do, token in commands[:count]:
                    guest.do(do, token=token)
                pictures.append((guest, guest.snapshot()))
        with serve(tmp_path) as server:
            for guest, picture in pictures:
                guest.server = server
                assert guest.snapshot() == picture
        assert picture["status"] == "over"

    def test_a_changed_position_is_reported_and_never_played_on(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest, sound = server.create_match(), server.create_match()
            guest.play("Pnw", "Pw")
        change(
            tmp_path / "tavola.db",
            "UPDATE events SET position = replace(position, 'B 0', 'B 1') WHERE seq = 2",
        )
        with serve(tmp_path) as server:
            answer = server.http.get(guest.url, headers=guest.headers)
            assert error_of(answer) == (500, "damaged")
            assert answer.json()["params"] == {"seq": 2}
            guest.server = sound.server = server
            assert error_of(guest.request("play", token="Pne", seq=2, seat=1)) == (500, "damaged")
            assert sound.snapshot()["seq"] == 0

    def test_a_match_keeps_the_version_of_its_rules(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match()
            assert guest.snapshot()["rules_version"] == 1
        change(tmp_path / "tavola.db", "UPDATE matches SET rules_version = 77")
        with serve(tmp_path) as server:
            answer = server.http.get(guest.url, headers=guest.headers)
            assert error_of(answer) == (409, "rules-changed")
            assert answer.json()["params"] == {"began": 77, "now": 1}

    @pytest.mark.long
    def test_an_old_match_plays_on_under_the_version_it_began_with(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server:
            guest = server.create_match(game="proteus")
            for cell, tile in zip(CELLS, TILES, strict=True):
                guest.play(f"{tile}@{cell}")
            assert error_of(guest.request("play", token="t@a1", seq=9, seat=1)) == (422, "illegal")
        change(tmp_path / "tavola.db", "UPDATE matches SET rules_version = 1")
        with serve(tmp_path) as server:
            guest.server = server
            assert guest.snapshot()["rules_version"] == 1
            # Version 1 had no duty to reveal a missing colour.
            guest.play("t@a1")
            assert guest.snapshot()["seq"] == 10

    def test_two_servers_on_one_database_do_not_overwrite_each_other(self, tmp_path: Path) -> None:
        with serve(tmp_path) as server, serve(tmp_path) as other:
            here = server.create_match()
            there = Player(other, here.match, here.tokens)
            assert there.snapshot() == here.snapshot()
            here.play("Pnw")
            answer = there.request("play", token="Pw", seq=0, seat=0)
            assert error_of(answer) == (409, "stale")
            assert answer.json()["params"] == {"seq": 1}
            assert there.snapshot() == here.snapshot()
            # The same command by way of the other server counts once.
            sent: Json = {"id": "one", "seq": 1, "seat": 0, "token": "Pw"}
            there.request("play", **sent)
            assert here.request("play", **sent).json()["seq"] == 2


def test_tokens_are_not_in_the_database(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = server.create_match()
        tokens = guest.tokens
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(set(tokens)) == 2
    for token in tokens:
        assert len(token) >= 43
        assert token.encode() not in stored


def test_a_closed_match_is_replayed_once_for_all_its_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays = Counter[str]()
    replay = load._replay

    def counted(header: Header, log: list[Event]) -> Match:
        replays[header.id] += 1
        return replay(header, log)

    monkeypatch.setattr(load, "_replay", counted)
    store = Database(url_of(tmp_path / "tavola.db"))
    match = Match(header(confirm=False))

    async def read() -> None:
        first = match.event("action", 0, match.position.after("Pnw"), token="Pnw")
        await store.create(match.header, [first], engine_due=False)
        loader = load.MatchLoader(store, WorkQueue(2, RateLimits()))
        found = await asyncio.gather(*(loader.read(match.header.id, "reader") for _ in range(20)))
        assert {one.seq for one in found} == {1}
        await loader.read(match.header.id, "reader")
        assert replays == {match.header.id: 1}
        # It may leave the cache while it is compared with the log.
        reading = asyncio.create_task(loader.read(match.header.id, "reader"))
        await asyncio.sleep(0)
        loader.forget(match.header.id)
        assert (await reading).seq == 1
        await loader.read(match.header.id, "reader")
        assert replays == {match.header.id: 2}
        # Another process has written to the log, at least so long ago.
        monkeypatch.setattr(load, "CHECK_SECONDS", 0.0)
        match.apply(first)
        await store.append(match.header.id, [match.event("resign", 1)], engine_due=False)
        assert (await loader.read(match.header.id, "reader")).status == "over"
        assert replays == {match.header.id: 3}

    try:
        asyncio.run(read())
    finally:
        store.close()
