"""What the command line says, in every language."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from tavola.server.wire.language import LANGUAGES, Language


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
        text = self._entries[key]
        for name, value in params.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


@cache
def entries(language: Language) -> Mapping[str, str]:
    """The keys and words of a language."""
    text = files(__name__).joinpath(f"{language}.json").read_text(encoding="utf-8")
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
