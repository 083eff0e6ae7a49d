"""Messages in a language: found by key in the files of a package, with parameters filled in.

A package has a file `locales/LANGUAGE.json` for each language. `tavola.messages` itself has the
translations of `tavola.errors` by their English templates, and the properties of each language
(`language.*`). A language without a message uses the English one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Mapping
from functools import cache
from importlib.resources import files

from tavola import _core
from tavola.errors import GameMessage, Message
from tavola.language import Language

__all__ = ["Messages", "catalogue", "fill", "language_property", "translated"]

_PARAMETER = re.compile(r"\{(\w+)\}")


@cache
def catalogue(package: str, language: str) -> Mapping[str, str]:
    """Return the messages of a package by key, in English where the language has none."""
    path = files(package).joinpath("locales", f"{language}.json")
    own: dict[str, str] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return own if language == "en" else {**catalogue(package, "en"), **own}


class Messages:
    """The messages of a package in one language.

    Args:
        package: The name of the package, such as `tavola.report`.
        language: The language.
    """

    def __init__(self, package: str, language: Language) -> None:
        self.language: Language = language
        self._messages = catalogue(package, language)

    def __call__(self, key: str, **params: object) -> str:
        """Return the message of a key, with each `{name}` replaced by its parameter."""
        return fill(self._messages[key], params, lambda name: self.translate_part(params[name]))

    def translate_part(self, part: object) -> str:
        """Return a parameter of a message in this language."""
        return translated(part, self.language)

    def join_sentences(self, *sentences: str) -> str:
        """Join sentences as the language does."""
        return language_property(self.language, "sentence-gap").join(sentences)


def language_property(language: str, name: str) -> str:
    """Return a property of a language, such as `sentence-gap`."""
    return catalogue(__name__, language)[f"language.{name}"]


def fill(template: str, params: Container[str], text: Callable[[str], str]) -> str:
    """Return a message with its parameters; a parameter that is not given stays `{name}`.

    Args:
        template: The message.
        params: The names of the given parameters.
        text: Returns the text of a parameter by its name.
    """
    return _PARAMETER.sub(
        lambda found: text(found[1]) if found[1] in params else found[0], template
    )


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
    template = catalogue(__name__, language).get(text.template, text.template)
    params = text.params
    return fill(template, params, lambda name: translated(params[name], language, other))
