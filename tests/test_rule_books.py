"""Rule books, words and art of every game: languages alike, figures possible, words all needed."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Iterator

import pytest

import tavola
import tavola.view
from tavola.server import games
from tests import references, rule_books
from tests.profiles import PROFILE, sized
from tests.rule_books import JAPANESE, LANGUAGES, Figure

# Board drawings use these colours too; the last ones where levels are seen from above.
COLOURS = {"accent", "table"}
COLOURS_OF_DEPTH = {"shadow", "shade", "number", "number-edge"}
WALKS = 3  # random games in which words are asked for
WALKS_FOR_ALL = sized(20, 20, 60)  # enough that every word is asked for
SHOWN = 30

every_game = pytest.mark.parametrize("game", tavola.games())
both_languages = pytest.mark.parametrize("language", LANGUAGES)


# The rule books


@every_game
def test_both_books_have_the_same_sections_anchors_and_figures(game: str) -> None:
    english, japanese = (rule_books.skeleton(game, language) for language in LANGUAGES)
    assert english == japanese
    assert len(rule_books.figures(game)) >= rule_books.facts(game)["figures"]


@every_game
@both_languages
def test_every_clause_can_be_linked_to(game: str, language: str) -> None:
    book = rule_books.book(game, language)
    anchors = rule_books.ANCHOR.findall(book)
    also = {"summary", *rule_books.facts(game)["also"]}
    assert sorted(anchors) == sorted(rule_books.clauses(game) | also)
    assert set(re.findall(r"\]\(#([^)]*)\)", book)) <= set(anchors)


@every_game
def test_both_books_mark_the_same_rulings(game: str) -> None:
    marked = [
        len(rule_books.RULING[language].findall(rule_books.book(game, language)))
        for language in LANGUAGES
    ]
    assert marked[0] == marked[1]


@pytest.mark.parametrize(
    "figure",
    [figure for game in tavola.games() for figure in rule_books.figures(game)],
    ids=lambda figure: f"{figure.game}: {figure.caption[:40]}",
)
def test_figures_show_possible_positions_and_legal_actions(figure: Figure) -> None:
    state = figure.state()
    assert state.text == figure.position
    assert set(figure.rings.split()) <= set(rule_books.cells(state))
    assert (figure.after().text != figure.position) == bool(figure.play)


@every_game
@both_languages
def test_figures_are_told_in_words(game: str, language: str) -> None:
    for figure in rule_books.figures(game, language):
        assert bool(JAPANESE.search(figure.caption)) == (language == "ja"), figure
        assert len(figure.caption) > 10


# The words


@every_game
def test_both_languages_have_the_same_words_and_parameters(game: str) -> None:
    english, japanese = (rule_books.words(game, language) for language in LANGUAGES)
    assert english.keys() == japanese.keys()
    for key, entry in english.items():
        assert rule_books.parameters(entry) == rule_books.parameters(japanese[key]), key


@every_game
@pytest.mark.parametrize(("language", "forms"), [("en", {"one", "other"}), ("ja", {"other"})])
def test_plurals_are_complete(game: str, language: str, forms: set[str]) -> None:
    for key, entry in rule_books.words(game, language).items():
        if isinstance(entry, dict):
            assert entry.keys() == forms, key


@every_game
def test_japanese_words_are_japanese_and_english_ones_are_not(game: str) -> None:
    for key, entry in rule_books.words(game, "ja").items():
        for text in rule_books.texts(entry):
            said = re.sub(r"\{\w+\}", "", text)  # a list of parameters may say nothing of its own
            assert JAPANESE.search(said) or not re.search(r"\w", said), key
    for key, entry in rule_books.words(game, "en").items():
        assert not any(map(JAPANESE.search, rule_books.texts(entry))), key


@every_game
def test_labels_begin_as_headings_do_and_name_one_thing_as_one(game: str) -> None:
    dice = random.Random(game)
    labels: set[str] = set()
    for view in map(tavola.view.view, _walk(game, dice)):
        cells = [cell.label for area in view.areas for cell in area.cells]
        actions = [action.label for action in view.actions]
        labels.update(games.format_text(game, "en", label) for label in (*cells, *actions))
    assert labels
    assert {label for label in labels if label[0].islower()} == set()
    assert {label for label in labels if re.search(r"\b1 (\w+ )?[a-z]+s\b", label)} == set()


@pytest.mark.long
@pytest.mark.skipif(PROFILE == "ci", reason="the next test asks for more words")
@every_game
def test_every_word_asked_for_exists(game: str) -> None:
    assert _words_asked_for(game, WALKS) <= _words_of_screens(game)


@pytest.mark.long
@every_game
def test_every_word_is_asked_for(game: str) -> None:
    asked, words = _words_asked_for(game, WALKS_FOR_ALL), _words_of_screens(game)
    # The same texts without coordinates, for screens: the client asks for them by itself.
    plain = {key for key in words if key.endswith(".plain") and key.removesuffix(".plain") in asked}
    assert asked == words - (plain - asked)


def _words_of_screens(game: str) -> set[str]:
    """All words, without those of faults and editors (see `test_conventions.py`)."""
    return {
        key
        for key in rule_books.words(game, "en")
        if not key.startswith(("edit.", "fault.", "field."))
    }


def _words_asked_for(game: str, walks: int) -> set[str]:
    """The words needed to play random games, the book's examples and its figures."""
    dice = random.Random(game)
    asked = _asked_elsewhere(game)
    tokens: set[str] = set()  # what could be done once: mostly refused elsewhere
    for state in _states(game, walks, dice):
        asked.update(_asked(state, sorted(tokens), dice))
        tokens.update(references.following(state)[:200])
    for example in _examples(game):
        last = _played(game, example)[-1]
        for token in example["expect"].get("refuses", ()):
            asked.update(_refused_action(last, token))
    return asked


