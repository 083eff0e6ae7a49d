"""The changes of the Live page: a reader that applies them holds what a new one receives."""

from __future__ import annotations

import json
import random

import pytest
from msgspec import Raw

import tavola
from tavola._core import LazyView
from tavola.server.schema.responses import SeatInfo
from tavola.server.schema.watch import LiveBoard
from tavola.server.watch.watch import KEPT_CHANGES, Screen
from tests.server.live_server import Json, apply_patch


class Match:
    """A match of random actions on the page."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.name = name
        self._chance = chance
        self._match = tavola.Match(tavola.load(name.split()[0]), seed=1)
        self.seq = 0
        self.view = self._view()

    def _view(self) -> LazyView:
        return self._match.state.lazy_view(None).without_actions()

    def play(self) -> None:
        """Play an action, if the game is not over."""
        if self._match.state.to_act is not None:
            self._match.play(self._chance.choice(self._match.state.legal_actions))
            self.seq += 1
            self.view = self._view()

    @property
    def board(self) -> LiveBoard:
        seats = tuple(SeatInfo(seat, "person", self.name, False) for seat in (0, 1))
        acting = self._match.state.to_act
        return LiveBoard(self.name, "g", self.seq, seats, acting, acting is None, 0, 0)


def read(messages: list[Raw], had: Json) -> Json:
    """The boards and views after messages, as docs/reference/server-api.md describes."""
    for message in map(json.loads, map(bytes, messages)):
        had = message if message["type"] == "live" else apply_patch(had, message["changes"])
        had = {
            "boards": had["boards"],
            "views": {one["match"]: had["views"][one["match"]] for one in had["boards"]},
        }
    return had


def show(screen: Screen, matches: list[Match]) -> None:
    screen.show(
        tuple(match.board for match in matches), {match.name: match.view for match in matches}
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_readers_hold_the_same_as_boards_move_come_and_leave(seed: int) -> None:
    chance = random.Random(seed)
    matches = [Match(f"{game} {number}", chance) for game in tavola.games() for number in (1, 2)]
    screen = Screen(None)
    versions: list[int] = [0, 0]
    had: list[Json] = [{}, {}]
    shown = matches[:4]
    for _ in range(60):
        for match in matches:
            if chance.random() < 0.7:
                match.play()
        if chance.random() < 0.3:
            shown = chance.sample(matches, chance.randrange(len(matches)))
        show(screen, shown)
        for reader, misses in enumerate((0.0, 0.6)):
            if chance.random() >= misses:
                had[reader] = read(screen.messages_since(versions[reader]), had[reader])
                versions[reader] = screen.version
                assert had[reader] == read(screen.messages_since(0), {})


def test_a_change_has_only_what_changed() -> None:
    chance = random.Random(1)
    matches = [Match(f"potlatch {number}", chance) for number in range(12)]
    screen = Screen(None)
    show(screen, matches)
    [whole] = screen.messages_since(0)
    matches[3].play()
    show(screen, matches)
    [change] = screen.messages_since(1)
    changes = json.loads(bytes(change))["changes"]
    assert changes["boards"].keys() == {"3"}
    assert changes["boards"]["3"]["seq"] == [1]
    assert changes["views"].keys() == {"potlatch 3"}
    assert 10 * len(bytes(change)) < len(bytes(whole))
    # Nothing new: no message.
    show(screen, matches)
    assert screen.version == 2


def test_a_reader_that_was_long_behind_receives_all_boards() -> None:
    match = Match("potlatch", random.Random(1))
    screen = Screen(None)
    for _ in range(KEPT_CHANGES + 2):
        show(screen, [match])
        match.play()
    types = [
        [json.loads(bytes(message))["type"] for message in screen.messages_since(version)]
        for version in (1, 2, screen.version - 1)
    ]
    assert types == [["live"], ["change"] * KEPT_CHANGES, ["change"]]
