"""Updates: a snapshot and the next patch make the next snapshot."""

from __future__ import annotations

import gc
import itertools
import json
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola.server.live.live_match import LiveMatch
from tavola.server.matches import decisions
from tavola.server.matches.cached_state import CachedState
from tavola.server.matches.history import HistoryEntry
from tavola.server.matches.match import Match
from tavola.server.schema.event_list import EventList, encode_full
from tavola.server.schema.patch import patch_log
from tavola.server.schema.responses import encode
from tavola.server.snapshots import snapshot
from tavola.server.snapshots.updates import CommonPatch, Update
from tests.server.live_server import HOT_SEAT, LiveServer, Player, apply_patch, wait_until
from tests.server.players import signed_up_player
from tests.server.snapshots.test_hidden_information import game_of, header

GROWN = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), max_size=9)


def entry(n: int) -> HistoryEntry:
    """An action that is encoded already."""
    start = CachedState(tavola.load("potlatch").start())
    full, brief = (msgspec.Raw(b"%d" % number) for number in (n, n // 2))
    return HistoryEntry(n, 0, 0, "", False, False, start, None, None, full, brief)


def logs(grown: list[tuple[int, int]], brief: int) -> list[EventList]:
    """Logs that follow from one another: some go, one comes."""
    lists = [list[HistoryEntry]()]
    for kept, number in grown:
        lists.append([*lists[-1][:kept], entry(number)])
    return [
        EventList(entries, min(brief + place, len(entries))) for place, entries in enumerate(lists)
    ]


@given(grown=GROWN, apart=GROWN, brief=st.integers(-9, 9))
def test_any_log_is_made_of_any_other(
    grown: list[tuple[int, int]], apart: list[tuple[int, int]], brief: int
) -> None:
    every = [*logs(grown, max(brief, 0)), *logs(apart, max(-brief, 0))]
    for before, after in itertools.product(every, every):
        change = patch_log(before, after)
        had, wanted = (json.loads(encode(value)) for value in (before, after))
        if change is None:
            assert had == wanted
        else:
            assert apply_patch(had, json.loads(encode(change))) == wanted


def test_of_a_long_log_only_new_events_are_sent() -> None:
    entries = [entry(n) for n in range(101)]
    shorter, longer = EventList(entries[:100], 0), EventList(entries, 2)
    assert patch_log(shorter, longer) == {
        "length": 101,
        "1": [entries[1].brief],
        "100": [entries[100].full],
    }
    assert patch_log(longer, shorter) == {"length": 100, "1": [entries[1].full]}


def test_a_log_does_not_grow_with_what_comes_after_it() -> None:
    entries = [entry(1)]
    had = EventList(entries, 0)
    entries.append(entry(2))
    assert list(had) == [entry(1).full]
    assert patch_log(had, EventList(entries, 0)) == {"length": 2, "1": [entry(2).full]}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", tavola.games())
def test_full_and_patched_snapshots_are_the_same(game: str, seed: int) -> None:
    chance = random.Random(seed)
    loaded = tavola.load(game)
    match = Match(header(loaded, "5e" * 32 if loaded.has_chance else None, contribute=seed == 1))
    everybody = (frozenset[int](), frozenset({0}), frozenset({0, 1}))
    common = snapshot.common_state(match)
    shown = {held: snapshot.snapshot_parts(match, held, common) for held in everybody}
    had = {held: json.loads(encode(before.snapshot)) for held, before in shown.items()}
    saved = 0
    for _ in game_of(match, chance, 60):
        common = snapshot.common_state(match)
        news = CommonPatch(common)
        for held in everybody:
            now = snapshot.snapshot_parts(match, held, common)
            update = Update(news, shown[held], now)
            whole, told = json.loads(update.full_message), json.loads(update.patch_message)
            assert (told["type"], told["seq"]) == ("change", whole["seq"])
            had[held] = apply_patch(had[held], told["changes"])
            assert had[held] == whole["snapshot"]
            saved += len(update.full_message) - len(update.patch_message)
            shown[held] = now
    assert saved > 0


@pytest.mark.parametrize(
    ("game", "players"), [*((game, 2) for game in tavola.games()), ("montana", 4), ("passtally", 3)]
)
def test_the_last_entry_is_sent_with_its_events(game: str, players: int) -> None:
    """Chance may act over several turns, as in a game that begins with a spin for every seat."""
    options = {"players": players} if players > 2 else {}
    loaded = tavola.load(game, **options)
    match = Match(header(loaded, "5e" * 32 if loaded.has_chance else None, contribute=False))
    known, chance = 0, random.Random(2)
    for _ in range(60):
        before = match
        if match.status == "over":
            break
        if match.acting is None:
            match = match.with_events(decisions.opening_events(match))
        else:
            token = chance.choice(match.state.legal_actions)
            match = match.with_events(decisions.engine_events(match, token))
        told = snapshot.common_state(match).log
        assert [told[place] for place in range(known, len(match.history))] == [
            encode_full(step) for step in match.history[known:]
        ]
        # The match before is as it was.
        assert len(before.history) == known
        known = len(match.history)
    assert known


def test_a_match_that_came_to_nothing_leaves_no_trace() -> None:
    loaded = tavola.load("potlatch")
    match = Match(header(loaded, None, contribute=False))
    one, other = loaded.start().legal_actions[:2]
    decided = [decisions.engine_events(match, token) for token in (one, other)]
    lost, stored = (match.with_events(events) for events in decided)
    assert match.history == []
    assert [step.token for step in lost.history] == [one]
    assert [step.token for step in stored.history] == [other]
    asked = [msgspec.structs.replace(event, command=f"c{n}") for n, (event,) in enumerate(decided)]
    lost, stored = (match.with_events([event]) for event in asked)
    assert (list(match.commands), list(lost.commands), list(stored.commands)) == (
        [],
        ["c0"],
        ["c1"],
    )


def test_positions_that_are_past_keep_no_views() -> None:
    loaded = tavola.load("montana")
    match = Match(header(loaded, "5e" * 32, contribute=False))
    for _ in game_of(match, random.Random(1), 20):
        snapshot.full_snapshot(match, frozenset())
    for place in range(len(match.history)):
        snapshot.position_snapshot(match.at_action(place), frozenset({0}))
    assert not any(step.position._views for step in match.history[:-1])


@pytest.mark.parametrize("game", tavola.games())
def test_an_action_leaves_nothing_behind_that_is_searched_for_garbage(game: str) -> None:
    loaded = tavola.load(game)
    match = Match(header(loaded, "5e" * 32 if loaded.has_chance else None, contribute=False))
    for _ in game_of(match, random.Random(1), 20):
        snapshot.full_snapshot(match, frozenset({0}))
    past = match.history[:-1]
    left = [
        value
        for step in past
        for value in (step, step.position, *msgspec.structs.astuple(step.position))
        if value != {}  # From Python 3.14 on every dictionary is tracked.
    ]
    assert past
    assert not any(map(gc.is_tracked, left))


def test_a_match_without_viewers_keeps_no_views(server: LiveServer) -> None:
    def kept(match: str) -> bool:
        tables = [one for one in gc.get_objects() if isinstance(one, LiveMatch) and one.id == match]
        matches = [one._match for one in tables if one._match is not None]
        return any(one._subscribers._last_sent for one in tables) or any(
            one.position._views for one in matches
        )

    guest = server.create_match(game="montana")
    with guest.connect() as one:
        one.receive()
        with guest.only(0).connect() as other:
            other.receive()
        assert kept(guest.match)
    wait_until(lambda: not kept(guest.match), "it is kept")
    assert guest.snapshot()["view"]["pieces"]


def test_only_clients_that_ask_for_patches_receive_them(server: LiveServer) -> None:
    guest = server.create_match()
    with guest.connect(changes=True) as quick, guest.connect() as plain:
        picture = quick.receive()["snapshot"]
        assert plain.receive()["snapshot"] == picture
        for token in ("Pnw", "Pw", "Pne"):
            guest.do("play", token=token)
            told, whole = quick.receive(), plain.receive()
            assert (told["type"], whole["type"]) == ("change", "update")
            assert told["seq"] == whole["seq"]
            picture = apply_patch(picture, told["changes"])
            assert picture == whole["snapshot"] == guest.snapshot()
        # With other seats it is another picture.
        quick.send(type="hello", tokens=guest.tokens[:1], changes=True)
        picture = quick.receive()["snapshot"]
        guest.do("undo")
        picture = apply_patch(picture, quick.receive()["changes"])
        assert picture == guest.only(0).snapshot()


def test_whose_session_has_ended_sees_what_others_see_from_then_on(server: LiveServer) -> None:
    with signed_up_player(server) as ada:
        made = ada.begin(seats=HOT_SEAT)
        guest = Player(server, made["match"], made["tokens"])
        session = Player(server, guest.match, [ada.http.cookies["tavola-session"]])
        # There is a picture of no seats already, which could be taken for the one that she has.
        with (
            session.connect(changes=True) as hers,
            guest.spectator().connect(changes=True) as watching,
        ):
            assert hers.receive()["snapshot"] != watching.receive()["snapshot"]
            ada.http.post("/api/account/sign-out")
            hers.send(type="say", seat=0, text="still me")
            assert hers.receive_until("refused")["error"]["code"] == "not-your-seat"
            guest.do("play", token="Pnw")
            picture = hers.receive()["snapshot"]
            assert picture == guest.spectator().snapshot()
            assert watching.receive()["type"] == "change"
            guest.do("play", token="Pw")
            picture = apply_patch(picture, hers.receive()["changes"])
            assert picture == guest.spectator().snapshot()


def test_each_player_has_their_own_board_before_them() -> None:
    match = Match(header(tavola.load("montana"), "5e" * 32, contribute=False))
    acting = set()
    for _ in game_of(match, random.Random(1), 20):
        acting.add(match.acting)
        for seat in (0, 1):
            shown = json.loads(encode(snapshot.full_snapshot(match, frozenset({seat}))))
            labels = [one["label"] for one in shown["view"]["areas"] if one["id"] == "hand-goods"]
            assert labels == [
                {"key": "area.hand-goods", "params": {"seat": {"key": f"seat.{seat}"}}}
            ]
    assert acting >= {0, 1}
