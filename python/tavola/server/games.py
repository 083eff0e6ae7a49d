"""The games as the server tells of them: particulars, options, words."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

import tavola
from tavola import _core
from tavola.server.errors import Refused
from tavola.server.language import LANGUAGES, Language
from tavola.view import Text


class OptionInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """An option with its values, the default first."""

    name: str
    values: tuple[str, ...]


class GameInfo(Struct, frozen=True):
    """What a client needs to know of a game before anybody plays."""

    name: str
    seats: tuple[int, int]
    rules_version: int
    has_chance: bool
    options: tuple[OptionInfo, ...]
    words: dict[str, dict[str, Any]]
    symbols: str
    theme: dict[str, Any]


class _Rules(Struct, frozen=True):
    rules: dict[str, str]


@cache
def _described(name: str) -> str:
    if name not in tavola.games():
        nearest = get_close_matches(name, tavola.games(), n=1)
        raise Refused("unknown-game", game=name, valid=list(tavola.games()), nearest=nearest)
    return _core.describe(name)


@cache
def info(name: str) -> GameInfo:
    """A game's particulars.

    Raises:
        Refused: `unknown-game`.
    """
    return msgspec.json.decode(_described(name), type=GameInfo)


@cache
def all_games() -> bytes:
    """The particulars of every game, as JSON."""
    return msgspec.json.encode([info(name) for name in tavola.games()])


def rules(name: str, language: str) -> str:
    """A game's rule book as Markdown.

    Raises:
        Refused: `unknown-game`, `unknown-language`.
    """
    books = msgspec.json.decode(_described(name), type=_Rules).rules
    if language not in books:
        raise Refused("unknown-language", language=language, valid=sorted(books))
    return books[language]


def load(name: str, options: dict[str, Any]) -> tavola.Game:
    """The game under these options, those left out at their defaults.

    Raises:
        Refused: `unknown-game`, `unknown-option`, `unknown-value`.
    """
    known = {option.name: option.values for option in info(name).options}
    chosen = {}
    for option, value in options.items():
        if option not in known:
            raise Refused("unknown-option", option=option, valid=list(known))
        if str(value) not in known[option]:
            raise Refused(
                "unknown-value", option=option, value=str(value), valid=list(known[option])
            )
        chosen[option] = str(value)
    return tavola.load(name, **chosen)


def say(name: str, language: Language, text: Text) -> str:
    """A text in the words of a game."""
    assert language in LANGUAGES
    return _core.say(name, language, msgspec.json.encode(text).decode())
