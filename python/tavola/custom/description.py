"""The description of a game written in Python: metadata, messages, and the board for the core."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from tavola.custom import art
from tavola.custom.board import Board, Regular
from tavola.errors import GameFailed, Message
from tavola.language import LANGUAGES
from tavola.messages import catalogue

__all__ = ["board_json", "check_class", "describe", "options_of"]

_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")
_OPTION = re.compile(r"[a-z][a-z0-9_]*")
_VALUE = re.compile(r"[A-Za-z0-9_.+-]+")
_TOKEN = re.compile(r"[!-'+-~][!-~]*")
"""Printable ASCII without spaces; `*` begins the token of a chance outcome."""
_FORBIDDEN = frozenset("(){}[]")
"""The brackets of records."""
_CELL = re.compile(r"[!-~]+")

SYMBOLS = ("", *"0123456789", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""The symbols of pieces of a game that declares none: plain, digits and letters."""

LEVELS = (
    "tree:nodes=10,lookahead=0,blunders=0.5",
    "tree:nodes=20,lookahead=0,blunders=0.35",
    "tree:nodes=40,lookahead=1,blunders=0.2",
    "tree:nodes=80,lookahead=1,blunders=0.1",
    "tree:nodes=160,lookahead=2",
    "tree:nodes=400,lookahead=2",
    "tree:nodes=1000,lookahead=2",
    "auto:seconds=2,threads=1",
)
"""The default levels. The rules of such games take a thousand times longer than compiled ones."""

MOST_ACTIONS = 10_000

LONGEST_TAGLINE = 100
"""The maximum length of a first line of a docstring that is shown on the start page."""


def _fail(game: str, template: str, **params: object) -> GameFailed:
    return GameFailed(game, Message(template, **params))


def options_of(rules: Any) -> dict[str, dict[str, Any]]:
    """Return the values of every option of a class, by their text, the default first.

    Args:
        rules: The class of a game.

    Raises:
        GameFailed: If `options` is not a mapping from names to values.
    """
    name = rules.name
    declared = getattr(rules, "options", {})
    if not isinstance(declared, Mapping):
        raise _fail(name, "`options` must map names to values, not {value}", value=repr(declared))
    options = {}
    for option, values in declared.items():
        if not _OPTION.fullmatch(str(option)) or option == "rules_version":
            raise _fail(
                name,
                "the option {option} needs another name, of lower case letters",
                option=repr(option),
            )
        if isinstance(values, str) or not isinstance(values, Iterable) or not list(values):
            raise _fail(
                name,
                "the option {option} needs a tuple of values, the default first",
                option=option,
            )
        by_text = {str(value): value for value in values}
        for text in by_text:
            if not _VALUE.fullmatch(text):
                raise _fail(
                    name,
                    "the option {option} cannot have the value {value}",
                    option=option,
                    value=repr(text),
                )
        options[str(option)] = by_text
    return options


