"""The page of a replay: one HTML file with all its pictures.

Most pictures of a game share most of their parts, so that a picture is a list of numbers of parts.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tavola._core import Game, describe
from tavola.language import LANGUAGES
from tavola.messages import catalogue, language_property
from tavola.page_template import render

__all__ = ["Caption", "PageFrame", "page"]

WIDTHS = {"wide": 720, "narrow": 360}
"""The layouts of the pictures with their widths in pixels."""

_PART = re.compile(r"[^>]*>|[^>]+$")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


class Caption(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a frame.

    Attributes:
        text: What was just played.
        turn: The number of the turn.
    """

    text: str
    turn: int


class PageFrame(msgspec.Struct, frozen=True, kw_only=True):
    """A position of the page.

    Attributes:
        number: The number of actions before it.
        captions: Its words by language.
        draw: Returns its picture for a language and a width.
        shares: The share of each seat, if the page has a graph.
    """

    number: int
    captions: dict[str, Caption]
    draw: Callable[[str, int], str]
    shares: tuple[float, ...] | None


class _Described(msgspec.Struct, frozen=True):
    words: dict[str, dict[str, Any]]
    symbols: str


def page(game: Game, frames: Sequence[PageFrame], *, style: str, language: str) -> str:
    """Return the page of a replay.

    Args:
        game: The game.
        frames: The positions.
        style: A picture of the game for light and dark pages, with the style of the colours.
        language: The language in which the page begins.

    Returns:
        An HTML document without links to other files.
    """
    described = msgspec.json.decode(describe(game.name), type=_Described)
    words = {one: _words(game, described, one) for one in LANGUAGES}
    parts: dict[str, int] = {}

    def numbered(svg: str) -> list[int]:
        return [parts.setdefault(part, len(parts)) for part in _PART.findall(svg)]

    pictures = {
        one: {
            layout: [numbered(frame.draw(one, width)) for frame in frames]
            for layout, width in WIDTHS.items()
        }
        for one in LANGUAGES
    }
    shares = None if frames[0].shares is None else [frame.shares for frame in frames]
    data = {
        "parts": list(parts),
        "pictures": pictures,
        "captions": {one: [frame.captions[one].text for frame in frames] for one in LANGUAGES},
        "turns": [frame.captions[language].turn for frame in frames],
        "numbers": [frame.number for frame in frames],
        "shares": shares,
        "words": words,
        "language": language,
    }
    packed = base64.b64encode(zlib.compress(msgspec.json.encode(data), 9)).decode()
    colours = _STYLE.search(style)
    assert colours is not None, "a picture for both kinds of pages has a style"
    return render(
        "replay/page.html",
        language=language,
        title=words[language]["title"],
        colours=colours[0],
        game=game.name,
        symbols=described.symbols,
        first=frames[0].draw(language, WIDTHS["wide"]),
        last=len(frames) - 1,
        packed=packed,
    )


def _words(game: Game, described: _Described, language: str) -> dict[str, Any]:
    """Return the words of the page in a language."""
    own = described.words[language]
    options = [own.get(f"option.{name}.{value}", value) for name, value in game.options.items()]
    seats = [own.get(f"seat.{seat}", str(seat + 1)) for seat in range(game.seats)]
    return {
        **catalogue("tavola.replay", language),
        "name": language_property(language, "name"),
        "title": own.get("game.title", game.name),
        "options": " · ".join(str(option) for option in options),
        "seats": seats,
    }
