"""Analyses agree with the rules and with exact search, and their numbers add up."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from pathlib import Path

import msgspec
import pytest

import tavola
from tavola.analysis import AnalysisError, GameAnalysis, Limits, analyse, annotate, read_analysis
from tavola.analysis.evaluator import Evaluator
from tests.profiles import first_quick

GAMES = tavola.games()


def played(name: str, most: int, seed: int = 3, **options: str | int) -> tavola.Match:
    """A match of at most `most` actions, mostly from a rollout policy."""
    match = tavola.Match(tavola.load(name, **options), seed=seed)
    rng = random.Random(seed)
    while match.state.to_act is not None and len(match.actions) < most:
        if rng.random() < 0.7:
            token = tavola.search(match.state, nodes=50, threads=1, seed=len(match.actions)).best
        else:
            token = rng.choice(match.state.legal_actions)
        match.play(str(token))
    return match


def win_in_one(name: str) -> tuple[tavola.State, str]:
    """A position in which the seat to act can win at once, and an action that throws it away."""
    rng = random.Random(0)
    while True:
        state = tavola.load(name).start()
        while state.to_act is not None:
            proof = tavola.prove(state, 1)
            if proof is not None and proof.winner == state.to_act:
                for token in state.legal_actions:
                    after = state.play(token)
                    if after.outcome is None and tavola.prove(after, 4) is None:
                        return state, token
            state = state.play(rng.choice(state.legal_actions))


def whole(match: tavola.Match, nodes: int = 200) -> GameAnalysis:
    *_, study = analyse(match, nodes=nodes, threads=1)
    return study


@pytest.mark.parametrize("name", GAMES)
def test_every_share_is_accounted_for(name: str) -> None:
    study = whole(played(name, 14), nodes=60)
    assert study.complete
    for balance in study.balances:
        parts = balance.luck + balance.own + balance.others + balance.unforeseen
        assert balance.start + parts == pytest.approx(balance.end, abs=1e-9)
        assert balance.own <= 0.0
    for position in study.positions:
        assert sum(position.shares) == pytest.approx(1.0, abs=1e-6)
        assert all(margin >= 0.0 for margin in position.margins)
    for action, before in zip(study.actions, study.positions, strict=False):
        assert action.cost >= 0.0
        assert (action.grade is None) is (before.to_act == tavola.CHANCE)
        if action.seat == tavola.CHANCE:
            assert action.cost == 0.0
        elif action.cost > 0.0:
            assert action.cost > action.margin
            assert action.effect[action.seat] == pytest.approx(-action.cost)
        else:
            assert set(action.effect) == {0.0}


def test_luck_is_nought_on_average() -> None:
    """The mean luck over the weighted outcomes of one draw is zero for every seat."""
    match = played("montana", 30)
    states = [match.game.start()]
    for token in match.actions:
        states.append(states[-1].play(token))
    state = next(state for state in states if state.to_act == tavola.CHANCE)
    value = Evaluator(Limits(nodes=400, threads=1)).value(state, 0)
    whole_weight = sum(weight for _, weight in state.chance_outcomes)
    for seat in range(state.game.seats):
        luck = sum(
            weight * (value.line(token).shares[seat] - value.shares[seat])
            for token, weight in state.chance_outcomes
        )
        assert luck / whole_weight == pytest.approx(0.0, abs=1e-9)


def test_a_position_is_told_without_the_hope_of_its_best_action() -> None:
    state = tavola.load("proteus", rules="literal").start()
    value = Evaluator(Limits(nodes=400, threads=1)).value(state, 0)
    assert value.shares == tavola.search(state, nodes=400, threads=1, method="tree").shares
    assert value.shares[0] < value.lines[0].shares[0]


def test_the_end_is_the_result() -> None:
    match = played("potlatch", 1000)
    assert match.state.outcome is not None
    study = whole(match)
    winners = match.state.outcome.winners
    assert study.positions[-1].certain is not None
    assert study.positions[-1].certain.winners == winners
    for balance in study.balances:
        wanted = 0.5 if not winners else float(balance.seat in winners)
        assert balance.end == wanted


def test_a_thrown_away_win_is_a_blunder() -> None:
    """Where a win in one is there, and another action is played, it cost what was lost."""
    before, worse = win_in_one("potlatch")
    winner = before.to_act
    assert winner is not None
    thrown = tavola.Match(before.game, position=before.text).play(worse)
    study = whole(thrown, nodes=500)
    assert study.positions[0].certain is not None
    assert (study.positions[0].certain.actions, study.positions[0].certain.turns) == (1, 1)
    (action,) = study.actions
    assert before.play(str(action.best)).outcome is not None
    assert action.cost > 0.05
    assert study.balances[winner].own == pytest.approx(-action.cost)


def test_the_seed_makes_the_study() -> None:
    match = played("proteus", 10)
    assert whole(match) == whole(match)
    *_, other = analyse(match, nodes=200, threads=1, seed=1)
    assert other.positions != whole(match).positions


def test_a_study_is_gone_on_with() -> None:
    match = played("passtally", 10)
    steps = list(analyse(match, nodes=60, threads=1))
    assert [len(step.actions) for step in steps] == list(range(len(match.actions) + 1))
    resumed = list(analyse(match, nodes=60, threads=1, resume=read_analysis(steps[4].json)))
    assert resumed[0].positions == steps[4].positions
    assert resumed[-1] == steps[-1]


def test_only_its_own_study_is_gone_on_with() -> None:
    match, other = played("potlatch", 6), played("potlatch", 6, seed=5)
    assert match.actions[:5] != other.actions[:5]
    *_, begun, _ = analyse(match, nodes=20, threads=1)
    with pytest.raises(AnalysisError, match="another record"):
        analyse(other, nodes=20, threads=1, resume=begun)
    with pytest.raises(AnalysisError, match="other limits"):
        analyse(match, nodes=21, threads=1, resume=begun)
    with pytest.raises(AnalysisError, match="another version of the rules"):
        analyse(match, nodes=20, threads=1, resume=msgspec.structs.replace(begun, rules_version=99))


def test_a_study_reads_back(tmp_path: Path) -> None:
    study = whole(played("montana", 8), nodes=30)
    path = tmp_path / "study.json"
    path.write_text(study.json, encoding="utf-8")
    assert read_analysis(path) == read_analysis(str(path)) == read_analysis(study.json) == study
    for bad in (
        "{}",
        "{",
        '{"format": "other"}',
        study.json.replace('"version": 1', '"version": 2'),
    ):
        with pytest.raises(AnalysisError, match="not an analysis"):
            read_analysis(bad)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"nodes": 0}, "nodes"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_limits(limits: dict[str, float], said: str) -> None:
    match = tavola.Match(tavola.load("potlatch"))
    with pytest.raises(ValueError, match=said):
        analyse(match, **limits)  # type: ignore[arg-type]


def test_a_record_of_other_rules() -> None:
    (record,) = tavola.read_records(tavola.Match(tavola.load("potlatch")).play("Pnw").record)
    tags = tuple((name, "99" if name == "Rules" else value) for name, value in record.tags)
    with pytest.raises(tavola.RecordError, match="version 99 of the rules"):
        analyse(msgspec.structs.replace(record, tags=tags), nodes=10)


@pytest.mark.parametrize("language", first_quick(["ja", "en"]))
@pytest.mark.parametrize("name", GAMES)
def test_a_record_with_comments_is_a_record(name: str, language: str) -> None:
    match = played(name, 16)
    study = whole(match, nodes=100)
    (record,) = tavola.read_records(match.record)
    commented = annotate(record, study, language=language)
    (again,) = tavola.read_records(commented.text)
    assert again == commented
    assert again.actions == record.actions
    states = list(record.states())
    for place, (step, action) in enumerate(zip(again.line, study.actions, strict=True)):
        assert step.comments
        assert len(step.variations) == (action.grade in ("mistake", "blunder"))
        for variation in step.variations:
            states[place].play_all(" ".join(better.token for better in variation.line))


def test_what_a_record_says_already_stays() -> None:
    match = played("potlatch", 4)
    (record,) = tavola.read_records(match.record.replace("1. ", "{before} 1. ") + " {after}")
    commented = annotate(record, whole(match, nodes=50))
    assert commented.comments[0] == "before"
    assert commented.line[-1].comments[0] == "after"


def forced_in(plies: int) -> tuple[tavola.State, int]:
    """A position with a forced win in exactly `plies` actions of one turn each, and the winner."""
    rng = random.Random(plies)
    while True:
        state = tavola.load("proteus").start()
        while state.to_act is not None:
            proof = tavola.prove(state, plies)
            if proof is not None and proof.plies == plies:
                return state, proof.winner
            state = state.play(rng.choice(state.legal_actions))


@pytest.mark.parametrize("plies", [1, 2, 3, 4])
def test_in_how_many_turns(plies: int) -> None:
    """A forced win in n actions of one turn each is a win in n turns."""
    state, winner = forced_in(plies)
    found = Evaluator(Limits(nodes=400, threads=1)).value(state, 0).certain
    assert found is not None
    assert (found.winners, found.actions, found.turns) == ((winner,), plies, plies)


def test_a_match_that_has_not_begun() -> None:
    (study,) = analyse(tavola.Match(tavola.load("potlatch")), nodes=20, threads=1)
    assert study.complete
    assert study.actions == ()
    assert [balance.start for balance in study.balances] == [b.end for b in study.balances]


@pytest.mark.parametrize("given", ["[Game potlatch]", None, tavola.load("potlatch").start()])
def test_what_is_no_record_is_told_what_is(given: object) -> None:
    with pytest.raises(TypeError, match=rf"Record or a Match, not {type(given).__name__}\b"):
        analyse(given)  # type: ignore[arg-type]


def test_an_analysis_shows_itself_with_a_graph_of_the_shares() -> None:
    match = tavola.Match(tavola.load("potlatch", actions=3)).play("Pnw").play("Pw")
    *_, study = analyse(match, nodes=20, threads=1)
    replay = study.replay(seat=1, language="ja")
    assert [frame.state for frame in replay.frames] == list(match.states)
    assert [frame.state.turn for frame in replay.frames] == [state.turn for state in match.states]
    (packed,) = re.findall(r'id="data">([^<]+)<', replay.html())
    data = json.loads(zlib.decompress(base64.b64decode(packed)))
    assert data["shares"] == [list(position.shares) for position in study.positions]
    assert "srcdoc=" in study._repr_html_()


def test_an_analysis_of_older_rules_is_shown_under_those() -> None:
    state = tavola.load("proteus", rules_version=1).start()
    token = state.legal_actions[0]
    record = tavola.Record(
        tags=(("Game", "proteus"), ("Rules", "1")), line=(tavola.Step(token=token),)
    )
    *_, study = analyse(record, nodes=20, threads=1)
    assert study.replay().game.rules_version == 1


def test_a_search_shows_its_best_lines() -> None:
    found = tavola.search(tavola.load("proteus", rules="literal").start(), nodes=500, threads=1)
    shown = found._repr_html_()
    assert shown.count("<tr>") == 1 + 10
    assert f"<th>{found.best}</th>" in shown
    assert f"{len(found.lines) - 10} more actions" in shown
    over = tavola.search(tavola.load("potlatch").start(), nodes=50, threads=1)._repr_html_()
    assert "more actions" not in over


def test_the_network_of_the_game_values_the_positions() -> None:
    match = played("potlatch", 4)
    network = match.state.game.network
    assert network is not None
    steps = list(analyse(match, nodes=60, threads=1))
    assert steps[-1].network == network.about
    assert steps[-1].complete
    assert list(analyse(match, nodes=60, threads=1, engine="net")) == steps
    *_, classic = analyse(match, nodes=60, threads=1, engine="classic")
    assert classic.network is None
    assert classic.positions != steps[-1].positions
    again = list(analyse(match, nodes=60, threads=1, resume=steps[2]))
    assert again[-1] == steps[-1]
    with pytest.raises(AnalysisError, match="another network"):
        analyse(match, nodes=60, threads=1, engine="classic", resume=steps[2])
    *_, other = analyse(played("montana", 1), nodes=20, threads=1)
    assert other.network is None
    with pytest.raises(tavola.EngineError, match="no network for montana"):
        analyse(played("montana", 1), nodes=20, threads=1, engine="net")