def _asked_elsewhere(game: str) -> set[str]:
    """Returns the keys that the lobby and the panels beside the board use."""
    theme = rule_books.theme(game)
    asked = {"game.title", "game.tagline"}
    for option in json.loads(tavola._core.describe(game))["options"]:
        asked.add(f"option.{option['name']}")
        asked.update(f"option.{option['name']}.{value}" for value in option["values"])
    asked.update(f"panel.{panel['id']}" for panel in theme.get("panels", ()))
    named = (one["name"]["word"] for one in theme.get("scenery", ()) if "name" in one)
    asked.update(named)
    asked.update(f"explain.{prompt}" for prompt in theme.get("explain", ()))
    return asked


def _states(game: str, walks: int, dice: random.Random) -> Iterator[tavola.State]:
    """States of random games, and of the rule book's examples and figures."""
    for _ in range(walks):
        yield from _walk(game, dice)
    for example in _examples(game):
        yield from _played(game, example)
    for figure in rule_books.figures(game):
        yield figure.state()
        yield figure.after()


def _examples(game: str) -> list[references.Case]:
    """The examples of the rule book; a small game may have none."""
    there = (references.GAMES / game / "tests/examples.json").is_file()
    return references.data(game, "examples.json") if there else []


def _played(game: str, example: references.Case) -> list[tavola.State]:
    """The states of an example, from its position on."""
    loaded = tavola.load(game, **example["options"])
    states = [loaded.parse(example["position"]) if example["position"] else loaded.start()]
    for token in example["play"].split():
        states.append(states[-1].play(token))
    return states


def _walk(game: str, dice: random.Random) -> list[tavola.State]:
    """Some states of a random game, its last among them."""
    options = {
        option["name"]: dice.choice(option["values"])
        for option in json.loads(tavola._core.describe(game))["options"]
    }
    states = [tavola.load(game, **options).start()]
    while states[-1].to_act is not None:
        states.append(states[-1].play(dice.choice(references.following(states[-1]))))
    return [*dice.sample(states, min(SHOWN, len(states))), states[-1]]


