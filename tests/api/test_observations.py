"""Observations and symmetries: arrays of every game, in every layout and data type."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

import tavola
from tests.api.test_ids import GAMES, random_states
from tests.profiles import sized

Layout = Literal["planes", "flat"]
LAYOUTS: tuple[Layout, ...] = ("planes", "flat")


@pytest.mark.parametrize("name", tavola.games())
def test_a_game_describes_its_planes(name: str) -> None:
    space = tavola.load(name).observation_space
    rows, columns = space.board
    assert space.shape() == (len(space.planes), rows, columns)
    kinds = [plane.kind for plane in space.planes]
    assert kinds == sorted(kinds)
    assert space.shape("flat") == (kinds.count("cell") * rows * columns + kinds.count("scalar"),)
    assert len({plane.name for plane in space.planes}) == len(space.planes)
    assert all(plane.high >= 1 and plane.about.endswith(".") for plane in space.planes)
    assert [int(plane.max()) for plane in space.high()] == [plane.high for plane in space.planes]
    assert space.high("flat").shape == space.shape("flat")
    for value in (space, space.planes[0], *tavola.load(name).symmetries):
        again: Any = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)


@pytest.mark.parametrize("name", tavola.games())
@pytest.mark.sized
def test_layouts_and_data_types_agree(name: str) -> None:
    games = [game for game in GAMES if game.name == name]
    for seed in range(sized(2, 20, 200)):
        game = games[seed % len(games)]
        space, rng = game.observation_space, random.Random(seed)
        cell_planes = [plane.kind for plane in space.planes].count("cell")
        cells = space.board[0] * space.board[1]
        for state in random_states(game, seed):
            seat = rng.randrange(game.seats)
            planes = state.observation(seat, dtype=np.uint8)
            flat = state.observation(seat, "flat", dtype=np.uint8)
            assert (planes.shape, flat.shape) == (space.shape(), space.shape("flat"))
            assert (planes <= space.high()).all()
            assert np.array_equal(planes[:cell_planes].ravel(), flat[: cell_planes * cells])
            for plane, value in zip(planes[cell_planes:], flat[cell_planes * cells :], strict=True):
                assert (plane == value).all()
            for layout, values in zip(LAYOUTS, (planes, flat), strict=True):
                floats = state.observation(seat, layout)
                high = space.high(layout).astype(np.float32)
                assert floats.dtype == np.float32
                assert np.array_equal(floats, values / high)
                for wanted in (values, floats):
                    out = np.full_like(wanted, 77)
                    given = state.observation(seat, layout, out=out)
                    assert given is out
                    assert np.array_equal(out, wanted)
            if state.to_act not in (None, tavola.CHANCE):
                own = state.observation(state.to_act)
                assert np.array_equal(state.observation(), own)


@pytest.mark.parametrize("game", GAMES[:: sized(7, 1, 1)], ids=repr)
def test_symmetries_map_states_observations_and_masks(game: tavola.Game) -> None:
    symmetries = game.symmetries
    assert symmetries[0].name == "identity"
    assert len({symmetry.name for symmetry in symmetries}) == len(symmetries)
    state = random.Random(3).choice(list(random_states(game, 3))[:-1])
    for symmetry in symmetries:
        image = symmetry.state(state)
        assert symmetry.cells.shape == (np.prod(game.observation_space.board),)
        for layout in LAYOUTS:
            batch = np.stack([state.observation(seat, layout) for seat in range(game.seats)])
            wanted = [image.observation(seat, layout) for seat in range(game.seats)]
            assert np.array_equal(symmetry.observation(batch, layout), wanted)
        assert np.array_equal(symmetry.policy(state.mask()), image.mask())
        images = [symmetry.action(int(action)) for action in state.legal_ids]
        assert sorted(images) == list(image.legal_ids)
        for action, other in zip(state.legal_ids[:3], images, strict=False):
            assert image.play_id(other) == symmetry.state(state.play_id(action))


def test_a_wrong_argument_is_told_what_is_expected() -> None:
    game = tavola.load("potlatch")
    state: Any = game.start()
    space: Any = game.observation_space
    turned: Any = game.symmetries[1]
    out = np.zeros((18, 10, 10), np.float32)
    calls: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: state.observation(2), "seat must be 0 to 1, not 2"),
        (lambda: state.observation(-1), "seat must be 0 to 1, not -1"),
        (lambda: state.observation(layout="rows"), 'layout must be "planes" or "flat", not "rows"'),
        (lambda: state.observation(dtype=np.float64), "dtype must be numpy.float32 or numpy.uint8"),
        (lambda: state.observation(dtype="number"), "dtype must be numpy.float32 or numpy.uint8"),
        (lambda: state.observation(out=out[:17]), r"with shape \(18, 10, 10\), not of float32"),
        (lambda: state.observation(dtype=np.uint8, out=out), r"array \(uint8\) with shape"),
        (lambda: state.observation(out=out.astype(">f4")), "native byte order"),
        (lambda: state.observation(out=[0.0]), "not list"),
        (lambda: space.shape("rows"), "layout must be"),
        (lambda: turned.policy([1, 0]), r"the last dimension must be 12, not \[2\]"),
        (lambda: turned.observation(out, "flat"), r"the last dimensions must be \[1305\]"),
        (lambda: turned.action(12), "action ids of potlatch are 0 to 11, not 12"),
        (lambda: turned.state(tavola.load("proteus").start()), "of another game"),
    )
    for call, wanted in calls:
        with pytest.raises((TypeError, ValueError, IndexError), match=wanted):
            call()
    assert not out.any()
