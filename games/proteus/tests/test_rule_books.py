"""This game's own parts of its rule book, words and art."""

import re
from itertools import permutations

import pytest

import tavola
from tests import rule_books
from tests.rule_books import LANGUAGES, Figure

RED = {"c": "KING", "s": "ROOK", "t": "BISHOP"}
YELLOW = {"c": "LINE", "s": "COLOR", "t": "SHAPE"}
BLUE_WORDS = ("POLARITY", "COLOR", "SHAPE")
YELLOW_WORDS = ("LINE", "GOAL-COLOR", "GOAL-SHAPE")


def _without_history(state: tavola.State) -> str:
    """A position's text without the repetition data, which figures leave out."""
    return " ".join(state.text.split()[:3])


def test_figures_before_and_after_belong_together() -> None:
    figures = rule_books.figures("proteus")
    after = {_without_history(figure.state()) for figure in figures}
    reached = [_without_history(figure.after()) for figure in figures if figure.play]
    # The match, the flip, the double flip, both goals, two threats, two questions.
    assert sum([text in after for text in reached]) == 7


def _shape_up(figure: Figure, colour: str) -> str:
    """The shape of the tile of that colour that is up."""
    found = re.search(f"{colour}([cst])\\+", figure.position)
    assert found, figure
    return found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_win_for_each_goal_under_each_move_rule(language: str) -> None:
    chapter = (
        rule_books.book("proteus", language).partition("{#how-to-win}")[2].partition("\n## ")[0]
    )
    wins = [
        figure
        for section in chapter.split("\n### ")[1:4]
        for figure in rule_books.figures_in("proteus", section)
    ]
    shown = [(YELLOW[_shape_up(figure, "Y")], RED[_shape_up(figure, "R")]) for figure in wins]
    assert shown == [(goal, move) for goal in YELLOW.values() for move in RED.values()]
    for figure in wins:
        assert figure.state().outcome is None
        outcome = figure.after().outcome
        assert outcome is not None
        assert (outcome.winners, outcome.reason) == ((0,), "goal")
        winning = [
            token
            for token in figure.state().legal_actions
            if (end := figure.state().play(token).outcome) and 0 in end.winners
        ]
        assert winning == [figure.play]


def test_two_threats_cannot_both_be_met() -> None:
    (figure,) = [
        figure for figure in rule_books.figures("proteus") if "thirteen answers" in figure.caption
    ]
    state = figure.state()
    assert len(state.legal_actions) == 13
    for answer in state.legal_actions:
        after = state.play(answer)
        ends = [after.play(token).outcome for token in after.legal_actions]
        assert any(end is not None and end.winners == (0,) for end in ends), answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_faces_are_told_as_their_code_means(language: str) -> None:
    words = rule_books.words("proteus", language)
    orders = list(permutations(range(3)))  # rules 4: in lexicographic order
    for code in [f"{blue}{yellow}" for blue in range(6) for yellow in range(6)][1:]:
        named = re.findall(r"[●■▲]([^●■▲;／]+)", words[f"option.faces.{code}"])
        wanted = [BLUE_WORDS[index] for index in orders[int(code[0])]]
        wanted += [YELLOW_WORDS[index] for index in orders[int(code[1])]]
        told = [re.sub(" (yellow|黄) ?$", "", name).strip() for name in named]
        assert told == [words[f"rule.{rule}"] for rule in wanted], code


def test_every_tile_counter_rule_and_card_is_drawn() -> None:
    drawn = set(rule_books.theme("proteus")["terminal"])
    rules = [*RED.values(), *BLUE_WORDS, *YELLOW_WORDS]
    wanted = {f"card-{rule}" for rule in rules} | {f"emblem-{rule}" for rule in rules}
    wanted |= {f"counter-{seat}-{shape}" for seat in (0, 1) for shape in "cst"}
    for shape in "cst":
        wanted |= {f"tile-{colour}{shape}{side}" for colour in "RBY" for side in ("", "-up")}
        wanted.add(f"tile-R{shape}-up-{RED[shape]}")
        wanted |= {f"tile-B{shape}-up-{rule}" for rule in BLUE_WORDS}
        wanted |= {f"tile-Y{shape}-up-{rule}" for rule in YELLOW_WORDS}
    assert drawn == wanted | {"cell", "tray", "card-none", "seat-black", "seat-white"}


def test_the_terminal_tells_everything_apart_without_colours() -> None:
    terminal = rule_books.theme("proteus")["terminal"]
    for kind in ("glyph", "ascii"):
        looks = {
            name: terminal[name][kind]
            for name in terminal
            if re.fullmatch(r"tile-..(-up)?|counter-.*", name)
        }
        assert len(set(looks.values())) == len(looks) == 24
