"""The loop of self-play: which matches are played on, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import tavola
from tavola.self_play import play_out


def first(playing: Sequence[tavola.Match]) -> list[str]:
    return [match.state.legal_actions[0] for match in playing]


def matches(*games: str) -> list[tavola.Match]:
    return [tavola.Match(tavola.load(game), seed=1) for game in games]


def test_every_match_is_played_to_its_own_end() -> None:
    played = matches("potlatch", "montana")
    assert play_out(played, first, tavola.Stop())
    assert all(match.state.is_terminal for match in played)
    assert len(played[0].actions) != len(played[1].actions)


def test_long_matches_stay_unfinished_and_others_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.self_play.MAX_ACTIONS", 4)
    long, early = matches("potlatch", "potlatch")
    over = tavola.Stop()
    assert play_out([long, early], first, over, lambda match: match is early)
    assert (len(long.actions), len(early.actions)) == (4, 0)
    over.set()
    assert not play_out([early], first, over)
    assert early.actions == ()