def _asked(state: tavola.State, tokens: list[str], dice: random.Random) -> Iterator[str]:
    """Return the texts needed to show a state, act in it, look ahead and select in it."""
    shown = state.view_json()
    yield from rule_books.keys(shown)
    view = json.loads(shown)
    yield from (f"kind.{action['kind']}" for action in view["actions"] if action["kind"])
    actions = references.following(state)
    for token in actions:
        if label := state.lazy_events(token).move_json():
            yield from rule_books.keys(label)
    for token in dice.sample(actions, min(12, len(actions))):
        yield from rule_books.keys(state.events_json(token))
        if token in state.legal_actions:
            yield from rule_books.keys(state.prospect_json(token))
    cells = [cell["id"] for area in view["areas"] for cell in area["cells"]]
    begun = [action["touches"][:1] for action in view["actions"] if action["touches"]] or [[]]
    touches = [["nowhere"]]
    touches += [[cell] for cell in dice.sample(cells, min(30, len(cells)))]
    touches += [[*dice.choice(begun), cell] for cell in dice.choices(cells, k=30)]
    touches += [dice.choices(cells, k=2) for _ in range(10)]
    for touched in touches:
        turn = dice.choice([None, 0, 90, 180, 270])
        yield from _refused(state.game.name, state.touch_refusal_json(touched, turn))
    for token in dice.sample(tokens, min(20, len(tokens))):
        yield from _refused_action(state, token)


def _refused_action(state: tavola.State, token: str) -> Iterator[str]:
    try:
        state.play(token)
    except tavola.IllegalAction as error:
        yield from _refused(state.game.name, error.refusal)


@functools.cache
def _refused(game: str, refusal: str | bytes | None) -> set[str]:
    if not refusal:
        return set()
    assert f"clause-{json.loads(refusal)['clause']}" in rule_books.clauses(game)
    return rule_books.keys(refusal)


# The art


@every_game
def test_theme_and_symbols_agree(game: str) -> None:
    theme, symbols = rule_books.theme(game), rule_books.symbols(game)
    seats = {f"seat-{seat}" for seat in range(_seats(game))}
    used = set(re.findall(r"var\(--([A-Za-z0-9-]+)\)", symbols)) | COLOURS | seats
    assert used | (COLOURS_OF_DEPTH if "depth" in theme else set()) == set(theme["colours"])
    parts = set(re.findall(r'href="#([^"]+)"', symbols))
    groups = set(re.findall(r'<g id="([^"]+)"', symbols))
    # No terminal has the tray of the position editor.
    tray = set(re.findall(r'<g id="([^"]+)" class="tray"', symbols))
    assert groups - parts - tray <= set(theme["terminal"]) <= groups
    assert all(look["ascii"].isascii() for look in theme["terminal"].values())


@every_game
def test_shared_parts_of_the_symbols_are_there_and_used(game: str) -> None:
    symbols = rule_books.symbols(game)
    defined = re.findall(r'\bid="([^"]+)"', symbols)
    assert len(defined) == len(set(defined))
    parts = {name for name in defined if name.startswith(f"{game}-")}
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', symbols))
    assert parts <= used <= set(defined)


@every_game
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_marks_stand_out(game: str, mode: str) -> None:
    colours = {name: both[mode] for name, both in rule_books.theme(game)["colours"].items()}
    wanted = [
        *[(f"seat-{seat}", "table", 4.5) for seat in range(_seats(game))],
        ("accent", "table", 3.0),
        *rule_books.facts(game)["contrast"],
    ]
    weak = [
        f"{mark} on {ground}: {found:.2f} < {least}"
        for mark, ground, least in wanted
        if (found := rule_books.contrast(colours[mark], colours[ground])) < least
    ]
    assert weak == []


def _seats(game: str) -> int:
    """The most seats that a game has."""
    return max(tavola.load(game, **options).seats for options in references.combinations(game))
