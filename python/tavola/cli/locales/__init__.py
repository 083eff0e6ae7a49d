"""The messages of the command line, in every language."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from tavola.cli.locales.os_errors import message_key, plain_message
from tavola.language import LANGUAGES, Language
from tavola.messages import translated


class Translator:
    """Looks up messages of one language.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._messages = messages(language)

    def __call__(self, key: str, **params: object) -> str:
        """Return the message of a key, with each `{name}` replaced by its parameter."""
        return self._format(self._messages[key], params)

    def translate_part(self, part: object) -> str:
        """Return a parameter of a message in this language.

        Errors of the operating system and of databases have messages of ours where we know their
        codes. All other errors keep their own message.
        """
        return translated(part, self.language, self._other_part)

    def _other_part(self, part: object) -> str:
        if not isinstance(part, BaseException):
            return str(part)
        key = message_key(part)
        return plain_message(part) if key is None else self(key)

    def join_sentences(self, *sentences: str) -> str:
        """Join sentences with the separator of the language."""
        return ("" if self.language == "ja" else " ").join(sentences)

    def _format(self, template: str, params: Mapping[str, object]) -> str:
        texts = {name: self.translate_part(value) for name, value in params.items()}
        return re.sub(r"\{(\w+)\}", lambda name: texts.get(name[1], name[0]), template)


@cache
def messages(language: Language) -> Mapping[str, str]:
    """Return the messages of a language by their keys."""
    path = files(__name__).joinpath(f"{language}.json")
    loaded: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def system_language(environment: Mapping[str, str] = os.environ) -> Language:
    """Return the language of the system's locale, or English if we do not support it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            primary = value.lower().replace("-", "_").partition("_")[0].partition(".")[0]
            return next((language for language in LANGUAGES if language == primary), "en")
    return "en"


def requested_language(arguments: Sequence[str]) -> str | None:
    """Return the value of `--lang`, which may stand anywhere among the arguments."""
    for argument, following in zip(arguments, [*arguments[1:], None], strict=True):
        if argument == "--lang":
            return following
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
    return None
