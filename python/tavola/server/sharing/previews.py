"""The preview of a page of the client: its title, a sentence and a picture, for links elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, urlencode

import msgspec

import tavola
from tavola import _core
from tavola import view as views
from tavola.language import Language
from tavola.messages import Messages
from tavola.puzzles import puzzle_file
from tavola.server import games
from tavola.server.archive.query import load, read_position
from tavola.server.errors import RequestError
from tavola.server.matches.match import Match
from tavola.server.snapshots.snapshot import match_result

__all__ = ["Preview", "of_match", "of_position", "of_puzzle"]


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a page.

    Attributes:
        title: Its title.
        text: A sentence about it.
        image: The path and query of its card on this server.
        state: The position of the card.
    """

    title: str
    text: str
    image: str
    state: tavola.State


def _say(language: Language, key: str, **params: object) -> str:
    return Messages("tavola.server.sharing", language)(key, **params)


@lru_cache(maxsize=64)
def _title(game: tavola.Game, language: Language) -> str:
    return _core.say(game.name, language, '{"key": "game.title"}')


def _seat(state: tavola.State, seat: int, language: Language) -> str:
    return _seats(state.game, language)[seat]


@lru_cache(maxsize=64)
def _seats(game: tavola.Game, language: Language) -> tuple[str, ...]:
    """Return the names of the seats, which are the same in every position."""
    named = (seat.name for seat in views.view(game.start()).seats)
    return tuple(
        _core.say(game.name, language, msgspec.json.encode(name).decode()) for name in named
    )


def of_match(match: Match, language: Language) -> Preview:
    """Return the preview of a match, as a spectator sees it now.

    Args:
        match: The match.
        language: The language of the words.
    """
    state, header = match.state, match.header
    players = " – ".join(_player(match, seat, language) for seat in range(len(match.seats)))
    query = urlencode({"language": language, "seq": match.seq})
    return Preview(
        title=f"{_title(match.game, language)}: {players}",
        text=_match_text(match, language),
        image=f"/api/matches/{quote(header.id)}/card.png?{query}",
        state=state,
    )


def _player(match: Match, number: int, language: Language) -> str:
    seat = match.seats[number]
    if seat.kind == "person":
        return seat.name or _seat(match.state, number, language)
    if seat.level is not None:
        return _say(language, "level", level=seat.level)
    return seat.agent or _say(language, "engine")


def _match_text(match: Match, language: Language) -> str:
    state = match.state
    if match.status != "over":
        return _turn_text(state, language)
    result, count = match_result(match), len(match.history)
    if result.reason == "aborted":
        return _say(language, "aborted")
    if not result.winners:
        return _say(language, "drawn", count=count)
    winners = [_seat(state, seat, language) for seat in result.winners]
    return _say(language, "won", seats=_say(language, "list").join(winners), count=count)


def _turn_text(state: tavola.State, language: Language) -> str:
    if state.to_act in (None, tavola.CHANCE):
        return _say(language, "turn", turn=state.turn)
    assert state.to_act is not None
    return _say(language, "to-move", turn=state.turn, seat=_seat(state, state.to_act, language))


def of_position(
    game: str, options: str | None, position: str | None, language: Language
) -> Preview:
    """Return the preview of a position, as a spectator sees it.

    Args:
        game: The name of the game.
        options: Options as in a record; None for the defaults.
        position: The text of the position; None for the start.
        language: The language of the words.

    Raises:
        RequestError: `unknown-game`, `unknown-option`, `unknown-value`, `not-a-position`.
    """
    loaded = load(game, options)
    state = read_position(loaded, position)
    given: Mapping[str, str | None] = {
        "options": options,
        "position": position,
        "language": language,
    }
    query = urlencode({name: value for name, value in given.items() if value is not None})
    return Preview(
        title=_say(language, "analysis", game=_title(loaded, language)),
        text=_turn_text(state, language),
        image=f"/api/games/{quote(game)}/card.png?{query}",
        state=state,
    )


def of_puzzle(game: str, puzzle: str, language: Language) -> Preview:
    """Return the preview of a puzzle, without its solution.

    Args:
        game: The name of the game.
        puzzle: The id of the puzzle.
        language: The language of the words.

    Raises:
        RequestError: `unknown-game`, `unknown-puzzle`.
    """
    games.info(game)
    entry = next((one for one in puzzle_file(game).puzzles if one.id == puzzle), None)
    if entry is None:
        raise RequestError("unknown-puzzle", puzzle=puzzle[:100])
    state = read_position(load(game, entry.options or None), entry.position)
    title = _title(state.game, language)
    query = urlencode({"language": language})
    return Preview(
        title=_say(language, "puzzle", game=title, level=entry.level),
        text=_say(language, "find", seat=_seat(state, entry.seat, language)),
        image=f"/api/games/{quote(game)}/puzzles/{quote(puzzle)}/card.png?{query}",
        state=state,
    )
