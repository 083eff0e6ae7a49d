from __future__ import annotations

import pytest

from tavola.executors import ProcessExecutor
from tavola.tournament import Schedule, Sprt
from tavola.train.gate import Player, play_schedule, score_network
from tavola.train.history import Score
from tests.train.plans import tiny


def a_schedule(
    game: str = "potlatch", engines: int = 2, games: int = 20, **options: int
) -> Schedule:
    loaded = tiny(game=game, options=options).load()
    names = tuple(map(str, range(engines)))
    return Schedule(game=game, options=loaded.options, engines=names, games=games, plies=4, seed=1)


def test_the_games_of_a_group_share_opening_and_chance() -> None:
    """Equal deterministic players get exactly equal shares in each group."""
    groups: dict[int, float] = {}
    for group, got in play_schedule(a_schedule(games=8), [Player(None, 1)] * 2):
        assert sum(got) == pytest.approx(1)
        groups[group] = groups.get(group, 0.0) + got[0]
    assert len(groups) == 4


def test_a_stronger_player_passes_and_a_weaker_one_does_not() -> None:
    test = Sprt(elo0=0.0, elo1=100.0, alpha=0.1, beta=0.1)
    strong, weak = Player(None, 400), Player(None, 2)
    scores, verdict = score_network(a_schedule(games=60), [strong, weak], test)
    assert verdict is True
    assert scores.mean > 0.7
    assert scores.total < 30
    scores, verdict = score_network(a_schedule(games=60), [weak, strong], test)
    assert verdict is False


@pytest.mark.long
def test_the_scores_do_not_depend_on_the_processes() -> None:
    test = Sprt(elo0=0.0, elo1=100.0, alpha=0.1, beta=0.1)
    players = [Player(None, 40), Player(None, 2)]
    (here, verdict), (there, other) = (
        score_network(a_schedule(games=60), players, test, executor=executor)
        for executor in (None, ProcessExecutor(2))
    )
    assert (Score.of(here, 2), verdict) == (Score.of(there, 2), other)
    assert verdict is True


def test_games_of_three_seats() -> None:
    told: list[int] = []
    schedule = a_schedule("passtally", 3, 3, players=3)
    scores, verdict = score_network(schedule, [Player(None, 2)] * 3, None, tell=told.append)
    assert (scores.total, verdict, told) == (1, None, [1, 2, 3])
