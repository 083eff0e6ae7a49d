"""Games, states and actions through the public API."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Sequence

import pytest

import tavola


@pytest.fixture
def game() -> tavola.Game:
    return tavola.load("potlatch")


@pytest.fixture
def start(game: tavola.Game) -> tavola.State:
    return game.start()


@pytest.fixture
def finished(game: tavola.Game) -> tavola.State:
    match = tavola.Match(game, seed=1)
    while match.state.to_act is not None:
        match.play(match.state.legal_actions[0])
    return match.state


def test_games_are_sorted_names() -> None:
    assert list(tavola.games()) == sorted(tavola.games())
    assert all(tavola.load(name).name == name for name in tavola.games())


def test_an_unknown_game_is_told_the_known_ones() -> None:
    with pytest.raises(tavola.UnknownGame, match="potlach") as caught:
        tavola.load("potlach")
    assert caught.value.known == tavola.games()
    assert pickle.loads(pickle.dumps(caught.value)).known == tavola.games()


@pytest.mark.parametrize(
    ("options", "quoted"),
    [
        ({"colour": "red"}, 'unknown option "colour"'),
        ({"actions": 4}, 'actions cannot be "4"'),
        ({"layout": "ring", "actions": "two"}, 'layout cannot be "ring"'),
        ({"actions": None}, 'actions cannot be "None"'),
    ],
)
def test_a_wrong_option_is_told_every_valid_one(options: dict[str, str], quoted: str) -> None:
    with pytest.raises(tavola.OptionError) as caught:
        tavola.load("potlatch", **options)
    assert quoted in str(caught.value)
    assert caught.value.valid == {
        "actions": ("2", "3"),
        "layout": ("triangle", "rhombus", "row"),
    }
    assert len(caught.value.faults) == len(options)


def test_a_game_says_what_it_is(game: tavola.Game) -> None:
    assert game.options == {"actions": 2, "layout": "triangle"}
    assert (game.seats, game.rules_version, game.has_chance, game.action_count) == (2, 1, False, 12)


def test_games_compare_and_pickle(game: tavola.Game) -> None:
    assert game == tavola.load("potlatch", actions=2)
    assert game != tavola.load("potlatch", actions=3)
    assert game != "potlatch"
    assert hash(game) == hash(tavola.load("potlatch", actions="2"))
    assert pickle.loads(pickle.dumps(game)) == game
    assert eval(repr(game), {"tavola": tavola}) == game


def test_legal_actions_are_a_sequence(start: tavola.State) -> None:
    actions = start.legal_actions
    assert isinstance(actions, Sequence)
    assert list(actions) == ["Pne", "Pnw", "Pse", "Psw", "Pw"]
    assert len(actions) == 5
    assert (actions[0], actions[-1], actions[1:3], actions[::-2]) == (
        "Pne",
        "Pw",
        ("Pnw", "Pse"),
        ("Pw", "Pse", "Pne"),
    )
    assert "Pw" in actions
    assert "Pe" not in actions
    assert (actions.index("Pse"), actions.count("Pse"), actions.count("Pe")) == (2, 1, 0)
    assert list(reversed(actions)) == list(actions)[::-1]
    assert actions == ("Pne", "Pnw", "Pse", "Psw", "Pw")
    with pytest.raises(IndexError):
        actions[5]
    with pytest.raises(ValueError, match="Pe"):
        actions.index("Pe")
    with pytest.raises(ValueError, match="Pne"):
        actions.index("Pne", 1)


def test_playing_leaves_the_state_as_it_was(start: tavola.State) -> None:
    text = start.text
    after = start.play("Pnw")
    assert start.text == text
    assert after != start
    assert after == start.play_all(" Pnw\n")
    assert start.play_all("") == start


@pytest.mark.parametrize(
    "token", ["Pe", "Ce", "P", "", " ", "pne", "*Pne", "Pne ", "é", "x" * 10_000]
)
def test_an_illegal_action_quotes_token_reason_and_position(
    start: tavola.State, token: str
) -> None:
    with pytest.raises(tavola.IllegalAction) as caught:
        start.play(token)
    assert caught.value.token == token
    assert caught.value.reason
    assert caught.value.position == start.text
    if token not in ("Pe", "Ce"):
        assert caught.value.reason.endswith("legal actions: Pne, Pnw, Pse, Psw, Pw")


def test_states_compare_hash_and_pickle(start: tavola.State) -> None:
    one = start.play_all("Pnw Psw Pne Cse")
    assert one == start.play_all("Pnw Psw Pne Cse")
    assert one != start
    assert one != tavola.load("potlatch", actions=3).start()
    assert hash(one) == hash(start.play_all("Pnw Psw Pne Cse"))
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one
    assert {one: 1}[pickle.loads(pickle.dumps(one))] == 1


def test_equal_whatever_the_order_of_laying() -> None:
    # The same tiles, laid in another order by other walks.
    start = tavola.load("potlatch", actions=3).start()
    text = start.play_all("Pnw Pw Psw").text
    assert start.game.parse(text) == start.play_all("Pnw Pw Psw")


def test_the_end(finished: tavola.State) -> None:
    assert finished.to_act is None
    assert len(finished.legal_actions) == 0
    assert finished.chance_outcomes == ()
    outcome = finished.outcome
    assert outcome is not None
    assert outcome == tavola.Outcome(outcome.winners, outcome.reason)
    assert pickle.loads(pickle.dumps(outcome)) == outcome
    assert finished.returns is not None
    assert sum(finished.returns) == 0
    with pytest.raises(tavola.IllegalAction):
        finished.play("Pne")


@pytest.mark.parametrize("seats", range(2, 9))
def test_shares_and_returns_follow_from_the_winners(seats: int) -> None:
    lost = tavola.Outcome.lost_by(1, seats, "time")
    assert lost.winners == (0, *range(2, seats))
    for outcome in (lost, tavola.Outcome((seats - 1,), "line"), tavola.Outcome((), "limit")):
        shares, returns = outcome.shares(seats), outcome.returns(seats)
        winners = outcome.winners or range(seats)
        assert shares == tuple((seat in winners) / len(winners) for seat in range(seats))
        assert returns == pytest.approx([(seats * each - 1) / (seats - 1) for each in shares])


def test_an_outcome_has_no_winners_without_a_seat() -> None:
    for wrong in (
        lambda: tavola.Outcome((2,), "line").shares(2),
        lambda: tavola.Outcome((200,), "line").returns(4),
        lambda: tavola.Outcome.lost_by(0, 9, "time"),
        lambda: tavola.Outcome.lost_by(3, 3, "time"),
    ):
        with pytest.raises(ValueError, match="must be 0 to"):
            wrong()


@pytest.mark.parametrize("text", ["", "x", "0,0:0 0,0;1,0 R 0 0,0 0 0 -", "\0", "0," * 5000])
def test_a_bad_position_lists_its_faults(game: tavola.Game, text: str) -> None:
    with pytest.raises(tavola.PositionError) as caught:
        game.parse(text)
    assert caught.value.text == text
    assert caught.value.faults


def test_every_fault_is_found_at_once(game: tavola.Game) -> None:
    with pytest.raises(tavola.PositionError) as caught:
        game.parse("0,0:4 0,0 G 9 0,0 x 201 ?")
    fields = [fault.split(":")[0] for fault in caught.value.faults]
    assert fields == [
        "base tiles",
        "pawns",
        "seat to act",
        "open run",
        "repetition data",
        "actions taken",
        "turns completed",
    ]


def test_a_state_draws_itself(start: tavola.State) -> None:
    svg = start._repr_svg_()
    assert svg.startswith("<svg")
    assert "var(--" not in svg
    assert "var(--" in start.svg(
        colours="page", rings=["0,0"], arrows=[("0,0", "0,1")], title="<&>"
    )
    with pytest.raises(ValueError, match="sepia"):
        start.svg(colours="sepia")


@pytest.mark.parametrize("name", tavola.games())
def test_a_long_text_is_quoted_in_part(name: str) -> None:
    game = tavola.load(name)
    start = game.start().text
    long = "x" * 100_000
    texts = (long, start.replace(" ", long + " ", 1), "1/;," * 25_000, f"{start} {long}")
    for text in (*texts, start[:20] + " ".join(["x"] * 50_000)):
        with pytest.raises(tavola.PositionError) as bad:
            game.parse(text)
        assert len(str(bad.value)) < 5_000
        assert max(map(len, bad.value.faults)) <= 200
        assert bad.value.text == text
    with pytest.raises(tavola.IllegalAction) as illegal:
        game.start().play(long)
    assert len(str(illegal.value)) < 5_000


def test_other_long_texts_are_quoted_in_part_too(game: tavola.Game) -> None:
    long = "x" * 100_000
    calls: list[Callable[[], object]] = [
        lambda: tavola.load(long),
        lambda: tavola.load("potlatch", **{long: 1}),
        lambda: tavola.load("potlatch", layout=long),
        lambda: tavola.read_records(f'[Game "potlatch"] {long}é'),
        lambda: tavola.read_records(f"[{long}]"),
        lambda: tavola.read_records(f'[Game "potlatch"][Options "{long}"]')[0].game,
        lambda: game.start().legal_actions.index(long),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"x…x") as caught:
            call()
        assert len(str(caught.value)) < 1_000
