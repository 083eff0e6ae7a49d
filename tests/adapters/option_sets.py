"""Games with options for the suites of other frameworks: a few in `make test`, all in CI."""

from __future__ import annotations

import pytest

import tavola
from tests.profiles import sized
from tests.references import combinations

NAMES = tavola.games()
"""The compiled games, without those that other tests load later."""

ALL = [tavola.load(name, **options) for name in NAMES for options in combinations(name)]
MOST_SEATS = max(ALL, key=lambda game: game.seats)
_PER_GAME = sized(quick=2, ci=len(ALL), nightly=len(ALL))


def _chosen() -> list[tavola.Game]:
    """The default options of each game, its last ones, and as many between as the profile says."""
    chosen = []
    for name in NAMES:
        of_game = [game for game in ALL if game.name == name]
        inner = of_game[1:-1][: _PER_GAME - 2]
        chosen += [of_game[0], *inner, of_game[-1]]
    return chosen


def text(game: tavola.Game) -> str:
    """A game with its options as the name of a test."""
    return " ".join([game.name, *(f"{name}={value}" for name, value in game.options.items())])


every_option_set = pytest.mark.parametrize("game", _chosen(), ids=text)
one_of_each_game = pytest.mark.parametrize("name", NAMES)
