"""The search methods: tree search and alpha-beta."""

import pytest

import tavola
from tavola.errors import EngineError


def opening(state: tavola.State, method: str) -> tavola.Analysis:
    return tavola.search(state, method=method, nodes=3000, threads=1)


@pytest.fixture(scope="module")
def potlatch() -> tavola.Game:
    return tavola.load("potlatch")


def test_alpha_beta_says_what_is_exact_and_what_is_a_bound(potlatch: tavola.Game) -> None:
    state = potlatch.start()
    analysis = opening(state, "alphabeta")
    assert analysis.nodes == 3000
    assert {line.action for line in analysis.lines} == set(state.legal_actions)
    best = analysis.lines[0]
    assert best.action == analysis.best == best.variation[0]
    assert len(best.variation) > 2
    for line in analysis.lines:
        assert sum(line.shares) == pytest.approx(1)
        for share, (low, high) in zip(line.shares, line.intervals, strict=True):
            assert 0 <= low <= share <= high <= 1
    seat = state.to_act
    assert seat is not None
    refuted = [line for line in analysis.lines if line.intervals[seat] == (0, line.shares[seat])]
    assert refuted, "others were the best before, and have kept their value"
    assert best not in refuted


def test_the_same_nodes_give_the_same_lines(potlatch: tavola.Game) -> None:
    state = potlatch.start()
    one, other = (opening(state, "alphabeta") for _ in range(2))
    assert [(line.action, line.shares, line.visits) for line in one.lines] == [
        (line.action, line.shares, line.visits) for line in other.lines
    ]


def test_a_depth_is_a_limit_of_its_own(potlatch: tavola.Game) -> None:
    state = potlatch.start()
    shallow = tavola.search(state, depth=2, threads=1)
    deep = tavola.search(state, depth=4, threads=1)
    assert shallow.nodes < deep.nodes < 3000
    assert shallow.nodes == tavola.search(state, method="alphabeta", depth=2, threads=1).nodes


def test_a_searcher_keeps_its_table(potlatch: tavola.Game) -> None:
    state = potlatch.start()
    searcher = tavola.Searcher(potlatch)
    first = searcher.search(state, method="alphabeta", depth=6, threads=1)
    assert searcher.search(state, method="alphabeta", depth=6, threads=1).nodes != first.nodes
    searcher.forget()
    assert searcher.search(state, method="alphabeta", depth=6, threads=1).nodes == first.nodes


def test_what_does_not_suit_is_refused_with_a_remedy() -> None:
    state = tavola.load("passtally", players=3).start()
    with pytest.raises(ValueError, match="passtally has 3 seats: take the method tree, or auto"):
        tavola.search(state, method="alphabeta", nodes=10)
    with pytest.raises(ValueError, match="3 seats: limit nodes or seconds"):
        tavola.search(state, depth=3)
    with pytest.raises(ValueError, match="not of the tree: limit nodes or seconds"):
        tavola.search(state, method="tree", depth=3)
    with pytest.raises(ValueError, match='unknown method "minimax"; known are auto, tree'):
        tavola.search(state, method="minimax", nodes=10)
    with pytest.raises(EngineError, match="two-player games without chance; use tree or auto"):
        tavola.engine("alphabeta", state.game)


def test_an_engine_takes_its_depth(potlatch: tavola.Game) -> None:
    state = potlatch.start()
    with tavola.engine("alphabeta:depth=3", potlatch) as engine:
        choice = engine.choose(state)
    assert choice.token in state.legal_actions
    assert choice.info.nodes == tavola.search(state, method="alphabeta", depth=3, threads=1).nodes


@pytest.mark.parametrize(("actions", "method"), [(2, "tree"), (3, "alphabeta")])
def test_auto_is_what_the_games_folder_prefers(actions: int, method: str) -> None:
    state = tavola.load("potlatch", actions=actions).start()
    auto, named = (opening(state, name) for name in ("auto", method))
    assert [(line.action, line.visits) for line in auto.lines] == [
        (line.action, line.visits) for line in named.lines
    ]
