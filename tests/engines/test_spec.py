"""Engine specifications: valid ones, and the errors of invalid ones."""

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
        "tree:nodes=20,contempt=0.5",
        "tree:nodes=20,threads=2",
        "uct:nodes=20,seed=3",
        "tree:seconds=0.01",
        "tree:nodes=20,seconds=1,memory=1",
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
        ("", ['unknown engine ""', "random", "auto", "tree", "uct", "ugi"]),
        ("stockfish", ['"stockfish"', "random", "ugi"]),
        ("Tree", ['"Tree"', "tree"]),
        (
            "tree:fast",
            [
                '"fast" is not NAME=VALUE',
                "prior, seconds, nodes, lookahead, blunders, contempt, threads, memory, seed",
            ],
        ),
        ("tree:prior=21", ['prior cannot be "21"', "a number from 0 to 20"]),
        ("uct:prior=4", ['no setting "prior"']),
        (
            "tree:hash=3",
            [
                'no setting "hash"',
                "prior, seconds, nodes, lookahead, blunders, contempt, threads, memory, seed",
            ],
        ),
        ("random:nodes=3", ['no setting "nodes"', "seed"]),
        ("tree:nodes=0", ["nodes", '"0"', "from 1 to"]),
        ("tree:nodes=1e3", ["nodes", '"1e3"']),
        ("tree:nodes=-3", ["nodes", '"-3"']),
        ("tree:nodes=٣", ["nodes", '"٣"']),
        ("tree:nodes=99999999999999999999", ["nodes", "from 1 to"]),
        ("tree:seconds=0", ["seconds", '"0"', "above 0"]),
        ("tree:seconds=nan", ["seconds", '"nan"']),
        ("tree:seconds=inf", ["seconds", '"inf"']),
        ("tree:threads=0", ["threads", '"0"']),
        ("tree:memory=0", ["memory", "megabytes, a whole number from 1"]),
        ("tree:lookahead=101", ["lookahead", "from 0 to 100"]),
        ("tree:blunders=-1", ["blunders", "from 0 to 10"]),
        ("tree:sight=1,lookahead=2", ["lookahead is given twice"]),
        ("tree:slips=nan", ["blunders", '"nan"']),
        ("tree:c_puct=1", ['no setting "c_puct"']),
        ("tree:contempt=1", ["contempt", "from 0 to 0.9"]),
        ("auto:threads=257", ["threads", "from 1 to 256"]),
        ("level", ['unknown level ""', "levels: 1 to 8"]),
        ("level:9", ['unknown level "9"', "levels: 1 to 8"]),
        ("classic:seconds=1", ["classic has no settings"]),
        ("tree:seed=-1", ["seed", '"-1"']),
        ("tree:nodes=3,nodes=4", ["nodes is given twice"]),
        ("tree:nodes=3,", ['"" is not NAME=VALUE']),
        ("ugi", ["program to run is missing"]),
        ("ugi:nodes=3 -- ", ["program to run is missing"]),
        ("ugi:threads=3 -- x", ['no setting "threads"', "option.NAME"]),
        ("ugi:option.A=1,option.A=2 -- x", ["option.A is given twice"]),
    ],
)
def test_a_wrong_name_is_told_what_is_right(text: str, said: list[str]) -> None:
    with pytest.raises(tavola.EngineError) as caught:
        tavola.engine(text, GAME)
    assert caught.value.text == text
    for words in said:
        assert words in str(caught.value)


def test_what_is_no_text_is_no_name() -> None:
    with pytest.raises(
        tavola.EngineError, match="None is not an engine: an engine is given as a text"
    ):
        tavola.engine(None, GAME)  # type: ignore[arg-type]


def test_an_engine_that_blunders_plays_searched_actions_and_not_always_the_best() -> None:
    state, chosen = GAME.start(), set[str]()
    with tavola.engine("tree:nodes=40,blunders=1", GAME) as engine:
        for seed in range(30):
            engine.new_game(seed)
            choice = engine.choose(state)
            assert choice.analysis is not None
            (line,) = [line for line in choice.analysis.lines if line.action == choice.token]
            assert line.visits > 0
            chosen.add(choice.token)
    assert len(chosen) > 2


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
    with tavola.engine("uct:nodes=20", GAME) as engine:
        assert engine.choose(GAME.start()).info.nodes == 20
        assert engine.choose(GAME.start(), limits=tavola.Limits(nodes=70)).info.nodes == 70
        with pytest.raises(ValueError, match="does not support a limit of depth"):
            engine.choose(GAME.start(), limits=tavola.Limits(depth=3))


def test_what_was_found_out_serves_for_the_next_action() -> None:
    with (
        tavola.engine("tree:nodes=500", GAME) as engine,
        tavola.engine("uct:nodes=500", GAME) as plain,
    ):
        for each, kept in ((engine, True), (plain, False)):
            first = each.choose(GAME.start())
            second = each.choose(GAME.start().play(first.token))
            assert second.analysis is not None
            assert (sum(line.visits for line in second.analysis.lines) > 500) is kept
            each.new_game()
            again = each.choose(GAME.start().play(first.token))
            assert again.analysis is not None
            assert sum(line.visits for line in again.analysis.lines) <= 500


def test_without_limits_it_tells_what_it_thinks_until_it_is_stopped() -> None:
    stop, told = tavola.Stop(), list[tavola.Choice]()

    def tell(choice: tavola.Choice) -> None:
        told.append(choice)
        if len(told) == 3:
            stop.set()

    with tavola.engine("auto", GAME) as engine:
        choice = engine.choose(GAME.start(), limits=tavola.Limits(), stop=stop, tell=tell)
    assert choice == told[-1]
    nodes = [found.info.nodes or 0 for found in told]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[-1]


def test_plain_search_foresees_nothing_unless_it_is_told_to() -> None:
    # Csw decides the game within three more actions.
    state = GAME.start().play_all("Pnw Pe Pe Pnw Cse Psw Pne")
    for text, foreseen in [
        ("uct:nodes=1", []),
        ("uct:nodes=1,lookahead=5", ["Csw"]),
        ("tree:nodes=1", ["Csw"]),
        ("tree:nodes=1,sight=0", []),
    ]:
        with tavola.engine(text, GAME) as engine:
            analysis = engine.choose(state).analysis
        assert analysis is not None
        assert [line.action for line in analysis.lines if line.proven] == foreseen, text


@pytest.mark.parametrize("name", ["random", "tree:nodes=5"])
def test_nothing_is_chosen_for_chance(name: str) -> None:
    game = tavola.load("montana")
    with tavola.engine(name, game) as engine, pytest.raises(ValueError, match="no seat"):
        engine.choose(game.start())
