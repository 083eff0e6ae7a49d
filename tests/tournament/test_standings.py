"""The standings say how the first seat fared, and how long games were."""

from __future__ import annotations

import pytest

import tavola
from tavola.tournament import GameResult, Schedule, Standings

GAME = tavola.load(tavola.games()[-1])


def result(number: int, first: float, actions: int, forfeit: int | None = None) -> GameResult:
    return GameResult(
        number=number,
        shares=(first, 1.0 - first),
        ending="",
        forfeit=forfeit,
        record=f'[Round "{number}"]\n[Actions "{actions}"]\n\n',
    )


def standings() -> Standings:
    schedule = Schedule(
        game=GAME.name, options=GAME.options, engines=("a", "b"), games=6, plies=2, seed=0
    )
    return Standings(schedule)


def test_the_first_seat_and_lengths_without_forfeited_games() -> None:
    found = standings()
    games = [(1, 1.0, 10), (2, 1.0, 20), (3, 1.0, 12), (4, 0.0, 30)]
    found.add_all(result(*game) for game in games)
    found.add(result(5, 0.0, 2, forfeit=0))
    seat, lengths = found.first_seat, found.lengths
    assert seat.value == pytest.approx(0.75)
    assert seat.count == 2
    assert seat.low < 0.75 < seat.high
    assert lengths is not None
    assert (lengths.mean, lengths.median) == (18, 16)
    assert (lengths.shortest, lengths.longest) == (10, 30)
    assert b'"first_seat"' in found.summary()


def test_without_games_there_are_no_lengths() -> None:
    assert standings().lengths is None
