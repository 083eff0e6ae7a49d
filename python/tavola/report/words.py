"""The words of a report: its own, and those of the game."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from tavola import _core
from tavola.language import Language

__all__ = ["Words", "messages"]

LONGEST = 60


@cache
def messages(language: Language) -> Mapping[str, str]:
    """Return the messages of a report by their keys."""
    path = files("tavola.report").joinpath("locales", f"{language}.json")
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


class _Described(msgspec.Struct, frozen=True):
    words: dict[str, dict[str, Any]] = {}


class Words:
    """The words of a report in one language.

    Args:
        game: The name of the game.
        language: The language.
    """

    def __init__(self, game: str, language: Language) -> None:
        self._game = game
        self.language: Language = language
        self._messages = messages(language)
        described = msgspec.json.decode(_core.describe(game), type=_Described)
        # Messages with a plural are objects; their words are not needed here.
        self._words: dict[str, str] = {
            key: text
            for key, text in described.words.get(language, {}).items()
            if isinstance(text, str)
        }

    def __call__(self, key: str, **params: object) -> str:
        """Return a message of the report with its parameters."""
        return re.sub(
            r"\{(\w+)\}",
            lambda name: str(params.get(name[1], name[0])),
            self._messages[key],
        )

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._words.get("game.title", self._game)

    def seat(self, number: int) -> str:
        """Return the name of a seat, counted from 0."""
        name = self._words.get(f"seat.{number}")
        if name is None:
            return self("seat-plain", number=number + 1)
        return self("seat-name", number=number + 1, name=name)

    def option(self, name: str, value: str | int) -> str:
        """Return a value of an option with its name."""
        option = self._words.get(f"option.{name}", name)
        chosen = self._words.get(f"option.{name}.{value}", str(value))
        return f"{option}: {chosen}"

    def ending(self, code: str, *, shared: bool) -> str:
        """Return the reason of an end of the game as a sentence."""
        keys = [f"outcome.{code}"]
        if shared:
            keys = [f"outcome.{code}.draw", f"outcome.{code}.tie", *keys]
        template = next((self._words[key] for key in keys if key in self._words), code)
        return template.replace("{seat}", self("winner"))

    def kind(self, kind: str) -> str:
        """Return the description of a kind of action, with an ellipsis for each part."""
        return re.sub(r"\{\w+\}", "…", self._words.get(f"action.{kind}", kind))

    def part(self, value: str) -> str:
        """Return a component or a place as text."""
        if not value.startswith("{"):
            return value
        return self._say(value).strip()

    def action(self, kind: str, parts: tuple[tuple[str, str], ...], token: str) -> str:
        """Return the description of an action."""
        if f"action.{kind}" not in self._words:
            return token
        params = {
            name: json.loads(value) if value.startswith("{") else value for name, value in parts
        }
        text = self._say(json.dumps({"key": f"action.{kind}", "params": params}))
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"

    def _say(self, text: str) -> str:
        said: str = _core.say(self._game, self.language, text)
        return said
