"""The engine `net:file=PATH`: its choices, and the errors of bad files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import tavola
from tavola._core import _EngineSpec
from tavola.engines import Choice, Limits
from tavola.tournament import Schedule
from tavola.train.gate import Player, score_network

GAME = tavola.load("potlatch")
GAMES = Path(__file__).parents[2] / "games"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of a network with random weights."""
    rng = np.random.default_rng(1)
    (inputs,) = GAME.observation_space.shape("flat")
    shapes = {
        "input": (inputs, 8),
        "value": (8, 4),
        "shares": (4, GAME.seats),
        "policy": (8, GAME.action_count),
    }
    weights = {}
    for layer, shape in shapes.items():
        weights[f"{layer}.weight"] = rng.normal(0, 0.5, shape).astype(np.float32)
        weights[f"{layer}.bias"] = np.zeros(shape[1], np.float32)
    path = tmp_path / "best.net"
    path.write_bytes(tavola.Network.from_weights(GAME, weights).to_bytes())
    return path


def test_it_plays_what_the_search_finds(file: Path) -> None:
    text = f"net:file={file},nodes=60,seed=3"
    state = GAME.start().play("Pnw")
    with tavola.engine(text, GAME) as engine:
        first = engine.choose(state)
        engine.new_game()
        again = engine.choose(state)
    assert engine.text == text
    assert first.token == again.token
    assert first.token in state.legal_actions
    assert first.info.nodes in range(1, 61)
    assert first.info.shares is not None
    assert sum(first.info.shares) == pytest.approx(1)


def test_limits_and_a_stop(file: Path) -> None:
    state, stop, told = GAME.start(), tavola.Stop(), list[Choice]()

    def tell(choice: Choice) -> None:
        told.append(choice)
        stop.set()

    with tavola.engine(f"net:file={file}", GAME) as engine:
        assert engine.choose(state, limits=Limits(nodes=9)).info.nodes in range(1, 10)
        with pytest.raises(ValueError, match="does not support a limit of depth"):
            engine.choose(state, limits=Limits(depth=3))
        choice = engine.choose(state, limits=Limits(), stop=stop, tell=tell)
        assert told == [choice]


def test_it_keeps_its_tree_and_proves_forced_results(file: Path) -> None:
    text = f"net:file={file},nodes=300,seed=3"
    with tavola.engine(text, GAME) as engine:
        state = GAME.start().play("Pnw")
        first = engine.choose(state)
        second = engine.choose(state.play(first.token))
        assert second.analysis is not None
        assert sum(line.visits for line in second.analysis.lines) > second.analysis.nodes
        engine.new_game()
        again = engine.choose(state.play(first.token))
        assert again.analysis is not None
        assert sum(line.visits for line in again.analysis.lines) <= 300
        while state.outcome is None:
            if (proof := tavola.prove(state, 3)) is not None and proof.winner == state.to_act:
                choice = engine.choose(state)
                assert choice.info.proven
            state = state.play(engine.choose(state).token)


def test_it_takes_the_settings_of_a_tree_search(file: Path) -> None:
    text = f"net:file={file},nodes=200,threads=2,lookahead=0,blunders=0.5,contempt=0.2,memory=8"
    with tavola.engine(text, GAME) as engine:
        state = GAME.start()
        assert engine.choose(state).token in state.legal_actions


def test_c_puct_widens_the_search() -> None:
    def most_visited(c_puct: float) -> int:
        with tavola.engine(f"net:nodes=400,seed=1,lookahead=0,c_puct={c_puct}", GAME) as engine:
            analysis = engine.choose(GAME.start().play("Pnw")).analysis
        assert analysis is not None
        return max(line.visits for line in analysis.lines)

    assert most_visited(0.1) > most_visited(100)


def test_rollouts_change_the_values_of_the_leaves() -> None:
    state = GAME.start()

    def share(rollouts: float) -> float:
        searched = tavola.search(
            state, nodes=200, threads=1, lookahead=0, evaluate=GAME.network, rollouts=rollouts
        )
        return searched.shares[0]

    shares = [share(0), share(0.5), share(1)]
    assert len(set(shares)) == 3
    assert (
        shares[0]
        == tavola.search(state, nodes=200, threads=1, lookahead=0, evaluate=GAME.network).shares[0]
    )


def test_a_search_uses_the_settings_of_the_network() -> None:
    own = GAME.network
    assert own is not None
    network = tavola.Network.from_weights(
        GAME, own.weights, features=own.features, c_puct=0.5, rollouts=0.5
    )
    network = tavola.Network(network.to_bytes())
    assert (network.c_puct, network.rollouts) == (0.5, 0.5)
    plain = tavola.Network.from_weights(GAME, own.weights, features=own.features)
    assert (plain.c_puct, plain.rollouts) == (None, None)

    def lines(
        network: tavola.Network, c_puct: float | None = None, rollouts: float | None = None
    ) -> list[tuple[int, float]]:
        searched = tavola.search(
            GAME.start().play("Pnw"),
            nodes=300,
            threads=1,
            lookahead=0,
            evaluate=network,
            c_puct=c_puct,
            rollouts=rollouts,
        )
        return [(line.visits, line.shares[0]) for line in searched.lines]

    assert lines(network) == lines(plain, 0.5, 0.5)
    assert lines(network, 1.25, 0) == lines(plain)
    assert lines(network) != lines(plain)

    def policy(network: tavola.Network, c_puct: float | None = None) -> NDArray[np.float32]:
        return tavola.search_batch([GAME.start()], 64, evaluate=network, c_puct=c_puct).policies

    np.testing.assert_array_equal(policy(network), policy(plain, 0.5))


