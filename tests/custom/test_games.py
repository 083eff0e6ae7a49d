"""Games written in Python play wherever compiled games play."""

from __future__ import annotations

import json
import pickle
import random
import re
from pathlib import Path

import numpy as np
import pytest

import tavola
from tavola import view as views
from tavola.custom import check
from tavola.server import games as described
from tests.custom.toys import Hexes, Race
from tests.profiles import sized

EXAMPLE = Path(__file__).parents[2] / "docs/examples/einstein.py"
TUTORIAL = EXAMPLE.parents[1] / "tutorials/python-game.md"
NAMES = ("einstein", "hexes", "race")


@pytest.fixture(autouse=True)
def registered() -> None:
    tavola.load(str(EXAMPLE))
    tavola.register(Hexes)
    tavola.register(Race)


def random_match(name: str, seed: int) -> tavola.Match:
    match, generator = tavola.Match(tavola.load(name), seed=seed), random.Random(seed)
    while match.state.to_act is not None:
        match.play(generator.choice(match.state.legal_actions))
    return match


def test_the_example_is_short_and_the_tutorial_contains_all_of_it() -> None:
    source, page = EXAMPLE.read_text("utf-8"), TUTORIAL.read_text("utf-8")
    assert len(source.splitlines()) < 100
    blocks = re.findall(r"^```python\n(?!>>>)(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert "".join("".join(blocks).split()) == "".join(source.split())


@pytest.mark.parametrize("rules", [EXAMPLE, Hexes, Race])
def test_good_rules_keep_the_contract(rules: type | Path) -> None:
    report = check(rules, games=sized(4, 40, 1000))
    assert report.breaches == ()
    assert report.states > 10


@pytest.mark.parametrize("name", NAMES)
def test_texts_records_and_pickles_read_back(name: str) -> None:
    match = random_match(name, seed=1)
    (record,) = tavola.read_records(match.record)
    states = list(record.states())
    assert states == list(match.states)
    for state in states:
        assert state.game.parse(state.text) == state == pickle.loads(pickle.dumps(state))
        assert state.key == state.game.parse(state.text).key
    assert sum(states[-1].returns or (1,)) == pytest.approx(0)


@pytest.mark.parametrize("name", NAMES)
def test_views_show_the_actions_and_events_lead_to_the_next_view(name: str) -> None:
    match = random_match(name, seed=2)
    for state, token in zip(match.states, match.actions, strict=False):
        view = views.view(state, None)
        assert [action.token for action in view.actions] == list(state.legal_actions)
        cells = {cell.id for area in view.areas for cell in area.cells}
        assert {piece.cell for piece in view.pieces} <= cells
        pieces = {piece.id: piece for piece in view.pieces}
        for event in views.events(state, token):
            change = event.change
            if change.type in ("moved", "removed"):
                assert change.id is not None
                del pieces[change.id]
            if change.type in ("moved", "placed"):
                assert change.piece is not None
                assert change.piece.id not in pieces
                pieces[change.piece.id] = change.piece
        after = views.view(state.play(token), None)
        assert pieces == {piece.id: piece for piece in after.pieces}
        assert state._repr_svg_().startswith("<svg")


def test_a_game_names_the_cells_that_decided_it() -> None:
    *_, last = random_match("hexes", seed=3).states
    view = views.view(last, None)
    assert view.outcome is not None
    (winner,) = view.outcome.winners
    own = tuple(piece.cell for piece in view.pieces if piece.owner == winner)
    assert view.outcome.decisive.cells == own
    assert view.outcome.decisive.lines == ()


@pytest.mark.parametrize("name", NAMES)
def test_every_text_exists_in_both_languages(name: str) -> None:
    match = random_match(name, seed=3)
    info = described.info(name)
    assert set(info.words["en"]) == set(info.words["ja"])
    for state in match.states:
        view = views.view(state, None)
        texts = [view.prompt, *(action.label for action in view.actions)]
        texts += [piece.label for piece in view.pieces] + [seat.name for seat in view.seats]
        if view.outcome is not None:
            texts.append(view.outcome.text)
        for language in ("en", "ja"):
            assert not [
                text for text in texts if "⟨" in described.format_text(name, language, text)
            ]


@pytest.mark.parametrize("name", NAMES)
def test_searches_playouts_and_counts_agree_with_the_rules(name: str) -> None:
    game = tavola.load(name)
    state = game.start()
    while state.to_act == tavola.CHANCE:
        state = state.play(state.chance_outcomes[0][0])
    one = tavola.search(state, nodes=200, threads=1, seed=1)
    assert one.best in state.legal_actions
    again = tavola.search(state, nodes=200, threads=1, seed=1)
    assert [line.shares for line in one.lines] == [line.shares for line in again.lines]
    assert tavola.search(state, nodes=100, threads=2).best in state.legal_actions
    assert tavola.perft(state, 1) == len(state.legal_actions)
    assert tavola.playouts(state, 20, threads=2).count == 20
    searcher = tavola.Searcher(game)
    assert searcher.search(state, nodes=50, threads=1).best in state.legal_actions


def test_a_search_finds_the_win_in_one() -> None:
    state = tavola.load("hexes").parse("x.ox.o...")
    assert tavola.search(state, nodes=200, threads=1).best == "a3"
    assert tavola.search(state, depth=2, threads=1).best == "a3"
    proof = tavola.prove(state, 1)
    assert proof is not None
    assert proof.winner == 0


def equal(batch: tavola.LeafBatch) -> tuple[np.ndarray, np.ndarray]:
    shape, seats = batch.masks.shape, batch.game.seats
    return np.ones(shape), np.full((len(batch), seats), 1 / seats)


@pytest.mark.parametrize("name", NAMES)
def test_functions_evaluate_the_positions(name: str) -> None:
    state = tavola.load(name).start()
    while state.to_act == tavola.CHANCE:
        state = state.play(state.chance_outcomes[0][0])
    analysis = tavola.search(state, nodes=60, evaluate=equal, batch=8)
    assert analysis.best in state.legal_actions
    targets = tavola.search_batch([state] * 3, nodes=20, evaluate=equal)
    assert targets.policies.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-5)


