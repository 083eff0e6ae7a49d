"""Engines by name: what is understood, and what wrong names are told."""

from __future__ import annotations

import pytest

import tavola

GAME = tavola.load("potlatch")


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "random:seed=3",
        "auto:nodes=20",
        "tree:nodes=20,threads=2",
        "uct:nodes=20,seed=3",
        "tree:seconds=0.01",
        "tree:nodes=20,seconds=1",
    ],
)
def test_a_name_is_an_engine(text: str) -> None:
    with tavola.engine(text, GAME) as engine:
        engine.new_game(seed=1)
        choice = engine.choose(GAME.start())
    assert engine.text == text
    assert choice.token in GAME.start().legal_actions


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["no engine ''", "random", "auto", "tree", "uct", "ugi"]),
        ("stockfish", ["'stockfish'", "random", "ugi"]),
        ("Tree", ["'Tree'", "tree"]),
        ("tree:fast", ["'fast' is not NAME=VALUE", "seconds, nodes, threads, seed"]),
        ("tree:hash=3", ["no setting 'hash'", "seconds, nodes, threads, seed"]),
        ("random:nodes=3", ["no setting 'nodes'", "seed"]),
        ("tree:nodes=0", ["nodes", "'0'", "from 1 to"]),
        ("tree:nodes=1e3", ["nodes", "'1e3'"]),
        ("tree:nodes=-3", ["nodes", "'-3'"]),
        ("tree:nodes=٣", ["nodes", "'٣'"]),
        ("tree:nodes=99999999999999999999", ["nodes", "from 1 to"]),
        ("tree:seconds=0", ["seconds", "'0'", "greater than 0"]),
        ("tree:seconds=nan", ["seconds", "'nan'"]),
        ("tree:seconds=inf", ["seconds", "'inf'"]),
        ("tree:threads=0", ["threads", "'0'"]),
        ("tree:seed=-1", ["seed", "'-1'"]),
        ("tree:nodes=3,nodes=4", ["nodes is given twice"]),
        ("tree:nodes=3,", ["'' is not NAME=VALUE"]),
        ("ugi", ["program to run is missing"]),
        ("ugi:nodes=3 -- ", ["program to run is missing"]),
        ("ugi:threads=3 -- x", ["no setting 'threads'", "option.NAME"]),
        ("ugi:option.A=1,option.A=2 -- x", ["option.A is given twice"]),
    ],
)
def test_a_wrong_name_is_told_what_is_right(text: str, said: list[str]) -> None:
    with pytest.raises(tavola.EngineError) as caught:
        tavola.engine(text, GAME)
    assert caught.value.text == text
    for words in said:
        assert words in str(caught.value)


def test_a_game_follows_from_its_seed() -> None:
    def line(text: str, seed: int) -> list[str]:
        state, played = GAME.start(), list[str]()
        with tavola.engine(text, GAME) as engine:
            engine.new_game(seed)
            while state.to_act is not None and len(played) < 12:
                played.append(engine.choose(state).token)
                state = state.play(played[-1])
        return played

    for text in ("random", "tree:nodes=50"):
        assert line(text, 1) == line(text, 1)
        assert len({tuple(line(text, seed)) for seed in range(5)}) > 1
    assert line("random:seed=3", 1) == line("random:seed=3", 2)


def test_limits_can_be_given_for_one_action() -> None:
    with tavola.engine("tree:nodes=20", GAME) as engine:
        assert engine.choose(GAME.start()).info.nodes == 20
        assert engine.choose(GAME.start(), limits=tavola.Limits(nodes=70)).info.nodes == 70