def test_rollouts_need_a_network_and_its_tree() -> None:
    state = GAME.start()
    with pytest.raises(ValueError, match="rollouts needs evaluate"):
        tavola.search(state, nodes=10, rollouts=0.5)
    with pytest.raises(ValueError, match="rollouts"):
        tavola.search(state, nodes=10, evaluate=GAME.network, rollouts=0.5, batch=4)
    with pytest.raises(ValueError, match=r"rollouts must be from 0 to 1, not 1\.5"):
        tavola.search(state, nodes=10, evaluate=GAME.network, rollouts=1.5)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("file=", 'file cannot be "": the path of a file'),
        ("file=nowhere.net", "there is no file 'nowhere.net'"),
        (
            "file=nowhere.net,depth=3",
            'net has no setting "depth"; settings: file, c_puct, rollouts, seconds, nodes, ',
        ),
        ("c_puct=-1", 'c_puct cannot be "-1": a number from 0 to 100'),
        ("rollouts=2", 'rollouts cannot be "2": a number from 0 to 1'),
        ("c_puct=nan", 'c_puct cannot be "nan": a number from 0 to 100'),
    ],
)
def test_bad_settings(settings: str, said: str) -> None:
    with pytest.raises(tavola.EngineError, match=said):
        tavola.engine(f"net:{settings}", GAME)


def test_bad_files(file: Path) -> None:
    said = "the network is for potlatch actions=2 layout=triangle, not for potlatch actions=3"
    with pytest.raises(tavola.EngineError, match=said):
        tavola.engine(f"net:file={file}", tavola.load("potlatch", actions=3))
    content = file.read_bytes()
    for damaged in (b"", content[:-5], content[:-1] + bytes([content[-1] ^ 1]), b"PNG" + content):
        file.write_bytes(damaged)
        with pytest.raises(tavola.EngineError, match=r"best\.net: "):
            tavola.engine(f"net:file={file}", GAME)


@pytest.mark.parametrize("name", tavola.games())
def test_networks_of_the_games_are_for_their_options(name: str) -> None:
    for path in (GAMES / name / "networks").glob("*.net"):
        network = tavola.Network(path.read_bytes())
        assert network.game.name == name
        assert network.game.network is not None
        assert network.game.network.to_bytes() == network.to_bytes()
        assert path.stat().st_size < 1_000_000


def test_the_network_of_a_game_plays_without_a_file() -> None:
    with tavola.engine("net:nodes=40", GAME) as engine:
        assert engine.choose(GAME.start()).info.nodes in range(1, 41)
    other = tavola.load("potlatch", layout="row")
    with pytest.raises(tavola.EngineError, match="no network for potlatch actions=2 layout=row"):
        tavola.engine("net:nodes=40", other)


def test_the_network_of_a_game_is_stronger_than_its_search_at_equal_nodes() -> None:
    schedule = Schedule(
        game=GAME.name,
        options=GAME.options,
        engines=("net", "tree"),
        games=24,
        plies=4,
        seed=1,
    )
    network = GAME.network
    assert network is not None
    scores, _ = score_network(schedule, [Player(network, 100), Player(None, 100)], None)
    assert scores.mean > 0.6


def test_the_top_level_plays_with_the_network_and_classic_does_not() -> None:
    other = tavola.load("potlatch", layout="row")
    *_, top = tavola.levels("potlatch")
    *_, plain = tavola.levels(other)
    assert tavola.levels(GAME)[-1] == top == "net:seconds=1,threads=2"
    assert plain == "auto:seconds=1,threads=2"
    state = GAME.start().play("Pnw")

    def share(name: str) -> float:
        with tavola.engine(name, GAME) as engine:
            assert engine.text == name
            shares = engine.choose(state, limits=Limits(nodes=300)).info.shares
        assert shares is not None
        return shares[0]

    top_share, network, classic, tree = map(
        share, ("level:8", "net:nodes=1,seed=0", "classic", "tree:nodes=1,seed=0")
    )
    assert abs(top_share - network) < abs(top_share - tree)
    assert abs(classic - tree) < abs(classic - network)
    with tavola.engine("level:8", other) as engine:
        state = other.start()
        assert engine.choose(state, limits=Limits(nodes=9)).token in state.legal_actions


@pytest.mark.parametrize("name", tavola.games())
def test_classic_is_the_last_level_of_a_game_without_a_network(name: str) -> None:
    if tavola.load(name).network is None:
        assert tavola.levels(name)[-1] == str(_EngineSpec("classic", tavola.load(name)))