def test_environments_have_ids_masks_and_observations() -> None:
    game = tavola.load("hexes")
    state = game.start().play("b2")
    assert [game.actions[number] for number in state.legal_ids] == list(state.legal_actions)
    assert state.mask().sum() == 8
    assert tavola.load("race").chance_tokens == ("*1", "*3")
    vector = tavola.vector(tavola.load("race"), 5, seed=1)
    for _ in range(20):
        vector.step(vector.random_ids())
    assert vector.masks.shape == (5, 2)
    assert set(vector.to_act) <= {0, 1, 2}


def test_engines_of_all_levels_play() -> None:
    state = tavola.load("hexes").parse("x.ox.o...")
    assert len(tavola.levels("hexes")) == 8
    for number in (1, 7):
        choice = tavola.engine(f"level:{number}", state.game).choose(state)
        assert choice.token in state.legal_actions


def test_a_prior_needs_an_evaluation() -> None:
    with pytest.raises(tavola.EngineError, match="has no evaluation of positions"):
        tavola.engine("tree:prior=4", "hexes")


def test_refusals_are_the_rules_own_or_general_ones() -> None:
    state = tavola.load("hexes").start().play("b2")
    with pytest.raises(tavola.IllegalAction, match="This hex is taken"):
        state.play("b2")
    with pytest.raises(tavola.IllegalAction, match="unknown token for hexes"):
        state.play("z9")
    with pytest.raises(tavola.PositionError, match="expected 9 of x, o and"):
        state.game.parse("x")
    refusal = json.loads(state.touch_refusal_json(["b2"]) or "null")
    assert refusal == {"text": {"key": "taken"}, "clause": ""}
    assert state.touch_refusal_json(["a1"]) is None


def test_options_are_checked_and_listed() -> None:
    assert tavola.load("hexes", size=4).action_count == 16
    with pytest.raises(tavola.OptionError, match=r"size=3\|4"):
        tavola.load("hexes", size=5)
    assert "hexes" in tavola.games()
    with pytest.raises(tavola.UnknownGame):
        tavola.load("hexagons")
