"""The installed games: descriptions, options and texts."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import msgspec
from msgspec import Struct

import tavola
from tavola import _core
from tavola.language import LANGUAGES, Language
from tavola.server.errors import RequestError
from tavola.view import Text


class OptionInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """An option with its values, the default first."""

    name: str
    values: tuple[str, ...]


class _GameDescription(Struct, frozen=True):
    name: str
    rules_version: int
    has_chance: bool
    options: tuple[OptionInfo, ...]
    words: dict[str, dict[str, Any]]
    symbols: str
    theme: dict[str, Any]
    rules: dict[str, str]
    has_draws: bool


class LevelInfo(Struct, frozen=True):
    """The measures of an engine level.

    Attributes:
        lookahead: The number of actions within which it sees every forced result.
        blunders: The blunder rate, 0 for none.
    """

    lookahead: int
    blunders: float


class GameSummary(Struct, frozen=True):
    """A game in the list of games.

    Attributes:
        proofs: Whether the server searches for forced wins.
        levels: The engine levels, the weakest first.
        weight: From 1, a light game, to 3, a heavy one.
        minutes: The least and the most minutes that a game takes, if its designer says so.
        single: Whether a turn is one action, so that new matches do not ask to confirm it.
        words: The texts about the game, its options and its seats, by language.
    """

    name: str
    seats: tuple[int, int]
    rules_version: int
    has_chance: bool
    has_draws: bool
    proofs: bool
    options: tuple[OptionInfo, ...]
    levels: tuple[LevelInfo, ...]
    weight: int
    minutes: tuple[int, int] | None
    single: bool
    words: dict[str, dict[str, Any]]


class GameInfo(GameSummary, frozen=True):
    """A game with what its board needs.

    Attributes:
        words: All texts of the game, by language.
        symbols: The drawings of its pieces and cells, as SVG.
        theme: Its colours and the form of its board.
    """

    symbols: str
    theme: dict[str, Any]


_SUMMARY_WORDS = ("game.", "option.", "seat.")
"""How the keys of the texts begin that a list of games shows."""

_MEDIUM = 2


@cache
def _describe(name: str, registrations: int) -> _GameDescription:
    if name not in tavola.games():
        raise RequestError("unknown-game", game=name, valid=list(tavola.games()))
    return msgspec.json.decode(_core.describe(name), type=_GameDescription)


def info(name: str) -> GameInfo:
    """Return a game's particulars.

    Raises:
        RequestError: `unknown-game`.
    """
    return _info(name, _core._registrations())


@cache
def _info(name: str, registrations: int) -> GameInfo:
    known = _describe(name, registrations)
    return GameInfo(
        name=known.name,
        seats=_seat_range(known),
        rules_version=known.rules_version,
        has_chance=known.has_chance,
        has_draws=known.has_draws,
        proofs=not known.has_chance,
        options=known.options,
        levels=_levels(tavola.load(name)),
        weight=known.theme.get("weight", _MEDIUM),
        minutes=known.theme.get("minutes"),
        single=known.theme.get("single", False),
        words=known.words,
        symbols=known.symbols,
        theme=known.theme,
    )


def _levels(game: tavola.Game) -> tuple[LevelInfo, ...]:
    engines = (_core._EngineSpec(text, game) for text in tavola.levels(game))
    return tuple(LevelInfo(lookahead=one.lookahead, blunders=one.blunders) for one in engines)


def _seat_range(known: _GameDescription) -> tuple[int, int]:
    """Return the fewest and the most seats that the options allow."""
    names = [option.name for option in known.options]
    counts = {
        tavola.load(known.name, **dict(zip(names, values, strict=True))).seats
        for values in product(*(option.values for option in known.options))
    }
    return min(counts), max(counts)


def summary(name: str) -> GameSummary:
    """Return the entry of a game in the list of games.

    Raises:
        RequestError: `unknown-game`.
    """
    known = info(name)
    words = {
        language: {key: text for key, text in texts.items() if key.startswith(_SUMMARY_WORDS)}
        for language, texts in known.words.items()
    }
    fields = {field: getattr(known, field) for field in GameSummary.__struct_fields__}
    return GameSummary(**{**fields, "words": words})


def summaries_json() -> bytes:
    """Return the list of games, as JSON."""
    return _summaries_json(tavola.games(), _core._registrations())


@cache
def _summaries_json(names: tuple[str, ...], registrations: int) -> bytes:
    return msgspec.json.encode([summary(name) for name in names])


def info_json(name: str) -> bytes:
    """Return a game's particulars, as JSON.

    Raises:
        RequestError: `unknown-game`.
    """
    return _info_json(name, _core._registrations())


@cache
def _info_json(name: str, registrations: int) -> bytes:
    return msgspec.json.encode(info(name))


def rules_markdown(name: str, language: str) -> str:
    """Return a game's rule book as Markdown.

    Raises:
        RequestError: `unknown-game`, `unknown-language`.
    """
    books = _describe(name, _core._registrations()).rules
    if language not in books:
        raise RequestError("unknown-language", language=language, valid=sorted(books))
    return books[language]


def load(name: str, options: dict[str, Any]) -> tavola.Game:
    """Return the game under these options, those left out at their defaults.

    Raises:
            RequestError: `unknown-game`, `unknown-option`, `unknown-value`, with every wrong
                option.
    """
    known = {option.name: option.values for option in info(name).options}
    faults = []
    for option, value in options.items():
        if option not in known:
            faults.append(RequestError("unknown-option", option=option, valid=list(known)))
        elif str(value) not in known[option]:
            valid = list(known[option])
            faults.append(
                RequestError("unknown-value", option=option, value=str(value), valid=valid)
            )
    if faults:
        first, *also = faults
        raise RequestError(first.code, also=also, **first.params)
    return tavola.load(name, **options)


def cover(name: str) -> tavola.State:
    """Return the position that pictures a game: the `cover` of its theme, or else the start.

    Raises:
        RequestError: `unknown-game`.
    """
    text = info(name).theme.get("cover", {}).get("position")
    game = tavola.load(name)
    return game.start() if text is None else game.parse(text)


def load_version(name: str, options: dict[str, Any], rules_version: int) -> tavola.Game:
    """Return the game under these options and the rules version of a match.

    Raises:
        RequestError: As `load`; `rules-changed` if the game is no longer played under that version.
    """
    game = load(name, options)
    if game.rules_version == rules_version:
        return game
    try:
        return tavola.load(name, **{**options, "rules_version": rules_version})
    except tavola.OptionError as error:
        now = game.rules_version
        raise RequestError("rules-changed", began=rules_version, now=now) from error


def format_text(name: str, language: Language, text: Text) -> str:
    """Return a text in the words of a game."""
    assert language in LANGUAGES
    return _core.say(name, language, msgspec.json.encode(text).decode())
