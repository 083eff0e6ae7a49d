"""Targets by perfect play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tavola
from tavola.train import self_play
from tavola.train.plan import Plan
from tavola.train.samples import Round
from tavola.train.self_play import play_round, with_solved_ends
from tests.train.plans import tiny

KADON = tavola.load("proteus", rules="kadon")

Known = tuple[list[float], list[int]]


class Solved:
    """Perfect play in the positions with an even number of actions: the second seat wins."""

    def _solved_actions(self, state: tavola.State) -> Known | None:
        ids = state.legal_ids.tolist()
        return None if len(ids) % 2 else ([0.0, 1.0], [*ids[:2]])


def played(plan: Plan, solved: object | None) -> Round:
    playing = self_play._Playing(plan, 0, range(plan.games), None, False, solved)  # type: ignore[arg-type]
    found = playing.run(tavola.Stop())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def rounds() -> tuple[Round, Round]:
    """The same games without and with a solution."""
    return played(tiny(), None), played(tiny(), Solved())


def test_a_solution_gives_the_targets_of_the_positions_that_it_knows(
    rounds: tuple[Round, Round],
) -> None:
    usual, exact = (one.samples for one in rounds)
    sizes = np.diff(exact.offsets)
    policies = exact.policies(np.arange(exact.total), 12).policies
    known = sizes % 2 == 0
    assert 10 < known.sum() < exact.total - 10
    # Shares begin with the seat to act, and the second seat wins.
    assert set(map(tuple, exact.shares[known].tolist())) == {(0.0, 1.0), (1.0, 0.0)}
    assert np.array_equal(exact.roots[known], exact.shares[known])
    assert set(policies[known].sum(axis=1)) == {1.0}
    assert set(policies[known].ravel()) == {0.0, 0.5}
    # The search chooses the same actions, and its targets stay where nothing is known.
    assert np.array_equal(exact.observations, usual.observations)
    assert np.array_equal(exact.roots[~known], usual.roots[~known])
    unknown = np.repeat(~known, sizes)
    assert np.array_equal(exact.policy[unknown], usual.policy[unknown])


def test_positions_before_a_known_one_have_its_shares(rounds: tuple[Round, Round]) -> None:
    usual, exact = (one.samples for one in rounds)
    known = np.diff(exact.offsets) % 2 == 0
    for game in np.unique(exact.games):
        of_game = exact.games == game
        last = int(np.flatnonzero(of_game & known)[-1])
        before = np.flatnonzero(of_game)[np.flatnonzero(of_game) <= last]
        assert set(exact.shares[before].ravel()) == {0.0, 1.0}
        after = np.flatnonzero(of_game)[np.flatnonzero(of_game) > last]
        assert np.array_equal(exact.shares[after], usual.shares[after])


def test_without_a_solution_no_position_has_shares_of_its_own() -> None:
    positions = [
        self_play.record(tiny(), state, np.ones(5, np.float32), np.ones(2, np.float32))
        for state in [tiny().load().start()] * 2
    ]
    assert [one.shares for one in with_solved_ends(positions)] == [None, None]


def test_the_first_placements_are_known_without_a_file() -> None:
    known = KADON._solved_actions(KADON.start())
    assert known is not None
    shares, best = known
    assert shares == [0.5, 0.5]
    lost = {KADON.actions[one] for one in set(KADON.start().legal_ids.tolist()) - set(best)}
    assert lost == {"Bc@b2", "Bt@a1", "Bt@c1", "Bt@b2", "Bt@a3", "Bt@c3", "Ys@b2", "Yt@b2"}
    assert KADON._solved_actions(KADON.start().play("Bc@b2")) is None
    assert KADON._solved_actions(tavola.load("potlatch").start()) is None


def test_a_file_that_is_no_solution_ends_the_round(tmp_path: Path) -> None:
    plan = tiny(game="proteus", options=KADON.options)
    with pytest.raises(tavola.SolutionError, match="there is no solution"):
        play_round(plan, 0, None, solution=tmp_path / "file")
