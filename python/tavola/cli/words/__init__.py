"""What the command line says, in every language."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from tavola import _core
from tavola.cli.words.causes import cause, own_words
from tavola.errors import Saying, Sentence
from tavola.server.schema.locale import LANGUAGES, Language


class Words:
    """The words of one language.

    Args:
        language: Which.
    """

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._entries = entries(language)

    def __call__(self, key: str, **params: object) -> str:
        """The words of a key; `{name}` stands for a parameter."""
        return self._filled(self._entries[key], params)

    def tell(self, said: object) -> str:
        """A part of what is said; an error in our words where we have any, else in its own."""
        told = str(said)
        if isinstance(told, Saying):
            return _core.say(told.game, self.language, told.text)
        if isinstance(told, Sentence):
            return self._filled(sentences(self.language).get(told.form, told.form), told.parts)
        if not isinstance(said, BaseException):
            return told
        key = cause(said)
        return own_words(said) if key is None else self(key)

    def joined(self, *sentences: str) -> str:
        """Sentences one after the other, as the language writes them."""
        return ("" if self.language == "ja" else " ").join(sentences)

    def _filled(self, text: str, params: Mapping[str, object]) -> str:
        told = {name: self.tell(value) for name, value in params.items()}
        return re.sub(r"\{(\w+)\}", lambda name: told.get(name[1], name[0]), text)


@cache
def entries(language: Language) -> Mapping[str, str]:
    """The keys and words of a language."""
    text = files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    loaded: dict[str, str] = json.loads(text)
    return loaded


@cache
def sentences(language: Language) -> Mapping[str, str]:
    """How a language says the sentences of our errors, which are written in English."""
    if language == "en":
        return {}
    text = files(__name__).joinpath(f"sentences.{language}.json").read_text(encoding="utf-8")
    loaded: dict[str, str] = json.loads(text)
    return loaded


def of_system(environment: Mapping[str, str] = os.environ) -> Language:
    """The language that the system asks for; English where it is none of ours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            primary = value.lower().replace("-", "_").partition("_")[0].partition(".")[0]
            return next((language for language in LANGUAGES if language == primary), "en")
    return "en"


def asked_for(arguments: Sequence[str]) -> str | None:
    """The value of `--lang` among the arguments, wherever it stands."""
    for argument, following in zip(arguments, [*arguments[1:], None], strict=True):
        if argument == "--lang":
            return following
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
    return None