def check_class(rules: Any) -> None:
    """Check that a class has the name and the methods of a game.

    Args:
        rules: The class of the game.

    Raises:
        GameFailed: If one is missing or invalid.
    """
    name = getattr(rules, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        game = getattr(rules, "__name__", repr(rules))
        raise _fail(
            game,
            "`name` must be 2 to 31 lower case letters and digits, not {value}",
            value=repr(name),
        )
    for method in ("start", "parse"):
        if not callable(getattr(rules, method, None)):
            raise _fail(name, "the class has no method `{method}`", method=method)


def describe(rules: Any, instances: Sequence[Any]) -> dict[str, Any]:
    """Return the metadata of a game for the core.

    Args:
        rules: The class of the game.
        instances: Its instances under some combinations of options.

    Returns:
        The fields of `Description` in crates/py/src/python_game/registry.rs.

    Raises:
        GameFailed: If an attribute of the class is missing or invalid.
    """
    name = rules.name
    version = getattr(rules, "rules_version", 1)
    if not isinstance(version, int) or not 0 <= version <= 9:
        raise _fail(
            name, "`rules_version` must be a number from 0 to 9, not {value}", value=repr(version)
        )
    symbols = list(_symbols(rules))
    seats = _most_seats(rules)
    return {
        "name": name,
        "rules_version": version,
        "has_chance": any(_chance_tokens(instance) for instance in instances),
        "has_draws": bool(getattr(rules, "has_draws", True)),
        "options": [[option, list(values)] for option, values in options_of(rules).items()],
        "rules": list(_rule_books(rules).items()),
        "locales": [
            [language, msgspec.json.encode(_locale(rules, language)).decode()]
            for language in LANGUAGES
        ],
        "symbols": art.symbols(symbols, seats),
        "theme": msgspec.json.encode(art.theme(symbols, _initials(rules, seats))).decode(),
        "levels": msgspec.json.encode(_levels(rules)).decode(),
    }


def _levels(rules: Any) -> Sequence[str]:
    levels = tuple(getattr(rules, "levels", LEVELS))
    if not levels or not all(isinstance(level, str) for level in levels):
        raise _fail(rules.name, "`levels` must be engine specifications, such as `tree:nodes=100`")
    return levels


def _symbols(rules: Any) -> dict[str, str]:
    """Return the names of the symbols of pieces; a symbol without a name is its own."""
    declared = getattr(rules, "symbols", SYMBOLS)
    named = dict(declared) if isinstance(declared, Mapping) else {one: one for one in declared}
    for symbol in named:
        if not isinstance(symbol, str) or len(symbol) > 4 or any(c.isspace() for c in symbol):
            raise _fail(
                rules.name,
                "a symbol has at most 4 characters; {symbol} does not",
                symbol=repr(symbol),
            )
    return {symbol: label or "piece.plain" for symbol, label in named.items()}


def _seat_names(rules: Any) -> Sequence[str]:
    return [str(name) for name in getattr(rules, "seat_names", ())]


def _most_seats(rules: Any) -> int:
    """Return the number of seats of the class, or the maximum if its instances decide."""
    seats = getattr(rules, "seats", None)
    return seats if isinstance(seats, int) and 2 <= seats <= art.MOST_SEATS else art.MOST_SEATS


def _initials(rules: Any, seats: int) -> list[str]:
    """Return one letter for each seat: the first of its name, or its number if two are equal."""
    english = _locale(rules, "en")
    letters = [english[f"seat.{seat}"][:1].upper() for seat in range(seats)]
    unique = len(set(letters)) == seats and all(letter.isascii() for letter in letters)
    return letters if unique else [str(seat + 1) for seat in range(seats)]


def _locale(rules: Any, language: str) -> dict[str, str]:
    """Return the messages of a game in a language: the common ones, and its own."""
    title = str(getattr(rules, "title", rules.name.replace("_", " ").capitalize()))
    messages = {**catalogue("tavola.custom", language), "game.title": title}
    messages["game.tagline"] = str(getattr(rules, "tagline", _summary(rules)))
    for option, values in options_of(rules).items():
        messages[f"option.{option}"] = option.replace("_", " ").capitalize()
        messages.update({f"option.{option}.{value}": value for value in values})
    for seat, name in enumerate(_seat_names(rules)):
        messages[f"seat.{seat}"] = name
    own = _own_words(rules)
    # A message that a language lacks is the English one, or that of any language.
    for other in (*own, "en", language):
        messages.update(own.get(other, {}))
    return messages


def _summary(rules: Any) -> str:
    """Return the first line of the docstring of a class, unless it is long."""
    lines = (inspect.getdoc(rules) or "").splitlines()
    return lines[0] if lines and len(lines[0]) <= LONGEST_TAGLINE else ""


def _own_words(rules: Any) -> dict[str, dict[str, str]]:
    words = getattr(rules, "words", {})
    if not isinstance(words, Mapping) or not all(
        isinstance(one, Mapping) for one in words.values()
    ):
        raise _fail(
            rules.name,
            "`words` must be messages by language, such as {example}",
            example='{"ja": {"game.title": ...}}',
        )
    return {
        str(language): {str(key): str(message) for key, message in messages.items()}
        for language, messages in words.items()
    }


def _rule_books(rules: Any) -> dict[str, str]:
    """Return the rule book by language: `rules`, or the docstring of the class."""
    declared = getattr(rules, "rules", None)
    title = _locale(rules, "en")["game.title"]
    if isinstance(declared, Mapping):
        books = {str(language): str(book) for language, book in declared.items()}
    else:
        text = declared if isinstance(declared, str) else inspect.getdoc(rules)
        books = {"en": f"# {title}\n\n{text or ''}\n"}
    first = books.get("en") or next(iter(books.values()), f"# {title}\n")
    return {language: books.get(language, first) for language in LANGUAGES}


def board_json(rules: Any) -> str:
    """Return the seats, actions and board of a game under its options, as JSON for the core.

    Args:
        rules: An instance of the class of the game.

    Returns:
        The fields of `Prepared` in crates/py/src/python_game/rules.rs.

    Raises:
        GameFailed: If an attribute is missing or invalid.
    """
    name = rules.name
    seats = getattr(rules, "seats", None)
    most = _most_seats(type(rules))
    if not isinstance(seats, int) or not 2 <= seats <= most:
        raise _fail(
            name,
            "`seats` must be a number from 2 to {most}, not {value}",
            most=most,
            value=repr(seats),
        )
    boards = _boards(rules)
    cells = [cell.id for board in boards for cell in board.cells]
    parts = {cell.id: cell.part_of for board in boards for cell in board.cells}
    for cell, whole in parts.items():
        if whole is not None and (whole not in parts or parts[whole] is not None):
            raise _fail(
                name,
                "the cell {cell} is part of {whole}, which is no whole cell",
                cell=cell,
                whole=repr(whole),
            )
    if len(set(cells)) < len(cells):
        twice = next(cell for cell in cells if cells.count(cell) > 1)
        raise _fail(name, "two cells of the board have the id {cell}", cell=repr(twice))
    for cell in cells:
        if not _CELL.fullmatch(cell):
            raise _fail(
                name, "the id of a cell is ASCII without spaces, not {cell}", cell=repr(cell)
            )
    symbols = _symbols(rules)
    words = sorted({key for words in _own_words(rules).values() for key in words})
    known = frozenset(words) | catalogue("tavola.custom", "en").keys()
    longest = getattr(rules, "most_actions", MOST_ACTIONS)
    if not isinstance(longest, int) or not 1 <= longest < 2**32:
        raise _fail(
            name, "`most_actions` must be a positive number, not {value}", value=repr(longest)
        )
    prepared = {
        "seats": seats,
        "actions": [_action(rules, token, frozenset(cells), known) for token in _tokens(rules)],
        "chance": _chance_tokens(rules),
        "areas": [_area(board, known) for board in boards],
        **_observation(rules, boards),
        "symbols": {
            symbol: {"id": number, "label": _text(label, known)}
            for number, (symbol, label) in enumerate(symbols.items())
        },
        "words": words,
        "most_actions": longest,
        "has_estimate": callable(getattr(rules, "estimate", None)),
    }
    return msgspec.json.encode(prepared).decode()


def _observation(rules: Any, boards: Sequence[Board]) -> dict[str, Any]:
    """Return the shape of the observations, and the planes that the game declares."""
    cells = sum(len(board.cells) for board in boards)
    board = boards[0] if len(boards) == 1 else None
    shape = (board.rows, board.columns) if isinstance(board, Regular) else (1, max(cells, 1))
    start = rules.start()
    planes = getattr(rules, "planes", None)
    if planes is not None:
        try:
            planes = [
                {"name": str(name), "high": int(high), "about": str(about)}
                for name, high, about in planes
            ]
        except (TypeError, ValueError):
            planes = []
        if not planes or not all(1 <= plane["high"] <= 255 for plane in planes):
            raise _fail(
                rules.name,
                "`planes` must be triples of a name, the largest value (1 to 255), and a sentence",
            )
    return {
        "board": shape,
        "planes": planes,
        "has_scores": getattr(start, "scores", None) is not None,
        "supply": [str(name) for name in getattr(start, "supply", None) or ()],
    }


def _tokens(rules: Any) -> list[str]:
    """Return the tokens of all actions."""
    tokens = _listed(rules, "actions", '("a1", "b1")')
    for token in tokens:
        if not isinstance(token, str) or not _TOKEN.fullmatch(token) or _FORBIDDEN & set(token):
            raise _fail(
                rules.name,
                "the action {token} is not a token: ASCII without spaces and brackets, "
                "and without * at the beginning",
                token=repr(token),
            )
        if re.fullmatch(r"\d+\.", token):
            raise _fail(
                rules.name, "the action {token} looks like the number of a turn", token=repr(token)
            )
    if not tokens:
        raise _fail(rules.name, "`actions` is empty")
    return tokens


def _chance_tokens(rules: Any) -> list[str]:
    """Return the tokens of all chance outcomes."""
    tokens = _listed(rules, "chance", '("*1", "*2")') if hasattr(rules, "chance") else []
    for token in tokens:
        valid = isinstance(token, str) and token[:1] == "*" and _CELL.fullmatch(token[1:])
        if not valid or _FORBIDDEN & set(token):
            raise _fail(
                rules.name,
                "the chance outcome {token} is not a token: `*`, and then ASCII without "
                "spaces and brackets",
                token=repr(token),
            )
    return tokens


def _listed(rules: Any, name: str, example: str) -> list[Any]:
    """Return an attribute that is a sequence of different tokens."""
    value = getattr(rules, name, None)
    if value is None or isinstance(value, str) or not isinstance(value, Iterable):
        raise _fail(
            rules.name,
            "`{name}` must be the tokens of all of them, such as {example}",
            name=name,
            example=example,
        )
    tokens = list(value)
    twice = [token for token, count in Counter(tokens).items() if count > 1]
    if twice:
        raise _fail(rules.name, "`{name}` contains {token} twice", name=name, token=repr(twice[0]))
    return tokens


def _boards(rules: Any) -> list[Board]:
    board = getattr(rules, "board", ())
    boards = [board] if isinstance(board, Board) else list(board)
    if not all(isinstance(one, Board) for one in boards):
        raise _fail(rules.name, "`board` must be a tavola.custom.Grid, HexGrid, Free or Board")
    if len({one.id for one in boards}) < len(boards):
        raise _fail(rules.name, "each board needs an `id` of its own")
    return boards


def _text(text: str, known: Iterable[str]) -> dict[str, Any]:
    """Return a message by its key, or else literal text."""
    return {"key": text} if text in known else {"key": "raw", "params": {"text": text}}


def _area(board: Board, known: Iterable[str]) -> dict[str, Any]:
    def symbol(shade: bool) -> str:
        return "cell-shade" if shade and board.shape == "square" else f"cell-{board.shape}"

    return {
        "id": board.id,
        "shape": board.shape,
        "label": _text(board.label, known),
        "cells": [
            {
                "id": cell.id,
                "x": float(cell.x),
                "y": float(cell.y),
                "symbol": symbol(cell.shade),
                "label": {"key": f"cell.{board.shape}", "params": {"cell": cell.id}},
                "part_of": cell.part_of,
            }
            for cell in board.cells
        ],
    }


def _action(rules: Any, token: str, cells: frozenset[str], known: Iterable[str]) -> dict[str, Any]:
    touches = (
        [str(cell) for cell in rules.touches(token)]
        if callable(getattr(rules, "touches", None))
        else _touches(token, cells)
    )
    if unknown := [cell for cell in touches if cell not in cells]:
        raise _fail(
            rules.name,
            "`touches({token})` names {cell}, which is no cell of the board",
            token=repr(token),
            cell=repr(unknown[0]),
        )
    if callable(getattr(rules, "label", None)):
        label = _text(str(rules.label(token)), known)
    elif not touches:
        label = _text(token, known)
    elif len(touches) == 1:
        label = {"key": "action.cell", "params": {"cell": touches[0]}}
    else:
        params = {"from": touches[0], "cell": touches[-1]}
        label = {"key": "action.from-to", "params": params}
    return {"token": token, "touches": touches, "label": label}


def _touches(token: str, cells: frozenset[str]) -> list[str]:
    """Return the cells that a token consists of, such as those of `a2-b3` or `a2b3`, or none.

    >>> _touches("a2-b3", frozenset({"a2", "b3"}))
    ['a2', 'b3']
    >>> _touches("pass", frozenset({"a2", "b3"}))
    []
    """
    touches, rest = [], token
    while rest:
        lengths = range(min(len(rest), max(map(len, cells), default=0)), 0, -1)
        length = next((length for length in lengths if rest[:length] in cells), 0)
        if length == 0:
            return []
        touches.append(rest[:length])
        rest = rest[length:]
        if rest[:1] in ("-", ">", "x", ":", "=") and len(rest) > 1:
            rest = rest[1:]
    return touches
