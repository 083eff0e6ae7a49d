"""Potlatch Klone's rule book and art."""

import re

from tests import rule_books


def test_figures_before_and_after_belong_together() -> None:
    figures = rule_books.figures("potlatch")
    after = {figure.position for figure in figures}
    reached = [figure.after().text for figure in figures if figure.play]
    assert sum([text in after for text in reached]) == 3  # the swap, the increase, the question


def test_every_piece_is_one_letter_in_the_terminal() -> None:
    looks = rule_books.theme("potlatch")["terminal"].values()
    assert all(len(look["glyph"]) == 1 for look in looks)


def test_gradients_have_names_of_the_game() -> None:
    defined = re.findall(r'Gradient id="([^"]+)"', rule_books.symbols("potlatch"))
    assert defined
    assert all(name.startswith("potlatch-") for name in defined)
