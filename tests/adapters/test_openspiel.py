"""OpenSpiel's own suite and algorithms on every game, and the agreement with Tavola."""

from __future__ import annotations

import pickle
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import minimax
from open_spiel.python.observation import make_observation

import tavola
from tavola.adapters import openspiel
from tavola.adapters.observing import observe
from tests.adapters.option_sets import ALL, NAMES, every_option_set, one_of_each_game
from tests.profiles import sized


def parameters(game: tavola.Game) -> dict[str, Any]:
    """The options of a game as parameters."""
    return {
        option: str(value) if isinstance(default, str) else value
        for option, value in game.options.items()
        for default in [openspiel.game_type(game.name).parameter_specification[option]]
    }


def load(game: tavola.Game) -> Any:
    return pyspiel.load_game(f"tavola_{game.name}", parameters(game))


def start(game: Any, seed: int = 1) -> Any:
    """The first state in which a player acts."""
    rng, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choices(outcomes, weights)[0])
    return state


def mcts(game: Any, simulations: int) -> Any:
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    return pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 100, False, 1, False)


@pytest.mark.sized
@every_option_set
def test_its_own_random_sim_test_passes(game: tavola.Game) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.sized
@every_option_set
def test_it_has_the_states_of_tavola(game: tavola.Game) -> None:
    loaded, rng = load(game), random.Random(5)
    assert loaded.num_players() == game.seats
    assert loaded.num_distinct_actions() == game.action_count
    theirs, ours = loaded.new_initial_state(), game.start()
    while not ours.is_terminal:
        assert str(theirs) == ours.text
        if ours.to_act == tavola.CHANCE:
            assert theirs.is_chance_node()
            total = sum(weight for _, weight in ours.chance_outcomes)
            exact = {token: Fraction(weight, total) for token, weight in ours.chance_outcomes}
            outcomes = theirs.chance_outcomes()
            given = {theirs.action_to_string(-1, chance): p for chance, p in outcomes}
            assert given == {token: float(chance) for token, chance in exact.items()}
            action = rng.choice(outcomes)[0]
        else:
            assert theirs.current_player() == ours.to_act
            legal = theirs.legal_actions()
            assert [theirs.action_to_string(action) for action in legal] == list(ours.legal_actions)
            assert (np.array(theirs.legal_actions_mask(), bool) == ours.mask()).all()
            action = rng.choice(legal)
        ours = ours.play(theirs.action_to_string(theirs.current_player(), action))
        theirs.apply_action(action)
    assert theirs.is_terminal()
    assert theirs.current_player() == pyspiel.PlayerId.TERMINAL
    assert tuple(theirs.returns()) == ours.returns


@pytest.mark.parametrize("game", ALL, ids=repr)
def test_the_text_of_a_game_loads_it_with_its_options(game: tavola.Game) -> None:
    loaded = load(game)
    assert loaded.game == game
    again = pyspiel.load_game(str(loaded))
    assert again.game == game
    assert str(again) == str(loaded)


@one_of_each_game
def test_a_state_is_serialized_with_its_history(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state = start(game)
    state.apply_action(state.legal_actions()[0])
    text = pyspiel.serialize_game_and_state(game, state)
    _, restored = pyspiel.deserialize_game_and_state(text)
    for copy in (restored, state.clone(), pickle.loads(pickle.dumps(state))):
        assert copy.state == state.state
        assert copy.history() == state.history()
        assert copy.legal_actions() == state.legal_actions()
    assert pickle.loads(pickle.dumps(game)).game == tavola.load(name)


@one_of_each_game
def test_a_clone_goes_its_own_way(name: str) -> None:
    state = start(pyspiel.load_game(f"tavola_{name}"))
    before = str(state)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(state) == before != str(clone)


@one_of_each_game
def test_a_game_starts_from_a_position(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state = start(game)
    assert game.new_initial_state(str(state)).state == state.state
    with pytest.raises(tavola.PositionError):
        game.new_initial_state("nonsense")


@one_of_each_game
def test_observations_are_those_of_tavola_from_every_seat(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state = start(game)
    observation = make_observation(game)
    for seat in range(game.num_players()):
        expected = observe(state.state, seat, layout="planes", dtype="float32")
        assert game.observation_tensor_shape() == list(expected.shape)
        assert state.observation_tensor(seat) == expected.reshape(-1).tolist()
        observation.set_from(state, seat)
        assert (observation.dict["observation"] == expected).all()
        assert observation.string_from(state, seat) == state.state.text
    flat = make_observation(game, params={"layout": "flat"})
    flat.set_from(state, 0)
    assert (flat.tensor == observe(state.state, 0, layout="flat", dtype="float32")).all()
    with pytest.raises(ValueError, match="known: layout"):
        make_observation(game, params={"colour": "red"})


@one_of_each_game
def test_an_illegal_action_is_an_error_and_changes_nothing(name: str) -> None:
    state = start(pyspiel.load_game(f"tavola_{name}"))
    before, history = str(state), state.history()
    mask = state.legal_actions_mask()
    with pytest.raises(tavola.IllegalAction):
        state.apply_action(mask.index(0))
    with pytest.raises(IndexError):
        state.apply_action(len(mask))
    assert (str(state), state.history()) == (before, history)


def test_a_wrong_option_names_the_valid_ones() -> None:
    for name in NAMES:
        specification = openspiel.game_type(name).parameter_specification
        with pytest.raises(pyspiel.SpielError, match="Available parameters are"):
            pyspiel.load_game(f"tavola_{name}", {"colour": "red"})
        for option, default in specification.items():
            wrong = 99 if isinstance(default, int) else "wrong"
            with pytest.raises(tavola.OptionError, match="valid options"):
                pyspiel.load_game(f"tavola_{name}", {option: wrong})


@one_of_each_game
def test_its_tree_search_in_cpp_plays(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state = start(game)
    for _ in range(sized(quick=2, ci=10, nightly=1000)):
        if state.is_terminal():
            break
        state.apply_action(mcts(game, simulations=10).step(state))
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])


@one_of_each_game
def test_its_tree_search_finds_a_win_in_one(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state, winning = _before_a_win(game)
    found = mcts(game, simulations=400).step(state)
    child = state.child(found)
    assert child.is_terminal()
    assert child.returns() == state.child(winning).returns()


def _before_a_win(game: Any) -> tuple[Any, int]:
    """A state with few actions of which one wins, and that action."""
    rng = random.Random(2)
    while True:
        state = start(game, seed=rng.randrange(1000))
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                action = rng.choice(state.legal_actions())
                seat, few = state.current_player(), len(state.legal_actions()) < 40
                child = state.child(action)
                if few and child.is_terminal() and child.returns()[seat] == 1.0:
                    return state, action
            state.apply_action(action)


@pytest.mark.parametrize("name", [name for name in NAMES if not tavola.load(name).has_chance])
def test_its_minimax_agrees_with_a_proof(name: str) -> None:
    game = pyspiel.load_game(f"tavola_{name}")
    state, winning = _before_a_win(game)
    value, action = minimax.alpha_beta_search(
        game,
        state=state,
        value_function=lambda leaf: 0.0,
        maximum_depth=2,
        maximizing_player_id=state.current_player(),
    )
    assert value == 1.0
    assert state.child(action).returns() == state.child(winning).returns()
    proof = tavola.prove(state.state, 1)
    assert proof is not None
    assert proof.winner == state.current_player()


def test_registering_again_changes_nothing() -> None:
    names = pyspiel.registered_names()
    openspiel.register()
    assert pyspiel.registered_names() == names
    assert {f"tavola_{name}" for name in NAMES} <= set(names)
