"""Refusals as the wire carries them, in the reader's language."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tavola.server import games
from tavola.server.errors import Refused, told
from tavola.server.language import Language
from tavola.server.meters import REFUSALS
from tavola.view import Refusal


class ErrorAnswer(Struct, frozen=True, omit_defaults=True):
    """What a refusal looks like on the wire."""

    code: str
    params: dict[str, Any]
    message: str
    refusal: Refusal | None = None


def answer(error: Refused, language: Language) -> ErrorAnswer:
    """The refusal in a reader's language; where the game gives the reason, in the game's words.

    It is counted.
    """
    REFUSALS.labels(error.code).inc()
    if error.refusal is None:
        message = told(error, language)
    else:
        message = games.say(error.in_game, language, error.refusal.text)
    return ErrorAnswer(error.code, error.params, message, error.refusal)
