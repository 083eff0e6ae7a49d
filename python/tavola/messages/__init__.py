"""The messages of `tavola.errors` in the languages of players and hosts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

from tavola import _core
from tavola.errors import GameMessage, Message

__all__ = ["error_messages", "translated"]


def translated(message: object, language: str, other: Callable[[object], str] = str) -> str:
    """Return a message in a language, with its parameters in that language too.

    Args:
        message: A message of `tavola.errors`, of a game, or any other value.
        language: The language.
        other: Returns the text of any other value, for example of an error of the system.
    """
    text = str(message)
    if isinstance(text, GameMessage):
        return _core.say(text.game, language, text.text)
    if not isinstance(text, Message):
        return other(message)
    template = error_messages(language).get(text.template, text.template)
    params = {name: translated(value, language, other) for name, value in text.params.items()}
    return re.sub(r"\{(\w+)\}", lambda name: params.get(name[1], name[0]), template)


@cache
def error_messages(language: str) -> Mapping[str, str]:
    """Return translations of the messages of `tavola.errors`, by their English templates."""
    if language == "en":
        return {}
    path = files(__name__).joinpath(f"{language}.json")
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
