"""The words of a report: its own, and those of the game."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from tavola import _core
from tavola.language import Language
from tavola.messages import Messages

__all__ = ["Words"]

LONGEST = 60


class _Described(msgspec.Struct, frozen=True):
    words: dict[str, dict[str, Any]] = {}


class Words(Messages):
    """The words of a report in one language.

    Args:
        game: The name of the game.
        language: The language.
    """

    def __init__(self, game: str, language: Language) -> None:
        super().__init__("tavola.report", language)
        self._game = game
        described = msgspec.json.decode(_core.describe(game), type=_Described)
        # Messages with a plural are objects; their words are not needed here.
        self._words: dict[str, str] = {
            key: text
            for key, text in described.words.get(language, {}).items()
            if isinstance(text, str)
        }

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
