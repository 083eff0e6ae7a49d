"""The messages of the command line, in every language."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tavola.cli.locales.os_errors import message_key, plain_message
from tavola.language import LANGUAGES, Language
from tavola.messages import Messages, translated


class Translator(Messages):
    """Looks up messages of the command line in one language.

    Args:
        language: The language.
    """

    def __init__(self, language: Language) -> None:
        super().__init__("tavola.cli", language)

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
